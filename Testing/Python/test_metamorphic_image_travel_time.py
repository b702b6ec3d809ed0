"""Isochrone Image Travel Time: an image that is mirrored, turned, scaled or moved with its speeds, seeds and tips has the
same travel times, seeds, gradients and paths.

They are equal up to ROUNDING, except for

* TENSORS with source factoring: if several sets of offsets decompose a tensor equally well, its last digits select one;
* ROUGH speeds in second order: where three points give no causal solution, two are used, and last digits decide this;
* ROUGH_RATIOS, multiplicative factoring of rough speeds, about which the filter warns: its equations are not monotone,
  so values depend on the order of work, which follows the axes (DESIGN.md);
* RATIOS_OF_SEVERAL, multiplicative factoring with several seeds: a tile of points uses the differences of one of them,
  and the tiles depend on the axes. The error does not exceed the one without factoring, about one spacing;
* paths, which branch on last digits: their points agree to PATHS.
"""
import functools

import numpy as np
import pytest

from metamorphic import HOME, PLANAR_VIEWS, VOLUME_VIEWS, along, assert_quiet
from pipelines import array, cell_array, lines, output, points, travel_time

SHAPES = {"plane": (19, 15, 1), "volume": (12, 9, 10)}
SPACINGS = {"even": (1, 1, 1), "uneven": (0.7, 1.3, 0.9)}
TIPS = np.array([[0.9, 0.16, 0.8], [0.06, 0.9, 0.13]])  # fractions of the extent
ROUNDING = dict(times=4e-6, gradients=1e-3)  # times: relative to the maximum; gradients: relative to the maximum slowness
TENSORS = dict(times=1e-3, gradients=2e-2)
ROUGH = dict(times=0.1, gradients=0.5)
ROUGH_RATIOS = dict(times=1e-2, gradients=0.3)
RATIOS_OF_SEVERAL = dict(times=0.12, gradients=1.0, seeds=0.1)  # seeds: fraction of the points
PATHS = {"smooth": dict(points=0.15, lengths=0.01), "rough": dict(points=1, lengths=0.05)}  # points: in spacings

PLANE = dict(kind="plane", spacing="uneven", speed="smooth", factoring="Off", order=1, seeds="between", bound=ROUNDING)
SPACE = dict(PLANE, kind="volume")
CASES = {}
for kind, base in (("plane", PLANE), ("volume", SPACE)):
    CASES.update({f"{kind}, {name}": dict(base, **case) for name, case in {
        "off": dict(),
        "off, last point": dict(seeds="last"),
        "off, second order": dict(order=2, seeds="last on x"),
        "off, rough": dict(speed="rough", seeds="last"),
        "off, rough, second order": dict(speed="rough", order=2, spacing="even", bound=ROUGH),
        "off, two seeds, slowness": dict(seeds="two", speed_type="Slowness"),
        "additive, constant": dict(factoring="Additive", speed="constant"),
        "additive, constant, on a point": dict(factoring="Additive", speed="constant", seeds="on"),
        "additive, constant, second order": dict(factoring="Additive", speed="constant", order=2),
        "additive, constant, even": dict(factoring="Additive", speed="constant", seeds="last on x", spacing="even"),
        "additive": dict(factoring="Additive"),
        "additive, last point": dict(factoring="Additive", seeds="last", order=2),
        "additive, two seeds": dict(factoring="Additive", seeds="two"),
        "additive, rough": dict(factoring="Additive", speed="rough", seeds="on"),
        "additive, rough, second order": dict(factoring="Additive", speed="rough", order=2, spacing="even", bound=ROUGH),
        "multiplicative, constant": dict(factoring="Multiplicative", speed="constant"),
        "multiplicative, constant, on a point": dict(factoring="Multiplicative", speed="constant", seeds="on"),
        "multiplicative, constant, second order": dict(factoring="Multiplicative", speed="constant", seeds="on", order=2),
        "multiplicative": dict(factoring="Multiplicative"),
        "multiplicative, last point": dict(factoring="Multiplicative", seeds="last", order=2),
        "multiplicative, rough": dict(factoring="Multiplicative", speed="rough", spacing="even", bound=ROUGH_RATIOS),
        "multiplicative, two seeds": dict(factoring="Multiplicative", seeds="two", bound=RATIOS_OF_SEVERAL),
        "region": dict(seeds="region"),
        "both ways": dict(targets=True),
        "tensors": dict(speed="tensor"),
        "tensors, last point": dict(speed="tensor", seeds="last"),
        "tensors, squared velocities": dict(speed="tensor", speed_type="Squared Velocity Tensor", seeds="on"),
        "tensors, additive": dict(speed="tensor", factoring="Additive", spacing="even", bound=TENSORS),
        "drift": dict(drift=True),
        "drift, last point": dict(drift=True, seeds="last", targets=True),
        "drift, tensors": dict(drift=True, speed="tensor", speed_type="Squared Velocity Tensor", seeds="on"),
        "cells": dict(cells=True, seeds="on"),
    }.items()})
FEW = {"plane": ["mirror x", "quarter turn", "plane zy", "0.3 times as large", "all at once"],
       "volume": ["mirrored along all axes", "axes yzx", "quarter turn about x", "0.3 times as large", "all at once"]}


@functools.lru_cache(maxsize=None)
def speeds(shape, kind):
    i, j, k = np.indices(shape) / 16
    smooth = 1 + 0.4 * np.sin(2 * i + j) * np.cos(j - 1.5 * k)
    if kind == "rough":
        return smooth * np.random.default_rng(3).uniform(0.3, 2, shape)
    if kind == "tensor":
        axis = np.stack([np.cos(i + j), np.sin(i + j), 0.3 * np.sin(k + i)], -1)
        axis /= np.linalg.norm(axis, axis=-1, keepdims=True)
        return np.eye(3) + 3 * axis[..., :, None] * axis[..., None, :]
    return smooth if kind == "smooth" else np.ones(shape)


def drifts(shape):
    """Returns a drift below the minimum speed."""
    i, j, k = np.indices(shape) / 16
    return 0.25 * np.stack([np.cos(j + k), np.sin(2 * i), np.cos(i + j) * (shape[2] > 1)], -1)


def seed_places(seeds, shape, steps):
    extent, flat = (np.array(shape) - 1) * steps, np.equal(shape, 1)
    on = np.floor(np.multiply(np.subtract(shape, 1), 0.3)) * steps
    last_on_x = np.where([True, False, False], extent, on)
    between = np.where(flat, 0, extent * [0.37, 0.41, 0.43] + 0.13 * steps)
    return np.array({"on": [on], "between": [between], "last": [extent], "last on x": [last_on_x],
                     "two": [between, extent * [0.81, 0.77, 0.7]]}[seeds])


def solve(view, kind, spacing, speed, factoring, order, seeds, bound, speed_type="Speed", targets=False, cells=False,
          drift=False, faster=1.0, seed_order=(0, 1)):
    """Returns all results, at home."""
    shape, steps = SHAPES[kind], np.array(SPACINGS[spacing])
    placed, extent = view.of(shape, steps), (np.array(shape) - 1) * steps
    field = speeds(tuple(np.subtract(shape, np.greater(shape, 1))) if cells else shape, speed)
    near = np.linalg.norm((np.stack(np.indices(shape), axis=-1) - [4, 4, min(3, shape[2] - 1)]) * steps, axis=-1) < 2.5
    arrays = {"region": placed.values(near.astype(np.uint8))}
    barrier = np.zeros(shape, np.uint8)
    barrier[2 * shape[0] // 3, : shape[1] // 2] = 1
    arrays["barrier"] = placed.values(barrier)
    properties, on_cells, squared = {"BarrierArray": ["POINTS", "barrier"]}, {}, speed_type == "Squared Velocity Tensor"
    if speed == "constant":
        properties = {"ConstantSpeed": faster, "SpeedArray": None}
    elif speed == "tensor":
        arrays["f"] = placed.tensors(np.linalg.inv(field) * faster**2 if squared else field / faster**2)
        properties.update(SpeedArray=["POINTS", "f"], SpeedType="Squared Velocity Tensor" if squared else "Metric Tensor")
    else:
        quantity = faster * field
        (on_cells if cells else arrays)["f"] = placed.values(1 / quantity if speed_type == "Slowness" else quantity)
        properties.update(SpeedArray=["CELLS" if cells else "POINTS", "f"], SpeedType=speed_type, AverageCellData=int(cells))
    if drift:
        arrays["drift"] = placed.vectors(faster * drifts(shape))
        properties["DriftArray"] = ["POINTS", "drift"]
    if seeds == "region":
        properties.update(SeedType="Region", SeedRegionArray=["POINTS", "region"])
    else:
        at = seed_places(seeds, shape, steps)
        turn = [s for s in seed_order if s < len(at)]
        properties["Seeds"] = points(placed.points(at)[turn], Label=np.array([5, 3])[turn],
                                     StartValue=np.array([0.0, 0.5])[turn] * view.scale / faster)
    if targets:
        properties["Targets"] = points(placed.points(extent * [0.93, 0.86, 0.21]))
    proxy = travel_time(Input=placed.image(cells=on_cells, **arrays), SourceFactoring=factoring, Order=order,
                        TipPoints=placed.points(TIPS * extent).ravel(), ComputeGradient=1, **properties)
    out, paths, unit = output(proxy), output(proxy, 1), view.scale / faster
    times = ["TravelTime"] + (["TimeFromTargets", "TwoWayTime"] if targets else [])
    world = [placed.home_points(line) for line in lines(paths)]
    return {
        "times": {name: placed.home(array(out, name)) / unit for name in times},
        "seeds": placed.home(array(out, "SeedId")),
        "reached": placed.home(array(out, "Reached")),
        "connectivity": placed.home(array(out, "Connectivity")) if targets else np.zeros(1),
        "gradient": placed.home_vectors(array(out, "Gradient")) * faster,
        "ids": [list(cell_array(paths, name)) for name in ("TipId", "SeedId", "Status")],
        "paths": [along(line / np.where(np.equal(shape, 1), 1, steps)) for line in world],
        "ends": [line[[0, -1]] for line in world],
        "lengths": cell_array(paths, "Length") / view.scale,
        "path times": cell_array(paths, "TravelTime") / unit,
    }


@functools.lru_cache(maxsize=None)
def at_home(case):
    return solve(HOME, **CASES[case])


def assert_same(there, home, case):
    bound, rough = case["bound"], case["speed"] == "rough" or case["bound"] is RATIOS_OF_SEVERAL
    paths = PATHS["rough" if rough else "smooth"]
    largest = {name: np.nanmax(time) for name, time in home["times"].items()}
    assert (there["reached"] == home["reached"]).all() and home["reached"].any()
    for name, time in home["times"].items():
        np.testing.assert_allclose(there["times"][name], time, rtol=0, atol=bound["times"] * largest[name], err_msg=name)
    assert (there["seeds"] != home["seeds"]).mean() <= bound.get("seeds", 0)
    np.testing.assert_allclose(there["connectivity"], home["connectivity"], atol=10 * bound["times"])
    slowness = np.linalg.norm(home["gradient"], axis=-1).max()
    np.testing.assert_allclose(there["gradient"], home["gradient"], atol=bound["gradients"] * slowness)
    assert there["ids"] == home["ids"] and len(home["paths"]) >= 2
    np.testing.assert_allclose(there["path times"], home["path times"], rtol=0, atol=2 * bound["times"] * max(largest.values()))
    np.testing.assert_allclose(there["paths"], home["paths"], atol=paths["points"])
    np.testing.assert_allclose(there["lengths"], home["lengths"], rtol=paths["lengths"])
    if case["seeds"] != "region":
        np.testing.assert_allclose(there["ends"], home["ends"], atol=1e-6)


@pytest.mark.parametrize("name", PLANAR_VIEWS)
@pytest.mark.parametrize("case", ["plane, off", "plane, additive, constant, even"])
def test_times_and_paths_in_a_plane_do_not_depend_on_the_placement(case, name):
    assert_same(solve(PLANAR_VIEWS[name], **CASES[case]), at_home(case), CASES[case])


@pytest.mark.parametrize("name", VOLUME_VIEWS)
@pytest.mark.parametrize("case", ["volume, off", "volume, tensors"])
def test_times_and_paths_in_a_volume_do_not_depend_on_the_placement(case, name):
    assert_same(solve(VOLUME_VIEWS[name], **CASES[case]), at_home(case), CASES[case])


@pytest.mark.parametrize("case", CASES)
def test_every_factoring_order_speed_and_seed_has_the_same_times_and_paths(case, messages):
    kind = CASES[case]["kind"]
    *some, last = FEW[kind]
    for name in (some[list(CASES).index(case) % len(some)], last):
        assert_same(solve((PLANAR_VIEWS if kind == "plane" else VOLUME_VIEWS)[name], **CASES[case]), at_home(case), CASES[case])
    assert_quiet(messages(), "the speed is rough")


@pytest.mark.parametrize("case", ["plane, off, two seeds, slowness", "plane, additive, two seeds",
                                  "plane, multiplicative, two seeds", "volume, off, two seeds, slowness"])
def test_the_order_of_the_seeds_has_no_effect(case):
    assert_same(solve(HOME, **CASES[case], seed_order=(1, 0)), at_home(case), CASES[case])


@pytest.mark.parametrize("faster", [1024.0, 0.3, 1e6])
def test_faster_fronts_take_less_time_along_the_same_paths(faster):
    for case in ("plane, off", "plane, additive", "plane, multiplicative, constant", "plane, tensors", "volume, off"):
        assert_same(solve(HOME, **CASES[case], faster=faster), at_home(case), CASES[case])
