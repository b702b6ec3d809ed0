"""State files and traces of every filter, replayed by a new ParaView process."""
import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from paraview import simple, smstate, smtrace

import replay
from pipelines import cube, image, mesh


def point(*at):
    return simple.PointSource(Center=at, NumberOfPoints=1, Radius=0)


def curvature_paths():
    """Every property of the panel has a value other than its default, except those of drifts and tilted media."""
    arrays = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, 0, 0])
    for name, function in (("radius", "3 + coordsX/20"), ("shift", "coordsY/500")):
        arrays = simple.Calculator(Input=arrays, ResultArrayName=name, Function=function)
    return simple.IsochroneCurvaturePaths(
        registrationName="P", Input=arrays, Tips=point(6, 6, 0), CostArray=["POINTS", "RTData"], Model="Elastica",
        TurningRadius=2.0, NumberOfHeadings=16, SeedPoints=[1, 2, 0], SeedHeadings=[45], Seeds=point(2, 1, 0), SeedType="Points",
        TipType="Input", TipPoints=[5, 5, 0], TipHeadings=[30], WallArray=["POINTS", "RTData"], WallMode="Range",
        WallRange=[0, 60], OrientedCost=simple.Wavelet(WholeExtent=[-10, 10, -8, 8, 0, 7], StandardDeviation=1),
        RightTurningRadius=3.0, CurvatureShift=0.01, TurningRadiusArray=["POINTS", "radius"],
        CurvatureShiftArray=["POINTS", "shift"], Route="Round Trip", Accuracy="Second Order", Relaxation=0.2, StopAtTips=1,
        Isochrones=3, BlankUnreached=1, TimeUnit="s", ComputeStateSpace=1, StateSpaceHeight=3.0, ComputeSensitivity=1, SensitivityRadius=1,
        SeedRuns="Time Steps", ComputeTravelTimeTable=1,
        Backend="Host", Threads=1, CheckResidual=1, StatesPerRank=1000)


def curvature_paths_in_a_drift():
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, 0, 0])
    whirl = simple.Calculator(Input=wavelet, ResultArrayName="drift", Function="(coordsX*jHat - coordsY*iHat)/20")
    return simple.IsochroneCurvaturePaths(
        registrationName="P", Input=whirl, DriftArray=["POINTS", "drift"], VehicleSpeed=2.0, AddMediumPaths=1,
        NumberOfHeadings=16, SeedPoints=[1, 2, 0], TipPoints=[5, 5, 0])


def curvature_paths_with_periodic_axes():
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, 0, 0])
    return simple.IsochroneCurvaturePaths(
        registrationName="P", Input=wavelet, PeriodicX=1, PeriodicY=1, PeriodicZ=1, UnwrapPaths=1, TurningRadius=2.0,
        NumberOfHeadings=16, SeedPoints=[1, 2, 0], TipPoints=[15, 5, 0])


def image_travel_time():
    """Every property of the panel has a value other than its default, except the drift properties."""
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, -6, 6])
    return simple.IsochroneImageTravelTime(
        registrationName="P", Input=wavelet, SpeedArray=["POINTS", "RTData"], SpeedType="Slowness", ConstantSpeed=3,
        BarrierArray=["POINTS", "RTData"], BarrierMode="Range", BarrierRange=[0, 60], AverageCellData=1,
        SeedType="Input", Seeds=point(2, 1, 0), SeedPoints=[1, 2, 0], SeedRegionArray=["POINTS", "RTData"],
        SeedRegionRange=[250, 300], TipType="Points", Tips=point(6, 6, 3), TipPoints=[5, 6, 3, -5, 0, 2],
        Targets=point(-6, -6, 3), SourceFactoring="Off", Order=2, StoppingTime=2500, StopAtTips=1, ComputeGradient=1,
        SeedRuns="Time Steps", ComputeTravelTimeTable=1, ComputeUpdateCounts=1, Isochrones=3, BlankUnreached=1, TimeUnit="ms", Backend="Host", Threads=1, CheckResidual=1)


def image_travel_time_in_a_drift():
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, -6, 6])
    whirl = simple.Calculator(Input=wavelet, ResultArrayName="drift", Function="(coordsX*jHat - coordsY*iHat)/20")
    return simple.IsochroneImageTravelTime(
        registrationName="P", Input=whirl, SpeedArray=None, DriftArray=["POINTS", "drift"], AddMediumPaths=1, SeedPoints=[1, 2, 0],
        TipPoints=[5, 5, 3])


def image_travel_time_in_a_tilted_medium():
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, -6, 6])
    small = simple.Calculator(Input=wavelet, ResultArrayName="small", Function="RTData/1000")
    return simple.IsochroneImageTravelTime(
        registrationName="P", Input=small, SpeedArray=["POINTS", "RTData"], SpeedType="TTI", EpsilonArray=["POINTS", "small"], Epsilon=0.3,
        DeltaArray=["POINTS", "small"], Delta=0.2, TiltArray=["POINTS", "RTData"], Tilt=20, AzimuthArray=["POINTS", "RTData"], Azimuth=30,
        ShearRatioArray=["POINTS", "small"], ShearRatio=0.4, SeedPoints=[1, 2, 0], TipPoints=[5, 5, 3])


def image_travel_time_from_a_region():
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, -6, 6])
    return simple.IsochroneImageTravelTime(
        registrationName="P", Input=wavelet, SeedType="Region", SeedRegionArray=["POINTS", "RTData"],
        SeedRegionRange=[250, 300], TipPoints=[6, 6, 3], PeriodicX=1, PeriodicY=1, PeriodicZ=1, UnwrapPaths=1)


def image_travel_time_with_derivatives():
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, -6, 6])
    return simple.IsochroneImageTravelTime(
        registrationName="P", Input=wavelet, SpeedArray=["POINTS", "RTData"], SeedPoints=[1, 2, 0], TipPoints=[6, 6, 3],
        ComputeSensitivity=1, ComputeJacobian=1)


def image_travel_time_in_spherical_coordinates():
    shell = simple.Wavelet(WholeExtent=[4, 14, 1, 17, 0, 35])
    return simple.IsochroneImageTravelTime(
        registrationName="P", Input=shell, SpeedArray=None, Coordinates="Spherical", SeedPoints=[8, 9, 5],
        TipPoints=[10, 12, 20])


def image_travel_time_from_a_level_set():
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, -6, 6])
    return simple.IsochroneImageTravelTime(
        registrationName="P", Input=wavelet, SeedType="Level Set", SeedRegionArray=["POINTS", "RTData"], SeedIsoValue=200,
        TipPoints=[6, 6, 3])


def oriented_paths():
    """The cost from one filter, the paths from the next; every property of the first has a value other than its default."""
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, 0, 0])
    mask = simple.Calculator(Input=wavelet, ResultArrayName="mask", Function="coordsX > -9")
    cost = simple.IsochroneOrientedCost(
        registrationName="C", Input=mask, IntensityArray=["POINTS", "RTData"], IntensityComponent=0, Polarity="Dark",
        Widths=[1, 2], Length=4, NumberOfHeadings=16, MaskArray=["POINTS", "mask"], CostFloor=0.1, CostCeiling=2,
        HalfStrength=0.3, ContrastExponent=1.5, Threads=1)
    return simple.IsochroneCurvaturePaths(
        registrationName="P", Input=simple.OutputPort(cost, 1), OrientedCost=cost, TurningRadius=2.0, SeedPoints=[1, 2, 0],
        TipPoints=[6, 6, 0])


def distance_transform():
    """Every property of the panel has a value other than its default."""
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, -6, 6])
    labels = simple.Calculator(Input=wavelet, ResultArrayName="label", Function="1099511627776 * (RTData > 220)")
    return simple.IsochroneDistanceTransform(
        registrationName="P", Input=labels, Tips=point(6, 6, 3), SiteArray=["POINTS", "label"], SiteMode="Label",
        SiteRange=[200, 260], SiteLabel=2 ** 40, Region="Both", MaximumDistance=7, TipType="Points",
        TipPoints=[5, 6, 3, -5, 0, 2], ComputeSquaredDistance=0, ComputeNearestSite=0, ComputeNearestLabel=1,
        DoublePrecision=1, PeriodicX=1, PeriodicY=1, PeriodicZ=1, UnwrapPaths=1, Isochrones=3, BlankUnreached=1, LengthUnit="mm",
        Backend="Host", Threads=1)


def distance_transform_to_a_level_set():
    """The properties of surfaces have values other than their defaults."""
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, -6, 6])
    return simple.IsochroneDistanceTransform(
        registrationName="P", Input=wavelet, SiteArray=["POINTS", "RTData"], SiteMode="Level Set", IsoValue=200,
        LevelSetInside="Below", Interpolation="Cubic", Region="Signed", ExtendedArrays=["RTData"], Surface=simple.Sphere(),
        TipPoints=[5, 6, 3, -5, 0, 2])


def ray_tracing():
    """Every property of the panel has a value other than its default."""
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, -6, 6])
    layers = simple.Calculator(Input=wavelet, ResultArrayName="layer", Function="coordsZ > 1")
    return simple.IsochroneRayTracing(
        registrationName="P", Input=layers, VelocityArray=["POINTS", "RTData"], VelocityType="Slowness", ConstantVelocity=3,
        BarrierArray=["POINTS", "RTData"], BarrierMode="Range", BarrierRange=[0, 60], Template="Full", Radius=[2, 1, 2],
        WeightRule="Fast", Method="Plain Relaxation", SourceType="Points", Sources=point(2, 1, 0),
        SourcePoints=[1, 2, 0, -5, -5, -3], SourceRuns="Separate", ReceiverType="Input", Receivers=point(6, 6, -3),
        ReceiverPoints=[5, 6, 3], Interface="Label Boundary", InterfaceArray=["POINTS", "layer"], InterfaceLabel=0,
        StayInLabel=1, SecondVelocityArray=["POINTS", "RTData"], ComputeRayMatrix=1, ComputePredecessor=1,
        ComputeSourceId=1, MergeCollinear=1, DoublePrecision=1, Isochrones=3, BlankUnreached=1, TimeUnit="ms", Backend="Host", Threads=1)


def ray_tracing_with_periodic_axes():
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, -6, 6])
    return simple.IsochroneRayTracing(
        registrationName="P", Input=wavelet, VelocityArray=["POINTS", "RTData"], PeriodicX=1, PeriodicY=1, PeriodicZ=1, UnwrapPaths=1,
        SourcePoints=[1, 2, 0], ReceiverPoints=[14, 6, 3])


def ray_tracing_in_a_tilted_medium():
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, -6, 6])
    small = simple.Calculator(Input=wavelet, ResultArrayName="small", Function="RTData/1000")
    return simple.IsochroneRayTracing(
        registrationName="P", Input=small, VelocityArray=["POINTS", "RTData"], VelocityType="TTI", EpsilonArray=["POINTS", "small"], Epsilon=0.3,
        DeltaArray=["POINTS", "small"], Delta=0.2, TiltArray=["POINTS", "RTData"], Tilt=20, AzimuthArray=["POINTS", "RTData"], Azimuth=30,
        ShearRatioArray=["POINTS", "small"], ShearRatio=0.4, SourcePoints=[1, 2, 0], ReceiverPoints=[5, 5, 3])


def mesh_travel_time():
    """With those for a surface, every property of the panel has a value other than its default."""
    boxes = simple.AppendDatasets(Input=simple.Wavelet(WholeExtent=[-5, 5, -4, 4, -3, 3]))
    arrays = boxes
    for name, function in (("fibre", "2*iHat + jHat"), ("sheet", "kHat"), ("onset", "RTData - 260")):
        arrays = simple.Calculator(Input=arrays, ResultArrayName=name, Function=function)
    return simple.IsochroneMeshTravelTime(
        registrationName="P", Input=arrays, SpeedType="Conductivities", ConstantSpeed=3, SpeedArray=["POINTS", "RTData"],
        FibreArray=["POINTS", "fibre"], SheetArray=["POINTS", "sheet"], ConductionVelocities=[3, 2, 1], Conductivities=[9, 4, 1],
        VelocityScale=0.5, TensorArray=["POINTS", "fibre"], SeedType="Input", Seeds=point(2, 1, 0), SeedPoints=[1, 2, 0],
        OnsetTimeArray=["POINTS", "onset"], TipType="Points", Tips=point(4, 3, 2), TipPoints=[4, 3, 2.5, -4, 0, 2], ExactRadius=0.5,
        Tetrahedralize=1, Method="Plain FIM", ComputeConductionDirection=0, ComputeConductionSpeed=1, ComputeSensitivity=1, ComputeJacobian=1,
        Isochrones=3, BlankUnreached=1, TimeUnit="ms", Backend="Host", Threads=1, CheckResidual=1)


def mesh_travel_time_on_a_surface():
    return simple.IsochroneMeshTravelTime(registrationName="P", Input=simple.Sphere(), Accuracy="Exact", SpeedType="Constant",
                                          SeedRuns="Time Steps", ComputeTravelTimeTable=1, SeedType="Points", SeedPoints=[0, 0, 0.5], TipType="Points", TipPoints=[0, 0, -0.5])


FILTERS = [curvature_paths, curvature_paths_in_a_drift, curvature_paths_with_periodic_axes, oriented_paths, distance_transform, distance_transform_to_a_level_set,
           image_travel_time, image_travel_time_in_a_drift, image_travel_time_in_a_tilted_medium, image_travel_time_from_a_region,
           image_travel_time_from_a_level_set, image_travel_time_with_derivatives, mesh_travel_time, mesh_travel_time_on_a_surface, ray_tracing,
           ray_tracing_with_periodic_axes, ray_tracing_in_a_tilted_medium]


@pytest.fixture(scope="module")
def replayed():
    """Returns a function that replays a file in a new process, and returns facts about the filter."""
    pvpython = shutil.which("pvpython", path=os.path.dirname(sys.executable)) or "pvpython"
    with subprocess.Popen([pvpython, replay.__file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as player:
        def run(kind, file):
            result = file.parent / "result.json"
            print(kind, file, result, file=player.stdin, flush=True)
            assert next(line for line in player.stdout if line.startswith("exit status")) == "exit status 0\n"
            return json.loads(result.read_text())

        yield run
        player.stdin.close()


@pytest.mark.parametrize("build", FILTERS)
@pytest.mark.parametrize("suffix", ["pvsm", "py"])
def test_a_state_file_gives_the_same_filter_in_a_new_process(build, suffix, replayed, tmp_path):
    proxy = build()
    file = tmp_path / f"state.{suffix}"
    if suffix == "py":
        file.write_text(smstate.get_state())
    else:
        simple.SaveState(str(file))
    assert replayed("state" if suffix == "pvsm" else "script", file) == replay.facts(proxy)


@pytest.mark.parametrize("build", FILTERS)
def test_a_trace_gives_the_same_filter_in_a_new_process(build, replayed, tmp_path):
    smtrace.start_trace()
    try:
        proxy = build()
        proxy.UpdatePipeline()
    finally:
        text = smtrace.stop_trace()
    (tmp_path / "trace.py").write_text(text)
    assert "= Isochrone" in text
    assert replayed("script", tmp_path / "trace.py") == replay.facts(proxy)


def test_the_replay_of_the_oriented_cost_covers_every_property_of_the_panel():
    default = replay.settings(simple.IsochroneOrientedCost(Input=image(a=np.zeros(21 * 17))))
    oriented_paths()
    cost = replay.settings(simple.FindSource("C"))
    assert [name for name, value in cost.items() if value == default[name]] == [] and len(default) > 12


@pytest.mark.parametrize("builds, name, lines", [([curvature_paths, curvature_paths_in_a_drift, curvature_paths_with_periodic_axes],
                                                  "IsochroneCurvaturePaths", 1),
                                                 ([image_travel_time, image_travel_time_in_a_drift, image_travel_time_in_a_tilted_medium,
                                                   image_travel_time_from_a_region, image_travel_time_from_a_level_set,
                                                   image_travel_time_with_derivatives, image_travel_time_in_spherical_coordinates],
                                                  "IsochroneImageTravelTime", 3),
                                                 ([distance_transform, distance_transform_to_a_level_set],
                                                  "IsochroneDistanceTransform", 2),
                                                 ([mesh_travel_time, mesh_travel_time_on_a_surface], "IsochroneMeshTravelTime", 2),
                                                 ([ray_tracing, ray_tracing_with_periodic_axes, ray_tracing_in_a_tilted_medium],
                                                  "IsochroneRayTracing", 2)])
def test_the_replays_cover_every_property_of_the_panel(builds, name, lines, messages):
    input_ = mesh(*cube(2)) if "Mesh" in name else image(a=np.zeros(21 * 17))
    default = replay.settings(getattr(simple, name)(Input=input_))
    proxies = [build() for build in builds]
    settings = [replay.settings(proxy) for proxy in proxies]
    assert [name for name, value in default.items() if all(of[name] == value for of in settings)] == []
    assert len(default) > 16 and len(replay.facts(proxies[0])["lengths"]) == lines
    assert "ERROR" not in messages()  # a warning says that the zeros are no speed
