"""The memory of a node that four ranks share: mpirun -np 4 pvbatch --sym mpi_memory.py

Each rank holds the states of the whole plane, since the pieces of so many headings divide only the headings.
"""
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


def on_all(number):
    """Returns the number of the first rank."""
    sums = np.zeros(1)
    CONTROLLER.AllReduce(np.array([number if RANK == 0 else 0.0]), sums, 1, vtkCommunicator.SUM_OP)
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


try:
    assert RANKS == 4
    free = refusal(16_000_000)[2]
    need, rest, free = refusal(headings_for(0.4 * free))
    assert abs(need - 0.4 * free) < 0.05 * free and 0.2 * free < rest < 0.26 * free, (need, rest, free)
    text, _ = oriented_cost(headings_for(0.2 * free))
    assert RANK > 0 or "stopped on request" in text and "need" not in text, text
    rank_with_little_memory_is_named()
except BaseException as error:  # the other ranks would wait forever
    os.write(2, f"rank {RANK}: {error!r}\n".encode())  # Python's output goes to the message window
    os._exit(1)
