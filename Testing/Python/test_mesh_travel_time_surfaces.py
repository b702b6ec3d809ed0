"""Isochrone Mesh Travel Time on surfaces (polygonal data), and its exact distances."""
import numpy as np
import pytest
from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkFiltersModeling import vtkDijkstraGraphGeodesicPath

from pipelines import (array, assert_error, cell_array, counts, cube, image_data, lines, mesh, mesh_data, mesh_travel_time, names,
                       output, points, source, surface, surface_data)

RNG = np.random.default_rng(5)


def grid(n=12, height=0.3):
    """Returns the points and triangles of a rough square, n^2 squares of edge 1."""
    lattice = np.stack(np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij"), axis=-1).reshape(-1, 2)
    at = np.column_stack([lattice + RNG.uniform(-0.3, 0.3, lattice.shape), RNG.uniform(-height, height, len(lattice))])
    first = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).reshape(-1)
    low = np.column_stack([first, first + n + 1, first + n + 2])
    high = np.column_stack([first, first + n + 2, first + 1])
    return at, np.concatenate([low, high])


AT, TRIANGLES = grid()
SEED = AT[20]


def times(proxy):
    return array(output(proxy), "TravelTime")


def exact(input_=None, **properties):
    return mesh_travel_time(**{"Input": input_ or surface(AT, TRIANGLES), "Accuracy": "Exact", "SpeedType": "Constant",
                               "SeedPoints": SEED, **properties})


# ------------------------------------------------------------------------------------------------- surfaces
def test_a_surface_has_the_times_of_the_same_mesh():
    """The output is a surface with the cells and arrays of the input."""
    point_arrays, cell_arrays = {"p": np.arange(len(AT))}, {"v": RNG.uniform(1, 2, len(TRIANGLES))}
    medium = {"SpeedType": "Scalar", "SpeedArray": ["CELLS", "v"], "SeedPoints": SEED, "TipPoints": AT[100], "Isochrones": 3}
    on_mesh = mesh_travel_time(Input=mesh(AT, TRIANGLES, point_arrays, cell_arrays), **medium)
    on_surface = mesh_travel_time(Input=surface(AT, TRIANGLES, point_arrays, cell_arrays), **medium)
    out = output(on_surface)
    assert out.GetClassName() == "vtkPolyData" and output(on_mesh).GetClassName() == "vtkUnstructuredGrid"
    assert (times(on_surface) == times(on_mesh)).all()
    assert names(out.GetPointData()) == ["p", "TravelTime", "SeedId", "Reached"]
    assert names(out.GetCellData()) == ["v", "ConductionDirection"]
    assert (vtk_to_numpy(out.GetPolys().GetConnectivityArray()) == TRIANGLES.reshape(-1)).all()
    for port in (1, 2):
        assert output(on_surface, port).GetNumberOfPoints() == output(on_mesh, port).GetNumberOfPoints() > 0


def test_polygons_and_strips_are_divided_with_their_arrays():
    """A square, an L whose corner is concave, and a strip, side by side: areas and arrays of the triangles tell the cells."""
    at = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0),
          (2, 0, 0), (4, 0, 0), (4, 1, 0), (3, 1, 0), (3, 2, 0), (2, 2, 0),
          (5, 0, 0), (5, 1, 0), (6, 0, 0), (6, 1, 0), (7, 0, 0)]
    data = surface_data(at, [(0, 1, 2, 3), (4, 5, 6, 7, 8, 9)], strips=[(10, 11, 12, 13, 14)], cell_arrays={"c": np.array([7.0, 8, 9])})
    proxy = mesh_travel_time(Input=source(data), SeedType="Input", Seeds=points([at[0], at[4], at[10]]))
    out = output(proxy)
    assert out.GetNumberOfCells() == out.GetNumberOfPolys() == 2 + 4 + 3
    corners = np.array(at)[vtk_to_numpy(out.GetPolys().GetConnectivityArray()).reshape(-1, 3)]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    for value, area in ((7, 1), (8, 3), (9, 1.5)):
        assert areas[cell_array(out, "c") == value].sum() == pytest.approx(area)
    assert np.isfinite(times(proxy)).all()


def test_vertices_and_lines_are_left_out_with_a_warning(messages):
    data = surface_data(AT, TRIANGLES, {}, {"c": np.arange(3.0 + len(TRIANGLES))}, vertices=[(0,), (1,)], lines=[(2, 3, 4)])
    out = output(mesh_travel_time(Input=source(data), SeedPoints=SEED))
    assert "3 cells are points or lines: they are ignored" in messages()
    assert out.GetNumberOfCells() == len(TRIANGLES) and cell_array(out, "c")[0] == 3


def test_ghost_copies_are_left_out_and_hidden_cells_are_barriers():
    ghosts = np.zeros(len(TRIANGLES), np.uint8)
    ghosts[:3], ghosts[10:20] = 1, 32
    out = output(exact(surface(AT, TRIANGLES, {}, {"vtkGhostType": ghosts})))
    assert out.GetNumberOfCells() == len(TRIANGLES) - 3
    hidden = np.where(ghosts[3:] == 32, 32, 0).astype(np.uint8)
    expected = mesh_travel_time(Input=surface(AT, TRIANGLES[3:], {}, {"vtkGhostType": hidden}), Accuracy="Exact", SeedPoints=SEED)
    assert np.isfinite(array(out, "TravelTime")).sum() == np.isfinite(times(expected)).sum() > 0
    assert np.nanmax(array(out, "TravelTime")) == np.nanmax(times(expected))


def test_coincident_points_of_a_surface_are_reported(messages):
    """ParaView's box has its own points on each face."""
    proxy = mesh_travel_time(Input=simple.Box(), SeedPoints=[0.5, 0.5, 0.5])
    assert "16 points coincide with another one: waves do not pass between them, apply Clean to merge them" in messages()
    clean = mesh_travel_time(Input=simple.Clean(Input=simple.Box()), SeedPoints=[0.5, 0.5, 0.5], Accuracy="Exact")
    assert times(clean).max() == pytest.approx(5 ** 0.5) and np.isnan(times(proxy)).any()


def test_the_output_follows_the_type_of_the_input():
    proxy = mesh_travel_time(Input=surface(AT, TRIANGLES), SeedPoints=SEED)
    filter_ = proxy.GetClientSideObject()
    for data, kind in ((mesh_data(AT, TRIANGLES), "vtkUnstructuredGrid"), (surface_data(AT, TRIANGLES), "vtkPolyData")):
        filter_.SetInputDataObject(0, data)
        filter_.Update()
        assert filter_.GetOutputDataObject(0).GetClassName() == kind
        assert filter_.GetOutputDataObject(0).GetNumberOfCells() == len(TRIANGLES)


def test_a_new_filter_on_a_surface_starts_at_a_vertex_without_warnings():
    proxy = simple.IsochroneMeshTravelTime(Input=simple.Sphere())
    proxy.UpdatePipeline()
    assert len(proxy.SeedPoints) == len(proxy.TipPoints) == 0
    assert times(proxy).min() == 0 and times(proxy).max() == pytest.approx(np.pi / 2, rel=0.1)


# ------------------------------------------------------------------------------------------------- exact distances
def test_exact_distances_on_a_plane_are_straight():
    at = np.round(AT * [1, 1, 0])
    np.testing.assert_allclose(times(exact(surface(at, TRIANGLES), SeedPoints=at[20])), np.linalg.norm(at - at[20], axis=1), rtol=2e-7)


def test_a_constant_speed_divides_exact_distances():
    assert (times(exact()) == 4 * times(exact(ConstantSpeed=4))).all()
    assert (times(exact()) == times(exact(SpeedType="Scalar"))).all()  # without an array


def test_distances_along_edges_are_never_shorter():
    """VTK's filter takes the way along edges only."""
    distances, data = times(exact()), surface_data(AT, TRIANGLES)
    longer = 0
    for vertex in range(0, len(AT), 7):
        along = vtkDijkstraGraphGeodesicPath()
        along.SetInputData(data)
        along.SetStartVertex(20)
        along.SetEndVertex(vertex)
        along.Update()
        way = vtk_to_numpy(along.GetOutput().GetPoints().GetData())
        length = np.linalg.norm(np.diff(way, axis=0), axis=1).sum() if len(way) > 1 else 0
        assert length >= distances[vertex] - 1e-6
        longer += length > 1.02 * distances[vertex]
    assert longer > 10


def test_paths_have_the_exact_length_and_end_at_their_tips():
    tips = np.vstack([AT[[3, 99, 160]], AT[TRIANGLES[[40, 200]]].mean(axis=1)])
    proxy = exact(TipPoints=tips.reshape(-1))
    out, distances = output(proxy, 1), times(proxy)
    lengths = cell_array(out, "Length")
    np.testing.assert_allclose(lengths[:3], distances[[3, 99, 160]], rtol=2e-7)
    for line, tip, length in zip(lines(out), tips, lengths):
        np.testing.assert_allclose([line[0], line[-1]], [tip, SEED], atol=1e-9)
        assert np.linalg.norm(np.diff(line, axis=0), axis=1).sum() == pytest.approx(length, rel=1e-9)
    # A tip in a triangle has the distance of a seed there to the vertex of the seed.
    back = times(exact(SeedPoints=tips[3]))
    assert back[20] == pytest.approx(lengths[3], rel=2e-7)


def test_moving_a_tip_does_not_solve_again():
    proxy = exact(TipPoints=AT[90])
    assert counts(proxy) == (1, 1)
    proxy.TipPoints = AT[91]
    proxy.UpdatePipeline()
    assert counts(proxy) == (1, 2)


@pytest.mark.parametrize("change, solves", [({"Accuracy": "First Order"}, 2), ({"ExactRadius": 2}, 1), ({"Method": "Plain FIM"}, 2),
                                            ({"Threads": 2}, 1), ({"CheckResidual": 1}, 1)])
def test_changes_solve_again_where_they_matter(change, solves):
    proxy = exact()
    for name, value in change.items():
        setattr(proxy, name, value)
    proxy.UpdatePipeline()
    assert counts(proxy)[0] == solves


def test_nearest_seeds_of_exact_distances():
    both = [AT[0], AT[150]]
    proxy = exact(SeedType="Input", Seeds=points(both, Label=np.array([4, 9]), StartValue=np.array([0.0, 1.5])))
    first, second = (times(exact(SeedPoints=at)) for at in both)
    np.testing.assert_allclose(times(proxy), np.minimum(first, second + 1.5), rtol=1e-6)
    assert (array(output(proxy), "SeedId") == np.where(first < second + 1.5, 4, 9)).all()


def test_exact_distances_on_triangles_of_an_unstructured_grid():
    assert (times(exact(mesh(AT, TRIANGLES))) == times(exact())).all()


def test_what_ran_is_shown():
    proxy = exact()
    proxy.SMProxy.UpdatePropertyInformation()
    assert proxy.MethodUsed == "Windows" and proxy.BackendUsed == "Host" and "exact distances" in proxy.BackendReason
    assert np.isnan(exact(CheckResidual=1).Residual)


# ------------------------------------------------------------------------------------------------- bad input
def test_exact_refuses_tetrahedra(messages):
    at, cells = cube(2)
    assert_error(messages, mesh_travel_time(Input=mesh(at, cells), Accuracy="Exact"), "cell 0 at (", "is a tetrahedron", "Extract Surface")


def test_exact_refuses_speeds_of_cells(messages):
    input_ = surface(AT, TRIANGLES, {}, {"v": np.ones(len(TRIANGLES))})
    assert_error(messages, exact(input_, SpeedType="Scalar", SpeedArray=["CELLS", "v"]), "one speed everywhere", "Speed Type Constant")


def test_exact_refuses_cuda(messages):
    assert_error(messages, exact(Backend="CUDA"), "exact distances", "host only", "Backend Automatic or Host")


@pytest.mark.parametrize("polygons, words", [([(0, 1)], ("cell 0", "at least 3 points", "got 2")),
                                             ([(0, 1, 12), (0, 1, 10 ** 6)], ("cell 1", "point 1000000")),
                                             ([(0, 1, -2)], ("cell 0", "point -2"))])
def test_bad_polygons(messages, polygons, words):
    assert_error(messages, mesh_travel_time(Input=surface(AT, polygons), SeedPoints=SEED), *words)


def test_surfaces_without_polygons(messages):
    assert_error(messages, mesh_travel_time(Input=points([(0, 0, 0), (1, 0, 0)])), "no polygons or strips")


def test_coordinates_that_are_not_finite(messages):
    bad = AT.copy()
    bad[7, 1] = np.nan
    assert_error(messages, exact(surface(bad, TRIANGLES)), "coordinates must be finite", "point 7")


def test_unreached_parts_are_reported(messages):
    at = np.vstack([AT, AT + [100, 0, 0]])
    proxy = exact(surface(at, np.vstack([TRIANGLES, TRIANGLES + len(AT)])), TipPoints=at[-1])
    assert np.isnan(times(proxy)[len(AT):]).all() and np.isfinite(times(proxy)[:len(AT)]).all()
    assert "169 of 338 points are unreached" in messages() and "cannot be reached from any seed" in messages()
