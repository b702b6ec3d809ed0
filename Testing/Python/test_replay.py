"""State files and traces of every filter, replayed by a ParaView that starts afresh."""
import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from paraview import simple, smstate, smtrace

from pipelines import array, cell_array, output

REPLAY = """
import json, os, sys
from paraview import simple
simple.LoadPlugin(os.environ["ISOCHRONE_PLUGIN"], remote=False, ns=vars(simple))
kind, file, result = sys.argv[1:]
if kind == "state":
    simple.LoadState(file)
else:
    exec(open(file).read())
proxy = simple.FindSource("P")
proxy.UpdatePipeline()
paths = proxy.GetClientSideObject().GetOutputDataObject(1)
json.dump({"range": proxy.PointData["TravelTime"].GetRange(0), "paths": paths.GetNumberOfCells(),
           "length": paths.GetCellData().GetArray("Length").GetTuple1(0), "seeds": list(proxy.SeedPoints)},
          open(result, "w"))
"""


def curvature_paths():
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, 0, 0])
    tips = simple.PointSource(Center=[6, 6, 0], NumberOfPoints=1, Radius=0)
    return simple.IsochroneCurvaturePaths(
        registrationName="P", Input=wavelet, Tips=tips, CostArray=["POINTS", "RTData"], Model="Elastica",
        TurningRadius=2.0, NumberOfHeadings=16, SeedPoints=[1, 2, 0], SeedHeadings=[45])


def image_travel_time():
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, -6, 6])
    tips = simple.PointSource(Center=[6, 6, 3], NumberOfPoints=1, Radius=0)
    targets = simple.PointSource(Center=[-6, -6, 3], NumberOfPoints=1, Radius=0)
    return simple.IsochroneImageTravelTime(
        registrationName="P", Input=wavelet, Tips=tips, Targets=targets, SpeedArray=["POINTS", "RTData"],
        SpeedType="Slowness", BarrierArray=["POINTS", "RTData"], BarrierMode="Range", BarrierRange=[0, 60],
        SeedPoints=[1, 2, 0])


FILTERS = [curvature_paths, image_travel_time]


def numbers(proxy):
    proxy.UpdatePipeline()
    time = array(output(proxy), "TravelTime")
    length = cell_array(output(proxy, 1), "Length")
    return {"range": [float(np.nanmin(time)), float(np.nanmax(time))], "paths": len(length),
            "length": float(length[0]), "seeds": [1, 2, 0]}


def replay(kind, file, tmp_path):
    script, result = tmp_path / "replay.py", tmp_path / "result.json"
    script.write_text(REPLAY)
    pvpython = shutil.which("pvpython", path=os.path.dirname(sys.executable)) or "pvpython"
    subprocess.run([pvpython, str(script), kind, str(file), str(result)], check=True, timeout=120)
    return json.loads(result.read_text())


@pytest.mark.parametrize("build", FILTERS)
@pytest.mark.parametrize("suffix", ["pvsm", "py"])
def test_a_state_file_gives_the_same_numbers_in_a_new_process(build, suffix, tmp_path):
    proxy = build()
    file = tmp_path / f"state.{suffix}"
    if suffix == "py":
        file.write_text(smstate.get_state())
    else:
        simple.SaveState(str(file))
    assert replay("state" if suffix == "pvsm" else "script", file, tmp_path) == numbers(proxy)


@pytest.mark.parametrize("build", FILTERS)
def test_a_trace_gives_the_same_numbers_in_a_new_process(build, tmp_path):
    smtrace.start_trace()
    try:
        proxy = build()
        proxy.UpdatePipeline()
    finally:
        text = smtrace.stop_trace()
    (tmp_path / "trace.py").write_text(text)
    assert "= Isochrone" in text
    assert replay("script", tmp_path / "trace.py", tmp_path) == numbers(proxy)
