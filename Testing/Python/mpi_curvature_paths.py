"""Isochrone Curvature Paths on several ranks: mpirun -np N pvbatch --sym mpi_curvature_paths.py FOLDER

With "write" as a second argument (one process) it writes FOLDER/serial.npz, else every rank compares what it holds with
that file. A rank that fails ends the whole run: a rank that only left would keep the others waiting.
"""
import os
import sys
import traceback

import numpy as np
from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkRectilinearGrid
from vtkmodules.vtkParallelCore import vtkCommunicator, vtkMultiProcessController

HERE = os.path.dirname(os.path.abspath(__file__))
COURTYARD = os.path.join(HERE, "..", "Data", "courtyard.vtk")
FIELDS = ("TravelTime", "Heading", "SeedId", "Reached")

simple.LoadPlugin(os.environ["ISOCHRONE_PLUGIN"], remote=False, ns=vars(simple))
CONTROLLER = vtkMultiProcessController.GetGlobalController()
RANKS = CONTROLLER.GetNumberOfProcesses() if CONTROLLER else 1
RANK = CONTROLLER.GetLocalProcessId() if CONTROLLER else 0


def total(number):
    """Sum over the ranks."""
    sums = np.array([number], float)
    if RANKS > 1:
        CONTROLLER.AllReduce(np.array([number], float), sums, 1, vtkCommunicator.SUM_OP)
    return sums[0]


def data_of(proxy, port=0):
    """What this rank holds."""
    return proxy.GetClientSideObject().GetOutputDataObject(port)


# ---------------------------------------------------------------------------------------------- pipelines
def courtyard():
    """A file, read whole or in pieces as the reader likes."""
    return simple.LegacyVTKReader(FileNames=[COURTYARD])


def from_reader():
    return simple.IsochroneCurvaturePaths(
        Input=courtyard(), CostArray=["POINTS", "cost"], WallArray=["POINTS", "walls"], ComputeStateSpace=1,
        SeedPoints=[0.1, 0.1, 0, 0.1, 0.6, 0], SeedHeadings=[0, 90], TipPoints=[0.9, 0.1, 0, 0.9, 0.6, 0])


def from_wavelet():
    """A source that gives each rank its piece, of an image whose extent does not start at 0."""
    wavelet = simple.Wavelet(WholeExtent=[-20, 20, -15, 15, 0, 0])
    return simple.IsochroneCurvaturePaths(
        Input=wavelet, CostArray=["POINTS", "RTData"], Model="Reeds-Shepp", ComputeStateSpace=1, NumberOfHeadings=32,
        SeedPoints=[-15, -10, 0], TipPoints=[15, 10, 0, -10, 12, 0])


def from_the_centre():
    """No seed is given, and each rank knows but the bounds of its piece."""
    wavelet = simple.Wavelet(WholeExtent=[-20, 20, -15, 15, 0, 0])
    wavelet.UpdatePipeline()
    return simple.IsochroneCurvaturePaths(Input=wavelet, NumberOfHeadings=32, TipPoints=[15, 10, 0])


def from_resampled():
    """Resample To Image: ignores what it is asked for, every rank has its part of the image and no more."""
    grid = simple.AppendDatasets(Input=[simple.Wavelet(WholeExtent=[-20, 20, -15, 15, 0, 0])])
    image = simple.ResampleToImage(Input=grid, UseInputBounds=0, SamplingDimensions=[41, 31, 1],
                                   SamplingBounds=[-20, 20, -15, 15, 0, 0])
    return simple.IsochroneCurvaturePaths(
        Input=image, CostArray=["POINTS", "RTData"], Model="Reeds-Shepp Forward", NumberOfHeadings=32,
        SeedPoints=[-15, -10, 0], TipPoints=[15, 10, 0])


SCATTERED = """
import numpy as np
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkParallelCore import vtkMultiProcessController
from vtkmodules.util.numpy_support import numpy_to_vtk
controller = vtkMultiProcessController.GetGlobalController()
ranks, rank = (controller.GetNumberOfProcesses(), controller.GetLocalProcessId()) if controller else (1, 0)
where = np.array(WHERE, float)
mine = [i for i in range(len(where)) if i % ranks == rank]
points = vtkPoints()
for i in mine:
    points.InsertNextPoint(where[i])
out = vtkPolyData()
out.SetPoints(points)
label = numpy_to_vtk(np.array(mine, np.int32) + 100, deep=True)
label.SetName('Label')
out.GetPointData().AddArray(label)
self.GetOutput().ShallowCopy(out)
"""


def scattered(where):
    """Points dealt out to the ranks in turn, labelled by their number in `where`."""
    return simple.ProgrammableSource(OutputDataSetType="vtkPolyData", Script=SCATTERED.replace("WHERE", repr(where)))


def from_scattered_points():
    seeds = scattered([(0.1, 0.1, 0), (0.1, 0.6, 0), (0.5, 0.4, 0)])
    tips = scattered([(0.9, 0.1, 0), (0.9, 0.6, 0), (0.5, 0.1, 0), (0.6, 0.7, 0)])
    return simple.IsochroneCurvaturePaths(
        Input=courtyard(), WallArray=["POINTS", "walls"], Model="Elastica", NumberOfHeadings=24,
        Seeds=seeds, Tips=tips)


PIPELINES = {"reader": from_reader, "wavelet": from_wavelet, "centre": from_the_centre,
             "resampled": from_resampled, "scattered": from_scattered_points}


# ---------------------------------------------------------------------------------------------- comparison
def grid_of(image, name):
    """A point array as (k, j, i)."""
    dims = image.GetDimensions()
    return vtk_to_numpy(image.GetPointData().GetArray(name)).reshape(dims[2], dims[1], dims[0])


def summary(name, proxy):
    """The arrays of a serial run, by name."""
    out = {}
    for port, fields in ((0, FIELDS), (2, ("TravelTime",))):
        image = data_of(proxy, port)
        if image.GetNumberOfPoints() == 0:
            continue
        out[f"{name}.{port}.extent"] = np.array(image.GetExtent())
        for field in fields:
            out[f"{name}.{port}.{field}"] = grid_of(image, field)
    paths = data_of(proxy, 1)
    out[f"{name}.points"] = vtk_to_numpy(paths.GetPoints().GetData())
    cells = paths.GetCellData()
    label = "Label" if cells.GetArray("Label") else "TipId"
    order = np.argsort(vtk_to_numpy(cells.GetArray(label)))
    out[f"{name}.energy"] = vtk_to_numpy(cells.GetArray("Energy"))[order]
    out[f"{name}.seed"] = vtk_to_numpy(cells.GetArray("SeedId"))[order]
    return out


def compare_image(name, port, image, serial):
    """This rank's piece equals that part of the serial image, and the pieces make up the whole, once."""
    whole = serial[f"{name}.{port}.extent"]
    i0, i1, j0, j1, k0, k1 = image.GetExtent()
    part = (slice(k0 - whole[4], k1 - whole[4] + 1), slice(j0 - whole[2], j1 - whole[2] + 1),
            slice(i0 - whole[0], i1 - whole[0] + 1))
    for field in FIELDS if port == 0 else ("TravelTime",):
        np.testing.assert_array_equal(grid_of(image, field), serial[f"{name}.{port}.{field}"][part],
                                      f"{name}, output {port}, {field}")
    n = whole[1::2] - whole[0::2]
    assert total(image.GetNumberOfCells()) == np.prod(np.maximum(n, 1)), f"{name}, output {port}: cells"
    if RANKS > 1:
        assert image.GetNumberOfPoints() < np.prod(n + 1), f"{name}, output {port}: this rank has everything"


def compare(name, proxy, serial):
    for port in (0, 2):
        if f"{name}.{port}.extent" in serial:
            compare_image(name, port, data_of(proxy, port), serial)
    paths = data_of(proxy, 1)
    assert total(paths.GetNumberOfCells()) == len(serial[f"{name}.energy"]), f"{name}: paths are not counted once"
    assert total(paths.GetNumberOfPoints()) == len(serial[f"{name}.points"]), f"{name}: points of paths"
    if paths.GetNumberOfCells():
        mine = summary(name, proxy)
        for part in ("energy", "seed"):
            np.testing.assert_array_equal(mine[f"{name}.{part}"], serial[f"{name}.{part}"], f"{name}, {part}")


def update_all(proxy):
    for port in range(3):
        simple.OutputPort(proxy, port).UpdatePipeline()


def saved_files_hold_the_whole(folder, serial):
    """SaveData of image and paths on all ranks, read back."""
    proxy = from_wavelet()
    image, paths = os.path.join(folder, f"{RANKS}.pvti"), os.path.join(folder, f"{RANKS}.pvtp")
    simple.SaveData(image, proxy)
    simple.SaveData(paths, simple.OutputPort(proxy, 1))
    again = simple.XMLPartitionedImageDataReader(FileName=[image])
    again.UpdatePipeline()
    compare_image("wavelet", 0, data_of(again), serial)
    again = simple.XMLPartitionedPolydataReader(FileName=[paths])
    again.UpdatePipeline()
    assert total(data_of(again).GetNumberOfCells()) == len(serial["wavelet.energy"])


def an_error_on_one_rank_is_an_error_on_all():
    """The last rank gets a grid that the filter refuses. No rank may wait for it, and the next run is right."""
    before, window = vtkOutputWindow.GetInstance(), vtkStringOutputWindow()
    vtkOutputWindow.SetInstance(window)
    good = vtkImageData()
    good.SetDimensions(9, 9, 1)
    filter_ = simple.IsochroneCurvaturePaths(Input=courtyard()).GetClientSideObject()
    filter_.SetInputDataObject(0, vtkRectilinearGrid() if RANK == RANKS - 1 else good)
    filter_.Update()
    vtkOutputWindow.SetInstance(before)
    assert filter_.GetOutputDataObject(0).GetNumberOfPoints() == 0
    assert filter_.GetOutputDataObject(1).GetNumberOfCells() == 0
    if RANK == 0:  # the message is printed once, by the first rank
        assert "Resample To Image" in window.GetOutput(), window.GetOutput()
    else:
        assert not window.GetOutput(), window.GetOutput()
    filter_.SetInputDataObject(0, good)
    filter_.Update()
    assert filter_.GetOutputDataObject(0).GetNumberOfPoints() > 0


def main(folder, write):
    reference = os.path.join(folder, "serial.npz")
    proxies = {name: make() for name, make in PIPELINES.items()}
    for proxy in proxies.values():
        update_all(proxy)
    if write:
        os.makedirs(folder, exist_ok=True)
        arrays = {}
        for name, proxy in proxies.items():
            arrays.update(summary(name, proxy))
        np.savez(reference, **arrays)
        return
    serial = np.load(reference)
    for name, proxy in proxies.items():
        compare(name, proxy, serial)
    saved_files_hold_the_whole(folder, serial)
    an_error_on_one_rank_is_an_error_on_all()


try:
    main(sys.argv[1], write=sys.argv[2:] == ["write"])
    print(f"rank {RANK} of {RANKS}: passed", flush=True)
except BaseException:
    traceback.print_exc()
    sys.stderr.flush()
    os._exit(1)
