"""Isochrone Image Travel Time: bad input gives a message that says what to do, and valid empty outputs."""
import numpy as np
import pytest
from paraview import simple
from vtkmodules.vtkCommonDataModel import vtkMultiBlockDataSet

from pipelines import (array, assert_error, image, image_data, information, output, points,
                       rectilinear_grid, source, string_array, structured_grid, travel_time)


def with_speed(value):
    speed = np.ones((17, 21))
    speed[4, 3] = value
    return {"Input": image(f=speed.ravel()), "SpeedArray": ["POINTS", "f"]}


def one_barrier():
    walls = np.zeros((17, 21), np.uint8)
    walls[8, 10] = 1
    return {"Input": image(w=walls.ravel()), "BarrierArray": ["POINTS", "w"]}


# ------------------------------------------------------------------------------------------------- seeds
def test_seeds_input_without_points(messages):
    assert_error(messages, travel_time(Input=image(), Seeds=points([]), SeedType="Input"), "no seeds")


def test_seed_type_input_with_nothing_connected(messages):
    assert_error(messages, travel_time(Input=image(), SeedType="Input"), "no seeds", "connect")


def test_tip_type_input_with_nothing_connected(messages):
    assert_error(messages, travel_time(Input=image(), TipType="Input"), "no tips", "connect")


def test_targets_input_without_points(messages):
    assert_error(messages, travel_time(Input=image(), Targets=points([])), "no targets")


def test_all_seeds_outside_are_told_where_the_image_lies(messages):
    input_ = image(extent=(-7, 13, 100, 116, 3, 5), origin=(20, -100, 7))
    proxy = travel_time(Input=input_, SeedPoints=[0, 0, 0, 100, 0, 0])
    assert_error(messages, proxy, "2 of 2 lie outside the image",
                 "point (-7, 100, 3) at (13, 0, 10) to point (13, 116, 5) at (33, 16, 12)")


def test_all_seeds_in_barriers(messages):
    assert_error(messages, travel_time(**one_barrier(), SeedPoints=[10, 8, 0]), "seed", "barriers")


def test_all_targets_outside(messages):
    proxy = travel_time(Input=image(), Targets=points([(100, 0, 0)]))
    assert_error(messages, proxy, "targets", "1 of 1 lie outside")


def test_some_seeds_outside_or_in_barriers_are_counted_and_named(messages):
    proxy = travel_time(**one_barrier(), SeedPoints=[100, 0, 0, 10, 8, 0, 3, 3, 0])
    text = messages()
    assert "ERROR" not in text and "Warning" in text
    assert "2 of 3 seeds" in text and "seed 0 at (100, 0, 0) lies outside" in text
    assert "seed 1 at (10, 8, 0) lies in a barrier" in text
    status = output(proxy).GetFieldData().GetAbstractArray("SeedStatus")
    assert [status.GetValue(s) for s in range(3)] == ["Outside", "InBarrier", "Inside"]
    assert set(array(output(proxy), "SeedId")) == {-1, 2}


def test_some_targets_outside_are_counted_and_named(messages):
    proxy = travel_time(Input=image(), Targets=points([(100, 0, 0), (3, 3, 0)]))
    assert "1 of 2 targets" in messages() and "target 0 at (100, 0, 0)" in messages()
    status = output(proxy).GetFieldData().GetAbstractArray("TargetStatus")
    assert [status.GetValue(s) for s in range(2)] == ["Outside", "Inside"]


def test_seed_that_is_not_finite_lies_outside(messages):
    travel_time(Input=image(), Seeds=points([(float("nan"), 0, 0), (3, 3, 0)]))
    assert "1 of 2 seeds" in messages()


def test_start_value_that_is_not_finite(messages):
    seeds = points([(3, 3, 0)], StartValue=np.array([np.nan]))
    assert_error(messages, travel_time(Input=image(), Seeds=seeds), "start value", "nan", "seed 0")


def test_seed_array_of_several_components(messages):
    seeds = points([(3, 3, 0)], StartValue=np.ones((1, 3)))
    assert_error(messages, travel_time(Input=image(), Seeds=seeds), "StartValue", "3 components")


def test_seed_region_without_an_array(messages):
    assert_error(messages, travel_time(Input=image(), SeedType="Region"), "Seed Region Array")


def test_seed_region_without_points(messages):
    proxy = travel_time(Input=image(m=np.zeros(21 * 17)), SeedType="Region", SeedRegionArray=["POINTS", "m"])
    assert_error(messages, proxy, "seed region", "empty")


def test_seed_region_in_barriers(messages):
    mask = np.ones(21 * 17)
    proxy = travel_time(Input=image(m=mask), SeedType="Region", SeedRegionArray=["POINTS", "m"],
                        BarrierArray=["POINTS", "m"])
    assert_error(messages, proxy, "seed region", "barriers")


# ------------------------------------------------------------------------------------------------- speed
def test_negative_speed_is_refused_by_place(messages):
    assert_error(messages, travel_time(**with_speed(-2)), "speed", "-2 at point (3, 4, 0) at (3, 4, 0)")


def test_infinite_speed_is_refused(messages):
    assert_error(messages, travel_time(**with_speed(np.inf)), "speed", "finite", "point (3, 4, 0)")


def test_slowness_zero_is_refused(messages):
    assert_error(messages, travel_time(**with_speed(0), SpeedType="Slowness"), "slowness", "point (3, 4, 0)")


def test_errors_name_a_point_by_its_index_in_the_image_and_its_place(messages):
    speed = np.ones((9, 17, 21))
    speed[2, 4, 3] = -1
    input_ = image(extent=(-7, 13, 100, 116, 3, 11), spacing=(0.5, 1, 2), origin=(20, -100, 7), f=speed.ravel())
    proxy = travel_time(Input=input_, SpeedArray=["POINTS", "f"])
    assert_error(messages, proxy, "-1 at point (-4, 104, 5) at (18, 4, 17)")


def test_bad_speed_in_barriers_does_not_matter():
    walls = np.zeros((17, 21), np.uint8)
    walls[4, 3] = 1
    data = image_data(w=walls.ravel(), f=np.where(walls, -1, 1.0).ravel())
    proxy = travel_time(Input=source(data), SpeedArray=["POINTS", "f"], BarrierArray=["POINTS", "w"])
    assert array(output(proxy), "Reached").sum() == 21 * 17 - 1


@pytest.mark.parametrize("speed", [0, -1])
def test_constant_speed_that_is_not_positive(messages, speed):
    assert_error(messages, travel_time(Input=image(), ConstantSpeed=speed), "speed must be positive", str(speed))


def test_image_of_barriers_only(messages):
    proxy = travel_time(Input=image(f=np.zeros(21 * 17)), SpeedArray=["POINTS", "f"])
    assert_error(messages, proxy, "no seed can be used", "barriers")


def test_image_of_nothing_but_not_a_number(messages):
    proxy = travel_time(Input=image(f=np.full(21 * 17, np.nan)), SpeedArray=["POINTS", "f"])
    assert_error(messages, proxy, "no seed can be used")


def test_negative_stopping_time(messages):
    assert_error(messages, travel_time(Input=image(), StoppingTime=-1), "stopping time", "-1")


def test_speed_of_strings(messages):
    data = image_data()
    data.GetPointData().AddArray(string_array("words", data.GetNumberOfPoints()))
    assert_error(messages, travel_time(Input=source(data), SpeedArray=["POINTS", "words"]), "words", "numbers")


@pytest.mark.parametrize("role", ["SpeedArray", "BarrierArray", "SeedRegionArray"])
def test_arrays_of_several_components(messages, role):
    proxy = travel_time(Input=image(rgb=np.ones((21 * 17, 3))), SeedType="Region" if "Seed" in role else "Points",
                        **{role: ["POINTS", "rgb"]})
    assert_error(messages, proxy, "'rgb' has 3 components", "Calculator")


def test_speed_array_that_is_not_there_lists_what_is(messages):
    proxy = travel_time(Input=image(cost=np.ones(21 * 17)), SpeedArray=["POINTS", "speed"])
    assert_error(messages, proxy, "'speed' is not on the input", "cost")


# ------------------------------------------------------------------------------------------------- grids
@pytest.mark.parametrize("extent", [(0, 9, 4, 4, 0, 0), (3, 3, 0, 9, 1, 1), (3, 3, 4, 4, 0, 9)])
def test_image_of_one_row_is_a_line(extent):
    proxy = travel_time(Input=image(extent=extent))
    assert array(output(proxy), "TravelTime") == pytest.approx(abs(np.arange(10) - 4.5))


def test_image_of_one_point_is_its_seed():
    out = output(travel_time(Input=image(extent=(3, 3, 4, 4, 5, 5))))
    assert list(array(out, "TravelTime")) == [0] and list(array(out, "Reached")) == [1]


def test_empty_image(messages):
    assert_error(messages, travel_time(Input=image(extent=(0, -1, 0, -1, 0, -1))), "empty")


def test_spacing_of_zero(messages):
    assert_error(messages, travel_time(Input=image(spacing=(1, 0, 1))), "spacing", "axis 1")


def test_composite_input(messages):
    blocks = vtkMultiBlockDataSet()
    blocks.SetBlock(0, image_data())
    assert_error(messages, travel_time(Input=source(blocks)), "vtkMultiBlockDataSet", "one image", "Merge Blocks",
                 "Extract Block")


@pytest.mark.parametrize("data", [rectilinear_grid(), structured_grid()])
def test_other_grids(messages, data):
    assert_error(messages, travel_time(Input=source(data)), data.GetClassName(), "Resample To Image")


def test_image_too_large_for_memory_is_refused_with_numbers(messages):
    proxy = travel_time(Input=image(extent=(0, 4999, 0, 4999, 0, 4999)))
    assert_error(messages, proxy, "5000 x 5000 x 5000 points", "memory")


# ------------------------------------------------------------------------------------------------- runs
def test_unreachable_tips_are_named_and_have_no_line(messages):
    walls = np.zeros((17, 21), np.uint8)
    walls[:, 15] = 1
    proxy = travel_time(Input=image(w=walls.ravel()), BarrierArray=["POINTS", "w"], SeedPoints=(5, 8, 0),
                        TipPoints=[8, 8, 0, 18, 8, 0, 15, 3, 0, 50, 0, 0])
    text = messages()
    assert "3 of 4 tips" in text and "ERROR" not in text
    assert "tip 1 at (18, 8, 0) cannot be reached" in text and "tip 2 at (15, 3, 0) lies in a barrier" in text
    assert "tip 3 at (50, 0, 0) lies outside" in text
    out = output(proxy, 1)
    assert out.GetNumberOfCells() == 1 and out.GetCellData().GetArray("TipId").GetValue(0) == 0
    status = out.GetFieldData().GetAbstractArray("TipStatus")
    assert [status.GetValue(t) for t in range(4)] == ["Complete", "Unreachable", "TipInWall", "TipOutside"]


def test_an_error_is_said_once_until_something_changes(messages):
    data = image_data(f=np.full(21 * 17, -1.0))
    proxy = travel_time(Input=source(data), SpeedArray=["POINTS", "f"])
    for port in (0, 1, 0):
        simple.OutputPort(proxy, port).UpdatePipeline()
    assert messages().count("ERROR") == 1
    proxy.StoppingTime = 20
    proxy.UpdatePipeline()
    assert messages().count("ERROR") == 2


def test_cuda_runs_or_says_why_it_cannot(messages):
    proxy = travel_time(Input=image(), Backend="CUDA")
    if output(proxy).GetNumberOfPoints():
        assert information(proxy, "BackendUsed") == "CUDA"
    else:
        assert_error(messages, proxy, "CUDA")


@pytest.mark.parametrize("two_way", [False, True])
def test_abort_leaves_empty_outputs_and_the_next_apply_works(messages, two_way):
    """In the middle: at the first progress, or in the solve from the targets."""
    proxy = simple.IsochroneImageTravelTime(Input=image(extent=(0, 20, 0, 20, 0, 20)), TipPoints=[3, 3, 3],
                                            Targets=points([(9, 9, 9)]) if two_way else None)
    algorithm = proxy.GetClientSideObject()
    late = 0.4 if two_way else 0
    tag = algorithm.AddObserver(
        "ProgressEvent", lambda *_: algorithm.GetProgress() >= late and algorithm.SetAbortExecute(1))
    proxy.UpdatePipeline()
    assert "stopped on request" in messages()
    for port in range(2):
        assert output(proxy, port).GetNumberOfPoints() == 0
    algorithm.RemoveObserver(tag)
    algorithm.SetAbortExecute(0)
    algorithm.Update()
    assert np.isfinite(array(output(proxy), "TravelTime")).all()
    assert output(proxy, 1).GetNumberOfCells() == 1 + two_way


def test_a_good_input_after_a_bad_one_works(messages):
    proxy = travel_time(Input=image(), ConstantSpeed=-1)
    assert "ERROR" in messages()
    proxy.ConstantSpeed = 2
    proxy.UpdatePipeline()
    assert array(output(proxy), "Reached").all()
