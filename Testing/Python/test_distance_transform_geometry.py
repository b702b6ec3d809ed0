"""Isochrone Distance Transform: the result does not depend on the place of the image."""
import itertools

import numpy as np
import pytest
from paraview import simple

from pipelines import array, cell_array, distance_transform, image, lines, nearest_sites, output, volume

# Third of a turn about (1, 1, 1): the first axis points along y, the second along z, the third along x.
THIRD_TURN = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
SHAPE = (8, 11, 14)  # [k, j, i]
SPACING = (0.5, 1, 2)
TIP = np.array([5.75, 2.0, 11.25])  # relative to the first point
SITES = np.random.default_rng(6).random(SHAPE) < 0.01


def solve(direction=np.eye(3), start=(0, 0, 0), origin=(0, 0, 0), spacing=SPACING, **properties):
    """Solves the same problem for any place and rotation of the image."""
    start, origin, direction, spacing = map(np.array, (start, origin, direction, spacing))
    last = start + np.array(SHAPE[::-1]) - 1
    to_world = lambda x: origin + direction @ (spacing * start + np.sign(spacing) * x)
    input_ = image(extent=np.c_[start, last].ravel(), spacing=spacing, origin=origin,
                   direction=direction.ravel().tolist(), a=SITES.astype(np.uint8).ravel())
    return distance_transform(Input=input_, TipPoints=to_world(TIP), **properties), to_world


def assert_same_as_at_home(proxy, to_world):
    squared, nearest = nearest_sites(SITES, SPACING)
    assert (volume(output(proxy), "SquaredDistance") == squared).all()
    assert (volume(output(proxy), "NearestSite") == nearest).all()
    home = lines(output(solve()[0], 1))[0]
    assert lines(output(proxy, 1))[0] == pytest.approx(np.array([to_world(x) for x in home]), abs=1e-9)
    assert output(proxy).GetPoint(int(cell_array(output(proxy, 1), "NearestSite")[0])) == pytest.approx(to_world(home[1]))


def test_extent_that_does_not_start_at_zero_and_origin():
    proxy, to_world = solve(start=(-7, 100, 3), origin=(20, -100, 7))
    assert output(proxy).GetExtent() == (-7, 6, 100, 110, 3, 10)
    assert_same_as_at_home(proxy, to_world)


def test_direction_matrix_rotates_segments_with_the_image():
    assert_same_as_at_home(*solve(direction=THIRD_TURN, start=(4, -2, 1), origin=(1, 2, 3)))


def test_oblique_direction_matrix():
    turn = np.radians(30)
    oblique = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]]) @ THIRD_TURN
    assert_same_as_at_home(*solve(direction=oblique, origin=(-1, 5, 2)))


def test_negative_spacing():
    assert_same_as_at_home(*solve(spacing=(-0.5, 1, -2), start=(3, 0, 1)))


@pytest.mark.parametrize("normal", [0, 1, 2])
def test_every_axis_plane(normal):
    first, second = [a for a in range(3) if a != normal]
    sites = np.random.default_rng(6).random((17, 21)) < 0.02
    extent, spacing, tip = [4] * 6, [1.0] * 3, [4.0] * 3
    extent[2 * first:2 * first + 2], extent[2 * second:2 * second + 2] = (0, 20), (0, 16)
    spacing[first], spacing[normal] = 0.5, 3  # must have no effect
    tip[first], tip[second], tip[normal] = 8.25, 12, 14  # above the plane
    proxy = distance_transform(Input=image(extent=extent, spacing=spacing, a=sites.astype(float).ravel()), TipPoints=tip)
    squared, nearest = nearest_sites(sites, (0.5, 1))
    assert (array(output(proxy), "SquaredDistance") == squared.ravel()).all()
    assert (array(output(proxy), "NearestSite") == nearest.ravel()).all()
    line = lines(output(proxy, 1))[0]
    places = np.argwhere(sites)[:, ::-1] * (0.5, 1)
    shortest = np.linalg.norm(places - (8.25, 12), axis=1).min()
    assert line[0, [first, second]] == pytest.approx((8.25, 12)) and (line[:, normal] == 12).all()
    assert np.linalg.norm(line[1] - line[0]) == pytest.approx(shortest)


def test_the_order_of_the_axes_has_no_effect():
    home = volume(output(solve()[0]), "SquaredDistance")
    for order in itertools.permutations(range(3)):
        to = [2 - a for a in order][::-1]
        turned = np.transpose(SITES, to)
        input_ = image(extent=np.c_[np.zeros(3, int), np.array(turned.shape[::-1]) - 1].ravel(),
                       spacing=np.take(SPACING, order), a=turned.astype(float).ravel())
        assert (volume(output(distance_transform(Input=input_)), "SquaredDistance") == np.transpose(home, to)).all()


def test_world_units_scale_all_results():
    small, large = solve()[0], solve(spacing=1024 * np.array(SPACING))[0]
    assert (array(output(large), "Distance") == 1024 * array(output(small), "Distance")).all()
    assert (array(output(large), "NearestSite") == array(output(small), "NearestSite")).all()


def test_spacing_of_zero_across_the_plane_as_resample_to_image_gives():
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, 0, 0])
    resampled = simple.ResampleToImage(Input=wavelet, UseInputBounds=0, SamplingDimensions=[21, 17, 1],
                                       SamplingBounds=[-10, 10, -8, 8, 0, 0])
    proxy = distance_transform(Input=resampled, SiteArray=["POINTS", "RTData"], SiteMode="Range", SiteRange=[250, 300],
                               TipPoints=(7, 3, 0))
    assert output(proxy).GetSpacing()[2] == 0
    rtdata = array(output(proxy), "RTData").reshape(17, 21)
    assert (array(output(proxy), "SquaredDistance") == nearest_sites(rtdata >= 250)[0].ravel()).all()
    assert lines(output(proxy, 1))[0][0] == pytest.approx((7, 3, 0))
