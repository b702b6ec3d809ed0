"""A front that spreads through a brain, faster in white matter than in grey matter.

    pvpython Examples/brain_travel_time.py [output folder]

The speed follows from the brightness of a magnetic resonance image: 3 in white matter, 1 in grey matter, 0.2 in fluid,
and 0 outside the brain. The numbers are chosen for the picture. A corner of the brain is cut away. The faces of the cut
show the image, tinted by the travel time, with an isochrone every 2 units; the shells are isochrones in space, half of
each. The image is part of MRIcron (Debian package mricron-data); its reader is a plugin of ParaView.
"""

import glob
import gzip
import os
import shutil
import time

import numpy as np
from paraview.simple import *

from example_tools import *

image_file = "/usr/share/mricron/templates/ch2bet.nii.gz"
reader_plugin = "/usr/lib/*/paraview-*/plugins/AnalyzeNIfTIReaderWriter/AnalyzeNIfTIReaderWriter.so"
last = [180, 216, 180]  # of the points, 1 mm apart

# Speed by brightness: outside, fluid, grey matter, white matter.
speed = "if(NIfTIImage < 1, 0, if(NIfTIImage < 65, 0.2, if(NIfTIImage < 100, 1, 3)))"
seed = [118, 128, 98]  # in white matter
corner = [98, 100, 74]  # the part beyond it on all three axes is cut away
rim = 35  # brightness at which the surface of the brain is drawn
shells, lines = [3, 6, 9, 12], list(range(2, 60, 2))


def open_brain(folder):
    """Returns the image, unpacked for the reader."""
    plugins = glob.glob(reader_plugin)
    if not plugins or not os.path.exists(image_file):
        sys.exit("No %s or no %s: install paraview and mricron-data" % (image_file, reader_plugin))
    LoadPlugin(plugins[0], remote=False, ns=globals())
    unpacked = os.path.join(folder, "brain.nii")
    with gzip.open(image_file) as packed, open(unpacked, "wb") as file:
        shutil.copyfileobj(packed, file)
    return NIfTIVolumereader(FileName=unpacked)


def check(front):
    """Checks that the front starts at the seed, is nowhere faster than in white matter, and fills the brain only."""
    shape = [n + 1 for n in reversed(last)]
    travel_time, brightness = (array_of(front, name).reshape(shape) for name in ("TravelTime", "NIfTIImage"))
    k, j, i = np.indices(shape, np.float32)
    distance = np.sqrt((i - seed[0]) ** 2 + (j - seed[1]) ** 2 + (k - seed[2]) ** 2)
    reached = ~np.isnan(travel_time)
    assert travel_time[seed[2], seed[1], seed[0]] == 0
    assert (travel_time[reached] >= 0.999 * distance[reached] / 3).all()
    assert not reached[brightness == 0].any() and reached[brightness > 0].mean() > 0.99
    print("%.1f %% of the brain reached" % (100 * reached[brightness > 0].mean()))


def beyond_corner(surface, beyond):
    """Returns the part of a surface beyond the corner, or the rest of it."""
    part = Clip(Input=surface, ClipType="Box", Invert=beyond)
    part.ClipType.Position, part.ClipType.Length = corner, last
    return part


def show_face(view, front, axis):
    """Shows the face of the cut across an axis."""
    box = [end for pair in zip(corner, last) for end in pair]
    box[2 * axis + 1] = corner[axis]
    face = ExtractSubset(Input=front, VOI=box)
    shade = Calculator(Input=face, ResultArrayName="shade", Function="NIfTIImage")  # Clip needs an active array
    inside = Clip(Input=shade, ClipType="Scalar", Scalars=["POINTS", "shade"], Value=rim, Invert=0)
    show_field(view, inside, "shade", "Grayscale", [30, 125])
    tint = PassArrays(Input=inside, PointDataArrays=["TravelTime"])
    shift(show_coloured(view, tint, "TravelTime", opacity=0.5, flat=True), (0.1, 0.1, 0.1))
    isochrones = Contour(Input=face, ContourBy=["POINTS", "TravelTime"], Isosurfaces=lines)
    show_lines(view, isochrones, [0.15, 0, 0.2], 1.5, (0.5, 0.5, 0.5))


if __name__ == "__main__":
    folder = output_folder()
    brain = open_brain(folder)
    tissue = Calculator(Input=brain, ResultArrayName="speed", Function=speed, ResultArrayType="Float")
    tissue.UpdatePipeline()
    front = IsochroneImageTravelTime(Input=tissue, SpeedArray=["POINTS", "speed"], SeedPoints=seed)
    started = time.time()
    front.UpdatePipeline()
    print("travel time: %.2f s" % (time.time() - started))
    check(front)

    view = volume_view([1200, 800], [0.07, 0.08, 0.11])
    surface = Contour(Input=brain, ContourBy=["POINTS", "NIfTIImage"], Isosurfaces=[rim])
    show_surface(view, beyond_corner(surface, 0), [0.86, 0.8, 0.76])
    for axis in range(3):
        show_face(view, front, axis)
    isochrones = beyond_corner(Contour(Input=front, ContourBy=["POINTS", "TravelTime"], Isosurfaces=shells), 1)
    halves = Clip(Input=isochrones, ClipType="Plane")
    halves.ClipType.Origin, halves.ClipType.Normal = seed, [1, 0.3, 1]
    show_coloured(view, halves, "TravelTime")
    show_balls(view, [seed], 2, white)
    legend(view, "TravelTime", "travel time", "Plasma (matplotlib)", range(0, 37, 6), reverse=True, ink=[0.9, 0.9, 0.9])
    look(view, [430, 400, 350], [84, 116, 82], [0, 0, 1], 18)
    save_picture(view, os.path.join(folder, "brain_travel_time.png"))
