"""distributed.py BUILD [--results PREFIX] [--quick] [CASE ...]

Measures solves in parts and writes PREFIX.json and PREFIX.md (default: build/benchmarks/distributed). BUILD: a build folder with
the plugin and the benchmarks. For a CASE of rank_costs.py it runs pvbatch on 1, 2, 4 and 8 ranks; for parts and ray_parts
BenchmarkParts and BenchmarkRayParts, on 4 to 512 parts in one process. Default: all. Results of cases that are not measured
again are kept."""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SIZES = {"distance_transform": 256, "image_travel_time": 256, "image_travel_time_with_a_tip": 256, "ray_tracing": 128,
         "curvature_paths": 512, "curvature_paths_in_parts": 512, "oriented_cost": 512, "mesh_travel_time": 60}
PROGRAMS = {"parts": "BenchmarkParts", "ray_parts": "BenchmarkRayParts"}
RANKS = (1, 2, 4, 8)


def ranks_of(build, case, points, ranks):
    """Returns the costs of each rank."""
    environment = os.environ | {
        "ISOCHRONE_PLUGIN": str(next(build.glob("lib/paraview-*/plugins/Isochrone/Isochrone.so"))),
        "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    run = subprocess.run(["xvfb-run", "-a", "mpirun", "-np", str(ranks), "pvbatch", "--sym", HERE / "rank_costs.py", case, str(points)],
                         env=environment, capture_output=True, text=True)
    costs = [json.loads(line) for line in re.findall(r"\{[^{}]*\}", run.stdout)]
    if run.returncode or len(costs) != ranks:
        raise SystemExit(f"{case} on {ranks} ranks failed:\n{run.stdout}{run.stderr}")
    return sorted(costs, key=lambda rank: rank["rank"])


def parts_in_one_process(build, program, folder, quick):
    """Returns the rows of BenchmarkParts or BenchmarkRayParts."""
    file = folder / "parts.json"
    few = ["--size", "24", "--parts", "4,8"] if quick else []
    subprocess.run([build / "bin" / program, "--json", file, *few], check=True)
    rows = json.loads(file.read_text())
    file.unlink()
    return rows


def rank_table(results):
    lines = ["| case | points | ranks | peak MiB of a rank | least | processor s, all ranks | points requested by a rank | exchanges | MB told |",
             "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for case, runs in results.items():
        for run in runs:
            costs = run["costs"]
            peaks = [rank["peak"] for rank in costs]
            lines.append("| " + " | ".join(str(cell) for cell in (
                case.replace("_", " "), run["points"], len(costs), f"{max(peaks):.0f}", f"{min(peaks):.0f}",
                f"{sum(rank['seconds'] for rank in costs):.1f}",
                round(statistics.median(rank["requested"] for rank in costs)),
                costs[0].get("exchanges", ""), f"{costs[0]['told'] / 1e6:.2f}" if "told" in costs[0] else "")) + " |")
    return lines


def part_table(rows):
    """Returns the rows of a benchmark, with its names of the columns."""
    names = list(rows[0])
    lines = ["| " + " | ".join(names) + " |", "| --- " * len(names) + "|"]
    for row in rows:
        lines.append("| " + " | ".join(f"{value:.3g}" if isinstance(value, float) else str(value) for value in row.values()) + " |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "build" / "benchmarks" / "distributed")
    parser.add_argument("--quick", action="store_true", help="small images on 1 and 2 ranks")
    parser.add_argument("case", nargs="*", help=", ".join([*SIZES, *PROGRAMS]))
    given = parser.parse_intermixed_args()
    file = given.results.with_suffix(".json")
    file.parent.mkdir(parents=True, exist_ok=True)
    results = json.loads(file.read_text()) if file.exists() else {"ranks": {}}
    for case in given.case or [*SIZES, *PROGRAMS]:
        if case in PROGRAMS:
            results[case] = parts_in_one_process(given.build, PROGRAMS[case], file.parent, given.quick)
        else:
            points = 24 if given.quick else SIZES[case]
            results["ranks"][case] = [{"points": points, "costs": ranks_of(given.build, case, points, ranks)}
                                      for ranks in (RANKS[:2] if given.quick else RANKS)]
        file.write_text(json.dumps(results, indent=1) + "\n")
    text = ["# Solves in parts", "", "Written by `distributed.py`. Memory is beyond that before the filter runs, the input on the rank included where the filter",
            "requests more of it. Processor seconds of several ranks include waiting, and reading the input anew.", "",
            *rank_table(results["ranks"])]
    if "parts" in results:
        rows = results["parts"]["runs"]
        text += ["", "Image Travel Time in one process, one thread for each part (`BenchmarkParts`): `total` is the sum of the processor seconds",
                 "of all parts, relative to the undivided solve; `speedup` is the time of that solve over the critical path, the sum over",
                 "the exchanges of the slowest part before each. One part works at a time.", "", *part_table(rows)]
    if "ray_parts" in results:
        text += ["", "Ray Tracing in the same way (`BenchmarkRayParts`), from one source and from 16 that are solved separately, along the top or",
                 "all over the image. `counted` is `speedup` counted in relaxations, on which the machine has no influence.",
                 "", *part_table(results["ray_parts"]["runs"])]
    given.results.with_suffix(".md").write_text("\n".join(text) + "\n")
    print("\n".join(text))


if __name__ == "__main__":
    main()
