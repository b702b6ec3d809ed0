"""Shortest paths over a landscape, exact on its triangles.

    pvpython Examples/landscape.py [output folder]

A height field of 115 200 triangles models mountains with a crater, 12 km wide, drawn 1.4 times as high as it is. Bands of colour
are 500 m of distance over ground from the white point, at the foot of the mountains. Black lines are the shortest paths from
there to eight points: straight wherever the triangles are unfolded into a plane, they go around the summits. Grey lines are the
shortest paths along the edges of the same triangles, as VTK's own filter finds them.
"""

import os
import time

import numpy as np
from paraview.simple import *
from vtkmodules.vtkFiltersModeling import vtkDijkstraGraphGeodesicPath

from example_tools import *

squares = 240  # along each side
width = 12.0  # km
seed = (1.4, 2.2)
tips = [(10.6, 9.8), (10.9, 6.2), (7.1, 10.8), (10.4, 1.6), (6.4, 6.55), (3.0, 10.6), (8.6, 3.1), (1.2, 7.4)]
summits = [  # x, y, height, radius in km
    (4.3, 4.6, 1.7, 1.0), (7.9, 5.2, 1.9, 1.1), (5.6, 8.4, 1.6, 1.2), (8.8, 8.3, 1.3, 0.8), (2.8, 7.6, 0.9, 0.7), (6.2, 2.4, 1.1, 0.9)]
crater = (6.4, 6.5, 1.2, 0.7)  # x, y, height of the rim, radius
band = 0.5  # km
stretch = [1, 1, 1.4]
grey, ink, snow = [0.45, 0.45, 0.45], [0.05, 0.05, 0.07], [1, 1, 1]


def height(x, y):
    z = 0.12 * np.sin(2.3 * x + 0.7 * y) * np.cos(1.9 * y - 0.4 * x) + 0.04 * np.sin(6.1 * x) * np.sin(5.3 * y)
    for at_x, at_y, top, radius in summits:
        z = z + top * np.exp(-((x - at_x) ** 2 + (y - at_y) ** 2) / radius**2)
    at_x, at_y, rim, radius = crater
    distance = np.hypot(x - at_x, y - at_y)
    return z + rim * np.exp(-(((distance - radius) / 0.28) ** 2))


def landscape():
    """Returns points and triangles."""
    side = np.linspace(0, width, squares + 1)
    y, x = (axis.ravel() for axis in np.meshgrid(side, side, indexing="ij"))
    first = (np.arange(squares)[:, None] * (squares + 1) + np.arange(squares)).ravel()
    below = np.stack([first, first + 1, first + squares + 2], axis=1)
    above = np.stack([first, first + squares + 2, first + squares + 1], axis=1)
    return np.stack([x, y, height(x, y)], axis=1), np.concatenate([below, above])


def nearest(points, places):
    """Returns the numbers of the points nearest to places in the plane."""
    return [int(np.argmin(np.hypot(points[:, 0] - x, points[:, 1] - y))) for x, y in places]


def along_edges(ground, start, end):
    """Returns the shortest path along edges, and its length."""
    path = vtkDijkstraGraphGeodesicPath()
    path.SetInputData(servermanager.Fetch(ground))
    path.SetStartVertex(start)
    path.SetEndVertex(end)
    path.Update()
    way = vtk_to_numpy(path.GetOutput().GetPoints().GetData()).astype(float)
    return way, np.linalg.norm(np.diff(way, axis=0), axis=1).sum()


def check(distances, points, starts, ends, edges):
    """Checks that paths have the distances of their tips, and that no path along edges is shorter."""
    field = array_of(distances, "TravelTime")
    straight = np.linalg.norm(points - points[starts], axis=1)
    assert (field >= straight * (1 - 1e-6)).all(), "nothing is shorter than the straight line through the mountains"
    lengths = vtk_to_numpy(servermanager.Fetch(distances, idx=1).GetCellData().GetArray("Length"))
    np.testing.assert_allclose(lengths, field[ends], rtol=2e-7)
    assert (edges >= lengths).all()
    print("paths of %.2f to %.2f km; along edges they are %.1f to %.1f %% longer" % (
        lengths.min(), lengths.max(), 100 * (edges / lengths - 1).min(), 100 * (edges / lengths - 1).max()))


if __name__ == "__main__":
    folder = output_folder()
    points, triangles = landscape()
    ground = surface_source("Landscape", points, triangles)
    start, *ends = nearest(points, [seed, *tips])
    distances = IsochroneMeshTravelTime(
        Input=ground,
        SeedPoints=points[start],
        TipPoints=points[ends].ravel(),
        SpeedType="Constant",
        Accuracy="Exact",
    )
    started = time.process_time()
    distances.UpdatePipeline()
    print("%d triangles: %.2f s" % (len(triangles), time.process_time() - started))
    ways = [along_edges(ground, start, end) for end in ends]
    check(distances, points, start, ends, np.array([length for _, length in ways]))
    save_data(distances, 1, os.path.join(folder, "landscape.vtp"))

    view = volume_view([1500, 900])
    colours = show_coloured(view, distances, "TravelTime")
    colours.Scale, colours.Ambient, colours.Diffuse = stretch, 0.2, 0.85
    lift = np.array([0, -0.04, 0.03])  # lines stand out from the ground
    for proxy, colour, thick in ((line_source("Along edges", [way for way, _ in ways]), grey, 2), (OutputPort(distances, 1), ink, 5)):
        lines = show_lines(view, proxy, colour, thick)
        lines.Scale, lines.Position = stretch, list(lift)
    stretched = points * stretch + lift
    show_balls(view, stretched[[start]], 0.13, snow)
    show_balls(view, stretched[ends], 0.1, ink)
    legend(view, "TravelTime", "km", "Spectral_lowBlue", range(0, 16, 3), reverse=True, position=(0.9, 0.3))
    GetColorTransferFunction("TravelTime").NumberOfTableValues = int(15 / band)
    look(view, [5.8, -13, 22], [6.05, 5.5, 0.3], [0, 0, 1], 24)
    save_picture(view, os.path.join(folder, "landscape.png"))
