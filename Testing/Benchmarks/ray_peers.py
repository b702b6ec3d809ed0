"""ray_peers.py PEER FOLDER RADIUS: computes travel times by SciPy's Dijkstra or scikit-image's MCP_Geometric on the image that
BenchmarkRayTracing --write left in FOLDER, with rule Fast and the coprime template, and prints one line of JSON: seconds
(the median of five runs, or of fewer if they exceed three seconds), weights (seconds to build the graph), and the
maximum relative difference from our times. Both compute in double on one thread."""
import itertools
import json
import math
import pathlib
import statistics
import sys
import time

import numpy as np


def scipy(slowness, spacing, radius):
    """Uses an explicit sparse matrix of all edges, each once."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import dijkstra

    number = np.arange(slowness.size, dtype=np.int32).reshape(slowness.shape)
    rows, columns, weights = [], [], []
    for offset in itertools.product(range(-radius, radius + 1), repeat=slowness.ndim):
        if offset <= (0,) * slowness.ndim or math.gcd(*offset) != 1:
            continue
        here = tuple(slice(max(0, -o), n - max(0, o)) for o, n in zip(offset, slowness.shape))
        there = tuple(slice(max(0, o), n - max(0, -o)) for o, n in zip(offset, slowness.shape))
        rows.append(number[here].ravel())
        columns.append(number[there].ravel())
        length = spacing * math.sqrt(sum(o * o for o in offset))
        weights.append((0.5 * length * (slowness[here] + slowness[there])).ravel())
    entries = (np.concatenate(weights), (np.concatenate(rows), np.concatenate(columns)))
    graph = csr_matrix(entries, (slowness.size, slowness.size))
    return lambda: dijkstra(graph, directed=False, indices=0).reshape(slowness.shape)


def skimage(slowness, spacing, _):
    """Weights edges by the mean of both costs times the length, as rule Fast, with the nearest neighbours only."""
    from skimage.graph import MCP_Geometric

    costs = slowness.astype(float)
    return lambda: MCP_Geometric(costs).find_costs([(0,) * costs.ndim])[0] * spacing


def main(peer, folder, radius):
    folder = pathlib.Path(folder)
    problem = json.loads((folder / "problem.json").read_text())
    shape = [n for n in problem["shape"] if n > 1]
    slowness, ours = (np.fromfile(folder / f"{name}.f32", np.float32).reshape(shape) for name in ("slowness", "time"))
    start = time.perf_counter()
    run = {"scipy": scipy, "skimage": skimage}[peer](slowness.astype(float), problem["spacing"], int(radius))
    weights, seconds = time.perf_counter() - start, []
    while len(seconds) < 5 and sum(seconds) < 3:
        start = time.perf_counter()
        times = run()
        seconds.append(time.perf_counter() - start)
    later = ours > 0
    difference = float(np.max(np.abs(times[later] - ours[later]) / ours[later]))
    print(json.dumps({"seconds": statistics.median_low(seconds), "weights": weights, "difference": difference}))


if __name__ == "__main__":
    main(*sys.argv[1:])
