"""mesh_peers.py FOLDER: travel times by fim-python (active list, on the CPU, single precision) on the mesh that
BenchmarkMeshTravelTime --write left in FOLDER, and prints, last of all, one line of JSON: seconds, setup (seconds to make its solver),
and the largest difference to our times, as a share of the latest one. It ends where times change by less than about 1e-5."""
import json
import pathlib
import sys
import time

import numpy as np


def tensors(fibres, ratio, cells):
    """The squared speed of each cell."""
    across = np.tile(np.eye(3), (cells, 1, 1))
    if not fibres.size:
        return across
    f = fibres.reshape(-1, 3).astype(float)
    return across + (ratio**2 - 1) * f[:, :, None] * f[:, None, :]


def main(folder):
    from fimpy.solver import create_fim_solver

    folder = pathlib.Path(folder)
    problem = json.loads((folder / "problem.json").read_text())
    points, ours, fibres = (np.fromfile(folder / f"{name}.f32", np.float32) for name in ("points", "time", "fibres"))
    cells = np.fromfile(folder / "cells.i64", np.int64).reshape(-1, 4)
    metrics = tensors(fibres, problem["ratio"], len(cells)).astype(np.float32)
    start = time.perf_counter()
    solver = create_fim_solver(points.reshape(-1, 3), cells, metrics, np.float32, "cpu", True)
    setup = time.perf_counter() - start
    start = time.perf_counter()
    times = solver.comp_fim(np.array([problem["seed"]]), np.zeros(1, np.float32))
    seconds = time.perf_counter() - start
    difference = float(np.max(np.abs(times - ours)) / np.max(ours))
    if not difference < 0.1:
        sys.exit(f"fim-python has other times than ours: {difference:g} of the latest")
    print(json.dumps({"seconds": seconds, "setup": setup, "difference": difference}))


if __name__ == "__main__":
    main(*sys.argv[1:])
