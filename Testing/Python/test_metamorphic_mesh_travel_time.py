"""Isochrone Mesh Travel Time: a mesh whose points, cells and cell corners are reordered, or that is turned, mirrored, scaled
or moved with its fields and seeds, has the same times, directions and paths.

If several routes are equally fast up to rounding, as within the Exact Radius at constant speed, a path may take any of them:
its time is the same, its points are not.
"""
import functools
from dataclasses import dataclass

import numpy as np
import pytest

from metamorphic import IDENTITY, THIRD_TURN, TILT, along, assert_quiet
from pipelines import array, cell_array, cube, lines, mesh, mesh_travel_time, output, points

RNG = np.random.default_rng(4)
AT, CELLS = cube(5)
FIBRES, SHEETS = RNG.normal(size=(2, len(CELLS), 3))
SPEEDS, POINT_SPEEDS = RNG.uniform(0.5, 2, len(CELLS)), RNG.uniform(0.5, 2, len(AT))
ROOTS = RNG.normal(size=(len(CELLS), 3, 3))
TENSORS = 0.3 * ROOTS @ ROOTS.transpose(0, 2, 1) + 0.2 * np.eye(3)
ONSET = np.full(len(AT), np.nan)
ONSET[[3, 77, 130]] = 0.1, 0, 0.05
TIPS = np.array([[0.9, 0.1, 0.85], [0.05, 0.95, 0.5], [1, 1, 1]])
TIPS_ON_SURFACE = np.array([[0.9, 0.1, 1], [0, 0.95, 0.47], [1, 1, 1]])


@dataclass
class View:
    """Maps x to scale * turn @ x + origin, and shuffles points, cells or corners."""
    turn: np.ndarray = None
    scale: float = 1.0
    origin: tuple = (0, 0, 0)
    points: bool = False
    cells: bool = False
    corners: bool = False


VIEWS = {
    "points in another order": View(points=True),
    "cells in another order": View(cells=True),
    "corners in another order": View(corners=True),
    "all in another order": View(points=True, cells=True, corners=True),
    "third turn": View(THIRD_TURN),
    "quarter turn": View(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])),
    "tilted": View(TILT),
    "mirrored": View(np.diag([-1.0, 1, 1])),
    "tilted and mirrored": View(TILT[:, ::-1]),
    "1024 times as large": View(scale=1024.0),
    "tiny": View(scale=2.0**-20),
    "0.3 times as large": View(scale=0.3),
    "1000 times as large": View(scale=1000.0),
    "moved": View(origin=(3, -2, 7.5)),
    "far away": View(origin=(1e6, -2e6, 3e5)),
    "all at once": View(TILT, 3.0, (1, 2, 3), True, True, True),
}
CASES = {
    "constant": dict(),
    "scalar": dict(kind="scalar", seeds="two"),
    "speed at points": dict(kind="points", seeds="edge"),
    "fibres": dict(kind="fibres"),
    "fibres and sheets": dict(kind="sheets", seeds="vertex", radius=0.3),
    "conductivities": dict(kind="conductivities", seeds="two"),
    "tensors": dict(kind="tensors", radius=0.3, seeds="two"),
    "onset times": dict(kind="scalar", seeds="onset"),
    "exact radius": dict(radius=0.3),
    "plain FIM": dict(kind="tensors", Method="Plain FIM"),
    "decomposed": dict(kind="scalar", Method="Decomposed Many Blocks"),
    "surface": dict(kind="scalar", seeds="on surface", surface=True),
}
FEW = ["all in another order", "tilted and mirrored", "0.3 times as large", "all at once"]


def fields(kind, turn):
    """Returns cell arrays, point arrays and properties."""
    if kind == "scalar":
        return {"v": SPEEDS}, {}, dict(SpeedType="Scalar", SpeedArray=["CELLS", "v"])
    if kind == "points":
        return {}, {"v": POINT_SPEEDS}, dict(SpeedType="Scalar", SpeedArray=["POINTS", "v"])
    if kind in ("fibres", "sheets", "conductivities"):
        arrays = {"f": FIBRES @ turn.T, "s": SHEETS @ turn.T}
        properties = dict(SpeedType="Fibres", FibreArray=["CELLS", "f"], ConductionVelocities=[1.2, 0.6, 0.3])
        if kind != "fibres":
            properties["SheetArray"] = ["CELLS", "s"]
        if kind == "conductivities":
            properties.update(SpeedType="Conductivities", Conductivities=[1.4, 0.4, 0.1])
        return arrays, {}, properties
    if kind == "tensors":
        arrays = {"m": np.einsum("ai,cij,bj->cab", turn, TENSORS, turn).reshape(-1, 9)}
        return arrays, {}, dict(SpeedType="Tensor", TensorArray=["CELLS", "m"])
    return {}, {}, {}


SEEDS = {"inside": [[0.31, 0.42, 0.23]], "vertex": [AT[43]], "two": [[0.31, 0.42, 0.23], [0.8, 0.75, 0.9]],
         "edge": [AT[CELLS[50][:2]].mean(axis=0)], "on surface": [[0.31, 0.42, 0]], "onset": None}


@functools.lru_cache(maxsize=None)
def boundary():
    """Returns the triangles of the surface, each with its cell."""
    faces = np.sort(CELLS[:, [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]].reshape(-1, 3), axis=1)
    _, first, count = np.unique(faces, axis=0, return_index=True, return_counts=True)
    return faces[first[count == 1]], first[count == 1] // 4


def solve(view, kind="constant", seeds="inside", radius=0, surface=False, faster=1.0, order=None, **properties):
    """Returns results in the order of home and in its place."""
    rng, turn = np.random.default_rng(9), IDENTITY if view.turn is None else view.turn
    to_world = lambda x: view.scale * np.asarray(x) @ turn.T + view.origin
    corners, owner = boundary() if surface else (CELLS, np.arange(len(CELLS)))
    new_points = rng.permutation(len(AT)) if view.points else np.arange(len(AT))
    new_cells = rng.permutation(len(corners)) if view.cells else np.arange(len(corners))
    old_points, old_cells = np.argsort(new_points), np.argsort(new_cells)
    cells = old_points[corners[new_cells]]
    if view.corners:
        cells = rng.permuted(cells, axis=1)
    cell_arrays, point_arrays, settings = fields(kind, turn)
    cell_arrays = {name: a[owner][new_cells] for name, a in cell_arrays.items()}
    point_arrays = {name: a[new_points] for name, a in point_arrays.items()}
    if kind == "scalar":
        cell_arrays["v"] = faster * cell_arrays["v"]
    elif kind == "constant":
        settings["ConstantSpeed"] = faster
    if seeds == "onset":
        point_arrays["onset"] = ONSET[new_points] * view.scale
        settings.update(SeedType="Onset Times", OnsetTimeArray=["POINTS", "onset"])
    else:
        at = np.array(SEEDS[seeds])
        order = np.arange(len(at)) if order is None else order
        labels, starts = np.array([5, 3])[:len(at)], np.array([0, 0.1])[:len(at)]
        settings["Seeds"] = points(to_world(at[order]), Label=labels[order], StartValue=starts[order] * view.scale / faster)
    proxy = mesh_travel_time(Input=mesh(to_world(AT[new_points]), cells, point_arrays, cell_arrays),
                             TipPoints=to_world(TIPS_ON_SURFACE if surface else TIPS).ravel(),
                             ExactRadius=radius * view.scale, ComputeConductionSpeed=1, **settings, **properties)
    out, paths = output(proxy), output(proxy, 1)
    unit = view.scale / faster
    return {
        "times": array(out, "TravelTime")[old_points] / unit,
        "seeds": array(out, "SeedId")[old_points],
        "reached": array(out, "Reached")[old_points],
        "directions": (cell_array(out, "ConductionDirection") @ turn)[old_cells],
        "speeds": cell_array(out, "ConductionSpeed")[old_cells] / faster,
        "paths": [along((line - view.origin) @ turn / view.scale) for line in lines(paths)],
        "ends": [((line - view.origin) @ turn / view.scale)[[0, -1]] for line in lines(paths)],
        "ids": [list(cell_array(paths, name)) for name in ("TipId", "SeedId", "Status")],
        "lengths": cell_array(paths, "Length") / view.scale,
        "path times": cell_array(paths, "TravelTime") / unit,
    }


@functools.lru_cache(maxsize=None)
def at_home(case):
    return solve(View(), **CASES[case])


def assert_same(there, home, case):
    extent = home["times"][home["reached"] == 1].max()
    np.testing.assert_allclose(there["times"], home["times"], rtol=2e-6, atol=1e-6 * extent)
    assert (there["seeds"] == home["seeds"]).all() and (there["reached"] == home["reached"]).all()
    np.testing.assert_allclose(there["directions"], home["directions"], atol=1e-3)
    np.testing.assert_allclose(there["speeds"], home["speeds"], rtol=1e-3)
    assert there["ids"] == home["ids"] and len(home["paths"]) > 0
    np.testing.assert_allclose(there["path times"], home["path times"], rtol=1e-5)
    np.testing.assert_allclose(there["ends"], home["ends"], atol=1e-3)
    # At constant speed with an exact radius several routes are equally fast; a fifth is the length of an edge.
    several = case.get("radius", 0) > 0 and "kind" not in case
    np.testing.assert_allclose(there["lengths"], home["lengths"], rtol=0.03 if several else 1e-3)
    np.testing.assert_allclose(there["paths"], home["paths"], atol=0.1 if several else 2e-3)


@pytest.mark.parametrize("name", VIEWS)
def test_a_mesh_has_the_same_times_and_paths_in_any_order_and_place(name):
    for case in ("constant", "fibres and sheets", "tensors"):
        assert_same(solve(VIEWS[name], **CASES[case]), at_home(case), CASES[case])


@pytest.mark.parametrize("case", sorted(set(CASES) - {"constant", "fibres and sheets", "tensors"}))
def test_every_speed_seed_and_method_has_the_same_times_and_paths(case, messages):
    for name in FEW:
        assert_same(solve(VIEWS[name], **CASES[case]), at_home(case), CASES[case])
    assert_quiet(messages(), "belong to no cell")  # the inner points of the cube have no triangle


def test_the_order_of_the_seeds_has_no_effect():
    for case in ("scalar", "tensors"):
        assert_same(solve(View(), **CASES[case], order=[1, 0]), at_home(case), CASES[case])


@pytest.mark.parametrize("faster", [1024.0, 0.3, 1e6])
def test_faster_waves_take_less_time_along_the_same_paths(faster):
    for case in ("constant", "scalar"):
        assert_same(solve(View(), **CASES[case], faster=faster), at_home(case), CASES[case])
