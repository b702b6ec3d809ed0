"""The filters on a server: pvpython server_filters.py "COMMAND", which starts a pvserver.

The plugin is loaded on client and server. The same pipelines without a server must give the same bits. An
error in the filter must reach the client and must not hang the session.
"""
import os
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
from collections import namedtuple

import numpy as np
from paraview import servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow
from vtkmodules.vtkIOLegacy import vtkUnstructuredGridWriter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from pipelines import cube, mesh_data

PLUGIN = os.environ["ISOCHRONE_PLUGIN"]
COURTYARD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Data", "courtyard.vtk")
FOLDER = tempfile.TemporaryDirectory()
MESH = os.path.join(FOLDER.name, "mesh.vtk")


def free_port():
    with socket.socket() as s:
        s.bind(("localhost", 0))
        return s.getsockname()[1]


def start_server(command, port):
    """Returns the server's process once it accepts connections. Its further output is discarded."""
    # pvpython is an MPI process and sets variables that would make an mpirun started from it fail.
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


def stop(server):
    """Stops pvserver or mpirun. ParaView answers SIGTERM with a stack trace, which allocates memory. A server that was
    allocating memory at that moment blocks forever, and is killed."""
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def curvature_paths():
    return simple.IsochroneCurvaturePaths(
        Input=simple.LegacyVTKReader(FileNames=[COURTYARD]), CostArray=["POINTS", "cost"],
        WallArray=["POINTS", "walls"], NumberOfHeadings=32, SeedPoints=[0.1, 0.1, 0], SeedHeadings=[0],
        TipPoints=[0.9, 0.1, 0])


def image_travel_time():
    return simple.IsochroneImageTravelTime(
        Input=simple.LegacyVTKReader(FileNames=[COURTYARD]), SpeedArray=["POINTS", "cost"],
        BarrierArray=["POINTS", "walls"], SeedPoints=[0.1, 0.1, 0], TipPoints=[0.9, 0.1, 0])


def distance_transform():
    return simple.IsochroneDistanceTransform(
        Input=simple.LegacyVTKReader(FileNames=[COURTYARD]), SiteArray=["POINTS", "walls"], SiteMode="Any Nonzero",
        Region="Signed", TipPoints=[0.9, 0.1, 0])


def ray_tracing():
    return simple.IsochroneRayTracing(
        Input=simple.LegacyVTKReader(FileNames=[COURTYARD]), VelocityArray=["POINTS", "cost"],
        BarrierArray=["POINTS", "walls"], SourcePoints=[0.1, 0.1, 0], ReceiverPoints=[0.9, 0.1, 0], ComputeRayMatrix=1,
        SourceRuns="Separate")


def mesh_travel_time():
    """A file that the first rank reads: the others have no cells."""
    return simple.IsochroneMeshTravelTime(
        Input=simple.LegacyVTKReader(FileNames=[MESH]), SpeedType="Fibres", FibreArray=["CELLS", "fibre"],
        ConductionVelocities=[1, 0.3, 0.3], SeedPoints=[0.1, 0.1, 0, 0.7, 0.9, 1], TipPoints=[0.9, 0.1, 0])


def oriented_paths():
    """Chains two filters. The output of the first must reach the second on the server."""
    courtyard = simple.LegacyVTKReader(FileNames=[COURTYARD])
    cost = simple.IsochroneOrientedCost(Input=courtyard, IntensityArray=["POINTS", "cost"], NumberOfHeadings=16)
    return simple.IsochroneCurvaturePaths(Input=simple.OutputPort(cost, 1), OrientedCost=cost, SeedPoints=[0.1, 0.1, 0],
                                          TipPoints=[0.9, 0.1, 0])


def write_mesh():
    at, cells = cube()
    writer = vtkUnstructuredGridWriter()
    writer.SetFileName(MESH)
    writer.SetInputDataObject(mesh_data(at, cells, cell_arrays={"fibre": at[cells[:, 0]] + 0.5}))
    writer.Write()


# A filter: builder, fields, array of the lines, a property with an invalid value and words of its message, and the property
# of the points where the lines begin.
Subject = namedtuple("Subject", "build fields length name wrong words tips", defaults=["TipPoints"])
SUBJECTS = [
    Subject(curvature_paths, ("TravelTime", "Heading"), "Length", "SeedPoints", [100, 0, 0], ("seed", "outside")),
    Subject(oriented_paths, ("TravelTime", "LeastCost"), "Length", "SeedPoints", [100, 0, 0], ("seed", "outside")),
    Subject(image_travel_time, ("TravelTime", "SeedId"), "Length", "SeedPoints", [100, 0, 0], ("seed", "outside")),
    Subject(distance_transform, ("Distance", "NearestSite"), "Distance", "MaximumDistance", -1, ("maximum distance",)),
    Subject(ray_tracing, ("TravelTime", "TravelTime0"), "Length", "SourcePoints", [100, 0, 0], ("source", "outside"),
            "ReceiverPoints"),
    Subject(mesh_travel_time, ("TravelTime", "SeedId"), "Length", "ConductionVelocities", [1, -1, 1], ("velocities must be positive",))]


def rows(proxy, port):
    output = simple.OutputPort(proxy, port)
    output.UpdatePipeline()
    return output.GetDataInformation().GetNumberOfRows()


def ranges(proxy, subject):
    """Returns what the client knows about the output without fetching it: sizes and ranges over all ranks."""
    proxy.UpdatePipeline()
    paths = simple.OutputPort(proxy, 1)
    paths.UpdatePipeline()
    return {"cells": proxy.GetDataInformation().GetNumberOfCells(),
            **{field: proxy.PointData[field].GetRange(0) for field in subject.fields},
            "paths": paths.GetDataInformation().GetNumberOfCells(),
            "rows": [rows(proxy, port) for port in range(2, proxy.SMProxy.GetNumberOfOutputPorts())],
            "length": paths.CellData[subject.length].GetRange(0),
            "points": vtk_to_numpy(servermanager.Fetch(proxy, idx=1).GetPoints().GetData()).tolist()}


def counts(proxy):
    return proxy.SolveCount, proxy.ExtractionCount


def a_wrong_value_is_reported_once_and_does_not_hang(proxy, subject):
    before, window = vtkOutputWindow.GetInstance(), vtkStringOutputWindow()
    vtkOutputWindow.SetInstance(window)
    right = proxy.GetPropertyValue(subject.name)
    right = right if isinstance(right, float) else list(right)
    setattr(proxy, subject.name, subject.wrong)
    simple.Show(proxy)
    simple.Render()
    vtkOutputWindow.SetInstance(before)
    assert all(word in window.GetOutput() for word in subject.words), window.GetOutput()
    assert window.GetOutput().count("ERROR") == 1, window.GetOutput()
    assert proxy.GetDataInformation().GetNumberOfPoints() == 0
    setattr(proxy, subject.name, right)
    simple.Render()


def assert_same(found, expected):
    """The ranks that solve the parts of an image round other coordinates than one that has the whole."""
    assert found.keys() == expected.keys()
    for key, values in expected.items():
        np.testing.assert_allclose(found[key], values, 1e-6, 1e-12, err_msg=key)


def compare(subject, expected):
    proxy = subject.build()
    assert_same(ranges(proxy, subject), expected)
    assert counts(proxy) == (1, 1), counts(proxy)
    setattr(proxy, subject.tips, [0.9, 0.6, 0])
    proxy.UpdatePipeline()
    assert counts(proxy) == (1, 2), "moving a tip must not solve again"
    setattr(proxy, subject.tips, [0.9, 0.1, 0])
    a_wrong_value_is_reported_once_and_does_not_hang(proxy, subject)
    assert_same(ranges(proxy, subject), expected)  # after an error
    assert np.isfinite(expected[subject.fields[0]]).all() and expected["paths"] == 1


def main(command):
    simple.LoadPlugin(PLUGIN, remote=False, ns=vars(simple))
    write_mesh()
    expected = [ranges(subject.build(), subject) for subject in SUBJECTS]
    simple.Disconnect()

    port = free_port()
    server = start_server(command, port)
    try:
        simple.Connect("localhost", port)
        simple.LoadPlugin(PLUGIN, remote=True)
        simple.LoadPlugin(PLUGIN, remote=False, ns=vars(simple))
        for subject, numbers in zip(SUBJECTS, expected):
            compare(subject, numbers)
        assert server.poll() is None, "the server is gone"
    finally:
        stop(server)


main(shlex.split(sys.argv[1]))
print("passed")
