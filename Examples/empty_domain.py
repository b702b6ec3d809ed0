"""Shortest paths of the four models in an empty square.

    pvpython Examples/empty_domain.py [output folder]

One seed in the middle, heading right; 16 tips with random headings, the same for all models. Reeds-Shepp cars reverse
(cusps), forward ones turn on the spot at the ends, elasticae bend smoothly, Dubins paths are arcs and straight lines.
After figure 1 of Mirebeau, Gayraud, Barrere, Chen, Desquilbet 2022.
"""

import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

points, headings, turning_radius = 300, 96, 0.2
models = ["Reeds-Shepp", "Reeds-Shepp Forward", "Elastica", "Dubins"]

random = np.random.default_rng(1)
columns = np.linspace(-0.75, 0.75, 4)
tips = [(x, y, random.uniform(0, 360)) for y in columns for x in columns]

if __name__ == "__main__":
    folder = output_folder()
    spacing = 2 / (points - 1)
    square = image_source("Square", {"one": np.ones((points, points), np.float32)}, [spacing, spacing, 1], [-1, -1, 0])
    view = flat_view([-1.06, 3.21, -3.21, 1.2], width=1300, background=white)

    for number, model in enumerate(models):
        paths = IsochroneCurvaturePaths(
            Input=square,
            Model=model,
            TurningRadius=turning_radius,
            NumberOfHeadings=headings,
            SeedPoints=[0, 0, 0],
            SeedHeadings=[0],
            TipPoints=[coordinate for x, y, _ in tips for coordinate in (x, y, 0)],
            TipHeadings=[heading for _, _, heading in tips],
        )
        started = time.time()
        paths.UpdatePipeline()
        summarise(paths, model, time.time() - started)
        name = model.lower().replace("-", "_").replace(" ", "_")
        save_data(paths, 1, os.path.join(folder, "empty_%s_paths.vtp" % name))
        save_data(paths, 0, os.path.join(folder, "empty_%s_travel_time.vti" % name))

        place = (2.15 * (number % 2), -2.2 * (number // 2))
        show_field(view, paths, "TravelTime", "Linear YGB 1211g", [0, 3.2], 32, offset=place)
        show_lines(view, OutputPort(paths, 1), [0.1, 0.05, 0.15], 3.5, (*place, 1))
        show_lines(view, line_source("Tips", arrows(tips, 0.1)), [0.8, 0, 0.1], 4, (*place, 2))
        show_lines(view, line_source("Seed", arrows([(0, 0, 0)], 0.14)), [0, 0.3, 0.8], 6, (*place, 2))
        write(view, model, [place[0] - 1, place[1] + 1.04], 28, black, bold=True)
    save_picture(view, os.path.join(folder, "empty_domain.png"))
