"""Writes lagoon.vtk, the image of the playback with a drift: pvpython makeLagoon.py [FILE].

Water flows out from the middle of two opposite quarters and towards the middle of the two others, as in section 3.4 of the paper.
"""
import numpy as np

from image_file import write

N = 61

y, x = np.mgrid[-1:1:N * 1j, -1:1:N * 1j]
speed = 0.6 * np.sin(np.pi * x) * np.sin(np.pi * y) / np.maximum(np.hypot(x, y), 1e-9)
current = np.stack([speed * x, speed * y, 0 * x], axis=-1).astype(np.float32)

write("lagoon.vtk", {"current": current}, (2 / (N - 1), 2 / (N - 1), 1), (-1, -1, 0))
