"""Writes courtyard.vtk, the image of the GUI, MPI and server tests: pvpython makeCourtyard.py [FILE]."""
import os
import sys

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOLegacy import vtkDataSetWriter

NX, NY = 81, 61
H = 0.0125  # the courtyard is 1 by 0.75

x, y = np.meshgrid(np.arange(NX) * H, np.arange(NY) * H)
cost = 1 + 0.5 * np.sin(5 * x) ** 2 * np.cos(4 * y) ** 2
walls = np.zeros((NY, NX), np.uint8)
walls[0:41, 27] = 1  # two walls with a gap each, one pixel thick
walls[20:61, 54] = 1

image = vtkImageData()
image.SetDimensions(NX, NY, 1)
image.SetSpacing(H, H, H)
for name, values in (("cost", cost.astype(np.float32)), ("walls", walls)):
    array = numpy_to_vtk(values.ravel(), deep=True)
    array.SetName(name)
    image.GetPointData().AddArray(array)

writer = vtkDataSetWriter()
writer.SetFileName(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "courtyard.vtk"))
writer.SetFileTypeToBinary()
writer.SetInputData(image)
sys.exit(0 if writer.Write() else 1)
