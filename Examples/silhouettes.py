"""Distances to a silhouette and to the dark part of a photograph.

    pvpython Examples/silhouettes.py [output folder]

Left: the signed distance from the outline of a horse, negative inside, with a line every 10 pixels. Its ridge inside is
the medial axis, where the nearest site jumps from one side of the horse to the other. Right: the distance from the dark
pixels of a photograph, laid over it. Segments lead from some tips, which need not lie on pixels, to the nearest point
of the other kind. The images are part of scikit-image (Debian package python3-skimage).
"""

import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

images = "/usr/lib/python3/dist-packages/skimage/data/"
dark = 40  # the brightest of the dark pixels of the photograph
horse_tips = [
    (20.5, 300.5), (110.2, 262.3), (206.4, 270.8), (215.3, 75.6), (345.7, 150.2), (300.3, 30.6),
    (90.4, 30.2), (390.6, 310.3), (100.6, 200.4), (180.3, 190.7), (268.8, 190.1), (335.2, 270.4),
]
camera_tips = [
    (420.5, 390.5), (300.2, 480.4), (480.7, 160.3), (200.3, 130.8), (60.4, 420.6), (365.3, 330.2), (330.6, 60.4),
]
# distance, red, green, blue
horse_colours = [
    -60, 0.25, 0.07, 0, -25, 0.85, 0.45, 0.1, -0.01, 1, 0.9, 0.7,
    0.01, 0.93, 0.97, 1, 60, 0.3, 0.55, 0.8, 130, 0.05, 0.15, 0.4,
]
camera_colours = [0, 1, 1, 1, 80, 0.5, 0.75, 1, 160, 0.1, 0.4, 0.9, 240, 0.1, 0, 0.4]


def open_image(name):
    if not os.path.exists(images + name):
        sys.exit("No " + images + name + ": install python3-skimage")
    image = PNGSeriesReader(FileNames=[images + name])
    image.UpdatePipeline()
    nx, ny, _ = servermanager.Fetch(image).GetDimensions()
    return array_of(image, "PNGImage").reshape(ny, nx, -1)[:, :, 0].astype(np.float32)


def transform(image, tips, region):
    """Computes the distance from the sites of an image and the segments of tips, and checks them."""
    field = IsochroneDistanceTransform(
        Input=image, SiteArray=["POINTS", "site"], SiteMode="Any Nonzero", Region=region,
        Tips=point_source("Tips", [(x, y, 0) for x, y in tips]),
    )
    started = time.time()
    field.UpdatePipeline()
    print("distance transform: %.3f s" % (time.time() - started))
    nx, ny, _ = servermanager.Fetch(field).GetDimensions()
    site = array_of(field, "site").reshape(ny, nx) != 0
    segments = servermanager.Fetch(field, idx=1)
    assert segments.GetNumberOfCells() == len(tips)
    y, x = np.indices(site.shape)
    for number, tip in enumerate(tips):
        ends = vtk_to_numpy(segments.GetCell(number).GetPoints().GetData())[:, :2]
        on_site = site[int(tip[1] + 0.5), int(tip[0] + 0.5)]
        other = ~site if on_site and region == "Signed" else site
        least = np.hypot(x - tip[0], y - tip[1])[other].min()
        assert np.allclose(ends[0], tip) and other[int(ends[1, 1]), int(ends[1, 0])]
        assert abs(np.hypot(*(ends[1] - ends[0])) - least) < 1e-9 * least
    return field


def medial_axis(field):
    """Returns the places between two neighbouring inside points whose nearest sites are far apart."""
    nx, ny, _ = servermanager.Fetch(field).GetDimensions()
    depth, site = -array_of(field, "Distance").reshape(ny, nx), array_of(field, "NearestSite").reshape(ny, nx)
    x, y = site % nx, site // nx
    found = []
    for j, i in ((1, 0), (0, 1)):
        here, there = np.s_[: ny - j, : nx - i], np.s_[j:, i:]
        jump = np.hypot(x[here] - x[there], y[here] - y[there])
        least = np.minimum(depth[here], depth[there])
        row, column = np.nonzero((least > 1) & (jump > np.maximum(8, 0.8 * least)))
        found.append(np.column_stack([column + i / 2, row + j / 2, 0 * row]))
    return np.vstack(found)


def show_segments(view, field, tips, colour):
    show_cased_lines(view, OutputPort(field, 1), colour, 3, offset=(0, 0, 10))
    radius = 4 * pixel_size(view)
    show_cased_lines(view, line_source("Tips", circles(tips, radius)), colour, 4, offset=(0, 0, 20))


if __name__ == "__main__":
    folder = output_folder()

    # The horse.
    horse = open_image("horse.png") < 128
    ny, nx = horse.shape
    field = transform(image_source("Horse", {"site": horse.astype(np.uint8)}), horse_tips, "Signed")
    save_data(field, 0, os.path.join(folder, "horse_distance.vti"))
    save_data(field, 1, os.path.join(folder, "horse_segments.vtp"))
    view = flat_view([0, nx + 59, 0, ny - 1], 1200, white)
    display = show_field(view, field, "Distance", "Grayscale", [-60, 120])
    table = GetColorTransferFunction("Distance", display, separate=True)
    table.RGBPoints = horse_colours
    lines = [level for level in range(-60, 200, 10) if level]
    isolines = Contour(Input=field, ContourBy=["POINTS", "Distance"], Isosurfaces=lines)
    show_lines(view, isolines, [0.25, 0.25, 0.3], 1.5, (0, 0, 2))
    outline = Contour(Input=field, ContourBy=["POINTS", "Distance"], Isosurfaces=[0])
    show_lines(view, outline, black, 4, (0, 0, 4))
    axis = show_surface(view, point_source("Medial axis", medial_axis(field)), black)
    axis.PointSize = 4
    shift(axis, (0, 0, 5))
    show_segments(view, field, horse_tips, [0.1, 0.75, 0.2])
    colour_bar(view, table, "distance\n(pixels)", [-60, -30, 0, 30, 60, 90, 120], position=(0.89, 0.25), length=0.5, size=28)
    save_picture(view, os.path.join(folder, "distance_transform.png"))

    # The photograph.
    brightness = open_image("camera.png")
    ny, nx = brightness.shape
    photograph = image_source("Photograph", {"brightness": brightness, "site": (brightness <= dark).astype(np.uint8)})
    field = transform(photograph, camera_tips, "Outside")
    view = flat_view([0, nx + 79, 0, ny - 1], 1000, white)
    show_field(view, photograph, "brightness", "Grayscale", [0, 255])
    outside = Threshold(Input=field, Scalars=["POINTS", "Distance"], LowerThreshold=3, UpperThreshold=1000)
    tint = show_field(view, outside, "Distance", "Grayscale", [0, 240], offset=(0, 0, 1))
    table = GetColorTransferFunction("Distance", tint, separate=True)
    table.RGBPoints = camera_colours
    tint.Opacity = 0.5
    isolines = Contour(Input=field, ContourBy=["POINTS", "Distance"], Isosurfaces=list(range(20, 400, 20)))
    show_lines(view, isolines, [0.05, 0.1, 0.3], 1.5, (0, 0, 4))
    show_segments(view, field, camera_tips, [1, 0.35, 0.1])
    colour_bar(view, table, "distance\n(pixels)", range(0, 241, 40), position=(0.89, 0.25), length=0.5, size=24)
    save_picture(view, os.path.join(folder, "camera_distance.png"))
