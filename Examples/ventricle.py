"""Activation of a ventricle: fibres that turn through the wall, a scar, two stimuli.

    pvpython Examples/ventricle.py [output folder]

An ellipsoidal shell models a left ventricle, in cm. Its fibres turn from +60 degrees at the inner side of the wall to
-60 degrees at the outer one, relative to the circumference. Waves travel along them at 0.06 cm/ms, across them at 0.03;
they do not pass a scar, and they are slow around it. One stimulus is at the inner side of the wall, a second one
follows 12 ms later. Bands of colour are 5 ms wide. Left: the outer side with the scar, in grey; middle: the half behind
it, from within; right: the paths of the waves from the stimuli, in black, to five points.
"""

import itertools
import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

inner, outer = np.array([2.2, 2.2, 5.4]), np.array([3.4, 3.4, 6.6])  # half axes
rim = np.radians(115)  # of the opening of the shell, from the apex
along, layers = 72, 14  # cells over the shell, and through the wall
fibre_angle = [60, -60]  # at the inner and the outer side
velocities = [0.06, 0.03, 0.03]  # cm/ms
scar = {"depth": 0.6, "polar": 68, "azimuth": -62, "size": 1.25, "border": 0.35, "factor": 0.4}
stimuli = [(0.05, 60, 75, 0), (0.1, 75, -140, 12)]  # depth in the wall, polar angle, azimuth, onset in ms
tips = [(0.95, 70, -20), (0.95, 100, -60), (0.95, 40, -75), (0.5, 95, 150), (0.95, 50, 170)]
band = 5  # ms
grey, ink, red = [0.45, 0.43, 0.42], [0.08, 0.08, 0.1], [0.75, 0.05, 0.1]
panels = np.array([[-8.2, 0, 0], [-0.7, 0, 0], [6.8, 0, 0]])
camera = [0, -40, 12]
towards_camera = np.array(camera) / 1500  # lines stand out from the surface


def place(depth, polar, azimuth):
    """Returns points of the shell, and the directions of the circumference and from the apex to the rim."""
    axes = inner + np.asarray(depth)[..., None] * (outer - inner)
    sine, cosine = np.sin(polar), np.cos(polar)
    point = axes * np.stack([sine * np.cos(azimuth), sine * np.sin(azimuth), -cosine], axis=-1)
    around = np.stack([-np.sin(azimuth), np.cos(azimuth), 0 * azimuth], axis=-1)
    upward = axes * np.stack([cosine * np.cos(azimuth), cosine * np.sin(azimuth), sine], axis=-1)
    return point, around, upward / np.linalg.norm(upward, axis=-1, keepdims=True)


def places(rows):
    depth, polar, azimuth = np.array(rows, float).T[:3]
    return place(depth, np.radians(polar), np.radians(azimuth))[0]


def disc(p, q):
    """Maps the points of a square to polar angle and azimuth, so that the mesh has no seam and no pole."""
    wide = np.abs(p) > np.abs(q)
    radius = np.where(wide, p, q)
    with np.errstate(all="ignore"):
        azimuth = np.where(wide, np.pi / 4 * q / p, np.pi / 2 - np.pi / 4 * p / q)
    azimuth = np.where(radius == 0, 0, azimuth)
    return np.abs(radius) * rim, azimuth + np.pi * (radius < 0)


def shell(along=along, layers=layers):
    """Returns points and tetrahedra, six per box, and depth, polar angle and azimuth of the points."""
    side = np.linspace(-1, 1, along + 1)
    depth, q, p = np.meshgrid(np.linspace(0, 1, layers + 1), side, side, indexing="ij")
    points = place(depth, *disc(p, q))[0].reshape(-1, 3)
    number = np.arange(depth.size).reshape(depth.shape)
    boxes = []
    for order in itertools.permutations(range(3)):
        corner, cell = [0, 0, 0], []
        for axis in (None, *order):
            if axis is not None:
                corner[axis] = 1
            cell.append(number[tuple(slice(c, c - 1 or None) for c in corner)].ravel())
        boxes.append(np.stack(cell, axis=1))
    return points, np.concatenate(boxes), np.stack([depth, *disc(p, q)], axis=-1).reshape(-1, 3)


def medium(points, cells, coordinates):
    """Returns fibres and a factor on the speed, for each cell."""
    depth = coordinates[cells, 0].mean(axis=1)
    middle = points[cells].mean(axis=1)
    axes = inner + depth[:, None] * (outer - inner)
    unit = middle / axes
    polar = np.arccos(np.clip(-unit[:, 2] / np.linalg.norm(unit, axis=1), -1, 1))
    _, around, upward = place(depth, polar, np.arctan2(unit[:, 1], unit[:, 0]))
    angle = np.radians(fibre_angle[0] + depth * (fibre_angle[1] - fibre_angle[0]))[:, None]
    distance = np.linalg.norm(middle - places([(scar["depth"], scar["polar"], scar["azimuth"])]), axis=1)
    factor = np.where(distance < scar["size"], 0, np.where(distance < scar["size"] + scar["border"], scar["factor"], 1))
    return np.cos(angle) * around + np.sin(angle) * upward, factor.astype(float)


def check(waves):
    """Checks the onset of both stimuli, and that all but the inner part of the scar is activated, not too early."""
    mesh = servermanager.Fetch(waves)
    times = vtk_to_numpy(mesh.GetPointData().GetArray("TravelTime"))
    points = vtk_to_numpy(mesh.GetPoints().GetData())
    starts = places(stimuli)
    ways = np.linalg.norm(points - starts[:, None], axis=2)
    least = np.min(ways / velocities[0] + [[row[3]] for row in stimuli], axis=0)
    reached = ~np.isnan(times)
    assert (times[reached] >= least[reached] - 1e-3).all(), "nothing is faster than along the fibres"
    assert 0 < (~reached).mean() < 0.1
    lines = servermanager.Fetch(waves, idx=1)
    assert lines.GetNumberOfCells() == len(tips)
    for number in range(len(tips)):
        ends = vtk_to_numpy(lines.GetCell(number).GetPoints().GetData())[-1]
        assert np.linalg.norm(starts - ends, axis=1).min() < 1e-5, "a path ends at a stimulus"
    print("%.1f %% of the points lie within the scar" % (100 * (~reached).mean()))
    print("activated within %.1f ms" % np.nanmax(times))


def show_bands(view, surface, offset):
    """Shows a surface in bands, with lines between them."""
    display = shift(show_coloured(view, surface, "TravelTime"), offset)
    display.Ambient, display.Diffuse = 0.25, 0.8
    lines = Contour(Input=surface, ContourBy=["POINTS", "TravelTime"], Isosurfaces=list(range(band, 200, band)))
    shift(show_lines(view, lines, ink, 1), offset + towards_camera)


def show_ways(view, waves, offset):
    """Shows the paths, the stimuli and the tips."""
    shift(show_lines(view, OutputPort(waves, 1), red, 5), offset)
    show_balls(view, places(stimuli) + offset, 0.17, ink)
    show_balls(view, places(tips) + offset, 0.12, red)


if __name__ == "__main__":
    folder = output_folder()
    points, cells, coordinates = shell()
    fibre, factor = medium(points, cells, coordinates)
    mesh = mesh_source("Ventricle", points, cells, fibre=fibre, speed=factor)
    seeds = point_source("Stimuli", places(stimuli), StartValue=np.array([row[3] for row in stimuli], float))
    waves = IsochroneMeshTravelTime(
        Input=mesh,
        Seeds=seeds,
        Tips=point_source("Tips", places(tips)),
        SpeedType="Fibres",
        SpeedArray=["CELLS", "speed"],
        FibreArray=["CELLS", "fibre"],
        ConductionVelocities=velocities,
    )
    started = time.time()
    waves.UpdatePipeline()
    print("%d tetrahedra: %.2f s" % (len(cells), time.time() - started))
    check(waves)
    save_data(waves, 1, os.path.join(folder, "ventricle.vtp"))

    view = volume_view([1600, 660])
    alive = Threshold(Input=waves, Scalars=["CELLS", "speed"], LowerThreshold=0.01, UpperThreshold=2)
    closed = Threshold(Input=waves, Scalars=["CELLS", "speed"], LowerThreshold=0, UpperThreshold=0.01)
    dead = ExtractSurface(Input=closed)
    outside = ExtractSurface(Input=alive)
    show_bands(view, outside, panels[0])
    shift(show_surface(view, dead, grey), panels[0])
    half = Clip(Input=alive, ClipType="Plane", Invert=0)
    half.ClipType.Origin, half.ClipType.Normal = [0, 0, 0], [0, 1, 0]
    show_bands(view, ExtractSurface(Input=half), panels[1])
    ghosts = PassArrays(Input=outside), PassArrays(Input=dead)  # a proxy has one display per view
    shift(show_surface(view, ghosts[0], [0.8, 0.75, 0.7], 0.12), panels[2])
    shift(show_surface(view, ghosts[1], grey, 0.5), panels[2])
    show_ways(view, waves, panels[2])
    legend(view, "TravelTime", "ms", "Spectral_lowBlue", range(0, 151, 30), reverse=True, position=(0.93, 0.3))
    GetColorTransferFunction("TravelTime").NumberOfTableValues = 150 // band
    look(view, camera, [0, 0, -1.6], [0, 0, 1], 14.8)
    save_picture(view, os.path.join(folder, "ventricle.png"))
