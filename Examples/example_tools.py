"""Shared code of the examples: numpy arrays in and out of ParaView, flat pictures, a printed summary."""

import os
import sys

import numpy as np
import vtkmodules.vtkRenderingFreeType  # draws text
from paraview import simple
from paraview.simple import servermanager
from paraview.vtk.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import VTK_TETRA, vtkCellArray, vtkImageData, vtkPolyData, vtkRectilinearGrid, vtkUnstructuredGrid
from vtkmodules.vtkRenderingCore import vtkTextProperty, vtkTextRenderer

white, black = [1, 1, 1], [0, 0, 0]


def output_folder():
    """Returns the folder named on the command line, else the current one; creates it if missing."""
    if not hasattr(simple, "IsochroneCurvaturePaths"):
        sys.exit("The plugin is not loaded: set PV_PLUGIN_PATH to the folder that holds Isochrone.so")
    folder = sys.argv[1] if len(sys.argv) > 1 else "."
    os.makedirs(folder, exist_ok=True)
    return folder


def source(data, name):
    """Wraps a VTK data set as a ParaView source."""
    producer = simple.TrivialProducer(registrationName=name)
    producer.GetClientSideObject().SetOutput(data)
    producer.UpdatePipeline()
    return producer


def image_source(name, arrays, spacing=(1, 1, 1), origin=(0, 0, 0)):
    """Makes an image of numpy arrays, by name, all of one shape: (y, x) or (z, y, x)."""
    shape = next(iter(arrays.values())).shape
    image = vtkImageData()
    image.SetDimensions(shape[-1], shape[-2], shape[0] if len(shape) == 3 else 1)
    image.SetSpacing(spacing)
    image.SetOrigin(origin)
    for array_name, values in arrays.items():
        array = numpy_to_vtk(np.ascontiguousarray(values).ravel(), deep=True)
        array.SetName(array_name)
        image.GetPointData().AddArray(array)
    image.GetPointData().SetActiveScalars(next(iter(arrays)))
    return source(image, name)


def rectilinear_source(name, x, y, z, arrays):
    """Makes a rectilinear grid with point arrays, by name, of shape (z, y, x)."""
    grid = vtkRectilinearGrid()
    grid.SetDimensions(len(x), len(y), len(z))
    for set_coordinates, values in ((grid.SetXCoordinates, x), (grid.SetYCoordinates, y), (grid.SetZCoordinates, z)):
        set_coordinates(numpy_to_vtk(np.ascontiguousarray(values, float), deep=True))
    for array_name, values in arrays.items():
        array = numpy_to_vtk(np.ascontiguousarray(values).ravel(), deep=True)
        array.SetName(array_name)
        grid.GetPointData().AddArray(array)
    grid.GetPointData().SetActiveScalars(next(iter(arrays)))
    return source(grid, name)


def mesh_source(name, points, tetrahedra, **arrays):
    """Makes tetrahedra from an array (n, 4) of point ids, with cell arrays by name."""
    mesh, vtk_points, cells = vtkUnstructuredGrid(), vtkPoints(), vtkCellArray()
    vtk_points.SetData(numpy_to_vtk(np.ascontiguousarray(points, float), deep=True))
    corners = numpy_to_vtkIdTypeArray(np.ascontiguousarray(tetrahedra, np.int64).ravel(), deep=True)
    ends = numpy_to_vtkIdTypeArray(np.arange(0, 4 * len(tetrahedra) + 1, 4, dtype=np.int64), deep=True)
    cells.SetData(ends, corners)
    mesh.SetPoints(vtk_points)
    mesh.SetCells(VTK_TETRA, cells)
    for array_name, values in arrays.items():
        array = numpy_to_vtk(np.ascontiguousarray(values), deep=True)
        array.SetName(array_name)
        mesh.GetCellData().AddArray(array)
    return source(mesh, name)


def surface_source(name, points, triangles):
    """Makes a surface from an array (n, 3) of point ids."""
    surface, vtk_points, cells = vtkPolyData(), vtkPoints(), vtkCellArray()
    vtk_points.SetData(numpy_to_vtk(np.ascontiguousarray(points, float), deep=True))
    corners = numpy_to_vtkIdTypeArray(np.ascontiguousarray(triangles, np.int64).ravel(), deep=True)
    cells.SetData(3, corners)
    surface.SetPoints(vtk_points)
    surface.SetPolys(cells)
    return source(surface, name)


def line_source(name, polylines):
    """Makes polylines, each from an array of points (n, 3)."""
    points = np.vstack(polylines).astype(float)
    cells, first = vtkCellArray(), 0
    for line in polylines:
        cells.InsertNextCell(len(line))
        for point in range(first, first + len(line)):
            cells.InsertCellPoint(point)
        first += len(line)
    return _polydata(name, points, lines=cells)


def point_source(name, points, **arrays):
    """Makes single points from an array (n, 3), with point arrays by name."""
    cells = vtkCellArray()
    for point in range(len(points)):
        cells.InsertNextCell(1)
        cells.InsertCellPoint(point)
    return _polydata(name, np.asarray(points, float), verts=cells, arrays=arrays)


def _polydata(name, points, lines=None, verts=None, arrays={}):
    data, vtk_points = vtkPolyData(), vtkPoints()
    vtk_points.SetData(numpy_to_vtk(np.ascontiguousarray(points), deep=True))
    data.SetPoints(vtk_points)
    if lines:
        data.SetLines(lines)
    if verts:
        data.SetVerts(verts)
    for array_name, values in arrays.items():
        array = numpy_to_vtk(np.asarray(values), deep=True)
        array.SetName(array_name)
        data.GetPointData().AddArray(array)
    return source(data, name)


def circles(centres, radius, z=0.0):
    """Makes circles as polylines."""
    angle = np.linspace(0, 2 * np.pi, 49)
    ring = np.stack([radius * np.cos(angle), radius * np.sin(angle), 0 * angle], axis=1)
    return [ring + [x, y, z] for x, y in centres]


def arrows(poses, length, z=0.0):
    """Makes arrows as polylines; a pose is x, y, heading in degrees."""
    shape = np.array([[0, 0], [1, 0], [0.6, 0.25], [1, 0], [0.6, -0.25]]) * length
    lines = []
    for x, y, degrees in poses:
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        lines.append(np.column_stack([shape @ np.array([[c, s], [-s, c]]) + [x, y], np.full(len(shape), z)]))
    return lines


def array_of(proxy, name, port=0):
    """Returns a point array of an output, as numpy."""
    return vtk_to_numpy(servermanager.Fetch(proxy, idx=port).GetPointData().GetArray(name))


def port_of(proxy, name):
    """Returns the number of an output by its name."""
    ports = [proxy.SMProxy.GetOutputPortName(n) for n in range(proxy.SMProxy.GetNumberOfOutputPorts())]
    return ports.index(name)


def summarise(paths, name, seconds):
    """Prints the device and the time of a run of the filter, and the cost of each path."""
    lines = servermanager.Fetch(paths, idx=1)
    cells = {key: vtk_to_numpy(lines.GetCellData().GetArray(key)) for key in ("TravelTime", "Energy", "Length")}
    run = (name, paths.BackendUsed, seconds, paths.Rounds, paths.UpdatesPerPoint, len(cells["Energy"]))
    print("%s: %s, %.2f s, %d rounds, %.1f updates a state; %d paths:" % run)
    print("    %d points, travel time %s" % (lines.GetNumberOfPoints(), _range(cells["TravelTime"])), end="")
    print(", energy %s, length %s" % (_range(cells["Energy"]), _range(cells["Length"])))


def _range(values):
    if len(values) == 0:
        return "-"
    return "%.4g" % values[0] if len(values) == 1 else "%.4g to %.4g" % (min(values), max(values))


# Pictures: one view, seen from above, one world unit the same length in both directions.


def flat_view(bounds, width, background=black):
    """Makes a view of the rectangle x0, x1, y0, y1, `width` pixels wide."""
    x0, x1, y0, y1 = bounds
    simple._DisableFirstRenderCameraReset()
    view = simple.CreateView("RenderView")
    view.ViewSize = [width, int(round(width * (y1 - y0) / (x1 - x0)))]
    view.InteractionMode = "2D"
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = background
    view.CameraParallelProjection = 1
    view.CameraFocalPoint = [(x0 + x1) / 2, (y0 + y1) / 2, 0]
    view.CameraPosition = [(x0 + x1) / 2, (y0 + y1) / 2, 10 * (x1 - x0)]
    view.CameraParallelScale = (y1 - y0) / 2
    return view


def pixel_size(view):
    """Returns the world units per pixel."""
    return 2 * view.CameraParallelScale / view.ViewSize[1]


def apply_preset(table, colour_map):
    """Applies one of ParaView's colour maps, by its name in ParaView 5."""
    try:
        table.ApplyPreset(colour_map, True)
    except RuntimeError:
        table.ApplyPreset(colour_map.replace(" (matplotlib)", ""), True)  # ParaView 6


def shift(display, offset):
    """Moves a display, to lay several panels side by side."""
    at = [offset[0], offset[1], offset[2] if len(offset) > 2 else 0]
    if "Translation" in display.ListProperties():  # ParaView 5.13 and later
        display.Translation = at
    else:
        display.Position = at
    return display


def retina(region, every=1):
    """Returns part of a photograph of a retina, and the same with the array Inside, 0 on its black rim."""
    file = "/usr/lib/python3/dist-packages/skimage/data/retina.jpg"
    if not os.path.exists(file):
        sys.exit("No " + file + ": install python3-skimage")
    whole = simple.JPEGSeriesReader(FileNames=[file])
    photograph = simple.ExtractSubset(Input=whole, VOI=region, SampleRateI=every, SampleRateJ=every)
    return photograph, simple.Calculator(Input=photograph, ResultArrayName="Inside", Function="JPEGImage_Y > 25")


def show_photograph(view, proxy, array):
    """Shows an RGB image in its own colours."""
    display = simple.Show(proxy, view)
    display.SetRepresentationType("Surface")
    simple.ColorBy(display, ("POINTS", array))
    display.MapScalars = 0
    display.InterpolateScalarsBeforeMapping = 0
    display.Ambient, display.Diffuse = 1, 0
    return display


def show_field(view, proxy, array, colour_map, value_range, bands=256, nan=white, offset=(0, 0)):
    """Shows a scalar field of an image in flat colours; NaN in colour `nan`, values above the range white."""
    display = simple.Show(proxy, view)
    display.SetRepresentationType("Surface")
    simple.ColorBy(display, ("POINTS", array), separate=True)
    table = simple.GetColorTransferFunction(array, display, separate=True)
    apply_preset(table, colour_map)
    table.RescaleTransferFunction(*value_range)
    table.NumberOfTableValues = bands
    table.NanColor = nan
    table.UseAboveRangeColor, table.AboveRangeColor = 1, white
    display.InterpolateScalarsBeforeMapping = 1
    display.Ambient, display.Diffuse = 1, 0
    return shift(display, offset)


def show_lines(view, proxy, colour, width, offset=(0, 0)):
    """Shows lines in one colour; `width` in pixels."""
    display = simple.Show(proxy, view)
    display.SetRepresentationType("Surface")  # without the balls of seeds and tips
    display.ColorArrayName = ["POINTS", ""]
    display.AmbientColor = display.DiffuseColor = colour
    display.LineWidth = width
    display.RenderLinesAsTubes = 1
    display.Ambient, display.Diffuse = 1, 0
    return shift(display, offset)


def show_cased_lines(view, proxy, colour, width, casing=black, offset=(0, 0, 1)):
    """Shows lines with a rim in a second colour, so that they stand out on any background."""
    rim = simple.PassArrays(Input=proxy)  # a proxy has one display per view, so the rim needs its own
    show_lines(view, rim, casing, width + 4, offset)
    above = offset[2] + (width + 4) * pixel_size(view)  # wide lines are drawn as tubes
    return show_lines(view, proxy, colour, width, (offset[0], offset[1], above))


def write(view, text, position, size, colour=black, align="Left", bold=False, italic=False):
    """Writes text at a world position x, y: the left end, the middle or the right end of its base line."""
    width, height = view.ViewSize
    scale = pixel_size(view)
    centre = view.CameraFocalPoint
    style = vtkTextProperty()
    style.SetFontSize(size), style.SetBold(bold), style.SetItalic(italic)
    box = [0, 0, 0, 0]
    vtkTextRenderer.GetInstance().GetBoundingBox(style, text, box, 72)
    back = {"Left": 0, "Center": 0.5, "Right": 1}[align] * (box[1] - box[0])
    display = simple.Show(simple.Text(Text=text), view)
    display.WindowLocation = "Any Location"
    display.Position = [
        0.5 + ((position[0] - centre[0]) / scale - back) / width,
        0.5 + (position[1] - centre[1]) / scale / height,
    ]
    display.FontFamily = "Arial"
    display.FontSize, display.Color, display.Bold, display.Italic = size, colour, int(bold), int(italic)
    return display


# Pictures of volumes: one view, seen from anywhere.


def volume_view(size, background=white):
    """Makes a view of `size` pixels."""
    simple._DisableFirstRenderCameraReset()
    view = simple.CreateView("RenderView")
    view.ViewSize = size
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground, view.Background = 0, background
    return view


def look(view, position, at, up, angle):
    """Puts the camera at a position; `angle` is its vertical view angle, in degrees."""
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = position, at, up
    view.CameraViewAngle = angle


def show_coloured(view, proxy, array, opacity=1.0, flat=False):
    """Shows a surface or lines in the colours of a point array, see `legend`; `flat` is without shading."""
    display = simple.Show(proxy, view)
    display.SetRepresentationType("Surface")
    simple.ColorBy(display, ("POINTS", array))
    display.Opacity = opacity
    if flat:
        display.Ambient, display.Diffuse = 1, 0
    return display


def show_surface(view, proxy, colour, opacity=1.0):
    """Shows a surface in one colour."""
    display = simple.Show(proxy, view)
    display.SetRepresentationType("Surface")
    display.ColorArrayName = ["POINTS", ""]
    display.AmbientColor = display.DiffuseColor = colour
    display.Opacity = opacity
    return display


def show_balls(view, centres, radius, colour):
    """Shows balls in one colour."""
    balls = [simple.Sphere(Center=at, Radius=radius, ThetaResolution=32, PhiResolution=32) for at in centres]
    show_surface(view, simple.AppendGeometry(Input=balls), colour)  # displays are slow to make


def legend(view, array, title, colour_map, labels, reverse=False, **layout):
    """Sets the colours of everything shown by `show_coloured`, from the first label to the last, with their legend.

    Call it last: anything shown later changes the range. `layout` as for `colour_bar`.
    """
    table = simple.GetColorTransferFunction(array)
    apply_preset(table, colour_map)
    if reverse:
        table.InvertTransferFunction()
    table.RescaleTransferFunction(labels[0], labels[-1])
    table.NanOpacity = 0
    colour_bar(view, table, title, labels, **layout)


def colour_bar(view, table, title, labels, ink=black, position=(0.88, 0.3), length=0.4, size=22, horizontal=False):
    """Shows the legend of a colour table; `position` of the lower left end and `length` are fractions of the picture."""
    bar = simple.GetScalarBar(table, view)
    bar.Visibility = 1
    bar.Title, bar.ComponentTitle, bar.HorizontalTitle = title, "", 1
    bar.Orientation, bar.WindowLocation = "Horizontal" if horizontal else "Vertical", "Any Location"
    bar.Position, bar.ScalarBarLength, bar.ScalarBarThickness = list(position), length, size
    bar.TitleFontFamily = bar.LabelFontFamily = "Arial"
    bar.TitleFontSize = bar.LabelFontSize = size
    bar.TitleColor = bar.LabelColor = ink
    bar.UseCustomLabels, bar.CustomLabels, bar.AddRangeLabels = 1, list(labels), 0
    bar.AutomaticLabelFormat, bar.LabelFormat = 0, "%g"


def field_bar(view, display, array, title, labels, **layout):
    """Shows the legend of a field shown by `show_field`, horizontally; `layout` as for `colour_bar`."""
    table = simple.GetColorTransferFunction(array, display, separate=True)
    colour_bar(view, table, title, labels, horizontal=True, **layout)


def scale_bar(view, start, end, label, ink=black, size=22):
    """Shows a line from start to end with its length, as ParaView's ruler."""
    ruler = simple.Ruler(Point1=start, Point2=end)
    display = simple.Show(ruler, view)
    display.LabelFormat, display.NumberOfTicks = label, 2
    display.AxisColor, display.AxisLineWidth = ink, size / 8
    display.Color, display.FontFamily, display.FontSize = ink, "Arial", size


def save_picture(view, path):
    simple.SaveScreenshot(path, view, ImageResolution=view.ViewSize)
    print("picture:", path)


def save_data(proxy, port, path):
    """Saves as inline binary: ParaView 5.11 on Debian 12 cannot read the default, appended data."""
    simple.SaveData(path, simple.OutputPort(proxy, port), DataMode="Binary")
    print("data:   ", path)
