"""Shortest paths on the graph of an image, by heapq and numpy: the reference for Isochrone Ray Tracing.

Arrays are indexed [k, j, i]; offsets and spacings are (x, y, z), all in double precision.
"""
import heapq
import itertools
import math

import numpy as np


def offsets(shape, radius, full=False):
    """Returns all steps to neighbours; none along axes with one point."""
    reach = [range(-r, r + 1) if n > 1 else [0] for r, n in zip(radius, shape[::-1])]
    return [o for o in itertools.product(*reach) if math.gcd(*o) == 1 or (full and any(o))]


def shifted(values, o):
    """Returns values[p + o] at p, infinite outside."""
    out = np.full(values.shape, np.inf)
    if any(abs(step) >= n for n, step in zip(values.shape, o[::-1])):
        return out
    here, there = [], []
    for n, step in zip(values.shape, o[::-1]):
        here.append(slice(max(0, -step), min(n, n - step)))
        there.append(slice(max(0, step), min(n, n + step)))
    out[tuple(here)] = values[tuple(there)]
    return out


def interpolated(values, at):
    """Returns the (tri)linear interpolation at p + at."""
    base = [math.floor(a + 1e-9) for a in at]
    total = np.zeros(values.shape)
    for corner in itertools.product((0, 1), repeat=3):
        part = math.prod(a - b if c else 1 - (a - b) for a, b, c in zip(at, base, corner))
        if abs(part) > 1e-7:
            total += part * shifted(values, [b + c for b, c in zip(base, corner)])
    return total


def pieces(o):
    """Returns the intervals of an edge between its crossings of planes of points."""
    ends = sorted({0.0, 1.0} | {k / abs(a) for a in o if a for k in range(1, abs(a))})
    return [(a, b) for a, b in zip(ends, ends[1:]) if b - a > 1e-9]


def fastest_cell(cells, o, at, shape):
    """Returns the minimum slowness of the cells that contain the middle of a piece, per starting point of the edge."""
    choices = []
    for a, (step, where) in enumerate(zip(o, at)):
        flat = shape[::-1][a] == 1
        choices.append([0] if flat else [math.floor(where)] if step else [-1, 0])
    padded = np.full(shape, np.inf)
    padded[tuple(slice(n) for n in cells.shape)] = cells
    return np.minimum.reduce([shifted(padded, choice) for choice in itertools.product(*choices)])


def weights(slowness, shape, o, spacing, rule):
    """Returns the time along the edge from each point to its neighbour, infinite if the edge is closed."""
    length = math.sqrt(sum((a * h) ** 2 for a, h in zip(o, spacing)))
    total = np.zeros(shape)
    for begin, end in pieces(o):
        middle, half = (begin + end) / 2, (end - begin) / 2
        if rule == "Cells":
            total += 2 * half * fastest_cell(slowness, o, [a * middle for a in o], shape)
        else:  # two-point Gauss quadrature is exact for cubics
            for t in (middle - half / math.sqrt(3), middle + half / math.sqrt(3)):
                total += half * interpolated(slowness, [a * t for a in o])
    if rule == "Fast":
        total = np.where(np.isfinite(total), (slowness + shifted(slowness, o)) / 2, np.inf)
    total = np.where(np.isfinite(shifted(np.zeros(shape), o)), total, np.inf)
    return length * total


def dijkstra(slowness, starts, radius=(3, 3, 3), spacing=(1, 1, 1), rule="Accurate", full=False, shape=None):
    """Returns travel times, infinite where unreached.

    starts: times by point (i, j, k); shape: shape of the points, for the rule Cells.
    """
    shape = shape or slowness.shape
    edges = [(o[0] + shape[2] * (o[1] + shape[1] * o[2]),
              weights(slowness, shape, o, spacing, rule).ravel()) for o in offsets(shape, radius, full)]
    times = np.full(int(np.prod(shape)), np.inf)
    heap = []
    for (i, j, k), time in starts.items():
        heapq.heappush(heap, (time, i + shape[2] * (j + shape[1] * k)))
    while heap:
        time, point = heapq.heappop(heap)
        if time >= times[point]:
            continue
        times[point] = time
        for step, weight in edges:
            then = time + weight[point]
            if then < math.inf and then < times[point + step]:
                heapq.heappush(heap, (then, point + step))
    return times.reshape(shape)
