"""Isochrone Ray Tracing on several ranks: mpirun -np N pvbatch --sym mpi_ray_tracing.py FOLDER

See mpi_comparison.py.
"""
import os
import sys

from paraview import simple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mpi_comparison import Comparison, Failing, courtyard, resampled, run, scattered

EXTENT = [-12, 12, -9, 9, -6, 6]
VELOCITY = {"VelocityArray": ["POINTS", "RTData"], "Radius": [2, 2, 2]}
SHOTS, GEOPHONES = [-9, -6, 0, 8.5, 3.25, 5], [9, 6, 3, -6, 7, -5, 0.25, 0.5, 0.75, -12, -9, -6]


def wavelet(**properties):
    """A source that gives each rank its piece of an image whose extent does not start at 0."""
    return simple.IsochroneRayTracing(**{"Input": simple.Wavelet(WholeExtent=EXTENT), "SourcePoints": SHOTS,
                                         "ReceiverPoints": GEOPHONES, **VELOCITY, **properties})


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


def from_cells_beside_a_plane():
    """Of three ranks, the last one gets a plane of points. Its cells are not cells of the volume."""
    return simple.IsochroneRayTracing(
        Input=simple.PointDatatoCellData(Input=resampled([-3, 3, -3, 3, -2, 2])), VelocityArray=["CELLS", "RTData"],
        WeightRule="Cells", Radius=[1, 1, 1], SourcePoints=[-3, -3, -2], ReceiverPoints=[3, 3, 2])


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


def late_starts():
    """Added to the start values, the times of all ranks together just fit into single precision, those of one rank do not."""
    return wavelet(VelocityArray=None, Sources=scattered([(-12, -9, -6), (-11, 8, 5)], [2820, 2830]))


def reflected():
    image = simple.Wavelet(WholeExtent=EXTENT)
    layers = simple.Calculator(Input=image, ResultArrayName="layer", Function="coordsZ > -4")
    return simple.IsochroneRayTracing(Input=layers, SourcePoints=[-9, -6, 2], ReceiverPoints=[9, 6, 3, -6, 7, 5],
                                      Interface="Label Boundary", InterfaceArray=["POINTS", "layer"], StayInLabel=1,
                                      ComputeRayMatrix=1, **VELOCITY)


def plane():
    """A plane across the axes, with blanked points."""
    velocity = simple.Calculator(Input=simple.Wavelet(WholeExtent=[-20, 20, 3, 3, -10, 10]), ResultArrayName="v",
                                 Function="1 + 0.01 * coordsX * coordsX + 0.05 * coordsZ")
    return wavelet(Input=velocity, VelocityArray=["POINTS", "v"], BarrierArray=["POINTS", "RTData"], BarrierMode="Range",
                   BarrierRange=[100, 110], SourcePoints=[0, 3, 0, 15.3, 3, -7], Template="Balanced 48", ComputeSourceId=1,
                   ReceiverPoints=[-18, 3, 9, 18.2, 3, 9.1, 3, 3, 3], ComputePredecessor=1, DoublePrecision=1)


def cell_parts():
    cells = simple.PointDatatoCellData(Input=simple.Wavelet(WholeExtent=EXTENT))
    return wavelet(Input=cells, VelocityArray=["CELLS", "RTData"], WeightRule="Cells", Template="Full", Radius=[1, 2, 1],
                   ComputeRayMatrix=1)


def tilted():
    """A tilted medium, with angles by an array."""
    small = simple.Calculator(Input=simple.Wavelet(WholeExtent=EXTENT), ResultArrayName="small", Function="RTData/1000")
    return wavelet(Input=small, VelocityType="TTI", EpsilonArray=["POINTS", "small"], Delta=0.1, TiltArray=["POINTS", "RTData"],
                   Azimuth=20, ComputeRayMatrix=1, ComputePredecessor=1)


def random_paths():
    """Every rank computes the probabilities of the whole image."""
    return wavelet(ComputePathProbability=1, Temperature=1e-4)


PIPELINES = {"plane": plane, "tilted": tilted, "cell parts": cell_parts, "reader": from_reader, "wavelet": lambda: wavelet(ComputePredecessor=1, ComputeRayMatrix=1),
             "separate": lambda: wavelet(SourceRuns="Separate", ReceiverPoints=GEOPHONES[:3]), "centre": from_the_centre,
             "resampled": from_resampled, "cells": from_cells, "plane of cells": from_cells_beside_a_plane,
             "scattered": from_scattered_points,
             "periodic": lambda: wavelet(PeriodicX=1, PeriodicZ=1, ComputeRayMatrix=1, UnwrapPaths=1), "late starts": late_starts, "random paths": random_paths, "steps": steps_of_scattered_points, "reflected": reflected}


def from_array(input_, name):
    return wavelet(Input=input_, VelocityArray=["POINTS", name])


run(Comparison("IsochroneRayTracing", PIPELINES,
               images={0: ("TravelTime", "TravelTime0", "TravelTime1", "ReflectedTravelTime", "Predecessor", "SourceId", "Reached", "PathProbability")},
               line_arrays=("Length", "SourceId", "TravelTime"), line_id="ReceiverId",
               tables={2: ("Leg", "RowId", "ElementId", "Weight")}, in_parts=set(PIPELINES) - {"reader", "resampled", "cells", "plane of cells", "periodic", "random paths"},
               failing=Failing(EXTENT, from_array, "velocity must be finite and not negative")))
