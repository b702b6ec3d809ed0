"""Isochrone Image Travel Time: the result does not depend on the place of the image."""
import itertools

import numpy as np
import pytest
from paraview import simple

from pipelines import array, image, lines, output, plane, points, travel_time, volume

# Third of a turn about (1, 1, 1): the first axis points along y, the second along z, the third along x.
THIRD_TURN = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
SHAPE = (8, 11, 14)  # [k, j, i]
SPACING = (0.5, 1, 2)
SEED, TIP = np.array([2.5, 7.0, 6.0]), np.array([5.8, 2.0, 11.2])  # relative to the first point


def speed():
    k, j, i = np.indices(SHAPE)
    return (1 + 0.1 * i + 0.05 * j * (k % 3)).ravel()


def solve(direction=np.eye(3), start=(0, 0, 0), origin=(0, 0, 0), spacing=SPACING):
    """Solves the same problem for any place and rotation of the image."""
    start, origin, direction, spacing = map(np.array, (start, origin, direction, spacing))
    last = start + np.array(SHAPE[::-1]) - 1
    to_world = lambda x: origin + direction @ (spacing * start + np.sign(spacing) * x)
    input_ = image(extent=np.c_[start, last].ravel(), spacing=spacing, origin=origin,
                   direction=direction.ravel().tolist(), f=speed())
    proxy = travel_time(Input=input_, SpeedArray=["POINTS", "f"], SeedPoints=to_world(SEED), TipPoints=to_world(TIP))
    return proxy, to_world


def assert_same_as_at_home(proxy, to_world):
    home, _ = solve()
    assert volume(output(proxy), "TravelTime") == pytest.approx(volume(output(home), "TravelTime"), rel=1e-6)
    expected = [to_world(x) for x in along_path(output(home, 1))]
    assert along_path(output(proxy, 1)) == pytest.approx(np.array(expected), abs=1e-3)


def along_path(data):
    """Returns the only path at equal fractions of its length; its own points may differ by rounding."""
    share = array(data, "ArcLength") / array(data, "ArcLength").max()
    return np.transpose([np.interp(np.linspace(0, 1, 50), share[::-1], x[::-1]) for x in lines(data)[0].T])


def test_extent_that_does_not_start_at_zero_and_origin():
    proxy, to_world = solve(start=(-7, 100, 3), origin=(20, -100, 7))
    assert output(proxy).GetExtent() == (-7, 6, 100, 110, 3, 10)
    assert_same_as_at_home(proxy, to_world)


def test_direction_matrix_rotates_paths_with_the_image():
    assert_same_as_at_home(*solve(direction=THIRD_TURN, start=(4, -2, 1), origin=(1, 2, 3)))


def test_oblique_direction_matrix():
    turn = np.radians(30)
    oblique = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]]) @ THIRD_TURN
    assert_same_as_at_home(*solve(direction=oblique, origin=(-1, 5, 2)))


@pytest.mark.parametrize("signs", [(-1, 1, 1), (1, -1, -1)])
def test_negative_spacing_reverses_an_axis(signs):
    assert_same_as_at_home(*solve(spacing=np.multiply(SPACING, signs)))


@pytest.mark.parametrize("direction, spacing", [(np.eye(3), SPACING), (THIRD_TURN, SPACING), (THIRD_TURN, (-1, 1, -2))])
def test_gradient_is_the_slowness_away_from_the_seed_in_the_world(direction, spacing):
    extent = np.c_[(-3, 5, 1), np.add((-3, 5, 1), 20)].ravel()
    input_ = image(extent=extent, spacing=spacing, origin=(5, 6, 7), direction=direction.ravel().tolist())
    seed = np.array((5, 6, 7)) + direction @ (np.array(spacing) * (3, 14, 9))
    out = output(travel_time(Input=input_, SeedPoints=seed, ComputeGradient=1, ConstantSpeed=2,
                             SourceFactoring="Multiplicative"))
    away = np.array([np.subtract(out.GetPoint(p), seed) for p in range(out.GetNumberOfPoints())])
    distance = np.linalg.norm(away, axis=1)
    far = distance > 8
    gradient = array(out, "Gradient")
    one_sided = 0.5 * 2 / (2 * 8)  # slowness * step / (2 * distance): half a step towards the seed
    assert gradient[far] == pytest.approx(0.5 * away[far] / distance[far][:, None], abs=1.01 * one_sided)
    assert (gradient[distance == 0] == 0).all()


@pytest.mark.parametrize("normal", [0, 1, 2])
def test_every_axis_plane(normal):
    first, second = [a for a in range(3) if a != normal]

    def solve_in(first, second, normal):
        extent, spacing, seed, tip = [4] * 6, [1.0] * 3, [4.0] * 3, [4.0] * 3
        extent[2 * first:2 * first + 2], extent[2 * second:2 * second + 2] = (0, 20), (0, 16)
        spacing[first] = 0.5
        seed[first], seed[second], tip[first], tip[second] = 2.5, 8, 8, 12
        return travel_time(Input=image(extent=extent, spacing=spacing), SeedPoints=seed, TipPoints=tip)

    proxy, home = solve_in(first, second, normal), solve_in(0, 1, 2)
    assert (plane(output(proxy), "TravelTime") == plane(output(home), "TravelTime")).all()
    path = lines(output(proxy, 1))[0]
    assert path[:, [first, second]] == pytest.approx(lines(output(home, 1))[0][:, :2], abs=1e-6)
    assert path[:, normal] == pytest.approx(4)


def test_the_order_of_the_axes_has_no_effect():
    """The same problem with the axes of the image in other orders."""
    f = speed().reshape(SHAPE)
    home = volume(output(solve()[0]), "TravelTime")
    for order in itertools.permutations(range(3)):
        turned = np.transpose(f, [2 - a for a in order][::-1])
        input_ = image(extent=np.c_[np.zeros(3, int), np.array(turned.shape[::-1]) - 1].ravel(),
                       spacing=np.take(SPACING, order), f=turned.ravel())
        proxy = travel_time(Input=input_, SpeedArray=["POINTS", "f"], SeedPoints=SEED[list(order)])
        time = volume(output(proxy), "TravelTime")
        assert time == pytest.approx(np.transpose(home, [2 - a for a in order][::-1]), rel=1e-5)


def test_world_units_scale_all_results():
    small, large = travel_time(Input=image(), SeedPoints=(10, 8, 0), TipPoints=(17, 11, 0)), travel_time(
        Input=image(spacing=(1000, 1000, 1)), SeedPoints=(10000, 8000, 0), TipPoints=(17000, 11000, 0))
    assert array(output(large), "TravelTime") == pytest.approx(1000 * array(output(small), "TravelTime"), rel=1e-5)
    assert lines(output(large, 1))[0] == pytest.approx(1000 * lines(output(small, 1))[0], abs=1e-2)


def test_seeds_and_tips_above_a_planar_image_are_projected():
    on = travel_time(Input=image(), SeedPoints=(10, 8, 0), TipPoints=(17, 11, 0))
    above = travel_time(Input=image(), SeedPoints=(10, 8, 0.7), TipPoints=(17, 11, -0.7), Targets=points([(3, 3, 5)]))
    assert (array(output(above), "TravelTime") == array(output(on), "TravelTime")).all()
    assert lines(output(above, 1))[0] == pytest.approx(lines(output(on, 1))[0])


@pytest.mark.parametrize("kind", ["uint8", "int16", "int64", "float32", "float64"])
def test_speed_of_any_numeric_type(kind):
    f = np.fromfunction(lambda j, i: 1 + (i + j) % 5, (17, 21)).ravel()
    expected = array(output(travel_time(Input=image(f=f), SpeedArray=["POINTS", "f"])), "TravelTime")
    out = output(travel_time(Input=image(f=f.astype(kind)), SpeedArray=["POINTS", "f"]))
    assert (array(out, "TravelTime") == expected).all()


def test_spacing_of_zero_across_the_plane_as_resample_to_image_gives():
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, 0, 0])
    resampled = simple.ResampleToImage(Input=wavelet, UseInputBounds=0, SamplingDimensions=[21, 17, 1],
                                       SamplingBounds=[-10, 10, -8, 8, 0, 0])
    proxy = travel_time(Input=resampled, SpeedArray=None, SeedPoints=(0, 0, 0), TipPoints=(7, 3, 0))
    assert output(proxy).GetSpacing()[2] == 0
    assert plane(output(proxy), "TravelTime")[8] == pytest.approx(abs(np.arange(21) - 10), rel=1e-5)
    assert lines(output(proxy, 1))[0][0] == pytest.approx((7, 3, 0), abs=1e-6)
