"""Isochrones around a wall in a volume, and the fastest path through its window.

    pvpython Examples/wall_in_a_volume.py [output folder]

The points are 1 m apart, and the front moves 1 m/s. It starts at the seed on the left and passes the wall in the middle
through one window only. The floor shows the travel time with a line every 5 s, the shells are isochrones, cut open along
the fastest path, the tube.
"""

import os

import numpy as np
from paraview.simple import *

from example_tools import *

nx, ny, nz = 101, 61, 51
seed, tip, floor = [20, 15, 12], [85, 20, 35], 4
step, latest = 5, 125  # s
corner = [50, 41, 22]  # of the path, at the window
# Before and behind the wall: first and last x, times of the shells, normal of their cut.
shells = [(0, 48, [8, 18, 28, 38], [26, -30, 0]), (52, nx - 1, [58, 68, 78, 88], [-21, -35, 0])]
red = [0.8, 0, 0.1]

if __name__ == "__main__":
    folder = output_folder()
    k, j, i = np.indices((nz, ny, nx))
    window = (abs(j - 46) < 6) & (abs(k - 25) < 8)
    wall = (abs(i - 50) < 2) & ~window
    volume = image_source("Volume", {"wall": wall.astype(np.uint8)})
    front = IsochroneImageTravelTime(Input=volume, BarrierArray=["POINTS", "wall"], SeedPoints=seed, TipPoints=tip)
    front.UpdatePipeline()
    path = servermanager.Fetch(front, idx=1)
    assert np.allclose([path.GetPoint(0), path.GetPoint(path.GetNumberOfPoints() - 1)], [tip, seed])
    save_data(front, 0, os.path.join(folder, "wall_travel_time.vti"))
    save_data(front, 1, os.path.join(folder, "wall_path.vtp"))

    view = volume_view([1280, 880])
    ground = ExtractSubset(Input=front, VOI=[0, nx - 1, 0, ny - 1, floor, floor])
    show_coloured(view, ground, "TravelTime", flat=True)
    lines = Contour(Input=ground, ContourBy=["POINTS", "TravelTime"], Isosurfaces=list(range(step, latest, step)))
    show_lines(view, lines, [0.25, 0.25, 0.25], 1, (0, 0, 0.2))
    for first, last, levels, normal in shells:
        side = ExtractSubset(Input=front, VOI=[first, last, 0, ny - 1, floor, nz - 1])
        shell = Contour(Input=side, ContourBy=["POINTS", "TravelTime"], Isosurfaces=levels)
        behind = Clip(Input=shell, ClipType="Plane")
        behind.ClipType.Origin, behind.ClipType.Normal = corner, normal
        display = show_coloured(view, behind, "TravelTime")
        display.Ambient, display.Diffuse = 0.4, 0.6
    solid = Threshold(Input=volume, Scalars=["POINTS", "wall"], LowerThreshold=1, UpperThreshold=1)
    show_surface(view, ExtractSurface(Input=solid), [0.55, 0.5, 0.45], 0.4)
    show_surface(view, Tube(Input=OutputPort(front, 1), Radius=0.6), red)
    show_balls(view, [seed, tip], 1.6, red)
    bar = dict(position=(0.6, 0.02), length=0.36, size=28, horizontal=True)
    legend(view, "TravelTime", "travel time (s)", "Linear YGB 1211g", range(0, latest + 1, 25), **bar)
    GetColorTransferFunction("TravelTime").NumberOfTableValues = latest // step
    scale_bar(view, [0, -3, floor], [20, -3, floor], "20 m", size=28)
    look(view, [20, -105, 95], [50, 30, 15], [0, 0, 1], 33.5)
    save_picture(view, os.path.join(folder, "image_travel_time.png"))
