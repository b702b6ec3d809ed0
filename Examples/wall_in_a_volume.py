"""Isochrones around a wall in a volume, and the fastest path through its window.

    pvpython Examples/wall_in_a_volume.py [output folder]

The front starts at the seed on the left and passes the wall in the middle through one window only. The floor shows the
travel time with a line every 5 units, the shells are isochrones, the tube is the fastest path.
"""

import os

import numpy as np
from paraview.simple import *

from example_tools import *

nx, ny, nz = 101, 61, 51
seed, tip, floor = [20, 15, 12], [85, 20, 35], 4
shells, step, latest = [12, 24, 36, 70, 84], 5, 125

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

    simple._DisableFirstRenderCameraReset()
    view = CreateView("RenderView")
    view.ViewSize = [1280, 840]
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground, view.Background = 0, white

    ground = ExtractSubset(Input=front, VOI=[0, nx - 1, 0, ny - 1, floor, floor])
    show_field(view, ground, "TravelTime", "Linear YGB 1211g", [0, latest], nan=[0.5, 0.5, 0.5])
    lines = Contour(Input=ground, ContourBy=["POINTS", "TravelTime"], Isosurfaces=list(range(step, latest, step)))
    show_lines(view, lines, [0.25, 0.25, 0.25], 1, (0, 0, 0.2))

    surfaces = Contour(Input=front, ContourBy=["POINTS", "TravelTime"], Isosurfaces=shells)
    half = Clip(Input=surfaces, ClipType="Plane")
    half.ClipType.Origin, half.ClipType.Normal = [0, 0, floor], [0, 0, -1]
    display = Show(half, view)
    ColorBy(display, ("POINTS", "TravelTime"))
    table = GetColorTransferFunction("TravelTime")
    table.ApplyPreset("Linear YGB 1211g", True)
    table.RescaleTransferFunction(0, latest)
    display.Opacity = 0.35

    solid = Threshold(Input=volume, Scalars=["POINTS", "wall"], LowerThreshold=1, UpperThreshold=1)
    display = Show(solid, view)
    display.ColorArrayName = ["POINTS", ""]
    display.DiffuseColor, display.Opacity = [0.55, 0.5, 0.45], 0.5
    tube = Tube(Input=OutputPort(front, 1), Radius=0.6)
    display = Show(tube, view)
    display.ColorArrayName = ["POINTS", ""]
    display.DiffuseColor = [0.8, 0, 0.1]
    for centre in (seed, tip):
        display = Show(Sphere(Center=centre, Radius=1.6), view)
        display.DiffuseColor = [0.8, 0, 0.1]

    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [20, -105, 95], [50, 30, 15], [0, 0, 1]
    view.CameraViewAngle = 31
    save_picture(view, os.path.join(folder, "wall_in_a_volume.png"))
