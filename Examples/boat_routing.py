"""The fastest routes of a boat that cannot turn sharply across a lake with a current, over ground and in the water.

    pvpython Examples/boat_routing.py [output folder]

The water flows at up to 0.6 of the speed of the boat, away from the middle in two quarters of the lake and towards it
in the two others (Mirebeau and others 2022, section 3.4 and figure 7). The boat starts in the middle. Its heading there
and at every berth is to the right. It turns no tighter than a circle of radius 0.3 in the water; over ground the
current bends that circle. Left: the current; middle: the routes over ground; right: the same routes in the frame of the
moving water, where the turns are circles.
"""

import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

points, headings = 151, 96
turning_radius = 0.3
start = (0, 0, 0)  # x, y, heading in degrees, which is also the heading at the berths
# No berth is where the left shore leaves too little room to turn, or just behind a jump of the travel time: such a route
# would cross the jump, faster than the travel time and with tighter turns than the boat can make.
berths = [(x, y, 0) for y in np.linspace(-0.8, 0.8, 5) for x in (-0.5, -0.2, 0.2 if y > 0 else 0.45, 0.8)]


def current(x, y):
    """Returns the velocity of the water on [-1, 1]^2; the speed of the boat is 1."""
    r = np.maximum(np.hypot(x, y), 1e-9)
    strength = 0.6 * np.sin(np.pi * x) * np.sin(np.pi * y)
    return strength * x / r, strength * y / r


def lake():
    y, x = np.mgrid[-1 : 1 : points * 1j, -1 : 1 : points * 1j]
    vx, vy = current(x, y)
    velocity = np.stack([vx, vy], axis=-1)
    step = 2 / (points - 1)
    image = vtkImageData()
    image.SetDimensions(points, points, 1), image.SetSpacing(step, step, 1), image.SetOrigin(-1, -1, 0)
    for name, values in {"current": velocity.reshape(-1, 2), "speed": np.hypot(vx, vy).ravel()}.items():
        array = numpy_to_vtk(np.ascontiguousarray(values), deep=True)
        array.SetName(name)
        image.GetPointData().AddArray(array)
    return source(image, "Lake")


def ways(paths, frame):
    """Returns the polylines of one frame, 0 over ground and 1 in the water, with their point arrays."""
    lines = servermanager.Fetch(paths, idx=1)
    frames = vtk_to_numpy(lines.GetCellData().GetArray("Frame"))
    where = vtk_to_numpy(lines.GetPoints().GetData())
    arrays = {name: array_of(paths, name, 1) for name in ("Heading", "TravelTime", "ElapsedTime")}
    found = []
    for cell in np.flatnonzero(frames == frame):
        ids = [lines.GetCell(cell).GetPointId(n) for n in range(lines.GetCell(cell).GetNumberOfPoints())]
        ids = ids[::-1]  # from the start
        found.append({"xy": where[ids, :2], **{name: values[ids] for name, values in arrays.items()}})
    return found


def lines_of(paths, frame):
    return [np.column_stack([way["xy"], np.zeros(len(way["xy"]))]) for way in ways(paths, frame)]


def check(paths):
    """Checks that all berths are reached in their travel time, at the speed of the boat through the water, that the
    drift separates both frames, and that turns are hardly tighter than the boat can make."""
    ground, water = ways(paths, 0), ways(paths, 1)
    assert len(ground) == len(water) == len(berths)
    tightness = []  # of turns, relative to the tightest that the boat can make
    for over, through in zip(ground, water):
        assert over["ElapsedTime"][-1] > 0.94 * over["TravelTime"][-1]
        time, step = np.diff(over["ElapsedTime"]), np.diff(through["xy"], axis=0)
        assert np.allclose(np.hypot(*step.T), time, rtol=1e-3, atol=1e-6)
        middle = (over["xy"][1:] + over["xy"][:-1]) / 2
        drifted = np.cumsum(np.stack(current(*middle.T), axis=-1) * time[:, None], axis=0)
        assert np.abs(over["xy"][1:] - through["xy"][1:] - drifted).max() < 0.01
        turned = np.radians(over["Heading"][8:] - over["Heading"][:-8])
        run = over["ElapsedTime"][8:] - over["ElapsedTime"][:-8]
        tightness.append(np.abs(turned) * turning_radius / run)
    tightness = np.concatenate(tightness)
    for factor in (1.1, 1.25, 1.5):
        print("turns %.2f times as tight as the boat can: %.1f %% of the routes" % (factor, 100 * np.mean(tightness > factor)))
    assert np.mean(tightness > 1.1) < 0.1 and np.mean(tightness > 1.25) < 0.01


def panel(view, left, title):
    square = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [-1, -1, 0]])
    show_lines(view, line_source("Shore", [square]), [0.6, 0.6, 0.65], 2, (left, 0, 0))
    write(view, title, [left - 1, 1.15], 34, black, bold=True)


if __name__ == "__main__":
    folder = output_folder()
    water = lake()
    paths = IsochroneCurvaturePaths(
        Input=water,
        Model="Dubins",
        Accuracy="Second Order",
        DriftArray=["POINTS", "current"],
        VehicleSpeed=1,
        AddMediumPaths=1,
        TurningRadius=turning_radius,
        NumberOfHeadings=headings,
        SeedPoints=[start[0], start[1], 0],
        SeedHeadings=[start[2]],
        TipPoints=[coordinate for berth in berths for coordinate in berth],
        TipHeadings=[start[2]] * len(berths),
    )
    started = time.time()
    paths.UpdatePipeline()
    summarise(paths, "Boat", time.time() - started)
    check(paths)
    save_data(paths, 0, os.path.join(folder, "boat_travel_time.vti"))
    save_data(paths, 1, os.path.join(folder, "boat_paths.vtp"))

    view = flat_view([-1.1, 5.85, -1.75, 1.4], 1800, white)
    shown = show_field(view, water, "speed", "Linear Blue (8_31f)", [0, 0.75], 256, white)
    below = dict(length=0.26, size=32)
    field_bar(view, shown, "speed", "speed (boat: 1)", [0, 0.25, 0.5, 0.75], position=(0.014, 0.02), **below)
    flow = []
    for x, y in np.stack(np.mgrid[-0.9:0.9:13j, -0.9:0.9:13j], axis=-1).reshape(-1, 2):
        vx, vy = current(x, y)
        flow += arrows([(x, y, np.degrees(np.arctan2(vy, vx)))], 0.25 * np.hypot(vx, vy))
    show_lines(view, line_source("Flow", flow), [0.05, 0.1, 0.35], 2.5, (0, 0, 0.01))
    panel(view, 0, "The current")

    shown = show_field(view, paths, "TravelTime", "Linear Blue (8_31f)", [0, 4], 20, white, (2.35, 0))
    times = "travel time (boat speed: 1)"
    field_bar(view, shown, "TravelTime", times, [0, 1, 2, 3, 4], position=(0.356, 0.02), **below)
    show_lines(view, line_source("Ground", lines_of(paths, 0)), [0.75, 0, 0.1], 4, (2.35, 0, 0.01))
    show_lines(view, line_source("Berths", circles([berth[:2] for berth in berths], 0.02)), black, 5, (2.35, 0, 0.1))
    panel(view, 2.35, "Routes over ground")

    show_lines(view, line_source("Water", lines_of(paths, 1)), [0.75, 0, 0.1], 4, (4.7, 0, 0.01))
    panel(view, 4.7, "Routes in the water")
    scale_bar(view, [3.7, -1.4, 0], [4.7, -1.4, 0], "length 1", size=32)
    for x in (2.35, 4.7):
        show_lines(view, line_source("Start", arrows([start], 0.15)), black, 6, (x, 0, 0.1))
    save_picture(view, os.path.join(folder, "boat_routing.png"))
