"""Isochrone Ray Tracing: periodic axes, and rays that cross the border of the image."""
import numpy as np
import pytest

from pipelines import (add_arrays, array, assert_error, at, cell_array, column, image, image_data, lines, output, plane, points,
                       ray_tracing, source)

N, M = 40, 30
FRAME = {"extent": (3, 2 + N, -4, M - 5, 0, 0), "spacing": (0.5, 0.5, 1), "origin": (10, -7, 3)}
FIRST = np.array([11.5, -9, 3])  # the first point of the image
PERIOD = np.array([N * 0.5, M * 0.5, 0])
VELOCITY = np.random.default_rng(5).uniform(1, 3, (M, N))
TURNED = [0, -1, 0, 1, 0, 0, 0, 0, 1]  # direction matrix, by rows: the first axis points along world y


def wrap(frame=FRAME, v=None, **properties):
    v = np.full((M, N), 2.0) if v is None else v
    settings = {"PeriodicX": 1, "PeriodicY": 1, "Radius": [6, 6, 6], "DoublePrecision": 1, **properties}
    return ray_tracing(Input=image(**frame, v=v.ravel()), **settings)


def distances(out, seed):
    way = np.array([np.subtract(out.GetPoint(p), seed) for p in range(out.GetNumberOfPoints())])[:, :2]
    way -= PERIOD[:2] * np.round(way / PERIOD[:2])
    return np.linalg.norm(way, axis=1)


# ------------------------------------------------------------------------------------------------------- travel times
@pytest.mark.parametrize("seed, step", [((12, -9, 3), 0), ((11.5, 5.5, 3), 0), ((31.25, 25, 3), 0.25)])
def test_times_at_constant_velocity_are_distances_to_the_nearest_copy(seed, step):
    """A source between points adds up to the time of a step."""
    proxy = wrap(SourcePoints=seed)
    times, exact = array(output(proxy), "TravelTime"), distances(output(proxy), seed) / 2
    bound = proxy.AngularErrorBound / 100  # of a path over points
    assert (times >= exact * (1 - 1e-6)).all() and (times <= exact * (1 + bound) + 1e-6 + step).all()


def test_a_tiling_of_three_by_three_copies_has_the_same_bits():
    seed = FIRST + [31 * 0.5, 21 * 0.5, 0]
    one = wrap(v=VELOCITY, SourcePoints=seed)
    frame = {**FRAME, "extent": (3, 2 + 3 * N, -4, 3 * M - 5, 0, 0)}
    copies = [seed + [i, j, 0] * PERIOD for j in range(3) for i in range(3)]
    nine = wrap(frame, np.tile(VELOCITY, (3, 3)), SourcePoints=np.ravel(copies), PeriodicX=0, PeriodicY=0)
    assert (plane(output(one), "TravelTime") == plane(output(nine), "TravelTime")[M:2 * M, N:2 * N]).all()


def test_an_axis_is_that_of_the_image_whatever_its_direction():
    out = output(wrap({"extent": (0, N - 1, 0, M - 1, 0, 0), "direction": TURNED}, SourcePoints=(0, 1, 0), PeriodicY=0))
    assert at(out, "TravelTime", (0, N - 1, 0)) == pytest.approx(1)  # its x axis is y in the world: 2 steps
    assert at(out, "TravelTime", (1 - M, 1, 0)) == pytest.approx((M - 1) / 2)


def test_cells_wrap_so_that_the_last_point_is_the_first_one():
    data = image_data(extent=(0, 8, 0, 3, 0, 0))
    add_arrays(data.GetCellData(), {"v": np.tile([1.0, 1, 1, 1, 1, 1, 1, 4], 3)})  # fast beside the border
    proxy = ray_tracing(Input=source(data), VelocityArray=["CELLS", "v"], WeightRule="Cells", PeriodicX=1,
                        SourcePoints=[1, 1, 0], ReceiverPoints=[7, 1, 0], ComputeRayMatrix=1)
    times = plane(output(proxy), "TravelTime")
    assert times[1] == pytest.approx([1, 0, 1, 2, 3, 3.25, 2.25, 1.25, 1]) and (times[:, 0] == times[:, 8]).all()
    assert [list(line[:, 0]) for line in lines(output(proxy, 1))] == [[7, 8], [0, 1]]
    matrix = output(proxy, 2)
    assert sorted(column(matrix, "ElementId") % 8) == [0, 7] and list(column(matrix, "Weight")) == [1, 1]


def test_predecessors_are_points_of_the_image():
    proxy = wrap(SourcePoints=FIRST, ComputePredecessor=1, Radius=[1, 1, 1])
    predecessor = plane(output(proxy), "Predecessor")
    assert predecessor[0, N - 1] == 0 and predecessor[M - 1, 0] == 0 and predecessor[M - 1, N - 1] == 0
    assert predecessor.max() < N * M and (predecessor < 0).sum() == 1


# --------------------------------------------------------------------------------------------------------------- rays
def test_rays_are_cut_at_the_borders_and_stay_in_the_image():
    seed, tips = FIRST + [18, 13, 0], [FIRST + [1.5, 1, 0], FIRST + [10, 12.5, 0]]
    out = output(wrap(SourcePoints=seed, Receivers=points(tips, Name=np.array([5, 6])), MergeCollinear=1), 1)
    pieces = lines(out)
    assert list(cell_array(out, "ReceiverId")) == [0, 0, 0, 1] and list(cell_array(out, "Name")) == [5, 5, 5, 6]
    low, high = FIRST - [0.25, 0.25, 0], FIRST + PERIOD - [0.25, 0.25, 0]
    for piece in pieces:
        assert (piece[:, :2] >= low[:2] - 1e-9).all() and (piece[:, :2] <= high[:2] + 1e-9).all()
    way = np.abs(seed - tips[0] - PERIOD)
    length = sum(np.linalg.norm(np.diff(piece, axis=0), axis=1).sum() for piece in pieces[:3])
    assert np.linalg.norm(way) - 1e-9 <= length <= np.linalg.norm(way) * 1.02
    assert cell_array(out, "Length")[:3] == pytest.approx(length)


def test_unwrapped_rays_go_on_beyond_the_image_from_their_receivers():
    seed = FIRST + [18, 13, 0]
    for shift in (0, 1, -2):
        tip = FIRST + [1.5, 1, 0] + shift * PERIOD * [1, 0, 0]
        line, = lines(output(wrap(SourcePoints=seed, ReceiverPoints=tip, UnwrapPaths=1), 1))
        ends = sorted([tuple(line[0]), tuple(line[-1])], key=lambda end: np.linalg.norm(np.subtract(end, tip)))
        assert ends[0] == pytest.approx(tip)
        assert ends[1] == pytest.approx(seed + (shift - 1) * PERIOD * [1, 0, 0] - PERIOD * [0, 1, 0])
        assert np.linalg.norm(np.diff(line, axis=0), axis=1).max() < 4


def test_the_ray_matrix_refers_to_the_points_of_the_image():
    proxy = wrap(v=VELOCITY, SourcePoints=FIRST + [18.25, 13, 0], ReceiverPoints=FIRST + [1.7, 1, 0], ComputeRayMatrix=1)
    matrix = output(proxy, 2)
    element = column(matrix, "ElementId")
    assert element.min() >= 0 and element.max() < N * M and len(set(element)) == len(element)
    time = array(output(proxy, 1), "TravelTime").max()
    assert (column(matrix, "Weight") / VELOCITY.ravel()[element]).sum() == pytest.approx(time, rel=1e-9)


def test_reflections_wrap():
    layer = np.zeros((M, N))
    layer[:, 2] = 1
    data = image_data(**FRAME, v=np.full(N * M, 2.0), layer=layer.ravel())
    proxy = ray_tracing(Input=source(data), PeriodicX=1, DoublePrecision=1, SourcePoints=FIRST + [19, 0, 0],
                        ReceiverPoints=FIRST + [18.5, 0, 0], Interface="Mask", InterfaceArray=["POINTS", "layer"], UnwrapPaths=1)
    line, = lines(output(proxy, 1))
    assert line[:, 0].max() == pytest.approx(FIRST[0] + 21)  # behind the border
    assert array(output(proxy, 1), "TravelTime").max() == pytest.approx((2 + 2.5) / 2)


# ---------------------------------------------------------------------------------------------------------- bad input
@pytest.mark.parametrize("properties, words", [({"Method": "Plain Relaxation"}, "choose ordered tiles"),
                                               ({"PeriodicY": 0, "SourcePoints": FIRST + [0, 100, 0]}, "lies outside the image")])
def test_what_is_not_possible_is_refused_with_the_remedy(messages, properties, words):
    assert_error(messages, wrap(**{"SourcePoints": FIRST, **properties}), words)


def test_an_axis_of_one_point_is_not_periodic():
    data = image_data(**FRAME)
    add_arrays(data.GetCellData(), {"v": np.full((M - 1) * (N - 1), 2.0)})
    seed, tip = FIRST + [0.5, 1, 0], FIRST + [18.5, 1, 0]
    way = [lines(output(ray_tracing(Input=source(data), VelocityArray=["CELLS", "v"], WeightRule="Cells", SourcePoints=seed, ReceiverPoints=tip, PeriodicX=1,
                                    PeriodicZ=z), 1)) for z in (0, 1)]
    assert len(way[0]) == len(way[1]) == 2 and all((a == b).all() for a, b in zip(*way))
