"""The vessels of a whole retina, from three points where they enter the eye to about twenty where they end.

    pvpython Examples/retina_tree.py [output folder]

Two filters in sequence: Isochrone Oriented Cost detects dark tubes in a photograph, Isochrone Curvature Paths solves
once from all seeds and traces every tip back to the seed that reaches it first. The penalty on curvature keeps each
path on its vessel where others cross it.

The photograph is part of scikit-image (Debian package python3-skimage); every second pixel is enough here.
"""

import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

seeds = [[196, 848, 0], [177, 635, 0], [300, 842, 0]]  # pixels, y up
tips = [[891, 1374], [706, 1388], [1155, 1252], [1250, 1110], [355, 1295], [476, 1345], [413, 1322], [1297, 908],
        [1272, 702], [1084, 926], [891, 809], [1325, 430], [1240, 274], [1060, 118], [779, 25], [648, 25],
        [502, 58], [266, 194], [68, 465], [69, 965], [146, 1095], [676, 421], [955, 640], [949, 1068]]
tips = [[x, y, 0] for x, y in tips]
runs = [("Reeds-Shepp forward", "Reeds-Shepp Forward", 40), ("Elastica", "Elastica", 25)]  # turning radius in pixels
colours = [[1.0, 0.85, 0.1], [0.2, 0.6, 1.0], [1.0, 1.0, 1.0]]

folder = output_folder()
photograph, inside = retina([0, 1410, 0, 1410, 0, 0], every=2)
cost = IsochroneOrientedCost(
    Input=inside,
    IntensityArray=["POINTS", "JPEGImage"],
    IntensityComponent=1,  # vessels show best in green
    Polarity="Dark",
    Widths=[3, 5, 8],
    Length=14,
    MaskArray=["POINTS", "Inside"],
)
started = time.time()
cost.UpdatePipeline()
states = cost.GetDataInformation().GetNumberOfPoints()
print("oriented cost: %.1f million states, %.2f s" % (states / 1e6, time.time() - started))
least = array_of(cost, "LeastCost", 1).reshape(706, 706)

view = flat_view([0, 2840, 0, 1410], width=1440)
show_photograph(view, photograph, "JPEGImage")
show_field(view, OutputPort(cost, 1), "LeastCost", "Grayscale", [0, 1], offset=(1430, 0))
save_picture(view, os.path.join(folder, "oriented_cost.png"))

view = flat_view([0, 2840, -60, 1410], width=1800)
for column, (name, model, radius) in enumerate(runs):
    paths = IsochroneCurvaturePaths(
        Input=photograph, OrientedCost=cost, Model=model, TurningRadius=radius, SeedPoints=sum(seeds, []),
        TipPoints=sum(tips, []))
    started = time.time()
    paths.UpdatePipeline()
    summarise(paths, name, time.time() - started)

    # Every tip is reached, and the paths run along vessels.
    lines = servermanager.Fetch(paths, idx=1)
    at = np.rint(vtk_to_numpy(lines.GetPoints().GetData())[:, :2] / 2).astype(int)
    on_vessels = np.mean(least[at[:, 1], at[:, 0]] < 0.5)
    print("    %.1f %% of the points of the paths are on vessels" % (100 * on_vessels))
    assert lines.GetNumberOfCells() == len(tips) and on_vessels > 0.95
    save_data(paths, 1, os.path.join(folder, "retina_tree_%s.vtp" % model.replace(" ", "_").replace("-", "_").lower()))

    left = 1430 * column
    panel = PassArrays(Input=photograph, PointDataArrays=["JPEGImage"])
    shift(show_photograph(view, panel, "JPEGImage"), (left, 0))
    for seed, colour in enumerate(colours):
        tree = Threshold(Input=OutputPort(paths, 1), Scalars=["CELLS", "SeedId"], LowerThreshold=seed - 0.5,
                         UpperThreshold=seed + 0.5)
        show_lines(view, ExtractSurface(Input=tree), colour, 4, offset=(left, 0, 20))
    show_lines(view, line_source("Seeds", circles([s[:2] for s in seeds], 14)), white, 3, offset=(left, 0, 40))
    show_lines(view, line_source("Tips", circles([t[:2] for t in tips], 7)), black, 2, offset=(left, 0, 40))
    write(view, "%s, turning radius %d pixels" % (name, radius), [left + 705, -42], 28, white, "Center")
save_picture(view, os.path.join(folder, "retina_tree.png"))
