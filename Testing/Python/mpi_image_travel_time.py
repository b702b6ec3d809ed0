"""Isochrone Image Travel Time on several ranks: mpirun -np N pvbatch --sym mpi_image_travel_time.py FOLDER

See mpi_comparison.py.
"""
import os
import sys

from paraview import simple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mpi_comparison import Comparison, Failing, courtyard, rectilinear, resampled, run, scattered

EXTENT = [-20, 20, -15, 15, -10, 10]


def from_reader():
    return simple.IsochroneImageTravelTime(
        Input=courtyard(), SpeedArray=["POINTS", "cost"], SpeedType="Slowness", BarrierArray=["POINTS", "walls"],
        SeedPoints=[0.1, 0.1, 0, 0.1, 0.6, 0], TipPoints=[0.9, 0.1, 0, 0.9, 0.6, 0])


def from_wavelet():
    """A source that gives each rank its piece of an image whose extent does not start at 0."""
    return simple.IsochroneImageTravelTime(
        Input=simple.Wavelet(WholeExtent=EXTENT), SpeedArray=["POINTS", "RTData"], SeedPoints=[-15, -10, 0],
        TipPoints=[15, 10, 3, -10, 12, -8], Targets=scattered([(18, 1, 1), (3, 14, -9), (9, -9, 9)]))


def from_the_centre():
    """No seed is set, and each rank knows only the bounds of its piece."""
    wavelet = simple.Wavelet(WholeExtent=EXTENT)
    wavelet.UpdatePipeline()
    return simple.IsochroneImageTravelTime(Input=wavelet, SpeedArray=None, TipPoints=[15, 10, 0])


def from_resampled():
    return simple.IsochroneImageTravelTime(
        Input=resampled(EXTENT), SpeedArray=["POINTS", "RTData"], SeedPoints=[-15, -10, 0], TipPoints=[15, 10, 3])


def from_a_region():
    """The points of the seed are on several ranks."""
    return simple.IsochroneImageTravelTime(
        Input=simple.Wavelet(WholeExtent=EXTENT), SpeedArray=None, SeedType="Region",
        SeedRegionArray=["POINTS", "RTData"], SeedRegionRange=[240, 300], TipPoints=[15, 10, 3], BlankUnreached=1, StoppingTime=12)


def from_cells():
    """The cells around a point are on several ranks."""
    return simple.IsochroneImageTravelTime(
        Input=simple.PointDatatoCellData(Input=resampled(EXTENT)), SpeedArray=["CELLS", "RTData"], AverageCellData=1,
        SeedPoints=[-15, -10, 0], TipPoints=[15, 10, 3])


def from_tensors():
    """Components xx yy xy of a metric on a plane."""
    wavelet = simple.Wavelet(WholeExtent=[-20, 20, -15, 15, 0, 0])
    tensors = simple.Calculator(Input=wavelet, ResultArrayName="G", Function="(4 + 0.01 * RTData) * iHat + 9 * jHat + 3 * kHat")
    return simple.IsochroneImageTravelTime(
        Input=tensors, SpeedArray=["POINTS", "G"], SpeedType="Metric Tensor", SeedPoints=[-15, -10, 0, 12, 3, 0],
        TipPoints=[15, 10, 0, -10, 12, 0], ComputeTravelTimeTable=1)


def derivatives():
    """Each rank differentiates the whole image."""
    return simple.IsochroneImageTravelTime(
        Input=simple.Wavelet(WholeExtent=EXTENT), SpeedArray=["POINTS", "RTData"], SeedPoints=[-15, -10, 0], TipPoints=[15, 10, 3, -10, 12, -8],
        SourceFactoring="Additive", Order=2, ComputeSensitivity=1)


def derivatives_of_tensors():
    proxy = from_tensors()
    proxy.ComputeSensitivity = 1
    return proxy


def from_scattered_points():
    seeds = scattered([(-15, -10, 0), (12, 3, 5), (0, 14, -8)])
    tips = scattered([(15, 10, 3), (-10, 12, -8), (1, 1, 1), (-18, 9, 9)])
    return simple.IsochroneImageTravelTime(Input=simple.Wavelet(WholeExtent=EXTENT), SpeedArray=None, Seeds=seeds, Tips=tips)


def in_parts(**settings):
    return lambda: simple.IsochroneImageTravelTime(**{
        "Input": simple.Wavelet(WholeExtent=EXTENT), "SpeedArray": ["POINTS", "RTData"], "SeedPoints": [-15.3, -10, 0], **settings})


def rectilinear_grid(**settings):
    grid = rectilinear([2, 26, -3, 17, 0, 12], [(-20, 20), (-15, 15), (-10, 10)])
    return lambda: simple.IsochroneImageTravelTime(Input=grid, SpeedArray=["POINTS", "RTData"], SeedPoints=[-15.3, -10, 0],
                                                   TipPoints=[15, 10, 3, -10, 12, -8], **settings)


def whole_globe():
    """A slab of latitudes for each rank."""
    globe = rectilinear([2, 14, 0, 18, -5, 19], [(20, 60), (0, 180), (-180, 180)])
    return simple.IsochroneImageTravelTime(Input=globe, Coordinates="Spherical", SpeedArray=["POINTS", "RTData"], SeedPoints=[55, 20, 170],
                                           TipPoints=[40, 150, -160, 58, 3, 10], SeedRuns="Separate", ComputeTravelTimeTable=1)


def cell_parts():
    cells = simple.PointDatatoCellData(Input=simple.Wavelet(WholeExtent=EXTENT))
    return simple.IsochroneImageTravelTime(Input=cells, SpeedArray=["CELLS", "RTData"], AverageCellData=1, SeedPoints=[3, 3, 0])


def of_an_earlier_solve():
    settings = {"SourceFactoring": "Additive", "SeedPoints": [-15.3, -10, 0, 12, 3, 5]}
    return in_parts(Input=in_parts(**settings)(), GivenTravelTime=["POINTS", "TravelTime"], ComputeGradient=1, TipPoints=[15, 10, 3], **settings)()


def plane_parts():
    speed = simple.Calculator(Input=simple.Wavelet(WholeExtent=[-20, 20, 3, 3, -10, 10]), ResultArrayName="v",
                              Function="1 + 0.01 * coordsX * coordsX + 0.05 * coordsZ")
    return in_parts(Input=speed, SpeedArray=["POINTS", "v"], SeedPoints=[0, 3, 0])()


PARTS = {
    "parts": in_parts(ComputeGradient=1, ComputeUpdateCounts=1, CheckResidual=1),
    "parts factored": in_parts(SourceFactoring="Additive"),
    "parts of a plane": plane_parts, "parts of an earlier solve": of_an_earlier_solve,
    "parts from a level set": in_parts(SeedType="Level Set", SeedRegionArray=["POINTS", "RTData"], SeedIsoValue=157.5,
                                       TipPoints=[15, 10, 3]),
    "parts from a region": in_parts(SeedType="Region", SeedRegionArray=["POINTS", "RTData"], SeedRegionRange=[240, 300],
                                    BlankUnreached=1, StoppingTime=0.02, BarrierArray=["POINTS", "RTData"],
                                    BarrierMode="Range", BarrierRange=[100, 130]),
    "parts of cells": cell_parts,
    "parts from scattered points": lambda: in_parts(Seeds=scattered([(-15, -10, 0), (12, 3, 5), (0, 14, -8)], [0.5, 0.52, 0.5]))(),
}

PIPELINES = {
    "rectilinear": rectilinear_grid(), "globe": whole_globe,"reader": from_reader, "wavelet": from_wavelet, "centre": from_the_centre,
             "resampled": from_resampled, "region": from_a_region, "cells": from_cells, "tensors": from_tensors,
             "derivatives": derivatives, "derivatives of tensors": derivatives_of_tensors,
             "scattered": from_scattered_points, **PARTS}


def from_array(input_, name):
    return in_parts(Input=input_, SpeedArray=["POINTS", name])()


run(Comparison("IsochroneImageTravelTime", PIPELINES,
               images={0: ("TravelTime", "SeedId", "Reached", "TimeFromTargets", "TwoWayTime", "Connectivity", "SpeedSensitivity", "TensorSensitivity")},
               line_arrays=("Length", "SeedId"), tables={3: ("Seed", "Tip", "Length", "TravelTime")}, in_parts=set(PIPELINES) - {"reader", "resampled", "cells", "tensors", "derivatives", "derivatives of tensors", "rectilinear", "globe", "parts of an earlier solve"}, ulps=4,
               failing=Failing(EXTENT, from_array, "speed must be finite and not negative")))
