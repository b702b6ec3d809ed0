"""Isochrone Mesh Travel Time on several ranks: mpirun -np N pvbatch --sym mpi_mesh_travel_time.py FOLDER

See mpi_comparison.py. The arrays `point` and `cell` identify points and cells by their numbers in the whole mesh.
"""
import os
import re
import sys

import numpy as np
from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkPolyData, vtkUnstructuredGrid
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridWriter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mpi_comparison import RANK, RANKS, data_of, run, scattered, total
from pipelines import counts, cube, mesh_data, source, surface_data

AT, CELLS = cube(8)
CENTRES = AT[CELLS].mean(axis=1)
RNG = np.random.default_rng(7)
FIBRES = RNG.normal(size=CENTRES.shape)
SPEEDS = np.where(np.linalg.norm(CENTRES - [0.5, 0.5, 0.2], axis=1) < 0.2, 0, RNG.uniform(0.5, 2, len(CELLS)))
SEEDS, TIPS = [0.31, 0.42, 0.23, *AT[400]], [0.9, 0.8, 0.7, 0.5, 0.5, 0.5, 0.02, 0.97, 0.4, *AT[80], 0.51, 0.49, 0.2]
UNIX_TIME = 1.7e9  # seconds since 1970, too large for single precision to resolve arrivals
ANISOTROPIC = {"SpeedType": "Fibres", "SpeedArray": ["CELLS", "speed"], "FibreArray": ["CELLS", "fibre"],
               "ConductionVelocities": [1, 0.1, 0.1]}


def owners(how, ranks):
    """Returns the rank of each cell."""
    if how == "slabs":
        return np.minimum((CENTRES @ [0.8, 0.15, 0.05] * ranks).astype(int), ranks - 1)
    if how == "scattered":  # ranks meet at every vertex
        return np.random.default_rng(3).integers(0, ranks, len(CELLS))
    return np.full(len(CELLS), min(1, ranks - 1))  # all cells on one rank that is not the first


def part(cells, ids=False, ghosts=0):
    """Returns the mesh of some cells, the last of them ghosts."""
    used, numbers = np.unique(CELLS[cells], return_inverse=True)
    numbers = numbers.reshape(-1, 4)
    marks = (np.arange(len(cells)) >= len(cells) - ghosts).astype(np.uint8)
    onset = np.full(len(AT), np.nan)
    onset[[3, 700, 650]] = 0.3
    clock = np.full(len(AT), np.nan)
    clock[[3, 700, 650]] = UNIX_TIME + np.array([0.25, 0, 0.5])  # in slabs, the earliest is not on the first rank
    data = mesh_data(AT[used], numbers, {"point": used, "onset": onset[used], "clock": clock[used]},
                     {"cell": cells, "fibre": FIBRES[cells], "speed": SPEEDS[cells], "m": (2 * np.eye(3)).ravel() * np.ones((len(cells), 1)),
                      **({"vtkGhostType": marks} if ghosts else {})})
    if ids:
        point = data.GetPointData().GetArray("point")
        data.GetPointData().SetGlobalIds(point)
    return data


def distributed(how="slabs", ids=False, ghosts=False):
    owner = owners(how, RANKS)
    mine = np.flatnonzero(owner == RANK)
    if not ghosts:
        return source(part(mine, ids))
    near = np.isin(CELLS, np.unique(CELLS[mine])).any(axis=1) & (owner != RANK)
    return source(part(np.concatenate([mine, np.flatnonzero(near)]), ids, near.sum()))


def filter_on(input_, **properties):
    return simple.IsochroneMeshTravelTime(Input=input_, **{"SeedPoints": SEEDS, "TipPoints": TIPS, "Backend": "Host", **properties})


def from_saved_file():
    """A .pvtu of three pieces with ghost cells. The pieces that one rank reads are not connected by the reader."""
    reader = simple.XMLPartitionedUnstructuredGridReader(FileName=[os.path.join(sys.argv[1], "mesh.pvtu")])
    return filter_on(reader if RANKS == 3 else simple.CleantoGrid(Input=reader), **ANISOTROPIC)


def from_scattered_points():
    return filter_on(distributed(), Seeds=scattered([(0.31, 0.42, 0.23), tuple(AT[400]), (7, 0.5, 0.5)]),
                     Tips=scattered([(0.9, 0.8, 0.7), (0.02, 0.97, 0.4)]))


def from_start_values():
    """The earliest start value is the last."""
    return filter_on(distributed(), **ANISOTROPIC, Tips=scattered([(0.9, 0.8, 0.7), (0.02, 0.97, 0.4)]),
                     Seeds=scattered([(0.31, 0.42, 0.23), tuple(AT[400]), (0.7, 0.5, 0.5)],
                                     [UNIX_TIME + 0.01, UNIX_TIME + 0.005, UNIX_TIME]))


PIPELINES = {
    "slabs": lambda: filter_on(distributed(), **ANISOTROPIC, ComputeConductionSpeed=1),
    "ids": lambda: filter_on(distributed(ids=True), **ANISOTROPIC),
    "ghosts": lambda: filter_on(distributed(ghosts=True), **ANISOTROPIC),
    "scattered": lambda: filter_on(distributed("scattered"), **ANISOTROPIC),
    "one": lambda: filter_on(distributed("one"), **ANISOTROPIC),
    "everywhere": lambda: filter_on(source(part(np.arange(len(CELLS)))), **ANISOTROPIC, ComputeTravelTimeTable=1),
    "points": from_scattered_points,
    "onsets": lambda: filter_on(distributed(), SeedType="Onset Times", OnsetTimeArray=["POINTS", "onset"]),
    "clock": lambda: filter_on(distributed(), SeedType="Onset Times", OnsetTimeArray=["POINTS", "clock"]),
    "start_values": from_start_values,
    "centre": lambda: filter_on(distributed(), SeedPoints=[]),
    "face": lambda: filter_on(distributed("scattered"), SeedPoints=AT[CELLS[2000][:3]].mean(axis=0), TipPoints=[]),
    "file": from_saved_file,
}
LATE = ("clock", "start_values")
POINT_ARRAYS = ("TravelTime", "SeedId", "Reached")


def fields(name, proxy):
    """Returns the arrays of this rank, by numbers in the whole mesh."""
    out = data_of(proxy)
    get = lambda data, array: vtk_to_numpy(data.GetArray(array))
    if out.GetNumberOfCells() == 0:
        return {}
    arrays = {f"{name}.{a}": (get(out.GetPointData(), "point"), get(out.GetPointData(), a)) for a in POINT_ARRAYS}
    for a in ("ConductionDirection", "ConductionSpeed"):
        if out.GetCellData().HasArray(a):
            arrays[f"{name}.{a}"] = (get(out.GetCellData(), "cell"), get(out.GetCellData(), a))
    return arrays


def paths(name, proxy):
    cells = data_of(proxy, 1).GetCellData()
    key = "Label" if cells.GetArray("Label") else "TipId"
    order = np.argsort(vtk_to_numpy(cells.GetArray(key)))
    return {f"{name}.lines.{a}": vtk_to_numpy(cells.GetArray(a))[order] for a in (key, "SeedId", "TravelTime", "Length")}


def table(name, proxy):
    """Returns the columns of the table of travel times; nothing if it is empty."""
    out = data_of(proxy, 3)
    return {f"{name}.table.{c}": vtk_to_numpy(out.GetColumnByName(c)) for c in ("Seed", "Tip", "TravelTime", "Length") if out.GetNumberOfRows()}


class MeshComparison:
    def main(self, folder, write):
        if write:
            os.makedirs(folder, exist_ok=True)
            self.save_mesh(folder)
        proxies = {name: make() for name, make in PIPELINES.items()}
        for proxy in proxies.values():
            for port in (0, 1, 3):
                simple.OutputPort(proxy, port).UpdatePipeline()
        if write:
            arrays = {}
            for name, proxy in proxies.items():
                for key, (numbers, values) in fields(name, proxy).items():
                    arrays[key] = np.empty_like(values)
                    arrays[key][numbers] = values
                arrays.update({**paths(name, proxy), **table(name, proxy)})
            np.savez(os.path.join(folder, "serial.npz"), **arrays)
            return
        serial = np.load(os.path.join(folder, "serial.npz"))
        for name, proxy in proxies.items():
            self.compare(name, proxy, serial)
        self.an_error_on_one_rank_is_an_error_on_all()
        self.tables_need_the_whole_mesh()
        self.moving_a_tip_solves_nothing()
        self.surfaces_may_be_distributed()

    def save_mesh(self, folder):
        """Writes three pieces with a layer of ghost cells each."""
        owner, names = owners("slabs", 3), []
        for piece in range(3):
            mine = np.flatnonzero(owner == piece)
            near = np.isin(CELLS, np.unique(CELLS[mine])).any(axis=1) & (owner != piece)
            data = part(np.concatenate([mine, np.flatnonzero(near)]), ghosts=near.sum())
            writer = vtkXMLUnstructuredGridWriter()
            names.append(f"mesh_{piece}.vtu")
            writer.SetFileName(os.path.join(folder, names[-1]))
            writer.SetDataModeToBinary()
            writer.SetInputDataObject(data)
            writer.Write()
        arrays = {"PPointData": [("point", "Int64", 1), ("onset", "Float64", 1), ("clock", "Float64", 1)],
                  "PCellData": [("cell", "Int64", 1), ("fibre", "Float64", 3), ("speed", "Float64", 1), ("m", "Float64", 9),
                                ("vtkGhostType", "UInt8", 1)],
                  "PPoints": [("Points", "Float64", 3)]}
        text = "".join(f"<{section}>" + "".join(
            f'<PDataArray type="{kind}" Name="{name}" NumberOfComponents="{n}"/>' for name, kind, n in entries) +
            f"</{section}>\n" for section, entries in arrays.items())
        with open(os.path.join(folder, "mesh.pvtu"), "w") as file:
            file.write('<VTKFile type="PUnstructuredGrid" version="0.1" byte_order="LittleEndian">\n<PUnstructuredGrid GhostLevel="1">\n'
                       + text + "".join(f'<Piece Source="{n}"/>\n' for n in names) + "</PUnstructuredGrid>\n</VTKFile>\n")

    def compare(self, name, proxy, serial):
        here = fields(name, proxy)
        for key, (numbers, values) in here.items():
            found, expected = values, serial[key][numbers]
            assert found.tobytes() == expected.tobytes(), \
                f"{key}: {(~np.isclose(found, expected, 0, 0, True)).sum()} of {found.size} differ"
        if here and name in LATE:
            times = here[f"{name}.TravelTime"][1]
            assert times.dtype == np.float64 and 0 <= np.nanmin(times) - UNIX_TIME <= np.nanmax(times) - UNIX_TIME < 20, times
        copies = RANKS if name == "everywhere" else 1
        assert total(data_of(proxy).GetNumberOfCells()) == copies * len(CELLS), f"{name}: cells"
        if RANKS > 1 and name not in ("everywhere", "one"):
            cells = data_of(proxy).GetNumberOfCells()
            assert cells < len(CELLS), f"{name}: this rank has everything"
            assert cells > 0 or name == "file", f"{name}: this rank has nothing"  # the file has three pieces
        rows = table(name, proxy)  # on the first rank
        assert bool(rows) == (name == "everywhere" and RANK == 0), name
        assert all(rows[key].tobytes() == serial[key].tobytes() for key in rows), name
        lines = data_of(proxy, 1)
        expected = {key: serial[key] for key in serial if key.startswith(f"{name}.lines.")}
        count = len(next(iter(expected.values())))
        assert total(lines.GetNumberOfCells()) == count, f"{name}: {total(lines.GetNumberOfCells())} paths, expected {count}"
        if lines.GetNumberOfCells():
            for key, values in paths(name, proxy).items():
                origin = UNIX_TIME if name in LATE and key.endswith("TravelTime") else 0
                np.testing.assert_allclose(values - origin, expected[key] - origin, rtol=0.03 if key.endswith("Length") else 2e-6,
                                           err_msg=key)
            assert (vtk_to_numpy(lines.GetCellData().GetArray("Status")) == 0).all()

    def an_error_on_one_rank_is_an_error_on_all(self):
        """No rank may block if one fails: on data that is not a mesh, on a bad speed found during the solve, and on an
        abort. The next run must be correct."""
        good = part(np.flatnonzero(owners("slabs", RANKS) == RANK))
        filter_ = filter_on(source(good), **ANISOTROPIC).GetClientSideObject()
        bad = vtkUnstructuredGrid()
        bad.DeepCopy(good)
        vtk_to_numpy(bad.GetCellData().GetArray("speed"))[5] = -1
        for culprit in range(RANKS):
            for wrong, words in ((vtkImageData(), "vtkImageData"), (bad, "got -1 at cell 5")):
                printed = self.update(filter_, wrong if RANK == culprit else good)
                assert filter_.GetOutputDataObject(0).GetNumberOfCells() == 0 and filter_.GetOutputDataObject(1).GetNumberOfCells() == 0
                self.printed_once(printed, f"on rank {culprit}: .*{words}" if RANKS > 1 else words)
        self.an_abort_on_one_rank_stops_all(filter_, good)
        filter_.SetInputDataObject(0, good)
        filter_.Update()
        assert filter_.GetOutputDataObject(0).GetNumberOfCells() == good.GetNumberOfCells() > 0

    def update(self, filter_, data):
        """Runs the filter, and returns what it prints on this rank."""
        before, window = vtkOutputWindow.GetInstance(), vtkStringOutputWindow()
        vtkOutputWindow.SetInstance(window)
        filter_.SetInputDataObject(0, data)
        filter_.Modified()
        filter_.Update()
        vtkOutputWindow.SetInstance(before)
        return window.GetOutput()

    def printed_once(self, printed, words):
        """Asserts that only the first rank prints the words, and prints them once."""
        found = len(re.findall(words, printed))
        assert found == (RANK == 0) and (RANK == 0 or not printed), f"'{printed}' has '{words}' {found} times"

    def an_abort_on_one_rank_stops_all(self, filter_, good):
        """Aborts at each progress event, the first ones before and during the solve, the later ones while paths are traced."""
        stopped = 0
        for last in range(1, 9):
            events = []

            def count(*_):
                events.append(1)
                if len(events) == last:
                    filter_.SetAbortExecute(1)

            tag = filter_.AddObserver("ProgressEvent", count) if RANK == RANKS - 1 else None
            printed = self.update(filter_, good)
            if tag is not None:
                filter_.RemoveObserver(tag)
                filter_.SetAbortExecute(0)
            empty = total(filter_.GetOutputDataObject(0).GetNumberOfCells() == 0)
            assert empty in (0, RANKS), f"the abort at event {last} stops {empty} of {RANKS} ranks"
            if empty:  # else it came after the last check
                stopped += 1
                self.printed_once(printed, "stopped on request")
            filter_.Modified()
        assert stopped > 2

    def tables_need_the_whole_mesh(self):
        if RANKS == 1:
            return
        mine = part(np.flatnonzero(owners("slabs", RANKS) == RANK))
        for how in ({"ComputeTravelTimeTable": 1}, {"SeedRuns": "Separate"}):
            filter_ = filter_on(source(mine), **ANISOTROPIC, **how).GetClientSideObject()
            self.printed_once(self.update(filter_, mine), "runs of separate seeds need the whole mesh on every rank")
            assert filter_.GetOutputDataObject(0).GetNumberOfCells() == 0

    def moving_a_tip_solves_nothing(self):
        proxy = filter_on(distributed(), **ANISOTROPIC)
        for tips, expected in ((TIPS, (1, 1)), (TIPS[:3], (1, 2)), (TIPS[:3], (1, 2))):
            proxy.TipPoints = tips
            for port in range(2):
                simple.OutputPort(proxy, port).UpdatePipeline()
            assert counts(proxy) == expected

    def surfaces_may_be_distributed(self):
        """Times and paths are those of the whole surface, and each rank has its part of them. For exact distances every rank
        computes the whole, which may lie on one of them. First-order times of a plane have no obtuse angles to unfold."""
        steps = np.arange(13)
        at = np.stack([*(axis.ravel() for axis in np.meshgrid(steps, steps)), np.sin(np.arange(169))], axis=1)
        low = (steps[:-1, None] * 13 + steps[:-1]).ravel()
        triangles = np.concatenate([np.stack([low, low + 1, low + 14], 1), np.stack([low, low + 14, low + 13], 1)])
        onset = np.full(len(at), np.nan)
        onset[[20, 100]] = 0, 0.5
        hidden = np.where(triangles.min(axis=1) == 70, 32, 0).astype(np.uint8)
        island = np.arange(len(triangles)) == 287  # no wave enters it

        def surface_of(cells, height):
            own = triangles[cells] + np.where(island[cells], len(at), 0)[:, None]
            places = np.concatenate([at, at + 100]) * [1, 1, height]
            return surface_data(places, own, {"onset": np.concatenate([onset, onset * np.nan])},
                                {"cell": np.flatnonzero(cells), "vtkGhostType": hidden[cells]})

        every, mine = np.ones(len(triangles), bool), np.arange(len(triangles)) % RANKS == RANK
        on_last = surface_of(every, 1) if RANK == RANKS - 1 else vtkPolyData()
        onsets = {"SeedType": "Onset Times", "OnsetTimeArray": ["POINTS", "onset"]}
        for how, data, height in (({"Accuracy": "Exact"}, on_last, 1), ({"Accuracy": "Exact", "ComputeConductionSpeed": 1}, surface_of(mine, 1), 1),
                                  ({"Accuracy": "Exact", "BlankUnreached": 1, **onsets}, surface_of(mine, 1), 1),
                                  ({"Accuracy": "First Order"}, surface_of(mine, 0), 0)):
            how = {"SeedPoints": at[20], "TipPoints": at[[160, 7]].ravel(), **how}
            found, expected = (filter_on(source(d), **how) for d in (data, surface_of(every, height)))  # whole: each rank solves alone
            for proxy in (found, expected):
                for port in range(2):
                    simple.OutputPort(proxy, port).UpdatePipeline()
            self.part_has_the_values_of_the_whole(data_of(found), data_of(expected), how)
            if RANK == 0:
                lengths = [vtk_to_numpy(data_of(proxy, 1).GetCellData().GetArray("Length")) for proxy in (found, expected)]
                np.testing.assert_allclose(*lengths, rtol=1e-6 if how["Accuracy"] == "Exact" else 0.03)
        if RANKS > 1:
            uneven = surface_of(mine, 1)
            filter_ = filter_on(source(uneven), SeedPoints=at[20], TipPoints=[]).GetClientSideObject()
            self.printed_once(self.update(filter_, uneven), "obtuse angles of triangles are not unfolded, since the mesh is distributed")
            filter_ = filter_on(source(uneven), Accuracy="Exact", SpeedType="Scalar", SpeedArray=["CELLS", "cell"],
                                SeedPoints=at[20]).GetClientSideObject()
            self.printed_once(self.update(filter_, uneven), "exact distances need one speed everywhere")
            assert filter_.GetOutputDataObject(0).GetNumberOfCells() == 0

    def part_has_the_values_of_the_whole(self, part, whole, how):
        assert part.IsA("vtkPolyData")
        if part.GetNumberOfCells() == 0:
            return
        get = lambda data, array: vtk_to_numpy(data.GetArray(array))
        cells = get(part.GetCellData(), "cell")
        ends = [vtk_to_numpy(d.GetPolys().GetConnectivityArray()).reshape(-1, 3) for d in (part, whole)]
        used, same = ends[0].ravel(), ends[1][cells].ravel()
        for array in ("TravelTime", "Reached", "SeedId", *(["vtkGhostType"] if how.get("BlankUnreached") else [])):
            values = [get(d.GetPointData(), array)[ids] for d, ids in ((part, used), (whole, same))]
            np.testing.assert_allclose(*values, rtol=1e-6, err_msg=f"{array} with {how}")
        for array in ("vtkGhostType", *(["ConductionSpeed"] if "ComputeConductionSpeed" in how else [])):
            np.testing.assert_allclose(get(part.GetCellData(), array), get(whole.GetCellData(), array)[cells], rtol=1e-3, err_msg=array)
        names = lambda data: {data.GetFieldData().GetAbstractArray(i).GetName() for i in range(data.GetFieldData().GetNumberOfArrays())}
        assert names(part) == names(whole)


run(MeshComparison())
