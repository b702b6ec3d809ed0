"""Writes the images of the tests."""
import os
import sys

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOLegacy import vtkDataSetWriter


def write(name, arrays, spacing=1, origin=(0, 0, 0)):
    """Writes point arrays, [y, x] or [y, x, component], to the file on the command line, else to `name` in this folder, and exits.

    Integers are written as text, since the reader may take binary bytes for keywords.
    """
    ny, nx = next(iter(arrays.values())).shape[:2]
    image = vtkImageData()
    image.SetDimensions(nx, ny, 1)
    image.SetOrigin(*origin)
    image.SetSpacing(*np.broadcast_to(spacing, 3))
    for label, values in arrays.items():
        array = numpy_to_vtk(values.reshape(nx * ny, -1), deep=True)
        array.SetName(label)
        image.GetPointData().AddArray(array)

    writer = vtkDataSetWriter()
    writer.SetFileName(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), name))
    if all(np.issubdtype(values.dtype, np.integer) for values in arrays.values()):
        writer.SetFileTypeToASCII()
    else:
        writer.SetFileTypeToBinary()
    writer.SetInputData(image)
    sys.exit(0 if writer.Write() else 1)
