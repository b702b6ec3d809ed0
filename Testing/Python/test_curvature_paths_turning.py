"""Isochrone Curvature Paths: different radii for left and right turns."""
import numpy as np
import pytest

from pipelines import array, assert_error, at, counts, curvature_paths, image, output, plane

WIDE = {"extent": (0, 40, 0, 40, 0, 0)}
VEHICLE = {"Model": "Dubins", "NumberOfHeadings": 32, "SeedPoints": (20, 20, 0), "SeedHeadings": [0]}


def turning(left, right, **properties):
    settings = {"Input": image(**WIDE), **VEHICLE, **properties}
    return curvature_paths(TurningRadius=left, RightTurningRadius=right, **settings)


@pytest.mark.parametrize("model", ["Reeds-Shepp", "Reeds-Shepp Forward", "Elastica", "Dubins"])
def test_mirrored_radii_give_the_mirrored_time(model):
    one, other = (plane(output(turning(left, right, Model=model)), "TravelTime") for left, right in ((3, 6), (6, 3)))
    assert np.nanmax(abs(one - one[::-1])) > 1
    assert one == pytest.approx(other[::-1], rel=1e-5, nan_ok=True)


def test_equal_radii_and_a_missing_right_radius_are_equivalent():
    plain, same = (array(output(turning(4, right)), "TravelTime") for right in (0, 4))
    assert same == pytest.approx(plain, rel=1e-6)


def test_no_turn_of_a_path_is_tighter_than_its_side_allows():
    for tip, left, right in (((16, 30, 0), 4, 8), ((16, 10, 0), 4, 8), ((16, 30, 0), 8, 4)):
        path = output(turning(left, right, TipPoints=tip, NumberOfHeadings=64), 1)
        curvature = array(path, "Curvature")
        assert -1.25 / right < curvature.min() and curvature.max() < 1.25 / left
        side = left if tip[1] > 20 else right  # it turns as tightly as possible towards the tip
        assert abs(curvature).max() > 0.8 / side


def back(left, right, y, **properties):
    """Returns the travel time to point (20, y) with the opposite heading."""
    out = output(turning(left, right, NumberOfHeadings=64, ComputeStateSpace=1, **properties), 2)
    return array(out, "TravelTime").reshape(64, 41, 41)[32, y, 20]


def test_half_a_turn_takes_half_a_circle():
    for left, right, radius, y in ((4, 7, 4, 20 + 8), (4, 0, 4, 20 + 8), (4, 7, 7, 20 - 14), (7, 0, 7, 20 - 14)):
        assert back(left, right, y) == pytest.approx(np.pi * radius, rel=0.12)


def test_half_a_turn_takes_the_time_of_the_symmetric_problem():
    plain = {"Accuracy": "First Order"}
    assert back(4, 7, 20 + 8, **plain) == pytest.approx(back(4, 0, 20 + 8, **plain), rel=0.02)
    assert back(4, 7, 20 - 14, **plain) == pytest.approx(back(7, 0, 20 - 14, **plain), rel=0.02)
    assert back(7, 0, 20 - 14, **plain) > 1.5 * back(4, 0, 20 + 8, **plain)


def test_a_curvature_shift_is_added():
    """Radii of 4 and 8 are equivalent to a radius of 16/3 with a shift of 1/16."""
    both = array(output(turning(4, 8, CurvatureShift=0.02)), "TravelTime")
    by_hand = array(output(turning(16 / 3, 0, CurvatureShift=1 / 16 + 0.02)), "TravelTime")
    assert both == pytest.approx(by_hand, rel=1e-5)


def test_a_radius_array_applies_to_left_turns():
    xi = np.full(41 * 41, 4.0)
    arrays = turning(9, 8, Input=image(**WIDE, xi=xi), TurningRadiusArray=["POINTS", "xi"])
    assert array(output(arrays), "TravelTime") == pytest.approx(array(output(turning(4, 8)), "TravelTime"), rel=1e-4)


@pytest.mark.parametrize("radius", [-1, np.nan, np.inf])
def test_right_turning_radius_that_is_not_positive(messages, radius):
    assert_error(messages, turning(4, radius), "right turning radius", str(radius), "0")


def test_left_turning_radius_that_is_not_positive_is_refused_by_place(messages):
    xi = np.full((41, 41), 4.0)
    xi[4, 3] = -2
    proxy = turning(9, 8, Input=image(**WIDE, xi=xi.ravel()), TurningRadiusArray=["POINTS", "xi"])
    assert_error(messages, proxy, "turning radius", "-2", "point (3, 4, 0)")


def test_nan_in_walls_is_accepted_and_a_moved_tip_does_not_solve_again():
    cost, walls = np.ones((41, 41)), np.zeros((41, 41), np.uint8)
    walls[3, 3], cost[3, 3] = 1, np.nan
    proxy = turning(4, 8, Input=image(**WIDE, c=cost.ravel(), w=walls.ravel()), CostArray=["POINTS", "c"],
                    WallArray=["POINTS", "w"], TipPoints=(30, 30, 0))
    proxy.TipPoints = (30, 20, 0)
    proxy.UpdatePipeline()
    assert counts(proxy) == (1, 2)
    assert at(output(proxy), "Reached", (3, 3, 0)) == 0
