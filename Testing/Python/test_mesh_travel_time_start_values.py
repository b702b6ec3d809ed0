"""Isochrone Mesh Travel Time: start values of any size, such as seconds since 1970, and labels that SeedId can hold."""
import numpy as np
import pytest

from pipelines import array, assert_error, cube, mesh, mesh_travel_time, output, points

AT, CELLS = cube(4)
UNIX_TIME = 1.7e9
SEED, OTHER = tuple(AT[0]), tuple(AT[-1])


def starting_at(*values, **settings):
    seeds = points([SEED, OTHER][:len(values)], StartValue=np.array(values, dtype=float), **settings.pop("arrays", {}))
    return mesh_travel_time(Input=mesh(AT, CELLS), Seeds=seeds, **settings)


@pytest.mark.parametrize("start", [UNIX_TIME, -UNIX_TIME])
def test_a_large_start_value_is_added_exactly(start):
    base = array(output(starting_at(0.0)), "TravelTime")
    later = starting_at(start)
    assert output(later).GetPointData().GetArray("TravelTime").GetDataTypeAsString() == "double"
    assert (array(output(later), "TravelTime") == start + base.astype(float)).all()


def test_small_start_values_give_single_precision():
    out = output(starting_at(3.0))
    assert out.GetPointData().GetArray("TravelTime").GetDataTypeAsString() == "float"
    assert array(out, "TravelTime") == pytest.approx(3 + array(output(starting_at(0.0)), "TravelTime"), abs=1e-6)


def test_paths_include_the_start_value():
    lines = [array(output(starting_at(start, TipPoints=list(OTHER)), 1), "TravelTime") for start in (0.0, UNIX_TIME)]
    assert lines[1] == pytest.approx(lines[0] + UNIX_TIME, abs=1e-6, rel=0)


def test_seeds_that_start_shortly_after_each_other_keep_their_difference():
    time = array(output(starting_at(UNIX_TIME + 0.25, UNIX_TIME)), "TravelTime")
    assert time[0] - UNIX_TIME == 0.25 and time[-1] - UNIX_TIME == 0


@pytest.mark.parametrize("start", [1e17, 1e39, 1e300])
def test_start_values_beyond_double_precision_are_refused(messages, start):
    assert_error(messages, starting_at(start), "start value", "%g" % start, "lose their digits even in double")


def test_start_values_beyond_single_precision_of_each_other_are_refused(messages):
    assert_error(messages, starting_at(0, 1e39), "the StartValue of seed 1", "1e+39", "closer together")


@pytest.mark.parametrize("label", [-1, 0.5, float("nan"), 2.0 ** 31, 5e12])
def test_labels_beyond_the_range_of_seed_ids_are_refused(messages, label):
    proxy = starting_at(0, 0, arrays={"Label": np.array([3.0, label])})
    assert_error(messages, proxy, "seed 1", "has the label", "32-bit integers")
