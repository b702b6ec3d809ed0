"""Isochrone Oriented Cost on several ranks: mpirun -np N pvbatch --sym mpi_oriented_cost.py FOLDER

Each rank computes its piece, from the points around it that the filters reach. See mpi_comparison.py.
"""
import os
import sys

from paraview import simple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mpi_comparison import Comparison, courtyard, resampled, run

EXTENT = [-20, 20, -15, 15, 4, 4]
SETTINGS = {"IntensityArray": ["POINTS", "RTData"], "Widths": [1.5, 3], "Length": 4, "NumberOfHeadings": 12}


def from_reader():
    return simple.IsochroneOrientedCost(Input=courtyard(), IntensityArray=["POINTS", "cost"], MaskArray=["POINTS", "cost"],
                                        NumberOfHeadings=8)


def from_wavelet():
    """A source that gives each rank its piece of an image whose extent does not start at 0."""
    return simple.IsochroneOrientedCost(Input=simple.Wavelet(WholeExtent=EXTENT), **SETTINGS)


def from_resampled():
    return simple.IsochroneOrientedCost(Input=resampled(EXTENT), Polarity="Dark", **SETTINGS)


def in_another_plane():
    return simple.IsochroneOrientedCost(Input=simple.Wavelet(WholeExtent=[-20, 20, 3, 3, -10, 10]), **SETTINGS)


def with_more_headings_than_columns():
    """The pieces of the cost divide the headings, those of the image divide the plane."""
    return simple.IsochroneOrientedCost(Input=simple.Wavelet(WholeExtent=EXTENT), **{**SETTINGS, "NumberOfHeadings": 90})


# Larger than the reach of these filters, so that ranks need only parts of it.
LARGE = [-100, 100, 4, 4, -75, 75]
NARROW = {"IntensityArray": ["POINTS", "RTData"], "Widths": [1, 0.8], "Length": 1.5, "NumberOfHeadings": 10}


def in_parts():
    return simple.IsochroneOrientedCost(Input=simple.Wavelet(WholeExtent=LARGE), **NARROW)


def with_points_outside():
    """A disc as mask, and intensities that are not numbers above a line through it."""
    wavelet = simple.Wavelet(WholeExtent=LARGE)
    disc = simple.Calculator(Input=wavelet, ResultArrayName="disc", Function="coordsX^2 + coordsZ^2 < 4000")
    root = simple.Calculator(Input=disc, ResultArrayName="root", Function="RTData + sqrt(30 - coordsZ)",
                             ReplacementValue=float("nan"))
    return simple.IsochroneOrientedCost(Input=root, MaskArray=["POINTS", "disc"],
                                        **{**NARROW, "IntensityArray": ["POINTS", "root"]})


def from_a_source_that_gives_less():
    """Each rank has a slab of the image, whatever it is asked for."""
    return simple.IsochroneOrientedCost(Input=slabs(), **{**NARROW, "IntensityArray": ["POINTS", "a"]})


SLAB = """
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkParallelCore import vtkMultiProcessController
controller = vtkMultiProcessController.GetGlobalController()
ranks, rank = (controller.GetNumberOfProcesses(), controller.GetLocalProcessId()) if controller else (1, 0)
low, high = 90 * rank // ranks, 90 * (rank + 1) // ranks
out = self.GetOutputDataObject(0)
out.SetExtent(low, high, 0, 70, 0, 0)
i, j = np.arange(low, high + 1)[None, :], np.arange(71)[:, None]
array = numpy_to_vtk(((7 * i * i + 11 * j * i + 5 * j) % 101).astype(float).ravel(), deep=True)
array.SetName("a")
out.GetPointData().AddArray(array)
"""


def slabs():
    source = simple.ProgrammableSource(OutputDataSetType="vtkImageData", Script=SLAB)
    source.ScriptRequestInformation = \
        "self.GetExecutive().GetOutputInformation(0).Set(self.GetExecutive().WHOLE_EXTENT(), 0, 90, 0, 70, 0, 0)"
    return source


PIPELINES = {"reader": from_reader, "wavelet": from_wavelet, "resampled": from_resampled, "plane": in_another_plane,
             "headings": with_more_headings_than_columns, "parts": in_parts, "outside": with_points_outside,
             "less": from_a_source_that_gives_less}

run(Comparison("IsochroneOrientedCost", PIPELINES, images={0: ("Cost",), 1: ("LeastCost", "Heading")}, line_arrays=(),
               in_parts=("parts", "outside")))
