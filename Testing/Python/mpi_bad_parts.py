"""Parts of an input that do not fit together, on three ranks: one error, the same on all, that names the rank and the
difference; empty outputs everywhere; and the next valid input works. mpirun -np 3 pvbatch --sym mpi_bad_parts.py"""
import os

from paraview import simple
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow
from vtkmodules.vtkParallelCore import vtkMultiProcessController

simple.LoadPlugin(os.environ["ISOCHRONE_PLUGIN"], remote=False, ns=vars(simple))
CONTROLLER = vtkMultiProcessController.GetGlobalController()
RANK, RANKS = CONTROLLER.GetLocalProcessId(), CONTROLLER.GetNumberOfProcesses()

FRAME = "self.GetExecutive().GetOutputInformation(0).Set(self.GetExecutive().WHOLE_EXTENT(), 0, 29, 0, 19, 0, 0)"
# The image in three parts with the arrays a and b; rank 1 modifies its part according to `fault`.
PART = """
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
low, high = ((0, 10), (10, 20), (20, 29))[%d]
out = self.GetOutputDataObject(0)
out.SetExtent(low, high, 0, 19, 0, 0)
number, fault = (high - low + 1) * 20, %r if %d == 1 else ""
def add(name, values):
    array = numpy_to_vtk(values, deep=True)
    array.SetName(name)
    out.GetPointData().AddArray(array)
if fault != "missing":
    add("a", np.ones(number) if fault != "components" else np.ones((number, 3)))
if fault != "other missing":
    add("b", np.ones(number if fault != "length" else 3))
out.SetSpacing(2 if fault == "spacing" else 1, 1, 1)
out.SetOrigin(0.5 if fault == "origin" else 0, 0, 0)
out.SetDirectionMatrix(*(0, -1, 0, 1, 0, 0, 0, 0, 1) if fault == "direction" else (1, 0, 0, 0, 1, 0, 0, 0, 1))
if fault == "ghosts":
    add("vtkGhostType", np.zeros(number, np.uint8))
"""
WORDS = {"missing": ("the point array 'a' is on rank 0, but not on rank 1",),
         "other missing": ("the point array 'b' is on rank 0, but not on rank 1",),
         "components": ("the point array 'a' has 1 numbers per point on rank 0, but 3 numbers per point on rank 1",),
         "length": ("the point array 'b'", "3 values for 220 points on rank 1"),
         "spacing": ("the spacing of the image is (1, 1, 1) on rank 0 and (2, 1, 1) on rank 1",),
         "origin": ("the origin of the image", "(0.5, 0, 0) on rank 1"),
         "direction": ("the direction matrix of the image", "on rank 1")}
FILTERS = {"IsochroneImageTravelTime": ("SpeedArray", {}), "IsochroneRayTracing": ("VelocityArray", {}),
           "IsochroneDistanceTransform": ("SiteArray", {"SiteMode": "Any Nonzero"}),
           "IsochroneCurvaturePaths": ("CostArray", {"NumberOfHeadings": 8, "TurningRadius": 2.0}),
           "IsochroneOrientedCost": ("IntensityArray", {"NumberOfHeadings": 8})}
SEEDS = """
from vtkmodules.vtkCommonCore import vtkDoubleArray, vtkPoints
points = vtkPoints()
points.InsertNextPoint(3 + %d, 3, 0)
self.GetOutputDataObject(0).SetPoints(points)
if %d != 1:
    start = vtkDoubleArray()
    start.SetName("StartValue")
    start.InsertNextValue(1)
    self.GetOutputDataObject(0).GetPointData().AddArray(start)
"""


def programmable(kind, script, information=""):
    source = simple.ProgrammableSource()
    source.OutputDataSetType = kind
    source.ScriptRequestInformation = information
    source.Script = script
    return source


def part(fault):
    return PART % (RANK, fault, RANK)  # differs between ranks, so that all of them run


def run(proxy):
    """Returns the messages of an update, and the number of points on this rank after it."""
    window = vtkStringOutputWindow()
    vtkOutputWindow.SetInstance(window)
    proxy.UpdatePipeline()
    return window.GetOutput(), proxy.GetClientSideObject().GetOutputDataObject(0).GetNumberOfPoints()


def check(what, text, points, words):
    assert points == 0 if words else points > 0, (what, RANK, points)
    errors = [line for line in text.splitlines() if line.startswith("vtk")]
    # One message. Isochrone Oriented Cost has two images; the source may run and fail again for each.
    assert len(set(errors)) == (1 if words and RANK == 0 else 0) and len(errors) <= 2, (what, RANK, text)
    missing = [word for word in words if word not in text]  # a Programmable Source hides the function all()
    assert RANK != 0 or not missing, (what, missing, text)


assert RANKS == 3
try:
    for name, (array, settings) in FILTERS.items():
        image = programmable("vtkImageData", part(""), FRAME)
        proxy = getattr(simple, name)(Input=image, Threads=1, **{array: ["POINTS", "a"]}, **settings)
        for fault in (*WORDS, "ghosts", ""):
            image.Script = part(fault)
            check((name, fault), *run(proxy), WORDS.get(fault, ()))
    image = programmable("vtkImageData", part(""), FRAME)
    proxy = simple.IsochroneImageTravelTime(Input=image, Threads=1, Seeds=programmable("vtkPolyData", SEEDS % (RANK, RANK)))
    check("seeds", *run(proxy), ("'StartValue' is on rank 0, but not on rank 1",))
except BaseException as error:  # the other ranks would wait forever
    os.write(2, f"rank {RANK}: {error!r}\n".encode())  # Python's output goes to the message window
    os._exit(1)
