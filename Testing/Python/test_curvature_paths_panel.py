"""Isochrone Curvature Paths: properties, defaults, and what is recomputed when one of them changes."""
import numpy as np
import pytest
from paraview import simple

from pipelines import (QUARTER_TURN, array, at, choices, counts, curvature_paths, image, lines, output,
                       points)

CENTRE = (10, 8, 0)


def test_defaults_start_at_the_centre_with_any_heading_and_cost_one():
    proxy = simple.IsochroneCurvaturePaths(Input=image(extent=(0, 40, 0, 30, 0, 0)))
    proxy.UpdatePipeline()
    out = output(proxy)
    assert at(out, "TravelTime", (20, 15, 0)) == 0
    assert array(out, "Reached").all() and 15 < array(out, "TravelTime").max() < 100
    assert lines(output(proxy, 1))[0][0] == pytest.approx((30, 22.5, 0), abs=1e-6)
    assert output(proxy, 2).GetNumberOfPoints() == 0


def test_default_turning_radius_is_a_tenth_of_the_smaller_extent():
    proxy = simple.IsochroneCurvaturePaths(Input=image(extent=(0, 40, 5, 25, 0, 0), spacing=(0.5, 0.5, 1)))
    assert proxy.TurningRadius == pytest.approx(1.0)


def first_points(**properties):
    proxy = simple.IsochroneCurvaturePaths(**properties)
    return list(proxy.SeedPoints), list(proxy.TipPoints)


@pytest.mark.parametrize("updated", [False, True])
def test_a_new_filter_has_a_seed_and_a_tip_with_handles(updated):
    input_ = image(extent=(0, 40, 5, 25, 0, 0), spacing=(0.5, 1, 1), origin=(1, 0, 3), direction=QUARTER_TURN)
    if updated:
        input_.UpdatePipeline()
    assert first_points(Input=input_) == ([-14, 10, 3], [-9, 15, 3])


def test_given_points_are_kept_and_seeds_alone_have_no_path():
    input_, source_ = image(), points([(3, 3, 0)])
    assert first_points(Input=input_, SeedPoints=[2, 6, 3]) == ([2, 6, 3], [])
    assert first_points(Input=input_, TipPoints=[2, 6, 3]) == ([10, 8, 0], [2, 6, 3])
    assert first_points(Input=input_, Seeds=source_) == ([10, 8, 0], [])


def test_a_connected_input_of_tips_overrides_the_panel():
    proxy = curvature_paths(Input=image(), SeedPoints=CENTRE, Tips=points([(3, 3, 0)]))
    assert len(proxy.TipPoints) == 3
    assert [line[0] for line in lines(output(proxy, 1))] == [pytest.approx((3, 3, 0))]


def test_initial_points_lie_in_the_actual_image():
    box = image(extent=(0, 3, 0, 3, 0, 0))
    resampled = simple.ResampleToImage(Input=box, SamplingDimensions=[31, 21, 1], UseInputBounds=0,
                                       SamplingBounds=[0, 3, 0, 2, 0, 0])
    assert first_points(Input=resampled) == ([1.5, 1, 0], [2.25, 1.5, 0])


def test_arrays_of_the_oriented_cost_can_be_picked():
    flat, oriented = image(a=np.ones(21 * 17)), image(extent=(0, 20, 0, 16, 0, 7), b=np.ones(21 * 17 * 8))
    flat.UpdatePipeline()
    oriented.UpdatePipeline()
    proxy = simple.IsochroneCurvaturePaths(Input=flat, OrientedCost=oriented)
    for name in ("CostArray", "TurningRadiusArray", "CurvatureShiftArray"):
        assert choices(proxy, name) == ["None", "a", "b"]
    assert choices(proxy, "WallArray") == ["None", "a"]
    proxy.OrientedCost = None
    assert choices(proxy, "TurningRadiusArray") == ["None", "a"]
    proxy.OrientedCost = oriented
    proxy.TurningRadiusArray = ["POINTS", "b"]
    assert choices(proxy, "TurningRadiusArray") == ["None", "a", "b"] and proxy.CostArray[1] == "None"


def test_a_photograph_starts_with_cost_one():
    proxy = simple.IsochroneCurvaturePaths(Input=image(rgb=np.zeros((21 * 17, 3), np.uint8)), NumberOfHeadings=8)
    proxy.UpdatePipeline()
    assert proxy.CostArray[1] == "None"
    assert array(output(proxy), "Reached").all()


def test_python_interface():
    cost, walls = np.full(21 * 17, 2.0), np.zeros(21 * 17, np.uint8)
    seeds, tips = points([(3, 3, 0)]), points([(17, 13, 0)])
    proxy = simple.IsochroneCurvaturePaths(
        Input=image(cost=cost, walls=walls), Seeds=seeds, Tips=tips, OrientedCost=None, Model="Dubins",
        TurningRadius=2.0, CurvatureShift=0.0, TurningRadiusArray=None, CurvatureShiftArray=None,
        CostArray=["POINTS", "cost"], WallArray=["POINTS", "walls"], NumberOfHeadings=60, Relaxation=0.1,
        ComputeStateSpace=1, StopAtTips=0, Backend="Host", Threads=2)
    proxy.UpdatePipeline()
    assert proxy.TurningRadius == 2.0 and proxy.Model == "Dubins"
    assert output(proxy, 1).GetNumberOfCells() == 1
    assert proxy.BackendUsed == "Host" and proxy.BackendReason
    assert proxy.Rounds > 0 and proxy.UpdatesPerPoint > 0


@pytest.mark.parametrize("model", ["Reeds-Shepp", "Reeds-Shepp Forward", "Elastica", "Dubins"])
def test_models_by_name(model):
    proxy = curvature_paths(Input=image(), Model=model, TipPoints=[17, 13, 0])
    assert proxy.Model == model and output(proxy, 1).GetNumberOfCells() == 1


def test_names_that_do_not_exist_are_refused():
    proxy = simple.IsochroneCurvaturePaths(Input=image())
    for name, value in (("Model", "Car"), ("Backend", "GPU"), ("SeedType", "Cloud"), ("WallMode", "Zero"),
                        ("Accuracy", "Third Order"), ("Route", "Both Ways")):
        with pytest.raises(ValueError):
            setattr(proxy, name, value)
    with pytest.raises(AttributeError):
        proxy.Costs = ["POINTS", "cost"]


def test_output_ports_have_names():
    proxy = simple.IsochroneCurvaturePaths(Input=image())
    assert [proxy.SMProxy.GetOutputPortName(p) for p in range(3)] == ["Travel Time", "Paths", "State Space"]


@pytest.mark.parametrize("change", [{"BlankUnreached": 1}, {"ComputeStateSpace": 1}, {"StateSpaceHeight": 3.0},
                                    {"Threads": 2}, {"WallRange": [1, 2]}])
def test_changes_without_effect_on_the_problem_compute_nothing(change):
    proxy = curvature_paths(Input=image(), SeedPoints=CENTRE, TipPoints=[3, 3, 0])
    for name, value in change.items():
        setattr(proxy, name, value)
    proxy.UpdatePipeline()
    assert counts(proxy) == (1, 1)
    assert output(proxy, 1).GetNumberOfCells() == 1


@pytest.mark.parametrize("change", [{"Model": "Dubins"}, {"TurningRadius": 3.0}, {"CurvatureShift": 0.1},
                                    {"NumberOfHeadings": 20}, {"Relaxation": 0.2}, {"RightTurningRadius": 1.0},
                                    {"Accuracy": "Second Order"}, {"Route": "Round Trip"}])
def test_changes_of_the_problem_solve_again(change):
    proxy = curvature_paths(Input=image(), SeedPoints=CENTRE)
    for name, value in change.items():
        setattr(proxy, name, value)
    proxy.UpdatePipeline()
    assert counts(proxy)[0] == 2


def test_typed_headings_apply_to_the_first_points():
    proxy = curvature_paths(Input=image(), Model="Reeds-Shepp Forward", SeedPoints=[3, 3, 0, 17, 13, 0],
                            SeedHeadings=[90])
    assert at(output(proxy), "TravelTime", (3, 7, 0)) == pytest.approx(4, rel=1e-5)
    assert at(output(proxy), "TravelTime", (7, 3, 0)) > 4.5
    assert at(output(proxy), "TravelTime", (17, 9, 0)) == pytest.approx(4, rel=1e-5)
    assert at(output(proxy), "TravelTime", (13, 13, 0)) == pytest.approx(4, rel=1e-5)


def test_residual_is_small_if_requested():
    proxy = curvature_paths(Input=image(), SeedPoints=CENTRE)
    assert np.isnan(proxy.Residual)
    proxy.CheckResidual = 1
    proxy.UpdatePipeline()
    assert 0 <= proxy.Residual < 1e-4
    assert counts(proxy)[0] == 1


def test_stop_at_tips_gives_the_same_path():
    settings = {"Input": image(extent=(0, 60, 0, 50, 0, 0)), "Model": "Dubins", "SeedPoints": [10, 10, 0],
                "TipPoints": [15, 14, 0]}
    full, stopped = curvature_paths(**settings), curvature_paths(StopAtTips=1, **settings)
    assert lines(output(stopped, 1))[0] == pytest.approx(lines(output(full, 1))[0], abs=1e-6)
