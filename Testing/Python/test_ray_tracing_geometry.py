"""Isochrone Ray Tracing: the result does not depend on the place of the image."""
import numpy as np
import pytest

from pipelines import array, at, cell_array, image, lines, output, ray_tracing, volume
from ray_reference import dijkstra

# Third of a turn about (1, 1, 1): the first axis points along y, the second along z, the third along x.
THIRD_TURN = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
SHAPE = (6, 8, 9)  # [k, j, i]
SPACING = (0.5, 1, 2)
RADIUS = (3, 2, 1)
SOURCE, RECEIVER = np.array([1, 3, 4.0]), np.array([3.75, 6.5, 9.25])  # relative to the first point
VELOCITY = np.random.default_rng(6).uniform(1, 3, SHAPE)
HOME = dijkstra(1 / VELOCITY, {(2, 3, 2): 0}, RADIUS, SPACING)


def solve(direction=np.eye(3), start=(0, 0, 0), origin=(0, 0, 0), spacing=SPACING, **properties):
    """Solves the same problem for any place and rotation of the image."""
    start, origin, direction, spacing = map(np.array, (start, origin, direction, spacing))
    last = start + np.array(SHAPE[::-1]) - 1
    to_world = lambda x: origin + direction @ (spacing * start + np.sign(spacing) * x)
    input_ = image(extent=np.c_[start, last].ravel(), spacing=spacing, origin=origin,
                   direction=direction.ravel().tolist(), v=VELOCITY.ravel())
    return ray_tracing(Input=input_, Radius=RADIUS, DoublePrecision=1, SourcePoints=to_world(SOURCE),
                       ReceiverPoints=to_world(RECEIVER), **properties), to_world


def assert_same_as_at_home(proxy, to_world):
    np.testing.assert_allclose(volume(output(proxy), "TravelTime"), HOME, rtol=1e-12)
    home = solve()[0]
    assert cell_array(output(proxy, 1), "TravelTime") == pytest.approx(cell_array(output(home, 1), "TravelTime"), rel=1e-6)
    expected = np.array([to_world(x) for x in lines(output(home, 1))[0]])
    assert lines(output(proxy, 1))[0] == pytest.approx(expected, abs=1e-6)


def test_extent_that_does_not_start_at_zero_and_origin():
    proxy, to_world = solve(start=(-7, 100, 3), origin=(20, -100, 7))
    assert output(proxy).GetExtent() == (-7, 1, 100, 107, 3, 8)
    assert_same_as_at_home(proxy, to_world)


def test_origin_far_from_zero():
    assert_same_as_at_home(*solve(origin=(1e6, -1e6, 1e6)))


def test_direction_matrix_rotates_rays_with_the_image():
    assert_same_as_at_home(*solve(direction=THIRD_TURN, start=(4, -2, 1), origin=(1, 2, 3)))


def test_negative_spacing():
    assert_same_as_at_home(*solve(spacing=(-0.5, 1, -2), start=(3, 0, 1)))


@pytest.mark.parametrize("normal", [0, 1, 2])
def test_every_axis_plane(normal):
    """The radius is along the axes of the image."""
    first, second = [a for a in range(3) if a != normal]
    velocity = np.random.default_rng(6).uniform(1, 3, (1, 11, 13))
    extent, spacing, radius, start = [4] * 6, [3.0] * 3, [9] * 3, [4 * 3.0] * 3
    extent[2 * first:2 * first + 2], extent[2 * second:2 * second + 2] = (0, 12), (0, 10)
    spacing[first], spacing[second], radius[first], radius[second] = 0.5, 1, 4, 2
    start[first], start[second] = 1.5, 4
    start[normal] += 0.7  # above the plane
    proxy = ray_tracing(Input=image(extent=extent, spacing=spacing, v=velocity.ravel()), Radius=radius, SourcePoints=start,
                        DoublePrecision=1, Template="Coprime")
    np.testing.assert_allclose(array(output(proxy), "TravelTime"),
                               dijkstra(1 / velocity, {(3, 4, 0): 0}, (4, 2, 1), (0.5, 1, 1)).ravel(), rtol=1e-12)


@pytest.mark.parametrize("extent", [(0, 9, 4, 4, 0, 0), (3, 3, 0, 9, 1, 1), (3, 3, 4, 4, 0, 9)])
def test_image_of_one_row_is_a_line(extent):
    speed = np.arange(1.0, 11)
    proxy = ray_tracing(Input=image(extent=extent, v=speed), SourcePoints=[extent[0], extent[2], extent[4]], DoublePrecision=1)
    expected = np.r_[0, np.cumsum((1 / speed[1:] + 1 / speed[:-1]) / 2)]
    np.testing.assert_allclose(array(output(proxy), "TravelTime"), expected, rtol=1e-12)
    assert proxy.NumberOfNeighbours == 2 and proxy.AngularErrorBound == 0


@pytest.mark.parametrize("shape, radius", [((1, 2, 2), 8), ((1, 3, 5), 8), ((2, 2, 3), 4)])
def test_grid_smaller_than_the_template(shape, radius):
    velocity = np.random.default_rng(6).uniform(1, 3, shape)
    for rule in ("Accurate", "Fast"):
        proxy = ray_tracing(Input=image(extent=(0, shape[2] - 1, 0, shape[1] - 1, 0, shape[0] - 1), v=velocity.ravel()),
                            Radius=[radius] * 3, WeightRule=rule, SourcePoints=[0, 0, 0], DoublePrecision=1)
        np.testing.assert_allclose(volume(output(proxy), "TravelTime"),
                                   dijkstra(1 / velocity, {(0, 0, 0): 0}, [radius] * 3, rule=rule), rtol=1e-12)


@pytest.mark.parametrize("corner", [(0, 0, 0), (20, 0, 0), (0, 16, 0), (20, 16, 0)])
def test_a_source_on_each_corner(corner):
    out = output(ray_tracing(Input=image(v=np.ones(357)), SourcePoints=corner))
    assert at(out, "TravelTime", corner) == 0 and array(out, "Reached").all()


def test_balanced_templates_lie_in_the_plane():
    for name, count, bound in (("Balanced 24", 24, 0.947), ("Balanced 48", 48, 0.252)):
        proxy = ray_tracing(Input=image(extent=(0, 120, 7, 7, 0, 120), v=np.ones(121 ** 2)), Template=name,
                            SourcePoints=[0, 7, 0], DoublePrecision=1)
        assert proxy.NumberOfNeighbours == count
        assert proxy.AngularErrorBound == pytest.approx(bound, abs=5e-4)
        x, z = np.meshgrid(np.arange(121), np.arange(121))
        error = array(output(proxy), "TravelTime").reshape(121, 121)[1:, 1:] / np.hypot(x, z)[1:, 1:] - 1
        # Long edges pass some points; the last steps to these are a detour of up to 0.3 points.
        assert error.min() > -1e-12 and error[80:].max() < 0.01 * bound + 0.3 / 80
