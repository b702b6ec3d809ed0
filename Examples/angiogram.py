"""Vessels of an angiogram with known centrelines, tracked through their crossings.

    pvpython Examples/angiogram.py [output folder]

The image is synthetic: bright vessels of several widths, which cross each other, on an uneven background with noise.
Isochrone Oriented Cost and Isochrone Curvature Paths track each vessel from end to end, straight across all others. On
every path 95 % of the points or more lie within a pixel of its centreline, and none is farther away than three. Left: the
angiogram; right: the paths of two models over it.
"""

import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

size = 512  # pixels

# Points that each vessel goes through, and the standard deviation of its profile; pixels.
vessels = [
    ([[12, 80], [130, 120], [260, 210], [380, 330], [500, 400]], 3.0),
    ([[12, 420], [120, 370], [240, 260], [370, 180], [500, 130]], 2.5),
    ([[90, 12], [140, 130], [150, 260], [180, 380], [260, 500]], 2.0),
    ([[420, 12], [390, 130], [400, 260], [360, 390], [380, 500]], 2.0),
    ([[12, 250], [130, 240], [280, 290], [400, 260], [500, 270]], 1.5),
]
turning_radius = 30  # pixels
colours = [[1.0, 0.85, 0.1], [0.2, 0.7, 1.0], [1.0, 0.4, 0.3], [0.4, 0.9, 0.4], [1.0, 0.5, 0.9]]


def smooth_curve(points, count=2000):
    """Returns a curve through the points, by cubics with the slopes of their neighbours (Catmull, Rom 1974)."""
    p = np.asarray(points, float)
    p = np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    at = np.linspace(0, len(points) - 1 - 1e-9, count)
    k, t = at.astype(int), (at % 1)[:, None]
    a, b, c, d = p[k], p[k + 1], p[k + 2], p[k + 3]
    return b + t / 2 * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))


def distances(points, curve):
    """Returns the distance from each point to the curve."""
    return np.array([np.sqrt(((curve - p) ** 2).sum(axis=1).min()) for p in points])


def draw(curves, random):
    """Returns an angiogram. The intensities of crossing vessels add up."""
    y, x = np.mgrid[:size, :size].astype(float)
    image = 60 + 25 * np.sin(x / 90) * np.cos(y / 70)
    for curve, (_, deviation) in zip(curves, vessels):
        squared = np.full((size, size), np.inf)
        for cx, cy in curve[::4]:  # in a box around each point
            i0, j0 = max(int(cx) - 12, 0), max(int(cy) - 12, 0)
            box = (slice(j0, j0 + 25), slice(i0, i0 + 25))
            squared[box] = np.minimum(squared[box], (x[box] - cx) ** 2 + (y[box] - cy) ** 2)
        image += 20 * deviation * np.exp(-squared / (2 * deviation**2))
    return image + random.normal(0, 8, image.shape)


folder = output_folder()
curves = [smooth_curve(points) for points, _ in vessels]
angiogram = image_source("Angiogram", {"brightness": draw(curves, np.random.default_rng(3)).astype(np.float32)})
cost = IsochroneOrientedCost(
    Input=angiogram, IntensityArray=["POINTS", "brightness"], Widths=[2, 3, 4], Length=8, HalfStrength=0.5,
    ContrastExponent=3)
started = time.time()
cost.UpdatePipeline()
print("oriented cost: %d x %d x 60 states, %.2f s" % (size, size, time.time() - started))

right = size + 10
view = flat_view([0, right + size, -64, size], 1600)
for left in (0, right):
    panel = PassArrays(Input=angiogram, PointDataArrays=["brightness"])
    show_field(view, panel, "brightness", "Grayscale", [0, 220], offset=(left, 0))
for model in ("Reeds-Shepp Forward", "Elastica"):
    seconds = 0
    for number, (curve, (points, _)) in enumerate(zip(curves, vessels)):
        paths = IsochroneCurvaturePaths(
            Input=angiogram, OrientedCost=cost, Model=model, TurningRadius=turning_radius, SeedPoints=points[0] + [0],
            TipPoints=points[-1] + [0], StopAtTips=1)
        started = time.time()
        paths.UpdatePipeline()
        seconds += time.time() - started
        line = vtk_to_numpy(servermanager.Fetch(paths, idx=1).GetPoints().GetData())[:, :2]
        off = distances(line, curve)
        print("%s, vessel %d: %.1f %% of %d points within a pixel of the centreline, farthest %.2f pixels"
              % (model, number, 100 * np.mean(off <= 1), len(off), off.max()))
        assert np.mean(off <= 1) >= 0.95 and off.max() < 3  # so it stays on its vessel at a crossing
        if model == "Elastica":  # a thin line on the other one
            show_lines(view, OutputPort(paths, 1), black, 2, (right, 0, 40))
        else:
            show_cased_lines(view, OutputPort(paths, 1), colours[number], 9, offset=(right, 0, 1))
    print("%s: %.2f s for all" % (model, seconds))
scale_bar(view, [10, -10, 0], [110, -10, 0], "100 pixels", white, 32)
write(view, "colour: Reeds-Shepp forward,  black: elastica", [right + size / 2, -28], 32, white, "Center")
write(view, "turning radius %d pixels" % turning_radius, [right + size / 2, -53], 32, white, "Center")
save_picture(view, os.path.join(folder, "angiogram.png"))
