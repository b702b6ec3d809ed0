"""Isochrone Curvature Paths: the result does not depend on the place of the image."""
import numpy as np
import pytest
from paraview import simple

from pipelines import QUARTER_TURN, array, at, curvature_paths, image, lines, output, plane

SEED = {"SeedHeadings": [0.0], "Model": "Reeds-Shepp Forward"}


def reference():
    """Seed at index (5, 8) of 21 x 17 points with spacing 0.5 x 1, tip at index (16, 12)."""
    proxy = curvature_paths(Input=image(spacing=(0.5, 1, 1)), SeedPoints=(2.5, 8, 0), TipPoints=(8, 12, 0), **SEED)
    return plane(output(proxy), "TravelTime"), lines(output(proxy, 1))[0]


def test_extent_that_does_not_start_at_zero_and_origin():
    proxy = curvature_paths(
        Input=image(extent=(-7, 13, 100, 116, 3, 3), spacing=(0.5, 1, 1), origin=(20, -100, 7)),
        SeedPoints=(20 - 3.5 + 2.5, 8, 10), TipPoints=(20 - 3.5 + 8, 12, 10), **SEED)
    time, line = reference()
    assert output(proxy).GetExtent() == (-7, 13, 100, 116, 3, 3)
    assert plane(output(proxy), "TravelTime") == pytest.approx(time, rel=1e-6, nan_ok=True)
    assert lines(output(proxy, 1))[0] == pytest.approx(line + [16.5, 0, 10], abs=1e-6)


@pytest.mark.parametrize("normal", [0, 1, 2])
def test_every_axis_plane(normal):
    first, second = [a for a in range(3) if a != normal]
    extent, spacing = [4] * 6, [1.0] * 3
    extent[2 * first:2 * first + 2], extent[2 * second:2 * second + 2] = (0, 20), (0, 16)
    spacing[first] = 0.5

    def world(x, y):
        point = [0.0] * 3
        point[first], point[second], point[normal] = x, y, 4
        return point

    proxy = curvature_paths(Input=image(extent=extent, spacing=spacing), SeedPoints=world(2.5, 8),
                            TipPoints=world(8, 12), ComputeStateSpace=1, **SEED)
    time, line = reference()
    assert plane(output(proxy), "TravelTime") == pytest.approx(time, rel=1e-6)
    path = lines(output(proxy, 1))[0]
    assert path[:, first] == pytest.approx(line[:, 0], abs=1e-6)
    assert path[:, second] == pytest.approx(line[:, 1], abs=1e-6)
    assert path[:, normal] == pytest.approx(4)
    tangent = array(output(proxy, 1), "Tangent")
    heading = np.radians(array(output(proxy, 1), "Heading"))
    assert tangent[:, first] == pytest.approx(np.cos(heading)) and tangent[:, second] == pytest.approx(np.sin(heading))
    space = output(proxy, 2)
    assert space.GetDimensions() == (21, 17, 16)
    assert space.GetPoint(16 + 21 * 12) == pytest.approx(world(8, 12))
    assert np.nanmin(array(space, "TravelTime").reshape(16, 17, 21), axis=0) == pytest.approx(time, rel=1e-6)


def test_direction_matrix_rotates_headings_and_paths_with_the_image():
    proxy = curvature_paths(Input=image(spacing=(0.5, 1, 1), direction=QUARTER_TURN), SeedPoints=(-8, 2.5, 0),
                            TipPoints=(-12, 8, 0), ComputeStateSpace=1, **SEED)
    time, line = reference()
    assert plane(output(proxy), "TravelTime") == pytest.approx(time, rel=1e-6)
    assert lines(output(proxy, 1))[0] == pytest.approx(np.c_[-line[:, 1], line[:, 0], line[:, 2]], abs=1e-6)
    heading = np.radians(array(output(proxy, 1), "Heading"))
    assert array(output(proxy, 1), "Tangent")[:, :2] == pytest.approx(np.c_[-np.sin(heading), np.cos(heading)])
    assert output(proxy, 2).GetPoint(16 + 21 * 12) == pytest.approx((-12, 8, 0))


def test_negative_spacing_reverses_the_first_axis():
    proxy = curvature_paths(Input=image(spacing=(-0.5, 1, 1)), SeedPoints=(-2.5, 8, 0), TipPoints=(-8, 12, 0), **SEED)
    time, line = reference()
    assert plane(output(proxy), "TravelTime") == pytest.approx(time, rel=1e-6)
    assert lines(output(proxy, 1))[0] == pytest.approx(line * [-1, 1, 1], abs=1e-6)


def test_world_units_scale_all_results():
    small = curvature_paths(Input=image(), SeedPoints=(10, 8, 0), TipPoints=(17, 11, 0), TurningRadius=2)
    large = curvature_paths(Input=image(spacing=(1000, 1000, 1)), SeedPoints=(10000, 8000, 0),
                            TipPoints=(17000, 11000, 0), TurningRadius=2000)
    assert array(output(large), "TravelTime") == pytest.approx(1000 * array(output(small), "TravelTime"), rel=1e-4)
    assert lines(output(large, 1))[0][0] == pytest.approx((17000, 11000, 0))


def test_seeds_and_tips_above_the_plane_are_projected():
    on = curvature_paths(Input=image(), SeedPoints=(10, 8, 0), TipPoints=(17, 11, 0))
    above = curvature_paths(Input=image(), SeedPoints=(10, 8, 0.25), TipPoints=(17, 11, 0.25))
    assert array(output(above), "TravelTime") == pytest.approx(array(output(on), "TravelTime"))
    assert lines(output(above, 1))[0] == pytest.approx(lines(output(on, 1))[0])


@pytest.mark.parametrize("accuracy, moved", [("First Order", 0.5), ("Seed Ball", 0)])
def test_a_seed_between_grid_points_reports_its_displacement(accuracy, moved):
    out = output(curvature_paths(Input=image(), SeedPoints=(10.3, 7.6, 0), Accuracy=accuracy))
    assert out.GetFieldData().GetArray("SeedMoved").GetValue(0) == pytest.approx(moved)
    assert out.GetFieldData().GetAbstractArray("SeedStatus").GetValue(0) == "Inside"
    near = at(out, "TravelTime", (10, 8, 0))
    assert near == pytest.approx(0 if moved else 0.5, rel=1e-5)


@pytest.mark.parametrize("kind", ["uint8", "int16", "int64", "float32", "float64"])
def test_cost_of_any_numeric_type(kind):
    cost = np.fromfunction(lambda j, i: 1 + (i + j) % 5, (17, 21)).ravel()
    expected = array(output(curvature_paths(Input=image(c=cost), CostArray=["POINTS", "c"])), "TravelTime")
    out = output(curvature_paths(Input=image(c=cost.astype(kind)), CostArray=["POINTS", "c"]))
    assert (array(out, "TravelTime") == expected).all()


def test_spacing_of_zero_across_the_plane_as_resample_to_image_gives():
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, 0, 0])
    resampled = simple.ResampleToImage(Input=wavelet, UseInputBounds=0, SamplingDimensions=[21, 17, 1],
                                       SamplingBounds=[-10, 10, -8, 8, 0, 0])
    proxy = curvature_paths(Input=resampled, CostArray=None, SeedPoints=(0, 0, 0), SeedHeadings=[0], TipPoints=(7, 3, 0))
    assert output(proxy).GetSpacing()[2] == 0
    assert plane(output(proxy), "TravelTime")[8] == pytest.approx(abs(np.arange(21) - 10), rel=1e-5)
    assert lines(output(proxy, 1))[0][0] == pytest.approx((7, 3, 0), abs=1e-6)
