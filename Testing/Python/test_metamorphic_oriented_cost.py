"""Isochrone Oriented Cost: a picture that is mirrored, turned, scaled or moved has the same costs, along headings that are
mirrored or turned with it. The number of headings is divisible by 4, so that a quarter turn maps headings to headings.
"""
import functools

import numpy as np
import pytest

from metamorphic import HOME, PLANAR_VIEWS
from pipelines import array, oriented_cost, output

SHAPE = (23, 17, 1)
SPACINGS = {"even": (1, 1, 1), "uneven": (0.7, 1.3, 0.9)}
CASES = {
    "default widths": dict(spacing="even", headings=16),
    "own widths": dict(spacing="uneven", headings=24, widths=(1.2, 2.0)),
    "masked": dict(spacing="uneven", headings=24, masked=True),
}


@functools.lru_cache(maxsize=None)
def picture(spacing):
    i, j, _ = np.indices(SHAPE)
    x, y = i * SPACINGS[spacing][0], j * SPACINGS[spacing][1]
    bend = np.exp(-(y - 6 - 3 * np.sin(x / 5)) ** 2 / 2)
    straight = np.exp(-((x - 9) * np.cos(0.4) + (y - 5) * np.sin(0.4)) ** 2 / 3)
    noise = 0.05 * np.random.default_rng(1).normal(size=SHAPE)
    return bend + 0.7 * straight + noise, (np.hypot(x - 8, y - 8) < 7).astype(np.uint8)


def solve(view, spacing, headings, widths=(), masked=False, factor=1.0, summand=0.0):
    """Returns the costs [heading, i, j, k], the minimum cost and its heading, and the typical strength, at home."""
    placed = view.of(SHAPE, SPACINGS[spacing])
    intensity, mask = picture(spacing)
    settings = {"MaskArray": ["POINTS", "mask"]} if masked else {}
    if widths:
        settings.update(Widths=np.multiply(widths, view.scale).tolist(), Length=4 * view.scale)
    proxy = oriented_cost(Input=placed.image(intensity=placed.values(factor * intensity + summand), mask=placed.values(mask)),
                          NumberOfHeadings=headings, **settings)
    planes = array(output(proxy), "Cost").reshape(headings, -1)
    step = 360 / headings
    there = np.rint(placed.angles(step * np.arange(headings)) / step).astype(int) % headings
    least = output(proxy, 1)
    return (np.stack([placed.home(planes[k]) for k in there]), placed.home(array(least, "LeastCost")),
            placed.home(placed.home_angles(array(least, "Heading"))), proxy.TypicalStrength / factor)


@functools.lru_cache(maxsize=None)
def at_home(case):
    return solve(HOME, **CASES[case])


def assert_same(there, home, rounding=5e-6):
    cost, least, heading, strength = home
    np.testing.assert_allclose(there[0], cost, atol=rounding)
    np.testing.assert_allclose(there[1], least, atol=rounding)
    assert there[3] == pytest.approx(strength, rel=rounding)
    # The heading has the minimum cost. If several have it, as outside the mask, any of them is valid.
    count = len(cost)
    number = np.rint(there[2] * count / 360).astype(int) % count
    assert there[2] == pytest.approx(number * 360 / count - 360 * np.rint((number * 360 / count - there[2]) / 360), abs=1e-4)
    chosen = np.take_along_axis(cost, number[None], axis=0)[0]
    np.testing.assert_allclose(chosen, least, atol=rounding)
    assert least.min() < 0.1


@pytest.mark.parametrize("name", PLANAR_VIEWS)
@pytest.mark.parametrize("case", CASES)
def test_costs_do_not_depend_on_the_placement(name, case):
    assert_same(solve(PLANAR_VIEWS[name], **CASES[case]), at_home(case))


@pytest.mark.parametrize("factor, summand", [(1024.0, 0), (0.3, -7.0), (1e12, 0), (1e-12, 0)])
def test_scale_and_offset_of_the_intensity_have_no_effect(factor, summand):
    assert_same(solve(HOME, **CASES["own widths"], factor=factor, summand=summand), at_home("own widths"), rounding=1e-4)
