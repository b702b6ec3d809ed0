"""A wave through a brain of tetrahedra, and its paths to the surface.

    pvpython Examples/head_volume.py [output folder]

The brain of a magnetic resonance image, every third point of it, becomes a mesh: Threshold keeps the brain,
Tetrahedralize makes tetrahedra. The speed is 3 mm/s in white matter, 1 in grey matter and 0.2 in fluid; the numbers
are chosen for the picture. Left: half of the brain, in bands of 3 s; right: fastest paths from the seed to twelve places
of the surface. The image is part of MRIcron (Debian package mricron-data).
"""

import os
import time

import numpy as np
from paraview.simple import *

from brain_travel_time import last, open_brain, rim, speed
from example_tools import *

seed = np.array([104, 122, 98.0])  # in white matter
coarse = 3  # mm from point to point
band = 3  # s
ink, red = [0.1, 0.08, 0.12], [0.75, 0.05, 0.1]
beside = np.array([0, 215, 0])  # from one panel to the other


def mesh_of(brain):
    tissue = Calculator(Input=brain, ResultArrayName="speed", Function=speed, ResultArrayType="Float")
    points = ExtractSubset(Input=tissue, VOI=[0, last[0], 0, last[1], 0, last[2]])
    points.SampleRateI = points.SampleRateJ = points.SampleRateK = coarse
    kept = Threshold(Input=points, Scalars=["POINTS", "NIfTIImage"], LowerThreshold=1, UpperThreshold=1000)
    return Tetrahedralize(Input=kept)


def ends_on_surface(mesh):
    """Returns the mesh points farthest from the seed in twelve directions, the corners of an icosahedron."""
    golden = (1 + 5**0.5) / 2
    ways = [(0, a, b * golden) for a in (-1, 1) for b in (-1, 1)]
    ways = np.array([np.roll(way, turn) for way in ways for turn in range(3)], float)
    points = vtk_to_numpy(servermanager.Fetch(mesh).GetPoints().GetData())
    distance = np.linalg.norm(points - seed, axis=1)
    cosines = (points - seed) @ ways.T / np.linalg.norm(ways[0]) / np.maximum(distance, 1e-6)[:, None]
    return points[np.argmax(np.where(cosines > 0.98, distance[:, None], 0), axis=0)]


def check(waves, tips):
    """Checks that white matter is fastest, nearly all of the brain is reached, and all paths lead to the seed."""
    mesh = servermanager.Fetch(waves)
    times = vtk_to_numpy(mesh.GetPointData().GetArray("TravelTime"))
    distance = np.linalg.norm(vtk_to_numpy(mesh.GetPoints().GetData()) - seed, axis=1)
    reached = ~np.isnan(times)
    assert (times[reached] >= 0.999 * distance[reached] / 3).all()
    assert reached.mean() > 0.99
    lines = servermanager.Fetch(waves, idx=1)
    assert lines.GetNumberOfCells() == len(tips)
    for number in range(len(tips)):
        points = vtk_to_numpy(lines.GetCell(number).GetPoints().GetData())
        assert np.linalg.norm(points[-1] - seed) < 1e-4 and np.linalg.norm(points[0] - tips[number]) < 1e-4
    print("%d tetrahedra, %.1f %% of the points reached" % (mesh.GetNumberOfCells(), 100 * reached.mean()))
    print("paths: %s" % ", ".join("%.1f" % t for t in vtk_to_numpy(lines.GetCellData().GetArray("TravelTime"))))


if __name__ == "__main__":
    folder = output_folder()
    brain = open_brain(folder)
    mesh = mesh_of(brain)
    tips = ends_on_surface(mesh)
    started = time.time()
    waves = IsochroneMeshTravelTime(
        Input=mesh,
        SeedPoints=list(seed),
        Tips=point_source("Tips", tips),
        SpeedType="Scalar",
        SpeedArray=["POINTS", "speed"],
    )
    waves.UpdatePipeline()
    print("travel time: %.2f s" % (time.time() - started))
    check(waves, tips)
    save_data(waves, 1, os.path.join(folder, "head_volume.vtp"))

    view = volume_view([1500, 800])
    half = Clip(Input=waves, ClipType="Plane", Invert=1)
    half.ClipType.Origin, half.ClipType.Normal = seed, [1, 0, 0]
    surface = ExtractSurface(Input=half)
    display = show_coloured(view, surface, "TravelTime")
    display.Ambient, display.Diffuse = 0.35, 0.7
    cut = Slice(Input=waves, SliceType="Plane")
    cut.SliceType.Origin, cut.SliceType.Normal = seed, [1, 0, 0]
    lines = Contour(Input=cut, ContourBy=["POINTS", "TravelTime"], Isosurfaces=list(range(band, 90, band)))
    shift(show_lines(view, lines, ink, 1), [0.6, 0, 0.2])
    thinned = ExtractSubset(Input=brain, VOI=[0, last[0], 0, last[1], 0, last[2]])
    thinned.SampleRateI = thinned.SampleRateJ = thinned.SampleRateK = 2
    outside = Contour(Input=thinned, ContourBy=["POINTS", "NIfTIImage"], Isosurfaces=[rim])
    shift(show_surface(view, outside, [0.75, 0.68, 0.65], 0.25), beside)
    shift(show_lines(view, OutputPort(waves, 1), red, 4), beside)
    show_balls(view, tips + beside, 2.5, red)
    show_balls(view, [seed + beside], 4, ink)
    bar = dict(position=(0.4, 0.02), length=0.3, size=30, horizontal=True)
    legend(view, "TravelTime", "travel time (s)", "Plasma (matplotlib)", range(0, 61, 15), reverse=True, **bar)
    scale_bar(view, seed + [0, -80, -95], seed + [0, -30, -95], "50 mm", size=30)
    GetColorTransferFunction("TravelTime").NumberOfTableValues = 60 // band
    look(view, [900, 216, 260], [90, 216, 66], [0, 0, 1], 15.3)
    save_picture(view, os.path.join(folder, "head_volume.png"))
