"""Isochrone Image Travel Time: P waves in tilted transversely isotropic media (Speed Type TTI)."""
import numpy as np
import pytest

from pipelines import array, assert_error, cell_array, counts, image, lines, output, properties_of, travel_time

SIDE = 61
PLANE = {"extent": (0, SIDE - 1, 0, SIDE - 1, 0, 0)}
SECTION = {"extent": (0, SIDE - 1, 0, 0, 0, SIDE - 1)}
SPACE = {"extent": (0, 24, 0, 22, 0, 26), "spacing": (1, 1.2, 0.9)}
QUARTER = [0, -1, 0, 1, 0, 0, 0, 0, 1]  # direction matrix, by rows: the first axis points along world y
SHALE = {"ConstantSpeed": 2.0, "Epsilon": 0.24, "Delta": 0.1, "ShearRatio": 0.5}


def tilted(frame=PLANE, arrays=(), **properties):
    return travel_time(**{"Input": image(**frame, **dict(arrays)), "SpeedType": "TTI", "SourceFactoring": "Additive", **SHALE, **properties})


def group_time(ways, axis, speed, epsilon, delta, ratio):
    """Returns the maximum of <p, way> over the slowness curve, sampled from the Christoffel equation."""
    along = ways @ axis
    across = np.sqrt(np.maximum(0, (ways**2).sum(axis=-1) - along**2))
    a = np.linspace(0, np.pi / 2, 2001)
    x, z = np.sin(a), np.cos(a)
    c11, c33, c55 = 1 + 2 * epsilon, 1.0, ratio**2
    c13 = np.sqrt(2 * (1 - c55) * delta + (1 - c55)**2) - c55
    g11, g33, g13 = c11 * x**2 + c55 * z**2, c55 * x**2 + c33 * z**2, (c13 + c55) * x * z
    p = 1 / (speed * np.sqrt((g11 + g33) / 2 + np.sqrt((g11 - g33)**2 / 4 + g13**2)))
    return np.array([np.max(p * (x * s + z * t)) for s, t in zip(across, np.abs(along))])


def errors(proxy, seed, axis, speed=2.0, epsilon=0.24, delta=0.1, ratio=0.5):
    """Returns the relative errors at all points but the seed."""
    out = output(proxy)
    ways = np.array([np.subtract(out.GetPoint(p), seed) for p in range(out.GetNumberOfPoints())])
    exact = group_time(ways, np.asarray(axis, float), speed, epsilon, delta, ratio)
    apart = exact > 0
    return np.abs(array(out, "TravelTime") - exact)[apart] / exact[apart]


# ------------------------------------------------------------------------------------------------------- travel times
@pytest.mark.parametrize("tilt", [0, 30, 90, -60])
@pytest.mark.parametrize("frame, seed, axes",
                         [(PLANE, (20, 30, 0), ((1, 0, 0), (0, 1, 0))), (SECTION, (20, 0, 30), ((1, 0, 0), (0, 0, 1))),
                          ({**PLANE, "direction": QUARTER}, (-30, 20, 0), ((0, 1, 0), (-1, 0, 0)))])
def test_in_a_plane_the_tilt_is_from_the_second_axis_towards_the_first(frame, seed, axes, tilt):
    first, second = np.asarray(axes, float)
    axis = np.sin(np.radians(tilt)) * first + np.cos(np.radians(tilt)) * second
    error = errors(tilted(frame, Tilt=tilt, Azimuth=77, SeedPoints=seed), seed, axis)
    assert np.median(error) < 0.002 and error.max() < 0.05


@pytest.mark.parametrize("tilt, azimuth", [(0, 0), (40, 0), (40, 110), (90, -30)])
@pytest.mark.parametrize("frame, seed", [(SPACE, (12, 12, 9)), ({**SPACE, "direction": QUARTER}, (-12, 12, 9))])
def test_in_space_tilt_and_azimuth_are_those_of_the_world(frame, seed, tilt, azimuth):
    t, a = np.radians([tilt, azimuth])
    axis = np.sin(t) * np.cos(a), np.sin(t) * np.sin(a), np.cos(t)
    error = errors(tilted(frame, Tilt=tilt, Azimuth=azimuth, SeedPoints=seed), seed, axis)
    assert np.median(error) < 0.005 and error.max() < 0.12


def test_arrays_replace_the_constants():
    number = SIDE * SIDE
    arrays = {name: np.full(number, value) for name, value in
              {"v": 2.0, "e": 0.24, "d": 0.1, "t": 30.0, "a": 0.0, "r": 0.5}.items()}
    properties = {name: ["POINTS", short] for name, short in
                  {"SpeedArray": "v", "EpsilonArray": "e", "DeltaArray": "d", "TiltArray": "t", "AzimuthArray": "a", "ShearRatioArray": "r"}.items()}
    given = tilted(PLANE, arrays, ConstantSpeed=9, Epsilon=9, Delta=-9, Tilt=9, ShearRatio=0.9, **properties)
    constant = tilted(PLANE, Tilt=30)
    assert (array(output(given), "TravelTime") == array(output(constant), "TravelTime")).all()


def test_without_anisotropy_times_are_those_of_the_speed():
    v = 1 + np.random.default_rng(3).random(SIDE * SIDE)
    isotropic = travel_time(Input=image(**PLANE, v=v), SpeedArray=["POINTS", "v"])
    p_wave = tilted(PLANE, {"v": v}, SpeedArray=["POINTS", "v"], Epsilon=0, Delta=0, Tilt=33, SourceFactoring="Off")
    assert array(output(p_wave), "TravelTime") == pytest.approx(array(output(isotropic), "TravelTime"), rel=1e-5)


def test_an_elliptic_medium_is_a_tensor():
    axis = np.array([np.sin(np.radians(30)), np.cos(np.radians(30)), 0])
    tensor = 4 * (1.4 * (np.eye(3) - np.outer(axis, axis)) + np.outer(axis, axis))
    six = np.tile([tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[1, 2], tensor[0, 2]], (SIDE * SIDE, 1))
    riemannian = travel_time(Input=image(**PLANE, m=six), SpeedArray=["POINTS", "m"], SpeedType="Squared Velocity Tensor",
                             SourceFactoring="Additive")
    elliptic = tilted(PLANE, Epsilon=0.2, Delta=0.2, Tilt=30)
    assert array(output(elliptic), "TravelTime") == pytest.approx(array(output(riemannian), "TravelTime"), rel=1e-5)


@pytest.mark.parametrize("name", ["v", "e", "t"])
def test_points_without_a_number_are_barriers(name):
    arrays = {"v": np.full(SIDE * SIDE, 2.0), "e": np.full(SIDE * SIDE, 0.24), "t": np.zeros(SIDE * SIDE)}
    wall = np.arange(SIDE * SIDE) % SIDE == 40
    arrays[name][wall] = np.nan
    out = output(tilted(PLANE, arrays, SpeedArray=["POINTS", "v"], EpsilonArray=["POINTS", "e"], TiltArray=["POINTS", "t"],
                        TipPoints=(30, 20, 0)))
    assert array(out, "Reached").sum() == 40 * SIDE


def test_paths_take_the_travel_times_of_their_tips():
    depth = np.repeat(np.arange(SIDE), SIDE)
    proxy = tilted(SECTION, {"v": 1.5 + 0.03 * depth, "t": 40.0 * np.sin(depth / 20)}, SpeedArray=["POINTS", "v"], TiltArray=["POINTS", "t"],
                   SeedPoints=(5, 0, 2), TipPoints=(55, 0, 50), CheckResidual=1, ComputeGradient=1)
    path, out = lines(output(proxy, 1))[0], output(proxy)
    assert path[[0, -1]] == pytest.approx(np.array([[55, 0, 50], [5, 0, 2]]), abs=1e-6)
    assert cell_array(output(proxy, 1), "TravelTime")[0] == pytest.approx(array(out, "TravelTime")[55 + 50 * SIDE], rel=1e-5)
    before = counts(proxy)
    proxy.TipPoints = (50, 0, 40)
    proxy.UpdatePipeline()
    assert counts(proxy)[0] == before[0]  # not solved again
    proxy.Delta = 0.2
    proxy.UpdatePipeline()
    assert counts(proxy)[0] == before[0] + 1


# ---------------------------------------------------------------------------------------------------------- bad input
@pytest.mark.parametrize("properties, words",
                         [({"Epsilon": -0.5}, "epsilon must be finite and above -0.5, got -0.5"),
                          ({"Delta": -0.5}, "1 + 2 delta must be finite and above"), ({"ShearRatio": 1}, "Vs / Vp must not be negative"),
                          ({"Delta": 2.5}, "not convex"), ({"Order": 2}, "the second order is not possible in a tilted medium"),
                          ({"SourceFactoring": "Multiplicative"}, "source factoring Additive or Off"),
                          ({"Tilt": np.inf}, "the tilt must be a finite number"),
                          ({"ConstantSpeed": -1}, "speed must be positive")])
def test_other_media_and_options_are_refused_with_the_remedy(messages, properties, words):
    assert_error(messages, tilted(PLANE, **properties), words)


def test_the_first_bad_point_is_named(messages):
    e = np.zeros(SIDE * SIDE)
    e[5 + 7 * SIDE] = -0.6
    assert_error(messages, tilted(PLANE, {"e": e}, EpsilonArray=["POINTS", "e"], Delta=0),
                 "epsilon must be finite and above -0.5, got -0.6", "point (5, 7, 0)", "make them barriers")


def test_a_drift_is_refused(messages):
    drift = np.tile([0.1, 0, 0], (SIDE * SIDE, 1))
    assert_error(messages, tilted(PLANE, {"w": drift}, DriftArray=["POINTS", "w"]), "a drift is not possible in a tilted medium")


# -------------------------------------------------------------------------------------------------------------- panel
def test_the_panel_documents_its_properties():
    shown = dict(properties_of(tilted()))
    for name in ("Epsilon", "Delta", "Tilt", "Azimuth", "ShearRatio"):
        assert name in shown and name + "Array" in shown
