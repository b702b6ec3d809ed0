"""Isochrone Curvature Paths: periodic axes, and paths that cross the border of the image."""
import numpy as np
import pytest

from pipelines import array, assert_error, cell_array, curvature_paths, image, lines, output, plane, points

N, M = 40, 30
FRAME = {"extent": (3, 2 + N, -4, M - 5, 0, 0), "spacing": (0.5, 0.5, 1), "origin": (10, -7, 3)}
FIRST = np.array([11.5, -9, 3])  # the first point of the image
PERIOD = np.array([N * 0.5, M * 0.5, 0])
COST = np.random.default_rng(5).uniform(1, 2, (M, N))
MODELS = ["Reeds-Shepp", "Reeds-Shepp Forward", "Elastica", "Dubins"]


def wrap(frame=FRAME, cost=None, **properties):
    cost = np.ones((M, N)) if cost is None else cost
    settings = {"CostArray": ["POINTS", "cost"], "PeriodicX": 1, "PeriodicY": 1, "TurningRadius": 1.0, "NumberOfHeadings": 24,
                **properties}
    return curvature_paths(Input=image(**frame, cost=cost.ravel()), **settings)


# ------------------------------------------------------------------------------------------------------- travel times
@pytest.mark.parametrize("seed", [(12, -9, 3), (11.5, 5.5, 3), (31.25, 25, 3)])
def test_times_at_constant_cost_are_distances_to_the_nearest_copy(seed):
    out = output(wrap(Model="Reeds-Shepp", SeedPoints=seed, TipPoints=[]))
    way = np.array([np.subtract(out.GetPoint(p), seed) for p in range(out.GetNumberOfPoints())])[:, :2]
    way -= PERIOD[:2] * np.round(way / PERIOD[:2])
    exact, times = np.linalg.norm(way, axis=1), array(out, "TravelTime")
    far = exact > 1
    assert np.abs(times[far] / exact[far] - 1).max() < 0.06 and np.median(times[far] / exact[far] - 1) < 0.03


@pytest.mark.parametrize("model", ["Reeds-Shepp", "Dubins"])
def test_a_tiling_of_five_by_five_copies_has_the_same_times(model):
    seed = FIRST + [15.5, 10.5, 0]
    settings = {"Model": model, "SeedHeadings": [60], "TipPoints": [], "Accuracy": "First Order", "NumberOfHeadings": 16}
    one = plane(output(wrap(cost=COST, SeedPoints=seed, **settings)), "TravelTime")
    frame = {**FRAME, "extent": (3, 2 + 5 * N, -4, 5 * M - 5, 0, 0)}
    copies = [seed + [i, j, 0] * PERIOD for j in range(5) for i in range(5)]
    settings["SeedHeadings"] = [60] * 25
    many = plane(output(wrap(frame, np.tile(COST, (5, 5)), SeedPoints=np.ravel(copies), PeriodicX=0, PeriodicY=0, **settings)),
                 "TravelTime")
    np.testing.assert_allclose(one, many[2 * M:3 * M, 2 * N:3 * N], rtol=0, atol=2e-5 * np.nanmax(one))


def test_a_plane_across_other_axes():
    frame = {"extent": (0, 0, 0, N - 1, 0, M - 1)}
    out = output(wrap(frame, Model="Reeds-Shepp", PeriodicX=0, PeriodicY=0, PeriodicZ=1, SeedPoints=[0, 20, 1], TipPoints=[]))
    assert plane(out, "TravelTime")[M - 1, 20] == pytest.approx(2, rel=0.05)


def test_walls_hold_across_the_border():
    wall = np.zeros((M, N))
    wall[:, 0] = 1
    data = image(**FRAME, cost=np.ones(M * N), wall=wall.ravel())
    proxy = curvature_paths(Input=data, Model="Reeds-Shepp", PeriodicX=1, WallArray=["POINTS", "wall"], SeedPoints=FIRST + [1, 7, 0],
                            TipPoints=FIRST + [19, 7, 0])
    assert array(output(proxy), "TravelTime").reshape(M, N)[14, N - 1] > 18


# -------------------------------------------------------------------------------------------------------------- paths
@pytest.mark.parametrize("model", MODELS)
def test_paths_are_cut_at_the_borders_and_stay_in_the_image(model):
    seed, tip = FIRST + [17.5, 12.2, 0], FIRST + [2, 1.5, 0]
    out = output(wrap(Model=model, SeedPoints=seed, Tips=points([tip, FIRST + [14, 11, 0]], Name=np.array([5, 6]))), 1)
    assert list(cell_array(out, "TipId")) == [0, 0, 0, 1] and list(cell_array(out, "Name")) == [5, 5, 5, 6]
    pieces = lines(out)
    low, high = FIRST - [0.25, 0.25, 0], FIRST + PERIOD - [0.25, 0.25, 0]
    for piece in pieces:
        assert (piece[:, :2] >= low[:2] - 1e-6).all() and (piece[:, :2] <= high[:2] + 1e-6).all()
    assert pieces[0][0] == pytest.approx(tip, abs=1e-6) and pieces[2][-1] == pytest.approx(seed, abs=1e-6)
    length = sum(np.linalg.norm(np.diff(piece, axis=0), axis=1).sum() for piece in pieces[:3])
    straight = np.linalg.norm(tip + PERIOD - seed)
    assert straight - 1e-6 <= length <= 1.05 * straight
    assert cell_array(out, "Length")[:3] == pytest.approx(length, rel=1e-6)


def test_unwrapped_paths_go_on_beyond_the_image_from_their_tips():
    seed = FIRST + [17.5, 12.2, 0]
    for shift in (0, 1, -2):
        tip = FIRST + [2, 1.5, 0] + shift * PERIOD * [1, 0, 0]
        line, = lines(output(wrap(Model="Dubins", SeedPoints=seed, TipPoints=tip, UnwrapPaths=1), 1))
        assert line[0] == pytest.approx(tip, abs=1e-6) and np.linalg.norm(np.diff(line, axis=0), axis=1).max() < 1
        assert line[-1] == pytest.approx(seed + (shift - 1) * PERIOD * [1, 0, 0] - PERIOD * [0, 1, 0], abs=1e-6)


# ---------------------------------------------------------------------------------------------------------- bad input
@pytest.mark.parametrize("properties, words", [
    ({"Route": "Round Trip"}, "round trips cannot be computed with periodic axes"),
    ({"ComputeSensitivity": 1, "TipPoints": FIRST}, "derivatives cannot be computed with periodic axes"),
    ({"PeriodicY": 0, "SeedPoints": FIRST + [0, 40, 0]}, "no seed can be used")])
def test_what_is_not_possible_is_refused_with_the_remedy(messages, properties, words):
    assert_error(messages, wrap(**{"SeedPoints": FIRST, **properties}), words)


def test_a_drift_is_refused(messages):
    data = image(**FRAME, v=np.tile([0.1, 0.0, 0.0], (N * M, 1)))
    proxy = curvature_paths(Input=data, Model="Dubins", DriftArray=["POINTS", "v"], PeriodicX=1, SeedPoints=FIRST)
    assert_error(messages, proxy, "paths in a drift cannot be computed with periodic axes: make no axis periodic")
