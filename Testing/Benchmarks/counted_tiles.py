"""counted_tiles.py BUILD [--results FOLDER] [PIECE...]: counts the papers' tables of tiles on the emulated device.

Runs TileStudyCuda (Mirebeau and others 2022, Table 1) and ImageTileStudyCuda (Jeong and Whitaker 2008, figure 10), one model or
example at a time, and adds to each row the work of the kernels and the times that counted_cuda.py estimates from it. Writes
counted-tiles.json and counted-tiles.md. PIECE: parts of names; only pieces that contain one are run, the others keep their counts.
"""
import argparse
import os
import pathlib
import subprocess
import tempfile
import time

from counted_cuda import DEVICES, FIELDS, HERE, estimate, read_trace_in_parts
from image_tables import table
from pieces import json_text, parsed

MODELS = ("isotropic 2D", "isotropic 3D", "RSF", "RS", "Dubins", "Elastica")
EXAMPLES = ("1", "2", "3", "4-16", "5-16", "noise")
PIECES = {f"tiles, {model}": (["TileStudyCuda", "--small", "--only", model], "GTX 1080") for model in MODELS}
PIECES |= {f"images, example {example}": (["ImageTileStudyCuda", "--size", "64", "--only", example], "Quadro FX 5600")
           for example in EXAMPLES}


def count(build, words, paper_device):
    """Returns the rows of a study with their counts. A row's launches end with the kernel that finishes its times."""
    with tempfile.TemporaryDirectory() as folder:
        trace, rows = os.path.join(folder, "trace"), os.path.join(folder, "rows")
        environment = dict(os.environ, LD_LIBRARY_PATH=str(build / "cuda-on-host"),
                           CUDA_ON_HOST_CHECKS="0", CUDA_ON_HOST_SMS=str(DEVICES["H200"].processors),
                           CUDA_ON_HOST_MEMORY_MB="16384", CUDA_ON_HOST_TRACE=trace)
        program, *options = words
        begin = time.time()
        subprocess.run([build / "bin" / program, *options, "--repeats", "1", "--json", rows], env=environment, check=True,
                       capture_output=True)
        runs = parsed(pathlib.Path(rows).read_text())["runs"]
        parts = list(read_trace_in_parts(trace, "FinishTimes"))
    assert len(parts) == len(runs), (len(parts), len(runs))
    for run, (launches, waits) in zip(runs, parts):
        totals = {field: sum(launch[field] for _, launch in launches) for field in FIELDS[2:]}
        milliseconds = {device: estimate(launches, waits, DEVICES[device])[0] for device in ("H200", paper_device)}
        del run["milliseconds"]  # of the emulation
        run.update(totals, launches=len(launches), waits=waits, milliseconds=milliseconds)
    return {"seconds_to_count": time.time() - begin, "runs": runs}


def settings(run):
    """Returns the row and the column of a run in the table of its piece."""
    if "passes" in run:
        return f'{run["nodes"]}, {run["tile"]}, {run["method"]}', f'band {run["band"]}' if run["method"] == "band" else f'{run["passes"]:g}'
    return f'{run["tile"]}, {run["tags"]}, {run["writes"]}, {run["stencils"]}', f'{run["R"]:g}'


def markdown(piece, result, paper_device):
    rows = []
    for run in result["runs"]:
        where, steps = settings(run)
        ms = run["milliseconds"]
        rows.append([where, steps, f'{run["updates_per_point"]:.1f}', f'{run["rounds"]:.0f}', str(run["launches"]),
                     f'{1e-6 * run["slots"]:.3g}', f'{1e-6 * run["fetched"]:.3g}', f'{ms["H200"]:.3g}', f'{ms[paper_device]:.3g}'])
    least = {device: min(result["runs"], key=lambda run: run["milliseconds"][device]) for device in ("H200", paper_device)}
    best = "; ".join(f'{device}: {", ".join(settings(run))} ({run["milliseconds"][device]:.3g} ms)' for device, run in least.items())
    return f"## {piece}\n\nMinimum estimated time: {best}.\n\n" + table(
        ["tile", "R or passes", "updates per point", "rounds", "launches", "million instr.", "million sectors fetched", "H200, ms",
         f"{paper_device}, ms"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results")
    parser.add_argument("pieces", nargs="*")
    arguments = parser.parse_intermixed_args()
    file = arguments.results / "counted-tiles.json"
    read = lambda: parsed(file.read_text()) if file.exists() else {}
    for piece, (words, paper_device) in PIECES.items():
        if arguments.pieces and not any(part in piece for part in arguments.pieces):
            continue
        counted = count(arguments.build, words, paper_device)
        file.write_text(json_text(read() | {piece: counted}, indent=1) + "\n")
        print(piece, f'counted in {counted["seconds_to_count"]:.0f} s', flush=True)
    results = read()
    parts = [(HERE / "counted_tiles.md").read_text()]
    parts += [markdown(piece, results[piece], paper_device) for piece, (_, paper_device) in PIECES.items() if piece in results]
    (arguments.results / "counted-tiles.md").write_text("\n\n".join(part.rstrip() for part in parts) + "\n")


if __name__ == "__main__":
    main()
