"""Isochrone Distance Transform: bad input produces a message with the remedy, and valid empty outputs."""
import numpy as np
import pytest
from vtkmodules.vtkCommonDataModel import vtkMultiBlockDataSet

from pipelines import (add_arrays, array, assert_error, distance_transform, image, image_data, output, points,
                       source, string_array, structured_grid)

ONES = np.ones(21 * 17)


def with_array(**properties):
    return distance_transform(Input=image(a=ONES), **properties)


# ------------------------------------------------------------------------------------------------- arrays
def test_missing_array_lists_the_available_ones(messages):
    proxy = with_array(SiteArray=["POINTS", "density"])
    assert_error(messages, proxy, "the site array 'density' is not on the input: choose one of its point arrays (a)")
    assert "None" not in messages()


def test_missing_cell_array_lists_the_available_ones(messages):
    data = image_data(a=ONES)
    add_arrays(data.GetCellData(), {"height": np.ones(320)})
    proxy = distance_transform(Input=source(data), SiteArray=["CELLS", "density"])
    assert_error(messages, proxy, "'density' is not on the input", "cell arrays (height)")


def test_image_without_an_array(messages):
    proxy = distance_transform(Input=image(rgb=np.ones((357, 3))), SiteArray=["POINTS", "None"])
    assert_error(messages, proxy, "no array defines the sites", "Calculator")


def test_array_of_strings(messages):
    data = image_data()
    data.GetPointData().AddArray(string_array("a", data.GetNumberOfPoints()))
    assert_error(messages, distance_transform(Input=source(data)), "the site array 'a'", "choose a numeric array")


def test_array_of_several_components(messages):
    proxy = distance_transform(Input=image(a=np.ones((357, 3))))
    assert_error(messages, proxy, "the site array 'a' has 3 components", "Calculator")


# ------------------------------------------------------------------------------------------------- properties
def test_descending_range(messages):
    assert_error(messages, with_array(SiteMode="Range", SiteRange=[5, 1]), "Site Range must be ascending, got 5 to 1", "exchange")


@pytest.mark.parametrize("ends", [[np.nan, 1], [0, np.nan]])
def test_range_with_nan(messages, ends):
    assert_error(messages, with_array(SiteMode="Range", SiteRange=ends), "Site Range must be ascending", "nan")


@pytest.mark.parametrize("label", [2 ** 53 + 2, -2.0 ** 60, np.nan])
def test_label_that_may_have_been_rounded(messages, label):
    assert_error(messages, with_array(SiteMode="Label", SiteLabel=label), "Site Label must be between", "smaller labels")


@pytest.mark.parametrize("distance", [-1, np.nan])
def test_maximum_distance_that_is_negative_or_nan(messages, distance):
    assert_error(messages, with_array(MaximumDistance=distance), "maximum distance", "0: no limit", str(distance))


def test_tips_from_an_unconnected_input(messages):
    assert_error(messages, with_array(TipType="Input"), "no tips", "connect", "set their type to Points")


def test_tips_input_without_points_gives_no_segments():
    assert output(with_array(Tips=points([])), 1).GetNumberOfCells() == 0


# ------------------------------------------------------------------------------------------------- grids
def test_empty_image(messages):
    proxy = distance_transform(Input=image(extent=(0, -1, 0, -1, 0, -1)))
    assert_error(messages, proxy, "0 x 0 x 0 points", "empty", "check")


@pytest.mark.parametrize("spacing", [0, np.nan, np.inf])
def test_spacing_that_is_zero_or_not_finite(messages, spacing):
    proxy = distance_transform(Input=image(spacing=(1, spacing, 1), a=ONES))
    assert_error(messages, proxy, "spacing", "axis 1", "correct it")


def test_composite_input(messages):
    blocks = vtkMultiBlockDataSet()
    blocks.SetBlock(0, image_data(a=ONES))
    assert_error(messages, distance_transform(Input=source(blocks)), "vtkMultiBlockDataSet", "Merge Blocks",
                 "Extract Block")


def test_other_grids(messages):
    assert_error(messages, distance_transform(Input=source(structured_grid())), "vtkStructuredGrid", "rectilinear grid or image",
                 "vtkImageData", "Resample To Image")


def test_image_too_large_for_memory_is_refused_with_numbers(messages):
    proxy = distance_transform(Input=image(extent=(0, 4999, 0, 4999, 0, 4999)))
    assert_error(messages, proxy, "5000 x 5000 x 5000 points", "memory")


@pytest.mark.parametrize("extent", [(0, 9, 4, 4, 0, 0), (3, 3, 0, 9, 1, 1), (3, 3, 4, 4, 0, 9)])
def test_image_of_one_row_is_a_line(extent):
    proxy = distance_transform(Input=image(extent=extent, a=(np.arange(10) == 3).astype(float)))
    assert (array(output(proxy), "Distance") == abs(np.arange(10) - 3)).all()


def test_image_of_one_point_is_its_site():
    out = output(distance_transform(Input=image(extent=(3, 3, 4, 4, 5, 5), a=np.ones(1))))
    assert list(array(out, "Distance")) == [0] and list(array(out, "NearestSite")) == [0]


# ------------------------------------------------------------------------------------------------- runs
def test_an_error_is_reported_once_until_something_changes(messages):
    proxy = with_array(MaximumDistance=-1)
    for _ in range(3):
        proxy.UpdatePipeline()
    assert messages().count("ERROR") == 1
    proxy.MaximumDistance = -2
    proxy.UpdatePipeline()
    assert messages().count("ERROR") == 2


def test_a_good_input_after_a_bad_one_works(messages):
    proxy = with_array(SiteArray=["POINTS", "density"])
    assert "ERROR" in messages()
    proxy.SiteArray = ["POINTS", "a"]
    proxy.UpdatePipeline()
    assert (array(output(proxy), "Distance") == 0).all()


def test_cuda_runs_or_reports_the_reason(messages):
    proxy = with_array(Backend="CUDA")
    if output(proxy).GetNumberOfPoints() == 0:
        assert_error(messages, proxy, "CUDA")


def test_abort_leaves_empty_outputs_and_the_next_apply_works(messages):
    proxy = with_array(TipPoints=[3, 3, 0])
    proxy.MaximumDistance = 5
    algorithm = proxy.GetClientSideObject()
    tag = algorithm.AddObserver("ProgressEvent", lambda *_: algorithm.SetAbortExecute(1))
    proxy.UpdatePipeline()
    assert "stopped on request" in messages()
    for port in range(2):
        assert output(proxy, port).GetNumberOfPoints() == 0
    algorithm.RemoveObserver(tag)
    algorithm.SetAbortExecute(0)
    algorithm.Update()
    assert (array(output(proxy), "Distance") == 0).all() and output(proxy, 1).GetNumberOfCells() == 1


def test_progress_never_decreases_and_ends_at_one():
    proxy = with_array(TipPoints=[3, 3, 0])
    algorithm, seen = proxy.GetClientSideObject(), []
    algorithm.AddObserver("ProgressEvent", lambda *_: seen.append(algorithm.GetProgress()))
    proxy.MaximumDistance = 5
    proxy.UpdatePipeline()
    work = [p for p in seen if p > 0]
    assert work == sorted(work) and work[-1] == 1
