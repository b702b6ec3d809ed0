"""Small inputs for the filter tests, and the outputs of a filter as VTK objects and numpy arrays."""
from itertools import permutations

import numpy as np
from paraview import servermanager, simple
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkDoubleArray, vtkPoints, vtkStringArray
from vtkmodules.vtkCommonDataModel import (VTK_TETRA, VTK_TRIANGLE, vtkImageData, vtkCellArray, vtkPolyData, vtkRectilinearGrid,
                                            vtkStructuredGrid, vtkUnstructuredGrid)

QUARTER_TURN = (0, -1, 0, 1, 0, 0, 0, 0, 1)  # direction matrix, by rows: the first axis points along world y


def add_arrays(attributes, arrays):
    for name, values in arrays.items():
        array = numpy_to_vtk(np.ascontiguousarray(values), deep=True)
        array.SetName(name)
        attributes.AddArray(array)


def source(data):
    """Returns a pipeline source with `data` as output."""
    proxy = simple.TrivialProducer()
    proxy.GetClientSideObject().SetOutput(data)
    return proxy


def rectilinear_data(x, y, z, start=(0, 0, 0), cell_arrays={}, **arrays):
    """Returns a grid with arrays of its points.

    @param start  first index of each axis
    """
    grid = vtkRectilinearGrid()
    grid.SetExtent(*[end for first, at in zip(start, (x, y, z)) for end in (first, first + len(at) - 1)])
    for set_, values in ((grid.SetXCoordinates, x), (grid.SetYCoordinates, y), (grid.SetZCoordinates, z)):
        set_(numpy_to_vtk(np.ascontiguousarray(values, float), deep=True))
    add_arrays(grid.GetPointData(), arrays)
    add_arrays(grid.GetCellData(), cell_arrays)
    return grid


def rectilinear(*args, **kwargs):
    return source(rectilinear_data(*args, **kwargs))


def image_data(extent=(0, 20, 0, 16, 0, 0), spacing=(1, 1, 1), origin=(0, 0, 0), direction=None, **arrays):
    image = vtkImageData()
    image.SetExtent(*extent)
    image.SetSpacing(*spacing)
    image.SetOrigin(*origin)
    if direction:
        image.SetDirectionMatrix(*direction)
    add_arrays(image.GetPointData(), arrays)
    return image


def image(*args, **kwargs):
    return source(image_data(*args, **kwargs))


def point_data(points, **arrays):
    data, coordinates = vtkPolyData(), vtkPoints()
    coordinates.SetDataTypeToDouble()
    for point in points:
        coordinates.InsertNextPoint(*point)
    data.SetPoints(coordinates)
    add_arrays(data.GetPointData(), arrays)
    return data


def points(positions, **arrays):
    return source(point_data(positions, **arrays))


def cube(n=6, jitter=0.2, seed=1):
    """Returns points and tetrahedra of a unit cube: n^3 small cubes, six tetrahedra each, inner points moved at random."""
    lattice = np.stack(np.meshgrid(*[np.arange(n + 1)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    inner = ((lattice > 0) & (lattice < n)).all(axis=1)
    at = (lattice + jitter * inner[:, None] * np.random.default_rng(seed).uniform(-1, 1, lattice.shape)) / n
    corners = lattice[(lattice < n).all(axis=1)]
    step, cells = np.array([(n + 1) ** 2, n + 1, 1]), []
    for order in permutations(range(3)):
        ways = np.cumsum([np.zeros(3, int)] + [np.eye(3, dtype=int)[a] for a in order], axis=0)
        cells.append((corners[:, None] + ways) @ step)
    return at, np.concatenate(cells)


def mesh_data(at, cells, point_arrays={}, cell_arrays={}):
    """Returns a mesh of tetrahedra or triangles; for cells of other types, pairs of type and points."""
    data, coordinates = vtkUnstructuredGrid(), vtkPoints()
    coordinates.SetDataTypeToDouble()
    coordinates.SetData(numpy_to_vtk(np.ascontiguousarray(at, float), deep=True))
    data.SetPoints(coordinates)
    data.Allocate(len(cells))
    for cell in cells:
        kind, ids = cell if isinstance(cell, tuple) else (VTK_TETRA if len(cell) == 4 else VTK_TRIANGLE, cell)
        data.InsertNextCell(kind, len(ids), [int(i) for i in ids])
    add_arrays(data.GetPointData(), point_arrays)
    add_arrays(data.GetCellData(), cell_arrays)
    return data


def mesh(*args, **kwargs):
    return source(mesh_data(*args, **kwargs))


def curvature_paths(**properties):
    """Returns the filter, updated; small and fast by default."""
    properties = {"Model": "Reeds-Shepp", "TurningRadius": 2.0, "NumberOfHeadings": 16, "Threads": 1, **properties}
    proxy = simple.IsochroneCurvaturePaths(**properties)
    proxy.UpdatePipeline()
    return proxy


def travel_time(**properties):
    """Returns the filter on images, updated; by default the plain scheme, which does not depend on the order of work."""
    proxy = simple.IsochroneImageTravelTime(**{"SourceFactoring": "Off", "Threads": 1, **properties})
    proxy.UpdatePipeline()
    return proxy


def distance_transform(**properties):
    """Returns the filter on images, updated; by default sites are where the array `a` is nonzero."""
    settings = {"SiteArray": ["POINTS", "a"], "SiteMode": "Any Nonzero", "Threads": 1, **properties}
    proxy = simple.IsochroneDistanceTransform(**settings)
    proxy.UpdatePipeline()
    return proxy


def ray_tracing(**properties):
    """Returns the filter on images, updated; by default the velocity is the array `v`."""
    proxy = simple.IsochroneRayTracing(**{"VelocityArray": ["POINTS", "v"], "Backend": "Host", "Threads": 1, **properties})
    proxy.UpdatePipeline()
    return proxy


def mesh_travel_time(**properties):
    """Returns the filter on meshes, updated."""
    proxy = simple.IsochroneMeshTravelTime(**{"Backend": "Host", "Threads": 1, **properties})
    proxy.UpdatePipeline()
    return proxy


def surface_data(at, polygons=(), point_arrays={}, cell_arrays={}, vertices=(), lines=(), strips=()):
    """Returns a surface of polygons; its cells are the vertices, the lines, the polygons and the strips, in this order."""
    data, coordinates = vtkPolyData(), vtkPoints()
    coordinates.SetDataTypeToDouble()
    coordinates.SetData(numpy_to_vtk(np.ascontiguousarray(at, float), deep=True))
    data.SetPoints(coordinates)
    for cells, setter in ((vertices, data.SetVerts), (lines, data.SetLines), (polygons, data.SetPolys), (strips, data.SetStrips)):
        array = vtkCellArray()
        for cell in cells:
            array.InsertNextCell(len(cell), [int(i) for i in cell])
        if len(cells):
            setter(array)
    add_arrays(data.GetPointData(), point_arrays)
    add_arrays(data.GetCellData(), cell_arrays)
    return data


def surface(*args, **kwargs):
    return source(surface_data(*args, **kwargs))


def oriented_cost(**properties):
    """Returns the filter on images, updated; by default the intensity is the array `intensity`."""
    proxy = simple.IsochroneOrientedCost(**{"IntensityArray": ["POINTS", "intensity"], "Threads": 1, **properties})
    proxy.UpdatePipeline()
    return proxy


def nearest_sites(sites, spacing=1):
    """Returns the squared distance to the nearest site, and the first such site, by comparing all pairs of samples [k, j, i]
    or [j, i]."""
    at = np.indices(sites.shape).reshape(sites.ndim, -1)[::-1].T * np.asarray(spacing, float)
    numbers = np.flatnonzero(sites)
    squared = ((at[:, None] - at[numbers]) ** 2).sum(axis=2)
    return squared.min(axis=1).reshape(sites.shape), numbers[squared.argmin(axis=1)].reshape(sites.shape)


def string_array(name, number):
    words = vtkStringArray()
    words.SetName(name)
    words.SetNumberOfValues(number)
    return words


def rectilinear_grid():
    grid = vtkRectilinearGrid()
    grid.SetDimensions(3, 3, 1)
    for coordinates in (grid.SetXCoordinates, grid.SetYCoordinates):
        values = vtkDoubleArray()
        for value in (0, 1, 3):
            values.InsertNextValue(value)
        coordinates(values)
    return grid


def structured_grid():
    grid = vtkStructuredGrid()
    grid.SetDimensions(2, 2, 1)
    grid.SetPoints(point_data([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]).GetPoints())
    return grid


def port_of(proxy, name):
    """Returns the number of an output port, None if the filter has none of this name."""
    names = [proxy.SMProxy.GetOutputPortName(port) for port in range(proxy.SMProxy.GetNumberOfOutputPorts())]
    return names.index(name) if name in names else None


def output(proxy, port=0):
    return proxy.GetClientSideObject().GetOutputDataObject(port)


def assert_error(messages, proxy, *words):
    """Asserts one error, with these words, and valid empty outputs."""
    text = messages()
    assert text.count("ERROR") == 1, text
    for word in words:
        assert word in text, text
    for port in range(proxy.GetClientSideObject().GetNumberOfOutputPorts()):
        data = output(proxy, port)
        assert data.GetNumberOfElements(data.POINT) == 0 and data.GetNumberOfElements(data.ROW) == 0
    on_mesh = proxy.SMProxy.GetXMLName() == "IsochroneMeshTravelTime"
    same = ("vtkPolyData", "vtkUnstructuredGrid") if on_mesh else ("vtkRectilinearGrid", "vtkImageData")  # type as the input, else the last
    follows = on_mesh or proxy.SMProxy.GetXMLName() in ("IsochroneDistanceTransform", "IsochroneImageTravelTime")
    kind = same[0] if follows and output(proxy.Input).IsA(same[0]) else same[1]
    second = "vtkImageData" if proxy.SMProxy.GetXMLName() == "IsochroneOrientedCost" else "vtkPolyData"
    assert output(proxy, 0).IsA(kind) and output(proxy, 1).IsA(second)


def array(data, name):
    return vtk_to_numpy(data.GetPointData().GetArray(name))


def cell_array(data, name):
    return vtk_to_numpy(data.GetCellData().GetArray(name))


def column(table, name):
    return vtk_to_numpy(table.GetColumnByName(name))


def names(attributes):
    return [attributes.GetAbstractArray(a).GetName() for a in range(attributes.GetNumberOfArrays())]


def plane(data, name):
    """Returns a point array of a planar image, indexed [second axis, first axis]."""
    shape = [n for n in data.GetDimensions() if n > 1]
    return array(data, name).reshape(shape[::-1])


def volume(data, name):
    """Returns a point array of an image, indexed [k, j, i]."""
    return array(data, name).reshape(data.GetDimensions()[::-1])


def at(data, name, world):
    return array(data, name)[data.FindPoint(world)]


def lines(data):
    """Returns the points of each polyline of a polydata."""
    all_points = vtk_to_numpy(data.GetPoints().GetData())
    return [all_points[[data.GetCell(c).GetPointId(p) for p in range(data.GetCell(c).GetNumberOfPoints())]]
            for c in range(data.GetNumberOfCells())]


def counts(proxy):
    """Returns the numbers of solves and path extractions so far."""
    return proxy.SolveCount, proxy.ExtractionCount


def executions_after_touching(data, name, proxy):
    """Returns the number of executions after the input is marked as modified."""
    algorithm, runs = proxy.GetClientSideObject(), []
    algorithm.AddObserver("EndEvent", lambda *_: runs.append(1))
    data.GetPointData().GetArray(name).Modified()
    data.Modified()
    proxy.Input.GetClientSideObject().Modified()
    algorithm.Update()
    proxy.SMProxy.UpdatePropertyInformation()  # ParaView knows nothing of this update
    return len(runs)


def choices(proxy, name):
    domain = proxy.GetProperty(name).SMProperty.GetDomain("array_list")
    return [domain.GetString(s) for s in range(domain.GetNumberOfStrings())]


def properties_of(proxy):
    """Yields names and properties."""
    properties = servermanager.PropertyIterator(proxy.SMProxy)  # one of NewPropertyIterator() is never freed, nor is its proxy
    for property_ in properties:
        yield properties.GetKey(), property_


def assert_documented(proxy, fewest):
    """Asserts a help text with the method, and more than `fewest` properties, each with a tooltip and its name as label."""
    names = []
    for name, property_ in properties_of(proxy):
        names.append(name)
        documentation = property_.GetDocumentation()
        assert documentation and len(documentation.GetDescription().strip()) > 20, name
        assert property_.GetXMLLabel().replace(" ", "") == name
    assert len(names) > fewest
    help_text = proxy.SMProxy.GetDocumentation()
    assert help_text.GetShortHelp() and help_text.GetLongHelp() and "Method:" in help_text.GetDescription()
