"""surface_distance.py PROGRAMS [--results PREFIX] [--quick] [--without-peers]

Measures distances to level sets (BenchmarkSurfaceDistance in the folder PROGRAMS) beside scikit-fmm, which solves the eikonal
equation from the level set, and vtkImplicitPolyDataDistance of its contour. Writes PREFIX.json and PREFIX.md (default:
build/benchmarks/surface-distance). scikit-fmm is installed from peers.txt into build/peers; VTK is that of ParaView's Python.
All times are processor times of one thread."""
import argparse
import json
import pathlib
import subprocess
import tempfile

from environment import HERE, ROOT, peers_python, python_with

CASES = [("sphere", 64, 64, 20), ("sphere", 128, 128, 40), ("circle", 1024, 1, 300)]
COLUMNS = ["case", "grid", "radius", "method", "seconds", "ratio", "ns_per_point", "pieces", "median_error", "largest_error"]


def peer_rows(peer, python, cases):
    """Returns the rows of a peer, or one with the reason for the gap."""
    if not python:
        return [{"method": peer, "gap": "not installed"}]
    rows = []
    for case in cases:
        run = subprocess.run([python, HERE / "surface_peers.py", peer, *map(str, case)], capture_output=True, text=True)
        if run.returncode:
            return rows + [{"method": peer, "gap": (run.stderr.strip().splitlines() or ["failed"])[-1]}]
        rows.append(json.loads(run.stdout.splitlines()[-1]))
    return rows


def markdown(about, rows):
    lines = [f"Machine: {about['machine']}. Processor times of one thread; ratio: to distances between points of the same image; "
             "errors in spacings, against exact distances.", "",
             "| " + " | ".join(COLUMNS) + " |", "| " + " | ".join("---" for _ in COLUMNS) + " |"]
    for row in rows:
        if "gap" in row:
            lines.append(f"| | | | {row['method']}: {row['gap']} |" + " |" * (len(COLUMNS) - 4))
        else:
            cells = (row.get(column) for column in COLUMNS)
            lines.append("| " + " | ".join("" if c is None else f"{c:.3g}" if isinstance(c, float) else str(c) for c in cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--results", default=str(ROOT / "build" / "benchmarks" / "surface-distance"))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--without-peers", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "rows.json")
        subprocess.run([options.programs / "BenchmarkSurfaceDistance", "--json", file] + ["--quick"] * options.quick, check=True)
        about = json.loads(file.read_text())
    rows = about.pop("runs")
    if not options.without_peers:
        cases = [("sphere", 24, 24, 7)] if options.quick else CASES
        rows += peer_rows("scikit-fmm", peers_python()[0], cases) + peer_rows("vtk", python_with("vtkmodules"), cases)
        plain = {(row["case"], row["grid"]): row["seconds"] for row in rows if row["method"] == "points"}
        for row in rows:
            if "gap" not in row and "ratio" not in row:
                row["ratio"] = row["seconds"] / plain[row["case"], row["grid"]]
                print(*(f"{value:.4g}" if isinstance(value, float) else value for value in row.values()), flush=True)
    prefix = pathlib.Path(options.results)
    prefix.parent.mkdir(parents=True, exist_ok=True)
    prefix.with_suffix(".json").write_text(json.dumps({**about, "runs": rows}, indent=1) + "\n")
    prefix.with_suffix(".md").write_text(markdown(about, rows))


if __name__ == "__main__":
    main()
