"""Surfaces at several distances from a closed surface, inside and outside.

    pvpython Examples/offset_shells.py [output folder]

The surface is a tube around a trefoil knot. Image points inside it are the sites; the script contours their signed
distance, negative inside. Offset surfaces merge where strands of the knot are close. Each shell is cut open farther
than the one inside.
"""

import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

radius = 0.4  # of the tube
spacing = 0.08  # of the image
half_size = np.array([5.1, 5.1, 3.3])  # of the image
shells = [-0.2, 0, 0.4, 0.8, 1.2]


def centreline():
    t = np.linspace(0, 2 * np.pi, 151)
    return np.column_stack([np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -np.sin(3 * t)])


def knot():
    """Returns a closed surface."""
    curve = PolyLineSource(Points=centreline().ravel().tolist())
    tube = Tube(Input=curve, VaryRadius="Off", Radius=radius, NumberofSides=24, Capping=1)
    return Triangulate(Input=tube)  # the tube has long strips, which filters search slowly


def voxels(surface):
    """Returns an image that is 1 inside the surface."""
    nx, ny, nz = (2 * half_size / spacing + 1.5).astype(int)
    number = np.arange(nx * ny * nz).reshape(nz, ny, nx)
    image = image_source("Grid", {"number": number}, spacing=[spacing] * 3, origin=-half_size)
    x0, x1, y0, y1, z0, z1 = surface.GetDataInformation().GetBounds()
    first = ((np.array([x0, y0, z0]) + half_size) / spacing).astype(int)
    last = ((np.array([x1, y1, z1]) + half_size) / spacing).astype(int) + 1
    near = ExtractSubset(Input=image, VOI=np.column_stack([first, last]).ravel().tolist())
    inside = ExtractEnclosedPoints(Input=ImageDatatoPointSet(Input=near), Surface=surface)
    site = np.zeros(nx * ny * nz, np.uint8)
    site[array_of(inside, "number")] = 1
    return image_source("Voxels", {"inside": site.reshape(nz, ny, nx)}, spacing=[spacing] * 3, origin=-half_size)


def check(field):
    """Checks the distance from the tube, to the size of the voxels."""
    distance = array_of(field, "Distance")
    dimensions = servermanager.Fetch(field).GetDimensions()
    some = np.arange(0, distance.size, 301)
    place = np.stack(np.unravel_index(some, dimensions, order="F"), axis=1) * spacing - half_size
    begin, end = centreline()[:-1], centreline()[1:]
    along = ((place[:, None] - begin) * (end - begin)).sum(axis=2) / ((end - begin) ** 2).sum(axis=1)
    nearest = begin + np.clip(along, 0, 1)[:, :, None] * (end - begin)
    expected = np.linalg.norm(place[:, None] - nearest, axis=2).min(axis=1) - radius
    error = abs(distance[some] - expected)
    print("off by %.3f on average, by %.3f at worst; voxels of %g" % (error.mean(), error.max(), spacing))
    assert error.max() < np.sqrt(3) * spacing  # the diagonal of a voxel


if __name__ == "__main__":
    folder = output_folder()
    surface = knot()
    surface.UpdatePipeline()
    started = time.time()
    image = voxels(surface)
    print("voxels: %.2f s" % (time.time() - started))
    field = IsochroneDistanceTransform(
        Input=image, SiteArray=["POINTS", "inside"], SiteMode="Any Nonzero", Region="Signed"
    )
    started = time.time()
    field.UpdatePipeline()
    print("distance transform: %.2f s" % (time.time() - started))
    check(field)
    save_data(field, 0, os.path.join(folder, "offset_shells.vti"))

    view = volume_view([1200, 800], white)
    for number, shell in enumerate(shells):
        part = surface if shell == 0 else Contour(Input=field, ContourBy=["POINTS", "Distance"], Isosurfaces=[shell])
        if number:
            part = Clip(Input=part, ClipType="Plane", Invert=0)
            part.ClipType.Origin, part.ClipType.Normal = [3.6 - 1.4 * number, 0, 0], [-1, 0, 0]
        if shell == 0:
            part = Calculator(Input=part, ResultArrayName="Distance", Function="0")
        show_coloured(view, part, "Distance").Ambient = 0.2
    legend(view, "Distance", "distance", "Spectral_lowBlue", shells, reverse=True)
    look(view, [7, -5, 17], [-0.1, -0.35, 0], [0, 1, 0], 24)
    save_picture(view, os.path.join(folder, "offset_shells.png"))
