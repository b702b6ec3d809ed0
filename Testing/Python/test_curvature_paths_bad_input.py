"""Isochrone Curvature Paths: bad input produces a message with the remedy, and valid empty outputs."""
import numpy as np
import pytest

from pipelines import add_arrays, assert_error, curvature_paths, image, image_data, source


def with_cost(value):
    cost = np.ones((17, 21))
    cost[4, 3] = value
    return {"Input": image(c=cost.ravel()), "CostArray": ["POINTS", "c"]}


@pytest.mark.parametrize("value", [0, -1, np.nan, np.inf])
def test_cost_that_is_not_positive_and_finite(messages, value):
    assert_error(messages, curvature_paths(**with_cost(value)), "cost", "point (3, 4, 0) at (3, 4, 0)", "wall")


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


def test_oriented_cost_with_other_planes(messages):
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


def test_cost_on_cells(messages):
    data = image_data()
    add_arrays(data.GetCellData(), {"c": np.ones(20 * 16)})
    proxy = curvature_paths(Input=source(data), CostArray=["CELLS", "c"])
    assert_error(messages, proxy, "cell array", "Cell Data To Point Data")


def test_grid_too_large_for_memory_is_refused_with_numbers(messages):
    proxy = curvature_paths(Input=image(extent=(0, 3999, 0, 3999, 0, 0)), NumberOfHeadings=200000)
    assert_error(messages, proxy, "200000", "memory")


# ------------------------------------------------------------------------------------------------- oriented costs
def test_a_plane_image_as_oriented_cost_names_its_points_and_the_filter_that_makes_one(messages):
    proxy = curvature_paths(Input=image(), OrientedCost=image(a=np.ones(21 * 17)))
    assert_error(messages, proxy, "21 x 17 x 1 points", "the heading", "Isochrone Oriented Cost")


# ------------------------------------------------------------------------------------------------- long solves
def with_seeds(number, accuracy="Seed Ball", low=1.0, **properties):
    """Solves for seeds with a cost that varies, fast for so many."""
    cost = np.random.default_rng(2).uniform(low, 2, 21 * 17)
    seeds = [c for k in range(number) for c in (k % 20, k // 20, 0)]
    return curvature_paths(Input=image(c=cost), CostArray=["POINTS", "c"], SeedPoints=seeds, NumberOfHeadings=24, Accuracy=accuracy,
                           Model="Elastica", TurningRadius=300, **properties)


@pytest.mark.parametrize("accuracy, said", [("First Order", False), ("Seed Ball", True), ("Second Order", True)])
def test_many_seeds_are_announced_with_a_bound(messages, accuracy, said):
    with_seeds(80, accuracy)
    text = messages()
    assert "ERROR" not in text and ("First Order" in text) == said
    assert ("near 80 seeds, for 24 headings, take up to about 25 seconds" in text) == said, text


def test_both_legs_of_a_round_trip_are_announced(messages):
    with_seeds(40, Route="Round Trip")
    assert "near 40 seeds, for 24 headings, take up to about 25 seconds" in messages()


def test_few_seeds_are_not_announced(messages):
    with_seeds(2)
    assert "First Order" not in messages()


def test_an_invalid_problem_is_not_announced(messages):
    assert_error(messages, with_seeds(80, low=-1.0), "cost must be positive")
    assert "First Order" not in messages()
