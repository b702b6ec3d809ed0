"""Isochrone Oriented Cost: costs of tubes anywhere in the image, and the paths that follow them."""
import numpy as np
import pytest
from paraview import simple
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes

from pipelines import (QUARTER_TURN, array, image, image_data, lines, names, oriented_cost, output, source)

NX, NY = 41, 35


def cross(first=0.0, second=90.0, width=1.2):
    """Returns two bright tubes that cross at the centre, (y, x); directions in degrees."""
    y, x = np.mgrid[:NY, :NX] - np.array([NY // 2, NX // 2])[:, None, None]
    tubes = [np.exp(-(y * np.cos(a) - x * np.sin(a)) ** 2 / (2 * width**2)) for a in np.radians((first, second))]
    return np.maximum(*tubes)


def picture(values, **geometry):
    return image(**{"extent": (0, NX - 1, 0, NY - 1, 0, 0), **geometry}, intensity=values.ravel())


def costs(proxy):
    """Returns (heading, y, x) in the order of the image."""
    out = output(proxy)
    n = out.GetDimensions()
    return array(out, "Cost").reshape(n[2], n[1], n[0])


def least_heading(proxy):
    return array(output(proxy, 1), "Heading").reshape(NY, NX)[NY // 2, NX // 2]


@pytest.mark.parametrize("angle", range(4, 184, 15))
def test_the_heading_of_minimum_cost_is_along_the_tube(angle):
    proxy = oriented_cost(Input=picture(cross(angle, angle)), NumberOfHeadings=60)
    assert abs((least_heading(proxy) - angle + 90) % 180 - 90) <= 3.001


def test_outputs_are_the_cost_by_heading_and_the_image_with_the_minimum():
    proxy = oriented_cost(Input=picture(cross(), origin=(7, -3, 2), spacing=(0.5, 0.5, 1)), NumberOfHeadings=12)
    cost, least = output(proxy), output(proxy, 1)
    assert cost.GetDimensions() == (NX, NY, 12) and least.GetDimensions() == (NX, NY, 1)
    assert cost.GetOrigin() == least.GetOrigin() == (7, -3, 2)
    assert cost.GetSpacing() == pytest.approx((0.5, 0.5, (NY - 1) * 0.5 / 12))
    assert names(cost.GetPointData()) == ["Cost"] and cost.GetPointData().GetScalars().GetName() == "Cost"
    assert names(least.GetPointData()) == ["intensity", "LeastCost", "Heading"]
    assert least.GetPointData().GetScalars().GetName() == "LeastCost"
    assert (array(least, "LeastCost").reshape(NY, NX) == costs(proxy).min(axis=0)).all()
    fields = cost.GetFieldData()
    assert fields.GetArray("HeadingStep").GetValue(0) == 30
    assert fields.GetArray("StateSpaceHeight").GetValue(0) == (NY - 1) * 0.5
    assert fields.GetAbstractArray("ThirdAxis").GetValue(0).startswith("heading, 360 degrees")
    assert cost.GetPointData().GetArray("Cost").GetRange() == (costs(proxy).min(), costs(proxy).max())


def test_a_crossing_has_a_minimum_for_each_tube():
    proxy = oriented_cost(Input=picture(cross(0, 90)), NumberOfHeadings=16, Length=8)
    at_crossing = costs(proxy)[:, NY // 2, NX // 2]
    minima = [k for k in range(16) if at_crossing[k] < min(at_crossing[k - 1], at_crossing[(k + 1) % 16])]
    assert minima == [0, 4, 8, 12]


PLANES = [((0, NX - 1, 0, NY - 1, 0, 0), None), ((3, NX + 2, 5, 5, -9, NY - 10), None), ((2, 2, -4, NX - 5, 8, NY + 7), None),
          ((0, NX - 1, 0, NY - 1, 0, 0), QUARTER_TURN)]


@pytest.mark.parametrize("extent, direction", PLANES)
def test_any_plane_extent_and_direction_gives_the_same_cost(extent, direction):
    expected = oriented_cost(Input=picture(cross(20, 100)), NumberOfHeadings=12)
    proxy = oriented_cost(Input=picture(cross(20, 100), extent=extent, direction=direction), NumberOfHeadings=12)
    assert (costs(proxy) == costs(expected)).all()
    placed = output(proxy)
    flat = [a for a in range(3) if extent[2 * a] < extent[2 * a + 1]]
    starts = tuple(extent[2 * a] for a in flat)
    assert placed.GetExtent()[::2] == (*starts, 0)
    for point in (0, NX - 1, NX * (NY - 1)):  # positions of the first plane
        assert placed.GetPoint(point) == pytest.approx(output(proxy, 1).GetPoint(point))


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int64, np.float32, np.float64])
def test_any_numeric_type(dtype):
    values = np.round(200 * cross(20, 100))
    expected = costs(oriented_cost(Input=picture(values), NumberOfHeadings=12))
    assert (costs(oriented_cost(Input=picture(values.astype(dtype)), NumberOfHeadings=12)) == expected).all()


def test_intensity_is_a_component_or_the_mean_of_all():
    tubes = 200 * cross(20, 100)
    colours = np.stack([0 * tubes, tubes, 2 * tubes[::-1]], axis=-1).reshape(-1, 3)
    expected = costs(oriented_cost(Input=picture(tubes)))
    data = image_data(extent=(0, NX - 1, 0, NY - 1, 0, 0), intensity=colours)
    assert (costs(oriented_cost(Input=source(data), IntensityComponent=1)) == expected).all()
    mean = costs(oriented_cost(Input=picture((tubes + 2 * tubes[::-1]) / 3)))
    assert (costs(oriented_cost(Input=source(data))) == pytest.approx(mean, abs=1e-5))
    assert costs(oriented_cost(Input=source(data), IntensityComponent=0)).min() == 1  # no tubes


def test_dark_tubes_equal_bright_ones_in_the_negative():
    values = cross(20, 100)
    assert (costs(oriented_cost(Input=picture(-values), Polarity="Dark")) == costs(oriented_cost(Input=picture(values)))).all()


def outside_in_three_ways():
    """Returns a tube that ends at a black rim, defined by a mask, by hidden points, or by NaN."""
    inside = np.hypot(*np.mgrid[-17:18, -20:21]) < 15
    values = np.where(inside, 10 - cross(30, 30), 0)
    mask = source(image_data(extent=(0, NX - 1, 0, NY - 1, 0, 0), intensity=values.ravel(), inside=inside.astype(np.uint8).ravel()))
    ghosts = (vtkDataSetAttributes.HIDDENPOINT * ~inside).astype(np.uint8).ravel()
    hidden = image_data(extent=(0, NX - 1, 0, NY - 1, 0, 0), intensity=values.ravel(), vtkGhostType=ghosts)
    return inside, [dict(Input=mask, MaskArray=["POINTS", "inside"]), dict(Input=source(hidden)),
                    dict(Input=picture(np.where(inside, values, np.nan)))]


def test_points_outside_and_their_border_have_no_tube():
    inside, ways = outside_in_three_ways()
    results = [costs(oriented_cost(Polarity="Dark", **way)) for way in ways]
    assert (results[0] == results[1]).all() and (results[0] == results[2]).all()
    least = results[0].min(axis=0)
    assert (least[~inside] == 1).all() and least[NY // 2, NX // 2] < 0.1
    y, x = np.mgrid[-17:18, -20:21]
    away = inside & (np.abs(y * np.cos(np.radians(30)) - x * np.sin(np.radians(30))) > 9)
    assert least[away].min() > 0.7


def test_two_filters_in_sequence_follow_a_tube_straight_across_another():
    picture_ = picture(cross(0, 60))
    cost = oriented_cost(Input=picture_, Length=8)
    tip = (20 - 15 * np.cos(np.radians(60)), 17 - 15 * np.sin(np.radians(60)), 0)
    proxy = simple.IsochroneCurvaturePaths(Input=picture_, OrientedCost=cost, Model="Reeds-Shepp Forward", TurningRadius=8,
                                           SeedPoints=[20 + 15 * np.cos(np.radians(60)), 17 + 15 * np.sin(np.radians(60)), 0],
                                           TipPoints=tip)
    proxy.UpdatePipeline()
    (path,) = lines(output(proxy, 1))
    offset = (path[:, 0] - 20) * np.sin(np.radians(60)) - (path[:, 1] - 17) * np.cos(np.radians(60))
    assert np.abs(offset).max() < 1
    assert array(output(proxy), "TravelTime").shape == (NX * NY,)


def test_the_minimum_cost_can_be_the_input_of_the_paths():
    cost = oriented_cost(Input=picture(cross(0, 90)))
    proxy = simple.IsochroneCurvaturePaths(Input=simple.OutputPort(cost, 1), OrientedCost=cost, TurningRadius=4,
                                           SeedPoints=[3, 17, 0], TipPoints=[37, 17, 0])
    proxy.UpdatePipeline()
    (path,) = lines(output(proxy, 1))
    assert np.abs(path[:, 1] - 17).max() < 0.5
