"""Distances from the white matter tracts of a brain, and the nearest tract of each of its points.

    pvpython Examples/white_matter.py [output folder]

The sites are the voxels of 48 labelled tracts. In the first picture a corner of the brain is cut away and shows the
tracts; the faces of the cut have the colour of the nearest tract, with a line every 5 mm of distance. The second shows
the surfaces at distances of 0 to 15 mm, each cut open farther than the one inside. Labels and image are part of MRIcron
(Debian package mricron-data); their reader is a plugin of ParaView.
"""

import colorsys
import glob
import gzip
import os
import shutil
import time

import numpy as np
from paraview.simple import *

from example_tools import *

templates = "/usr/share/mricron/templates/"
labels_file = "JHU-WhiteMatter-labels-1mm"
reader_plugin = "/usr/lib/*/paraview-*/plugins/AnalyzeNIfTIReaderWriter/AnalyzeNIfTIReaderWriter.so"
origin = [-90, -126, -72]  # mm, of the brain's image; the points are 1 mm apart
tracts = 48
rim = 35  # brightness at which the surface of the brain is drawn
corner = [-6, -2, -6]  # mm; the part beyond it on all three axes is cut away
shells = [0, 3, 6, 9, 12, 15]  # mm


def open_image(name, folder):
    """Returns the image as numpy, [z, y, x], unpacked for the reader."""
    unpacked = os.path.join(folder, name + ".nii")
    with gzip.open(templates + name + ".nii.gz") as packed, open(unpacked, "wb") as file:
        shutil.copyfileobj(packed, file)
    image = NIfTIVolumereader(FileName=unpacked)
    image.UpdatePipeline()
    extent = image.GetDataInformation().GetExtent()
    return array_of(image, "NIfTIImage").reshape([last - first + 1 for first, last in zip(extent[4::-2], extent[::-2])])


def open_head(folder):
    """Returns the brain and the labels of its tracts on one image."""
    plugins = glob.glob(reader_plugin)
    if not plugins or not os.path.exists(templates):
        sys.exit("No %s or no %s: install paraview and mricron-data" % (templates, reader_plugin))
    LoadPlugin(plugins[0], remote=False, ns=globals())
    # Both are in MNI space, but the labels are stored from right to left, although their header does not record it.
    labels = open_image(labels_file, folder)[:181, :217, -2::-1]
    return image_source("Head", {"tract": labels, "brightness": open_image("ch2bet", folder)}, origin=origin)


def check(field):
    """Checks the labels of the nearest sites, and for some points that no tract voxel is nearer than the distance."""
    shape = servermanager.Fetch(field).GetDimensions()[::-1]
    distance, label, site, tract = (
        array_of(field, name) for name in ("Distance", "NearestLabel", "NearestSite", "tract")
    )
    place = np.stack(np.unravel_index(np.arange(tract.size), shape), axis=1).astype(float)
    outside = tract == 0
    assert (distance[~outside] <= -1).all() and (distance[outside] >= 1).all()
    assert (label[outside] == tract[site[outside]]).all()
    some = np.flatnonzero(outside)[:: outside.sum() // 20]
    for point in some:
        least = np.linalg.norm(place[~outside] - place[point], axis=1).min()
        assert abs(distance[point] - least) < 1e-5 * least
    inside_brain = array_of(field, "brightness") > rim
    print("deepest in a tract %.2f mm, farthest in the brain %.2f mm" % (-distance.min(), distance[inside_brain].max()))


def colour_of(tract):
    """Returns one hue for the left and right tract of a pair, darker on the left."""
    hue = (tract + 1) // 2 * 0.381966 % 1
    return colorsys.hsv_to_rgb(hue, 0.55 if tract % 2 else 0.7, 0.95 if tract % 2 else 0.7)


def show_tracts(view, proxy, flat=False):
    """Shows an object in the colour of the nearest tract."""
    display = show_coloured(view, proxy, "NearestLabel", flat=flat)
    table = GetColorTransferFunction("NearestLabel")
    table.RGBPoints = [number for tract in range(1, tracts + 1) for number in (tract, *colour_of(tract))]
    table.ColorSpace = "RGB"
    table.NumberOfTableValues = 8 * (tracts - 1) + 1
    display.InterpolateScalarsBeforeMapping = 0
    return display


def beyond_corner(surface, beyond):
    part = Clip(Input=surface, ClipType="Box", Invert=beyond)
    part.ClipType.Position, part.ClipType.Length = corner, [300, 300, 300]
    return part


def show_face(view, field, axis):
    """Shows the face of the cut across an axis."""
    box = [end for a in range(3) for end in (corner[a] - origin[a], 300)]
    box[2 * axis + 1] = box[2 * axis]
    face = ExtractSubset(Input=field, VOI=[min(n, end) for n, end in zip(box, [180, 180, 216, 216, 180, 180])])
    bright = PassArrays(Input=face, PointDataArrays=["brightness", "NearestLabel", "Distance"])
    shade = Calculator(Input=bright, ResultArrayName="shade", Function="brightness")
    inside = Clip(Input=shade, ClipType="Scalar", Scalars=["POINTS", "shade"], Value=rim, Invert=0)
    show_tracts(view, inside, flat=True)
    lines = Contour(Input=inside, ContourBy=["POINTS", "Distance"], Isosurfaces=list(range(5, 60, 5)))
    shift(show_lines(view, lines, [0.1, 0.1, 0.1], 1.5), (0.3, 0.3, 0.3))
    outline = Contour(Input=inside, ContourBy=["POINTS", "Distance"], Isosurfaces=[0])
    shift(show_lines(view, outline, black, 3), (0.3, 0.3, 0.3))


def name_tracts(view, field):
    """Writes the names of the tracts nearest to most of the cut, in their colours."""
    with open(templates + labels_file + ".nii.txt") as lines:
        names = dict(line.strip().split("\t") for line in lines)
    shape = servermanager.Fetch(field).GetDimensions()[::-1]
    label, bright = (array_of(field, name).reshape(shape) for name in ("NearestLabel", "brightness"))
    count = np.zeros(tracts + 1, int)
    for axis in range(3):
        cut = [slice(max(0, corner[a] - origin[a]), None) for a in (2, 1, 0)]
        cut[2 - axis] = corner[axis] - origin[axis]
        count += np.bincount(label[tuple(cut)][bright[tuple(cut)] > rim].astype(int), minlength=tracts + 1)
    for row, tract in enumerate(np.sort(np.argsort(count)[-10:])):
        text = Show(Text(Text=names[str(tract)].replace("_", " ")), view)
        text.WindowLocation, text.Position = "Any Location", [0.7, 0.68 - 0.045 * row]
        text.FontFamily, text.FontSize, text.Color = "Arial", 18, colour_of(tract)


if __name__ == "__main__":
    folder = output_folder()
    head = open_head(folder)
    field = IsochroneDistanceTransform(
        Input=head, SiteArray=["POINTS", "tract"], SiteMode="Any Nonzero", Region="Signed", ComputeNearestLabel=1
    )
    started = time.time()
    field.UpdatePipeline()
    print("distance transform: %.2f s" % (time.time() - started))
    check(field)

    # The nearest tract.
    view = volume_view([1200, 800], [0.07, 0.08, 0.11])
    brain = Contour(Input=field, ContourBy=["POINTS", "brightness"], Isosurfaces=[rim])
    show_surface(view, beyond_corner(brain, 0), [0.86, 0.8, 0.76])
    for axis in range(3):
        show_face(view, field, axis)
    surface = Contour(Input=field, ContourBy=["POINTS", "Distance"], Isosurfaces=[0])
    show_tracts(view, beyond_corner(surface, 1)).Ambient = 0.3
    name_tracts(view, field)
    look(view, [330, 290, 260], [-26, 20, 8], [0, 0, 1], 21)
    save_picture(view, os.path.join(folder, "white_matter_tracts.png"))

    # The distance.
    view = volume_view([1200, 800], [0.07, 0.08, 0.11])
    for number, shell in enumerate(shells):
        surface = Contour(Input=field, ContourBy=["POINTS", "Distance"], Isosurfaces=[shell])
        if number:
            surface = Clip(Input=surface, ClipType="Plane", Invert=0)
            surface.ClipType.Origin, surface.ClipType.Normal = [0, 33 - 15 * number, 0], [0, -1, 0]
        show_coloured(view, surface, "Distance").Ambient = 0.15
    legend(view, "Distance", "distance, mm", "Spectral_lowBlue", shells, reverse=True, ink=[0.9, 0.9, 0.9])
    look(view, [360, 260, 170], [-6, -16, 4], [0, 0, 1], 17)
    save_picture(view, os.path.join(folder, "white_matter_shells.png"))
