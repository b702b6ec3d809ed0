"""What catalyst_pipeline.py wrote equals the same pipeline run by one process: pvpython catalyst_check.py FOLDER."""
import os
import sys

import numpy as np
from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy

simple.LoadPlugin(os.environ["ISOCHRONE_PLUGIN"], remote=False, ns=vars(simple))
folder = sys.argv[1]

field = simple.XMLPartitionedImageDataReader(FileName=[os.path.join(folder, "field_0.pvti")])
paths = simple.XMLPartitionedPolydataReader(FileName=[os.path.join(folder, "paths_0.pvtp")])
wavelet = simple.Wavelet(WholeExtent=[-10, 10, -10, 10, 0, 0])
expected = simple.IsochroneCurvaturePaths(Input=wavelet, Model="Reeds-Shepp", TurningRadius=2, NumberOfHeadings=16,
                                          SeedPoints=[-8, -8, 0], TipPoints=[8, 8, 0])
for proxy in (field, paths, expected):
    proxy.UpdatePipeline()


def output(proxy, port=0):
    return proxy.GetClientSideObject().GetOutputDataObject(port)


assert output(field).GetExtent() == output(expected).GetExtent()
for name in ("TravelTime", "Heading"):
    np.testing.assert_array_equal(*(vtk_to_numpy(output(p).GetPointData().GetArray(name)) for p in (field, expected)))
assert output(paths).GetNumberOfCells() == output(expected, 1).GetNumberOfCells() == 1
np.testing.assert_array_equal(*(vtk_to_numpy(data.GetPoints().GetData()) for data in
                                (output(paths), output(expected, 1))))
