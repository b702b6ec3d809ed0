"""One vessel of a retina, tracked through its crossings in a photograph.

    pvpython Examples/retina_vessels.py [output folder]

A vein sends a thin branch across an artery. With a weak penalty on curvature, the reversible Reeds-Shepp path
leaves the vein at its first crossing with the artery, and turns from the artery into the branch. With a strong
penalty, the forward Reeds-Shepp path and the elastica stay on the vein and its branch: one sharp bend instead of
three.

The cost depends on position and heading: it is small where the photograph shows a dark line along the heading.
The photograph is part of scikit-image (Debian package python3-skimage).
"""

import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

region = [400, 959, 0, 449, 0, 0]  # pixels of the photograph, y up
seed = [410, 235, 0]  # on the vein, pixels
tip = [845, 66, 0]  # on its thin branch, beyond the artery
headings = 60

# name, model, turning radius in pixels, colour
runs = [
    ("Reeds-Shepp reversible, weak penalty", "Reeds-Shepp", 5, [1.0, 1.0, 1.0]),
    ("Reeds-Shepp forward", "Reeds-Shepp Forward", 60, [1.0, 0.85, 0.1]),
    ("Elastica", "Elastica", 40, [0.15, 0.2, 1.0]),
]


folder = output_folder()
photograph, inside = retina(region)
cost = IsochroneOrientedCost(
    Input=inside,
    IntensityArray=["POINTS", "JPEGImage"],
    IntensityComponent=1,  # vessels show best in green
    Polarity="Dark",
    Widths=[1.5, 2.5, 4, 6],
    Length=9,
    HalfStrength=0.04,  # detects thin vessels too
    NumberOfHeadings=headings,
    MaskArray=["POINTS", "Inside"],
)
started = time.time()
cost.UpdatePipeline()
print("oriented cost: %d x %d x %d states, %.2f s" % (560, 450, headings, time.time() - started))

view = flat_view([400, 959, -82, 449], width=1400)
show_photograph(view, photograph, "JPEGImage")

for row, (name, model, radius, colour) in enumerate(runs):
    paths = IsochroneCurvaturePaths(
        Input=photograph,
        OrientedCost=cost,
        Model=model,
        TurningRadius=radius,
        SeedPoints=seed,
        TipPoints=tip,
    )
    started = time.time()
    paths.UpdatePipeline()
    summarise(paths, name, time.time() - started)
    file_name = model.replace(" ", "_").replace("-", "_").lower()
    save_data(paths, 1, os.path.join(folder, file_name + "_path.vtp"))
    save_data(paths, 0, os.path.join(folder, file_name + "_travel_time.vti"))

    if row < 2:
        show_cased_lines(view, OutputPort(paths, 1), colour, 12, offset=(0, 0, 1 + 10 * row))
    else:  # a thin line on the previous path, which it almost covers
        show_lines(view, OutputPort(paths, 1), colour, 6, offset=(0, 0, 1 + 10 * row))
    y = -20 - 22 * row
    show_lines(view, line_source("Legend", [[[412, y + 5, 0], [440, y + 5, 0]]]), colour, 12)
    write(view, "%s, turning radius %g pixels" % (name, radius), [448, y], 34, white)

show_lines(view, line_source("Ends", circles([seed[:2], tip[:2]], 7)), white, 4, offset=(0, 0, 40))
write(view, "seed", [seed[0] - 4, seed[1] - 34], 34, white, bold=True)
write(view, "tip", [tip[0] + 12, tip[1] - 4], 34, white, bold=True)
write(view, "vein", [765, 198], 34, white, italic=True)
write(view, "artery", [480, 285], 34, white, italic=True)
write(view, "artery", [630, 96], 34, white, italic=True)
write(view, "branch of the vein", [785, 150], 34, white, italic=True)
scale_bar(view, [850, -50, 0], [910, -50, 0], "60 pixels", white, 34)
save_picture(view, os.path.join(folder, "retina_vessels.png"))
