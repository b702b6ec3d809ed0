"""Isochrone Ray Tracing: contents of its outputs."""
import numpy as np
import pytest

from pipelines import (add_arrays, array, at, cell_array, column, image, image_data, lines, names, output, points,
                       ray_tracing, source, volume)
from ray_reference import dijkstra

PLANE, BOX = (1, 17, 21), (7, 8, 9)  # [k, j, i]
SPACING = (0.5, 1, 2)
RNG = np.random.default_rng(4)
VELOCITY = {shape: RNG.uniform(0.5, 3, shape) for shape in (PLANE, BOX)}
for velocity in VELOCITY.values():
    velocity[RNG.random(velocity.shape) < 0.05] = 0
    velocity[0, 4, 3] = velocity[0, 2, 6] = 1


def slowness(v):
    with np.errstate(divide="ignore"):
        return 1 / v


def model(shape=PLANE, spacing=(1, 1, 1), **arrays):
    k, j, i = shape
    return image(extent=(0, i - 1, 0, j - 1, 0, k - 1), spacing=spacing, v=VELOCITY[shape].ravel(), **arrays)


def cell_model(shape, spacing=(1, 1, 1)):
    """Returns the same with a velocity in each cell, and the velocities."""
    k, j, i = shape
    data = image_data(extent=(0, i - 1, 0, j - 1, 0, k - 1), spacing=spacing)
    cells = VELOCITY[shape][tuple(slice(max(n - 1, 1)) for n in shape)]
    add_arrays(data.GetCellData(), {"v": cells.ravel()})
    return source(data), cells


def assert_times(found, expected, tolerance):
    assert (np.isnan(found) == np.isinf(expected)).all()
    reached = np.isfinite(expected)
    np.testing.assert_allclose(found[reached], expected[reached], rtol=tolerance)


# ------------------------------------------------------------------------------------------------- fields
def test_travel_time_is_the_active_scalar_beside_the_arrays_of_the_input():
    data = image_data(v=VELOCITY[PLANE].ravel())
    add_arrays(data.GetCellData(), {"cells": np.arange(16 * 20)})
    add_arrays(data.GetFieldData(), {"about": np.arange(3)})
    out = output(ray_tracing(Input=source(data), SourcePoints=[3, 4, 0]))
    assert names(out.GetPointData()) == ["v", "TravelTime", "Reached"]
    assert out.GetPointData().GetScalars().GetName() == "TravelTime"
    assert names(out.GetCellData()) == ["cells"] and "about" in names(out.GetFieldData())
    assert names(data.GetPointData()) == ["v"] and data.GetPointData().GetScalars() is None


@pytest.mark.parametrize("rule", ["Accurate", "Fast"])
@pytest.mark.parametrize("template", ["Coprime", "Full"])
@pytest.mark.parametrize("shape, radius", [(PLANE, (3, 3, 3)), (PLANE, (5, 2, 1)), (BOX, (2, 2, 2)), (BOX, (1, 2, 3))])
def test_times_agree_with_dijkstra(rule, template, shape, radius, messages):
    out = output(ray_tracing(Input=model(shape, SPACING), WeightRule=rule, Template=template, Radius=radius,
                             SourcePoints=[3 * SPACING[0], 4 * SPACING[1], 0], DoublePrecision=1))
    expected = dijkstra(slowness(VELOCITY[shape]), {(3, 4, 0): 0}, radius, SPACING, rule, template == "Full")
    assert array(out, "TravelTime").dtype == np.float64
    assert_times(volume(out, "TravelTime"), expected, 1e-12)
    assert (volume(out, "Reached") == np.isfinite(expected)).all() and 0 < (array(out, "Reached") == 0).sum() < 60
    assert "ERROR" not in messages()  # a warning may say that the edges have few directions


@pytest.mark.parametrize("shape, radius", [(PLANE, (3, 3, 3)), (BOX, (2, 2, 2))])
def test_times_with_velocities_in_cells_agree_with_dijkstra(shape, radius, messages):
    input_, cells = cell_model(shape, SPACING)
    out = output(ray_tracing(Input=input_, VelocityArray=["CELLS", "v"], WeightRule="Cells", Radius=radius,
                             SourcePoints=[3 * SPACING[0], 4 * SPACING[1], 0], DoublePrecision=1))
    assert_times(volume(out, "TravelTime"),
                 dijkstra(slowness(cells), {(3, 4, 0): 0}, radius, SPACING, "Cells", shape=shape), 1e-12)
    assert "ERROR" not in messages()


def test_single_precision_differs_by_rounding_alone():
    out = output(ray_tracing(Input=model(), SourcePoints=[3, 4, 0]))
    assert array(out, "TravelTime").dtype == np.float32
    assert_times(volume(out, "TravelTime"), dijkstra(slowness(VELOCITY[PLANE]), {(3, 4, 0): 0}), 1e-6)


def test_both_methods_give_the_same_bits():
    tiles, plain = (output(ray_tracing(Input=model(), SourcePoints=[3, 4, 0], Method=m))
                    for m in ("Ordered Tiles", "Plain Relaxation"))
    assert array(tiles, "TravelTime").tobytes() == array(plain, "TravelTime").tobytes()


def test_slowness_is_the_reciprocal_of_velocity():
    v = VELOCITY[PLANE].ravel()
    with np.errstate(divide="ignore"):
        input_ = image(v=v, s=1 / v)
    velocity, slow = (output(ray_tracing(Input=input_, VelocityArray=["POINTS", name], VelocityType=kind, DoublePrecision=1))
                      for name, kind in (("v", "Velocity"), ("s", "Slowness")))
    assert (array(velocity, "Reached") == array(slow, "Reached")).all()
    assert np.array_equal(array(velocity, "TravelTime"), array(slow, "TravelTime"), equal_nan=True)


@pytest.mark.parametrize("radius", [2, 6])
def test_times_in_a_linear_gradient_exceed_exact_ones_by_the_angular_error(radius):
    """t = acosh(1 + g^2 d^2 / (2 v_s v_r)) / g, in km/s and km."""
    n, g, h = 81, 1, 1 / 80
    z, x = np.mgrid[:n, :n] * h
    v = 1 + g * z
    proxy = ray_tracing(Input=image(extent=(0, n - 1, 0, n - 1, 0, 0), spacing=(h, h, 1), v=v.ravel()),
                        Radius=[radius] * 3, SourcePoints=[0, 0, 0], DoublePrecision=1)
    exact = np.arccosh(1 + g ** 2 * (x ** 2 + z ** 2) / (2 * v)) / g
    error = volume(output(proxy), "TravelTime")[0] / np.where(exact > 0, exact, 1) - 1
    far = exact > 0.1 * exact.max()
    bound = proxy.AngularErrorBound / 100
    assert bound == pytest.approx({2: 0.0275, 6: 0.00342}[radius], rel=0.01)
    # Edges cannot follow the bend of a ray, which adds up to 1e-3 for edges of 6 points in 80.
    assert error[far].min() > -1e-4 and error[far].max() < bound + 1e-3 and error[far].mean() > 0.1 * bound


@pytest.mark.parametrize("kind, value", [("Velocity", np.nan), ("Velocity", 0), ("Slowness", np.nan), ("Slowness", 0),
                                         ("Slowness", np.inf)])
def test_nothing_tunnels_through_a_blanked_row_thinner_than_an_edge(kind, value):
    v = np.full((17, 21), 2.0)
    v[8] = value
    for rule in ("Accurate", "Fast"):
        reached = volume(output(ray_tracing(Input=image(v=v.ravel()), VelocityType=kind, WeightRule=rule,
                                            SourcePoints=[10, 3, 0])), "Reached")
        assert (reached[0, :8] == 1).all() and (reached[0, 8:] == 0).all()


def test_a_slow_row_thinner_than_an_edge_delays_the_wave_of_rule_accurate():
    v = np.full((17, 21), 2.0)
    v[8] = 0.05
    times = {rule: at(output(ray_tracing(Input=image(v=v.ravel()), WeightRule=rule, SourcePoints=[10, 0, 0])), "TravelTime",
                      (10, 16, 0)) for rule in ("Accurate", "Fast")}
    assert times["Accurate"] == pytest.approx(7 + 2 * (1 / 2 + 1 / 0.05) / 2, rel=1e-5) and times["Fast"] < 9


@pytest.mark.parametrize("mode, values", [("Nonzero", (0, 1)), ("Range", (1, 0))])
def test_a_barrier_array_closes_points_of_any_velocity(mode, values):
    mask = np.full((17, 21), values[0])
    mask[:, 12] = values[1]
    v = np.where(mask == values[1], -1, 1.0)
    out = output(ray_tracing(Input=image(v=v.ravel(), m=mask.ravel()), BarrierArray=["POINTS", "m"], BarrierMode=mode,
                             SourcePoints=[5, 5, 0]))
    assert (volume(out, "Reached")[0] == (np.arange(21) < 12)).all()


def test_hidden_points_are_barriers():
    mask = np.zeros((17, 21), np.uint8)
    mask[:, 12] = 2  # HIDDENPOINT
    out = output(ray_tracing(Input=image(vtkGhostType=mask.ravel(), v=np.ones(357)), SourcePoints=[5, 5, 0]))
    assert (volume(out, "Reached")[0] == (np.arange(21) < 12)).all()


def test_barriers_of_cells_close_cells():
    data = image_data()
    wall = np.zeros((16, 20), np.uint8)
    wall[:, 12] = 1
    hidden = np.zeros((16, 20), np.uint8)
    hidden[:, 3] = 32  # HIDDENCELL
    add_arrays(data.GetCellData(), {"v": np.ones(320), "wall": wall.ravel(), "vtkGhostType": hidden.ravel()})
    out = output(ray_tracing(Input=source(data), VelocityArray=["CELLS", "v"], BarrierArray=["CELLS", "wall"],
                             WeightRule="Cells", SourcePoints=[8, 5, 0]))
    assert (volume(out, "Reached")[0] == (np.arange(21) >= 4) & (np.arange(21) <= 12)).all()


def test_predecessors_lead_back_to_the_source():
    out = output(ray_tracing(Input=model(), SourcePoints=[3, 4, 0], ComputePredecessor=1))
    before, time = array(out, "Predecessor"), array(out, "TravelTime")
    start = 3 + 21 * 4
    assert before[start] == -1 and (before[np.isnan(time)] == -1).all()
    others = np.isfinite(time) & (np.arange(357) != start)
    assert (before[others] >= 0).all() and (time[before[others]] < time[others]).all()
    steps = np.stack(np.unravel_index(before[others], PLANE)) - np.stack(np.unravel_index(np.flatnonzero(others), PLANE))
    assert abs(steps).max() == 3


def test_blank_unreached_hides_exactly_the_unreached_points():
    out = output(ray_tracing(Input=model(), BlankUnreached=1))
    assert [out.IsPointVisible(p) for p in range(out.GetNumberOfPoints())] == list(array(out, "Reached"))


# ------------------------------------------------------------------------------------------------- sources
TWO = [3, 4, 0, 6, 2, 0]


def test_a_source_between_points_reaches_the_corners_of_its_cell_directly():
    proxy = ray_tracing(Input=image(v=np.full(357, 2.0)), SourcePoints=[5.25, 7.5, 0], DoublePrecision=1)
    for i, j in ((5, 7), (6, 7), (5, 8), (6, 8)):
        assert at(output(proxy), "TravelTime", (i, j, 0)) == pytest.approx(np.hypot(i - 5.25, j - 7.5) / 2, rel=1e-12)


def test_start_values_are_the_times_of_the_sources():
    sources = points([(3, 4, 0), (6, 2, 0)], StartValue=np.array([-1.5, 0.75]))
    out = output(ray_tracing(Input=model(), Sources=sources, DoublePrecision=1))
    assert_times(volume(out, "TravelTime"), dijkstra(slowness(VELOCITY[PLANE]), {(3, 4, 0): -1.5, (6, 2, 0): 0.75}), 1e-12)


def test_source_id_is_the_index_or_label_of_the_first_arrival():
    wide = image(v=np.ones(357))
    numbers = output(ray_tracing(Input=wide, SourcePoints=[3, 8, 0, 16, 8, 0], ComputeSourceId=1))
    labels = output(ray_tracing(Input=wide, Sources=points([(3, 8, 0), (16, 8, 0)], Label=np.array([70, 80])),
                                ComputeSourceId=1))
    assert (volume(numbers, "SourceId")[0] == (np.arange(21) >= 10)).all()
    assert (volume(labels, "SourceId")[0] == np.where(np.arange(21) >= 10, 80, 70)).all()


def test_separate_sources_have_separate_times():
    alone = [array(output(ray_tracing(Input=model(), SourcePoints=TWO[a:a + 3])), "TravelTime") for a in (0, 3)]
    together = output(ray_tracing(Input=model(), SourcePoints=TWO))
    apart = output(ray_tracing(Input=model(), SourcePoints=TWO, SourceRuns="Separate", ComputePredecessor=1))
    assert names(apart.GetPointData()) == ["v", "TravelTime", "TravelTime0", "TravelTime1", "Predecessor0", "Predecessor1",
                                           "Reached"]
    for n in range(2):
        assert array(apart, f"TravelTime{n}").tobytes() == alone[n].tobytes()
    assert array(apart, "TravelTime").tobytes() == array(together, "TravelTime").tobytes()
    assert apart.GetPointData().GetScalars().GetName() == "TravelTime"


@pytest.mark.parametrize("connected", [False, True])
def test_time_steps_show_one_source_after_the_other(connected):
    sources = {"Sources": points([TWO[:3], TWO[3:]])} if connected else {"SourcePoints": TWO}
    apart = output(ray_tracing(Input=model(), SourcePoints=TWO, SourceRuns="Separate"))
    proxy = ray_tracing(Input=model(), SourceRuns="Time Steps", ReceiverPoints=[18, 14, 0, 0, 0, 0], ComputeRayMatrix=1,
                        **sources)
    assert list(proxy.TimestepValues) == [0, 1]
    for step in (0, 1, 0):
        proxy.UpdatePipeline(step)
        out = output(proxy)
        assert names(out.GetPointData()) == ["v", "TravelTime", "Reached"]
        assert array(out, "TravelTime").tobytes() == array(apart, f"TravelTime{step}").tobytes()
        assert list(cell_array(output(proxy, 1), "SourceId")) == [step] * 2
        assert set(column(output(proxy, 2), "SourceId")) == {step}
        assert out.GetInformation().Get(out.DATA_TIME_STEP()) == step
    assert proxy.SolveCount == 1 and proxy.ExtractionCount == 1


# ------------------------------------------------------------------------------------------------- rays
RECEIVERS = [(18, 14, 0), (0.25, 15.5, 0), (20, 0, 0)]


def length_of(line):
    return np.linalg.norm(np.diff(line, axis=0), axis=1).sum()


def test_rays_lead_from_the_receivers_to_the_source():
    proxy = ray_tracing(Input=model(), SourcePoints=[3.5, 4.25, 0], Receivers=points(RECEIVERS, Line=np.array([7, 8, 9])))
    out, image_ = output(proxy, 1), output(proxy)
    assert names(out.GetPointData()) == ["TravelTime", "ArcLength", "Tangent"]
    assert names(out.GetCellData()) == ["Line", "ReceiverId", "SourceId", "TravelTime", "Length", "Status"]
    assert list(cell_array(out, "ReceiverId")) == [0, 1, 2] and list(cell_array(out, "Line")) == [7, 8, 9]
    assert list(cell_array(out, "SourceId")) == [0] * 3 and list(cell_array(out, "Status")) == [0] * 3
    times, first = array(out, "TravelTime"), 0
    for c, line in enumerate(lines(out)):
        assert line[0] == pytest.approx(RECEIVERS[c]) and line[-1] == pytest.approx((3.5, 4.25, 0))
        assert length_of(line) == pytest.approx(cell_array(out, "Length")[c])
        along = times[first:first + len(line)]
        assert along[0] == cell_array(out, "TravelTime")[c] and along[-1] == 0 and (np.diff(along) < 0).all()
        for place, time in list(zip(line, along))[1:-1]:
            assert time == at(image_, "TravelTime", place)  # equal to the time of the point in the image
        first += len(line)
    assert times[0] == at(image_, "TravelTime", RECEIVERS[0])


def test_a_receiver_between_points_has_the_minimum_time_from_the_corners():
    proxy = ray_tracing(Input=image(v=np.full(357, 2.0)), SourcePoints=[3, 4, 0], ReceiverPoints=[12.3, 9.6, 0],
                        DoublePrecision=1)
    time = volume(output(proxy), "TravelTime")[0]
    ways = [time[j, i] + np.hypot(i - 12.3, j - 9.6) / 2 for i in (12, 13) for j in (9, 10)]
    assert cell_array(output(proxy, 1), "TravelTime") == pytest.approx(min(ways), rel=1e-12)


def test_source_and_receiver_in_one_cell_are_joined_directly():
    out = output(ray_tracing(Input=image(v=np.full(357, 2.0)), SourcePoints=[5.25, 7.25, 0], ReceiverPoints=[5.75, 7.5, 0]), 1)
    assert lines(out)[0] == pytest.approx(np.array([(5.75, 7.5, 0), (5.25, 7.25, 0)]))
    assert cell_array(out, "TravelTime") == pytest.approx(np.hypot(0.5, 0.25) / 2)


def test_separate_sources_have_a_ray_to_each_receiver():
    out = output(ray_tracing(Input=model(), SourceRuns="Separate", Receivers=points(RECEIVERS, Line=np.array([7, 8, 9])),
                             Sources=points([TWO[:3], TWO[3:]], Label=np.array([30, 40]))), 1)
    assert list(cell_array(out, "ReceiverId")) == [0, 1, 2] * 2 and list(cell_array(out, "SourceId")) == [30] * 3 + [40] * 3
    assert list(cell_array(out, "Line")) == [7, 8, 9] * 2
    assert [tuple(line[-1]) for line in lines(out)] == [tuple(TWO[:3])] * 3 + [tuple(TWO[3:])] * 3


def test_collinear_points_are_merged_on_request():
    places = dict(SourcePoints=[3, 4, 0], ReceiverPoints=[18, 4, 0, 18, 14, 0, 11, 0.5, 0])
    full, merged = (output(ray_tracing(Input=image(v=np.ones(357)), MergeCollinear=m, **places), 1) for m in (0, 1))
    assert len(lines(full)[0]) == 16 and len(lines(merged)[0]) == 2 and len(lines(merged)[1]) < len(lines(full)[1])
    for name in ("Length", "TravelTime"):
        assert cell_array(merged, name) == pytest.approx(cell_array(full, name), rel=1e-12)


def test_without_receivers_there_are_neither_rays_nor_warnings():
    proxy = ray_tracing(Input=model(), SourcePoints=[3, 4, 0], ComputeRayMatrix=1)
    assert output(proxy, 1).GetNumberOfCells() == 0 and output(proxy, 2).GetNumberOfRows() == 0


def test_receivers_without_a_ray_are_reported_and_the_others_keep_theirs(messages):
    v = np.ones((17, 21))
    v[:, 15] = 0
    proxy = ray_tracing(Input=image(v=v.ravel()), SourcePoints=[5, 8, 0], ComputeRayMatrix=1,
                        ReceiverPoints=[18, 8, 0, 8, 8, 0, 15, 3, 0, 50, 0, 0])
    text = messages()
    assert "ERROR" not in text and "no ray leads to 3 of 4 receivers" in text
    assert "receiver 0 at (18, 8, 0) cannot be reached from any source" in text
    assert "receiver 2 at (15, 3, 0) lies in a barrier" in text and "receiver 3 at (50, 0, 0) lies outside" in text
    out = output(proxy, 1)
    assert list(cell_array(out, "ReceiverId")) == [1] and set(column(output(proxy, 2), "RowId")) == {0}
    assert set(column(output(proxy, 2), "ReceiverId")) == {1}
    status = out.GetFieldData().GetAbstractArray("ReceiverStatus")
    assert [status.GetValue(t) for t in range(4)] == ["Unreachable", "Complete", "ReceiverInBarrier", "ReceiverOutside"]


def test_a_receiver_that_some_sources_do_not_reach_is_reported(messages):
    v = np.ones((17, 21))
    v[:, 15] = 0
    proxy = ray_tracing(Input=image(v=v.ravel()), SourcePoints=[5, 8, 0, 18, 8, 0], SourceRuns="Separate",
                        ReceiverPoints=[8, 8, 0])
    assert "receiver 0 at (8, 8, 0) cannot be reached from 1 of 2 sources" in messages()
    assert list(cell_array(output(proxy, 1), "SourceId")) == [0]


# ------------------------------------------------------------------------------------------------- matrix
@pytest.mark.parametrize("rule", ["Accurate", "Fast", "Cells"])
@pytest.mark.parametrize("runs", ["Together", "Separate"])
@pytest.mark.parametrize("shape", [PLANE, BOX])
def test_ray_matrix_times_slowness_is_travel_time(rule, runs, shape):
    input_, values = cell_model(shape) if rule == "Cells" else (model(shape), VELOCITY[shape])
    sources = points([(3, 4, 0), (6.25, 2.5, 0)], StartValue=np.array([2, -3.0]), Label=np.array([5, 6]))
    proxy = ray_tracing(Input=input_, VelocityArray=["CELLS" if rule == "Cells" else "POINTS", "v"], WeightRule=rule,
                        Radius=[2, 2, 2], Sources=sources, SourceRuns=runs, ComputeRayMatrix=1,
                        ReceiverPoints=[0, 0, 0, 7.25, 6.5, 0, 8, 3, 0, 6.3, 2.4, 0])
    rays, table = output(proxy, 1), output(proxy, 2)
    assert [table.GetColumnName(c) for c in range(5)] == ["RowId", "ReceiverId", "SourceId", "ElementId", "Weight"]
    row, element, weight = (column(table, name) for name in ("RowId", "ElementId", "Weight"))
    count = rays.GetNumberOfCells()
    assert count == (8 if runs == "Separate" else 4) and set(row) == set(range(count)) and table.GetNumberOfColumns() == 5
    sums = np.bincount(row, weight * slowness(values.ravel())[element])
    start = np.where(cell_array(rays, "SourceId") == 5, 2, -3.0)
    assert sums == pytest.approx(cell_array(rays, "TravelTime") - start, rel=1e-6, abs=1e-6)
    for name in ("ReceiverId", "SourceId"):
        assert (column(table, name) == cell_array(rays, name)[row]).all()


def test_the_ray_matrix_is_the_derivative_of_times_by_slowness():
    """A small change of one slowness changes the time of a ray by its weight."""
    v = np.where(VELOCITY[PLANE] == 0, 1, VELOCITY[PLANE]).ravel()
    places = dict(SourcePoints=[3, 4, 0], ReceiverPoints=[18, 14, 0], DoublePrecision=1, VelocityType="Slowness")
    proxy = ray_tracing(Input=image(v=v), ComputeRayMatrix=1, **places)
    table = output(proxy, 2)
    for element, weight in list(zip(column(table, "ElementId"), column(table, "Weight")))[::5]:
        changed = v.copy()
        changed[element] *= 1 - 1e-7  # a decrease, so that no other ray becomes the fastest
        after = cell_array(output(ray_tracing(Input=image(v=changed), **places), 1), "TravelTime")[0]
        assert after - cell_array(output(proxy, 1), "TravelTime")[0] == pytest.approx(-1e-7 * v[element] * weight, rel=1e-4)


def test_the_result_does_not_depend_on_the_threads():
    v = np.random.default_rng(5).uniform(0.5, 4, 150 * 90)
    data = image(extent=(0, 149, 0, 89, 0, 0), v=v)
    one, three = (ray_tracing(Input=data, Threads=n, SourcePoints=[10, 10, 0, 140.5, 80, 0], SourceRuns="Separate",
                              ReceiverPoints=[75, 75, 0, 149, 0, 0], ComputePredecessor=1) for n in (1, 3))
    for name in ("TravelTime0", "TravelTime1", "Predecessor0", "Predecessor1"):
        assert array(output(one), name).tobytes() == array(output(three), name).tobytes()
    assert all((a == b).all() for a, b in zip(lines(output(one, 1)), lines(output(three, 1))))


def test_facts_about_the_solve_are_reported():
    proxy = ray_tracing(Input=model(), Radius=[3, 3, 3])
    assert proxy.BackendUsed == "Host" and proxy.BackendReason
    assert proxy.NumberOfNeighbours == 32
    assert proxy.AngularErrorBound == pytest.approx(1.31, abs=0.005)
