"""Isochrone Oriented Cost on several ranks: mpirun -np N pvbatch --sym mpi_oriented_cost.py FOLDER

See mpi_comparison.py.
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


run(Comparison("IsochroneOrientedCost", {"reader": from_reader, "wavelet": from_wavelet, "resampled": from_resampled,
                                         "plane": in_another_plane},
               images={0: ("Cost",), 1: ("LeastCost", "Heading")}, line_arrays=()))
