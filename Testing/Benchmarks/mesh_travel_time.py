"""mesh_travel_time.py PROGRAMS [--results PREFIX] [--quick] [--without-peers] [--cuda] [--list] [PIECE ...]

Compares Isochrone Mesh Travel Time with plain vertex FIM, the decompositions and layouts of the paper, and fim-python,
piece by piece, and writes PREFIX.json and PREFIX.md (default: build/benchmarks/mesh-travel-time). PROGRAMS: the folder of
the built benchmarks. A piece is one mesh with ours and other solvers, so that ratios come from one run. PIECE: measures
the piece with that name, or those whose names contain it, and keeps the results of the others in PREFIX.json. --cuda:
runs on the CUDA device as well.

fim-python is installed from peers.txt into a Python environment in build/peers. Missing measurements appear in the
tables as gaps, with the reason."""
import json
import pathlib
import subprocess
import tempfile

import mesh_tables
from environment import HERE, peers_python
from pieces import command_line, measure, parsed

PEER = "fim-python"
TIMEOUT = 60  # seconds


class Run:
    """One mesh and its solvers."""

    def __init__(self, size, ratio=1, mesh="cube", methods="isochrone", threads="1,2", shuffled=False, subdomains=(),
                 peer=False):
        self.peer = peer
        self.arguments = ["--mesh", mesh, "--size", size, "--ratio", ratio, "--methods", methods, "--threads", threads,
                          *(["--shuffled"] if shuffled else []),
                          *(["--subdomains", ",".join(map(str, subdomains))] if subdomains else [])]


def all_pieces(quick, cuda):
    """Returns the pieces by name. The decompositions are designed for a GPU: without one, strong anisotropy uses a smaller mesh or
    is left out."""
    middle, large, few = (8, 10, 6) if quick else (80, 160, 20)
    ratios = (1, 3, 10)
    pieces = {f"3 M {ratio}": Run(middle, ratio, methods="isochrone,compact,plain") for ratio in ratios}
    for ratio in ratios:
        pieces[f"24 M {ratio}"] = Run(large, ratio, threads="2" if ratio == 10 else "1,2")
    for ratio in ratios:
        pieces[f"wall {ratio}"] = Run(middle, ratio, mesh="wall", methods="isochrone,plain", threads="2")
    for ratio in ratios:
        pieces[f"shuffled {ratio}"] = Run(middle, ratio, shuffled=True)
    for ratio, size in ((1, middle), (3, middle), (10, middle // 2)):
        pieces[f"layouts {ratio}"] = Run(size, ratio, methods="isochrone,six,eighteen", threads="1")
    for ratio in ratios:
        size = middle if cuda or ratio < 10 else middle // 2
        pieces[f"domains coarse {ratio}"] = Run(size, ratio, methods="isochrone,plain,many,one", threads="2",
                                                subdomains=(4, 8) if quick else (74, 160, 320))
    for ratio in ratios if cuda else (1,):
        pieces[f"domains fine {ratio}"] = Run(large, ratio, methods="isochrone,plain,many,one", threads="2",
                                              subdomains=(12, 20) if quick else (2700, 3000, 4000, 8000))
    for ratio, size in ((1, few), (3, few), (10, few // 2)):
        pieces[f"others {ratio}"] = Run(size, ratio, peer=True)
    return pieces


def peer_row(folder, ours, python, reason):
    """Returns the measurement of one run, or {"gap": reason}."""
    row = {key: ours[key] for key in ("mesh", "tetrahedra", "ratio", "shuffled", "subdomains")}
    row.update(method=PEER, on="host 2")
    if not python:
        return {**row, "gap": reason}
    try:
        result = subprocess.run([python, HERE / "mesh_peers.py", folder], capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return {**row, "gap": f"did not end within {TIMEOUT} s"}
    if result.returncode:
        return {**row, "gap": (result.stderr.strip().splitlines() or [f"exit status {result.returncode}"])[-1]}
    return {**row, **json.loads(result.stdout.splitlines()[-1])}


def run_piece(name, run, options):
    """Returns the rows of a piece, and the program's description of the machine."""
    with tempfile.TemporaryDirectory() as folder:
        command = [options.programs / "BenchmarkMeshTravelTime", *map(str, run.arguments), "--json", f"{folder}/rows.json"]
        command += (["--write", folder] if run.peer else []) + (["--cuda"] if options.cuda else [])
        subprocess.run(command, check=True)
        about = parsed(pathlib.Path(folder, "rows.json").read_text())
        rows = about.pop("runs")
        if run.peer:
            peers = (None, "left out on request") if options.without_peers else peers_python()
            rows.append(peer_row(folder, rows[0], *peers))
            print(rows[-1], flush=True)
    return [{"piece": name, **row} for row in rows], about


def main():
    options = command_line(__doc__, "mesh-travel-time", "--cuda")
    pieces = all_pieces(options.quick, options.cuda)
    measure(options, list(pieces), lambda name, _: run_piece(name, pieces[name], options), mesh_tables.markdown)


if __name__ == "__main__":
    main()
