"""The filters with Backend CUDA inside ParaView, on a device or, without one, on the emulated device."""
import ctypes
import os
from collections import namedtuple
from contextlib import contextmanager

import numpy as np
import pytest

from pipelines import (array, assert_error, cell_array, counts, cube, curvature_paths, distance_transform, image, lines, mesh,
                       mesh_travel_time, output, ray_tracing, rectilinear, travel_time)
from test_distance_transform_rectilinear import SITES, STEPS

VALUES = np.random.default_rng(3).uniform(0.5, 1.5, 21 * 17)


def field(n):
    return np.random.default_rng(4).uniform(0.5, 1.5, n)


def square(n):
    return image(extent=(0, n - 1, 0, n - 1, 0, 0), v=field(n * n), a=(field(n * n) > 1.4) * 1.0)


def small():
    return image(v=VALUES, a=(VALUES > 1.4) * 1.0)


# A filter on a small input and on one that needs more than 3 MB on the device (which the host solves in a second), the array
# that it computes, the maximum relative difference from the host, its property of tips, and two tips.
Filter = namedtuple("Filter", "build small large array bound tips places")
FLAT = [[15, 3, 0], [3, 12, 0]]
FILTERS = {
    "curvature_paths": Filter(lambda data, **k: curvature_paths(Input=data, CostArray=["POINTS", "v"], Accuracy="First Order", **k),
                              small, lambda: square(160), "TravelTime", 1e-5, "TipPoints", FLAT),
    "travel_time": Filter(lambda data, **k: travel_time(Input=data, SpeedArray=["POINTS", "v"], **k),
                          small, lambda: square(700), "TravelTime", 5e-7, "TipPoints", FLAT),
    "distance_transform": Filter(lambda data, **k: distance_transform(Input=data, **k),
                                 small, lambda: square(900), "Distance", 0, "TipPoints", FLAT),
    "ray_tracing": Filter(lambda data, **k: ray_tracing(Input=data, **k),
                          small, lambda: square(500), "TravelTime", 0, "ReceiverPoints", FLAT),
    "mesh_travel_time": Filter(lambda data, **k: mesh_travel_time(Input=data, **k),
                               lambda: mesh(*cube(5)), lambda: mesh(*cube(20)), "TravelTime", 0, "TipPoints",
                               [[0.2, 0.3, 0.9], [0.9, 0.1, 0.1]])}


@pytest.fixture(params=FILTERS)
def filter_(request):
    return FILTERS[request.param]


def values(filter_, proxy):
    return array(output(proxy), filter_.array).copy()


def assert_close(filter_, cuda, host):
    reached = np.isfinite(host)
    assert np.array_equal(reached, np.isfinite(cuda)) and reached.sum() > 100
    assert (np.abs(cuda - host)[reached] <= filter_.bound * np.abs(host)[reached]).all()


@contextmanager
def device_memory_left(left):
    """Allocates all of the device's memory except `left` bytes."""
    runtime = ctypes.CDLL(os.environ["ISOCHRONE_CUDA_RUNTIME"])
    free, total, held = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_void_p()
    assert runtime.cudaMemGetInfo(ctypes.byref(free), ctypes.byref(total)) == 0
    assert runtime.cudaMalloc(ctypes.byref(held), ctypes.c_size_t(free.value - left)) == 0
    yield
    assert runtime.cudaFree(held) == 0


# ------------------------------------------------------------------------------------------------- answers
@pytest.mark.parametrize("backend", ["CUDA", "Automatic"])
def test_cuda_agrees_with_the_host_and_is_reported(filter_, backend):
    host, cuda = (filter_.build(filter_.small(), Backend=b) for b in ("Host", backend))
    assert host.BackendUsed == "Host" and cuda.BackendUsed == "CUDA"
    assert_close(filter_, values(filter_, cuda), values(filter_, host))


PERIODIC = {"isotropic": {"SpeedArray": ["POINTS", "v"]},
            "factored": {"SpeedArray": ["POINTS", "v"], "SourceFactoring": "Additive"},
            "tensors": {"SpeedType": "Squared Velocity Tensor", "SpeedArray": ["POINTS", "m"]},
            "drift": {"SpeedArray": ["POINTS", "v"], "DriftArray": ["POINTS", "w"]}}


@pytest.mark.parametrize("medium", PERIODIC)
@pytest.mark.parametrize("backend", ["CUDA", "Automatic"])
def test_travel_times_with_periodic_axes_agree_with_the_host(medium, backend):
    turn = np.pi * field(VALUES.size)
    along = np.stack([np.cos(turn), np.sin(turn), 0 * turn], 1)
    tensors = np.eye(3) + 3 * along[:, :, None] * along[:, None, :]
    data = image(v=VALUES, m=tensors.reshape(-1, 9), w=0.3 * along)
    solves = [travel_time(Input=data, PeriodicX=1, PeriodicY=1, SeedPoints=[0.2, 16, 0], TipPoints=[15, 3, 0], Backend=where,
                          **PERIODIC[medium]) for where in ("Host", backend)]
    host, cuda = (array(output(proxy), "TravelTime") for proxy in solves)
    assert [proxy.BackendUsed for proxy in solves] == ["Host", "CUDA"]
    assert host.max() > 3 and np.abs(cuda - host).max() <= 2e-6 * host.max()
    paths = [lines(output(proxy, 1)) for proxy in solves]
    assert len(paths[0]) == len(paths[1]) and np.abs(paths[0][0] - paths[1][0]).max() < 1e-3


def test_rays_in_an_image_with_periodic_axes():
    host, cuda = (FILTERS["ray_tracing"].build(small(), PeriodicX=1, PeriodicY=1, ReceiverPoints=FLAT[0], Backend=b)
                  for b in ("Host", "CUDA"))
    assert host.BackendUsed == "Host" and cuda.BackendUsed == "CUDA"
    assert (array(output(cuda), "TravelTime") == array(output(host), "TravelTime")).all()
    assert all((a == b).all() for a, b in zip(lines(output(cuda, 1)), lines(output(host, 1)), strict=True))


def test_curvature_paths_in_an_image_with_periodic_axes():
    host, cuda = (FILTERS["curvature_paths"].build(small(), PeriodicX=1, PeriodicY=1, TipPoints=FLAT[0], Backend=b)
                  for b in ("Host", "CUDA"))
    assert host.BackendUsed == "Host" and cuda.BackendUsed == "CUDA"
    assert_close(FILTERS["curvature_paths"], values(FILTERS["curvature_paths"], cuda), values(FILTERS["curvature_paths"], host))
    assert np.abs(lines(output(cuda, 1))[0] - lines(output(host, 1))[0]).max() < 1e-3


@pytest.mark.parametrize("name, read, bound, options", [ # the times of images differ in their last bits
    ("travel_time", array, 1e-4, {"SourceFactoring": "Off"}), ("travel_time", array, 1e-4, {"SourceFactoring": "Additive"}),
    ("travel_time", array, 1e-4, {"SourceFactoring": "Additive", "Order": 2}),
    ("mesh_travel_time", cell_array, 0, {})])
def test_derivatives_agree_with_the_host(name, read, bound, options):
    f = FILTERS[name]
    solves = [f.build(f.small(), ComputeSensitivity=1, Backend=b, **{f.tips: f.places[0]}, **options) for b in ("Host", "CUDA")]
    host, cuda = (read(output(proxy), "SpeedSensitivity") for proxy in solves)
    assert [proxy.BackendUsed for proxy in solves] == ["Host", "CUDA"]
    for proxy, where in zip(solves, ("the host", "CUDA"), strict=True):
        proxy.UpdatePropertyInformation()
        assert f"; derivatives on {where}: " in proxy.BackendReason
    assert np.abs(host).max() > 0 and np.abs(cuda - host).max() <= bound * np.abs(host).max()


def test_derivatives_by_tensors_agree_with_the_host():
    x, y, z = np.meshgrid(np.arange(9), np.arange(8), np.arange(7), indexing="ij")
    along = np.stack([np.cos(x / 9), np.sin(x / 9), 0 * x], -1).reshape(-1, 3, order="F")
    data = image(extent=(0, 8, 0, 7, 0, 6), m=(np.eye(3) + 3 * along[:, :, None] * along[:, None, :]).reshape(-1, 9))
    settings = {"SpeedType": "Squared Velocity Tensor", "SpeedArray": ["POINTS", "m"], "SourceFactoring": "Additive",
                "SeedPoints": [2, 3, 3], "TipPoints": [7, 6, 1]}
    solves = [travel_time(Input=data, ComputeSensitivity=1, Backend=where, **settings) for where in ("Host", "CUDA")]
    host, cuda = (array(output(proxy), "TensorSensitivity") for proxy in solves)
    assert [proxy.BackendUsed for proxy in solves] == ["Host", "CUDA"]
    solves[1].UpdatePropertyInformation()
    assert "; derivatives on CUDA: " in solves[1].BackendReason
    assert np.abs(host).max() > 0.1 and np.abs(cuda - host).max() <= 1e-4 * np.abs(host).max()


def test_distances_with_periodic_axes_and_on_a_rectilinear_grid():
    grid = rectilinear(*STEPS, a=SITES.astype(float))
    for data, axes, bound in ((small(), {"PeriodicX": 1, "PeriodicY": 1}, 0), (grid, {}, 1e-14)):
        host, cuda = (distance_transform(Input=data, DoublePrecision=1, ComputeNearestSite=1, Backend=b, **axes) for b in ("Host", "CUDA"))
        assert host.BackendUsed == "Host" and cuda.BackendUsed == "CUDA"
        np.testing.assert_allclose(array(output(cuda), "Distance"), array(output(host), "Distance"), rtol=bound)
        np.testing.assert_array_equal(array(output(cuda), "NearestSite"), array(output(host), "NearestSite"))


AXES = {"rectilinear": ({}, np.linspace(0, 3, 16) ** 1.5, np.linspace(0, 2, 14) ** 1.7, np.array([5, 5.1, 5.4, 5.6, 6.3])),
        "spherical": ({"Coordinates": "Spherical"}, np.linspace(0, 6, 9), np.linspace(0, 180, 13), np.linspace(0, 345, 24))}


@pytest.mark.parametrize("factoring", ["Off", "Additive"])
@pytest.mark.parametrize("axes", AXES)
def test_travel_times_on_rectilinear_and_spherical_grids_agree_with_the_host(axes, factoring):
    settings, x, y, z = AXES[axes]
    data = rectilinear(x, y, z, v=field(len(x) * len(y) * len(z)))
    solves = [travel_time(Input=data, SpeedArray=["POINTS", "v"], SourceFactoring=factoring, SeedPoints=[x[4] + 0.1, y[6], z[-1]],
                          Backend=where, **settings) for where in ("Host", "CUDA", "Automatic")]
    host, *others = (array(output(proxy), "TravelTime").copy() for proxy in solves)
    assert [proxy.BackendUsed for proxy in solves] == ["Host", "CUDA", "CUDA"]
    for cuda in others:
        assert host.max() > 1 and np.abs(cuda - host).max() <= 1e-6 * host.max()


def test_two_filters_in_sequence():
    rays = FILTERS["ray_tracing"].build(small(), Backend="CUDA")
    host, cuda = (FILTERS["travel_time"].build(rays, Backend=backend) for backend in ("Host", "CUDA"))
    assert rays.BackendUsed == cuda.BackendUsed == "CUDA"
    assert_close(FILTERS["travel_time"], values(FILTERS["travel_time"], cuda), values(FILTERS["travel_time"], host))


def test_sensitivities_of_curvature_paths():
    host, cuda = (curvature_paths(Input=small(), CostArray=["POINTS", "v"], TipPoints=FLAT[0], ComputeSensitivity=1, Backend=backend)
                  for backend in ("Host", "CUDA"))
    expected, got = (array(output(proxy), "CostSensitivity") for proxy in (host, cuda))
    assert expected.max() > 0 and np.abs(got - expected).max() <= 1e-4 * np.abs(expected).max()


def test_a_moved_tip_is_traced_without_another_solve(filter_):
    first, second = filter_.places
    proxy = filter_.build(filter_.small(), Backend="CUDA", **{filter_.tips: first})
    solves, extractions = counts(proxy)
    setattr(proxy, filter_.tips, second)
    proxy.UpdatePipeline()
    assert counts(proxy) == (solves, extractions + 1)
    fresh = filter_.build(filter_.small(), Backend="Host", **{filter_.tips: second})
    moved, expected = (lines(output(p, 1)) for p in (proxy, fresh))
    assert len(moved) == len(expected) == 1
    assert moved[0].shape == expected[0].shape and np.abs(moved[0] - expected[0]).max() < 1e-3


# ------------------------------------------------------------------------------------------------- progress and aborts
def test_progress_rises_to_one(filter_):
    proxy = filter_.build(filter_.small(), Backend="Host")
    algorithm, seen = proxy.GetClientSideObject(), []
    algorithm.AddObserver("ProgressEvent", lambda *_: seen.append(algorithm.GetProgress()))
    proxy.Backend = "CUDA"
    proxy.UpdatePipeline()
    work = [share for share in seen if share > 0]
    assert work == sorted(work) and work[-1] == 1 and len(set(work)) > 1


def test_an_abort_leaves_empty_outputs_and_the_next_apply_works(filter_, messages):
    proxy = filter_.build(filter_.small(), Backend="Host")
    expected, algorithm = values(filter_, proxy), proxy.GetClientSideObject()
    proxy.Backend = "CUDA"
    proxy.SMProxy.UpdateVTKObjects()
    tag = algorithm.AddObserver("ProgressEvent", lambda *_: algorithm.SetAbortExecute(1))
    algorithm.Update()
    assert messages().count("stopped on request") == 1
    for port in range(algorithm.GetNumberOfOutputPorts()):
        assert algorithm.GetOutputDataObject(port).GetNumberOfElements(0) == 0
    algorithm.RemoveObserver(tag)
    algorithm.SetAbortExecute(0)
    algorithm.Update()
    proxy.SMProxy.UpdatePropertyInformation()  # ParaView knows nothing of this update
    assert proxy.BackendUsed == "CUDA"
    assert_close(filter_, values(filter_, proxy), expected)


# ------------------------------------------------------------------------------------------------- memory
def test_too_little_device_memory_is_an_error_and_the_next_apply_works(filter_, messages):
    large = filter_.large()
    with device_memory_left(3_000_000):
        proxy = filter_.build(large, Backend="CUDA")
        assert_error(messages, proxy, "cannot run on CUDA", "of device memory", "free", "choose the Host or the Automatic backend")
    proxy = filter_.build(filter_.small(), Backend="CUDA")
    assert proxy.BackendUsed == "CUDA"


def test_too_little_device_memory_falls_back_to_the_host_with_automatic(filter_):
    large = filter_.large()
    host = filter_.build(large, Backend="Host")
    with device_memory_left(3_000_000):
        proxy = filter_.build(large, Backend="Automatic")
    assert proxy.BackendUsed == "Host"
    assert "of device memory" in proxy.BackendReason
    assert np.array_equal(values(filter_, proxy), values(filter_, host), equal_nan=True)
