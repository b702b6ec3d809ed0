"""mesh_peers.py FOLDER: computes travel times by fim-python (active list, on the CPU, single precision) on the mesh that
BenchmarkMeshTravelTime --write left in FOLDER. Its last line of output is JSON: seconds, setup (seconds to construct its solver),
and the maximum difference from our times relative to the latest one. It stops when times change by less than about 1e-5."""
import json
import pathlib
import sys
import time

import numpy as np


def tensors(fibres, ratio, cells):
    """Returns the squared speed of each cell."""
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
