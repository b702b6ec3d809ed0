"""Isochrone Image Travel Time on a time series of images: a wall across a plane, whose gate and speed change with time."""
import numpy as np
import pytest
from paraview import simple
from vtkmodules.vtkIOXML import vtkXMLImageDataWriter

from pipelines import array, at, counts, image_data, lines, output

STEPS = {0.0: (3, 1.0), 0.5: (8, 2.0), 2.0: (8, 2.0), 3.5: (14, 4.0)}  # time: row of the gate, speed
SEED, TIP = [4, 8, 0], [16, 8, 0]


@pytest.fixture
def series(tmp_path):
    """Returns a .pvd file that lists an image per time step."""
    entries = []
    for number, (time, (gate, speed)) in enumerate(STEPS.items()):
        values = np.full((17, 21), speed)
        values[:, 10] = 0
        values[gate, 10] = speed
        writer = vtkXMLImageDataWriter()
        writer.SetFileName(str(tmp_path / f"{number}.vti"))
        writer.SetDataModeToBinary()
        writer.SetInputData(image_data(speed=values.ravel()))
        writer.Write()
        entries.append(f'<DataSet timestep="{time}" part="0" file="{number}.vti"/>')
    (tmp_path / "series.pvd").write_text(
        '<VTKFile type="Collection" version="0.1"><Collection>' + "".join(entries) + "</Collection></VTKFile>")
    return simple.PVDReader(FileName=str(tmp_path / "series.pvd"))


def travel_time(input_):
    return simple.IsochroneImageTravelTime(Input=input_, SpeedArray=["POINTS", "speed"], SeedPoints=SEED, TipPoints=TIP,
                                           Threads=1)


def assert_shows(proxy, time):
    gate, speed = STEPS[time]
    out, path = output(proxy), lines(output(proxy, 1))[0]
    assert set(array(out, "speed")) == {0, speed}
    assert at(out, "TravelTime", SEED) == 0
    assert at(out, "TravelTime", (0, 8, 0)) == pytest.approx(4 / speed, rel=1e-5)
    assert path[0] == pytest.approx(TIP, abs=1e-6) and path[-1] == pytest.approx(SEED, abs=1e-6)
    assert np.interp(-10, -path[:, 0], path[:, 1]) == pytest.approx(gate, abs=0.5)


def test_each_time_step_has_its_own_solve_and_paths(series):
    proxy = travel_time(series)
    for time in (0, 0.5, 3.5, 0):
        proxy.UpdatePipeline(time)
        assert_shows(proxy, time)
    assert counts(proxy) == (4, 4) and list(proxy.SeedPoints) == SEED


def test_a_time_step_with_the_same_speed_is_not_solved_again(series):
    proxy = travel_time(series)
    for time in (0.5, 2.0):
        proxy.UpdatePipeline(time)
        assert_shows(proxy, time)
    assert counts(proxy) == (1, 1)


def test_the_animation_shows_each_step_once(series):
    proxy = travel_time(series)
    view = simple.CreateView("RenderView")
    view.ViewSize = [100, 100]
    simple.Show(proxy, view)
    simple.Show(simple.OutputPort(proxy, 1), view)
    scene = simple.GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    scene.GoToFirst()
    for time in STEPS:
        assert view.ViewTime == time
        assert_shows(proxy, time)
        scene.GoToNext()
    assert counts(proxy) == (3, 3)  # two steps are equal
    simple.Delete(view)


def test_the_seed_can_be_animated(series):
    """A key frame animation of a property that the panel marks as animateable."""
    proxy = travel_time(series)
    scene = simple.GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    track = simple.GetAnimationTrack("SeedPoints", 1, proxy)
    frames = [simple.CompositeKeyFrame(KeyTime=t, KeyValues=[y]) for t, y in ((0, 2), (1, 14))]
    track.KeyFrames = frames
    scene.GoToFirst()
    proxy.UpdatePipeline(0)
    assert at(output(proxy), "TravelTime", (4, 2, 0)) == 0
    scene.GoToLast()
    proxy.UpdatePipeline(3.5)
    assert at(output(proxy), "TravelTime", (4, 14, 0)) == 0
    scene.Cues = [cue for cue in scene.Cues if cue != track]  # ParaView 6.0 keeps a deleted one
    simple.Delete(track)
