"""pvpython geodesics.py PLUGIN [--results PREFIX] [--triangles N]

Compares the distances of Isochrone Mesh Travel Time on surfaces of about N triangles (default 100 000) with those of VTK and
ParaView: first order and exact, Dijkstra's algorithm along the edges (vtkDijkstraGraphGeodesicPath) and fast marching
(ParaView's plugin GeodesicMeasurement, if it is installed). Writes PREFIX.json and PREFIX.md (default:
build/benchmarks/geodesics). Each method runs in a process of its own, on one thread; times are processor times, so that other
programs on the machine disturb them little. Errors are relative to the exact distance, over all vertices but the seed."""
import argparse
import json
import pathlib
import re
import subprocess
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
METHODS = {"first order": "Mesh Travel Time, First Order", "exact": "Mesh Travel Time, Exact",
           "dijkstra": "VTK, Dijkstra along edges", "fast marching": "ParaView, fast marching"}
RUNS = 3
HEAD = f"""# Distances on surfaces

`geodesics.py`: each method in a process of its own on one thread, the median of {RUNS} runs in processor time, the memory of the first
run; errors relative to the exact distance, over all vertices but the seed. Fast marching is that of ParaView's plugin
GeodesicMeasurement.
"""


# ------------------------------------------------------------------------------------------------- surfaces
def grid(n, place):
    """Returns points and triangles of n x n squares; place(u, v) for u, v in 0 ... 1."""
    v, u = (axis.reshape(-1) / n for axis in np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij"))
    first = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).reshape(-1)
    triangles = np.concatenate([np.stack([first, first + 1, first + n + 2], 1), np.stack([first, first + n + 2, first + n + 1], 1)])
    return np.stack(place(u, v), 1), triangles


def jittered(n):
    rng = np.random.default_rng(1)

    def place(u, v):
        inside = (u > 0) & (u < 1) & (v > 0) & (v < 1)
        return (u + inside * rng.uniform(-0.3, 0.3, u.size) / n, v + inside * rng.uniform(-0.3, 0.3, u.size) / n, 0 * u)
    return place


def latitudes(n):
    """A sphere of n circles of latitude with n points each."""
    angle, turn = np.pi * np.arange(1, n) / n, 2 * np.pi * np.arange(n) / n
    ring = np.stack(np.broadcast_arrays(np.sin(angle)[:, None] * np.cos(turn), np.sin(angle)[:, None] * np.sin(turn),
                                        np.cos(angle)[:, None]), -1).reshape(-1, 3)
    i, j = (a.reshape(-1) for a in np.meshgrid(np.arange(n), np.arange(n - 2)))
    at = lambda j, i: 1 + j * n + i % n
    last, k = 1 + len(ring), np.arange(n)
    triangles = np.concatenate([np.stack([at(j, i), at(j + 1, i), at(j + 1, i + 1)], 1),
                                np.stack([at(j, i), at(j + 1, i + 1), at(j, i + 1)], 1),
                                np.stack([0 * k, at(0, k), at(0, k + 1)], 1), np.stack([0 * k + last, at(n - 2, k + 1), at(n - 2, k)], 1)])
    return np.concatenate([[[0, 0, 1]], ring, [[0, 0, -1]]]), triangles


def isosurface(triangles):
    """A noisy isosurface by marching cubes, with thin triangles, in one part."""
    from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
    from vtkmodules.vtkCommonDataModel import vtkImageData
    from vtkmodules.vtkFiltersCore import vtkContourFilter, vtkPolyDataConnectivityFilter
    n = int((triangles / 5.5) ** 0.5)
    x, y, z = np.meshgrid(*[np.linspace(-1, 1, n)] * 3, indexing="ij")
    field = x * x + 1.3 * y * y + 0.8 * z * z + 0.12 * np.sin(9 * x) * np.sin(11 * y) * np.sin(10 * z) + 0.05 * np.sin(31 * x + 17 * y) * np.sin(29 * z)
    image = vtkImageData()
    image.SetDimensions(n, n, n)
    image.SetSpacing(*[2 / (n - 1)] * 3)
    values = numpy_to_vtk(field.transpose(2, 1, 0).reshape(-1), deep=True)
    image.GetPointData().SetScalars(values)
    contour = vtkContourFilter()
    contour.SetInputData(image)
    contour.SetValue(0, 0.6)
    contour.ComputeNormalsOff()
    part = vtkPolyDataConnectivityFilter()
    part.SetInputConnection(contour.GetOutputPort())
    part.SetExtractionModeToLargestRegion()
    part.Update()
    out = part.GetOutput()
    cells = vtk_to_numpy(out.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    used, numbers = np.unique(cells, return_inverse=True)
    return vtk_to_numpy(out.GetPoints().GetData())[used].astype(float), numbers.reshape(-1, 3)


def surfaces(triangles):
    """Returns, per name, points, triangles and the seed."""
    n = int((triangles / 2) ** 0.5)
    waves = lambda height: lambda u, v: (u, v, height * np.sin(19 * u) * np.cos(17 * v))
    return {"plane, jittered": lambda: (*grid(n, jittered(n)), n * (n + 2) // 2),
            "waves": lambda: (*grid(n, waves(0.1)), n * (n + 2) // 2),
            "sphere of latitudes": lambda: (*latitudes(n), 1 + n * (n // 3)),
            "isosurface": lambda: (*isosurface(triangles), 0)}


# ------------------------------------------------------------------------------------------------- methods, each in its process
def data_of(at, triangles):
    from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
    from vtkmodules.vtkCommonCore import vtkPoints
    from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
    data, coordinates, cells = vtkPolyData(), vtkPoints(), vtkCellArray()
    coordinates.SetData(numpy_to_vtk(np.ascontiguousarray(at), deep=True))
    cells.SetData(3, numpy_to_vtkIdTypeArray(np.ascontiguousarray(triangles.reshape(-1), np.int64), deep=True))
    data.SetPoints(coordinates)
    data.SetPolys(cells)
    return data


def runner(method, plugin, at, triangles, seed):
    """Returns a function that computes the distances."""
    from paraview import simple
    from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
    data = data_of(at, triangles)
    if method == "dijkstra":
        from vtkmodules.vtkFiltersModeling import vtkDijkstraGraphGeodesicPath
        from vtkmodules.vtkCommonCore import vtkDoubleArray

        def dijkstra():
            path, weights = vtkDijkstraGraphGeodesicPath(), vtkDoubleArray()
            path.SetInputData(data)
            path.SetStartVertex(seed)
            path.SetEndVertex(seed)
            path.StopWhenEndReachedOff()
            path.Update()
            path.GetCumulativeWeights(weights)
            return vtk_to_numpy(weights).copy()
        return dijkstra
    simple.LoadPlugin(plugin, remote=False, ns=vars(simple))
    marks = numpy_to_vtk((np.arange(len(at)) == seed).astype(np.int32), deep=True)
    marks.SetName("seed")
    ones = numpy_to_vtk(np.ones(len(at)), deep=True)
    ones.SetName("ones")
    if method == "fast marching":
        data.GetPointData().AddArray(ones)
        data.GetPointData().SetScalars(marks)
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(data)

    def filtered():
        if method == "fast marching":
            proxy = simple.FastMarchingGeodesicDistanceFieldFromBinaryField(
                Input=source, SeedsNonZeroField=["POINTS", "seed"], IsotropicMetricTensorLength=["POINTS", "ones"])
        else:
            proxy = simple.IsochroneMeshTravelTime(Input=source, Threads=1, Backend="Host", SpeedType="Constant",
                                                     SeedPoints=at[seed], TipPoints=[], ComputeConductionDirection=0,
                                                     Accuracy="Exact" if method == "exact" else "First Order")
        proxy.UpdatePipeline()
        out = proxy.GetClientSideObject().GetOutputDataObject(0).GetPointData()
        return vtk_to_numpy(out.GetArray("DistanceField" if method == "fast marching" else "TravelTime")).copy()
    return filtered


def peak_kilobytes():
    """Returns the peak memory of this program. getrusage would count the parent's, from before exec."""
    return int(re.search(r"VmHWM:\s*(\d+)", pathlib.Path("/proc/self/status").read_text())[1])


def one(method, plugin, folder):
    """Runs a method, leaves its distances in the folder and prints seconds and memory as JSON."""
    mesh = np.load(folder / "mesh.npz")
    run = runner(method, plugin, mesh["at"], mesh["triangles"], int(mesh["seed"]))
    before, peak, seconds = peak_kilobytes(), 0, []
    for _ in range(RUNS):
        start = time.process_time()
        distances = run()
        seconds.append(time.process_time() - start)
        peak = peak or peak_kilobytes()
    np.save(folder / f"{method}.npy", distances)
    print("\n" + json.dumps({"seconds": sorted(seconds)[RUNS // 2], "runs": seconds, "megabytes": (peak - before) / 1024}))


# ------------------------------------------------------------------------------------------------- tables
def measurement_plugin():
    for folder in pathlib.Path("/usr/lib").glob("*/paraview-*/plugins/GeodesicMeasurement/GeodesicMeasurement.so"):
        return str(folder)
    return None


def errors(found, exact, seed):
    others = np.arange(len(exact)) != seed
    with np.errstate(invalid="ignore", divide="ignore"):
        relative = found[others] / exact[others] - 1
    finite = relative[np.isfinite(relative)]
    return {"unreached": int(relative.size - finite.size), "minimum": finite.min(), "mean": finite.mean(),
            "median": np.median(finite), "maximum": finite.max()}


def measured(triangles, plugin):
    results = {}
    for name, make in surfaces(triangles).items():
        at, cells, seed = make()
        with tempfile.TemporaryDirectory() as text:
            folder = pathlib.Path(text)
            np.savez(folder / "mesh.npz", at=at, triangles=cells, seed=seed)
            rows = {}
            for method in METHODS:
                used = measurement_plugin() if method == "fast marching" else plugin
                if used is None:
                    rows[method] = {"reason": "ParaView's plugin GeodesicMeasurement is not installed"}
                    continue
                result = subprocess.run(["pvpython", __file__, used, "--one", method, text], capture_output=True, text=True)
                if result.returncode:
                    rows[method] = {"reason": (result.stderr.strip().splitlines() or ["failed"])[-1]}
                    continue
                rows[method] = json.loads(result.stdout.strip().splitlines()[-1])
            if "seconds" not in rows["exact"]:
                raise SystemExit(f"{name}: {rows['exact']['reason']}")
            exact = np.load(folder / "exact.npy").astype(float)
            for method, row in rows.items():
                if "seconds" in row:
                    row["error"] = errors(np.load(folder / f"{method}.npy").astype(float), exact, seed)
            results[name] = {"triangles": len(cells), "vertices": len(at), "methods": rows}
            if name.startswith("sphere"):
                circle = 2 * np.arcsin(np.minimum(1, np.linalg.norm(at - at[seed], axis=1) / 2))
                results[name]["from great circles"] = errors(exact, circle, seed)
    return results


def table(results):
    lines = []
    for name, surface in results.items():
        lines += ["", f"## {name[0].upper() + name[1:]}, {surface['triangles']} triangles", "",
                  "| | processor seconds | over first order | MB | minimum | mean | median | maximum error |",
                  "| --- | --- | --- | --- | --- | --- | --- | --- |"]
        first = surface["methods"]["first order"]["seconds"]
        for method, row in surface["methods"].items():
            if "seconds" not in row:
                lines.append(f"| {METHODS[method]} | {row['reason']} | | | | | | |")
                continue
            e = row["error"]
            percent = [f"{100 * e[k]:.2f} %" if method != "exact" else "0" for k in ("minimum", "mean", "median", "maximum")]
            lines.append(f"| {METHODS[method]} | {row['seconds']:.3f} | {row['seconds'] / first:.1f} | {row['megabytes']:.0f} | "
                         + " | ".join(percent) + " |")
        if "from great circles" in surface:
            e = surface["from great circles"]
            lines += ["", f"Exact distances differ from great circles by {100 * e['mean']:.4f} % on average, "
                          f"{100 * e['minimum']:.4f} to {100 * e['maximum']:.4f} %: the sphere is a polyhedron."]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    parser.add_argument("--results", type=pathlib.Path, default=HERE.parent.parent / "build" / "benchmarks" / "geodesics")
    parser.add_argument("--triangles", type=int, default=100000)
    parser.add_argument("--one", nargs=2, metavar=("METHOD", "FOLDER"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        return one(given.one[0], given.plugin, pathlib.Path(given.one[1]))
    results = measured(given.triangles, given.plugin)
    given.results.parent.mkdir(parents=True, exist_ok=True)
    given.results.with_suffix(".json").write_text(json.dumps(results, indent=1) + "\n")
    given.results.with_suffix(".md").write_text(HEAD + table(results))


if __name__ == "__main__":
    main()
