"""Isochrone Ray Tracing: the same velocities mirrored, turned, scaled or moved give the same times, rays and ray matrix.

If two rays are equally fast, either may be found: times and lengths are then equal, but points may differ. Random velocities
have no such rays except with the template Full, where a long edge is as fast as the short ones along it.
"""
import functools

import numpy as np
import pytest

from metamorphic import HOME, PLANAR_VIEWS, VOLUME_VIEWS, assert_quiet
from pipelines import array, cell_array, column, lines, names, output, points, ray_tracing

SHAPES = {"plane": (19, 15, 1), "volume": (9, 8, 7)}
SPACINGS = {"even": (1, 1, 1), "uneven": (0.7, 1.3, 0.9)}
RADII = {"plane": (3, 2, 1), "volume": (2, 2, 1)}
SOURCES = np.array([[0.31, 0.22, 0.44], [0.8, 0.1, 0.93]])  # fractions of the extent
RECEIVERS = np.array([[0.9, 0.62, 0.1], [0.05, 0.45, 0.8], [1, 1, 1]])
START, LABELS = np.array([0.5, 0.0]), np.array([7, 4])

PLAIN = dict(kind="plane", spacing="uneven", rule="Accurate")
CASES = {
    "accurate": PLAIN,
    "fast, on points": dict(PLAIN, rule="Fast", on_points=True),
    "cells": dict(PLAIN, rule="Cells"),
    "full template": dict(PLAIN, template="Full", spacing="even"),
    "balanced": dict(PLAIN, template="Balanced 24", spacing="even"),
    "separate": dict(PLAIN, runs="Separate"),
    "reflected": dict(PLAIN, reflected=True),
    "reflected between cells": dict(PLAIN, rule="Cells", reflected=True, runs="Separate"),
    "converted": dict(PLAIN, reflected=True, second=True, stay=1),
    "single precision": dict(PLAIN, double=0),
    "volume": dict(PLAIN, kind="volume"),
    "volume of cells": dict(PLAIN, kind="volume", rule="Cells", reflected=True),
    "volume, fast": dict(PLAIN, kind="volume", rule="Fast", template="Full", spacing="even"),
}
FEW_PLANES = ["mirror x", "quarter turn", "plane zy", "0.3 times as large", "all at once"]
FEW_VOLUMES = ["mirror z", "axes yzx", "quarter turn about x", "0.3 times as large", "all at once"]


@functools.lru_cache(maxsize=None)
def velocities(shape, seed):
    v = np.random.default_rng(seed).uniform(1, 3, shape)
    v[4 % shape[0], 6 % shape[1], 2 % shape[2]] = 0  # a barrier
    return v


def solve(view, kind, spacing, rule, template="Coprime", runs="Together", reflected=False, second=False, stay=0, double=1,
          on_points=False, order=(0, 1), faster=1):
    """Returns all results, at home."""
    shape, steps = SHAPES[kind], np.array(SPACINGS[spacing])
    placed, cells, where = view.of(shape, steps), rule == "Cells", "CELLS" if rule == "Cells" else "POINTS"
    samples = tuple(n - (n > 1) for n in shape) if cells else shape
    above = (np.indices(samples)[1] < 0.7 * samples[1]).astype(int)
    arrays = {"v": placed.values(faster * velocities(samples, 2)), "w": placed.values(faster * velocities(samples, 3)),
              "label": placed.values(above)}
    settings = {}
    if reflected:
        settings.update(Interface="Label Boundary", InterfaceArray=[where, "label"], InterfaceLabel=1, StayInLabel=stay)
    if second:
        settings.update(SecondVelocityArray=[where, "w"])
    extent = (np.array(shape) - 1) * steps
    places = np.round(SOURCES * extent / steps) * steps if on_points else SOURCES * extent
    sources = points(placed.points(places[list(order)]), StartValue=START[list(order)] * view.scale / faster,
                     Label=LABELS[list(order)])
    proxy = ray_tracing(Input=placed.image(cells=arrays) if cells else placed.image(**arrays), VelocityArray=[where, "v"],
                        WeightRule=rule, Template=template, Radius=np.take(RADII[kind], placed.order).tolist(),
                        Sources=sources, SourceRuns=runs, ReceiverPoints=placed.points(RECEIVERS * extent).ravel(),
                        MergeCollinear=int(template == "Full"), ComputeRayMatrix=1, ComputePredecessor=1,
                        ComputeSourceId=int(runs == "Together"), DoublePrecision=double, **settings)
    out, rays, matrix = (output(proxy, port) for port in range(3))
    at_points = {name: placed.home(array(out, name)) for name in names(out.GetPointData()) if name not in arrays}
    legs = column(matrix, "Leg") if matrix.GetColumnByName("Leg") else np.zeros(matrix.GetNumberOfRows(), int)
    elements = placed.home_ids(column(matrix, "ElementId"), cells)
    return {
        "times": {name: faster * a / view.scale for name, a in at_points.items() if "Time" in name},
        "numbers": {name: a for name, a in at_points.items() if "Time" not in name and "Predecessor" not in name},
        "before": {name: placed.home_ids(a) for name, a in at_points.items() if "Predecessor" in name},
        "rays": [placed.home_points(line) for line in lines(rays)],
        "along": array(rays, "TravelTime") * faster / view.scale,
        "tangents": array(rays, "Tangent") @ placed.turn,
        "ids": {name: cell_array(rays, name) for name in ("ReceiverId", "SourceId", "Status")},
        "lengths": cell_array(rays, "Length") / view.scale,
        "ray times": faster * cell_array(rays, "TravelTime") / view.scale,
        "matrix": dict(zip(zip(column(matrix, "RowId"), legs, elements), column(matrix, "Weight") / view.scale)),
        "neighbours": proxy.NumberOfNeighbours,
        "bound": proxy.AngularErrorBound,
    }


@functools.lru_cache(maxsize=None)
def at_home(name):
    return solve(HOME, **CASES[name])


def assert_same(there, home, case):
    tolerance = 1e-9 if case.get("double", 1) else 2e-6  # positions at 1e6 are accurate to 1e-10
    full = case.get("template") == "Full"
    assert there["times"].keys() == home["times"].keys()
    for name, time in home["times"].items():
        np.testing.assert_allclose(there["times"][name], time, rtol=tolerance, atol=tolerance, err_msg=name)
    for name, numbers in home["numbers"].items():
        assert (there["numbers"][name] == numbers).all(), name
    for name, before in home["before"].items():
        assert full or (there["before"][name] == before).all(), name
    for name, ids in home["ids"].items():
        assert list(there["ids"][name]) == list(ids) and len(ids) > 0, name
    np.testing.assert_allclose(there["lengths"], home["lengths"], rtol=1e-6)
    np.testing.assert_allclose(there["ray times"], home["ray times"], rtol=max(tolerance, 1e-7))
    assert [len(ray) for ray in there["rays"]] == [len(ray) for ray in home["rays"]]
    for ray, expected in zip(there["rays"], home["rays"]):
        np.testing.assert_allclose(ray, expected, atol=1e-8)
    np.testing.assert_allclose(there["along"], home["along"], atol=max(tolerance, 1e-6))
    np.testing.assert_allclose(there["tangents"], home["tangents"], atol=1e-6)
    for key in there["matrix"].keys() | home["matrix"].keys():
        assert there["matrix"].get(key, 0) == pytest.approx(home["matrix"].get(key, 0), abs=1e-6), key
    assert there["neighbours"] == home["neighbours"]
    assert there["bound"] == pytest.approx(home["bound"], rel=1e-6)


@pytest.mark.parametrize("name", PLANAR_VIEWS)
def test_rays_in_a_plane_do_not_depend_on_the_placement(name):
    for case in ("accurate", "cells", "reflected"):
        assert_same(solve(PLANAR_VIEWS[name], **CASES[case]), at_home(case), CASES[case])


@pytest.mark.parametrize("name", VOLUME_VIEWS)
def test_rays_in_a_volume_do_not_depend_on_the_placement(name):
    assert_same(solve(VOLUME_VIEWS[name], **CASES["volume"]), at_home("volume"), CASES["volume"])


@pytest.mark.parametrize("case", set(CASES) - {"accurate", "cells", "reflected", "volume"})
def test_every_rule_template_and_kind_of_source_has_the_same_rays(case, messages):
    views, few = (PLANAR_VIEWS, FEW_PLANES) if CASES[case]["kind"] == "plane" else (VOLUME_VIEWS, FEW_VOLUMES)
    for name in few:
        assert_same(solve(views[name], **CASES[case]), at_home(case), CASES[case])
    assert_quiet(messages(), "lies in a barrier")  # behind the interface, if waves stay in front of it


@pytest.mark.parametrize("case", ["accurate", "cells", "reflected"])
def test_the_order_of_the_sources_has_no_effect(case):
    assert_same(solve(HOME, **CASES[case], order=(1, 0)), at_home(case), CASES[case])


@pytest.mark.parametrize("faster", [1024.0, 0.3, 1e6])
def test_faster_waves_take_less_time_along_the_same_rays(faster):
    for case in ("accurate", "cells"):
        assert_same(solve(HOME, **CASES[case], faster=faster), at_home(case), CASES[case])


@pytest.mark.parametrize("name", ["mirror x", "transposed", "quarter turn", "plane zy", "0.3 times as large"])
def test_where_rays_are_equally_fast_times_and_lengths_are_the_same(name):
    """At constant velocity most points have many fastest rays, all of the same length."""
    extent = np.array([18.0, 14.0, 0.0])

    def at(view):
        placed = view.of((19, 15, 1), (1, 1, 1))
        proxy = ray_tracing(Input=placed.image(), VelocityArray=None, SourcePoints=placed.points([[5, 4, 0]]).ravel(),
                            ReceiverPoints=placed.points(RECEIVERS * extent).ravel(), DoublePrecision=1)
        return (placed.home(array(output(proxy), "TravelTime")) / view.scale,
                cell_array(output(proxy, 1), "Length") / view.scale)

    for there, home in zip(at(PLANAR_VIEWS[name]), at(HOME)):
        np.testing.assert_allclose(there, home, rtol=1e-12)
