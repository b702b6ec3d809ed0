"""mpiexec -n N pvbatch --sym rank_costs.py CASE POINTS

Prints what a filter costs each rank, one line of JSON per rank: its memory beyond that before the filter ran, at most and in
the end (MiB), processor seconds, and the points that it requested and output. Needs ISOCHRONE_PLUGIN. Processor seconds include
waiting for other ranks. Run by distributed.py."""
import json
import os
import resource
import sys

from paraview import simple
from vtkmodules.vtkParallelCore import vtkMultiProcessController

simple.LoadPlugin(os.environ["ISOCHRONE_PLUGIN"], remote=False, ns=vars(simple))
CONTROLLER = vtkMultiProcessController.GetGlobalController()
CASE, POINTS = sys.argv[1], int(sys.argv[2])
ARRAY = ["POINTS", "RTData"]


def mebibytes(key):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith(key))


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def wavelet(depth):
    """Returns a source of positive values that gives any piece."""
    return simple.Wavelet(StandardDeviation=5, WholeExtent=[0, POINTS - 1, 0, POINTS - 1, 0, depth - 1])


def image_travel_time(source, tips):
    return simple.IsochroneImageTravelTime(Input=source, SpeedArray=ARRAY, SeedPoints=[POINTS // 2] * 3, TipPoints=tips,
                                           Backend="Host")


CASES = {
    "distance_transform": (lambda: wavelet(POINTS), lambda s: simple.IsochroneDistanceTransform(
        Input=s, SiteArray=ARRAY, Backend="Host")),
    "image_travel_time": (lambda: wavelet(POINTS), lambda s: image_travel_time(s, [])),
    "image_travel_time_with_a_tip": (lambda: wavelet(POINTS), lambda s: image_travel_time(s, [POINTS / 9] * 3)),
    "ray_tracing": (lambda: wavelet(POINTS), lambda s: simple.IsochroneRayTracing(
        Input=s, VelocityArray=ARRAY, Backend="Host")),
    "curvature_paths": (lambda: wavelet(1), lambda s: simple.IsochroneCurvaturePaths(
        Input=s, CostArray=ARRAY, TurningRadius=20, Backend="Host")),
    "curvature_paths_in_parts": (lambda: wavelet(1), lambda s: simple.IsochroneCurvaturePaths(
        Input=s, CostArray=ARRAY, TurningRadius=20, Backend="Host", StatesPerRank=1)),
    "oriented_cost": (lambda: wavelet(1), lambda s: simple.IsochroneOrientedCost(Input=s, IntensityArray=ARRAY)),
    "mesh_travel_time": (lambda: simple.Tetrahedralize(Input=wavelet(POINTS)), lambda s: simple.IsochroneMeshTravelTime(
        Input=s, SeedType="Points", Backend="Host")),
}

source = CASES[CASE][0]()
source.UpdatePipeline()
proxy = CASES[CASE][1](source)
CONTROLLER.Barrier()
with open("/proc/self/clear_refs", "w") as peak:
    peak.write("5")  # resets VmHWM
before, begin = mebibytes("VmRSS"), processor_seconds()
proxy.UpdatePipeline()
used = processor_seconds() - begin
requested, given = (p.GetClientSideObject().GetOutputDataObject(0) for p in (source, proxy))
costs = {"rank": CONTROLLER.GetLocalProcessId(), "peak": mebibytes("VmHWM") - before, "end": mebibytes("VmRSS") - before,
         "seconds": used, "requested": requested.GetNumberOfPoints(), "given": given.GetNumberOfPoints()}
if proxy.SMProxy.GetProperty("BytesTold"):
    proxy.UpdatePropertyInformation()
    costs |= {"exchanges": proxy.Exchanges, "told": proxy.BytesTold}
os.write(1, (json.dumps(costs) + "\n").encode())  # one write, so that the lines of the ranks do not mix
