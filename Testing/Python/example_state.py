"""Checks an example state: pvpython example_state.py STATE

The state must need no file beside it. It is loaded into a new session, and its numbers must agree with a closed form where
there is one, else with bounds or with recorded lengths. CTest fails on any message.
"""
import pathlib
import re
import sys

import numpy as np
from paraview import servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy


def output(name, port=0):
    return servermanager.Fetch(simple.FindSource(name), idx=port)


def field(name, array):
    """Returns x, y and an array of an image whose spacing is 1, each of shape (y, x)."""
    image = output(name)
    width, height, _ = image.GetDimensions()
    y, x = np.mgrid[:height, :width].astype(float)
    return x, y, vtk_to_numpy(image.GetPointData().GetArray(array)).reshape(height, width)


def of_paths(name, array):
    return vtk_to_numpy(output(name, 1).GetCellData().GetArray(array))


def positions(dataset):
    return vtk_to_numpy(dataset.GetPoints().GetData())


def largest(differences):
    return np.abs(differences).max()


def image_travel_time():
    x, y, times = field("Front", "TravelTime")
    distance = np.hypot(x - 20, y - 20)
    seen = (x < 50) & (distance > 5)  # neither wall nor swamp between these points and the seed
    assert largest(times[seen] / distance[seen] - 1) < 0.005
    around_the_wall = np.hypot(33.5, 60) + 3 + np.hypot(23.5, 60)
    assert abs(of_paths("Front", "TravelTime")[1] / around_the_wall - 1) < 0.015


def curvature_paths():
    assert (of_paths("Car", "Status") == 0).all() and (of_paths("Car", "MaxCurvature") < 1.02 / 10).all()
    assert largest(of_paths("Car", "Length") / [164.35, 172.06, 137.52] - 1) < 0.01


def oriented_cost():
    x, y, _ = positions(output("Vessel", 1)).T
    assert np.ptp(x) > 153 and largest(y - 60 - 22 * np.sin(x / 25)) < 1  # the middle of the vessel


def distance_transform():
    x, y, distance = field("Distance", "Distance")
    disc = np.hypot(x - 40, y - 40) - 25
    square = np.hypot(np.maximum(abs(x - 120) - 18, 0), np.maximum(abs(y - 35) - 18, 0))
    ring = abs(np.hypot(x - 95, y - 88) - 18) - 5
    excess = (distance - np.minimum(np.minimum(disc, square), ring))[distance > 0]
    assert excess.min() > -1e-5 and excess.max() < 1  # the nearest point of the image lies within a spacing of the shape
    assert abs(distance.min() + 626**0.5) < 1e-4  # at the centre of the disc, of radius 25


def ray_tracing():
    x, y, times = field("Rays", "TravelTime")
    velocity, squared = 1.5 + 0.02 * (150 - y), x**2 + (150 - y)**2
    far = squared > 25
    excess = times[far] / (np.arccosh(1 + 0.02**2 * squared / (2 * 1.5 * velocity)) / 0.02)[far] - 1
    assert excess.min() > -1e-5 and excess.max() < 0.005
    assert len(of_paths("Rays", "TravelTime")) == 8


def mesh_travel_time():
    mesh = output("Waves")
    distance = np.linalg.norm(positions(mesh) - [20, 10, 0], axis=1)
    times = vtk_to_numpy(mesh.GetPointData().GetArray("TravelTime"))
    assert (times >= distance / 0.6 - 1e-4).all() and (times <= 1.1 * distance / 0.3).all()
    left, right, upper_left, upper_right = of_paths("Waves", "TravelTime")  # half a turn exchanges them
    assert abs(left / right - 1) < 1e-4 and abs(upper_left / upper_right - 1) < 1e-4


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[1])
    assert not re.search(r'File(Name|Prefix|Pattern)|value="(/|[A-Z]:)', path.read_text(encoding="utf-8"))
    simple.LoadState(str(path))
    for source in simple.GetSources().values():
        source.UpdatePipeline()
    simple.RenderAllViews()
    vars()[path.stem]()
    print("passed")
