"""The numbers of what a playback saved: pvpython check_numbers.py FOLDER BASELINE.json [write]

Fails if they differ from the baseline; "write" makes a new one.
"""
import json
import os
import sys

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOLegacy import vtkDataSetReader

SEEDS = ((0.1, 0.1, 0), (0.1, 0.6, 0))
PROBES = ((0.05, 0.7, 0), (0.5, 0.2, 0), (0.9, 0.1, 0), (0.9, 0.6, 0))
TOLERANCE = {"Energy": 1e-2, "Length": 1e-2}  # relative; the travel times are those of one discrete solution


def read(folder, name):
    reader = vtkDataSetReader()
    reader.SetFileName(os.path.join(folder, name))
    reader.ReadAllFieldsOn()
    reader.Update()
    return reader.GetOutput()


def numbers(folder):
    image, paths = read(folder, "travel_time.vtk"), read(folder, "paths.vtk")
    travel_time = vtk_to_numpy(image.GetPointData().GetArray("TravelTime"))
    cells = {name: vtk_to_numpy(paths.GetCellData().GetArray(name)).tolist() for name in ("SeedId", "Energy", "Length")}
    return {"points": image.GetNumberOfPoints(), "unreached": int(np.isnan(travel_time).sum()),
            "largest": float(np.nanmax(travel_time)), "mean": float(np.nanmean(travel_time)),
            "seeds": [float(travel_time[image.FindPoint(p)]) for p in SEEDS],
            "probes": [float(travel_time[image.FindPoint(p)]) for p in PROBES], **cells}


found = numbers(sys.argv[1])
if sys.argv[3:] == ["write"]:
    with open(sys.argv[2], "w") as file:
        json.dump(found, file, indent=1)
    sys.exit(0)
with open(sys.argv[2]) as file:
    expected = json.load(file)
wrong = [name for name in expected if np.shape(found[name]) != np.shape(expected[name])
         or not np.allclose(found[name], expected[name], rtol=TOLERANCE.get(name, 1e-4), atol=1e-6)]
for name in wrong:
    print(f"the numbers differ: {name} is {found[name]}, expected {expected[name]}")
sys.exit(1 if wrong else 0)
