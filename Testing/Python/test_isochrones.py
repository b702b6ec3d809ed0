"""Output Isochrones: lines and surfaces of equal travel time or distance."""
import numpy as np
import pytest
from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy

from pipelines import (array, counts, cube, curvature_paths, distance_transform, image, image_data, mesh, mesh_travel_time, output, port_of,
                       ray_tracing, source, travel_time)


def isochrones(proxy):
    """Returns the points, their values, and the cells as lists of points."""
    lines = output(proxy, port_of(proxy, "Isochrones"))
    at = np.array([lines.GetPoint(p) for p in range(lines.GetNumberOfPoints())]).reshape(-1, 3)
    name = "Distance" if proxy.GetXMLName() == "IsochroneDistanceTransform" else "TravelTime"
    cells = [[lines.GetCell(c).GetPointId(p) for p in range(lines.GetCell(c).GetNumberOfPoints())]
             for c in range(lines.GetNumberOfCells())]
    return at, array(lines, name) if len(at) else np.zeros(0), cells


def filters(count):
    plane, sites = image(v=np.ones(21 * 17)), np.zeros(21 * 17)
    sites[100] = 1
    yield travel_time(Input=image(), Isochrones=count)
    yield curvature_paths(Input=image(), Isochrones=count)
    yield ray_tracing(Input=plane, Isochrones=count)
    yield distance_transform(Input=image(a=sites), Isochrones=count)
    yield mesh_travel_time(Input=mesh(*cube(4)), Isochrones=count)


def test_values_divide_the_range_of_every_field_into_equal_parts():
    for proxy in filters(3):
        field = array(output(proxy), "Distance" if "Distance" in proxy.GetXMLName() else "TravelTime")
        values = isochrones(proxy)[1]
        assert np.unique(np.round(values, 4)) == pytest.approx(field.min() + np.ptp(field) * np.array([1, 2, 3]) / 4, abs=1e-4)


def test_there_are_none_by_default():
    for proxy in filters(0):
        assert len(isochrones(proxy)[0]) == 0


def test_lines_of_a_front_that_moves_along_an_axis_are_straight():
    speed = np.ones(21 * 17)
    seeds = [c for y in range(17) for c in (0, y, 0)]
    at, values, cells = isochrones(travel_time(Input=image(s=speed), SpeedArray=["POINTS", "s"], SeedPoints=seeds, Isochrones=4))
    assert at[:, 0] == pytest.approx(values) and sorted(np.unique(values)) == pytest.approx([4, 8, 12, 16])
    assert all(len(cell) == 2 for cell in cells) and len(cells) == 4 * 16


@pytest.mark.parametrize("extent", [(0, 10, 0, 0, 0, 8), (2, 2, 0, 10, 0, 8)])
def test_lines_lie_in_the_plane_of_the_image(extent):
    at, values, cells = isochrones(travel_time(Input=image(extent=extent), Isochrones=2))
    flat = [a for a in range(3) if extent[2 * a] == extent[2 * a + 1]][0]
    assert len(cells) > 10 and (at[:, flat] == extent[2 * flat]).all()


def test_surfaces_of_a_volume_surround_the_seed():
    proxy = travel_time(Input=image(extent=(0, 12, 0, 12, 0, 12)), SourceFactoring="Additive", Isochrones=2)
    at, values, cells = isochrones(proxy)
    assert all(len(cell) == 3 for cell in cells)
    assert np.abs(np.linalg.norm(at - 6, axis=1) - values).max() < 0.2  # the surfaces are linear within a cell of size 1


def pieces(proxy):
    """Returns each line as its sorted end points."""
    at, _, cells = isochrones(proxy)
    return {tuple(sorted(map(tuple, np.round(at[cell], 5)))) for cell in cells}


def test_beside_a_barrier_only_the_lines_in_its_cells_are_missing():
    walls = np.zeros((17, 21))
    walls[0:5, 0] = 1  # barriers that change no time elsewhere: the seed is at the centre, and three other corners are as far
    data = image_data(w=walls.ravel())
    every = pieces(travel_time(Input=source(data), Isochrones=9))
    left = pieces(travel_time(Input=source(data), BarrierArray=["POINTS", "w"], Isochrones=9))
    in_cells = {line for line in every if np.mean(line, axis=0)[0] < 1 and np.mean(line, axis=0)[1] < 5}
    assert len(in_cells) > 3 and left == every - in_cells


def test_one_reached_point_has_no_lines():
    walls = np.ones((17, 21))
    walls[8, 10] = 0
    proxy = travel_time(Input=image(w=walls.ravel()), BarrierArray=["POINTS", "w"], SeedPoints=[10, 8, 0], Isochrones=5)
    assert len(isochrones(proxy)[0]) == 0


def test_a_signed_distance_has_lines_on_both_sides():
    inside = np.zeros((17, 21))
    inside[4:13, 5:16] = 1
    proxy = distance_transform(Input=image(a=inside.ravel()), Region="Signed", Isochrones=6)
    values = np.unique(isochrones(proxy)[1])
    assert len(values) == 6 and values[0] < 0 < values[-1]


def distances_from(seed, proxy):
    """Returns, for each cell, the distances of its corners and of its middle from a seed, and the value."""
    at, values, cells = isochrones(proxy)
    cells = np.array(cells)
    return np.linalg.norm(at[cells] - seed, axis=2), np.linalg.norm(at[cells].mean(axis=1) - seed, axis=1), values[cells[:, 0]]


@pytest.mark.parametrize("extent, seed", [((0, 12, 0, 12, 0, 12), (6, 6, 6)), ((0, 12, 0, 12, 0, 12), (6.5, 6.25, 5.75)),
                                          ((-6, 6, 2, 2, 0, 12), (0.5, 2, 6.5))])
def test_next_to_a_seed_they_are_round(extent, seed):
    """Contour is wrong there by up to an eighth of the spacing."""
    proxy = travel_time(Input=image(extent=extent), SeedPoints=seed, SourceFactoring="Additive", Isochrones=9)
    corners, middles, values = distances_from(seed, proxy)
    inside = output(proxy).GetFieldData().GetArray("BallRadius").GetValue(0) > values + 0.2
    assert np.unique(np.round(values[inside], 3)).size >= 5 and values.min() < 2
    assert np.abs(corners[inside] - values[inside, None]).max() < 2e-6 * 12
    assert np.abs(middles[inside] - values[inside]).max() < 0.02
    rough = simple.Contour(Input=proxy, ContourBy=["POINTS", "TravelTime"], Isosurfaces=[values.min()])
    rough.UpdatePipeline()
    bounds = np.array([output(rough).GetCell(c).GetBounds() for c in range(output(rough).GetNumberOfCells())])
    assert np.abs(np.linalg.norm(bounds.reshape(-1, 3, 2).mean(axis=2) - seed, axis=1) - values.min()).max() > 0.05


ROTATION = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0], [0.48, 0.64, 0.6]])


@pytest.mark.parametrize("rotation", [np.eye(3), ROTATION])
@pytest.mark.parametrize("extent, seed", [((0, 12, 0, 12, 0, 12), (6, 6.25, 6)), ((-6, 6, 2, 2, 0, 12), (0.5, 2, 6.5))])
def test_they_are_as_round_far_from_the_origin_and_in_rotated_images(extent, seed, rotation):
    """In single precision, a place there is off by up to a quarter of a metre."""
    origin, step = np.array([500000.37, 5400000.41, 12.3]), 30
    data = image_data(extent=extent, spacing=(step,) * 3, origin=origin)
    data.SetDirectionMatrix(*rotation.ravel())
    at = rotation @ (step * np.array(seed, float)) + origin
    proxy = travel_time(Input=source(data), SeedPoints=list(at), SourceFactoring="Additive", Isochrones=9)
    corners, middles, values = distances_from(at, proxy)
    inside = output(proxy).GetFieldData().GetArray("BallRadius").GetValue(0) > values + 0.2 * step
    assert inside.sum() > 20
    assert np.abs(corners[inside] - values[inside, None]).max() < 1e-4 * step
    assert np.abs(middles[inside] - values[inside]).max() < 0.02 * step
    lines = output(proxy, port_of(proxy, "Isochrones"))
    if lines.GetPointData().GetNormals():
        points, normals = (vtk_to_numpy(a) for a in (lines.GetPoints().GetData(), lines.GetPointData().GetNormals()))
        outwards = (points - at) / np.linalg.norm(points - at, axis=1)[:, None]
        assert np.median(np.abs((outwards * normals).sum(axis=1))) > 0.99


def test_a_line_of_points_has_its_contours():
    at, values, cells = isochrones(travel_time(Input=image(extent=(0, 12, 0, 0, 0, 0)), SourceFactoring="Additive", Isochrones=2))
    assert sorted(at[:, 0]) == pytest.approx([2, 4, 8, 10]) and sorted(values) == pytest.approx([2, 2, 4, 4])
    assert all(len(cell) == 1 for cell in cells)


def test_round_surfaces_stay_connected_and_within_the_image():
    seed = (1.2, 6.4, 5.7)  # near a side
    proxy = travel_time(Input=image(extent=(0, 12, 0, 12, 0, 12)), SeedPoints=seed, SourceFactoring="Additive", Isochrones=6)
    at, _, cells = isochrones(proxy)
    edges = np.sort(np.concatenate([np.array(cells)[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))]), axis=1)
    edges, number = np.unique(edges, axis=0, return_counts=True)
    border = at[edges[number == 1]]
    assert number.max() == 2 and len(border) > 50
    assert (np.isclose(border, 0, atol=1e-6) | np.isclose(border, 12, atol=1e-6)).any(axis=2).all()
    assert at.min() > -1e-6 and at.max() < 12 + 1e-6


def test_changing_the_number_does_not_solve_again():
    proxy = travel_time(Input=image(), Isochrones=2)
    before = counts(proxy)
    proxy.Isochrones = 5
    proxy.UpdatePipeline()
    assert len(np.unique(isochrones(proxy)[1])) == 5 and counts(proxy) == before


def test_lines_are_black_on_a_plane_and_surfaces_translucent_in_a_volume():
    view = simple.CreateView("RenderView")
    for depth, opacity in ((0, 1), (5, 0.3)):
        proxy = simple.IsochroneImageTravelTime(Input=image(extent=(0, 9, 0, 9, 0, depth)))
        shown = simple.Show(simple.OutputPort(proxy, 2), view)  # empty so far
        assert shown.Opacity == pytest.approx(opacity) and shown.ColorArrayName[1] in (None, "")
        assert depth or list(shown.AmbientColor) == [0, 0, 0]
    simple.Delete(view)
