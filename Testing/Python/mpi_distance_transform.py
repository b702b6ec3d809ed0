"""Isochrone Distance Transform on several ranks: mpirun -np N pvbatch --sym mpi_distance_transform.py FOLDER

Each rank solves its piece: with a maximum distance with some layers around it, otherwise together with the other ranks. See
mpi_comparison.py.
"""
import os
import sys

from paraview import simple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mpi_comparison import RANK, RANKS, Comparison, courtyard, data_of, rectilinear, resampled, run, scattered

EXTENT = [-20, 20, -15, 15, -10, 10]
SITES = {"SiteArray": ["POINTS", "RTData"], "SiteRange": [220, 300]}
TIPS = [15, 10, 3, -10, 12, -8, 0.25, 0.5, 0.75, -20, -15, -10]
BETWEEN_PIECES = [-0.25, -0.25, -0.25, 0.25, 0.5, 0.5, 0.5, 0.5, -0.5]


def from_reader():
    return simple.IsochroneDistanceTransform(Input=courtyard(), SiteArray=["POINTS", "walls"], SiteMode="Any Nonzero",
                                             Region="Signed", TipPoints=[0.9, 0.1, 0, 0.5, 0.6, 0])


def from_wavelet():
    """A source that gives each rank its piece of an image whose extent does not start at 0."""
    return simple.IsochroneDistanceTransform(Input=simple.Wavelet(WholeExtent=EXTENT), TipPoints=TIPS,
                                             ComputeNearestLabel=1, **SITES)


def within(distance, input_=None, **properties):
    return lambda: simple.IsochroneDistanceTransform(
        Input=input_() if input_ else simple.Wavelet(WholeExtent=EXTENT), MaximumDistance=distance,
        **{"TipPoints": TIPS + BETWEEN_PIECES, "ComputeNearestLabel": 1, **SITES, **properties})


def from_nothing_set():
    """No single rank knows the range of the sites."""
    return simple.IsochroneDistanceTransform(Input=simple.Wavelet(WholeExtent=EXTENT), MaximumDistance=4,
                                             TipPoints=TIPS)


def cells():
    return simple.PointDatatoCellData(Input=simple.Wavelet(WholeExtent=EXTENT))


def cells_of_a_source_that_ignores_what_it_is_asked():
    return simple.PointDatatoCellData(Input=resampled(EXTENT))

def together(**properties):
    """Without a maximum distance, so that distances cross all pieces."""
    return within(0, **properties)


LEVEL_SET = {"SiteMode": "Level Set", "IsoValue": 157.5, "Region": "Signed", "ExtendedArrays": ["RTData"], "ComputeNearestLabel": 0,
             "ComputeNearestSite": 0}


def to_sphere(distance, **properties):
    """To a surface that each rank is given a part of."""
    return lambda: within(distance, SiteMode="Surface", Surface=simple.Sphere(Radius=7.3, ThetaResolution=12), Region="Signed",
                          ComputeNearestLabel=0, ComputeNearestSite=0, **properties)()


CELLS = {"SiteArray": ["CELLS", "RTData"]}
PIPELINES = {
    "reader": from_reader, "wavelet": from_wavelet, "nothing": from_nothing_set,
    "near": within(2.5), "all": within(1000), "one layer": within(1, Region="Signed"),
    "inside": within(3, Region="Inside", BlankUnreached=1, DoublePrecision=1),
    "no sites here": within(2, SiteRange=[275, 300]),
    "resampled": within(3, lambda: resampled(EXTENT)), "cells": within(3, cells, **CELLS),
    "resampled cells": within(3, cells_of_a_source_that_ignores_what_it_is_asked, **CELLS),
    "cells without limit": within(0, cells, **CELLS),
    "one site": together(SiteRange=[276.5, 300], ComputeNearestLabel=0), "both": together(Region="Both"),
    "signed": together(Region="Signed", DoublePrecision=1), "without sites": together(SiteRange=[999, 1000], TipPoints=[]),
    "distance alone": together(ComputeNearestSite=0, ComputeNearestLabel=0, ComputeSquaredDistance=0),
    "plane without limit": within(0, lambda: simple.Wavelet(WholeExtent=[-20, 20, 3, 3, -10, 10]), SiteRange=[-9, 0]),
    "periodic": together(PeriodicX=1, PeriodicZ=1, Region="Both"), "periodic band": within(2.5, PeriodicY=1, UnwrapPaths=1),
    "rectilinear": within(0, lambda: rectilinear([2, 26, -3, 17, 0, 12], [(-20, 20), (-15, 15), (-10, 10)])),
    "rectilinear band": within(3, lambda: rectilinear([2, 26, -3, 17, 4, 4], [(-20, 20), (-15, 15), (0, 0)])),
    "resampled without limit": within(0, lambda: resampled(EXTENT)),
    "scattered together": lambda: together(TipPoints=[], Tips=scattered([(15, 10, 3), (-10, 12, -8), (1, 1, 1)]))(),
    "level set": together(**LEVEL_SET), "band": within(2.5, **LEVEL_SET), "cubic": together(**LEVEL_SET, Interpolation="Cubic"),
    "cubic band": within(3, **LEVEL_SET, Interpolation="Cubic"), "curve": within(
        0, lambda: simple.Wavelet(WholeExtent=[-20, 20, 3, 3, -10, 10]), **LEVEL_SET),
    "level set that nothing crosses": together(**{**LEVEL_SET, "IsoValue": 999}, ), "surface": to_sphere(0),
    "surface band": to_sphere(4),
    "plane": within(5, lambda: simple.Wavelet(WholeExtent=[-20, 20, 3, 3, -10, 10]), SiteRange=[-9, 0]),
    "scattered": lambda: within(6, TipPoints=[], Tips=scattered([(15, 10, 3), (-10, 12, -8), (1, 1, 1), (-18, 9, 9)]))(),
}


class DistanceComparison(Comparison):
    def main(self, folder, write):
        super().main(folder, write)
        if not write:
            self.an_abort_on_one_rank_stops_all()

    def an_abort_on_one_rank_stops_all(self):
        """Stops the last rank during the solve, before and between its exchanges. The next run must be correct."""
        for share in (0, 0.4):
            proxy = together()()
            algorithm = proxy.GetClientSideObject()
            if RANK == RANKS - 1:
                tag = algorithm.AddObserver(
                    "ProgressEvent", lambda *_: algorithm.GetProgress() >= share and algorithm.SetAbortExecute(1))
            algorithm.UpdatePiece(RANK, RANKS, 0)  # UpdatePipeline would run a stopped filter again, on that rank only
            assert data_of(proxy).GetNumberOfPoints() == 0, share
            if RANK == RANKS - 1:
                algorithm.RemoveObserver(tag)
                algorithm.SetAbortExecute(0)
            algorithm.Modified()
            algorithm.UpdatePiece(RANK, RANKS, 0)
            assert data_of(proxy).GetNumberOfPoints() > 0, share


run(DistanceComparison(
    "IsochroneDistanceTransform", PIPELINES,
    images={0: ("Distance", "SquaredDistance", "NearestSite", "NearestLabel", "ExtendedRTData", "Reached")},
    line_arrays=("Distance", "NearestSite"),
    in_parts=("wavelet", "nothing", "near", "one layer", "inside", "no sites here", "cells", "plane", "scattered",
              "cells without limit", "one site", "both", "signed", "without sites", "distance alone", "plane without limit",
              "scattered together", "level set", "band", "cubic band", "curve", "surface", "surface band")))
