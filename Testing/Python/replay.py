"""Replays state files and scripts: pvpython replay.py

Reads lines "state FILE RESULT" or "script FILE RESULT". A new process, forked before anything has run, loads or runs each file
and writes facts about its filter P; its exit status is printed.
"""
import json
import os
import traceback
import zlib

from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy


def settings(proxy):
    """Returns the value of every property that can be set; for an input its kind and port."""
    values = {}
    for name in proxy.ListProperties():
        if proxy.GetProperty(name).SMProperty.GetInformationOnly():
            continue
        value = proxy.GetPropertyValue(name)
        if hasattr(value, "SMProxy"):
            value = [value.SMProxy.GetXMLName(), value.Port]
        values[name] = value if value is None or isinstance(value, (str, int, float)) else list(value)
    return values


def facts(proxy):
    """Returns the properties of the filter and its output, the field as a checksum of its bits."""
    proxy.UpdatePipeline()
    image, lines = (proxy.GetClientSideObject().GetOutputDataObject(port) for port in (0, 1))
    field = image.GetPointData().GetScalars()  # TravelTime or Distance
    length = lines.GetCellData().GetArray("Length") or lines.GetCellData().GetArray("Distance")
    return {"settings": settings(proxy), "range": list(proxy.PointData[field.GetName()].GetRange(0)),
            "field": zlib.crc32(vtk_to_numpy(field).tobytes()),
            "lengths": [length.GetTuple1(line) for line in range(lines.GetNumberOfCells())]}


def replay(kind, file, result):
    if kind == "state":
        simple.LoadState(file)
    else:
        with open(file) as script:
            exec(script.read(), {})
    with open(result, "w") as out:
        json.dump(facts(simple.FindSource("P")), out)


def replayed(line):
    """Returns the exit status of a new process for a line."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        replay(*line.split())
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    simple.LoadPlugin(os.environ["ISOCHRONE_PLUGIN"], remote=False, ns=vars(simple))
    for request in open(0):  # sys.stdin is not the process's own in pvpython
        os.write(1, b"exit status %d\n" % replayed(request))
