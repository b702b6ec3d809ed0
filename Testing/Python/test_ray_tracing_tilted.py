"""Isochrone Ray Tracing: P waves in tilted transversely isotropic media (Velocity Type TTI)."""
import numpy as np
import pytest

from pipelines import array, assert_error, column, image, lines, output, properties_of, ray_tracing, travel_time
from test_image_travel_time_tilted import group_time

SIDE = 41
PLANE = {"extent": (0, SIDE - 1, 0, SIDE - 1, 0, 0)}
SECTION = {"extent": (0, SIDE - 1, 0, 0, 0, SIDE - 1)}
SPACE = {"extent": (0, 14, 0, 12, 0, 16), "spacing": (1, 1.2, 0.9)}
QUARTER = [0, -1, 0, 1, 0, 0, 0, 0, 1]  # direction matrix, by rows: the first axis points along world y
SHALE = {"ConstantVelocity": 2.0, "Epsilon": 0.24, "Delta": 0.1, "ShearRatio": 0.5}


def tilted(frame=PLANE, arrays=(), **properties):
    return ray_tracing(**{"Input": image(**frame, **dict(arrays)), "VelocityArray": None, "VelocityType": "TTI", "Radius": [6, 6, 6],
                          **SHALE, **properties})


def excess(proxy, source, axis):
    """Returns by how much the times are later than those of the group velocity, relative, at all points but the source."""
    out = output(proxy)
    ways = np.array([np.subtract(out.GetPoint(p), source) for p in range(out.GetNumberOfPoints())])
    exact = group_time(ways, np.asarray(axis, float), 2.0, 0.24, 0.1, 0.5)
    apart = exact > 1e-9
    return array(out, "TravelTime")[apart] / exact[apart] - 1


@pytest.mark.parametrize("rule", ["Accurate", "Fast", "Cells"])
@pytest.mark.parametrize("frame, source, axes",
                         [(PLANE, (20, 15, 0), ((1, 0, 0), (0, 1, 0))), (SECTION, (20, 0, 15), ((1, 0, 0), (0, 0, 1))),
                          ({**PLANE, "direction": QUARTER}, (-15, 20, 0), ((0, 1, 0), (-1, 0, 0)))])
def test_in_a_plane_edges_have_the_group_velocity(frame, source, axes, rule):
    first, second = np.asarray(axes, float)
    axis = np.sin(np.radians(35)) * first + np.cos(np.radians(35)) * second
    error = excess(tilted(frame, Tilt=35, Azimuth=77, SourcePoints=source, WeightRule=rule), source, axis)
    assert error.min() > -1e-5 and np.median(error) < 0.002 and error.max() < 0.01


@pytest.mark.parametrize("frame, source", [(SPACE, (7, 7.2, 7.2)), ({**SPACE, "direction": QUARTER}, (-7.2, 7, 7.2))])
def test_in_space_tilt_and_azimuth_are_those_of_the_world(frame, source):
    t, a = np.radians([40, 110])
    axis = np.sin(t) * np.cos(a), np.sin(t) * np.sin(a), np.cos(t)
    error = excess(tilted(frame, Tilt=40, Azimuth=110, SourcePoints=source, Radius=[2, 2, 2]), source, axis)
    assert error.min() > -1e-5 and np.median(error) < 0.02 and error.max() < 0.1


def test_rays_and_their_matrix_agree_with_image_travel_times():
    depth = np.repeat(np.arange(SIDE), SIDE)
    arrays = {"v": 1.5 + 0.03 * depth, "t": 40.0 * np.sin(depth / 20)}
    choice = dict(TiltArray=["POINTS", "t"])
    proxy = tilted(SECTION, arrays, VelocityArray=["POINTS", "v"], SourcePoints=(5, 0, 2), ReceiverPoints=(35, 0, 30),
                   ComputeRayMatrix=1, **choice)
    times = travel_time(Input=image(**SECTION, **arrays), SpeedType="TTI", SourceFactoring="Additive", SpeedArray=["POINTS", "v"],
                        SeedPoints=(5, 0, 2), TipPoints=(35, 0, 30), Epsilon=0.24, Delta=0.1, ShearRatio=0.5, **choice)
    ray = output(proxy, 1).GetCellData().GetArray("TravelTime").GetValue(0)
    assert ray == pytest.approx(output(times, 1).GetCellData().GetArray("TravelTime").GetValue(0), rel=0.01)
    slowness = 1 / arrays["v"]
    matrix = output(proxy, 2)
    assert (column(matrix, "Weight") * slowness[column(matrix, "ElementId").astype(int)]).sum() == pytest.approx(ray, rel=1e-5)
    assert lines(output(proxy, 1))[0][[0, -1]] == pytest.approx(np.array([[35, 0, 30], [5, 0, 2]]))


def test_without_anisotropy_times_are_those_of_the_velocity():
    v = np.linspace(1, 3, SIDE * SIDE)
    one = tilted(PLANE, {"v": v}, VelocityArray=["POINTS", "v"], Epsilon=0, Delta=0, Tilt=20)
    other = ray_tracing(Input=image(**PLANE, v=v), Radius=[6, 6, 6])
    assert (array(output(one), "TravelTime") == array(output(other), "TravelTime")).all()


def test_points_without_a_number_are_barriers():
    e = np.full(SIDE * SIDE, 0.2)
    e[20::SIDE] = np.nan  # a wall along y
    reached = array(output(tilted(PLANE, {"e": e}, EpsilonArray=["POINTS", "e"], SourcePoints=(5, 5, 0))), "Reached")
    assert reached.reshape(SIDE, SIDE)[:, :20].all() and not reached.reshape(SIDE, SIDE)[:, 20:].any()


@pytest.mark.parametrize("properties, words",
                         [({"Epsilon": -0.5}, "epsilon must be finite and above -0.5, got -0.5"),
                          ({"Delta": 2.5}, "not convex"), ({"ShearRatio": 1}, "Vs / Vp must not be negative"),
                          ({"Tilt": np.inf}, "the tilt must be a finite number"),
                          ({"ConstantVelocity": -1}, "must be positive and finite")])
def test_other_media_and_options_are_refused_with_the_remedy(messages, properties, words):
    assert_error(messages, tilted(PLANE, **properties), words)


def test_converted_waves_are_refused(messages):
    v, mask = np.ones(SIDE * SIDE), np.zeros(SIDE * SIDE)
    mask[30 * SIDE:31 * SIDE] = 1
    reflected = dict(Interface="Mask", InterfaceArray=["POINTS", "m"])
    proxy = tilted(PLANE, {"v": v, "m": mask}, SecondVelocityArray=["POINTS", "v"], **reflected)
    assert_error(messages, proxy, "converted waves are not possible")
    times = array(output(tilted(PLANE, {"m": mask}, **reflected)), "ReflectedTravelTime")
    assert np.isfinite(times).all()


def test_the_panel_documents_its_properties():
    shown = dict(properties_of(tilted()))
    for name in ("Epsilon", "Delta", "Tilt", "Azimuth", "ShearRatio"):
        assert name in shown and name + "Array" in shown
