"""distance_transform.py PROGRAMS [--results PREFIX] [--quick] [--without-peers] [--list] [PIECE ...]

Compares Isochrone Distance Transform with other programs, piece by piece, and writes PREFIX.json and PREFIX.md
(default: build/benchmarks/distance-transform). PROGRAMS: the folder of the built benchmarks. A piece is one image with
ours and a few peers, so that ratios come from one run. PIECE: measures the piece with that name, or those whose names
contain it, and keeps the results of the others in PREFIX.json.

The peers are installed from peers.txt into a Python environment in build/peers; VTK is that of ParaView's Python.
Missing measurements appear in the tables as gaps, with the reason."""
import functools
import json
import pathlib
import subprocess
import tempfile

import distance_tables
from environment import HERE, peers_python, python_with
from pieces import command_line, measure, parsed

PEERS = ["edt", "opencv", "itk", "scipy", "vtk"]
ONE_THREAD = {"scipy", "vtk"}
PHOTOGRAPHS = {"photograph": "camera", "astronaut": "astronaut", "coins": "coins", "horse": "horse"}
LONGEST = 40  # maximum seconds of a peer's run
BYTES = {"edt": 12, "opencv": 14, "itk": 24, "scipy": 40, "vtk": 28}  # per point, with ours: measured at 3000², rounded up


class Piece:
    def __init__(self, case, size, depth, peers):
        self.case, self.size, self.depth, self.peers = case, size, depth, peers
        self.grid = f"{size}x{size}x{depth}"
        self.name = f"{case} {self.grid} {'+'.join(peers) or 'alone'}"


def all_pieces(quick):
    """Returns the pieces. Slow ones are separate, so that a piece takes about a minute."""
    pieces = []
    for size in (96, 128) if quick else (512, 1024, 2048, 4096, 8192, 16384):
        apart = [PEERS] if size <= 2048 else [["edt", "opencv"], ["itk"], ["scipy"], ["vtk"]]
        for case in ("random 0.01", "random 1", "random 50", "photograph"):
            pieces += [Piece(case, size, 1, peers) for peers in apart]
    pieces += [Piece(f"random {share}", 100 if quick else 8192, 1, []) for share in (10, 30, 70, 90)]
    for case in ("circles", "squares", "lines", "astronaut", "coins", "horse"):
        pieces.append(Piece(case, 96 if quick else 1024, 1, PEERS))
    in_space = [peer for peer in PEERS if peer != "opencv"]
    for case in ("random 1", "shell"):
        if quick:
            pieces.append(Piece(case, 24, 24, in_space))
        else:
            pieces.append(Piece(case, 256, 256, in_space))
            pieces += [Piece(case, 512, 512, [peer]) for peer in in_space]
    return pieces


class Peers:
    """The other programs: their Python interpreters, and their previous run times."""

    def __init__(self, wanted):
        python, reason = peers_python() if wanted else (None, "left out on request")
        self.pythons = dict.fromkeys(PEERS, python)
        self.reasons = dict.fromkeys(PEERS, reason)
        if wanted:
            self.pythons["vtk"] = python_with("vtkmodules")
            self.reasons["vtk"] = "no Python here has vtkmodules, that is ParaView"

    def gap(self, peer, piece, rows):
        """Returns why the peer cannot run on this piece, or None."""
        if not self.pythons[peer]:
            return self.reasons[peer]
        points = piece.size * piece.size * piece.depth
        with open("/proc/meminfo") as lines:
            available = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
        if points * BYTES[peer] > 0.9 * available:
            return f"needs about {points * BYTES[peer] / 1e9:.0f} GB, {available / 1e9:.0f} are available"
        half = f"{piece.size // 2}x{piece.size // 2}x1"
        before = [row["seconds"] for row in rows if "seconds" in row and
                  (row["method"], row["case"], row["grid"]) == (peer, piece.case, half)]
        if piece.depth == 1 and before and 4 * max(before) > LONGEST:
            return f"would take about {4 * max(before):.0f} s"
        return None

    def run(self, peer, piece, folder, rows):
        """Returns a row for one thread and one for two, or one with the reason for the gap."""
        row = {"case": piece.case, "grid": piece.grid, "method": peer}
        if gap := self.gap(peer, piece, rows):
            return [{**row, "on": "host 1", "gap": gap}]
        measured = []
        for threads in [1] if peer in ONE_THREAD else [1, 2]:
            try:
                result = subprocess.run([self.pythons[peer], HERE / "distance_peers.py", peer, folder, str(threads)],
                                        capture_output=True, text=True, timeout=2 * LONGEST)
            except subprocess.TimeoutExpired:
                return [{**row, "on": "host 1", "gap": f"takes more than {2 * LONGEST} s"}]
            if result.returncode:
                reason = (result.stderr.strip().splitlines() or [f"exit status {result.returncode}"])[-1]
                return [{**row, "on": "host 1", "gap": reason}]
            measured.append({**row, "on": f"host {threads}", **json.loads(result.stdout.splitlines()[-1])})
        if peer in ONE_THREAD:
            measured.append({**measured[0], "on": "host 2"})
        return measured


def photograph(name, size, folder):
    """Returns the file of the piece's sites, or None and the reason."""
    python = python_with("skimage")
    if not python:
        return None, "no Python here has skimage"
    file = f"{folder}/photograph.u8"
    result = subprocess.run([python, HERE / "photograph.py", PHOTOGRAPHS[name], str(size), file],
                            capture_output=True, text=True)
    return (file, None) if result.returncode == 0 else (None, result.stderr.strip().splitlines()[-1])


def run_piece(piece, programs, peers, former):
    """Returns the rows of a piece, and the program's description of the machine."""
    with tempfile.TemporaryDirectory() as folder:
        command = [programs / "BenchmarkDistanceTransform", "--case", piece.case, "--size", str(piece.size), "--depth",
                   str(piece.depth), "--json", f"{folder}/rows.json"]
        if piece.case in PHOTOGRAPHS:
            file, reason = photograph(piece.case, piece.size, folder)
            if reason:
                gap = {"case": piece.case, "grid": piece.grid, "method": "isochrone", "on": "host 1", "gap": reason}
                return [{"piece": piece.name, **gap}], {}
            command += ["--sites", file]
        subprocess.run(command + (["--write", folder] if piece.peers else []), check=True)
        about = parsed(pathlib.Path(folder, "rows.json").read_text())
        rows = about.pop("runs")
        ours = {row["on"]: row["seconds"] for row in rows}
        for peer in piece.peers:
            for row in peers.run(peer, piece, folder, former + rows):
                if "seconds" in row:
                    row["ratio"] = row["seconds"] / ours[row["on"]]
                print(*(f"{value:.4g}" if isinstance(value, float) else value for value in row.values()), flush=True)
                rows.append(row)
    return [{"piece": piece.name, **row} for row in rows], about


def main():
    options = command_line(__doc__, "distance-transform")
    pieces = {piece.name: piece for piece in all_pieces(options.quick)}
    peers = functools.cache(lambda: Peers(not options.without_peers))
    measure(options, list(pieces), lambda name, former: run_piece(pieces[name], options.programs, peers(), former),
            distance_tables.markdown)


if __name__ == "__main__":
    main()
