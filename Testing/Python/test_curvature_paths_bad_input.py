"""Isochrone Curvature Paths: bad input gives a message that says what to do, and valid empty outputs."""
import numpy as np
import pytest
from paraview import simple
from vtkmodules.vtkCommonDataModel import vtkMultiBlockDataSet

from pipelines import (add_arrays, array, assert_error, curvature_paths, image, image_data, information, output, points,
                       rectilinear_grid, source, string_array, structured_grid)


def with_cost(value):
    cost = np.ones((17, 21))
    cost[4, 3] = value
    return {"Input": image(c=cost.ravel()), "CostArray": ["POINTS", "c"]}


def test_seeds_input_without_points(messages):
    assert_error(messages, curvature_paths(Input=image(), Seeds=points([]), SeedType="Input"), "no seeds")


def test_seed_type_input_with_nothing_connected(messages):
    assert_error(messages, curvature_paths(Input=image(), SeedType="Input"), "no seeds", "connect")


def test_tip_type_input_with_nothing_connected(messages):
    assert_error(messages, curvature_paths(Input=image(), TipType="Input"), "no tips", "connect")


def test_all_seeds_outside(messages):
    proxy = curvature_paths(Input=image(), SeedPoints=[100, 0, 0, -100, 0, 0])
    assert_error(messages, proxy, "seed", "outside")


def test_all_seeds_in_walls(messages):
    walls = np.zeros((17, 21), np.uint8)
    walls[8, 10] = 1
    proxy = curvature_paths(Input=image(w=walls.ravel()), WallArray=["POINTS", "w"], SeedPoints=[10, 8, 0])
    assert_error(messages, proxy, "seed", "wall")


def test_some_seeds_outside_or_in_walls_are_counted_and_named(messages):
    walls = np.zeros((17, 21), np.uint8)
    walls[8, 10] = 1
    proxy = curvature_paths(Input=image(w=walls.ravel()), WallArray=["POINTS", "w"],
                            SeedPoints=[100, 0, 0, 10, 8, 0, 3, 3, 0])
    text = messages()
    assert "ERROR" not in text and "Warning" in text
    assert "2 of 3 seeds" in text and "seed 0 at (100, 0, 0) lies outside" in text and "seed 1 at (10, 8, 0)" in text
    out = output(proxy)
    status = out.GetFieldData().GetAbstractArray("SeedStatus")
    assert [status.GetValue(s) for s in range(3)] == ["Outside", "InWall", "Inside"]
    assert set(array(out, "SeedId")) == {-1, 2}


def test_seed_that_is_not_finite_lies_outside(messages):
    curvature_paths(Input=image(), Seeds=points([(float("nan"), 0, 0), (3, 3, 0)]))
    assert "1 of 2 seeds" in messages()


@pytest.mark.parametrize("value", [0, -1, np.nan, np.inf])
def test_cost_that_is_not_positive_and_finite(messages, value):
    assert_error(messages, curvature_paths(**with_cost(value)), "cost", "point (3, 4, 0) at (3, 4, 0)", "wall")


def test_errors_name_a_point_by_its_index_in_the_image_and_its_place(messages):
    cost = np.ones((17, 21))
    cost[4, 3] = -1
    input_ = image(extent=(-7, 13, 2, 2, 100, 116), spacing=(0.5, 1, 1), origin=(20, 5, -100), c=cost.ravel())
    proxy = curvature_paths(Input=input_, CostArray=["POINTS", "c"])
    assert_error(messages, proxy, "-1 at point (-4, 2, 104) at (18, 7, 4)")


def test_seeds_outside_are_told_where_the_image_lies(messages):
    input_ = image(extent=(-7, 13, 100, 116, 3, 3), origin=(20, -100, 7))
    proxy = curvature_paths(Input=input_, SeedPoints=[0, 0, 0])
    assert_error(messages, proxy, "point (-7, 100, 3) at (13, 0, 10) to point (13, 116, 3) at (33, 16, 10)")


def test_an_error_is_said_once_until_something_changes(messages):
    data = image_data(c=np.zeros(21 * 17))
    proxy = curvature_paths(Input=source(data), CostArray=["POINTS", "c"], SeedPoints=[3, 3, 0])
    for port in (0, 1, 2, 0):
        simple.OutputPort(proxy, port).UpdatePipeline()
    assert messages().count("ERROR") == 1
    proxy.NumberOfHeadings = 20
    proxy.UpdatePipeline()
    assert messages().count("ERROR") == 2
    data.GetPointData().GetArray("c").Modified()
    proxy.Input.GetClientSideObject().Modified()
    proxy.GetClientSideObject().Update()
    assert messages().count("ERROR") == 3


def test_bad_cost_in_walls_does_not_matter():
    walls = np.zeros((17, 21), np.uint8)
    walls[4, 3] = 1
    data = image_data(w=walls.ravel(), c=np.where(walls, np.nan, 1.0).ravel())
    proxy = curvature_paths(Input=source(data), CostArray=["POINTS", "c"], WallArray=["POINTS", "w"])
    assert array(output(proxy), "Reached").sum() == 21 * 17 - 1


@pytest.mark.parametrize("radius", [0, -1])
def test_turning_radius_that_is_not_positive(messages, radius):
    assert_error(messages, curvature_paths(Input=image(), TurningRadius=radius), "turning radius", str(radius))


def test_turning_radius_array_that_is_not_positive(messages):
    radius = np.ones((17, 21))
    radius[4, 3] = -2
    proxy = curvature_paths(Input=image(xi=radius.ravel()), TurningRadiusArray=["POINTS", "xi"])
    assert_error(messages, proxy, "turning radius", "-2", "point (3, 4, 0)")


@pytest.mark.parametrize("relaxation", [0, 0.6])
def test_relaxation_out_of_range(messages, relaxation):
    assert_error(messages, curvature_paths(Input=image(), Relaxation=relaxation), "relaxation")


@pytest.mark.parametrize("headings", [0, 1, -3])
def test_too_few_headings(messages, headings):
    assert_error(messages, curvature_paths(Input=image(), NumberOfHeadings=headings), "heading", str(headings))


def test_oriented_cost_whose_planes_do_not_match(messages):
    oriented = image(extent=(0, 9, 0, 16, 0, 7), density=np.ones(10 * 17 * 8))
    proxy = curvature_paths(Input=image(), OrientedCost=oriented)
    assert_error(messages, proxy, "10 x 17", "21 x 17", "resample")


def test_oriented_cost_without_scalars(messages):
    proxy = curvature_paths(Input=image(), OrientedCost=image(extent=(0, 20, 0, 16, 0, 7)))
    assert_error(messages, proxy, "oriented cost", "scalars")


def test_three_dimensional_input(messages):
    proxy = curvature_paths(Input=image(extent=(0, 4, 0, 5, 0, 6)))
    assert_error(messages, proxy, "5 x 6 x 7", "2D", "Extract Subset")


@pytest.mark.parametrize("extent, size", [((3, 3, 4, 4, 0, 0), "1 x 1 x 1"), ((0, 9, 4, 4, 0, 0), "10 x 1 x 1")])
def test_image_of_one_pixel_or_one_row(messages, extent, size):
    assert_error(messages, curvature_paths(Input=image(extent=extent)), size, "at least 2 points")


def test_empty_image(messages):
    proxy = curvature_paths(Input=image(extent=(0, -1, 0, -1, 0, -1)))
    assert_error(messages, proxy, "empty")


def test_unreachable_tips_are_named_and_have_no_line(messages):
    walls = np.zeros((17, 21), np.uint8)
    walls[:, 15] = 1
    proxy = curvature_paths(Input=image(w=walls.ravel()), WallArray=["POINTS", "w"], SeedPoints=(5, 8, 0),
                            TipPoints=[8, 8, 0, 18, 8, 0, 15, 3, 0, 50, 0, 0])
    text = messages()
    assert "3 of 4 tips" in text and "ERROR" not in text
    assert "tip 1 at (18, 8, 0) cannot be reached" in text and "tip 2 at (15, 3, 0) lies in a wall" in text
    assert "tip 3 at (50, 0, 0) lies outside" in text
    out = output(proxy, 1)
    assert out.GetNumberOfCells() == 1 and out.GetCellData().GetArray("TipId").GetValue(0) == 0
    status = out.GetFieldData().GetAbstractArray("TipStatus")
    assert [status.GetValue(t) for t in range(4)] == ["Complete", "Unreachable", "TipInWall", "TipOutside"]


def test_cost_of_strings(messages):
    data = image_data()
    data.GetPointData().AddArray(string_array("words", data.GetNumberOfPoints()))
    assert_error(messages, curvature_paths(Input=source(data), CostArray=["POINTS", "words"]), "words", "numbers")


def test_cost_of_several_components(messages):
    proxy = curvature_paths(Input=image(rgb=np.ones((21 * 17, 3))), CostArray=["POINTS", "rgb"])
    assert_error(messages, proxy, "'rgb' has 3 components", "Calculator")


def test_cost_on_cells(messages):
    data = image_data()
    add_arrays(data.GetCellData(), {"c": np.ones(20 * 16)})
    proxy = curvature_paths(Input=source(data), CostArray=["CELLS", "c"])
    assert_error(messages, proxy, "cell array", "Cell Data To Point Data")


def test_cost_array_that_is_not_there_lists_what_is(messages):
    proxy = curvature_paths(Input=image(speed=np.ones(21 * 17)), CostArray=["POINTS", "cost"])
    assert_error(messages, proxy, "'cost' is not on the input", "speed")


def test_seed_array_of_several_components(messages):
    seeds = points([(3, 3, 0)], Heading=np.ones((1, 3)))
    assert_error(messages, curvature_paths(Input=image(), Seeds=seeds), "Heading", "3 components")


def test_composite_input(messages):
    blocks = vtkMultiBlockDataSet()
    blocks.SetBlock(0, image_data())
    assert_error(messages, curvature_paths(Input=source(blocks)), "vtkMultiBlockDataSet", "Merge Blocks",
                 "Extract Block")


@pytest.mark.parametrize("data", [rectilinear_grid(), structured_grid()])
def test_other_grids(messages, data):
    assert_error(messages, curvature_paths(Input=source(data)), data.GetClassName(), "Resample To Image")


def test_grid_too_large_for_memory_is_refused_with_numbers(messages):
    proxy = curvature_paths(Input=image(extent=(0, 3999, 0, 3999, 0, 0)), NumberOfHeadings=200000)
    assert_error(messages, proxy, "200000", "memory")


def test_cuda_runs_or_says_why_it_cannot(messages):
    proxy = curvature_paths(Input=image(), Backend="CUDA")
    if output(proxy).GetNumberOfPoints():
        assert information(proxy, "BackendUsed") == "CUDA"
    else:
        assert_error(messages, proxy, "CUDA")


def test_abort_leaves_empty_outputs_and_the_next_apply_works(messages):
    proxy = simple.IsochroneCurvaturePaths(Input=image(), NumberOfHeadings=16, TurningRadius=2.0, TipPoints=[3, 3, 0])
    algorithm = proxy.GetClientSideObject()
    tag = algorithm.AddObserver("ProgressEvent", lambda *_: algorithm.SetAbortExecute(1))
    proxy.UpdatePipeline()
    assert "stopped on request" in messages()
    for port in range(3):
        assert output(proxy, port).GetNumberOfPoints() == 0
    algorithm.RemoveObserver(tag)
    algorithm.SetAbortExecute(0)
    algorithm.Update()
    assert np.isfinite(array(output(proxy), "TravelTime")).all() and output(proxy, 1).GetNumberOfCells() == 1


def test_a_good_input_after_a_bad_one_works(messages):
    proxy = curvature_paths(Input=image(), TurningRadius=-1)
    assert "ERROR" in messages()
    proxy.TurningRadius = 2.0
    proxy.UpdatePipeline()
    assert array(output(proxy), "Reached").all()
