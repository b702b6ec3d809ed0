"""The memory of a node that four ranks share, and ranks without memory: mpirun -np 4 pvbatch --sym mpi_memory.py

In the tests of the shared memory, costs have far more headings than rows and columns. VTK divides the longest axis, so each rank
has all rows and columns.
"""
import ctypes
import os
import re
import resource

import numpy as np
from paraview import simple
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow
from vtkmodules.vtkParallelCore import vtkCommunicator, vtkMultiProcessController

simple.LoadPlugin(os.environ["ISOCHRONE_PLUGIN"], remote=False, ns=vars(simple))
CONTROLLER = vtkMultiProcessController.GetGlobalController()
RANK, RANKS = CONTROLLER.GetLocalProcessId(), CONTROLLER.GetNumberOfProcesses()
SIDE = 401
LIBRARY = ctypes.CDLL(None)  # this process, into which failing_malloc.cxx is preloaded


def oriented_cost(headings):
    """Returns the messages of a run, which ends at its first progress report, and the number of points on this rank."""
    wavelet = simple.Wavelet(WholeExtent=[0, SIDE - 1, 0, SIDE - 1, 0, 0])
    proxy = simple.IsochroneOrientedCost(Input=wavelet, IntensityArray=["POINTS", "RTData"], NumberOfHeadings=headings,
                                         Widths=[1], Length=1, Threads=1)
    filter_ = proxy.GetClientSideObject()
    filter_.AddObserver("ProgressEvent", lambda *_: filter_.SetAbortExecute(1))
    window = vtkStringOutputWindow()
    vtkOutputWindow.SetInstance(window)
    proxy.UpdatePipeline()
    return window.GetOutput(), filter_.GetOutputDataObject(0).GetNumberOfPoints()


def on_all(number, rank=0):
    """Returns the number of one rank."""
    sums = np.zeros(1)
    CONTROLLER.AllReduce(np.array([number if RANK == rank else 0.0]), sums, 1, vtkCommunicator.SUM_OP)
    return sums[0]


def refusal(headings):
    """Returns the needed, the remaining and the free memory, GB, of the message that refuses a number of headings."""
    text, points = oriented_cost(headings)
    found = re.findall(r"the oriented cost of 401 x 401 points x \d+ headings need ([\d.]+) GB of memory on this rank, and "
                       r"([\d.]+) GB are left of its share of the ([\d.]+) GB that are free for the 4 ranks of this node: "
                       "use fewer ranks on a node", text)
    # The first rank prints the message. The filter may run again for its second image, when other memory is free.
    assert points == 0 and (RANK == 0) == (len(found) in (1, 2)), text
    return [on_all(float(found[0][i]) if found else 0) for i in range(3)]


def headings_for(gigabytes):
    """Returns the number of headings whose costs take this memory on a rank."""
    return int(gigabytes * 1e9 / (4 * SIDE * SIDE))


def rank_with_little_memory_is_named():
    """One rank may take less than the others: one error on all."""
    if RANK == RANKS - 1:
        with open("/proc/self/status") as file:
            used = 1024 * int(re.search(r"VmData:\s+(\d+)", file.read())[1])
        resource.setrlimit(resource.RLIMIT_DATA, (used + 20 * 1024 ** 2, resource.RLIM_INFINITY))
    text, points = oriented_cost(200)
    assert points == 0, points
    assert ("on rank 3: the oriented cost" in text if RANK == 0 else not text), text


def in_parts():
    """Returns functions that make the filters that solve in parts."""
    wavelet = simple.Wavelet(WholeExtent=[-16, 16] * 3)
    plane = simple.Wavelet(WholeExtent=[-80, 80, -80, 80, 0, 0])
    tetrahedra = simple.Tetrahedralize(Input=simple.Wavelet(WholeExtent=[-6, 6] * 3))
    tips = [5, 5, 5, -5, 3, 4]
    speed = {"SpeedArray": ["POINTS", "RTData"], "SeedPoints": [-5, -4, -3], "TipPoints": tips, "Threads": 1}
    return [lambda: simple.IsochroneImageTravelTime(Input=wavelet, **speed),
            lambda: simple.IsochroneRayTracing(Input=wavelet, VelocityArray=["POINTS", "RTData"], SourcePoints=[-5, -4, -3],
                                               ReceiverPoints=tips, ComputeRayMatrix=1, Threads=1),
            lambda: simple.IsochroneDistanceTransform(Input=wavelet, SiteArray=["POINTS", "RTData"], SiteMode="Range",
                                                      SiteRange=[200, 300], ComputeNearestLabel=1, TipPoints=tips, Threads=1),
            lambda: simple.IsochroneMeshTravelTime(Input=tetrahedra, **speed),
            lambda: simple.IsochroneCurvaturePaths(Input=plane, CostArray=None, SeedPoints=[-50, -40, 0], TipPoints=[50, 5, 0],
                                                   NumberOfHeadings=12, StatesPerRank=1000, Threads=1),
            lambda: simple.IsochroneOrientedCost(Input=plane, IntensityArray=["POINTS", "RTData"], Widths=[1], Length=2, Threads=1)]


def update(make, allocations):
    """Runs a new filter. On the last rank one of its larger allocations fails, after so many others. Returns whether it
    failed, the messages and the number of points."""
    proxy = make()
    proxy.UpdateVTKObjects()
    filter_ = proxy.GetClientSideObject()
    window = vtkStringOutputWindow()
    vtkOutputWindow.SetInstance(window)
    last = RANK == RANKS - 1
    last and LIBRARY.fail_allocation(allocations)
    filter_.UpdatePiece(RANK, RANKS, 0)
    failed = last and LIBRARY.fail_allocation(-1) < 0 <= allocations
    points = filter_.GetOutputDataObject(0).GetNumberOfPoints()
    simple.Delete(proxy)
    return on_all(failed, RANKS - 1), window.GetOutput(), points


def rank_without_memory_stops_all(make):
    """Whichever larger allocation fails on the last rank, all ranks end with one message of the first rank, and none waits."""
    assert update(make, -1)[2] > 0  # the source need not run again
    count = 0
    while True:
        failed, text, points = update(make, count)
        if not failed:
            assert points > 0
            break
        assert points == 0, (count, text)
        assert (f"on rank {RANKS - 1}: there is not enough memory" in text) == (RANK == 0), (count, text)
        count += 1 + count // 12  # of many a part
    assert count > 5, count


try:
    assert RANKS == 4
    free = refusal(16_000_000)[2]
    need, rest, free = refusal(headings_for(0.4 * free))
    assert abs(need - 0.4 * free) < 0.05 * free and 0.2 * free < rest < 0.26 * free, (need, rest, free)
    text, _ = oriented_cost(headings_for(0.2 * free))
    assert RANK > 0 or "stopped on request" in text and "need" not in text, text
    for make in in_parts():
        rank_without_memory_stops_all(make)
    rank_with_little_memory_is_named()
except BaseException as error:  # the other ranks would wait forever
    os.write(2, f"rank {RANK}: {error!r}\n".encode())  # Python's output goes to the message window
    os._exit(1)
