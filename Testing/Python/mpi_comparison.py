"""Shared by the tests of the filters on several ranks: sources, and the comparison with one process.

A failing rank ends the whole run, since the others would wait for a rank that only exits.
"""
import os
import sys
import traceback

import numpy as np
from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.util.vtkConstants import VTK_UNSIGNED_CHAR
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkRectilinearGrid, vtkStructuredGrid
from vtkmodules.vtkParallelCore import vtkCommunicator, vtkMultiProcessController

HERE = os.path.dirname(os.path.abspath(__file__))

simple.LoadPlugin(os.environ["ISOCHRONE_PLUGIN"], remote=False, ns=vars(simple))
CONTROLLER = vtkMultiProcessController.GetGlobalController()
RANKS = CONTROLLER.GetNumberOfProcesses() if CONTROLLER else 1
RANK = CONTROLLER.GetLocalProcessId() if CONTROLLER else 0


def total(number):
    """Returns the sum over the ranks."""
    sums = np.array([number], float)
    if RANKS > 1:
        CONTROLLER.AllReduce(np.array([number], float), sums, 1, vtkCommunicator.SUM_OP)
    return sums[0]


def data_of(proxy, port=0):
    """Returns the data of this rank."""
    return proxy.GetClientSideObject().GetOutputDataObject(port)


# ---------------------------------------------------------------------------------------------- sources
def courtyard():
    """Reads a file, whole or in pieces as the reader chooses."""
    return simple.LegacyVTKReader(FileNames=[os.path.join(HERE, "..", "Data", "courtyard.vtk")])


def resampled(extent):
    """Returns a wavelet from Resample To Image, which ignores requests: every rank has only its own part of the image."""
    grid = simple.AppendDatasets(Input=[simple.Wavelet(WholeExtent=extent)])
    first, last = extent[::2], extent[1::2]
    return simple.ResampleToImage(Input=grid, UseInputBounds=0, SamplingBounds=extent,
                                  SamplingDimensions=[b - a + 1 for a, b in zip(first, last)])


WHOLE = """
executive = self.GetExecutive()
executive.GetOutputInformation(0).Set(executive.WHOLE_EXTENT(), *BOX)
"""
SLAB = """
import numpy as np
from vtkmodules.vtkParallelCore import vtkMultiProcessController
from vtkmodules.util.numpy_support import numpy_to_vtk
controller = vtkMultiProcessController.GetGlobalController()
ranks, rank = (controller.GetNumberOfProcesses(), controller.GetLocalProcessId()) if controller else (1, 0)
extent, n = list(BOX), BOX[3] - BOX[2]
extent[2:4] = BOX[2] + n * rank // ranks, BOX[2] + n * (rank + 1) // ranks
out = self.GetOutput()
out.SetExtent(extent)
axes = []
for axis, (low, high) in enumerate(RANGES):
    begin, end = BOX[2 * axis:2 * axis + 2]
    share = np.linspace(0, 1, end - begin + 1) ** 1.3  # steps grow
    axes.append((low + (high - low) * share)[extent[2 * axis] - begin:extent[2 * axis + 1] - begin + 1])
    getattr(out, f"Set{'XYZ'[axis]}Coordinates")(numpy_to_vtk(axes[-1], deep=True))
x, y, z = axes[0][None, None], axes[1][None, :, None], axes[2][:, None, None]
values = numpy_to_vtk((150 + 60 * np.sin(x / 3) + 50 * np.cos(y / 4) + 40 * np.sin(z / 5)).ravel(), deep=True)
values.SetName("RTData")
out.GetPointData().SetScalars(values)
"""


def rectilinear(extent, ranges):
    """Returns a rectilinear grid of which each rank has a slab, whatever it is asked for."""
    fill = lambda script: script.replace("BOX", repr(list(extent))).replace("RANGES", repr(ranges))
    return simple.ProgrammableSource(OutputDataSetType="vtkRectilinearGrid", ScriptRequestInformation=fill(WHOLE), Script=fill(SLAB))


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
def add(name, values):
    array = numpy_to_vtk(values, deep=True)
    array.SetName(name)
    out.GetPointData().AddArray(array)
add('Label', np.array(mine, np.int32) + 100)
if STARTS:
    add('StartValue', np.array(STARTS, float)[mine])
self.GetOutput().ShallowCopy(out)
"""


def scattered(where, starts=None):
    """Returns points distributed to the ranks in turn, labelled by their number in `where`, optionally with start values."""
    script = SCATTERED.replace("WHERE", repr(where)).replace("STARTS", repr(starts))
    return simple.ProgrammableSource(OutputDataSetType="vtkPolyData", Script=script)


# ---------------------------------------------------------------------------------------------- comparison
def grid_of(image, name):
    """Returns a point array as (k, j, i)."""
    dims = image.GetDimensions()
    values = vtk_to_numpy(image.GetPointData().GetArray(name))
    return values.reshape(dims[2], dims[1], dims[0], *values.shape[1:])


def isochrones_of(proxy):
    """Returns the output of isochrones; None if the filter has none."""
    names = [proxy.SMProxy.GetOutputPortName(port) for port in range(proxy.SMProxy.GetNumberOfOutputPorts())]
    return data_of(proxy, names.index("Isochrones")) if "Isochrones" in names else None


class Failing:
    """A filter that solves in parts, on a wavelet of some extent. make(input, array) makes it for a point array, which it
    rejects with `words` where it is negative."""

    def __init__(self, extent, make, words):
        self.extent, self.make, self.words = extent, make, words

    def check(self):
        """Bad data in the part of one rank, and an abort on one rank, end all ranks. The next run must be complete."""
        wavelet = simple.Wavelet(WholeExtent=self.extent)
        for bounds in self.extent[::2], self.extent[1::2]:
            corner = "*".join(f"(abs(coords{axis} - {at}) < 0.5)" for axis, at in zip("XYZ", bounds))
            values = simple.Calculator(Input=wavelet, ResultArrayName="v", Function=f"RTData - 1000 * {corner}")
            proxy = self.make(values, "v")
            self.nothing_is_output(proxy, self.words)
            values.Function = "RTData"
            self.the_next_run_is_complete(proxy)
        for culprit in range(RANKS):
            proxy = self.make(wavelet, "RTData")
            filter_ = proxy.GetClientSideObject()
            if RANK == culprit:
                observer = filter_.AddObserver("ProgressEvent", lambda *_: filter_.SetAbortExecute(1))
            self.nothing_is_output(proxy, "stopped on request")
            if RANK == culprit:
                filter_.RemoveObserver(observer)
                filter_.SetAbortExecute(0)
            filter_.Modified()
            self.the_next_run_is_complete(proxy)

    def nothing_is_output(self, proxy, words):
        """Asserts that a run fails on all ranks, with a message of the first rank."""
        before, window = vtkOutputWindow.GetInstance(), vtkStringOutputWindow()
        vtkOutputWindow.SetInstance(window)
        self.update(proxy)
        vtkOutputWindow.SetInstance(before)
        assert data_of(proxy).GetNumberOfPoints() == 0, words
        assert (words in window.GetOutput()) == (RANK == 0), window.GetOutput()

    def update(self, proxy):
        """Updates as ParaView does, also if only VTK's filter has changed."""
        proxy.UpdateVTKObjects()
        proxy.GetClientSideObject().UpdatePiece(RANK, RANKS, 0)

    def the_next_run_is_complete(self, proxy):
        self.update(proxy)
        assert data_of(proxy).GetNumberOfPoints() > 0


class Comparison:
    """Compares pipelines, by name. images, tables: names of the arrays by output port. line_arrays: arrays of the lines, if
    there are any. The last column of a table depends on the others. in_parts: pipelines whose filter requests only a part of its input. ulps: maximum distance of the numbers of
    images from the serial ones, in units in the last place; the lines of such images may differ by as much, and by 1e-6.
    failing: a Failing."""

    def __init__(self, filter_name, pipelines, images, line_arrays, in_parts=(), line_id="TipId", tables={}, ulps=0, failing=None):
        self.failing = failing
        self.filter_name, self.pipelines, self.images, self.line_arrays = filter_name, pipelines, images, line_arrays
        self.in_parts, self.line_id, self.tables, self.ulps = in_parts, line_id, tables, ulps

    def summary(self, name, proxy):
        """Returns the arrays of a serial run, and its number of isochrone cells, by name."""
        out = {}
        if isochrones_of(proxy):
            out[f"{name}.isochrones"] = isochrones_of(proxy).GetNumberOfCells()
        for port, fields in self.images.items():
            image = data_of(proxy, port)
            if image.GetNumberOfPoints() == 0:
                continue
            out[f"{name}.{port}.extent"] = np.array(image.GetExtent())
            for field in fields:
                if image.GetPointData().HasArray(field):
                    out[f"{name}.{port}.{field}"] = grid_of(image, field)
        for port, columns in self.tables.items():
            table = data_of(proxy, port)
            for column in filter(table.GetColumnByName, columns if table.GetNumberOfRows() else ()):
                out[f"{name}.{port}.{column}"] = vtk_to_numpy(table.GetColumnByName(column))
        if not self.line_arrays:
            return out
        paths = data_of(proxy, 1)
        out[f"{name}.points"] = vtk_to_numpy(paths.GetPoints().GetData()) if paths.GetNumberOfCells() else ()
        cells = paths.GetCellData()
        if not paths.GetNumberOfCells():
            return out | {f"{name}.lines.{array}": () for array in (*self.line_arrays, "label")}
        labels = vtk_to_numpy(cells.GetArray("Label" if cells.GetArray("Label") else self.line_id))
        seeds = vtk_to_numpy(cells.GetArray("SeedId")) if cells.GetArray("SeedId") else labels
        order = np.lexsort((seeds, labels))  # a tip may have a line from each seed, in the order of the ranks
        out[f"{name}.lines.label"] = labels[order]
        for array in filter(cells.HasArray, self.line_arrays):
            out[f"{name}.lines.{array}"] = vtk_to_numpy(cells.GetArray(array))[order]
        return out

    def compare_image(self, name, port, image, serial):
        """Asserts that this rank's piece equals that part of the serial image, and that the pieces form the whole once."""
        whole = serial[f"{name}.{port}.extent"]
        i0, i1, j0, j1, k0, k1 = image.GetExtent()
        part = (slice(k0 - whole[4], k1 - whole[4] + 1), slice(j0 - whole[2], j1 - whole[2] + 1),
                slice(i0 - whole[0], i1 - whole[0] + 1))
        for field in self.images[port]:
            if f"{name}.{port}.{field}" not in serial:
                continue
            mine, expected = grid_of(image, field), serial[f"{name}.{port}.{field}"][part]
            assert mine.dtype == expected.dtype, f"{name}, output {port}, {field}: {mine.dtype}, not {expected.dtype}"
            if self.ulps and mine.dtype.kind == "f":
                np.testing.assert_array_equal(np.isnan(mine), np.isnan(expected), f"{name}, output {port}, {field}")
                off = np.nanmax(np.abs(mine - expected) / np.spacing(np.abs(expected)), initial=0)
                assert off <= self.ulps, f"{name}, output {port}, {field}: {off} units in the last place"
            else:
                np.testing.assert_array_equal(mine, expected, f"{name}, output {port}, {field}")
        n = whole[1::2] - whole[0::2]
        assert total(image.GetNumberOfCells()) == np.prod(np.maximum(n, 1)), f"{name}, output {port}: cells"
        if RANKS > 1:
            assert image.GetNumberOfPoints() < np.prod(n + 1), f"{name}, output {port}: this rank has everything"

    def compare(self, name, proxy, serial):
        for port in self.images:
            if f"{name}.{port}.extent" in serial:
                self.compare_image(name, port, data_of(proxy, port), serial)
        if isochrones_of(proxy):
            assert total(isochrones_of(proxy).GetNumberOfCells()) == serial[f"{name}.isochrones"], f"{name}: isochrones"
        if RANKS > 1 and name in self.in_parts:
            whole = serial[f"{name}.0.extent"]
            assert data_of(proxy.Input).GetNumberOfPoints() < np.prod(whole[1::2] - whole[0::2] + 1), name
        if not self.line_arrays:
            return
        paths = data_of(proxy, 1)
        expected = serial[f"{name}.lines.{self.line_arrays[0]}"]
        assert total(paths.GetNumberOfCells()) == len(expected), f"{name}: paths are not counted once"
        points = len(serial[f"{name}.points"])
        slack = len(expected) if self.ulps else 0  # rounding may add a last step of no length
        assert abs(total(paths.GetNumberOfPoints()) - points) <= slack, f"{name}: points of paths"
        if paths.GetNumberOfCells():
            mine = self.summary(name, proxy)
            which = slice(None)
            if paths.GetNumberOfCells() < len(expected):  # the rank of a tip has its lines
                which = np.isin(serial[f"{name}.lines.label"], mine[f"{name}.lines.label"])
            for array in self.line_arrays:
                key = f"{name}.lines.{array}"
                assert (key in mine) == (key in serial), key
                if key not in mine:
                    continue
                np.testing.assert_allclose(mine[key], serial[key][which],
                                           max(1e-6, self.ulps * 2**-23) if slack else 0, 0, err_msg=f"{name}, {array}")
        for port, columns in self.tables.items():
            def rows(arrays):
                """Returns the last column by the others."""
                *keys, values = [arrays[key] for column in columns if (key := f"{name}.{port}.{column}") in arrays]
                return dict(zip(zip(*keys), values))

            if f"{name}.{port}.{columns[-1]}" not in serial:
                assert data_of(proxy, port).GetNumberOfRows() == 0, name
                continue
            expected, count = rows(serial), data_of(proxy, port).GetNumberOfRows()
            assert total(count) == len(expected), f"{name}: rows are not counted once"
            own = rows(self.summary(name, proxy)) if count else {}
            assert len(own) == count and own.items() <= expected.items(), f"{name}: rows of output {port}"

    def saved_files_hold_the_whole(self, folder, serial):
        """Reads back what SaveData of image and paths wrote on all ranks."""
        def save(file, port):
            simple.SaveData(file, port)
            if RANKS > 1:
                CONTROLLER.Barrier()  # the first rank may still be writing the index of the pieces

        proxy = self.pipelines["wavelet"]()
        image, paths = os.path.join(folder, f"{RANKS}.pvti"), os.path.join(folder, f"{RANKS}.pvtp")
        save(image, proxy)
        again = simple.XMLPartitionedImageDataReader(FileName=[image])
        again.UpdatePipeline()
        self.compare_image("wavelet", 0, data_of(again), serial)
        if not self.line_arrays:
            return
        save(paths, simple.OutputPort(proxy, 1))
        again = simple.XMLPartitionedPolydataReader(FileName=[paths])
        again.UpdatePipeline()
        assert total(data_of(again).GetNumberOfCells()) == len(serial[f"wavelet.lines.{self.line_arrays[0]}"])

    def an_error_on_one_rank_is_an_error_on_all(self):
        """Gives the last rank a grid that the filter rejects, or another than the others have. No rank may block, and the next
        run must be correct."""
        good = vtkImageData()
        good.SetDimensions(9, 9, 1)
        good.AllocateScalars(VTK_UNSIGNED_CHAR, 1)
        good.GetPointData().GetScalars().Fill(1)
        filter_ = getattr(simple, self.filter_name)(Input=courtyard()).GetClientSideObject()
        for bad in (vtkStructuredGrid(), *([vtkRectilinearGrid()] if RANKS > 1 else [])):
            before, window = vtkOutputWindow.GetInstance(), vtkStringOutputWindow()
            vtkOutputWindow.SetInstance(window)
            filter_.SetInputDataObject(0, bad if RANK == RANKS - 1 else good)
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

    def main(self, folder, write):
        reference = os.path.join(folder, "serial.npz")
        proxies = {name: make() for name, make in self.pipelines.items()}
        for proxy in proxies.values():
            if proxy.SMProxy.GetProperty("Isochrones"):
                proxy.Isochrones = 5
            for port in range(proxy.SMProxy.GetNumberOfOutputPorts()):
                simple.OutputPort(proxy, port).UpdatePipeline()
        if write:
            os.makedirs(folder, exist_ok=True)
            arrays = {}
            for name, proxy in proxies.items():
                arrays.update(self.summary(name, proxy))
            np.savez(reference, **arrays)
            return
        serial = np.load(reference)
        for name, proxy in proxies.items():
            self.compare(name, proxy, serial)
        self.saved_files_hold_the_whole(folder, serial)
        self.an_error_on_one_rank_is_an_error_on_all()
        if self.failing:
            self.failing.check()


def run(comparison):
    """Runs the comparison for the arguments: FOLDER, and "write" in the one process that writes FOLDER/serial.npz."""
    try:
        comparison.main(sys.argv[1], write=sys.argv[2:] == ["write"])
        print(f"rank {RANK} of {RANKS}: passed", flush=True)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
