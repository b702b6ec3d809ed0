"""Isochrone Image Travel Time on rectilinear grids and in spherical coordinates."""
import numpy as np
import pytest
from paraview import simple
from vtkmodules.util.numpy_support import numpy_to_vtk

from pipelines import (add_arrays, array, assert_error, cell_array, image, names, output, points, rectilinear, rectilinear_data,
                       source, travel_time)

PARALLEL = np.linspace(0, 1, 14) ** 1.7  # uneven
X, Y, Z = 3 * np.linspace(0, 1, 16) ** 1.5, -1 + 2 * PARALLEL, np.array([5, 5.1, 5.4, 5.6, 6.3, 7, 7.2])
R, THETA, PHI = np.linspace(0, 6, 13), np.linspace(0, 180, 25), np.linspace(0, 350, 36)


def factored(**properties):
    return travel_time(**{"SourceFactoring": "Additive", "Backend": "Host", **properties})


def embedded(at):
    r, theta, phi = np.asarray(at, float).T[0], np.radians(np.asarray(at, float).T[1]), np.radians(np.asarray(at, float).T[2])
    return np.column_stack([r * np.sin(theta) * np.cos(phi), r * np.sin(theta) * np.sin(phi), r * np.cos(theta)])


def positions(out):
    return np.array([out.GetPoint(p) for p in range(out.GetNumberOfPoints())])


# ------------------------------------------------------------------------------------------------------------ rectilinear
@pytest.mark.parametrize("axes", [(X, Y, Z), (X, Y, [4]), ([4], X, Y), (X, [2], Z)])
def test_times_on_a_rectilinear_grid_are_distances_at_constant_speed(axes, messages):
    seed = [a[0] * 0.6 + a[-1] * 0.4 for a in axes]
    proxy = factored(Input=rectilinear(*axes), SeedPoints=seed, TipPoints=[a[-1] for a in axes])
    out = output(proxy)
    assert out.GetClassName() == "vtkRectilinearGrid"
    distance = np.linalg.norm(positions(out) - seed, axis=1)
    np.testing.assert_allclose(array(out, "TravelTime"), distance, rtol=0, atol=3e-6 * distance.max())
    path = output(proxy, 1)
    assert path.GetNumberOfLines() == 1
    assert cell_array(path, "Length")[0] == pytest.approx(np.linalg.norm([a[-1] - s for a, s in zip(axes, seed)]), rel=5e-3)
    np.testing.assert_allclose(path.GetPoint(0), [a[-1] for a in axes])
    np.testing.assert_allclose(path.GetPoint(path.GetNumberOfPoints() - 1), seed, rtol=1e-9, atol=1e-9)
    assert "ERROR" not in messages()


def test_the_output_keeps_extent_coordinates_and_arrays_of_the_input():
    n = len(X) * len(Y) * len(Z)
    speed = np.random.default_rng(1).uniform(1, 3, n)
    data = rectilinear_data(X, Y, Z, (3, -2, 5), speed=speed)
    data.GetFieldData().AddArray(numpy_to_vtk(np.arange(3.0), deep=True))
    out = output(factored(Input=source(data), SpeedArray=["POINTS", "speed"], SeedPoints=[1, 0, 6], ComputeGradient=1))
    assert out.GetExtent() == (3, 18, -2, 11, 5, 11)
    np.testing.assert_array_equal(positions(out), positions(data))
    np.testing.assert_array_equal(array(out, "speed"), speed)
    assert {"TravelTime", "SeedId", "Reached", "Gradient", "speed"} <= set(names(out.GetPointData()))


def test_equal_steps_give_the_times_of_an_image():
    speed = np.random.default_rng(2).uniform(1, 3, 20 * 18 * 9)
    settings = {"SpeedArray": ["POINTS", "speed"], "SeedPoints": [4, 6, 1], "Backend": "Host", "ComputeGradient": 1}
    on_image = output(travel_time(Input=image((0, 19, 0, 17, 0, 8), (0.5, 1, 0.25), speed=speed), **settings))
    axes = (np.arange(20) * 0.5, np.arange(18.0), np.arange(9) * 0.25)
    on_grid = output(travel_time(Input=rectilinear(*axes, speed=speed), **settings))
    np.testing.assert_allclose(array(on_grid, "TravelTime"), array(on_image, "TravelTime"), rtol=3e-6)
    np.testing.assert_allclose(array(on_grid, "Gradient"), array(on_image, "Gradient"), atol=2e-3)


def test_barriers_hidden_points_regions_and_targets():
    n = len(X) * len(Y)
    wall = np.zeros((len(Y), len(X)), np.uint8)
    wall[:-2, 8] = 1
    ghosts = np.zeros(n, np.uint8)
    ghosts[5] = 2  # HIDDENPOINT
    region = np.zeros((len(Y), len(X)), np.uint8)
    region[:, 0] = 1
    data = rectilinear_data(X, Y, [0], wall=wall.ravel(), region=region.ravel(), vtkGhostType=ghosts)
    proxy = travel_time(Input=source(data), BarrierArray=["POINTS", "wall"], SeedType="Region", SeedRegionArray=["POINTS", "region"],
                        TipPoints=[X[-1], Y[0], 0], Targets=points([(X[-1], Y[3], 0)]), BlankUnreached=1, Isochrones=3, Backend="Host")
    times = array(output(proxy), "TravelTime").reshape(len(Y), len(X))
    assert (np.isnan(times) == (wall.astype(bool) | (ghosts.reshape(times.shape) > 0))).all()
    assert times[0, 3] == pytest.approx(X[3], rel=1e-5) and times[0, -1] > X[-1]
    assert {"TimeFromTargets", "TwoWayTime", "Connectivity"} <= set(names(output(proxy).GetPointData()))
    assert output(proxy, 1).GetNumberOfLines() == 2 and output(proxy, 2).GetNumberOfLines() > 0


def test_cell_arrays_of_a_rectilinear_grid():
    data = rectilinear_data(X, Y, Z)
    add_arrays(data.GetCellData(), {"speed": np.full(data.GetNumberOfCells(), 2.0)})
    out = output(factored(Input=source(data), SpeedArray=["CELLS", "speed"], AverageCellData=1, SeedPoints=[1, 0, 6]))
    distance = np.linalg.norm(positions(out) - [1, 0, 6], axis=1)
    np.testing.assert_allclose(array(out, "TravelTime"), distance / 2, rtol=0, atol=3e-6 * distance.max())


# -------------------------------------------------------------------------------------------------------------- spherical
@pytest.mark.parametrize("seed", [(4.3, 66, 355), (6, 0, 0), (0, 0, 0), (5, 100, -170)])
def test_times_through_a_constant_earth_are_chords(seed):
    grids = [rectilinear(R, THETA, PHI), image((0, 12, 0, 24, 0, 35), (0.5, 7.5, 10))]
    for grid in grids:
        proxy = factored(Input=grid, Coordinates="Spherical", SeedPoints=seed, TipPoints=[6, 90, 100])
        out = output(proxy)
        chord = np.linalg.norm(embedded(positions(out)) - embedded([seed]), axis=1)
        np.testing.assert_allclose(array(out, "TravelTime"), chord, rtol=0, atol=3e-6 * chord.max())
        path = output(proxy, 1)
        straight = np.linalg.norm(embedded([(6, 90, 100)]) - embedded([seed]))
        assert cell_array(path, "Length")[0] == pytest.approx(straight, rel=0.015)
        assert array(path, "ArcLength").max() == pytest.approx(cell_array(path, "Length")[0], rel=1e-3)
    assert output(proxy).GetClassName() == "vtkImageData" and output(proxy).GetSpacing() == (0.5, 7.5, 10)


def test_a_grid_with_one_radius_is_a_sphere():
    theta, phi = np.linspace(0, 180, 91), np.linspace(-180, 178, 180)
    out = output(factored(Input=rectilinear([6], theta, phi), Coordinates="Spherical", SeedPoints=[6, 40, 170]))
    chord = np.linalg.norm(embedded(positions(out)) - embedded([(6, 40, 170)]), axis=1)
    arc = 12 * np.arcsin(np.clip(chord / 12, 0, 1))
    np.testing.assert_allclose(array(out, "TravelTime"), arc, rtol=0, atol=0.015 * arc.max())


def test_paths_are_cut_at_the_first_meridian_unless_unwrapped():
    settings = {"Input": rectilinear(R[6:], THETA, PHI), "Coordinates": "Spherical", "SeedPoints": [5, 90, 340], "TipPoints": [5, 90, 20]}
    cut, whole = output(factored(**settings), 1), output(factored(**settings, UnwrapPaths=1), 1)
    assert cut.GetNumberOfLines() == 2 and whole.GetNumberOfLines() == 1
    longitudes = positions(whole)[:, 2]
    assert longitudes[0] == pytest.approx(20) and longitudes[-1] == pytest.approx(-20) and (np.diff(longitudes) < 1e-9).all()
    assert positions(cut)[:, 2].min() >= -5.01 and positions(cut)[:, 2].max() <= 355.01
    assert cell_array(cut, "Length")[0] == cell_array(whole, "Length")[0]


def test_the_gradient_is_along_radius_colatitude_and_longitude():
    proxy = factored(Input=rectilinear(R[4:], THETA, PHI), Coordinates="Spherical", ComputeGradient=1, SeedPoints=[2, 90, 0])
    gradient = array(output(proxy), "Gradient").reshape(36, 25, 9, 3)
    np.testing.assert_allclose(gradient[0, 12, 1:], [[1, 0, 0]] * 8, atol=1e-3)  # straight up from the seed
    assert gradient[3, 12, 0, 2] > 0.9


@pytest.mark.parametrize("axes, settings, words", [
    ((X, Y, Z), {"Order": 2}, "the second order is not possible on a rectilinear"),
    ((X, Y, Z), {"SourceFactoring": "Multiplicative"}, "multiplicative factoring is not possible"),
    ((X, Y, Z), {"PeriodicX": 1}, "a periodic axis, other than the full circle"),
    ((X, Y, Z), {"SeedPoints": [9, 9, 9]}, "no seed can be used"),
    (([0, 2, 1], Y, Z), {}, "must increase from index to index, got 1 at index 2"),
    (([1, np.nan], Y, Z), {}, "must be finite"),
    ((R, [0, 200], PHI), {"Coordinates": "Spherical"}, "must be from 0 to 180 degrees"),
    ((-R[::-1], THETA, PHI), {"Coordinates": "Spherical"}, "must not be negative"),
    ((R, THETA, [0, 400]), {"Coordinates": "Spherical"}, "must not cover more than 360"),
])
def test_refusals_name_the_remedy(axes, settings, words, messages):
    assert_error(messages, travel_time(Input=rectilinear(*axes), **settings), words)


def test_images_with_oblique_axes_are_not_spherical(messages):
    turned = image((0, 9, 0, 9, 0, 0), direction=[0, -1, 0, 1, 0, 0, 0, 0, 1])
    assert_error(messages, travel_time(Input=turned, Coordinates="Spherical"), "is not the identity")


def test_moving_a_tip_does_not_solve_again_and_new_coordinates_do():
    proxy = factored(Input=rectilinear(X, Y, Z), SeedPoints=[1, 0, 6], TipPoints=[2, 0.5, 6])
    proxy.TipPoints = [2.5, 0.2, 5.5]
    proxy.UpdatePipeline()
    proxy.UpdatePropertyInformation()
    assert proxy.SolveCount == 1
    proxy.Coordinates = "Spherical"
    proxy.Input = rectilinear(X, Y + 2, Z)
    proxy.SeedPoints, proxy.TipPoints = [1, 2, 6], [2, 2.5, 6]
    proxy.UpdatePipeline()
    proxy.UpdatePropertyInformation()
    assert proxy.SolveCount == 2


def test_the_output_is_shown_as_a_surface():
    proxy = factored(Input=rectilinear(X, Y, Z), SeedPoints=[1, 0, 6])
    view = simple.CreateView("RenderView")
    display = simple.Show(proxy, view)
    simple.Render(view)
    assert display.Representation == "Surface"
    simple.Delete(view)
