"""A front in five kinds of speed.

    pvpython Examples/five_examples.py [output folder]

Cubes of 96 points per edge, shown at their middle slice: constant speed; three layers; random speed; a maze of closed
walls; the same maze with walls that the front passes slowly. After figure 5 of Jeong, Whitaker 2008.
"""

import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

n = 96
middle, corner = [[n // 2] * 3], [[0, 0, z] for z in range(n)]
panels = [(0, 1), (1, 1), (2, 1), (0.5, 0), (1.5, 0)]  # column, row


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


examples = [
    ("1  constant speed", np.ones((n, n, n)), middle),
    ("2  layers of speed 1, 2, 3", layers(), middle),
    ("3  random speed, 0.1 to 1", random_speed(), middle),
    ("4  maze", maze(0), corner),
    ("5  maze, walls of speed 0.03", maze(0.03), corner),
]


def solve(name, speed, seeds):
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
    size, gap = n - 1, 16
    view = flat_view([-8, 3 * size + 2 * gap + 8, -10, 2 * size + gap + 18], 1200, white)
    fronts = [solve(*example) for example in examples]
    check([array_of(front, "TravelTime").reshape(n, n, n) for front in fronts])
    for (column, row), (name, _, _), front in zip(panels, examples, fronts):
        place = (column * (size + gap), row * (size + gap))
        shown = ExtractSubset(Input=front, VOI=[0, size, 0, size, n // 2, n // 2])
        latest = np.nanmax(array_of(shown, "TravelTime"))
        levels = list(np.linspace(0, latest, 21)[1:-1])
        show_field(view, shown, "TravelTime", "Linear YGB 1211g", [0, latest], 256, [0.2, 0.2, 0.24], (*place, -n // 2))
        curves = Contour(Input=shown, ContourBy=["POINTS", "TravelTime"], Isosurfaces=levels)
        show_lines(view, curves, [0.1, 0.05, 0.15], 1.5, (*place, 2 - n // 2))
        write(view, name, [place[0], place[1] + size + 4], 24)
    save_picture(view, os.path.join(folder, "five_examples.png"))
