"""ray_tracing.py PROGRAMS [--results PREFIX] [--quick] [--without-peers] [--cuda] [--list] [PIECE ...]

Compares Isochrone Ray Tracing with Dijkstra's algorithm with three queues, the method of the paper, and other programs,
piece by piece, and writes PREFIX.json and PREFIX.md (default: build/benchmarks/ray-tracing). PROGRAMS: the folder of the
built benchmarks. A piece is a table or a part of one, always with ours, so that ratios come from one run. PIECE:
measures the piece with that name, or those whose names contain it, and keeps the results of the others in PREFIX.json.
--cuda: runs on the CUDA device as well.

Missing measurements appear in the tables as gaps, with the reason."""
import json
import pathlib
import subprocess
import tempfile

import ray_tables
from environment import HERE, python_with
from pieces import command_line, measure, parsed

QUEUES = "queue,heap,buckets"
RADII = range(1, 7)


class Run:
    """One image and its solvers."""

    def __init__(self, model="gradient", size=1600, depth=1, radius=6, rule="fast", template="coprime", sources=1,
                 predecessors=False, methods="", peers=()):
        self.radius, self.peers = radius, peers
        self.arguments = ["--model", model, "--size", size, "--depth", depth, "--radius", radius, "--rule", rule,
                          "--template", template, "--sources", sources, *(["--methods", methods] if methods else []),
                          *(["--predecessors"] if predecessors else [])]


def all_pieces(quick):
    """Returns the pieces by name. The paper's sizes range from 128 to 1600; the steps are ours."""
    sizes = (64, 96) if quick else (*range(128, 1473, 96), 1600)
    large, edge = (96, 20) if quick else (1600, 128)
    pieces = {f"sizes {size}": [Run(size=size, radius=r, methods="queue,buckets") for r in RADII] for size in sizes}
    for r in RADII:
        pieces[f"radius {r} fast"] = [Run(size=large, radius=r, predecessors=True, methods=QUEUES)]
        pieces[f"radius {r} accurate"] = [Run(size=large, radius=r, rule="accurate", predecessors=True,
                                              methods="queue,buckets")]
    for model in ("blocks", "noise", "maze"):
        pieces[f"model {model}"] = [Run(model, large, rule=rule, predecessors=True, methods="queue,buckets")
                                    for rule in ("fast", "accurate")]
    for rule in ("fast", "accurate"):
        pieces[f"sources {rule}"] = [Run(size=large, rule=rule, sources=n, methods="buckets" if rule == "accurate" else "")
                                     for n in (1, 4, 16)]
    for r in (1, 2, 3):
        pieces[f"space {r}"] = [Run(size=edge, depth=edge, radius=r, methods=QUEUES),
                                Run(size=edge, depth=edge, radius=r, rule="accurate")]
    for kind, radius in (("full", 3), ("full", 6), ("balanced24", 7), ("balanced48", 7)):
        pieces[f"template {kind} {radius}"] = [Run(size=large, radius=radius, template=kind, methods="buckets")]
    for size, radii in ((32, (1,)),) if quick else ((128, RADII), (512, (1, 3, 6))):
        pieces[f"plain {size}"] = [Run(size=size, radius=r, template="full", methods="plain,queue") for r in radii]
    pieces["others plane"] = [Run(size=large, radius=1, peers=("scipy", "skimage"))]
    pieces["others plane 2"] = [Run(size=large, radius=2, peers=("scipy",))]
    pieces["others space"] = [Run(size=edge, depth=edge, radius=1, peers=("scipy", "skimage"))]
    return pieces


def peer_row(peer, folder, radius, ours, wanted):
    """Returns the measurement of one run, or {"gap": reason}."""
    row = {key: ours[key] for key in ("case", "grid", "rule", "template", "radius", "sources", "predecessors")}
    row.update(method=peer, on="host 1")
    python = python_with(peer) if wanted else None
    if not python:
        return {**row, "gap": f"no Python here has {peer}" if wanted else "left out on request"}
    result = subprocess.run([python, HERE / "ray_peers.py", peer, folder, str(radius)], capture_output=True, text=True)
    if result.returncode:
        return {**row, "gap": (result.stderr.strip().splitlines() or [f"exit status {result.returncode}"])[-1]}
    return {**row, **json.loads(result.stdout)}


def run_piece(name, runs, options):
    """Returns the rows of a piece, and the program's description of the machine."""
    rows, about = [], {}
    for run in runs:
        with tempfile.TemporaryDirectory() as folder:
            command = [options.programs / "BenchmarkRayTracing", *map(str, run.arguments), "--json",
                       f"{folder}/rows.json"]
            command += (["--write", folder] if run.peers else []) + (["--cuda"] if options.cuda else [])
            subprocess.run(command, check=True)
            about = parsed(pathlib.Path(folder, "rows.json").read_text())
            measured = about.pop("runs")
            for peer in run.peers:
                row = peer_row(peer, folder, run.radius, measured[0], not options.without_peers)
                print(row, flush=True)
                measured.append(row)
            rows += measured
    return [{"piece": name, **row} for row in rows], about


def main():
    options = command_line(__doc__, "ray-tracing", "--cuda")
    pieces = all_pieces(options.quick)
    measure(options, list(pieces), lambda name, _: run_piece(name, pieces[name], options), ray_tables.markdown)


if __name__ == "__main__":
    main()
