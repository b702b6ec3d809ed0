"""The filters on a server: pvpython server_filters.py "COMMAND", which starts a pvserver.

The plugin is loaded at both ends. Compared with the same pipelines without a server, bit for bit; an error in the filter
must reach the client and must not hang the session.
"""
import os
import shlex
import socket
import subprocess
import sys
import threading

import numpy as np
from paraview import servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow

PLUGIN = os.environ["ISOCHRONE_PLUGIN"]
COURTYARD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Data", "courtyard.vtk")


def free_port():
    with socket.socket() as s:
        s.bind(("localhost", 0))
        return s.getsockname()[1]


def start_server(command, port):
    """The server's process, once it accepts connections; its further output is thrown away."""
    # pvpython is an MPI process itself and leaves variables that an mpirun below it would trip over.
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PMIX_", "OMPI_MCA_orte", "OMPI_MCA_ess"))}
    server = subprocess.Popen(command + [f"--server-port={port}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, env=clean)
    output = ""
    for line in server.stdout:
        output += line
        if "Accepting connection" in line:
            threading.Thread(target=server.stdout.read, daemon=True).start()
            return server
    raise RuntimeError("the server did not start:\n" + output)


def curvature_paths():
    return simple.IsochroneCurvaturePaths(
        Input=simple.LegacyVTKReader(FileNames=[COURTYARD]), CostArray=["POINTS", "cost"],
        WallArray=["POINTS", "walls"], NumberOfHeadings=32, SeedPoints=[0.1, 0.1, 0], SeedHeadings=[0],
        TipPoints=[0.9, 0.1, 0])


def image_travel_time():
    return simple.IsochroneImageTravelTime(
        Input=simple.LegacyVTKReader(FileNames=[COURTYARD]), SpeedArray=["POINTS", "cost"],
        BarrierArray=["POINTS", "walls"], SeedPoints=[0.1, 0.1, 0], TipPoints=[0.9, 0.1, 0])


FILTERS = {curvature_paths: "Heading", image_travel_time: "SeedId"}


def ranges(proxy, field):
    """What the client knows of the output without fetching it: sizes and ranges over all ranks."""
    proxy.UpdatePipeline()
    paths = simple.OutputPort(proxy, 1)
    paths.UpdatePipeline()
    return {"cells": proxy.GetDataInformation().GetNumberOfCells(),
            "travel time": proxy.PointData["TravelTime"].GetRange(0),
            field: proxy.PointData[field].GetRange(0),
            "paths": paths.GetDataInformation().GetNumberOfCells(),
            "length": paths.CellData["Length"].GetRange(0),
            "points": vtk_to_numpy(servermanager.Fetch(proxy, idx=1).GetPoints().GetData()).tolist()}


def counts(proxy):
    proxy.SMProxy.UpdatePropertyInformation()
    return proxy.SolveCount, proxy.ExtractionCount


def bad_seed_is_reported_once_and_does_not_hang(proxy):
    before, window = vtkOutputWindow.GetInstance(), vtkStringOutputWindow()
    vtkOutputWindow.SetInstance(window)
    proxy.SeedPoints = [100, 0, 0]
    simple.Show(proxy)
    simple.Render()
    vtkOutputWindow.SetInstance(before)
    assert "seed" in window.GetOutput() and "outside" in window.GetOutput(), window.GetOutput()
    assert window.GetOutput().count("ERROR") == 1, window.GetOutput()
    assert proxy.GetDataInformation().GetNumberOfPoints() == 0
    proxy.SeedPoints = [0.1, 0.1, 0]
    simple.Render()


def compare(build, field, expected):
    proxy = build()
    assert ranges(proxy, field) == expected, (ranges(proxy, field), expected)
    assert counts(proxy) == (1, 1), counts(proxy)
    proxy.TipPoints = [0.9, 0.6, 0]
    proxy.UpdatePipeline()
    assert counts(proxy) == (1, 2), "moving a tip must not solve again"
    proxy.TipPoints = [0.9, 0.1, 0]
    bad_seed_is_reported_once_and_does_not_hang(proxy)
    assert ranges(proxy, field) == expected, "after an error"
    assert np.isfinite(expected["travel time"]).all() and expected["paths"] == 1


def main(command):
    simple.LoadPlugin(PLUGIN, remote=False, ns=vars(simple))
    expected = {build: ranges(build(), field) for build, field in FILTERS.items()}
    simple.Disconnect()

    port = free_port()
    server = start_server(command, port)
    try:
        simple.Connect("localhost", port)
        simple.LoadPlugin(PLUGIN, remote=True)
        simple.LoadPlugin(PLUGIN, remote=False, ns=vars(simple))
        for build, field in FILTERS.items():
            compare(build, field, expected[build])
        assert server.poll() is None, "the server is gone"
    finally:
        server.terminate()
        server.wait(20)


main(shlex.split(sys.argv[1]))
print("passed")
