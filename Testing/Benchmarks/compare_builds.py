"""compare_builds.py PROGRAMS --before PROGRAMS [--results PREFIX] [--quick] [--list] [PIECE ...]

Runs the benchmarks of two builds in turn, so that ratios hold when the speed of the machine drifts, and writes
PREFIX.json and PREFIX.md (default: build/benchmarks/compare-builds). PROGRAMS: the folders of the built benchmarks, now
and before a change. PIECE: measures the piece with that name, or those whose names contain it, and keeps the results of
the others in PREFIX.json."""
import collections
import os
import pathlib
import statistics
import subprocess
import tempfile

from image_tables import number, table
from pieces import command_line, measure, parsed

ROUNDS = 3  # of both builds, each with the median of three solves, or of fewer that take seconds
CASE = ("experiment", "model", "mesh", "tetrahedra", "case", "kind", "grid", "rule", "radius", "template", "sources")
USUAL = {"mesh": "cube", "template": "coprime", "sources": 1}  # left out


def image(name, size, depth):
    return ["BenchmarkImageTravelTime", "--case", name, "--size", size, "--depth", depth, "--methods", "none"]


def rays(model, size, depth, radius, *rest):
    return ["BenchmarkRayTracing", "--model", model, "--size", size, "--depth", depth, "--radius", radius, *rest]


def all_pieces(quick):
    """Returns the command lines of the pieces by name."""
    if quick:
        return {"image": [image("1", 32, 32)], "curvature": [["BenchmarkCurvaturePaths", "--quick"]]}
    examples = ["1", "2", "3", *(f"{kind}-{walls}" for kind in "45" for walls in (2, 4, 8, 16)), "noise"]
    pieces = {f"image {name}": [image(name, 256, 256)] for name in examples}
    pieces |= {f"image plane {name}": [image(name, 4096, 1)] for name in ("1", "noise")}
    for kind in (2, 4, 10, 20, "noise"):
        pieces[f"tensors {kind}"] = [image(f"tensor-{kind}", 1024, 1), image(f"tensor-{kind}", 128, 128)]
    pieces["tensors 256^3"] = [image("tensor-10", 256, 256)]
    pieces["curvature"] = [["BenchmarkCurvaturePaths"]]
    pieces["curvature table 2"] = [["BenchmarkCurvatureTable2"]]
    pieces["oriented cost"] = [["BenchmarkOrientedCost"]]
    pieces["distance"] = [["BenchmarkDistanceTransform"]]
    for rule in ("fast", "accurate"):
        for radius in range(1, 7):
            pieces[f"rays {rule} {radius}"] = [rays("gradient", 1600, 1, radius, "--rule", rule)]
        for radius in (1, 2, 3):
            pieces[f"rays space {rule} {radius}"] = [rays("gradient", 128, 128, radius, "--rule", rule)]
        for model in ("blocks", "noise", "maze"):
            pieces[f"rays {model} {rule}"] = [rays(model, 1600, 1, 6, "--rule", rule)]
    pieces["rays sources"] = [rays("gradient", 1600, 1, 6, "--sources", 4)]
    for ratio in (1, 3, 10):
        pieces[f"mesh {ratio}"] = [["BenchmarkMeshTravelTime", "--size", size, "--ratio", ratio]
                                   for size in (40, 80)]
    return pieces


def rows_of(command, programs):
    """Returns the rows of the solvers' own runs, by case and threads, and the program's description of the machine."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "rows.json")
        subprocess.run([programs / command[0], *map(str, command[1:]), "--json", file], check=True,
                       stdout=subprocess.DEVNULL, env={**os.environ, "ISOCHRONE_BENCHMARK_RUNS": "3"})
        about = parsed(file.read_text())
    rows = {}
    for row in about.pop("runs"):
        if row.get("method", "isochrone") != "isochrone":
            continue
        keys = (*CASE, "ratio") if "mesh" in row else CASE  # of speeds; of times in other programs
        case = " ".join(f"{row[key]:.0f}" if isinstance(row[key], float) else f"{row[key]}" for key in keys
                        if key in row and row[key] != USUAL.get(key))
        if "host_1" in row:  # one row for both
            rows |= {(case, threads): {"seconds": row[f"host_{threads}"]} for threads in (1, 2)}
        else:
            rows[case, int(row["on"].split()[1])] = row
    return rows, about


def measured(command, before, now):
    """Returns the rows of one benchmark in both builds."""
    runs = {"before": collections.defaultdict(list), "now": collections.defaultdict(list)}
    for _ in range(ROUNDS + 1):  # the first one warms up
        for build, programs in (("before", before), ("now", now)):
            rows, about = rows_of(command, programs)
            for key, row in rows.items():
                runs[build][key].append(row)
    result = []
    for (case, threads), old in runs["before"].items():
        new = runs["now"].get((case, threads))
        if not new:
            print("left out, only before:", case, threads)
            continue
        ratios = sorted(b["seconds"] / a["seconds"] for a, b in list(zip(old, new))[1:])
        row = {"program": command[0], "case": case, "threads": threads}
        for build, rows in (("before", old), ("now", new)):
            row[build] = statistics.median(r["seconds"] for r in rows[1:])
            for name, keys in (("updates", ("updates_per_point", "updates", "relaxations")),
                               ("bytes", ("bytes_per_point", "bytes"))):
                row |= {f"{name}_{build}": rows[0][key] for key in keys if key in rows[0]}
        row |= {"ratio": statistics.median(ratios), "least": ratios[0], "most": ratios[-1]}
        print(row["case"], threads, *(f"{row[key]:.4g}" for key in ("before", "now", "ratio", "least", "most")), flush=True)
        result.append(row)
    return result, about


def run_piece(name, commands, options):
    """Returns the rows of a piece, none if the build before cannot solve it, and a description of the machine."""
    rows, about = [], {}
    for command in commands:
        try:
            more, about = measured(command, options.before, options.programs)
        except subprocess.CalledProcessError as error:
            if error.cmd[0].parent != options.before:
                raise
            print("left out:", error)
            continue
        rows += more
    return [{"piece": name, **row} for row in rows], about


def markdown(results):
    """Returns a table per program, with both numbers of threads of a case in a row."""
    parts = []
    for program in dict.fromkeys(row["program"] for row in results["runs"]):
        rows = [row for row in results["runs"] if row["program"] == program]
        cases = {(row["piece"], row["case"]): {} for row in rows}
        for row in rows:
            cases[row["piece"], row["case"]][row["threads"]] = row
        lines = []
        for (_, case), by in cases.items():
            line = [case]
            for threads in (1, 2):
                row = by.get(threads)
                line += [number(row["before"]), number(row["now"]), f"{row['ratio']:.2f} ({row['least']:.2f} to "
                         f"{row['most']:.2f})"] if row else ["-"] * 3
            gain = [number(by[1][build] / by[2][build]) if len(by) == 2 else "-" for build in ("before", "now")]
            last = by[max(by)]
            counts = [" / ".join(number(last[f"{key}_{build}"]) for build in ("before", "now"))
                      if f"{key}_now" in last else "-" for key in ("updates", "bytes")]
            lines.append(line + [" / ".join(gain)] + counts)
        head = ["case", *(text for threads in ("1 thread", "2 threads") for text in
                          (f"{threads}: before", "now", "now / before")),
                "1 / 2 threads: before / now", "updates: before / now", "bytes: before / now"]
        parts += [f"## {program.removeprefix('Benchmark')}", table(head, lines)]
    return "\n\n".join(parts) + "\n"


def main():
    options = command_line(__doc__, "compare-builds", before=pathlib.Path)
    pieces = all_pieces(options.quick)
    measure(options, list(pieces), lambda name, _: run_piece(name, pieces[name], options), markdown)


if __name__ == "__main__":
    main()
