"""A front in five kinds of speed.

    pvpython Examples/five_examples.py [output folder]

Cubes of 96 points per edge, 1 mm apart, shown at their middle slice: constant speed; three layers; random speed; a maze
of closed walls; the same maze with walls that the front passes slowly. Speeds are in mm/s. Each panel has its own range
of times. After figure 5 of Jeong, Whitaker 2008.
"""

import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

n = 96
middle, corner = [[n // 2] * 3], [[0, 0, z] for z in range(n)]
panels = [(0, 1), (1, 1), (2, 1), (0, 0), (1, 0)]  # column, row


def layers():
    """Returns speeds 1, 2 and 3, from bottom to top."""
    return np.broadcast_to(1.0 + np.arange(n) * 3 // n, (n, n, n)).swapaxes(1, 2)


def random_speed():
    """Returns smooth noise, clamped to 0.1 to 1."""
    frequency = np.meshgrid(np.fft.fftfreq(n), np.fft.fftfreq(n), np.fft.rfftfreq(n), indexing="ij")
    blur = np.exp(-2 * (np.pi * 2.5) ** 2 * sum(f**2 for f in frequency))
    noise = np.fft.irfftn(np.fft.rfftn(np.random.default_rng(3).standard_normal((n, n, n))) * blur, (n, n, n), (0, 1, 2))
    return np.clip(0.55 + 0.45 * noise / noise.std(), 0.1, 1)


def maze(wall_speed):
    """Returns four walls across x, open at alternating ends."""
    speed = np.ones((n, n, n))
    for number in range(4):
        x = (number + 1) * n // 5
        opening = slice(n - 8, n) if number % 2 == 0 else slice(0, 8)
        wall = np.ones(n, bool)
        wall[opening] = False
        speed[:, wall, x : x + 2] = wall_speed
    return speed


# Name, speed in mm/s, seeds, time between two lines in s.
examples = [
    ("constant: 1", np.ones((n, n, n)), middle, 4),
    ("layers: 1, 2, 3", layers(), middle, 2),
    ("random: 0.1 to 1", random_speed(), middle, 10),
    ("closed walls: 0", maze(0), corner, 20),
    ("slow walls: 0.03", maze(0.03), corner, 20),
]


def solve(name, speed, seeds, _):
    volume = image_source("Cube", {"speed": speed.astype(np.float32)})
    front = IsochroneImageTravelTime(Input=volume, SpeedArray=["POINTS", "speed"], SeedPoints=np.ravel(seeds))
    started = time.time()
    front.UpdatePipeline()
    print("%s: %.2f s" % (name, time.time() - started))
    return front


def check(times):
    """Checks distances at constant speed, earlier times in faster layers, and that slow walls beat closed ones."""
    k, j, i = np.indices((n, n, n), np.float32) - n // 2
    distance = np.sqrt(i**2 + j**2 + k**2)
    assert abs(times[0] - distance).max() < 1e-3
    assert (times[1] <= times[0] + 1e-3).all()
    assert (times[2] >= 0.999 * times[0]).all()
    inside = ~np.isnan(times[3])
    assert (times[4][inside] <= times[3][inside] * 1.0001).all() and (~inside).sum() > 0
    print("the far end of the maze: %.0f, through slow walls %.0f" % (times[3][0, 0, -1], times[4][0, 0, -1]))


if __name__ == "__main__":
    folder = output_folder()
    size, gap, panel = n - 1, 10, n + 26
    view = flat_view([-5, 3 * size + 2 * gap + 5, -5, panel + size + 27], 1200, white)
    fronts = [solve(*example) for example in examples]
    check([array_of(front, "TravelTime").reshape(n, n, n) for front in fronts])
    for (column, row), (name, _, _, interval), front in zip(panels, examples, fronts):
        place = (column * (size + gap), row * panel)
        times = array_of(front, "TravelTime").reshape(n, n, n)[n // 2]
        latest = np.nanmax(times)
        print("%s: 0 to %.1f s in the picture" % (name, latest))
        shown = image_source("Slice", {"share": times / latest})
        field = show_field(view, shown, "share", "Linear YGB 1211g", [0, 1], 256, [0.2, 0.2, 0.24], place)
        levels = list(np.arange(interval, latest, interval) / latest)
        curves = Contour(Input=shown, ContourBy=["POINTS", "share"], Isosurfaces=levels)
        show_lines(view, curves, [0.1, 0.05, 0.15], 1.5, (*place, 2))
        write(view, name, [place[0], place[1] + size + 14], 36)
        write(view, "a line every %g s" % interval, [place[0], place[1] + size + 4], 30)
    field_bar(view, field, "share", "time / latest time", [0, 0.5, 1], position=(0.7, 0.25), length=0.25, size=36)
    write(view, "speeds in mm/s", [2 * (size + gap), size + 14], 36)
    scale_bar(view, [2 * (size + gap) + 20, 20, 0], [2 * (size + gap) + 70, 20, 0], "50 mm", size=36)
    save_picture(view, os.path.join(folder, "five_examples.png"))
