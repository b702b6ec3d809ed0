"""Writes vessels.vtk, the image of the playback with two filters in sequence: pvpython makeVessels.py [FILE].

Bright vessels on a darker, uneven background with noise: a straight one from left to right, and a bent one that crosses it.
"""
import numpy as np

from image_file import write

NX, NY = 96, 72

y, x = np.mgrid[:NY, :NX].astype(float)
straight = (y - 20 - 0.3 * x) / np.hypot(1, 0.3)
bent = np.hypot(x - 20, y - 80) - 50  # an arc around (20, 80)
vessels = np.maximum(*[np.exp(-d**2 / (2 * 1.5**2)) for d in (straight, bent)])
ground = 60 + 20 * np.sin(x / 30) + np.random.default_rng(1).normal(0, 6, (NY, NX))
brightness = np.clip(np.round(ground + 90 * vessels), 0, 255).astype(np.uint8)

write("vessels.vtk", {"brightness": brightness})
