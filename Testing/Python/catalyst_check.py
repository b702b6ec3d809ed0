"""Compares the files of catalyst_pipeline.py with serial runs of its pipelines: pvpython catalyst_check.py FOLDER STEPS"""
import math
import os
import sys

import numpy as np
from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from catalyst_filters import FILTERS

simple.LoadPlugin(os.environ["ISOCHRONE_PLUGIN"], remote=False, ns=vars(simple))


def output(proxy, port=0):
    proxy.UpdatePipeline()
    return proxy.GetClientSideObject().GetOutputDataObject(port)


def assert_equal(found, expected, values):
    np.testing.assert_array_equal(*(vtk_to_numpy(values(data)) for data in (found, expected)))


def check(build, arrays, folder, step):
    start = os.path.join(folder, build.__name__)
    simulated = simple.Wavelet(WholeExtent=[-20, 20] * 3, Maximum=255 + 200 * math.sin(step))  # as in the simulation
    expected = build(simulated)
    field = output(simple.XMLPartitionedImageDataReader(FileName=[f"{start}_field_{step}.pvti"]))
    assert field.GetExtent() == output(expected).GetExtent()
    for name in arrays:
        assert_equal(field, output(expected), lambda data: data.GetPointData().GetArray(name))
    paths = output(simple.XMLPartitionedPolydataReader(FileName=[f"{start}_paths_{step}.pvtp"]))
    assert paths.GetNumberOfCells() == output(expected, 1).GetNumberOfCells() == 1
    assert_equal(paths, output(expected, 1), lambda data: data.GetPoints().GetData())


for step in range(int(sys.argv[2])):
    for build, arrays in FILTERS.items():
        check(build, arrays, sys.argv[1], step)
