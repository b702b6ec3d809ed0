"""Isochrone Ray Tracing: the probabilities of random paths."""
import numpy as np
import pytest

from pipelines import (array, assert_error, cell_array, counts, image, names, output, points, ray_tracing, volume)

WIDTH, ROWS, SLOW = 21, 8, 2.0
ONE_STEP = dict(Template="Full", Radius=[1, 1, 1], DoublePrecision=1, ComputePathProbability=1)
VELOCITY = np.random.default_rng(3).uniform(1, 3, 17 * 21)


def rays(proxy):
    return output(proxy, 1)


def plane_wave(temperature, **properties):
    """A wave from all points of the first row, to a receiver in the middle of the last one."""
    row = np.ravel([(x, 0, 0) for x in range(WIDTH)])
    settings = dict(ONE_STEP, SourcePoints=row, ReceiverPoints=[WIDTH // 2, ROWS, 0], Temperature=temperature, **properties)
    return ray_tracing(Input=image(extent=(0, WIDTH - 1, 0, ROWS, 0, 0), v=np.full(WIDTH * (ROWS + 1), 1 / SLOW)), **settings)


def rough(**properties):
    settings = dict(ONE_STEP, SourcePoints=[2, 2, 0], ReceiverPoints=[18, 14, 0, 10.5, 3.2, 0], Temperature=0.2)
    return ray_tracing(Input=image(v=VELOCITY), **{**settings, **properties})


@pytest.mark.parametrize("temperature", [0.2, 3])
def test_paths_from_a_plane_wave_are_a_random_walk(temperature):
    proxy = plane_wave(temperature)
    q = np.exp(-SLOW * (np.sqrt(2) - 1) / temperature)
    step, expected = np.array([q, 1, q]) / (1 + 2 * q), np.zeros(WIDTH)
    expected[WIDTH // 2] = 1
    for row in volume(output(proxy), "PathProbability")[0][::-1]:
        np.testing.assert_allclose(row, expected, atol=1e-13)
        expected = np.convolve(expected, step, "same")
    assert cell_array(rays(proxy), "ExpectedTravelTime") == pytest.approx(
        ROWS * SLOW * (1 + 2 * np.sqrt(2) * q) / (1 + 2 * q), rel=1e-12)


def test_probabilities_are_an_array_of_the_image_on_request():
    assert names(output(rough()).GetPointData()) == ["v", "TravelTime", "PathProbability", "Reached"]
    plain = rough(ComputePathProbability=0)
    assert "PathProbability" not in names(output(plain).GetPointData())
    assert "ExpectedTravelTime" not in names(rays(plain).GetCellData())


def test_a_low_temperature_gives_the_rays():
    proxy = rough(Temperature=1e-6, ReceiverPoints=[18, 14, 0])
    passed = volume(output(proxy), "PathProbability")[0]
    ray = rays(proxy)
    on_ray = np.zeros_like(passed)
    for n in range(ray.GetNumberOfPoints()):
        x, y, _ = ray.GetPoint(n)
        on_ray[int(y), int(x)] = 1
    np.testing.assert_allclose(passed, on_ray, atol=1e-12)
    assert cell_array(ray, "ExpectedTravelTime") == pytest.approx(cell_array(ray, "TravelTime"))


def test_another_temperature_does_not_solve_again():
    proxy = rough()
    before, solved = array(output(proxy), "PathProbability"), counts(proxy)
    proxy.Temperature = 2
    proxy.UpdatePipeline()
    assert counts(proxy) == solved and not np.allclose(array(output(proxy), "PathProbability"), before)
    proxy.Temperature = 0.2
    proxy.UpdatePipeline()
    assert (array(output(proxy), "PathProbability") == before).all()


def test_it_is_the_mean_over_receivers_and_over_separate_sources():
    one, other = (array(output(rough(ReceiverPoints=at)), "PathProbability") for at in ([18, 14, 0], [10.5, 3.2, 0]))
    np.testing.assert_allclose(array(output(rough()), "PathProbability"), (one + other) / 2, atol=1e-14)
    two = dict(SourcePoints=[2, 2, 0, 15, 1, 0])
    separate = rough(SourceRuns="Separate", **two)
    first, second = (array(output(separate), f"PathProbability{n}") for n in (0, 1))
    np.testing.assert_array_equal(first, array(output(rough()), "PathProbability"))
    np.testing.assert_allclose(array(output(separate), "PathProbability"), (first + second) / 2, atol=1e-15)
    times = cell_array(rays(separate), "ExpectedTravelTime")
    assert len(times) == 4 and (times[:2] == cell_array(rays(rough()), "ExpectedTravelTime")).all()
    steps = rough(SourceRuns="Time Steps", **two)
    steps.UpdatePipeline(1)
    np.testing.assert_array_equal(array(output(steps), "PathProbability"), second)
    assert (cell_array(rays(steps), "ExpectedTravelTime") == times[2:]).all()


def test_late_start_values_move_expected_times_alone():
    early, late = (rough(DoublePrecision=0, Sources=points([(2, 2, 0), (15, 1, 0)], StartValue=start + np.array([0, 0.5])))
                   for start in (0, 1e6))
    np.testing.assert_array_equal(array(output(early), "PathProbability"), array(output(late), "PathProbability"))
    np.testing.assert_allclose(cell_array(rays(late), "ExpectedTravelTime") - 1e6,
                               cell_array(rays(early), "ExpectedTravelTime"), atol=1e-8)


def test_a_section_in_the_xz_plane_has_the_probabilities_of_the_xy_plane():
    flat = rough()
    upright = ray_tracing(Input=image(extent=(0, 20, 0, 0, 0, 16), v=VELOCITY), **ONE_STEP, SourcePoints=[2, 0, 2],
                          ReceiverPoints=[18, 0, 14, 10.5, 0, 3.2], Temperature=0.2)
    np.testing.assert_array_equal(array(output(flat), "PathProbability"), array(output(upright), "PathProbability"))


def test_a_receiver_that_is_not_reached_has_no_share(messages):
    inside = rough(ReceiverPoints=[18, 14, 0])
    both = rough(ReceiverPoints=[18, 14, 0, 90, 90, 0])
    np.testing.assert_array_equal(array(output(both), "PathProbability"), array(output(inside), "PathProbability"))
    assert "receiver 1 at (90, 90, 0) lies outside the image" in messages()
    assert (array(output(rough(ReceiverPoints=[90, 90, 0])), "PathProbability") == 0).all()


@pytest.mark.parametrize("temperature", [0, -1, np.nan, np.inf])
def test_a_bad_temperature_is_refused(messages, temperature):
    proxy = rough(Temperature=temperature)
    assert_error(messages, proxy, "temperature", "must be positive and finite")
    assert counts(proxy) == (0, 0)  # nothing was solved


def test_path_probabilities_need_a_receiver(messages):
    proxy = rough(ReceiverPoints=[])
    assert_error(messages, proxy, "path probabilities need a receiver")
    assert counts(proxy) == (0, 0)


def test_path_probabilities_of_reflected_waves_are_refused(messages):
    mask = np.zeros(357)
    mask[200:220] = 1
    proxy = ray_tracing(Input=image(v=VELOCITY, mask=mask), **ONE_STEP, SourcePoints=[2, 2, 0], ReceiverPoints=[18, 14, 0],
                        Interface="Mask", InterfaceArray=["POINTS", "mask"])
    assert_error(messages, proxy, "direct waves", "set Interface to None")
