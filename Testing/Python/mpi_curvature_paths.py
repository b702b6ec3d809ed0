"""Isochrone Curvature Paths on several ranks: mpirun -np N pvbatch --sym mpi_curvature_paths.py FOLDER

See mpi_comparison.py.
"""
import os
import sys

from paraview import simple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mpi_comparison import RANKS, Comparison, Failing, courtyard, resampled, run, scattered


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
    """No point is equally far from two seeds: of these, the first one counts, and their order is that of the ranks."""
    seeds = scattered([(0.1, 0.1, 0), (0.11, 0.59, 0), (0.5, 0.41, 0)])
    tips = scattered([(0.9, 0.1, 0), (0.9, 0.6, 0), (0.5, 0.1, 0), (0.6, 0.7, 0)])
    return simple.IsochroneCurvaturePaths(
        Input=courtyard(), CostArray=None, WallArray=["POINTS", "walls"], Model="Elastica", NumberOfHeadings=24,
        Seeds=seeds, Tips=tips, SeedRuns="Separate", ComputeTravelTimeTable=1)


def from_drift():
    """A vehicle in a whirl, on a round trip; each rank reads its piece of the drift."""
    wavelet = simple.Wavelet(WholeExtent=[-20, 20, -15, 15, 0, 0])
    whirl = simple.Calculator(Input=wavelet, ResultArrayName="drift", Function="(coordsX*jHat - coordsY*iHat)/50")
    return simple.IsochroneCurvaturePaths(
        Input=whirl, CostArray=None, DriftArray=["POINTS", "drift"], VehicleSpeed=1.5, Route="Round Trip", AddMediumPaths=1,
        NumberOfHeadings=32, SeedPoints=[-15, -10, 0], SeedHeadings=[90], TipPoints=[15, 10, 0, -10, 12, 0])


def with_periodic_axes():
    return simple.IsochroneCurvaturePaths(
        Input=simple.Wavelet(WholeExtent=[-10, 10, -8, 8, 0, 0]), CostArray=["POINTS", "RTData"], Model="Dubins", TurningRadius=2.0,
        NumberOfHeadings=16, Accuracy="First Order", SeedPoints=[8, 6, 0], TipPoints=[-8, -6, 0, 3, -7, 0], PeriodicX=1, PeriodicY=1)


def in_parts(**properties):
    """Solves in parts on any number of ranks."""
    return simple.IsochroneCurvaturePaths(
        **{"StatesPerRank": 0, "NumberOfHeadings": 24, "Threads": 1, "CheckResidual": 1, **properties})


PLANE = [-31, 32, -25, 24, 0, 0]
TIPS = [28, -20, 0, -12, 22, 0, 4, 0, 0, 90, 90, 0]


def costs_and_walls():
    cost = simple.Calculator(Input=simple.Wavelet(WholeExtent=PLANE), ResultArrayName="cost", Function="1 + 0.005 * RTData")
    return simple.Calculator(Input=cost, ResultArrayName="walls", Function="(abs(coordsX - 4) < 1.5) * (coordsY < 10)")


def forward_in_parts():
    return in_parts(Input=costs_and_walls(), CostArray=["POINTS", "cost"], WallArray=["POINTS", "walls"], Model="Reeds-Shepp Forward",
                    Accuracy="First Order", TurningRadius=6, ComputeStateSpace=1, SeedPoints=[-24.2, -18, 0, 12, 20.4, 0],
                    SeedHeadings=[10], TipPoints=TIPS)


def late_starts():
    """Added to the start values, the times of all ranks together just fit into single precision, those of one rank do not."""
    return in_parts(Input=costs_and_walls(), CostArray=None, Model="Reeds-Shepp Forward", TurningRadius=6, ComputeStateSpace=1,
                    Seeds=scattered([(-28, -20, 0), (-27, 20, 0)], [6000, 6004.5]),
                    Tips=scattered([(28, -20, 0), (-12, 22, 0), (4, 20, 0)]))


def across_the_axes():
    """A plane whose axes are x and z."""
    wavelet = simple.Wavelet(WholeExtent=[-20, 20, 3, 3, -30, 31])
    cost = simple.Calculator(Input=wavelet, ResultArrayName="c", Function="10 + abs(RTData)")
    return in_parts(Input=cost, CostArray=["POINTS", "c"], Model="Elastica",
                    SeedPoints=[-14, 3, -22], SeedHeadings=[30], TipPoints=[15, 3, 20, -10, 3, 25])


def with_many_headings():
    """VTK divides the state space into ranges of headings, so every rank solves the whole."""
    return in_parts(Input=costs_and_walls(), CostArray=["POINTS", "cost"], Model="Reeds-Shepp Forward", Accuracy="First Order",
                    NumberOfHeadings=144, TurningRadius=6, ComputeStateSpace=1, SeedPoints=[-24, -18, 0], TipPoints=TIPS)


def dubins():
    return in_parts(Input=costs_and_walls(), CostArray=["POINTS", "cost"], WallArray=["POINTS", "walls"], Accuracy="Second Order",
                    TurningRadius=6, SeedPoints=[-24.2, -18, 0], TipPoints=TIPS)


def from_array(input_, name):
    return in_parts(Input=input_, CostArray=["POINTS", name], Model="Elastica", SeedPoints=[0, 0, 0])


PIPELINES = {"periodic": with_periodic_axes, "reader": from_reader, "wavelet": from_wavelet, "centre": from_the_centre,
             "resampled": from_resampled, "scattered": from_scattered_points,
             "drift": from_drift, "many headings": with_many_headings}
PARTS = {"wavelet": forward_in_parts, "late starts": late_starts, "across": across_the_axes, "Dubins": dubins}


class PartsComparison(Comparison):
    def compare(self, name, proxy, serial):
        super().compare(name, proxy, serial)
        proxy.UpdatePropertyInformation()
        divided = "parts" in proxy.BackendReason
        assert divided == (RANKS > 1), f"{name}: {proxy.BackendReason}"
        assert proxy.Residual < 1e-3, f"{name}: {proxy.Residual}"


run(Comparison("IsochroneCurvaturePaths", PIPELINES,
               images={0: ("TravelTime", "Heading", "SeedId", "Reached", "TrackDirection"), 2: ("TravelTime",)},
               line_arrays=("Energy", "SeedId"), tables={4: ("Seed", "Tip", "Length", "TravelTime")}))
sys.argv[1] += "_in_parts"
run(PartsComparison("IsochroneCurvaturePaths", PARTS,
                    images={0: ("TravelTime", "SeedId", "Reached"), 2: ("TravelTime",)},  # rounding decides between two headings
                    line_arrays=("TravelTime", "SeedId"), ulps=64,
                    failing=Failing(PLANE, from_array, "must be positive and finite")))
