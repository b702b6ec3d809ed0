"""Isochrone Distance Transform: the same image mirrored, turned, scaled or moved has the same distances, up to rounding.

Among equally near sites the one with the minimum number is chosen, so a mirrored image may give a different one.
"""
import functools

import numpy as np
import pytest

from metamorphic import HOME, PLANAR_VIEWS, VOLUME_VIEWS, assert_quiet
from pipelines import array, cell_array, distance_transform, lines, output

SHAPES = {"plane": (19, 15, 1), "volume": (9, 8, 7)}
SPACINGS = {"even": (1, 1, 1), "uneven": (0.7, 1.3, 0.9)}
CASES = [("points", "even", "Signed", 0), ("points", "uneven", "Both", 2.5), ("cells", "even", "Inside", 0),
         ("cells", "uneven", "Outside", 3)]
TIPS = np.array([[0.31, 0.62, 0.44], [0.8, 0.1, 0.93], [0, 1, 0], [1, 1, 1]])  # fractions of the extent; two on corners


@functools.lru_cache(maxsize=None)
def labels(shape):
    rng = np.random.default_rng(2)
    return np.where(rng.random(shape) < 0.1, rng.integers(1, 6, shape), 0)


class Solved:
    def __init__(self, view, shape, where, spacing, region, maximum):
        placed = self.placed = view.of(shape, SPACINGS[spacing])
        cells = where == "cells"
        self.samples = tuple(n - (n > 1) for n in shape) if cells else shape
        self.labels = labels(self.samples)
        values = {"a": placed.values(self.labels)}
        tips = placed.points(TIPS * (np.subtract(shape, 1) * SPACINGS[spacing]))
        proxy = distance_transform(Input=placed.image(cells=values) if cells else placed.image(**values),
                                   SiteArray=["CELLS" if cells else "POINTS", "a"], Region=region, ComputeNearestLabel=1,
                                   MaximumDistance=maximum * view.scale, DoublePrecision=1, TipPoints=tips.ravel())
        out, segments = output(proxy), output(proxy, 1)
        get = functools.partial(cell_array if cells else array, out)
        home = lambda flat: placed.home(flat, cells)
        self.distance = home(get("Distance")) / view.scale
        self.squared = home(get("SquaredDistance")) / view.scale**2
        self.reached = home(get("Reached"))
        self.numbers = home(get("NearestSite"))
        self.nearest = home(placed.home_ids(get("NearestSite"), cells))
        self.label = home(get("NearestLabel"))
        self.lengths = cell_array(segments, "Distance") / view.scale
        status = segments.GetFieldData().GetAbstractArray("TipStatus")
        self.status = [status.GetValue(t) for t in range(len(TIPS))]
        self.segments = np.reshape([placed.home_points(line) for line in lines(segments)], (-1, 2, 3))


@functools.lru_cache(maxsize=None)
def at_home(*problem):
    return Solved(HOME, *problem)


def positions(numbers, shape, spacing):
    return np.stack(np.unravel_index(numbers, shape, order="F"), axis=-1) * SPACINGS[spacing]


def assert_same(view, problem):
    shape, where, spacing, region, maximum = problem
    home, there = at_home(*problem), Solved(view, *problem)
    np.testing.assert_allclose(there.distance, home.distance, rtol=1e-13)
    np.testing.assert_allclose(there.squared, home.squared, rtol=1e-13)
    assert (there.reached == home.reached).all() and home.reached.any()
    # The nearest site is one of the nearest, with its label.
    reached = np.isfinite(home.distance)
    assert ((there.nearest >= 0) == reached).all()
    own = np.stack(np.indices(there.samples), axis=-1)[reached] * SPACINGS[spacing]
    way = np.linalg.norm(own - positions(there.nearest[reached], there.samples, spacing), axis=-1)
    np.testing.assert_allclose(way, abs(there.distance[reached]), rtol=1e-13)
    source = np.where(there.labels[reached] != 0, there.labels[reached],
                      there.labels.ravel(order="F")[there.nearest[reached]])
    assert (there.label[reached] == source).all() and (there.label[~reached] == 0).all()
    # Segments end at a site at their distance from the tip.
    assert there.status == home.status and "Found" in home.status
    np.testing.assert_allclose(there.lengths, home.lengths, rtol=1e-8)
    np.testing.assert_allclose(there.segments[:, 0], home.segments[:, 0], atol=1e-8)
    spans = np.linalg.norm(np.diff(there.segments, axis=1)[:, 0], axis=1)
    np.testing.assert_allclose(spans, there.lengths, rtol=1e-8, atol=1e-9)


def assert_least_number(view, problem):
    """Compares with all sites, in the order of the image itself."""
    shape, where, spacing, region, maximum = problem
    there = Solved(view, *problem)
    sites = np.flatnonzero(there.labels.ravel(order="F") != 0)
    own = np.stack(np.indices(there.samples), axis=-1)
    squared = ((own[..., None, :] - positions(sites, there.samples, spacing)) ** 2).sum(axis=-1)
    home_numbers = np.arange(there.labels.size).reshape(there.samples[::-1]).T
    number_there = np.empty(there.labels.size, int)
    number_there[there.placed.values(home_numbers)] = np.arange(there.labels.size)
    least = np.where(squared == squared.min(axis=-1, keepdims=True), number_there[sites], there.labels.size).min(axis=-1)
    assert (there.numbers == least).all()


@pytest.mark.parametrize("name", PLANAR_VIEWS)
def test_distances_in_a_plane_do_not_depend_on_the_placement(name, messages):
    for case in CASES:
        assert_same(PLANAR_VIEWS[name], (SHAPES["plane"], *case))
    assert_quiet(messages(), "reaches no site")  # within Maximum Distance


@pytest.mark.parametrize("name", VOLUME_VIEWS)
def test_distances_in_a_volume_do_not_depend_on_the_placement(name, messages):
    for case in CASES:
        assert_same(VOLUME_VIEWS[name], (SHAPES["volume"], *case))
    assert_quiet(messages(), "reaches no site")


@pytest.mark.parametrize("name", ["mirror x", "half turn", "transposed", "quarter turn", "tilted", "0.3 times as large"])
@pytest.mark.parametrize("kind", SHAPES)
def test_among_equally_near_sites_the_lowest_index_is_chosen(name, kind):
    assert_least_number(VOLUME_VIEWS[name], (SHAPES[kind], "points", "even", "Outside", 0))
