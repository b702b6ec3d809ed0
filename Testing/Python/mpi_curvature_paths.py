"""Isochrone Curvature Paths on several ranks: mpirun -np N pvbatch --sym mpi_curvature_paths.py FOLDER

See mpi_comparison.py.
"""
import os
import sys

from paraview import simple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mpi_comparison import Comparison, courtyard, resampled, run, scattered


def from_reader():
    return simple.IsochroneCurvaturePaths(
        Input=courtyard(), CostArray=["POINTS", "cost"], WallArray=["POINTS", "walls"], ComputeStateSpace=1,
        SeedPoints=[0.1, 0.1, 0, 0.1, 0.6, 0], SeedHeadings=[0, 90], TipPoints=[0.9, 0.1, 0, 0.9, 0.6, 0])


def from_wavelet():
    """A source that gives each rank its piece of an image whose extent does not start at 0."""
    wavelet = simple.Wavelet(WholeExtent=[-20, 20, -15, 15, 0, 0])
    return simple.IsochroneCurvaturePaths(
        Input=wavelet, CostArray=["POINTS", "RTData"], Model="Reeds-Shepp", ComputeStateSpace=1, NumberOfHeadings=32,
        SeedPoints=[-15, -10, 0], TipPoints=[15, 10, 0, -10, 12, 0])


def from_the_centre():
    """No seed is set, and each rank knows only the bounds of its piece."""
    wavelet = simple.Wavelet(WholeExtent=[-20, 20, -15, 15, 0, 0])
    wavelet.UpdatePipeline()
    return simple.IsochroneCurvaturePaths(Input=wavelet, CostArray=None, NumberOfHeadings=32, TipPoints=[15, 10, 0])


def from_resampled():
    return simple.IsochroneCurvaturePaths(
        Input=resampled([-20, 20, -15, 15, 0, 0]), CostArray=["POINTS", "RTData"], Model="Reeds-Shepp Forward",
        NumberOfHeadings=32, SeedPoints=[-15, -10, 0], TipPoints=[15, 10, 0])


def from_scattered_points():
    seeds = scattered([(0.1, 0.1, 0), (0.1, 0.6, 0), (0.5, 0.4, 0)])
    tips = scattered([(0.9, 0.1, 0), (0.9, 0.6, 0), (0.5, 0.1, 0), (0.6, 0.7, 0)])
    return simple.IsochroneCurvaturePaths(
        Input=courtyard(), CostArray=None, WallArray=["POINTS", "walls"], Model="Elastica", NumberOfHeadings=24,
        Seeds=seeds, Tips=tips)


def from_drift():
    """A vehicle in a whirl, on a round trip; each rank reads its piece of the drift."""
    wavelet = simple.Wavelet(WholeExtent=[-20, 20, -15, 15, 0, 0])
    whirl = simple.Calculator(Input=wavelet, ResultArrayName="drift", Function="(coordsX*jHat - coordsY*iHat)/50")
    return simple.IsochroneCurvaturePaths(
        Input=whirl, CostArray=None, DriftArray=["POINTS", "drift"], VehicleSpeed=1.5, Route="Round Trip", AddMediumPaths=1,
        NumberOfHeadings=32, SeedPoints=[-15, -10, 0], SeedHeadings=[90], TipPoints=[15, 10, 0, -10, 12, 0])


PIPELINES = {"reader": from_reader, "wavelet": from_wavelet, "centre": from_the_centre,
             "resampled": from_resampled, "scattered": from_scattered_points,
             "drift": from_drift}

run(Comparison("IsochroneCurvaturePaths", PIPELINES,
               images={0: ("TravelTime", "Heading", "SeedId", "Reached", "TrackDirection"), 2: ("TravelTime",)},
               line_arrays=("Energy", "SeedId")))
