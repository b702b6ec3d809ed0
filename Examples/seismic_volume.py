"""Travel times through layers of rock, from a moving source.

    pvpython Examples/seismic_volume.py [output folder]

The volume is synthetic: 256 x 256 x 128 points 20 m apart, folded layers with a speed of 1500 to 4200 m/s, broken by a
fault, and a salt dome with 4600 m/s. The source is a shot at the surface that moves from west to east; for each place
the script prints the times of the solve and of its level surfaces. The picture shows the first and the last shot: speed
on the walls, a level surface every 0.2 s, cut open at the shot. After figure 7 of Jeong, Whitaker 2008.
"""

import os
import time

import numpy as np
from paraview.simple import *
from vtkmodules.vtkCommonCore import vtkSMPTools

from example_tools import *

nx, ny, nz, spacing = 256, 256, 128, 20.0  # points, m
shots = [(x, 2000.0, 2520.0) for x in (1000.0, 2560.0, 4100.0)]  # m
levels = [0.2, 0.4, 0.6, 0.8, 1.0, 1.2]  # s


def rock():
    """Returns the speed in m/s, [z, y, x]."""
    z, y, x = np.meshgrid(*(np.arange(n, dtype=np.float32) * spacing for n in (nz, ny, nx)), indexing="ij", sparse=True)
    depth = (nz - 1) * spacing - z
    fold = 150 * np.sin(x / 900) + 110 * np.cos(y / 700 + x / 2000)
    throw = np.where(x + 0.5 * depth > 3300 + 0.2 * y, 260, 0)  # the rock beyond the fault has sunk
    layer = np.floor(np.clip((depth + fold - throw) / 290, 0, 8))
    speeds = np.array([1500, 1800, 2300, 2000, 2700, 3100, 2800, 3600, 4200], np.float32)
    speed = speeds[layer.astype(int)]
    dome = ((x - 1900) / 800) ** 2 + ((y - 3300) / 800) ** 2 + ((depth - 2600) / 1700) ** 2 < 1
    speed[dome] = 4600
    return speed


def arrivals(front):
    """Returns the travel times at the shots."""
    travel_time = array_of(front, "TravelTime").reshape(nz, ny, nx)
    return [travel_time[int(z / spacing), int(y / spacing), int(x / spacing)] for x, y, z in shots]


def draw(view, ground, front, shot, place):
    """Shows the walls behind and below, and the level surfaces behind the shot."""
    i, j, k = nx - 1, ny - 1, nz - 1
    before = tuple(np.add(place, (15, -15, 15)))  # lines lie in front of their wall
    for box in ([0, i, 0, j, 0, 0], [0, i, j, j, 0, k], [0, 0, 0, j, 0, k]):
        shift(show_coloured(view, ExtractSubset(Input=ground, VOI=box), "speed", flat=True), place)
        wall = ExtractSubset(Input=front, VOI=box)
        show_lines(view, isochrones(wall), black, 1, before)
    show_lines(view, Outline(Input=ground), [0.3, 0.3, 0.3], 1, place)
    behind = Clip(Input=isochrones(front), ClipType="Plane")
    behind.ClipType.Origin, behind.ClipType.Normal = shot, [0, -1, 0]
    shift(show_coloured(view, behind, "TravelTime"), place)
    show_balls(view, [np.add(shot, place)], 70, [0.8, 0, 0.1])


def isochrones(image):
    return Contour(Input=image, ContourBy=["POINTS", "TravelTime"], Isosurfaces=levels)


if __name__ == "__main__":
    folder = output_folder()
    vtkSMPTools.SetBackend("STDThread")  # ParaView's own filters use all cores
    ground = image_source("Rock", {"speed": rock()}, spacing=[spacing] * 3)
    front = IsochroneImageTravelTime(Input=ground, SpeedArray=["POINTS", "speed"])
    # Every second point is enough for the picture, and ParaView contours it in less than half of the time.
    coarse = ExtractSubset(Input=front, VOI=[0, nx - 1, 0, ny - 1, 0, nz - 1])
    coarse.SampleRateI = coarse.SampleRateJ = coarse.SampleRateK = 2
    surfaces = isochrones(coarse)
    between = []
    for shot in shots:
        started = time.time()
        front.SeedPoints = shot
        front.UpdatePipeline()
        solved = time.time()
        surfaces.UpdatePipeline()
        seconds = (solved - started, time.time() - solved)
        print("shot at x = %g m: travel time %.2f s, level surfaces %.2f s" % (shot[0], *seconds))
        between.append(arrivals(front))
    assert np.allclose(between, np.transpose(between), rtol=0.01)  # equal times in both directions
    print("between the shots: %s s" % ", ".join("%.2f" % t for t in np.sort(between, axis=None)[3::2]))

    view = volume_view([1400, 850])
    for shot, place in ((shots[0], (0, 0, 0)), (shots[-1], (6100, 2200, 0))):
        still = IsochroneImageTravelTime(Input=ground, SpeedArray=["POINTS", "speed"], SeedPoints=shot)
        draw(view, ground, still, shot, place)
    below = dict(length=0.36, size=40, horizontal=True)
    legend(view, "TravelTime", "travel time (s)", "Plasma (matplotlib)", levels, position=(0.06, 0.02), **below)
    legend(view, "speed", "speed (m/s)", "Blues", [1500, 2500, 3500, 4500], True, position=(0.57, 0.02), **below)
    GetColorTransferFunction("TravelTime").NumberOfTableValues = 256
    x, y = (nx - 1) * spacing, (ny - 1) * spacing
    scale_bar(view, [0, -150, 0], [x, -150, 0], "%.1f km" % (x / 1000), size=40)
    look(view, [10100, -7750, 7800], [5600, 3750, 620], [0, 0, 1], 30)
    view.CameraParallelProjection, view.CameraParallelScale = 1, 4200
    save_picture(view, os.path.join(folder, "seismic_volume.png"))
