"""Isochrone Image Travel Time: periodic axes, and paths that cross the border of the image."""
import numpy as np
import pytest

from pipelines import array, assert_error, at, cell_array, image, lines, names, output, points, travel_time

N, M = 80, 60
PLANE = {"extent": (3, 2 + N, -4, M - 5, 0, 0), "spacing": (0.5, 2, 1), "origin": (10, -7, 3)}
FIRST = np.array([11.5, -15, 3])  # the first point of the image
PERIOD = np.array([N * 0.5, M * 2, 1])
TURNED = [0, -1, 0, 1, 0, 0, 0, 0, 1]  # direction matrix, by rows: the first axis points along world y


def wrap(**properties):
    frame = properties.pop("frame", PLANE)
    arrays = {name: properties.pop(name) for name in ("speed", "wall") if name in properties}
    settings = {"PeriodicX": 1, "PeriodicY": 1, "SourceFactoring": "Additive", "TipPoints": [20, 20, 3], **properties}
    return travel_time(Input=image(**frame, **arrays), **settings)


def distances(out, seed, period=PERIOD, axes=(0, 1)):
    way = np.array([np.subtract(out.GetPoint(p), seed) for p in range(out.GetNumberOfPoints())])
    for a in axes:
        way[:, a] -= period[a] * np.round(way[:, a] / period[a])
    return np.linalg.norm(way, axis=1)


def assert_near(times, exact):
    error = np.abs(times - exact)[exact > 0] / exact[exact > 0]  # of all points but the seed
    # The balls of source factoring around a seed and its copies end short of half a period.
    assert np.median(error) < 0.012 and error.max() < 0.06


# ------------------------------------------------------------------------------------------------------- travel times
@pytest.mark.parametrize("seed", [(31, 47, 3), (11.5, -15, 3), (51.2, 104.6, 3), (-9, 300, 3)])
def test_times_at_constant_speed_are_distances_to_the_nearest_copy(seed):
    proxy = wrap(SeedPoints=seed)
    assert_near(array(output(proxy), "TravelTime"), distances(output(proxy), seed))
    assert output(proxy).GetFieldData().GetAbstractArray("SeedStatus").GetValue(0) == "Inside"


def test_one_axis_is_periodic_whatever_the_direction_of_the_image():
    frame = {"extent": (0, 79, 0, 59, 0, 0), "direction": TURNED}
    proxy = wrap(frame=frame, SeedPoints=(-20, 2, 0), TipPoints=(-10, 50, 0), PeriodicY=0)  # its x axis is y in the world
    assert_near(array(output(proxy), "TravelTime"), distances(output(proxy), (-20, 2, 0), (0, 80, 0), (1,)))


def test_a_volume_and_its_other_planes():
    frame = {"extent": (0, 39, 0, 41, 0, 43)}
    proxy = wrap(frame=frame, SeedPoints=(1, 40, 22), TipPoints=(38, 2, 22), PeriodicY=0, PeriodicZ=1)
    assert_near(array(output(proxy), "TravelTime"), distances(output(proxy), (1, 40, 22), (40, 0, 44), (0, 2)))
    plane = {"extent": (0, 79, 0, 0, 0, 59)}
    proxy = wrap(frame=plane, SeedPoints=(1, 0, 58), TipPoints=(70, 0, 5), PeriodicZ=1)
    assert_near(array(output(proxy), "TravelTime"), distances(output(proxy), (1, 0, 58), (80, 0, 60), (0, 2)))


def test_a_tiling_of_three_by_three_copies_has_the_same_times():
    speed = np.random.default_rng(5).uniform(1, 3, (M, N))
    wall = np.random.default_rng(6).uniform(0, 1, (M, N)) < 0.08
    wall[20:23, 30:33] = False
    seed = FIRST + [31 * 0.5, 21 * 2, 0]
    one = wrap(speed=speed.ravel(), wall=wall.ravel().astype(np.uint8), SpeedArray=["POINTS", "speed"],
               BarrierArray=["POINTS", "wall"], SeedPoints=seed)
    frame = {**PLANE, "extent": (3, 2 + 3 * N, -4, 3 * M - 5, 0, 0)}
    copies = [seed + [i * PERIOD[0], j * PERIOD[1], 0] for j in range(3) for i in range(3)]
    nine = travel_time(Input=image(**frame, speed=np.tile(speed, (3, 3)).ravel(),
                                   wall=np.tile(wall, (3, 3)).ravel().astype(np.uint8)),
                       SpeedArray=["POINTS", "speed"], BarrierArray=["POINTS", "wall"], SourceFactoring="Additive",
                       SeedPoints=np.ravel(copies))
    middle = array(output(nine), "TravelTime").reshape(3 * M, 3 * N)[M:2 * M, N:2 * N]
    times = array(output(one), "TravelTime").reshape(M, N)
    assert (np.isnan(times) == np.isnan(middle)).all()
    np.testing.assert_allclose(times, middle, rtol=0, atol=2e-6 * np.nanmax(middle))


def tensor_in_plane(xx, yy, xy):
    return np.tile([xx, yy, 1, xy, 0, 0], (N * M, 1)).astype(float)


def test_tensors_wrap():
    metric = tensor_in_plane(4, 1, 0.5)
    for seed in (FIRST, FIRST + [37, 110, 0]):
        proxy = wrap(speed=metric, SpeedArray=["POINTS", "speed"], SpeedType="Metric Tensor", SeedPoints=seed, TipPoints=FIRST + [20, 60, 0])
        way = np.array([np.subtract(output(proxy).GetPoint(p), seed) for p in range(N * M)])
        copies = [way - PERIOD * [i, j, 0] for i in range(-2, 3) for j in range(-2, 3)]
        exact = np.min([np.sqrt(4 * w[:, 0] ** 2 + w[:, 1] ** 2 + w[:, 0] * w[:, 1]) for w in copies], axis=0)
        assert_near(array(output(proxy), "TravelTime"), exact)


def test_in_a_drift_the_way_round_with_the_current_is_faster():
    proxy = wrap(speed=np.tile([0.5, 0.0], (N * M, 1)), SpeedArray=None, DriftArray=["POINTS", "speed"], SeedPoints=FIRST + [2, 60, 0],
                 TipPoints=FIRST + [30, 60, 0], UnwrapPaths=1)
    out = output(proxy)
    for x, time in ((30, 28 / 1.5), (37, min(35 / 1.5, 5 / 0.5)), (1, 1 / 0.5)):  # with the current, or across the border against it
        assert at(out, "TravelTime", FIRST + [x, 60, 0]) == pytest.approx(time, rel=0.02)
    line, = lines(output(proxy, 1))
    assert line[:, 0].max() <= FIRST[0] + 30 + 1e-9 and line[:, 0].min() >= FIRST[0] + 2 - 1e-9


def test_tilted_media_wrap():
    proxy = wrap(speed=np.full(N * M, 2.0), SpeedArray=["POINTS", "speed"], SpeedType="TTI", Epsilon=0.2, Delta=0.1,
                 SeedPoints=FIRST + [38, 60, 0], TipPoints=FIRST)
    times = array(output(proxy), "TravelTime").reshape(M, N)
    assert times[30, 0] == pytest.approx(2 / (2 * np.sqrt(1.4)), rel=0.02)  # two units across the border, along the isotropy plane


def test_seed_regions_and_targets_wrap():
    region = np.zeros((M, N), np.uint8)
    region[:, 2] = 1
    proxy = wrap(speed=region.ravel(), SeedType="Region", SeedRegionArray=["POINTS", "speed"], SpeedArray=None)
    assert at(output(proxy), "TravelTime", FIRST + [79 * 0.5, 10, 0]) == pytest.approx(1.5, rel=1e-5)
    both = wrap(SeedPoints=FIRST + [1, 10, 0], Targets=points([FIRST + [38, 10, 0]]))
    assert np.nanmin(array(output(both), "TwoWayTime")) == pytest.approx(3, rel=0.02)
    joined = lines(output(both, 1))
    assert sum(np.linalg.norm(np.diff(line, axis=0), axis=1).sum() for line in joined[-2:]) == pytest.approx(3, rel=0.02)


# -------------------------------------------------------------------------------------------------------------- paths
def test_paths_are_cut_at_the_borders_and_stay_in_the_image():
    seed, tips = FIRST + [37, 110, 0], [FIRST + [3, 8, 0], FIRST + [20, 60, 0]]
    proxy = wrap(SeedPoints=seed, Tips=points(tips, Name=np.array([5, 6])))
    out = output(proxy, 1)
    assert list(cell_array(out, "TipId")) == [0, 0, 0, 1] and list(cell_array(out, "Name")) == [5, 5, 5, 6]
    low, high = FIRST - [0.25, 1, 0], FIRST + PERIOD - [0.25, 1, 0]
    pieces = lines(out)
    for piece in pieces:
        assert (piece[:, :2] >= low[:2] - 1e-9).all() and (piece[:, :2] <= high[:2] + 1e-9).all()
    assert pieces[0][0] == pytest.approx(tips[0]) and pieces[2][-1] == pytest.approx(seed)
    # Each piece goes on where the one before left the image.
    for before, after in zip(pieces[:2], pieces[1:3]):
        apart = np.abs(after[0] - before[-1])
        assert min(np.abs(apart - [PERIOD[0], 0, 0]).max(), np.abs(apart - [0, PERIOD[1], 0]).max()) < 1e-6
    lengths = [np.linalg.norm(np.diff(piece, axis=0), axis=1).sum() for piece in pieces]
    assert sum(lengths[:3]) == pytest.approx(np.hypot(6, 18), rel=1e-3)
    assert cell_array(out, "Length")[:3] == pytest.approx(np.hypot(6, 18), rel=1e-3)
    times = array(out, "TravelTime")
    assert (np.diff(times[:sum(len(piece) for piece in pieces[:3])]) <= 1e-9).all()


def test_unwrapped_paths_go_on_beyond_the_image_from_their_tips():
    seed = FIRST + [37, 110, 0]
    for shift in (0, 1, -2):
        tip = FIRST + [3, 8, 0] + shift * PERIOD * [1, 0, 0]
        line, = lines(output(wrap(SeedPoints=seed, TipPoints=tip, UnwrapPaths=1), 1))
        assert line[0] == pytest.approx(tip) and np.linalg.norm(np.diff(line, axis=0), axis=1).max() < 1
        assert line[-1] == pytest.approx(seed + (shift - 1) * PERIOD * [1, 0, 0] - PERIOD * [0, 1, 0])


# ---------------------------------------------------------------------------------------------------------- bad input
@pytest.mark.parametrize("properties, words", [({"Order": 2}, "the second order is not possible with periodic axes"),
                                               ({"SourceFactoring": "Multiplicative"}, "choose order 1, and Additive or Off")])
def test_what_is_not_possible_is_refused_with_the_remedy(messages, properties, words):
    assert_error(messages, wrap(SeedPoints=FIRST, **properties), words)


def test_paths_in_the_medium_are_refused(messages):
    proxy = wrap(speed=np.tile([0.1, 0.0], (N * M, 1)), DriftArray=["POINTS", "speed"], SeedPoints=FIRST, AddMediumPaths=1)
    assert_error(messages, proxy, "paths in the medium are not possible with periodic axes")


def test_seeds_on_a_level_set_are_refused(messages):
    level = np.tile(np.arange(N) - 20.5, M)
    proxy = wrap(speed=level, SpeedArray=None, SeedType="Level Set", SeedRegionArray=["POINTS", "speed"])
    assert_error(messages, proxy, "seeds on a level set are not possible with periodic axes")


def test_without_periodic_axes_nothing_wraps():
    out = output(wrap(SeedPoints=FIRST + [1, 10, 0], PeriodicX=0, PeriodicY=0))
    assert at(out, "TravelTime", FIRST + [39.5, 10, 0]) == pytest.approx(38.5, rel=1e-4)
    assert "TravelTime" in names(out.GetPointData())
