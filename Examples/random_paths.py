"""Where else a path could go: the probabilities of random paths around a slow body, at three temperatures.

    pvpython Examples/random_paths.py [output folder]

Above left, the velocity of a rough medium with a slow body, and the fastest ray from left to right. The way above the body is
little faster than the one below. The other panels show Compute Path Probability: every path that leads away from the source has
a probability in proportion to exp(-travel time / Temperature), the logit model of route choice. At the lowest temperature the
random path follows the ray. A higher one adds the other way and widens both. The script prints how much time the random paths
lose on average, and the share of the other way.
"""

import os

import numpy as np
from paraview.simple import *

from example_tools import *

nx, ny, spacing = 241, 81, 0.05  # points, km
start, end = (0.6, 2.0, 0), (11.4, 2.0, 0)
temperatures = 0.0005, 0.0025, 0.01  # s


def rough_velocity():
    """Returns 2 km/s times the exponential of smooth noise, a third of it in the body; nearly the same above and below."""
    noise = np.random.default_rng(1).standard_normal((ny, nx))
    ky, kx = np.meshgrid(np.fft.fftfreq(ny), np.fft.rfftfreq(nx), indexing="ij")
    smooth = np.fft.irfft2(np.fft.rfft2(noise) * np.exp(-400 * (kx**2 + ky**2)), s=(ny, nx))
    smooth = smooth + smooth[::-1]
    y, x = np.mgrid[:ny, :nx] * spacing
    outside = 20 * (np.hypot((x - 6) / 2.2, y - 1.85) - 1)
    return 2 * np.exp(0.15 * smooth / smooth.std()) / (1 + 2 / (1 + np.exp(outside)))


def solve(medium, temperature):
    rays = IsochroneRayTracing(
        Input=medium,
        VelocityArray=["POINTS", "velocity"],
        Sources=point_source("Source", [start]),
        Receivers=point_source("Receiver", [end]),
        ComputePathProbability=1,
        Temperature=temperature,
    )
    rays.UpdatePipeline()
    cells = servermanager.Fetch(rays, idx=1).GetCellData()
    time, expected = (cells.GetArray(name).GetValue(0) for name in ("TravelTime", "ExpectedTravelTime"))
    probability = array_of(rays, "PathProbability").reshape(ny, nx)
    assert np.allclose([probability[40, 12], probability[40, 228]], 1) and probability.max() < 1 + 1e-9
    halfway = probability[:, nx // 2]
    below = halfway[: ny // 2].sum() / halfway.sum()
    run = (temperature, time, expected, 100 * below)
    print("%g s: the ray takes %.3f s, random paths %.3f s, and %.1f %% of them pass below the body" % run)
    return rays, expected - time, below


def show_probability(view, rays, offset):
    """Shows the probabilities on a logarithmic scale."""
    display = show_field(view, rays, "PathProbability", "Inferno (matplotlib)", [1e-3, 1], offset=offset)
    table = GetColorTransferFunction("PathProbability", display, separate=True)
    table.MapControlPointsToLogSpace()
    table.UseLogScale = 1
    return display


if __name__ == "__main__":
    folder = output_folder()
    medium = image_source("Medium", {"velocity": rough_velocity()}, [spacing] * 3)
    solved = [solve(medium, temperature) for temperature in temperatures]
    losses, below = [loss for _, loss, _ in solved], [share for _, _, share in solved]
    assert losses == sorted(losses) and 0 < losses[0] < 0.05 and below == sorted(below) and below[0] < 0.02 and 0.3 < below[2] < 0.5
    save_data(solved[1][0], 0, os.path.join(folder, "random_paths.vti"))

    width, height = (nx - 1) * spacing, (ny - 1) * spacing
    down = height + 1.1
    view = flat_view([-0.3, 2 * width + 1.2, -down - 2.1, height + 0.8], 1400, white)
    places = [(0, 0), (width + 0.9, 0), (0, -down), (width + 0.9, -down)]
    field = show_field(view, medium, "velocity", "Viridis (matplotlib)", [0.5, 3.5])
    show_cased_lines(view, OutputPort(solved[0][0], 1), white, 3)
    write(view, "velocity (km/s), and the fastest ray", [0, height + 0.25], 24)
    for place, (rays, loss, _), temperature in zip(places[1:], solved, temperatures):
        display = show_probability(view, rays, place)
        title = "temperature %g ms: %.0f ms later on average" % (1000 * temperature, 1000 * loss)
        write(view, title, [place[0], place[1] + height + 0.25], 24)
    layout = {"length": 0.35, "size": 20}
    field_bar(view, field, "velocity", "velocity (km/s)", [1, 2, 3], position=(0.06, 0.03), **layout)
    field_bar(view, display, "PathProbability", "probability", [0.001, 0.01, 0.1, 1], position=(0.58, 0.03), **layout)
    save_picture(view, os.path.join(folder, "random_paths.png"))
