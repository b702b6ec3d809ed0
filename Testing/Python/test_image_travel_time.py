"""Isochrone Image Travel Time: contents of its outputs."""
import numpy as np
import pytest
from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkDataArray
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes

from pipelines import (add_arrays, array, at, cell_array, image, image_data, lines, names, output, plane, points,
                       source, travel_time, volume)

BOX = {"extent": (0, 14, 0, 11, 0, 9)}  # 15 x 12 x 10 points
SHAPE = (10, 12, 15)  # [k, j, i]
FLAT = (17, 21)  # of the default image


def wall(shape=FLAT):
    """A wall across the default image, at i = 15."""
    walls = np.zeros(shape, np.uint8)
    walls[..., 15] = 1
    return walls


def test_travel_time_is_the_active_scalar_beside_the_arrays_of_the_input():
    data = image_data(**BOX, speed=np.ones(SHAPE).ravel())
    add_arrays(data.GetCellData(), {"cells": np.arange(14 * 11 * 9)})
    add_arrays(data.GetFieldData(), {"about": np.arange(3)})
    out = output(travel_time(Input=source(data)))
    assert names(out.GetPointData()) == ["speed", "TravelTime", "SeedId", "Reached"]
    assert out.GetPointData().GetScalars().GetName() == "TravelTime"
    assert names(out.GetCellData()) == ["cells"] and "about" in names(out.GetFieldData())
    assert names(data.GetPointData()) == ["speed"] and data.GetPointData().GetScalars() is None


def test_ranges_of_the_fields_are_precomputed():
    seeds = points([(3, 8, 0), (7, 2, 0)], Label=np.array([7, 9]))
    data = output(travel_time(Input=image(walls=wall().ravel()), BarrierArray=["POINTS", "walls"], Seeds=seeds))
    for name in ("TravelTime", "SeedId", "Reached"):
        values = data.GetPointData().GetArray(name)
        for key in (vtkDataArray.PER_COMPONENT(), vtkDataArray.PER_FINITE_COMPONENT()):
            ready = values.GetInformation().Get(key).GetInformationObject(0).Get(vtkDataArray.COMPONENT_RANGE())
            assert list(ready) == [np.nanmin(array(data, name)), np.nanmax(array(data, name))]
    assert np.isnan(array(data, "TravelTime")).any()


def test_along_the_axes_the_time_is_the_distance():
    time = volume(output(travel_time(Input=image(**BOX, spacing=(0.5, 1, 2)), SeedPoints=(3.5, 5, 8))), "TravelTime")
    assert time[4, 5] == pytest.approx(0.5 * abs(np.arange(15) - 7), rel=1e-6)
    assert time[4, :, 7] == pytest.approx(abs(np.arange(12) - 5), rel=1e-6)
    assert time[:, 5, 7] == pytest.approx(2 * abs(np.arange(10) - 4), rel=1e-6)


def test_the_time_is_at_least_the_distance_and_close_to_it_far_away():
    out = output(travel_time(Input=image(extent=(0, 60, 0, 60, 0, 60)), SeedPoints=(30, 30, 30)))
    k, j, i = np.indices((61, 61, 61))
    distance = np.sqrt((i - 30.) ** 2 + (j - 30.) ** 2 + (k - 30.) ** 2)
    excess = volume(out, "TravelTime") - distance
    assert excess.min() > -1e-4 and (excess[distance > 20] / distance[distance > 20]).max() < 0.1


def test_speed_array_and_constant_divide_and_slowness_multiplies():
    plain = array(output(travel_time(Input=image(**BOX))), "TravelTime")
    three, third = np.full(SHAPE, 3, np.uint8).ravel(), np.full(SHAPE, 1 / 3).ravel()
    for expected, properties in ((plain / 3, {"Input": image(**BOX, f=three), "SpeedArray": ["POINTS", "f"]}),
                                 (plain * 3, {"Input": image(**BOX, f=three), "SpeedArray": ["POINTS", "f"],
                                              "SpeedType": "Slowness"}),
                                 (plain / 3, {"Input": image(**BOX, f=third), "SpeedArray": ["POINTS", "f"],
                                              "SpeedType": "Slowness"}),
                                 (plain / 4, {"Input": image(**BOX), "ConstantSpeed": 4}),
                                 (plain * 4, {"Input": image(**BOX), "ConstantSpeed": 4, "SpeedType": "Slowness"})):
        assert array(output(travel_time(**properties)), "TravelTime") == pytest.approx(expected, rel=1e-5)


def linear_speed(n):
    """Returns speeds from 1 to 3 along the first axis of n^3 points in the unit cube, and the true time from a seed."""
    h, seed = 1 / (n - 1), np.array([0.31, 0.42, 0.53])
    x = h * np.arange(n)
    speed = np.broadcast_to(1 + 2 * x, (n, n, n))
    squared = (x - seed[0]) ** 2 + (x[:, None] - seed[1]) ** 2 + (x[:, None, None] - seed[2]) ** 2
    true = np.arccosh(1 + 4 * squared / (2 * speed * (1 + 2 * seed[0]))) / 2
    input_ = image(extent=(0, n - 1) * 3, spacing=(h, h, h), f=speed.ravel())
    return {"Input": input_, "SpeedArray": ["POINTS", "f"], "SeedPoints": seed}, true


def test_source_factoring_and_second_order_reduce_the_error():
    properties, true = linear_speed(41)

    def error(factoring, order):
        time = volume(output(travel_time(SourceFactoring=factoring, Order=order, **properties)), "TravelTime")
        return np.mean(abs(time - true)) / true.mean()

    off, additive, multiplicative = error("Off", 1), error("Additive", 1), error("Multiplicative", 1)
    assert 0.02 < off < 0.1 and additive < off / 3 and multiplicative < additive / 3
    assert error("Off", 2) < off / 2 and error("Multiplicative", 2) < multiplicative


@pytest.mark.parametrize("factoring", ["Additive", "Multiplicative"])
def test_factored_times_at_constant_speed_are_exact(factoring):
    seed = (7.3, 5.1, 3.8)
    out = output(travel_time(Input=image(**BOX), SeedPoints=seed, SourceFactoring=factoring, ConstantSpeed=2))
    distance = np.linalg.norm([np.subtract(out.GetPoint(p), seed) for p in range(out.GetNumberOfPoints())], axis=1)
    assert array(out, "TravelTime") == pytest.approx(distance / 2, rel=1e-5)


def test_the_radius_of_additive_factoring_is_reported_for_each_seed(messages):
    """The radius ends here where the balls of two seeds could meet in a tile. An unused seed has none."""
    settings = {"Input": image(extent=(0, 99, 0, 99, 0, 0)), "SeedPoints": [10, 50, 0, -9, 0, 0, 90, 50, 0]}
    field = output(travel_time(SourceFactoring="Additive", **settings)).GetFieldData()
    left, outside, right = vtk_to_numpy(field.GetArray("BallRadius"))
    assert outside == 0 and left == right and 20 < left < 40
    assert output(travel_time(SourceFactoring="Off", **settings)).GetFieldData().GetArray("BallRadius") is None
    assert "1 of 3 seeds" in messages()


def test_multiplicative_factoring_warns_on_rough_speed(messages):
    rough = np.random.default_rng(1).uniform(0.1, 1, SHAPE).ravel()
    settings = {"Input": image(**BOX, f=rough), "SpeedArray": ["POINTS", "f"]}
    travel_time(SourceFactoring="Additive", **settings)
    assert "Warning" not in messages()
    travel_time(SourceFactoring="Multiplicative", **settings)
    assert "rough" in messages() and "Additive" in messages()


def test_a_fast_layer_carries_the_first_arrival():
    speed = np.ones(FLAT)
    speed[12:] = 20
    out = output(travel_time(Input=image(f=speed.ravel()), SpeedArray=["POINTS", "f"], SeedPoints=(0, 8, 0)))
    straight = output(travel_time(Input=image(), SeedPoints=(0, 8, 0)))
    assert at(out, "TravelTime", (20, 8, 0)) < 0.6 * at(straight, "TravelTime", (20, 8, 0))


@pytest.mark.parametrize("barrier", [0, np.nan])
def test_speed_zero_and_nan_are_barriers(barrier):
    speed = np.where(wall(), barrier, 1.0)
    out = output(travel_time(Input=image(f=speed.ravel()), SpeedArray=["POINTS", "f"], SeedPoints=(5, 8, 0)))
    reached = plane(out, "Reached")
    assert (reached[:, :15] == 1).all() and (reached[:, 15:] == 0).all()


def test_infinite_slowness_is_a_barrier():
    slowness = np.where(wall(), np.inf, 1.0)
    out = output(travel_time(Input=image(f=slowness.ravel()), SpeedArray=["POINTS", "f"], SpeedType="Slowness",
                             SeedPoints=(5, 8, 0)))
    assert (plane(out, "Reached") == (np.arange(21) < 15)).all()


def test_unreached_points_are_nan_and_not_reached():
    out = output(travel_time(Input=image(w=wall().ravel()), BarrierArray=["POINTS", "w"], SeedPoints=(5, 8, 0)))
    assert (plane(out, "Reached") == (np.arange(21) < 15)).all()
    assert np.isfinite(plane(out, "TravelTime")[:, :15]).all() and np.isnan(plane(out, "TravelTime")[:, 15:]).all()
    assert (plane(out, "SeedId")[:, 15:] == -1).all() and (plane(out, "SeedId")[:, :15] == 0).all()


def test_nothing_passes_between_barrier_points_that_touch_at_a_corner():
    diagonal = np.eye(21, dtype=np.uint8)
    out = output(travel_time(Input=image(extent=(0, 20, 0, 20, 0, 0), w=diagonal.ravel()),
                             BarrierArray=["POINTS", "w"], SeedPoints=(15, 3, 0)))
    j, i = np.indices((21, 21))
    assert (plane(out, "Reached") == (i > j)).all()


def test_barriers_by_range_are_the_points_in_the_range():
    values = 5 * wall().astype(float)
    proxy = travel_time(Input=image(v=values.ravel()), BarrierArray=["POINTS", "v"], BarrierMode="Range",
                        BarrierRange=[4, 6], SeedPoints=(5, 8, 0))
    assert (plane(output(proxy), "Reached") == (np.arange(21) < 15)).all()
    proxy.BarrierRange = [6, 7]
    proxy.UpdatePipeline()
    assert (plane(output(proxy), "Reached") == 1).all()


def test_hidden_points_of_the_input_are_barriers():
    data = image_data()
    add_arrays(data.GetPointData(), {"vtkGhostType": (wall() * np.uint8(vtkDataSetAttributes.HIDDENPOINT)).ravel()})
    out = output(travel_time(Input=source(data), SeedPoints=(5, 8, 0)))
    assert (plane(out, "Reached") == (np.arange(21) < 15)).all()


def test_contour_of_a_blanked_and_of_a_plain_volume_is_finite():
    walls = np.zeros(SHAPE, np.uint8)
    walls[..., 11] = 1
    for blank in (0, 1):
        proxy = travel_time(Input=image(**BOX, w=walls.ravel()), BarrierArray=["POINTS", "w"], SeedPoints=(5, 5, 5),
                            BlankUnreached=blank)
        contour = simple.Contour(Input=proxy, ContourBy=["POINTS", "TravelTime"], Isosurfaces=[4.0])
        contour.UpdatePipeline()
        positions = vtk_to_numpy(output(contour).GetPoints().GetData())
        assert len(positions) > 100 and np.isfinite(positions).all() and positions[:, 0].max() < 11


def test_start_values_and_labels_of_seed_points():
    seeds = points([(2, 8, 0), (18, 8, 0)], StartValue=np.array([-3.0, 2.0]), Label=np.array([7, 9]))
    out = output(travel_time(Input=image(), Seeds=seeds))
    assert plane(out, "TravelTime")[8] == pytest.approx(
        np.minimum(abs(np.arange(21) - 2) - 3, abs(np.arange(21) - 18) + 2), abs=1e-5)
    assert set(array(out, "SeedId")) == {7, 9}
    assert at(out, "SeedId", (3, 8, 0)) == 7 and at(out, "SeedId", (18, 8, 0)) == 9


def test_seed_ids_are_input_indices_without_labels():
    out = output(travel_time(Input=image(), Seeds=points([(18, 8, 0), (2, 8, 0)])))
    assert at(out, "SeedId", (17, 8, 0)) == 0 and at(out, "SeedId", (3, 8, 0)) == 1


def test_seed_id_of_one_seed_is_its_label():
    out = output(travel_time(Input=image(), Seeds=points([(18, 8, 0)], Label=np.array([5]))))
    assert set(array(out, "SeedId")) == {5}


def test_seeds_between_points_give_the_distance_to_the_points_of_their_cell():
    time = plane(output(travel_time(Input=image(), SeedPoints=(10.25, 8.5, 0))), "TravelTime")
    assert time[8, 10] == pytest.approx(np.hypot(0.25, 0.5)) and time[9, 11] == pytest.approx(np.hypot(0.75, 0.5))


def test_a_region_starts_at_all_its_points():
    k, j, i = np.indices(SHAPE)
    label = np.where(i < 3, 2, np.where(j > 9, 5, 0))
    for limits, distance in (([2, 2], np.maximum(i - 2, 0)), ([5, 9], np.maximum(10 - j, 0))):
        out = output(travel_time(Input=image(**BOX, label=label.ravel()), SeedType="Region",
                                 SeedRegionArray=["POINTS", "label"], SeedRegionRange=limits))
        time = volume(out, "TravelTime")
        axis = time[:, :9] if limits == [2, 2] else time[:, :, 4:]
        assert axis == pytest.approx(distance[:, :9] if limits == [2, 2] else distance[:, :, 4:], abs=1e-5)
        assert set(array(out, "SeedId")) == {0}


def test_a_region_does_not_include_the_first_point_of_the_image():
    mask = np.zeros(FLAT, np.uint8)
    mask[10, 12] = 1
    out = output(travel_time(Input=image(m=mask.ravel()), SeedType="Region", SeedRegionArray=["POINTS", "m"]))
    assert at(out, "TravelTime", (0, 0, 0)) > 15


def test_stopping_time_keeps_earlier_arrivals_and_leaves_later_ones_unreached():
    full = array(output(travel_time(Input=image(**BOX), SeedPoints=(3, 3, 3))), "TravelTime")
    stopped = array(output(travel_time(Input=image(**BOX), SeedPoints=(3, 3, 3), StoppingTime=4.5)), "TravelTime")
    assert (np.isfinite(stopped) == (full <= 4.5)).all()
    assert (stopped[full <= 4.5] == full[full <= 4.5]).all()


def test_stop_at_tips_keeps_final_values():
    settings = {"Input": image(extent=(0, 200, 0, 200, 0, 0)), "SeedPoints": (10, 10, 0), "TipPoints": [20, 14, 0]}
    full, stopped = travel_time(**settings), travel_time(StopAtTips=1, **settings)
    few, all_ = array(output(stopped), "TravelTime"), array(output(full), "TravelTime")
    assert np.isfinite(few).sum() < 0.5 * len(few) and (few == all_)[np.isfinite(few)].all()
    assert at(output(stopped), "TravelTime", (20, 14, 0)) == at(output(full), "TravelTime", (20, 14, 0))
    assert (lines(output(stopped, 1))[0] == lines(output(full, 1))[0]).all()


# ------------------------------------------------------------------------------------------------- paths
def test_paths_run_from_the_tip_to_the_seed_with_all_arrays():
    tips = points([(12, 8, 7), (3, 9, 1)], Priority=np.array([7.5, 8.5]), Label=np.array([70, 80]))
    seeds = points([(7, 5, 4)], Label=np.array([3]))
    out = output(travel_time(Input=image(**BOX), Seeds=seeds, Tips=tips), 1)
    assert names(out.GetPointData()) == ["TravelTime", "ArcLength", "Tangent"]
    assert names(out.GetCellData()) == ["Priority", "Label", "TipId", "SeedId", "TravelTime", "Length", "Status"]
    assert list(cell_array(out, "TipId")) == [0, 1] and list(cell_array(out, "SeedId")) == [3, 3]
    assert list(cell_array(out, "Priority")) == [7.5, 8.5] and list(cell_array(out, "Label")) == [70, 80]
    assert list(cell_array(out, "Status")) == [0, 0]
    for line, tip in zip(lines(out), [(12, 8, 7), (3, 9, 1)]):
        assert line[0] == pytest.approx(tip, abs=1e-6) and line[-1] == pytest.approx((7, 5, 4), abs=1e-6)


def test_a_path_at_constant_speed_is_straight_and_takes_nearly_its_time():
    out = output(travel_time(Input=image(extent=(0, 40, 0, 40, 0, 40)), SeedPoints=(5, 5, 5), TipPoints=(35, 30, 25)), 1)
    distance = np.linalg.norm((30, 25, 20))
    assert cell_array(out, "Length")[0] == pytest.approx(distance, rel=0.01)
    assert cell_array(out, "TravelTime")[0] == pytest.approx(distance, rel=0.05)


def test_time_and_length_along_a_path_start_at_the_seed_and_tangents_point_away():
    out = output(travel_time(Input=image(**BOX), SeedPoints=(2, 2, 2), TipPoints=(12, 9, 7)), 1)
    length, time, line = array(out, "ArcLength"), array(out, "TravelTime"), lines(out)[0]
    assert length[-1] == 0 and time[-1] == pytest.approx(0, abs=1e-6)
    assert (np.diff(length) < 0).all() and (np.diff(time) <= 1e-6).all()
    assert length[0] == pytest.approx(cell_array(out, "Length")[0], rel=1e-6)
    steps = -np.diff(line, axis=0)
    assert length[0] == pytest.approx(np.linalg.norm(steps, axis=1).sum(), rel=1e-6)
    tangent = array(out, "Tangent")
    assert np.linalg.norm(tangent, axis=1) == pytest.approx(1) and (np.einsum("pc,pc->p", steps, tangent[:-1]) > 0).all()


def test_no_path_point_lies_in_a_barrier():
    walls = np.zeros(FLAT, np.uint8)
    walls[:14, 10] = 1
    out = output(travel_time(Input=image(w=walls.ravel()), BarrierArray=["POINTS", "w"], SeedPoints=(4, 4, 0),
                             TipPoints=(16, 4, 0)), 1)
    line = np.rint(lines(out)[0]).astype(int)
    assert (walls[line[:, 1], line[:, 0]] == 0).all() and line[:, 1].max() >= 13


# ------------------------------------------------------------------------------------------------- two-way times
LEFT, RIGHT = (3, 5, 4), (11, 7, 5)


def test_two_way_time_is_the_sum_and_connectivity_its_minimum_over_it():
    proxy = travel_time(Input=image(**BOX), SeedPoints=LEFT, Targets=points([RIGHT]))
    out = output(proxy)
    assert names(out.GetPointData()) == ["TravelTime", "SeedId", "Reached", "TimeFromTargets", "TwoWayTime",
                                         "Connectivity"]
    back = array(output(travel_time(Input=image(**BOX), SeedPoints=RIGHT)), "TravelTime")
    assert (array(out, "TimeFromTargets") == back).all()
    both = array(out, "TravelTime") + back
    assert (array(out, "TwoWayTime") == both).all()
    assert array(out, "Connectivity") == pytest.approx(both.min() / both, rel=1e-6)
    assert array(out, "Connectivity").max() == 1 and array(out, "Connectivity").min() > 0


def test_two_way_time_does_not_depend_on_the_order_of_the_sets():
    there = output(travel_time(Input=image(**BOX), SeedPoints=LEFT, Targets=points([RIGHT])))
    back = output(travel_time(Input=image(**BOX), SeedPoints=RIGHT, Targets=points([LEFT])))
    assert (array(there, "TwoWayTime") == array(back, "TwoWayTime")).all()


def test_the_path_between_the_sets_takes_the_minimum_two_way_time():
    seeds = points([LEFT, (0, 11, 9)], Label=np.array([4, 5]))
    targets = points([(14, 0, 0), RIGHT], Label=np.array([8, 9]))
    proxy = travel_time(Input=image(**BOX), Seeds=seeds, Targets=targets, TipPoints=[1, 1, 1])
    out = output(proxy, 1)
    assert list(cell_array(out, "TipId")) == [0, -1]
    assert list(cell_array(out, "SeedId")) == [4, 4] and list(cell_array(out, "TargetId")) == [-1, 9]
    assert cell_array(out, "TravelTime")[1] == pytest.approx(array(output(proxy), "TwoWayTime").min(), rel=1e-4)
    line = lines(out)[1]
    assert line[0] == pytest.approx(RIGHT, abs=1e-6) and line[-1] == pytest.approx(LEFT, abs=1e-6)
    assert cell_array(out, "Length")[1] == pytest.approx(np.linalg.norm(np.subtract(RIGHT, LEFT)), rel=0.02)
    assert (np.diff(array(out, "TravelTime")[out.GetCell(1).GetPointId(0):]) <= 1e-5).all()


def test_the_path_between_a_region_and_a_target_ends_at_the_region():
    mask = np.zeros(FLAT, np.uint8)
    mask[2:5, 3:6] = 1
    proxy = travel_time(Input=image(m=mask.ravel()), SeedType="Region", SeedRegionArray=["POINTS", "m"],
                        Targets=points([(18, 14, 0)], Label=np.array([7])), TipPoints=[4, 3, 0])
    out = output(proxy, 1)
    assert list(cell_array(out, "SeedId")) == [0, 0] and list(cell_array(out, "TargetId")) == [-1, 7]
    assert lines(out)[1][0] == pytest.approx((18, 14, 0)) and lines(out)[1][-1] == pytest.approx((5, 4, 0), abs=1e-3)
    assert cell_array(out, "TravelTime")[1] == pytest.approx(array(output(proxy), "TwoWayTime").min(), rel=1e-4)


def test_start_values_of_both_sets_are_included():
    proxy = travel_time(Input=image(), Seeds=points([(5, 8, 0)], StartValue=np.array([1.5])),
                        Targets=points([(15, 8, 0)], StartValue=np.array([2.0])))
    assert array(output(proxy), "TwoWayTime").min() == pytest.approx(13.5)
    assert array(output(proxy), "Connectivity").max() == 1


def test_between_the_ends_of_a_slab_connectivity_follows_the_speed_of_layers():
    """Two adjacent materials: the fast half has full connectivity, the slow half a connectivity given by its speed."""
    j, i = np.indices(FLAT)
    speed = np.where(j < 8, 1.0, 0.25)
    ends = [[(x, y, 0) for y in range(17)] for x in (0, 20)]
    out = output(travel_time(Input=image(f=speed.ravel()), SpeedArray=["POINTS", "f"], Seeds=points(ends[0]),
                             Targets=points(ends[1])))
    connectivity = plane(out, "Connectivity")
    assert connectivity[:6] == pytest.approx(1, abs=1e-4) and connectivity[16, 10] < 0.5


def test_separated_sets_have_no_time_and_no_connectivity(messages):
    proxy = travel_time(Input=image(w=wall().ravel()), BarrierArray=["POINTS", "w"], SeedPoints=(5, 8, 0),
                        Targets=points([(18, 8, 0)]))
    out = output(proxy)
    assert np.isnan(array(out, "TwoWayTime")).all() and (array(out, "Connectivity") == 0).all()
    assert np.isfinite(plane(out, "TimeFromTargets")[:, 16:]).all()
    assert "no path leads from the seeds to the targets" in messages()
    assert output(proxy, 1).GetNumberOfCells() == 0
