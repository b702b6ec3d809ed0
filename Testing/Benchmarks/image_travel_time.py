"""image_travel_time.py PROGRAMS [--results PREFIX] [--quick] [--without-peers] [--list] [PIECE ...]

Compares Isochrone Image Travel Time with other methods and programs, piece by piece, and writes PREFIX.json and
PREFIX.md (default: build/benchmarks/image-travel-time). PROGRAMS: the folder of the built benchmarks. A piece is one
image with ours and a few other methods, so that ratios come from one run. PIECE: measures the piece with that name, or
those whose names contain it, and keeps the results of the others in PREFIX.json.

The other programs are installed from peers.txt into a Python environment in build/peers. Missing measurements appear in
the tables as gaps, with the reason."""
import json
import pathlib
import subprocess
import tempfile

import image_tables
from environment import HERE, peers_python
from pieces import command_line, measure, parsed

SERIAL = ["heap", "group", "sweeping", "fim"]
PEERS = ["scikit-fmm", "itk"]
TILES = "block FIM"


class Piece:
    def __init__(self, case, size, depth, methods):
        self.case, self.size, self.depth, self.methods = case, size, depth, methods
        self.grid = f"{size}x{size}x{depth}"
        self.name = f"{case} {self.grid} {'+'.join(methods)}"


def all_pieces(quick):
    """Returns the pieces. Slow ones are separate, so that a piece takes less than a minute."""
    small, large, plane = (32, 48, 128) if quick else (128, 256, 4096)
    mazes = [f"{example}-{walls}" for example in "45" for walls in (2, 4, 8, 16)]
    pieces = [Piece(case, small, small, SERIAL + PEERS) for case in ["1", "2", "3", *mazes, "noise"]]
    apart = [["heap", "group"], ["sweeping"], ["fim"], ["scikit-fmm"], ["itk"]]
    for case in ["1", "2", "3", *mazes, "noise"]:
        pieces += [Piece(case, large, large, methods) for methods in apart]
    for case in ["1", "noise"]:
        pieces += [Piece(case, plane, 1, methods) for methods in apart]
    for depth in (10, 20, 50, 100):
        pieces.append(Piece("line", 64 if quick else 512, depth, SERIAL))
    for size, depth in ((64, 1), (16, 16)) if quick else ((1024, 1), (128, 128), (256, 256)):
        pieces += [Piece(f"tensor-{kind}", size, depth, ["heap"]) for kind in (2, 4, 10, 20, "noise")]
        pieces += [Piece(f"drift-{percent}", size, depth, []) for percent in (10, 30, 50, 70, 90)]
        pieces += [Piece(f"tilted-{percent}", size, depth, []) for percent in (10, 20, 40)]
    for case in ("1", "noise"):
        pieces += [Piece(case, small, small, [])]
        pieces += [Piece(f"{kind}-{case}", small, small, []) for kind in image_tables.GRIDS]
    return pieces


def run_peer(python, reason, peer, folder):
    """Returns the measurement of one run, or {"gap": reason}."""
    if not python:
        return {"gap": reason}
    result = subprocess.run([python, HERE / "peers.py", peer, folder], capture_output=True, text=True)
    if result.returncode:
        return {"gap": (result.stderr.strip().splitlines() or [f"exit status {result.returncode}"])[-1]}
    measured = json.loads(result.stdout)
    if not measured["difference"] < 100:  # relative, in 1e-6
        return {"gap": f"differs from our travel times by {measured['difference']:g}e-6"}
    return measured


def run_piece(piece, programs, python, reason):
    """Returns the rows of a piece, and the program's description of the machine."""
    with tempfile.TemporaryDirectory() as folder:
        peers = [method for method in piece.methods if method in PEERS]
        serial = [method for method in piece.methods if method not in PEERS]
        command = [programs / "BenchmarkImageTravelTime", "--case", piece.case, "--size", str(piece.size), "--depth",
                   str(piece.depth), "--methods", ",".join(serial) or "none", "--json", f"{folder}/rows.json"]
        subprocess.run(command + (["--write", folder] if peers else []), check=True)
        about = parsed(pathlib.Path(folder, "rows.json").read_text())
        rows = about.pop("runs")
        ours = next(row["seconds"] for row in rows if (row["method"], row["on"]) == ("isochrone", "host 2"))
        for peer in peers:
            row = {"case": piece.case, "grid": piece.grid, "method": peer, "on": "host 1"}
            row.update(run_peer(python, reason, peer, folder))
            if "seconds" in row:
                row["ratio"] = row["seconds"] / ours
            print(*(f"{value:.4g}" if isinstance(value, float) else value for value in row.values()), flush=True)
            rows.append(row)
    return [{"piece": piece.name, **row} for row in rows], about


def run_tiles(programs, size):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "tiles.json")
        subprocess.run([programs / "ImageTileStudy", "--size", str(size), "--json", file], check=True)
        return [{"piece": TILES, **row} for row in parsed(file.read_text())["runs"]]


def main():
    options = command_line(__doc__, "image-travel-time")
    pieces = {piece.name: piece for piece in all_pieces(options.quick)}

    def run(name, _):
        if name == TILES:
            return run_tiles(options.programs, 24 if options.quick else 64), {}
        python, reason = (None, "left out on request") if options.without_peers else peers_python()
        return run_piece(pieces[name], options.programs, python, reason)

    measure(options, [*pieces, TILES], run, image_tables.markdown)


if __name__ == "__main__":
    main()
