"""Writes lagoon.vtk, the image of the playback with a drift: pvpython makeLagoon.py [FILE].

Water that flows out from the middle of two opposite quarters and in to that of the others, the case of the paper, section 3.4.
"""
import os
import sys

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOLegacy import vtkDataSetWriter

N = 61

y, x = np.mgrid[-1:1:N * 1j, -1:1:N * 1j]
speed = 0.6 * np.sin(np.pi * x) * np.sin(np.pi * y) / np.maximum(np.hypot(x, y), 1e-9)
current = np.stack([speed * x, speed * y, 0 * x], axis=-1).astype(np.float32)

image = vtkImageData()
image.SetDimensions(N, N, 1)
image.SetOrigin(-1, -1, 0)
image.SetSpacing(2 / (N - 1), 2 / (N - 1), 1)
array = numpy_to_vtk(current.reshape(-1, 3), deep=True)
array.SetName("current")
image.GetPointData().AddArray(array)

writer = vtkDataSetWriter()
writer.SetFileName(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "lagoon.vtk"))
writer.SetFileTypeToBinary()
writer.SetInputData(image)
sys.exit(0 if writer.Write() else 1)
