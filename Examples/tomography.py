"""Travel-time tomography: the velocity between two boreholes from the first arrivals of waves.

    pvpython Examples/tomography.py [output folder]

The section is synthetic, 600 m wide and 400 m deep: the velocity grows with depth, from 2000 to 2800 m/s, and three
bodies are up to 14 % slower or faster. Shots lie in the left borehole and at the surface, receivers in the right one
and in a gallery below. The measured times come from a finer grid with other neighbours, with noise of 0.1 ms. Five
Gauss-Newton steps start from a velocity that only grows with depth. Each traces rays, takes their matrix, the
derivative of the times with respect to the slowness of points, and changes the slowness by smoothed least squares. The
script prints the agreement of times and anomalies, and saves the last matrix for scipy (`.npz`).
"""

import os
import time

import numpy as np
import scipy.sparse as sparse
from paraview.simple import *
from scipy.sparse.linalg import lsqr

from example_tools import *

width, depth = 600, 400  # m
spacing = 10  # m, between points of unknown slowness
shots = [(0, y) for y in range(-390, 0, 30)] + [(x, 0) for x in range(15, 600, 45)]
receivers = [(width, y) for y in range(-395, 0, 20)] + [(x, -depth) for x in range(5, 600, 20)]
bodies = [(180, -130, 90, 60, 0.12), (410, -230, 100, 70, -0.12), (200, -310, 80, 45, -0.09)]  # m, change of slowness
noise, steps = 1e-4, 5  # s
roughness_expected = 0.012  # relative change of the slowness from point to point


def places(h):
    """Returns the coordinates of the points of a grid, [y, x]."""
    return np.meshgrid(np.arange(0.0, width + h / 2, h), np.arange(-depth, h / 2, h))


def background(y):
    return 1 / (2000 - 2 * y)


def anomaly(x, y):
    """Returns the relative change of the slowness."""
    change = np.zeros_like(x)
    for cx, cy, rx, ry, strength in bodies:
        change += strength * np.exp(-((np.hypot((x - cx) / rx, (y - cy) / ry)) ** 4))
    return change


def trace(slowness, h, radius):
    """Returns a filter for the rays and their matrix."""
    return IsochroneRayTracing(
        Input=image_source("Ground", {"slowness": slowness}, [h, h, 1], [0, -depth, 0]),
        VelocityArray=["POINTS", "slowness"],
        VelocityType="Slowness",
        Sources=point_source("Shots", [(x, y, 0) for x, y in shots]),
        Receivers=point_source("Receivers", [(x, y, 0) for x, y in receivers]),
        SourceRuns="Separate",
        Radius=[radius, radius, 1],
        DoublePrecision=1,
        ComputeRayMatrix=1,
    )


def travel_times(rays):
    return vtk_to_numpy(servermanager.Fetch(rays, idx=1).GetCellData().GetArray("TravelTime"))


def ray_matrix(rays, points):
    table = servermanager.Fetch(rays, idx=2).GetRowData()
    row, column, weight = (vtk_to_numpy(table.GetArray(name)) for name in ("RowId", "ElementId", "Weight"))
    return sparse.csr_matrix((weight, (row, column)), shape=(len(shots) * len(receivers), points))


def roughness(shape):
    """Returns the matrix of differences between neighbours along x and y."""
    rows, columns = shape
    along = lambda n: sparse.diags([-1.0, 1.0], [0, 1], shape=(n - 1, n))
    return sparse.vstack([sparse.kron(sparse.eye(rows), along(columns)), sparse.kron(along(rows), sparse.eye(columns))])


def invert(measured):
    """Returns the relative change of the slowness, [y, x], the misfits, the last matrix and its rays."""
    x, y = places(spacing)
    start = background(y)
    change, rough = np.zeros(start.size), roughness(start.shape)
    misfits = []
    for step in range(steps + 1):
        slowness = start * (1 + change.reshape(start.shape))
        rays = trace(slowness, spacing, 6)
        times, matrix = travel_times(rays), ray_matrix(rays, start.size)
        assert np.allclose(matrix @ slowness.ravel(), times, rtol=1e-10)
        misfits.append(np.sqrt(np.mean((measured - times) ** 2)))
        print("step %d: misfit %.3f ms" % (step, 1000 * misfits[-1]))
        if step < steps:
            slope = matrix @ sparse.diags(start.ravel())  # derivative with respect to the relative change
            equations = sparse.vstack([slope / noise, rough / roughness_expected])
            wanted = np.concatenate([(measured - times) / noise, -rough @ change / roughness_expected])
            change += lsqr(equations, wanted, atol=1e-4, btol=1e-4)[0]
    return change.reshape(start.shape), misfits, matrix, rays


def some_rays(rays):
    """Returns the rays of every third shot to every fourth receiver."""
    lines = servermanager.Fetch(rays, idx=1)
    chosen = [n for n in range(0, lines.GetNumberOfCells(), 4) if n // len(receivers) % 3 == 1]
    return line_source("Rays", [vtk_to_numpy(lines.GetCell(n).GetPoints().GetData()).copy() for n in chosen])


def draw(view, change, rays, title, place):
    """Shows the change of the velocity in percent, rays, shots (red) and receivers."""
    percent = (100 / (1 + change) - 100).astype(np.float32)
    ground = image_source("Change", {"change of the velocity": percent}, [spacing, spacing, 1], [0, -depth, 0])
    field = show_field(view, ground, "change of the velocity", "Cool to Warm (Extended)", [-15, 15], 256, white, place)
    show_lines(view, some_rays(rays), [0.25] * 3, 1, (*place, 1)).Opacity = 0.4
    show_lines(view, line_source("Shots", circles(shots, 2.5)), [0.7, 0, 0.1], 6, (*place, 2))
    show_lines(view, line_source("Receivers", circles(receivers, 2)), black, 4, (*place, 2))
    write(view, title, [place[0], 22], 26)
    return field.LookupTable


if __name__ == "__main__":
    folder = output_folder()
    started = time.time()
    x, y = places(spacing / 4)
    real = trace(background(y) * (1 + anomaly(x, y)), spacing / 4, 8)
    exact = travel_times(real)
    measured = exact + noise * np.random.default_rng(1).standard_normal(exact.size)
    found, misfits, matrix, rays = invert(measured)
    true = anomaly(*places(spacing))
    alike = np.corrcoef(true.ravel(), found.ravel())[0, 1]
    less = 1 - misfits[-1] / misfits[0]
    said = (exact.size, time.time() - started, 100 * less, alike)
    print("%d rays, %.1f s: misfit down %.1f %%, correlation of the anomalies %.3f" % said)
    assert less >= 0.9 and alike >= 0.7
    sparse.save_npz(os.path.join(folder, "tomography_matrix.npz"), matrix)

    view = flat_view([-15, 2 * width + 200, -depth - 15, 60], 1300, white)
    draw(view, true, real, "true", (0, 0))
    table = draw(view, found, rays, "found from %d travel times" % exact.size, (width + 40, 0))
    colour_bar(view, table, "velocity, %", [-15, -10, -5, 0, 5, 10, 15], position=(0.93, 0.1), length=0.7)
    save_picture(view, os.path.join(folder, "tomography.png"))
