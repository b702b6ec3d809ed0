"""Where else a path could go: the probabilities of random paths through a rough medium, at three temperatures.

    pvpython Examples/random_paths.py [output folder]

Above, the velocity, with the fastest ray from left to right. Below, Compute Path Probability: every path that leads away from
the source has a probability in proportion to exp(-travel time / Temperature), the logit model of route choice. At the lowest
temperature the random path follows the ray; at higher ones it also takes corridors that are little slower, and then spreads
over the medium. The script prints how much time the random paths lose on average.
"""

import os

import numpy as np
from paraview.simple import *

from example_tools import *

nx, ny, spacing = 241, 81, 0.05  # points, km
start, end = (0.6, 2.0, 0), (11.4, 2.0, 0)
temperatures = 0.0002, 0.001, 0.005  # s


def rough_velocity():
    """Returns 2 km/s times the exponential of smooth noise."""
    noise = np.random.default_rng(5).standard_normal((ny, nx))
    ky, kx = np.meshgrid(np.fft.fftfreq(ny), np.fft.rfftfreq(nx), indexing="ij")
    smooth = np.fft.irfft2(np.fft.rfft2(noise) * np.exp(-900 * (kx**2 + ky**2)), s=(ny, nx))
    return 2 * np.exp(0.35 * smooth / smooth.std())


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
    wide = (probability[:, nx // 2] > 0.01).sum()
    print("%g s: the ray takes %.3f s, random paths %.3f s; halfway %d points have more than 1 %%" % (temperature, time, expected, wide))
    return rays, expected - time, wide


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
    losses, widths = [loss for _, loss, _ in solved], [wide for _, _, wide in solved]
    assert losses == sorted(losses) and widths == sorted(widths) and -1e-3 < losses[0] < 0.05
    save_data(solved[1][0], 0, os.path.join(folder, "random_paths.vti"))

    width, height = (nx - 1) * spacing, (ny - 1) * spacing
    down = height + 1.1
    view = flat_view([-0.3, 2 * width + 1.2, -down - 1.6, height + 0.8], 1400, white)
    places = [(0, 0), (width + 0.9, 0), (0, -down), (width + 0.9, -down)]
    field = show_field(view, medium, "velocity", "Viridis (matplotlib)", [1, 4])
    show_cased_lines(view, OutputPort(solved[0][0], 1), white, 3)
    write(view, "velocity (km/s), and the fastest ray", [0, height + 0.25], 24)
    for place, (rays, loss, _), temperature in zip(places[1:], solved, temperatures):
        display = show_probability(view, rays, place)
        title = "temperature %g ms: %.0f ms later on average" % (1000 * temperature, 1000 * loss)
        write(view, title, [place[0], place[1] + height + 0.25], 24)
    layout = {"length": 0.35, "size": 20}
    field_bar(view, field, "velocity", "velocity (km/s)", [1, 2, 3, 4], position=(0.06, 0.03), **layout)
    field_bar(view, display, "PathProbability", "probability", [0.001, 0.01, 0.1, 1], position=(0.58, 0.03), **layout)
    save_picture(view, os.path.join(folder, "random_paths.png"))
