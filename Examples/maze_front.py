"""A front in a maze with slow walls.

    pvpython Examples/maze_front.py [output folder]

The front starts at the lower left corner. It passes through each wall before it comes around its end, so fronts meet
behind the walls. Each panel stops the solve at a time, with the property Stopping Time; the white line is the front at
that time. The maze is taken from figure 6 of Jeong, Whitaker 2008, which shows the active list of their method instead
of stopped solves.
"""

import os

import numpy as np
from paraview.simple import *

from example_tools import *

n, walls, thickness, opening = 320, 4, 3, 24  # points
wall_speed = 0.012  # elsewhere 1
stops = [150, 300, 450, 600, 750, 900]


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

    size, gap = n - 1, 26
    view = flat_view([-12, 3 * size + 2 * gap + 12, -14, 2 * size + gap + 62], 1200, white)
    for number, stop in enumerate(stops):
        place = (number % 3 * (size + gap), (1 - number // 3) * (size + gap + 20))
        front = IsochroneImageTravelTime(
            Input=image, SpeedArray=["POINTS", "speed"], SeedPoints=[0, 0, 0], StoppingTime=stop
        )
        times = array_of(front, "TravelTime")
        reached = ~np.isnan(times)
        assert (reached == (last <= stop)).all() and (times[reached] == last[reached]).all()  # it only stops
        print("after %d: %.0f %% reached" % (stop, 100 * reached.mean()))
        show_field(view, front, "TravelTime", "Plasma (matplotlib)", [0, last.max()], 256, [0.87, 0.87, 0.89], place)
        edge = Contour(Input=full, ContourBy=["POINTS", "TravelTime"], Isosurfaces=[stop])
        show_lines(view, edge, white, 3, (*place, 1))
        ground = Contour(Input=image, ContourBy=["POINTS", "speed"], Isosurfaces=[0.5])
        show_lines(view, ground, black, 1, (*place, 2))
        write(view, "t = %d" % stop, [place[0], place[1] + size + 10], 26)
    save_picture(view, os.path.join(folder, "maze_front.png"))
