"""Writes vessels.vtk, the image of the playback with two filters in a row: pvpython makeVessels.py [FILE].

Bright vessels on a darker, uneven ground with noise: a straight one from left to right, and one that bends and crosses it.
"""
import os
import sys

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOLegacy import vtkDataSetWriter

NX, NY = 96, 72

y, x = np.mgrid[:NY, :NX].astype(float)
straight = (y - 20 - 0.3 * x) / np.hypot(1, 0.3)
bent = np.hypot(x - 20, y - 80) - 50  # an arc around (20, 80)
vessels = np.maximum(*[np.exp(-d**2 / (2 * 1.5**2)) for d in (straight, bent)])
ground = 60 + 20 * np.sin(x / 30) + np.random.default_rng(1).normal(0, 6, (NY, NX))
brightness = np.clip(np.round(ground + 90 * vessels), 0, 255).astype(np.uint8)

image = vtkImageData()
image.SetDimensions(NX, NY, 1)
array = numpy_to_vtk(brightness.ravel(), deep=True)
array.SetName("brightness")
image.GetPointData().AddArray(array)

writer = vtkDataSetWriter()
writer.SetFileName(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "vessels.vtk"))
writer.SetFileTypeToBinary()
writer.SetInputData(image)
sys.exit(0 if writer.Write() else 1)
