"""A front in a maze with slow walls.

    pvpython Examples/maze_front.py [output folder]

The points are 1 mm apart, and the front moves 1 mm/s, in walls 0.012 mm/s. It starts at the lower left corner. It
passes through each wall before it comes around its end, so fronts meet behind the walls. Each panel stops the solve at a
time, with the property Stopping Time; the white line is the front at that time. The maze is taken from figure 6 of
Jeong, Whitaker 2008, which shows the active list of their method instead of stopped solves.
"""

import os

import numpy as np
from paraview.simple import *

from example_tools import *

n, walls, thickness, opening = 320, 4, 3, 24  # points, 1 mm apart
wall_speed = 0.012  # mm/s, elsewhere 1
stops = [150, 300, 450, 600, 750, 900]  # s


def maze():
    """Returns the speed, [y, x]: walls across x, open at alternating ends."""
    speed = np.ones((n, n), np.float32)
    for number in range(walls):
        x = (number + 1) * n // (walls + 1)
        shut = slice(0, n - opening) if number % 2 == 0 else slice(opening, n)
        speed[shut, x : x + thickness] = wall_speed
    return speed


if __name__ == "__main__":
    folder = output_folder()
    speed = maze()
    image = image_source("Maze", {"speed": speed})
    full = IsochroneImageTravelTime(Input=image, SpeedArray=["POINTS", "speed"], SeedPoints=[0, 0, 0])
    last = array_of(full, "TravelTime")
    print("the front has passed the maze after %.0f" % last.max())

    size, gap, panel = n - 1, 26, 380
    view = flat_view([-12, 3 * size + 2 * gap + 12, -170, panel + size + 60], 1200, white)
    for number, stop in enumerate(stops):
        place = (number % 3 * (size + gap), (1 - number // 3) * panel)
        front = IsochroneImageTravelTime(
            Input=image, SpeedArray=["POINTS", "speed"], SeedPoints=[0, 0, 0], StoppingTime=stop
        )
        times = array_of(front, "TravelTime")
        reached = ~np.isnan(times)
        assert (reached == (last <= stop)).all() and (times[reached] == last[reached]).all()  # it only stops
        print("after %d: %.0f %% reached" % (stop, 100 * reached.mean()))
        passed = show_field(view, front, "TravelTime", "Plasma (matplotlib)", [0, 1200], 256, [0.85, 0.85, 0.87], place)
        ground = Contour(Input=image, ContourBy=["POINTS", "speed"], Isosurfaces=[0.5])
        show_lines(view, ground, [0.3, 0.3, 0.35], 2, (*place, 1))
        edge = Contour(Input=full, ContourBy=["POINTS", "TravelTime"], Isosurfaces=[stop])
        show_cased_lines(view, edge, white, 3, offset=(*place, 10))
        write(view, "t = %d s" % stop, [place[0], place[1] + size + 12], 38)
    field_bar(view, passed, "TravelTime", "travel time (s)", [0, 400, 800, 1200], position=(0.55, 0.03), size=36)
    scale_bar(view, [0, -70, 0], [200, -70, 0], "200 mm", size=36)
    save_picture(view, os.path.join(folder, "maze_front.png"))
