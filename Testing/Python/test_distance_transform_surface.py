"""Isochrone Distance Transform: distances to a level set and to a surface between the points."""
import numpy as np
import pytest
from paraview import simple
from vtkmodules.numpy_interface import dataset_adapter
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkFiltersCore import vtkContourFilter, vtkImplicitPolyDataDistance
from vtkmodules.vtkFiltersSources import vtkCubeSource, vtkPlaneSource, vtkSphereSource

from pipelines import (add_arrays, array, assert_error, distance_transform, image, image_data, lines, names, output, point_data,
                       points, source, volume)

BOX = {"extent": (0, 26, 0, 24, 0, 22)}
SHAPE = (23, 25, 27)  # [k, j, i]
CENTRE, RADIUS = (13.2, 11.7, 11.1), 8.3


def grid(spacing=(1, 1, 1), origin=(0, 0, 0)):
    k, j, i = np.indices(SHAPE)
    return [o + h * axis for o, h, axis in zip(origin, spacing, (i, j, k))]


def ball(centre=CENTRE, radius=RADIUS):
    """The signed distance to a sphere, negative inside."""
    x, y, z = grid()
    return np.sqrt((x - centre[0]) ** 2 + (y - centre[1]) ** 2 + (z - centre[2]) ** 2) - radius


def level_set(values, **properties):
    properties = {"SiteMode": "Level Set", "IsoValue": 0, "LevelSetInside": "Below", "DoublePrecision": 1, "Region": "Signed",
                  **properties}
    return distance_transform(Input=image(**BOX, a=np.asarray(values).ravel()), **properties)


def to_surface(surface, **properties):
    properties = {"SiteMode": "Surface", "DoublePrecision": 1, **properties}
    return distance_transform(Input=image(**BOX, a=np.zeros(np.prod(SHAPE))), Surface=source(surface), **properties)


def polygons(algorithm):
    algorithm.Update()
    return algorithm.GetOutput()


def sphere(**properties):
    algorithm = vtkSphereSource()
    algorithm.SetCenter(CENTRE)
    algorithm.SetRadius(RADIUS)
    algorithm.SetThetaResolution(24)
    algorithm.SetPhiResolution(17)
    return polygons(algorithm)


# ------------------------------------------------------------------------------------------------- level sets
def test_an_abort_while_the_surface_is_extracted_leaves_nothing_and_the_next_apply_works(messages):
    proxy = level_set(ball())
    expected = array(output(proxy), "Distance").copy()
    proxy.IsoValue = 1
    proxy.UpdateVTKObjects()
    algorithm, seen = proxy.GetClientSideObject(), []

    def stop(*_):
        seen.append(algorithm.GetProgress())
        if seen[-1] > 0:
            algorithm.SetAbortExecute(1)

    tag = algorithm.AddObserver("ProgressEvent", stop)
    algorithm.Update()
    assert all(share <= 0.1 or share == 1 for share in seen) and messages().count("stopped on request") == 1
    assert algorithm.GetOutputDataObject(0).GetNumberOfPoints() == 0
    algorithm.RemoveObserver(tag)
    algorithm.SetAbortExecute(0)
    proxy.IsoValue = 0
    proxy.UpdateVTKObjects()
    algorithm.Update()
    assert (array(output(proxy), "Distance") == expected).all()


def test_distance_to_a_sphere_lies_below_the_spacing():
    values = ball()
    for interpolation, bound in (("Linear", 0.03), ("Cubic", 0.008)):
        error = np.abs(volume(output(level_set(values, Interpolation=interpolation)), "Distance") - values)
        assert np.median(error) < bound and error.max() < 5 * bound
    sites = np.abs(volume(output(level_set(values, SiteMode="Range", SiteRange=[-100, 0])), "Distance") - values)
    assert np.median(sites) > 0.2  # between points


def test_distance_agrees_with_vtk_for_the_same_surface():
    values = ball()
    ours = volume(output(level_set(values, Region="Both")), "Distance")
    contour = vtkContourFilter()  # marching cubes: the same corners, other diagonals
    contour.SetInputData(image_data(**BOX, a=values.ravel()))
    contour.SetInputArrayToProcess(0, 0, 0, 0, "a")
    contour.SetValue(0, 0)
    implicit = vtkImplicitPolyDataDistance()
    implicit.SetInput(polygons(contour))
    theirs = np.abs([implicit.EvaluateFunction(*p) for p in np.stack([a.ravel() for a in grid()], axis=1)])
    assert np.abs(ours.ravel() - theirs).max() < 0.02 and np.median(np.abs(ours.ravel() - theirs)) < 1e-3


def test_input_surface_agrees_with_vtk():
    surface = sphere()
    implicit = vtkImplicitPolyDataDistance()
    implicit.SetInput(surface)
    theirs = np.array([implicit.EvaluateFunction(*p) for p in np.stack([a.ravel() for a in grid()], axis=1)])
    ours = array(output(to_surface(surface, Region="Signed")), "Distance")
    assert np.abs(ours - theirs).max() < 1e-6  # VTK holds the points of a sphere in single precision


def test_regions_choose_the_side():
    values = ball()
    signed = volume(output(level_set(values)), "Distance")
    assert ((signed <= 0) == (values <= 0)).all()
    assert (volume(output(level_set(values, Region="Outside")), "Distance") == np.maximum(signed, 0)).all()
    assert (volume(output(level_set(values, Region="Inside")), "Distance") == np.maximum(-signed, 0)).all()
    assert (volume(output(level_set(values, Region="Both")), "Distance") == np.abs(signed)).all()
    assert (volume(output(level_set(values, LevelSetInside="Above")), "Distance") == -signed).all()


def test_default_iso_value_is_the_middle_of_the_range():
    proxy = simple.IsochroneDistanceTransform(Input=image(**BOX, a=ball().ravel()), SiteMode="Level Set")
    proxy.UpdatePipeline()
    values = ball()
    out = output(proxy)
    assert proxy.IsoValue == pytest.approx((values.min() + values.max()) / 2)
    assert ((volume(out, "Distance") == 0) == (values >= proxy.IsoValue)).all()  # Outside, and inside is above


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.int64, np.float32, np.float64])
def test_all_kinds_of_numbers_have_a_level_set(kind):
    values = np.clip(np.round(100 + 5 * ball()), 0, 255).astype(kind)
    expected = volume(output(level_set(values.astype(float), IsoValue=100.5)), "Distance")
    assert (volume(output(level_set(values, IsoValue=100.5)), "Distance") == expected).all()


def test_maximum_distance_limits_a_band():
    values = ball()
    whole = volume(output(level_set(values)), "Distance")
    band = volume(output(level_set(values, MaximumDistance=2.5)), "Distance")
    assert (np.isnan(band) == (np.abs(whole) > 2.5)).all() and (band == whole)[~np.isnan(band)].all()


def test_planar_images_have_curves():
    j, i = np.indices((40, 50))
    for axes in ((0, 49, 0, 39, 0, 0), (0, 49, 0, 0, 0, 39), (0, 0, 0, 49, 0, 39)):
        values = np.hypot(i - 24.3, j - 19.2) - 12.5
        proxy = distance_transform(Input=image(extent=axes, a=values.ravel()), SiteMode="Level Set", IsoValue=0,
                                   LevelSetInside="Below", Region="Signed")
        assert np.abs(array(output(proxy), "Distance") - values.ravel()).max() < 0.03


def test_segments_lead_to_the_surface():
    proxy = level_set(ball(), TipPoints=[3, 4, 5, 13, 12, 11])
    table = output(proxy, 1)
    for line, tip in zip(lines(table), [(3, 4, 5), (13, 12, 11)]):
        assert line[0] == pytest.approx(tip)
        assert np.linalg.norm(np.subtract(line[-1], CENTRE)) == pytest.approx(RADIUS, abs=0.04)
    assert names(table.GetCellData()) == ["TipId", "Distance", "Status"]


def test_arrays_are_extended_from_the_surface():
    data = image_data(**BOX, a=ball().ravel())
    x, y, z = grid()
    add_arrays(data.GetPointData(), {"x": x.ravel(), "yz": np.stack([y.ravel(), z.ravel()], axis=1)})
    proxy = distance_transform(Input=source(data), SiteArray=["POINTS", "a"], SiteMode="Level Set", IsoValue=0,
                               LevelSetInside="Below", ExtendedArrays=["x", "yz"], TipPoints=[3, 4, 5])
    out = output(proxy)
    foot = np.array(lines(output(proxy, 1))[0][-1])
    point = 3 + 27 * (4 + 25 * 5)
    assert array(out, "Extendedx")[point] == pytest.approx(foot[0]) and array(out, "Extendedyz")[point] == pytest.approx(foot[1:])
    assert names(out.GetPointData()) == ["a", "x", "yz", "Distance", "SquaredDistance", "Extendedx", "Extendedyz", "Reached"]


def test_moving_a_tip_does_not_solve_again():
    proxy = level_set(ball(), TipPoints=[3, 4, 5])
    output(proxy)
    proxy.TipPoints = [5, 4, 3]
    proxy.UpdatePipeline()
    assert proxy.SolveCount == 1 and proxy.ExtractionCount == 2
    proxy.IsoValue = 0.5
    proxy.UpdatePipeline()
    assert proxy.SolveCount == 2


def test_threads_do_not_change_the_distances():
    values = ball()
    one = volume(output(level_set(values, Threads=1)), "Distance")
    assert (volume(output(level_set(values, Threads=3)), "Distance") == one).all()


# ------------------------------------------------------------------------------------------------- surfaces
def test_closed_surface_has_an_inside():
    cube = vtkCubeSource()
    cube.SetBounds(3.5, 20.25, 4.5, 18.75, 5.25, 16.5)
    distance = volume(output(to_surface(polygons(cube), Region="Signed")), "Distance")
    x, y, z = grid()
    outside = np.stack([np.maximum(np.maximum(low - a, a - high), 0)
                        for a, low, high in ((x, 3.5, 20.25), (y, 4.5, 18.75), (z, 5.25, 16.5))])
    depth = np.min([np.minimum(a - low, high - a) for a, low, high in ((x, 3.5, 20.25), (y, 4.5, 18.75), (z, 5.25, 16.5))], axis=0)
    expected = np.where(depth > 0, -depth, np.sqrt((outside ** 2).sum(axis=0)))
    assert np.abs(distance - expected).max() < 1e-6  # bounds in single precision


def test_image_may_be_placed_anywhere():
    surface = sphere()
    expected = volume(output(to_surface(surface, Region="Signed")), "Distance")
    moved = vtkPolyData()
    moved.DeepCopy(surface)
    wrapped = dataset_adapter.WrapDataObject(moved)
    wrapped.Points = np.stack([5 - np.array(wrapped.Points)[:, 1], 7 + np.array(wrapped.Points)[:, 0],
                               9 + np.array(wrapped.Points)[:, 2]], axis=1).astype(np.float64)
    data = image_data(**BOX, origin=(5, 7, 9), direction=(0, -1, 0, 1, 0, 0, 0, 0, 1), a=np.zeros(np.prod(SHAPE)))
    proxy = distance_transform(Input=source(data), Surface=source(moved), SiteMode="Surface", DoublePrecision=1, Region="Signed")
    assert np.abs(volume(output(proxy), "Distance") - expected).max() < 1e-5  # points in single precision


def test_cells_measure_from_their_centres():
    data = image_data(**BOX)
    add_arrays(data.GetCellData(), {"c": np.zeros(26 * 24 * 22)})
    plane = vtkPlaneSource()
    plane.SetOrigin(-50, -50, 3.25)
    plane.SetPoint1(90, -50, 3.25)
    plane.SetPoint2(-50, 90, 3.25)
    proxy = distance_transform(Input=source(data), SiteArray=["CELLS", "c"], Surface=source(polygons(plane)), SiteMode="Surface")
    distance = vtk_to_numpy(output(proxy).GetCellData().GetArray("Distance")).reshape(22, 24, 26)
    assert np.abs(distance - np.abs(np.arange(22) + 0.5 - 3.25)[:, None, None]).max() < 1e-6


def test_lines_and_vertices_are_surfaces_too():
    data = point_data([(3, 4, 5), (20, 4, 5), (9, 15, 12)])
    data.Allocate(2)
    data.InsertNextCell(3, 2, [0, 1])
    data.InsertNextCell(1, 1, [2])
    distance = volume(output(to_surface(data)), "Distance")
    x, y, z = grid()
    line = np.sqrt(np.maximum(np.maximum(3 - x, x - 20), 0) ** 2 + (y - 4) ** 2 + (z - 5) ** 2)
    vertex = np.sqrt((x - 9) ** 2 + (y - 15) ** 2 + (z - 12) ** 2)
    assert np.abs(distance - np.minimum(line, vertex)).max() < 1e-12


def test_arrays_of_the_surface_are_extended():
    surface = sphere()
    add_arrays(surface.GetPointData(), {"height": np.array(dataset_adapter.WrapDataObject(surface).Points)[:, 2].astype(float)})
    proxy = to_surface(surface, ExtendedArrays=["height"], TipPoints=[3, 4, 5])
    foot = lines(output(proxy, 1))[0][-1]
    assert volume(output(proxy), "Extendedheight")[5, 4, 3] == pytest.approx(foot[2], abs=1e-5)


# ------------------------------------------------------------------------------------------------- bad input
def test_iso_value_that_nothing_crosses(messages):
    out = output(level_set(ball(), IsoValue=1000, Region="Both"))
    assert "no cell is crossed by the Iso Value 1000, the values of 'a' range from" in messages() and "NaN" in messages()
    assert np.isnan(array(out, "Distance")).all() and (array(out, "Reached") == 0).all()


def test_iso_value_that_is_not_finite(messages):
    assert_error(messages, level_set(ball(), IsoValue=np.inf), "the Iso Value must be finite, got inf", "within the array's range")


def test_values_that_are_not_numbers_have_no_surface(messages):
    values = ball()
    values[11, 11, 4:6] = np.nan, np.inf
    distance = volume(output(level_set(values)), "Distance")
    assert "2 values of 'a' are NaN or infinite: the cells around them have no surface" in messages()
    assert np.isfinite(distance).all()


def test_constant_array_equal_to_the_iso_value_is_inside(messages):
    out = output(level_set(np.zeros(SHAPE), Region="Outside"))
    assert "no cell is crossed" in messages() and (array(out, "Distance") == 0).all()


def test_cell_array_has_no_level_set(messages):
    data = image_data(**BOX)
    add_arrays(data.GetCellData(), {"c": np.arange(26 * 24 * 22.)})
    proxy = distance_transform(Input=source(data), SiteArray=["CELLS", "c"], SiteMode="Level Set", IsoValue=5)
    assert_error(messages, proxy, "needs an array on points, but 'c' is on cells", "Cell Data To Point Data")


def test_surface_that_is_not_connected(messages):
    proxy = distance_transform(Input=image(a=np.ones(357)), SiteMode="Surface")
    assert_error(messages, proxy, "no surface is connected: connect the Surface input")


def test_surface_that_is_no_polygonal_data(messages):
    proxy = distance_transform(Input=image(a=np.ones(357)), Surface=image(a=np.ones(357)), SiteMode="Surface")
    assert_error(messages, proxy, "the surface must be polygonal data, got vtkImageData", "Extract Surface")


def test_empty_surface(messages):
    out = output(to_surface(vtkPolyData()))
    assert "the surface has no cells: Distance is NaN" in messages() and np.isnan(array(out, "Distance")).all()


def test_open_surface_has_no_inside(messages):
    plane = vtkPlaneSource()
    plane.SetOrigin(0, 0, 3.5)
    plane.SetPoint1(30, 0, 3.5)
    plane.SetPoint2(0, 30, 3.5)
    distance = volume(output(to_surface(polygons(plane), Region="Signed")), "Distance")
    assert "the surface is open, so no point is inside" in messages() and "Fill Holes" in messages()
    assert (distance == np.abs(np.arange(23) - 3.5)[:, None, None]).all()


def test_surface_outside_the_image_is_measured():
    far = sphere()
    wrapped = dataset_adapter.WrapDataObject(far)
    wrapped.Points = np.array(wrapped.Points, np.float64) + (1000, 0, 0)
    distance = volume(output(to_surface(far, Region="Signed")), "Distance")
    x, y, z = grid()
    expected = np.sqrt((x - CENTRE[0] - 1000) ** 2 + (y - CENTRE[1]) ** 2 + (z - CENTRE[2]) ** 2) - RADIUS
    assert np.abs(distance - expected).max() < 0.2 and (distance > 0).all()


def test_surface_with_a_corner_that_is_not_a_number(messages):
    surface = sphere()
    dataset_adapter.WrapDataObject(surface).Points[5] = np.nan
    assert_error(messages, to_surface(surface), "the corners of the surface must be between -1e140 and 1e140, got nan", "remove it")


def test_array_to_extend_that_does_not_exist(messages):
    assert_error(messages, level_set(ball(), ExtendedArrays=["heat"]), "no array 'heat' of numbers on the points of the input",
                 "choose the Extended Arrays")


def test_labels_need_points(messages):
    out = output(level_set(ball(), ComputeNearestLabel=1))
    assert "no NearestLabel with a surface" in messages() and "NearestLabel" not in names(out.GetPointData())


def test_an_image_that_moves_is_measured_again():
    surface, data = sphere(), image_data(**BOX, a=ball().ravel())
    for mode in ("Surface", "Level Set"):
        data.SetSpacing(1, 1, 1)
        producer = source(data)
        proxy = distance_transform(Input=producer, Surface=source(surface), SiteMode=mode, IsoValue=0, Region="Both")
        before = volume(output(proxy), "Distance").copy()
        data.SetSpacing(2, 2, 2)
        producer.MarkModified(producer.SMProxy)
        proxy.UpdatePipeline()
        after = volume(output(proxy), "Distance")
        if mode == "Level Set":
            assert np.abs(after - 2 * before).max() < 1e-5
        else:
            assert after[10, 10, 10] == pytest.approx(np.linalg.norm(np.subtract(CENTRE, 20)) - RADIUS, abs=0.2)
