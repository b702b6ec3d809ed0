"""Isochrone Curvature Paths: from a seed through a point and back."""
import numpy as np
import pytest

from pipelines import array, assert_error, at, cell_array, counts, curvature_paths, image, lines, output, plane

SEED = (10, 8, 0)


def trip(**properties):
    return curvature_paths(**{"Input": image(), "SeedPoints": SEED, "Route": "Round Trip", **properties})


def test_reeds_shepp_returns_in_reverse():
    out, one_way = output(trip()), output(trip(Route="One Way"))
    assert array(out, "TravelTime") == pytest.approx(2 * array(one_way, "TravelTime"), rel=1e-5)


@pytest.mark.parametrize("model", ["Reeds-Shepp Forward", "Elastica", "Dubins"])
def test_a_round_trip_is_between_both_paths_and_both_paths_plus_a_turn(model):
    both, one = (plane(output(trip(Model=model, Route=route)), "TravelTime") for route in ("Round Trip", "One Way"))
    assert (both >= 2 * one * (1 - 1e-5)).all()
    assert both[8, 13] > 2.2 * one[8, 13]  # near the seed it takes a loop
    assert both[8, 10] == 0


@pytest.mark.parametrize("model", ["Reeds-Shepp", "Reeds-Shepp Forward", "Elastica", "Dubins"])
def test_path_is_closed_and_passes_the_tip(model):
    out = output(trip(Model=model, TipPoints=(16, 12, 0)), 1)
    assert out.GetNumberOfCells() == 1
    line, time = lines(out)[0], array(out, "TravelTime")
    assert line[0] == pytest.approx(SEED, abs=1e-6) and line[-1] == pytest.approx(SEED, abs=1e-6)
    assert np.linalg.norm(line - (16, 12, 0), axis=1).min() < 1e-6
    assert time[-1] == 0 and (np.diff(time) <= 0).all()
    assert time[0] == pytest.approx(at(output(trip(Model=model)), "TravelTime", (16, 12, 0)), rel=1e-5)
    assert cell_array(out, "TravelTime")[0] == time[0] and cell_array(out, "Length")[0] > 2 * np.hypot(6, 4)


def test_a_heading_of_the_tip_is_the_heading_of_passage():
    out = output(trip(Model="Dubins", TipPoints=(16, 8, 0), TipHeadings=[90]), 1)
    nearest = np.linalg.norm(lines(out)[0] - (16, 8, 0), axis=1).argmin()
    assert array(out, "Heading")[nearest] % 360 == pytest.approx(90, abs=1)


@pytest.mark.parametrize("accuracy", ["First Order", "Seed Ball", "Second Order"])
def test_a_round_trip_in_wind_takes_longer(accuracy):
    def total(v):
        wide = image(extent=(0, 60, 0, 40, 0, 0), v=np.tile([v, 0.0], (61 * 41, 1)))
        return trip(Input=wide, Model="Dubins", DriftArray=["POINTS", "v"], SeedPoints=(10, 20, 0),
                    TipPoints=(50, 20, 0), TurningRadius=5.0, NumberOfHeadings=32, AddMediumPaths=1, Accuracy=accuracy)

    still, windy = (at(output(total(v)), "TravelTime", (50, 20, 0)) for v in (0, 0.5))
    assert windy / still == pytest.approx(1 / (1 - 0.5**2), rel=0.05)
    path = output(total(0.5), 1)
    ground, medium = lines(path)
    assert ground[0] == pytest.approx((10, 20, 0), abs=1e-6) and ground[-1] == pytest.approx((10, 20, 0), abs=1e-6)
    assert medium[-1] == pytest.approx((10, 20, 0), abs=1e-6)
    assert medium[0] == pytest.approx((10 - 0.5 * array(path, "ElapsedTime")[0], 20, 0), abs=1e-4)


def test_a_mirrored_curvature_shift_gives_the_mirrored_time():
    seed = {"SeedHeadings": [0], "Model": "Dubins", "NumberOfHeadings": 32}
    one, other = (plane(output(trip(CurvatureShift=s, **seed)), "TravelTime") for s in (0.2, -0.2))
    assert abs(one - one[::-1]).max() > 1
    assert one == pytest.approx(other[::-1], rel=1e-4)


def test_a_moved_tip_does_not_solve_again_but_another_route_type_does():
    proxy = trip(TipPoints=(16, 12, 0))
    proxy.TipPoints = (4, 12, 0)
    proxy.UpdatePipeline()
    assert counts(proxy) == (1, 2)
    proxy.Route = "One Way"
    proxy.UpdatePipeline()
    assert counts(proxy) == (2, 3)


def test_stop_at_tips_gives_the_same_round_trip():
    settings = {"Input": image(extent=(0, 60, 0, 50, 0, 0)), "Model": "Dubins", "TipPoints": (15, 14, 0), "SeedHeadings": [0]}
    full, stopped = trip(**settings), trip(StopAtTips=1, **settings)
    assert lines(output(stopped, 1))[0] == pytest.approx(lines(output(full, 1))[0], abs=1e-6)


def test_residual_covers_both_solves():
    assert 0 <= trip(Model="Dubins", SeedHeadings=[0], CheckResidual=1).Residual < 1e-4


def test_odd_number_of_headings(messages):
    assert_error(messages, trip(NumberOfHeadings=15), "round trip", "even number of headings", "15", "16")


def test_unreachable_tip_has_no_round_trip(messages):
    walls = np.zeros((17, 21), np.uint8)
    walls[:, 15] = 1
    out = output(trip(Input=image(w=walls.ravel()), WallArray=["POINTS", "w"], TipPoints=(18, 8, 0)), 1)
    assert out.GetNumberOfCells() == 0 and "tip 0 at (18, 8, 0) cannot be reached" in messages()
