"""Checks the numbers that a playback saved: pvpython check_numbers.py FOLDER BASELINE.json [write]

Fails if they differ from the baseline. The baseline also gives the array and the files of image and lines ("field"), and the
relative tolerances (1e-4 by default). "write" stores the new numbers there.
"""
import json
import os
import sys

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOLegacy import vtkDataSetReader


def read(folder, name):
    reader = vtkDataSetReader()
    reader.SetFileName(os.path.join(folder, name))
    reader.ReadAllFieldsOn()
    reader.Update()
    return reader.GetOutput()


def numbers(folder, expected, field="TravelTime", image="travel_time.vtk", lines="paths.vtk"):
    image, lines = read(folder, image), read(folder, lines)
    values = vtk_to_numpy(image.GetPointData().GetArray(field))
    found = {"points": image.GetNumberOfPoints(), "unreached": int(np.isnan(values).sum()),
             "largest": float(np.nanmax(values)), "mean": float(np.nanmean(values))}
    for place in ("seeds", "probes"):
        found[place] = {at: float(values[image.FindPoint([float(x) for x in at.split()])]) for at in expected[place]}
    found["cells"] = {name: vtk_to_numpy(lines.GetCellData().GetArray(name)).tolist() for name in expected["cells"]}
    return found


def near(found, expected, tolerance):
    return np.shape(found) == np.shape(expected) and np.allclose(found, expected, rtol=tolerance, atol=1e-6)


def flat(tree, path=()):
    """Yields pairs of a name, such as "probes 0.5 0.2 0", and its value."""
    for name, value in tree.items():
        yield from flat(value, path + (name,)) if isinstance(value, dict) else [(" ".join(path + (name,)), value)]


with open(sys.argv[2]) as file:
    baseline = json.load(file)
expected = baseline["numbers"]
found = numbers(sys.argv[1], expected, *baseline.get("field", ()))
if sys.argv[3:] == ["write"]:
    with open(sys.argv[2], "w") as file:
        json.dump({**baseline, "numbers": found}, file, indent=1)
        file.write("\n")
    sys.exit(0)
found = dict(flat(found))
tolerance = lambda name: next((t for start, t in baseline["tolerance"].items() if name.startswith(start)), 1e-4)
wrong = [(name, value) for name, value in flat(expected) if not near(found[name], value, tolerance(name))]
for name, value in wrong:
    print(f"the numbers differ: {name} is {found[name]}, expected {value}")
sys.exit(1 if wrong else 0)
