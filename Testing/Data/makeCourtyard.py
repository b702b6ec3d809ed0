"""Writes courtyard.vtk, the image of the GUI, MPI and server tests: pvpython makeCourtyard.py [FILE]."""
import numpy as np

from image_file import write

NX, NY = 81, 61
H = 0.0125  # the courtyard is 1 by 0.75

x, y = np.meshgrid(np.arange(NX) * H, np.arange(NY) * H)
cost = 1 + 0.5 * np.sin(5 * x) ** 2 * np.cos(4 * y) ** 2
walls = np.zeros((NY, NX), np.uint8)
walls[0:41, 27] = 1  # two walls with a gap each, one pixel thick
walls[20:61, 54] = 1

write("courtyard.vtk", {"cost": cost.astype(np.float32), "walls": walls, "rooms": 1 - walls}, H)
