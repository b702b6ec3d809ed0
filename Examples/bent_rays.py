"""Waves and rays where the velocity grows with depth, compared with their closed form.

    pvpython Examples/bent_rays.py [output folder]

Left, the first test of Monsegny, Agudelo 2013: 1600 x 1600 points, 0.5 km/s at the top and 4 km/s at the bottom, with a
line for every second. Right, their last figure: 0.5 + 0.005 z km/s, and rays from the source to the surface, the far
side and the bottom; these rays are circles about a point 100 km above the surface. Each point has 96 neighbours within
a radius of six. The script prints the largest deviations from the closed forms.
"""

import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

gradient = {"nx": 1600, "nz": 1600, "spacing": 0.01, "top": 0.5, "per_depth": 3.5 / 15.99}  # km, km/s, 1/s
mild = {"nx": 1600, "nz": 1000, "spacing": 0.5, "top": 0.5, "per_depth": 0.005}
surface, side, bottom = range(100, 800, 100), range(0, 500, 100), range(0, 600, 100)  # km
ink, dark = [0.1, 0.05, 0.15], [0.6, 0, 0.1]


def section(model):
    """Returns the velocity. The depth is -y."""
    height = (model["nz"] - 1) * model["spacing"]
    depth = height - np.arange(model["nz"]) * model["spacing"]
    velocity = np.repeat(model["top"] + model["per_depth"] * depth[:, None], model["nx"], axis=1)
    return image_source("Section", {"velocity": velocity.astype(np.float32)}, [model["spacing"]] * 3, [0, -height, 0])


def closed_form(model, x, depth):
    """Returns the travel time from (0, 0) and the maximum depth of the ray, a circle about a point of velocity 0."""
    v0, g = model["top"], model["per_depth"]
    centre = (x**2 + depth**2 + 2 * depth * v0 / g) / (2 * np.maximum(x, 1e-9))
    deepest = np.where(centre < x, np.hypot(centre, v0 / g) - v0 / g, depth)
    return np.arccosh(1 + g**2 * (x**2 + depth**2) / (2 * v0 * (v0 + g * depth))) / g, deepest


def solve(name, model, receivers):
    waves = IsochroneRayTracing(
        Input=section(model),
        VelocityArray=["POINTS", "velocity"],
        Sources=point_source("Source", [(0, 0, 0)]),
        Receivers=point_source("Receivers", receivers),
        Radius=[6, 6, 1],
    )
    started = time.time()
    waves.UpdatePipeline()
    seconds = time.time() - started
    times = array_of(waves, "TravelTime").reshape(model["nz"], model["nx"])
    x = np.arange(model["nx"]) * model["spacing"]
    depth = np.arange(model["nz"])[::-1, None] * model["spacing"]
    exact, deepest = closed_form(model, x, depth)
    compared = (exact > 0.1 * exact.max()) & (deepest <= depth[0])  # some rays would leave the section below
    late = times[compared] / exact[compared] - 1
    assert -1e-4 < late.min() and late.max() < 0.0035, "the bound of the template is 0.34 %"
    errors = (100 * late.mean(), 100 * late.max())
    print("%s: %.2f s, travel times %.4f %% late on average, %.3f %% at most" % (name, seconds, *errors))
    return waves


def check_rays(waves):
    """Checks that the rays are close to their circles."""
    lines = servermanager.Fetch(waves, idx=1)
    height = mild["top"] / mild["per_depth"]
    farthest, lengths = 0, vtk_to_numpy(lines.GetCellData().GetArray("Length"))
    for number in range(lines.GetNumberOfCells()):
        points = vtk_to_numpy(lines.GetCell(number).GetPoints().GetData())[:, :2]
        x, y = points[0]
        if x == 0:
            continue  # straight down
        centre = np.array([(x**2 + y**2 - 2 * y * height) / (2 * x), height])
        radius = np.hypot(*centre)
        farthest = max(farthest, abs(np.hypot(*(points - centre).T) - radius).max())
    assert lines.GetNumberOfCells() == len(surface) + len(side) + len(bottom)
    assert farthest < 8
    print("rays: at most %.1f km from circles, over up to %.0f km" % (farthest, lengths.max()))


def panel(view, waves, latest, levels, place, scale):
    """Shows the travel times at every third point, and their isochrones."""
    shown = ExtractSubset(Input=waves, VOI=[0, 1599, 0, 1599, 0, 0], SampleRateI=3, SampleRateJ=3)
    curves = Contour(Input=shown, ContourBy=["POINTS", "TravelTime"], Isosurfaces=list(levels))
    field = show_field(view, shown, "TravelTime", "Linear YGB 1211g", [0, 1.06 * latest], 256, white, place)
    lines = show_lines(view, curves, ink, 1.2, (*place, 1))
    field.Scale = lines.Scale = [scale, scale, 1]


def draw_rays(view, waves, receivers, place, scale):
    rays = show_lines(view, OutputPort(waves, 1), dark, 2.5, (*place, 2))
    dots = show_lines(view, line_source("Receivers", circles(np.array(receivers)[:, :2], 2.5)), dark, 6, (*place, 3))
    rays.Scale = dots.Scale = [scale, scale, 1]


def axes(view, place, scale, distances, depths):
    """Labels distance and depth in km."""
    for distance in distances:
        label = "%g km" % distance if distance == distances[-1] else "%g" % distance
        write(view, label, [place[0] + distance * scale, 0.35], 20, align="Center")
    for depth in depths[1:]:
        write(view, "%g" % depth, [place[0] - 0.25, -depth * scale - 0.2], 20, align="Right")


if __name__ == "__main__":
    folder = output_folder()
    size, wide = 15.99, 799.5
    deep = (mild["nz"] - 1) * mild["spacing"]
    receivers = [(x, 0, 0) for x in surface] + [(wide, -z, 0) for z in side] + [(x, -deep, 0) for x in bottom]
    first = solve("0.5 to 4 km/s", gradient, [(size, 0, 0)])
    second = solve("0.5 + 0.005 z km/s", mild, receivers)
    check_rays(second)
    save_data(second, 1, os.path.join(folder, "bent_rays.vtp"))

    scale, place = size / deep, (size + 2.6, 0)  # both panels have the same height
    view = flat_view([-1.5, place[0] + wide * scale + 1.5, -size - 0.4, 2.4], 1400, white)
    latest = np.nanmax(array_of(first, "TravelTime")), np.nanmax(array_of(second, "TravelTime"))
    panel(view, first, latest[0], range(1, 15), (0, 0), 1)
    panel(view, second, latest[1], range(50, 1000, 50), place, scale)
    draw_rays(view, second, receivers, place, scale)
    axes(view, (0, 0), 1, (0, 5, 10, 15), (0, 5, 10, 15))
    axes(view, place, scale, (0, 200, 400, 600, 800), (0, 100, 200, 300, 400))
    write(view, "0.5 to 4 km/s: a wave every second", [0, 1.35], 26)
    write(view, "0.5 + 0.005 z km/s: every 50 s, and rays to points of the border", [place[0], 1.35], 26)
    save_picture(view, os.path.join(folder, "bent_rays.png"))
