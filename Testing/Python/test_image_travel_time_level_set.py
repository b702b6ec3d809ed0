"""Isochrone Image Travel Time: fronts that start from a level set between the points."""
import numpy as np
import pytest

from pipelines import add_arrays, array, assert_error, image, image_data, lines, names, output, source, travel_time, volume

BOX = {"extent": (0, 26, 0, 24, 0, 22)}
SHAPE = (23, 25, 27)  # [k, j, i]
CENTRE, RADIUS = (13.2, 11.7, 11.1), 8.3


def ball():
    k, j, i = np.indices(SHAPE)
    return np.sqrt((i - CENTRE[0]) ** 2 + (j - CENTRE[1]) ** 2 + (k - CENTRE[2]) ** 2) - RADIUS


def front(values, **properties):
    properties = {"SeedType": "Level Set", "SeedRegionArray": ["POINTS", "phi"], "SpeedArray": ["POINTS", "None"], **properties}
    return travel_time(Input=image(**BOX, phi=np.asarray(values).ravel()), **properties)


def test_front_starts_between_the_points_on_both_sides():
    time = volume(output(front(ball(), Order=2)), "TravelTime")
    error = np.abs(time - np.abs(ball()))
    assert np.median(error) < 0.05 and error[np.abs(ball()) < 0.5].max() < 0.05


def test_iso_value_and_speed_apply():
    i = np.indices(SHAPE)[2].astype(float)
    time = volume(output(front(i, SeedIsoValue=4.25, ConstantSpeed=2)), "TravelTime")
    assert np.abs(time - np.abs(i - 4.25) / 2).max() < 1e-5


def test_paths_end_on_the_surface():
    proxy = front(ball(), TipPoints=[2, 3, 4, 13, 12, 11])
    for line in lines(output(proxy, 1)):
        ends = [np.linalg.norm(np.subtract(p, CENTRE)) for p in (line[0], line[-1])]
        assert min(abs(e - RADIUS) for e in ends) < 0.04


def test_output_has_one_seed_and_no_status():
    out = output(front(ball()))
    assert (array(out, "SeedId") == 0).all() and "SeedStatus" not in names(out.GetFieldData())


def test_iso_value_that_nothing_crosses(messages):
    assert_error(messages, front(ball(), SeedIsoValue=100), "no cell is crossed by the iso value", "within the range of the array")


def test_array_that_is_not_chosen(messages):
    assert_error(messages, front(ball(), SeedRegionArray=["POINTS", "None"]), "the seed is a level set, but no array defines it")


def test_cell_array_is_refused(messages):
    data = image_data(**BOX)
    add_arrays(data.GetCellData(), {"c": np.arange(26 * 24 * 22.)})
    proxy = travel_time(Input=source(data), SeedType="Level Set", SeedRegionArray=["CELLS", "c"], SpeedArray=["POINTS", "None"])
    assert_error(messages, proxy, "Cell Data To Point Data")


def test_values_that_are_not_numbers_start_no_front(messages):
    values = ball()
    values[11, 11, 4] = np.nan
    time = array(output(front(values)), "TravelTime")
    assert "1 values of 'phi' are NaN or infinite: no front starts in the cells around them" in messages()
    assert np.isfinite(time).all()


@pytest.mark.parametrize("iso", [np.nan, np.inf])
def test_iso_value_that_is_not_finite(messages, iso):
    assert_error(messages, front(ball(), SeedIsoValue=iso), "the iso value must be finite")
