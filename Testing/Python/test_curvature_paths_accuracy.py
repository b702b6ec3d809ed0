"""Isochrone Curvature Paths: accuracy beyond first order."""
import numpy as np
import pytest

from pipelines import array, assert_error, at, curvature_paths, image, lines, output, plane, points

N = 61
ACCURACIES = ["First Order", "Seed Ball", "Second Order"]


def error(accuracy, **properties):
    """Returns the median relative error of the minimum time from a seed with any heading; the exact time is the distance."""
    settings = {"Input": image(extent=(0, N - 1, 0, N - 1, 0, 0)), "SeedPoints": (30, 30, 0), "NumberOfHeadings": 32,
                "TurningRadius": 6.0, "Accuracy": accuracy, **properties}
    y, x = np.mgrid[:N, :N]
    distance = np.hypot(x - 30, y - 30)
    time = plane(output(curvature_paths(**settings)), "TravelTime")
    far = distance > 5
    return np.median(abs(time[far] / distance[far] - 1))


@pytest.mark.parametrize("model", ["Reeds-Shepp", "Reeds-Shepp Forward", "Elastica", "Dubins"])
def test_each_accuracy_reduces_the_error(model):
    first, ball, second = (error(accuracy, Model=model) for accuracy in ACCURACIES)
    # Dubins: 0.88, because Second Order prevents leaks through jumps.
    assert ball < 0.6 * first and second < (0.9 if model == "Dubins" else 0.8) * ball


def test_a_new_filter_has_the_accuracy_seed_ball():
    new, ball = (array(output(curvature_paths(Input=image(), SeedPoints=(10.3, 7.6, 0), **accuracy)), "TravelTime")
                 for accuracy in ({}, {"Accuracy": "Seed Ball"}))
    assert (new == ball).all()


@pytest.mark.parametrize("accuracy", ACCURACIES)
def test_residual_is_small_and_paths_reach_their_ends(accuracy):
    for model in ("Reeds-Shepp", "Dubins"):
        proxy = curvature_paths(Input=image(extent=(0, 40, 0, 40, 0, 0)), Model=model, TurningRadius=5.0, NumberOfHeadings=24,
                                SeedPoints=(10.3, 12.4, 0), SeedHeadings=[20], TipPoints=(30, 25, 0), CheckResidual=1,
                                Accuracy=accuracy)
        assert 0 <= proxy.Residual < 1e-4
        line = lines(output(proxy, 1))[0]
        assert line[0] == pytest.approx((30, 25, 0), abs=1e-6) and line[-1] == pytest.approx((10.3, 12.4, 0), abs=1e-6)


@pytest.mark.parametrize("accuracy", ACCURACIES)
def test_round_trips_in_a_drift_have_the_travel_time_of_their_path(accuracy):
    v = np.tile([0.2, 0.1], (N * N, 1))
    settings = {"Input": image(extent=(0, N - 1, 0, N - 1, 0, 0), v=v), "Model": "Dubins", "TurningRadius": 6.0,
                "SeedPoints": (15, 30, 0), "TipPoints": (45, 40, 0), "NumberOfHeadings": 32, "DriftArray": ["POINTS", "v"],
                "Route": "Round Trip", "Accuracy": accuracy}
    proxy = curvature_paths(**settings)
    flown, solved = array(output(proxy, 1), "ElapsedTime")[0], at(output(proxy), "TravelTime", (45, 40, 0))
    assert solved == pytest.approx(flown, rel={"First Order": 0.15, "Seed Ball": 0.1, "Second Order": 0.05}[accuracy])


@pytest.mark.parametrize("accuracy", ACCURACIES)
@pytest.mark.parametrize("route", ["One Way", "Round Trip"])
def test_sensitivities_add_up_to_the_travel_time(route, accuracy):
    settings = {"Input": image(extent=(0, N - 1, 0, N - 1, 0, 0)), "Model": "Dubins", "TurningRadius": 6.0, "Route": route,
                "SeedPoints": (15, 30, 0), "SeedHeadings": [0], "TipPoints": (45, 40, 0), "NumberOfHeadings": 32,
                "ComputeSensitivity": 1, "Accuracy": accuracy}
    out = output(curvature_paths(**settings))
    total, time = array(out, "CostSensitivity").sum(), at(out, "TravelTime", (45, 40, 0))
    assert total == pytest.approx(time, rel=1e-4)


def test_seeds_that_share_their_start_values_are_not_announced():
    seeds = points(np.random.default_rng(1).uniform((20, 20, 0), (180, 140, 0), (300, 3)))  # away from the border
    proxy = curvature_paths(Input=image(extent=(0, 200, 0, 160, 0, 0)), Seeds=seeds, Model="Reeds-Shepp",
                            NumberOfHeadings=32, TurningRadius=16)
    assert array(output(proxy), "Reached").all()
