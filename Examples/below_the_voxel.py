"""Signed distances on a coarse image: between its points, and to the curve between them.

    pvpython Examples/below_the_voxel.py [output folder]

The image is a slice through a soft body, 39 x 31 points, whose grey values say where between two points its edge lies.
The left distances are between the points inside and outside, the right ones to the level set of the grey values. The
script compares both with the distance from the exact edge.
"""

import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

width, height = 39, 31  # points
lobes = [(12, 11, 6.2), (21, 18, 7.0), (29, 12, 5.3)]  # centres and radii of the body
lines = [-4, -2, 0, 2, 4, 6]  # distances
colours = [
    -8, 0.25, 0.07, 0, -4, 0.85, 0.45, 0.1, -0.01, 1, 0.9, 0.7,
    0.01, 0.93, 0.97, 1, 8, 0.3, 0.55, 0.8, 16, 0.05, 0.15, 0.4,
]


def grey(x, y):
    """Returns the grey value at a place: 0.5 on the edge of the body."""
    return 1 / (1 + np.exp(-sum(r * np.exp(-((x - a) ** 2 + (y - b) ** 2) / (2 * (0.75 * r) ** 2)) for a, b, r in lobes) + 3))


def edge():
    """Returns points on the exact edge, closer together than a hundredth of a step."""
    n = 64
    x, y = np.meshgrid(np.arange(0, width - 1, 1 / n), np.arange(0, height - 1, 1 / n))
    inside = grey(x, y) >= 0.5
    border = (inside[:-1, :-1] != inside[1:, :-1]) | (inside[:-1, :-1] != inside[:-1, 1:])
    return np.column_stack([x[:-1, :-1][border], y[:-1, :-1][border]]) + 0.25 / n


def transform(image, **properties):
    field = IsochroneDistanceTransform(Input=image, SiteArray=["POINTS", "grey"], Region="Signed", **properties)
    started = time.time()
    field.UpdatePipeline()
    print("%s: %.3f s" % (properties["SiteMode"], time.time() - started))
    return field


def error_of(field, exact):
    return np.abs(array_of(field, "Distance") - exact)


if __name__ == "__main__":
    folder = output_folder()
    y, x = np.indices((height, width), float)
    image = image_source("Image", {"grey": grey(x, y)})
    points = transform(image, SiteMode="Range", SiteRange=[0.5, 1])
    curve = transform(image, SiteMode="Level Set", IsoValue=0.5)
    save_data(curve, 0, os.path.join(folder, "below_the_voxel.vti"))

    places = np.column_stack([x.ravel(), y.ravel()])
    near = np.sqrt(((places[:, None] - edge()) ** 2).sum(axis=2)).min(axis=1)
    exact = np.where(grey(x, y).ravel() >= 0.5, -near, near)
    for name, field in (("points", points), ("level set", curve)):
        error = error_of(field, exact)
        print("%s: off by %.3f at the median, by %.3f at worst" % (name, np.median(error), error.max()))
    assert np.median(error_of(curve, exact)) < 0.05 < 0.2 < np.median(error_of(points, exact))

    apart = width + 3
    view = flat_view([0, 2 * apart + 4, -3, height - 1], 1400, white)
    for number, (name, field) in enumerate((("between points", points), ("to the level set", curve))):
        at = number * apart
        display = show_field(view, field, "Distance", "Grayscale", [-8, 16], offset=(at, 0))
        table = GetColorTransferFunction("Distance", display, separate=True)
        table.RGBPoints = colours
        offsets = Contour(Input=field, ContourBy=["POINTS", "Distance"], Isosurfaces=[level for level in lines if level])
        show_lines(view, offsets, [0.25, 0.25, 0.3], 2, (at, 0, 2))
        outline = Contour(Input=field, ContourBy=["POINTS", "Distance"], Isosurfaces=[0])
        show_lines(view, outline, black, 5, (at, 0, 4))
        write(view, name, (at + (width - 1) / 2, -2.4), 30, align="Center")
    colour_bar(view, table, "distance\n(steps)", [-8, -4, 0, 4, 8, 12, 16], position=(0.925, 0.25), length=0.5, size=24)
    save_picture(view, os.path.join(folder, "below_the_voxel.png"))
