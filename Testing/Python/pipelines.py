"""Small inputs for the filter tests, and the outputs of a filter as VTK objects and numpy arrays."""
import numpy as np
from paraview import simple
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkPolyData

QUARTER_TURN = (0, -1, 0, 1, 0, 0, 0, 0, 1)  # direction matrix, by rows: the first axis points along world y


def add_arrays(attributes, arrays):
    for name, values in arrays.items():
        array = numpy_to_vtk(np.ascontiguousarray(values), deep=True)
        array.SetName(name)
        attributes.AddArray(array)


def source(data):
    """A pipeline source that shows `data`."""
    proxy = simple.TrivialProducer()
    proxy.GetClientSideObject().SetOutput(data)
    return proxy


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


def curvature_paths(**properties):
    """The filter, updated. Small and quick unless the properties say otherwise."""
    properties = {"Model": "Reeds-Shepp", "TurningRadius": 2.0, "NumberOfHeadings": 16, "Threads": 1, **properties}
    proxy = simple.IsochroneCurvaturePaths(**properties)
    proxy.UpdatePipeline()
    return proxy


def output(proxy, port=0):
    return proxy.GetClientSideObject().GetOutputDataObject(port)


def array(data, name):
    return vtk_to_numpy(data.GetPointData().GetArray(name))


def cell_array(data, name):
    return vtk_to_numpy(data.GetCellData().GetArray(name))


def names(attributes):
    return [attributes.GetAbstractArray(a).GetName() for a in range(attributes.GetNumberOfArrays())]


def plane(data, name):
    """A point array of a planar image, indexed [second axis, first axis]."""
    shape = [n for n in data.GetDimensions() if n > 1]
    return array(data, name).reshape(shape[::-1])


def at(data, name, world):
    return array(data, name)[data.FindPoint(world)]


def lines(data):
    """The points of each polyline of a polydata."""
    all_points = vtk_to_numpy(data.GetPoints().GetData())
    return [all_points[[data.GetCell(c).GetPointId(p) for p in range(data.GetCell(c).GetNumberOfPoints())]]
            for c in range(data.GetNumberOfCells())]


def information(proxy, name):
    proxy.SMProxy.UpdatePropertyInformation()
    return getattr(proxy, name)
