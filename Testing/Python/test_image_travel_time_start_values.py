"""Isochrone Image Travel Time: start values of any size, such as seconds since 1970."""
import numpy as np
import pytest

from pipelines import array, assert_error, cell_array, image, output, points, travel_time

UNIX_TIME = 1.7e9
SEED = (5, 8, 0)
RIGHT = (15, 8, 0)


def starting_at(value, **settings):
    return travel_time(Input=image(), Seeds=points([SEED], StartValue=np.array([value])), **settings)


@pytest.mark.parametrize("start", [UNIX_TIME, -UNIX_TIME, 3e5, 1e15 / 1024])
def test_a_large_start_value_is_added_exactly(start):
    start = float(start)
    base = array(output(starting_at(0.0)), "TravelTime")
    later = output(starting_at(start)).GetPointData().GetArray("TravelTime")
    assert later.GetDataTypeAsString() == "double"
    assert (array(output(starting_at(start)), "TravelTime") == start + base.astype(float)).all()


@pytest.mark.parametrize("start", [0.0, 3.0, -3.0, 500.0])
def test_small_start_values_give_single_precision(start):
    out = output(starting_at(start))
    assert out.GetPointData().GetArray("TravelTime").GetDataTypeAsString() == "float"
    assert array(out, "TravelTime") == pytest.approx(start + array(output(starting_at(0.0)), "TravelTime"), abs=4e-5)


def test_derived_results_include_the_start_value():
    def build(start):
        return starting_at(start, TipPoints=[15, 3, 0], Targets=points([RIGHT], StartValue=np.array([start + 1])),
                           ComputeGradient=1, StoppingTime=start + 12, CheckResidual=1)
    none, large = build(0.0), build(UNIX_TIME)
    for name, origins in (("TravelTime", 1), ("TimeFromTargets", 1), ("TwoWayTime", 2)):
        expected = array(output(none), name).astype(float) + origins * UNIX_TIME
        assert array(output(large), name) == pytest.approx(expected, abs=1e-6, rel=0, nan_ok=True), name
    assert (array(output(large), "Gradient") == array(output(none), "Gradient")).all()
    assert large.Residual < 1e-6
    both = array(output(large), "TwoWayTime")
    assert array(output(large), "Connectivity") == pytest.approx(np.nan_to_num(np.nanmin(both) / both), abs=1e-7, rel=0)
    lines = [output(proxy, 1) for proxy in (none, large)]
    assert array(lines[1], "TravelTime") == pytest.approx(array(lines[0], "TravelTime") + UNIX_TIME, abs=1e-6, rel=0)
    assert cell_array(lines[1], "TravelTime") == pytest.approx(cell_array(lines[0], "TravelTime") + UNIX_TIME, abs=1e-6, rel=0)


def test_a_change_of_the_start_value_alone_takes_effect():
    proxy = starting_at(UNIX_TIME, TipPoints=[15, 3, 0])
    before = array(output(proxy), "TravelTime").copy(), array(output(proxy, 1), "TravelTime").copy()
    proxy.Seeds = points([SEED], StartValue=np.array([UNIX_TIME + 60]))
    proxy.UpdatePipeline()
    assert array(output(proxy), "TravelTime") == pytest.approx(before[0] + 60, abs=1e-6, rel=0)
    assert array(output(proxy, 1), "TravelTime") == pytest.approx(before[1] + 60, abs=1e-6, rel=0)


def test_seeds_that_start_shortly_after_each_other_keep_their_difference():
    seeds = points([SEED, RIGHT], StartValue=np.array([UNIX_TIME + 0.25, UNIX_TIME]), Label=np.array([3, 4]))
    out = output(travel_time(Input=image(), Seeds=seeds))
    time, ids = array(out, "TravelTime").reshape(17, 21), array(out, "SeedId").reshape(17, 21)
    assert time[8, 5] - UNIX_TIME == 0.25 and time[8, 15] - UNIX_TIME == 0
    assert ids[8, 9] == 3 and ids[8, 10] == 4


def test_the_start_value_of_an_unused_seed_has_no_effect(messages):
    seeds = points([SEED, (1000, 0, 0)], StartValue=np.array([UNIX_TIME, 0]))
    out = output(travel_time(Input=image(), Seeds=seeds))
    assert "1 of 2 seeds are not used" in messages()
    assert (array(out, "TravelTime") == UNIX_TIME + array(output(starting_at(0.0)), "TravelTime").astype(float)).all()


def test_start_values_too_far_apart_give_a_warning(messages):
    wall = np.zeros((17, 21))
    wall[:, 10] = 1
    seeds = points([SEED, RIGHT], StartValue=np.array([0, UNIX_TIME]))
    proxy = travel_time(Input=image(w=wall.ravel()), BarrierArray=["POINTS", "w"], Seeds=seeds)
    assert array(output(proxy), "TravelTime").reshape(17, 21)[8, 15] == pytest.approx(UNIX_TIME)
    assert "seed 1 starts 1.7e+09 after the earliest one" in messages() and "closer together" in messages()


def test_a_late_seed_overrun_by_another_front_gives_no_warning():
    output(travel_time(Input=image(), Seeds=points([SEED, RIGHT], StartValue=np.array([0, UNIX_TIME]))))


@pytest.mark.parametrize("start", [1e17, 1e39, -1e39, 1e300])
def test_start_values_beyond_double_precision_are_refused(messages, start):
    assert_error(messages, starting_at(start), "start value", "%g" % start, "lose their digits even in double")


def test_start_values_beyond_single_precision_of_each_other_are_refused(messages):
    proxy = travel_time(Input=image(), Seeds=points([SEED, RIGHT], StartValue=np.array([0, 1e39])))
    assert_error(messages, proxy, "start value must be within 1e+30", "1e+39 at seed 1")


def test_stopping_time_before_the_start_value_is_refused(messages):
    assert_error(messages, starting_at(UNIX_TIME, StoppingTime=5), "stopping time, 5,", "1.7e+09", "0 for none")
