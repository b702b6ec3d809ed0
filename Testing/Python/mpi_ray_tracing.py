"""Isochrone Ray Tracing on several ranks: mpirun -np N pvbatch --sym mpi_ray_tracing.py FOLDER

See mpi_comparison.py.
"""
import os
import sys

from paraview import simple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mpi_comparison import Comparison, courtyard, resampled, run, scattered

EXTENT = [-12, 12, -9, 9, -6, 6]
VELOCITY = {"VelocityArray": ["POINTS", "RTData"], "Radius": [2, 2, 2]}
SHOTS, GEOPHONES = [-9, -6, 0, 8.5, 3.25, 5], [9, 6, 3, -6, 7, -5, 0.25, 0.5, 0.75, -12, -9, -6]


def wavelet(**properties):
    """A source that gives each rank its piece of an image whose extent does not start at 0."""
    return simple.IsochroneRayTracing(Input=simple.Wavelet(WholeExtent=EXTENT),
                                      **{"SourcePoints": SHOTS, "ReceiverPoints": GEOPHONES, **VELOCITY, **properties})


def from_reader():
    return simple.IsochroneRayTracing(
        Input=courtyard(), VelocityArray=["POINTS", "cost"], VelocityType="Slowness", BarrierArray=["POINTS", "walls"],
        SourcePoints=[0.1, 0.1, 0, 0.1, 0.6, 0], ReceiverPoints=[0.9, 0.1, 0, 0.9, 0.6, 0])


def from_the_centre():
    """No source is set, and each rank knows only the bounds of its piece."""
    image = simple.Wavelet(WholeExtent=EXTENT)
    image.UpdatePipeline()
    return simple.IsochroneRayTracing(Input=image, VelocityArray=None, ReceiverPoints=[9, 6, 0], Radius=[1, 1, 1])


def from_resampled():
    return simple.IsochroneRayTracing(Input=resampled(EXTENT), SourcePoints=SHOTS, ReceiverPoints=GEOPHONES,
                                      ComputeRayMatrix=1, **VELOCITY)


def from_cells():
    return simple.IsochroneRayTracing(
        Input=simple.PointDatatoCellData(Input=resampled(EXTENT)), VelocityArray=["CELLS", "RTData"], WeightRule="Cells",
        Radius=[1, 1, 1], SourcePoints=SHOTS, ReceiverPoints=GEOPHONES, ComputeRayMatrix=1)


def from_scattered_points():
    """Sources and receivers are distributed over the ranks."""
    return wavelet(Sources=scattered([(-9, -6, 0), (7, 3, 5), (0, 8, -6)]),
                   Receivers=scattered([(9, 6, 3), (-6, 7, -5), (1, 1, 1), (-11, 8, 6)]), ComputeSourceId=1)


def steps_of_scattered_points():
    """The number of time steps requires the sources of all ranks."""
    proxy = wavelet(Sources=scattered([(-9, -6, 0), (7, 3, 5), (0, 8, -6)]), SourceRuns="Time Steps")
    proxy.UpdatePipelineInformation()
    proxy.SMProxy.UpdatePropertyInformation()
    assert list(proxy.TimestepValues) == [0, 1, 2]
    return proxy


def reflected():
    image = simple.Wavelet(WholeExtent=EXTENT)
    layers = simple.Calculator(Input=image, ResultArrayName="layer", Function="coordsZ > -4")
    return simple.IsochroneRayTracing(Input=layers, SourcePoints=[-9, -6, 2], ReceiverPoints=[9, 6, 3, -6, 7, 5],
                                      Interface="Label Boundary", InterfaceArray=["POINTS", "layer"], StayInLabel=1,
                                      ComputeRayMatrix=1, **VELOCITY)


PIPELINES = {"reader": from_reader, "wavelet": lambda: wavelet(ComputePredecessor=1, ComputeRayMatrix=1),
             "separate": lambda: wavelet(SourceRuns="Separate", ReceiverPoints=GEOPHONES[:3]), "centre": from_the_centre,
             "resampled": from_resampled, "cells": from_cells, "scattered": from_scattered_points,
             "steps": steps_of_scattered_points, "reflected": reflected}

run(Comparison("IsochroneRayTracing", PIPELINES,
               images={0: ("TravelTime", "TravelTime0", "TravelTime1", "ReflectedTravelTime", "Predecessor", "SourceId", "Reached")},
               line_arrays=("Length", "SourceId", "TravelTime"), line_id="ReceiverId",
               tables={2: ("RowId", "ElementId", "Weight")}))
