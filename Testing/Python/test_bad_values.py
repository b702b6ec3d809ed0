"""Numbers beyond single precision, 32 bits or a grid: an error with the remedy, or the right answer, immediately."""
import numpy as np
import pytest

from pipelines import (QUARTER_TURN, array, assert_error, counts, curvature_paths, distance_transform, image, oriented_cost, output, points,
                       ray_tracing, travel_time)

VALUES = np.random.default_rng(1).uniform(0.5, 1.5, 21 * 17)
SITES = (np.arange(21 * 17) == 0) * 1.0

IMAGE_FILTERS = [curvature_paths, travel_time, distance_transform, ray_tracing, oriented_cost]


def medium(**shape):
    return image(**shape, v=np.ones(21 * 17), a=SITES, intensity=VALUES)


@pytest.fixture(params=IMAGE_FILTERS, ids=lambda build: build.__name__)
def build(request):
    return request.param


# ------------------------------------------------------------------------------------------------- spacings
@pytest.mark.parametrize("spacing", [1e-200, 1e-160, 1e160, 1e300, 1.7e308])
def test_spacing_beyond_every_solver_is_refused(messages, spacing):
    for build in (curvature_paths, ray_tracing, distance_transform):
        proxy = build(Input=medium(spacing=(spacing,) * 3))
        text = messages()
        assert "use another unit" in text or "use other units" in text, (build, text)
        assert output(proxy).GetNumberOfPoints() == 0
    assert messages().count("ERROR") == 3


@pytest.mark.parametrize("spacing", [1e-46, 1e-100])
def test_spacing_with_travel_times_of_zero_is_refused(messages, spacing):
    proxy = curvature_paths(Input=medium(spacing=(spacing,) * 3), TurningRadius=2 * spacing)
    assert_error(messages, proxy, "spacing", "use another unit of length")


@pytest.mark.parametrize("cost", [1e-300, 1e-35, 1e35])
def test_cost_beyond_single_precision_is_refused(messages, cost):
    proxy = curvature_paths(Input=image(c=np.full(21 * 17, cost)), CostArray=["POINTS", "c"])
    assert_error(messages, proxy, "cost")


@pytest.mark.parametrize("velocity", [1e-300, 1e-45, 1e45, 1e300])
def test_velocity_beyond_single_precision_is_refused(messages, velocity):
    proxy = ray_tracing(Input=image(), VelocityArray=["POINTS", "None"], ConstantVelocity=velocity)
    assert_error(messages, proxy, "single precision", "use other units")


@pytest.mark.parametrize("name, value", [("CurvatureShift", 1e300), ("CurvatureShift", -1e20), ("TurningRadius", 1e-300),
                                         ("TurningRadius", 1e30)])
def test_turns_beyond_the_grid_are_refused(messages, name, value):
    word = "curvature shift" if "Shift" in name else "turning radius"
    assert_error(messages, curvature_paths(Input=image(), **{name: value}), word, "on this grid")


@pytest.mark.parametrize("build_", [curvature_paths, oriented_cost], ids=lambda b: b.__name__)
def test_headings_beyond_the_memory_are_refused_immediately(messages, build_):
    proxy = build_(Input=medium(), NumberOfHeadings=2 ** 31 - 1)
    assert_error(messages, proxy, "2147483647 headings", "memory")


# ------------------------------------------------------------------------------------------------- oriented cost
@pytest.mark.parametrize("spacing", [1e-300, 1e-30, 1e20, 1e30, 1e300])
def test_oriented_cost_does_not_depend_on_the_unit_of_length(spacing):
    expected, got = (array(output(oriented_cost(Input=medium(spacing=(h, h, h)), NumberOfHeadings=8)), "Cost") for h in (1, spacing))
    assert np.ptp(got) > 0.5 and got == pytest.approx(expected, rel=1e-2)  # filters have an integer number of taps


def test_oriented_cost_of_an_extreme_spacing_is_refused(messages):
    assert_error(messages, oriented_cost(Input=medium(spacing=(1.7e308,) * 3)), "got 1.7e+308 x 1.7e+308", "use another unit of length")


@pytest.mark.parametrize("name, value", [("HalfStrength", 1e-300), ("HalfStrength", 1e300), ("ContrastExponent", 1e-300),
                                         ("ContrastExponent", 1e300), ("CostFloor", 1e-300)])
def test_cost_of_strength_beyond_single_precision_is_refused(messages, name, value):
    words = {"HalfStrength": "half strength", "ContrastExponent": "contrast exponent", "CostFloor": "cost floor"}
    assert_error(messages, oriented_cost(Input=medium(), **{name: value}), words[name], "got")


# ------------------------------------------------------------------------------------------------- labels
SEEDS = {travel_time: ("Seeds", "SeedId", "seed"), curvature_paths: ("Seeds", "SeedId", "seed"),
         ray_tracing: ("Sources", "SourceId", "source")}


@pytest.mark.parametrize("filter_", SEEDS, ids=lambda build: build.__name__)
@pytest.mark.parametrize("label", [3e9, -3e9, float("nan"), 1e300, -1.0, 1.9])
def test_labels_beyond_the_range_of_ids_are_refused(messages, filter_, label):
    port, _, word = SEEDS[filter_]
    proxy = filter_(Input=medium(), **{port: points([(3, 3, 0), (5, 5, 0)], Label=[7.0, label])})
    assert_error(messages, proxy, f"{word} 1 at (5, 5, 0) has the label", "32-bit integers", "correct")


@pytest.mark.parametrize("filter_", SEEDS, ids=lambda build: build.__name__)
@pytest.mark.parametrize("label", [0, 2 ** 31 - 1, -2 ** 31, -2])
def test_labels_at_the_limits_of_32_bits_become_ids(filter_, label):
    port, name, _ = SEEDS[filter_]
    extra = {"ComputeSourceId": 1} if filter_ is ray_tracing else {}
    proxy = filter_(Input=medium(), **{port: points([(3, 3, 0)], Label=[label])}, **extra)
    assert set(array(output(proxy), name)) == {label}


# ------------------------------------------------------------------------------------------------- directions
@pytest.mark.parametrize("matrix", [(2, 0, 0, 0, 2, 0, 0, 0, 2), (0,) * 9, (1, 0, 0, 1, 0, 0, 0, 0, 1), (1, 0.5, 0, 0, 1, 0, 0, 0, 1),
                                    (float("nan"), 0, 0, 0, 1, 0, 0, 0, 1)], ids=["twice", "zero", "singular", "skew", "nan"])
def test_direction_matrix_other_than_a_rotation_is_refused(build, messages, matrix):
    assert_error(messages, build(Input=medium(direction=matrix)), "direction matrix", "is not a rotation", "Resample To Image")


@pytest.mark.parametrize("matrix", [QUARTER_TURN, (-1, 0, 0, 0, 1, 0, 0, 0, 1), (0, 1, 0, 1, 0, 0, 0, 0, 1), (1, 0, 0, 0, 1, 0, 0, 0, -1),
                                    (0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1), (0.600001, -0.8, 0, 0.8, 0.599999, 0, 0, 0, 1)])
def test_rotations_and_reflections_give_distances_in_the_world(matrix):
    out = output(distance_transform(Input=medium(direction=matrix)))
    at = np.array([out.GetPoint(p) for p in range(out.GetNumberOfPoints())])
    assert array(out, "Distance") == pytest.approx(np.linalg.norm(at - at[0], axis=1), rel=1e-5)


# ------------------------------------------------------------------------------------------------- start values
@pytest.mark.parametrize("filter_", SEEDS, ids=lambda build: build.__name__)
@pytest.mark.parametrize("start", [1.7e9, -1.7e9])
def test_start_values_in_seconds_since_1970(filter_, start):
    """Differences between points equal those from a seed that starts at 0, on points, paths and in their objective."""
    port = SEEDS[filter_][0]
    tips = {"Receivers" if filter_ is ray_tracing else "Tips": points([(17, 13, 0)])}
    plain, late = (filter_(Input=medium(), **{port: points([(3, 3, 0), (9, 3, 0)], StartValue=[s, s + 2])}, **tips) for s in (0, start))
    times = [array(output(proxy), "TravelTime").astype(float) for proxy in (plain, late)]
    assert times[1] - start == pytest.approx(times[0], abs=1e-5)
    along = [array(output(proxy, 1), "TravelTime") for proxy in (plain, late)]
    assert along[1] - start == pytest.approx(along[0], abs=1e-5)
    assert output(plain).GetPointData().GetArray("TravelTime").GetDataTypeAsString() == "float"


def test_objective_and_round_trip_include_the_start_value():
    tips = points([(17, 13, 0), (9, 9, 0)], Weight=[1.0, 2.0])
    for extra in ({}, {"Route": "Round Trip"}):
        plain, late = (curvature_paths(Input=medium(), Seeds=points([(3, 3, 0)], StartValue=[s]), Tips=tips, ComputeSensitivity=1,
                                       ComputeStateSpace=1, **extra) for s in (0.0, 1.7e9))
        objectives = [output(proxy).GetFieldData().GetArray("Objective").GetValue(0) for proxy in (plain, late)]
        assert objectives[1] - 3 * 1.7e9 == pytest.approx(objectives[0], abs=1e-4)
        for port in (0, 2):
            times = [array(output(proxy, port), "TravelTime").astype(float) for proxy in (plain, late)]
            assert times[1] - 1.7e9 == pytest.approx(times[0], abs=1e-5)


@pytest.mark.parametrize("filter_", SEEDS, ids=lambda build: build.__name__)
def test_start_value_beyond_double_precision_is_refused(messages, filter_):
    proxy = filter_(Input=medium(), **{SEEDS[filter_][0]: points([(3, 3, 0)], StartValue=[1e39])})
    assert_error(messages, proxy, "start value 1e+39 is too large")


def test_start_values_too_far_apart_give_a_warning(messages):
    curvature_paths(Input=medium(), Seeds=points([(3, 3, 0), (15, 13, 0)], StartValue=[0, 1.7e9]))
    text = messages()
    assert "seed 1 at (15, 13, 0) starts 1.7e+09 after the earliest one" in text and "ERROR" not in text


def test_another_origin_does_not_solve_again():
    seeds = points([(3, 3, 0)], StartValue=[5.0])
    proxy = curvature_paths(Input=medium(), Seeds=seeds)
    before = array(output(proxy), "TravelTime").copy()
    data = seeds.GetClientSideObject().GetOutputDataObject(0)
    data.GetPointData().GetArray("StartValue").SetValue(0, 1005.0)
    for changed in (data.GetPointData().GetArray("StartValue"), data, seeds.GetClientSideObject()):
        changed.Modified()
    proxy.GetClientSideObject().Update()
    assert array(output(proxy), "TravelTime") == pytest.approx(before + 1000, abs=1e-3) and counts(proxy)[0] == 1
