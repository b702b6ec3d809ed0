"""Isochrone Curvature Paths: derivatives of the travel times of tips by cost, radius, shift and start values."""
import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy

from pipelines import array, assert_error, at, counts, curvature_paths, image, names, output, plane, points

W, H, HEADINGS = 41, 31, 24
TIP = (32, 19, 0)
CAR = {"Model": "Dubins", "TurningRadius": 5.0, "NumberOfHeadings": HEADINGS, "SeedPoints": (8, 12, 0), "SeedHeadings": [0],
       "TipPoints": TIP, "TipHeadings": [45], "ComputeSensitivity": 1}


def smooth():
    y, x = np.mgrid[:H, :W]
    return (1 + 0.3 * np.sin(x / 6) * np.cos(y / 5)).ravel()


def current():
    y, x = np.mgrid[:H, :W]
    return np.stack([0.3 * np.cos(y / 9), 0.2 * np.sin(x / 9)], axis=-1).reshape(-1, 2)


def car(cost=None, v=None, **properties):
    arrays = {"c": smooth() if cost is None else cost, "v": current() if v is None else v}
    settings = {"Input": image(extent=(0, W - 1, 0, H - 1, 0, 0), **arrays), "CostArray": ["POINTS", "c"], **CAR}
    return curvature_paths(**{**settings, **properties})


def field(proxy, name):
    return vtk_to_numpy(output(proxy).GetFieldData().GetArray(name))


DRIFT = {"DriftArray": ["POINTS", "v"]}
PLAIN = {"Accuracy": "First Order"}  # the derivatives treat the corrections in seed balls as constant, unlike differences
CASES = [{}, {"Model": "Reeds-Shepp"}, {"Model": "Elastica"}, DRIFT, {"Route": "Round Trip"},
         {"Route": "Round Trip", **DRIFT}]


def test_sensitivities_are_off_by_default_and_need_no_second_solve():
    proxy = car(ComputeSensitivity=0)
    assert not [n for n in names(output(proxy).GetPointData()) if "Sensitivity" in n]
    proxy.ComputeSensitivity = 1
    proxy.UpdatePipeline()
    assert [n for n in names(output(proxy).GetPointData()) if "Sensitivity" in n] == ["CostSensitivity"]
    proxy.SensitivityRadius = 1
    proxy.UpdatePipeline()
    assert [n for n in names(output(proxy).GetPointData()) if "Sensitivity" in n] == [
        "CostSensitivity", "TurningRadiusSensitivity", "CurvatureShiftSensitivity"]
    proxy.ComputeSensitivity = 0
    proxy.UpdatePipeline()
    assert not [n for n in names(output(proxy).GetPointData()) if "Sensitivity" in n]
    assert counts(proxy) == (1, 1)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_derivatives_add_up_to_the_objective(case):
    """Travel times are homogeneous in cost and start values together."""
    proxy = car(**case)
    total = (smooth() * array(output(proxy), "CostSensitivity")).sum()
    assert total == pytest.approx(field(proxy, "Objective")[0], rel=1e-5)
    ends = field(proxy, "StartValueSensitivity")
    assert ends == pytest.approx(1, rel=1e-6)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_cost_sensitivity_predicts_the_effect_of_a_costlier_region(case):
    y, x = np.mgrid[:H, :W]
    region = np.exp(-((x - 20)**2 + (y - 15)**2) / 50).ravel()
    step = 2e-3
    more, less = (field(car(cost=smooth() + s * region, **PLAIN, **case), "Objective")[0] for s in (step, -step))
    exact = (region * array(output(car(**PLAIN, **case)), "CostSensitivity")).sum()
    assert (more - less) / (2 * step) == pytest.approx(exact, rel=0.02)


@pytest.mark.parametrize("case", [{}, {"Model": "Elastica", "CurvatureShift": 0.01}, {"RightTurningRadius": 8.0}, DRIFT,
                                  {**DRIFT, "RightTurningRadius": 8.0}, {**DRIFT, "Route": "Round Trip"}], ids=str)
def test_radius_and_shift_sensitivities_predict_changes(case):
    proxy = car(SensitivityRadius=1, **PLAIN, **case)
    for name, step in (("TurningRadius", 1e-3), ("RightTurningRadius", 1e-3), ("CurvatureShift", 5e-5)):
        if name == "RightTurningRadius" and name not in case:
            assert not output(proxy).GetPointData().HasArray(name + "Sensitivity")
            continue
        here = {**CAR, "CurvatureShift": 0.0, **case}[name]
        more, less = (field(car(**{**PLAIN, **case, name: here + s}), "Objective")[0] for s in (step, -step))
        exact = array(output(proxy), name + "Sensitivity").sum()
        assert (more - less) / (2 * step) == pytest.approx(exact, rel=0.04), name


def test_state_space_has_the_sensitivity_of_each_heading():
    proxy = car(ComputeStateSpace=1, SensitivityRadius=1)
    for name in ("CostSensitivity", "TurningRadiusSensitivity", "CurvatureShiftSensitivity"):
        each = array(output(proxy, 2), name).reshape(HEADINGS, H, W)
        assert each.sum(axis=0).ravel() == pytest.approx(array(output(proxy), name), rel=1e-9, abs=1e-12)
    assert (array(output(proxy, 2), "CostSensitivity") > 0).any()


def test_only_states_along_the_path_have_sensitivities():
    flat = car(cost=np.ones(W * H), TipPoints=(32, 12, 0), TipHeadings=[0])
    sensitivity = plane(output(flat), "CostSensitivity")
    assert sensitivity[10:15, 8:33].sum() > 0.9 * sensitivity.sum() > 0
    assert (sensitivity >= 0).all() and sensitivity[:, 33:].max() == 0


def test_tips_contribute_by_their_weights():
    both = points([TIP, (30, 6, 0)], Weight=np.array([2.0, -0.5]))
    first, second = points([TIP]), points([(30, 6, 0)])
    arrays = [array(output(car(Tips=tips, TipType="Input")), "CostSensitivity") for tips in (both, first, second)]
    assert arrays[0] == pytest.approx(2 * arrays[1] - 0.5 * arrays[2], rel=1e-6, abs=1e-8)
    times = [at(output(car(Tips=both)), "TravelTime", p) for p in (TIP, (30, 6, 0))]
    assert field(car(Tips=both), "Objective")[0] == pytest.approx(2 * times[0] - 0.5 * times[1], rel=1e-5)


def test_a_moved_tip_has_other_sensitivities_from_the_same_solve():
    proxy = car()
    proxy.TipPoints = (30, 6, 0)
    proxy.UpdatePipeline()
    assert counts(proxy)[0] == 1
    assert (array(output(proxy), "CostSensitivity") == array(output(car(TipPoints=(30, 6, 0))), "CostSensitivity")).all()


def test_seeds_share_the_weight_of_the_tips():
    proxy = car(SeedPoints=(8, 12, 0, 36, 25, 0), SeedHeadings=[], Tips=points([TIP, (10, 20, 0)]), TipHeadings=[])
    assert field(proxy, "StartValueSensitivity") == pytest.approx([1, 1])


def test_same_sensitivities_for_any_thread_count():
    one, two = (array(output(car(Threads=t)), "CostSensitivity") for t in (1, 2))
    assert (one == two).all()


def test_unreached_or_missing_tips_have_no_sensitivities(messages):
    proxy = car(TipPoints=(90, 19, 0))
    assert "tip 0" in messages()
    assert (array(output(proxy), "CostSensitivity") == 0).all() and field(proxy, "Objective")[0] == 0
    without = car(TipPoints=[], TipHeadings=[])
    assert (array(output(without), "CostSensitivity") == 0).all()


def test_weights_with_nan(messages):
    proxy = car(Tips=points([TIP, (30, 6, 0)], Weight=np.array([1.0, np.nan])))
    assert_error(messages, proxy, "weight", "tip 1 at (30, 6, 0)", "nan", "finite")


def test_weights_have_no_effect_without_sensitivities():
    car(Tips=points([TIP], Weight=np.array([np.nan])), ComputeSensitivity=0)


def test_weight_lost_by_rounding_is_reported(messages):
    """Beyond the middle the cost of a step is below the rounding of the travel times there."""
    cost = np.ones((H, W))
    cost[:, W // 2:] = 1e-9
    proxy = car(cost.ravel())
    assert "of the weights of the tips 1 do not reach a seed" in messages()
    assert field(proxy, "StartValueSensitivity") == pytest.approx(0, abs=1e-9)
    car()
    assert messages().count("do not reach a seed") == 1
