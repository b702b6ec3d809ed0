"""Isochrone Distance Transform on several ranks: mpirun -np N pvbatch --sym mpi_distance_transform.py FOLDER

With a maximum distance each rank solves its piece and some layers around it, otherwise the whole. See mpi_comparison.py.
"""
import os
import sys

from paraview import simple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mpi_comparison import Comparison, courtyard, resampled, run, scattered

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

CELLS = {"SiteArray": ["CELLS", "RTData"]}
PIPELINES = {
    "reader": from_reader, "wavelet": from_wavelet, "nothing": from_nothing_set,
    "near": within(2.5), "all": within(1000), "one layer": within(1, Region="Signed"),
    "inside": within(3, Region="Inside", BlankUnreached=1, DoublePrecision=1),
    "no sites here": within(2, SiteRange=[275, 300]),
    "resampled": within(3, lambda: resampled(EXTENT)), "cells": within(3, cells, **CELLS),
    "resampled cells": within(3, cells_of_a_source_that_ignores_what_it_is_asked, **CELLS),
    "cells without limit": within(0, cells, **CELLS),
    "plane": within(5, lambda: simple.Wavelet(WholeExtent=[-20, 20, 3, 3, -10, 10]), SiteRange=[-9, 0]),
    "scattered": lambda: within(6, TipPoints=[], Tips=scattered([(15, 10, 3), (-10, 12, -8), (1, 1, 1), (-18, 9, 9)]))(),
}

run(Comparison("IsochroneDistanceTransform", PIPELINES,
               images={0: ("Distance", "SquaredDistance", "NearestSite", "NearestLabel", "Reached")},
               line_arrays=("Distance", "NearestSite"),
               in_parts=("nothing", "near", "one layer", "inside", "no sites here", "cells", "plane", "scattered")))
