"""Isochrone Image Travel Time: bad input produces a message with the remedy, and valid empty outputs."""
import numpy as np
import pytest

from pipelines import array, assert_error, image, output, points, travel_time


def with_speed(value, kind=float):
    speed = np.ones((17, 21), kind)
    speed[4, 3] = value
    return {"Input": image(f=speed.ravel()), "SpeedArray": ["POINTS", "f"]}


# ------------------------------------------------------------------------------------------------- seeds
def test_targets_input_without_points(messages):
    assert_error(messages, travel_time(Input=image(), Targets=points([])), "no targets", "connect another")


def test_all_targets_outside(messages):
    proxy = travel_time(Input=image(), Targets=points([(100, 0, 0)]))
    assert_error(messages, proxy, "targets", "1 of 1 lie outside", "to point (20, 16, 0)", "move one")


def test_some_targets_outside_are_counted_and_listed(messages):
    proxy = travel_time(Input=image(), Targets=points([(100, 0, 0), (3, 3, 0)]))
    assert "1 of 2 targets" in messages() and "target 0 at (100, 0, 0)" in messages()
    status = output(proxy).GetFieldData().GetAbstractArray("TargetStatus")
    assert [status.GetValue(s) for s in range(2)] == ["Outside", "Inside"]


def test_start_value_that_is_not_finite(messages):
    seeds = points([(3, 3, 0)], StartValue=np.array([np.nan]))
    assert_error(messages, travel_time(Input=image(), Seeds=seeds), "start value", "nan", "seed 0")


def test_seed_region_without_an_array(messages):
    assert_error(messages, travel_time(Input=image(), SeedType="Region"), "the seed is a region", "choose the Seed Region Array")


def test_seed_region_without_points(messages):
    proxy = travel_time(Input=image(m=np.zeros(21 * 17)), SeedType="Region", SeedRegionArray=["POINTS", "m"])
    assert_error(messages, proxy, "seed region", "empty", "give it points")


def test_seed_region_in_barriers(messages):
    mask = np.ones(21 * 17)
    proxy = travel_time(Input=image(m=mask), SeedType="Region", SeedRegionArray=["POINTS", "m"],
                        BarrierArray=["POINTS", "m"])
    assert_error(messages, proxy, "seed region", "barriers", "give it points")


# ------------------------------------------------------------------------------------------------- speed
@pytest.mark.parametrize("kind", [np.float64, np.int16])
def test_negative_speed_is_refused_by_place(messages, kind):
    proxy = travel_time(**with_speed(-2, kind))
    assert_error(messages, proxy, "speed must be finite and not negative (0 in barriers)", "-2 at point (3, 4, 0)")


def test_infinite_speed_is_refused_by_place(messages):
    proxy = travel_time(**with_speed(np.inf))
    assert_error(messages, proxy, "speed must be finite and not negative", "inf at point (3, 4, 0)")


def test_slowness_zero_is_refused_by_place(messages):
    proxy = travel_time(**with_speed(0), SpeedType="Slowness")
    assert_error(messages, proxy, "slowness must be positive (+infinity in barriers)", "0 at point (3, 4, 0)")


def test_errors_name_a_point_by_its_index_in_the_image_and_its_place(messages):
    speed = np.ones((9, 17, 21))
    speed[2, 4, 3] = -1
    input_ = image(extent=(-7, 13, 100, 116, 3, 11), spacing=(0.5, 1, 2), origin=(20, -100, 7), f=speed.ravel())
    proxy = travel_time(Input=input_, SpeedArray=["POINTS", "f"])
    assert_error(messages, proxy, "-1 at point (-4, 104, 5) at (18, 4, 17)")


@pytest.mark.parametrize("speed", [0, -1])
def test_constant_speed_that_is_not_positive(messages, speed):
    assert_error(messages, travel_time(Input=image(), ConstantSpeed=speed), "speed must be positive", str(speed))


@pytest.mark.parametrize("barrier", [0, np.nan])
def test_image_of_barriers_only(messages, barrier):
    proxy = travel_time(Input=image(f=np.full(21 * 17, barrier)), SpeedArray=["POINTS", "f"])
    assert_error(messages, proxy, "no seed can be used", "in barriers", "move one to a point where the speed is positive")


def test_negative_stopping_time(messages):
    assert_error(messages, travel_time(Input=image(), StoppingTime=-1), "stopping time", "0 for none", "-1")


@pytest.mark.parametrize("role", ["SpeedArray", "BarrierArray", "SeedRegionArray"])
def test_arrays_of_several_components(messages, role):
    proxy = travel_time(Input=image(rgb=np.ones((21 * 17, 3))), SeedType="Region" if "Seed" in role else "Points",
                        **{role: ["POINTS", "rgb"]})
    assert_error(messages, proxy, "'rgb' has 3 components", "Calculator")


# ------------------------------------------------------------------------------------------------- grids
@pytest.mark.parametrize("extent", [(0, 9, 4, 4, 0, 0), (3, 3, 0, 9, 1, 1), (3, 3, 4, 4, 0, 9)])
def test_image_of_one_row_is_a_line(extent):
    proxy = travel_time(Input=image(extent=extent))
    assert array(output(proxy), "TravelTime") == pytest.approx(abs(np.arange(10) - 4.5))


def test_image_of_one_point_is_its_seed():
    out = output(travel_time(Input=image(extent=(3, 3, 4, 4, 5, 5))))
    assert list(array(out, "TravelTime")) == [0] and list(array(out, "Reached")) == [1]


def test_image_too_large_for_memory_is_refused_with_numbers(messages):
    proxy = travel_time(Input=image(extent=(0, 4999, 0, 4999, 0, 4999)))
    assert_error(messages, proxy, "5000 x 5000 x 5000 points", "memory")


