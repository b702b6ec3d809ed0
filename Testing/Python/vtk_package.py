"""Runs the README's example of the Python package, without ParaView's Python: python3 vtk_package.py README"""
import math
import re
import sys

import numpy as np

with open(sys.argv[1], encoding="utf-8") as file:
    section = file.read().split("\n## With VTK alone\n")[1].split("\n## ")[0]
example = {}
exec(re.search(r"```python\n(.*?)```", section, re.S)[1], example)
times, path = example["times"].reshape(51, 101), example["path"]

# The speed is 1 + (x + 101 y) / 5150. With a constant gradient the fastest path is an arc of a circle around a point of speed 0.
gradient, ends = math.hypot(1, 101) / 5150, [1 + (5 + 101 * 5) / 5150, 1 + (95 + 101 * 45) / 5150]
exact = math.acosh(1 + gradient ** 2 * (90 ** 2 + 40 ** 2) / (2 * ends[0] * ends[1])) / gradient
across = (90 * 101 - 40) / math.hypot(1, 101)  # from the seed to the tip, across the gradient
heights = [speed / gradient for speed in ends]
centre = (across ** 2 + heights[1] ** 2 - heights[0] ** 2) / (2 * across)
arc = math.hypot(centre, heights[0]) * (math.atan2(centre, heights[0]) + math.atan2(across - centre, heights[1]))
assert times[5, 5] == 0 and abs(times[45, 95] / exact - 1) < 0.01, (times[45, 95], exact)
assert np.allclose(path[0], (95, 45, 0)) and np.allclose(path[-1], (5, 5, 0)), path
length = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
assert abs(length / arc - 1) < 0.01, (length, arc)
assert not any(name.startswith("paraview") for name in sys.modules)
print("passed")
