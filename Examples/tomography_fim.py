"""Travel-time tomography of a volume: the velocity of a block of ground between boreholes.

    pvpython Examples/tomography_fim.py [output folder]

The block is synthetic, 240 m long, 160 m wide and 200 m deep: the velocity grows with depth, from 1500 to 2300 m/s, and three
bodies are up to 15 % slower or faster. Shots lie in two boreholes, receivers in four others and at the surface. The measured
times come from a grid of half the spacing, with noise of 0.05 ms. Three Gauss-Newton steps start from a velocity that only grows
with depth. In each, one filter per shot gives the travel times and their Jacobian, the derivative of the times with respect to the
slowness of points, without rays: it includes all points that a time depends on. Smoothed least squares change the slowness. The
difference between the times of both grids in the starting model is known, and taken off. The script prints the agreement
of times and anomalies.
"""

import os
import time

import numpy as np
import scipy.sparse as sparse
from paraview.simple import *
from scipy.sparse.linalg import lsqr

from example_tools import *

length, width, depth, spacing = 240, 160, 200, 10  # m
shots = [(x, 80, z) for x in (0, 240) for z in range(-190, 0, 20)]
receivers = [(x, y, z) for x in (40, 200) for y in (0, 160) for z in range(-200, 0, 20)]
receivers += [(x, y, 0) for x in range(0, 241, 40) for y in range(0, 161, 40)]
bodies = [(80, 60, -60, 40, 0.12), (160, 110, -80, 45, -0.12), (110, 90, -150, 40, 0.1)]  # m, change of slowness
noise, steps = 5e-5, 3  # s
roughness_expected = 0.012  # relative change of the slowness from point to point


def places(h):
    """Returns the coordinates x, y, z of the points of a grid, [z, y, x]."""
    z, y, x = np.meshgrid(np.arange(-depth, 1, h), np.arange(0, width + 1, h), np.arange(0, length + 1, h), indexing="ij")
    return x, y, z


def background(z):
    return 1 / (1500 - 4.0 * z)


def anomaly(x, y, z):
    """Returns the relative change of the slowness."""
    change = np.zeros(x.shape)
    for cx, cy, cz, radius, strength in bodies:
        change += strength * np.exp(-((np.sqrt((x - cx) ** 2 + (y - cy) ** 2 + (z - cz) ** 2) / radius) ** 4))
    return change


class Survey:
    """Travel times from all shots to all receivers in a medium that changes, and their derivatives."""

    def __init__(self, h):
        x, y, z = places(h)
        self.points = np.zeros(x.shape)
        self.ground = image_source("Ground", {"slowness": self.points}, [h, h, h], [0, 0, -depth])
        at = lambda p: np.ravel_multi_index([round((p[2] + depth) / h), round(p[1] / h), round(p[0] / h)], x.shape)
        self.receivers = np.array([at(p) for p in receivers])
        self.front = IsochroneImageTravelTime(
            Input=self.ground,
            SpeedArray=["POINTS", "slowness"],
            SpeedType="Slowness",
            Tips=point_source("Receivers", receivers),
            SeedPoints=shots[0],
        )
        self.jacobian = port_of(self.front, "Jacobian")

    def solve(self, slowness, derivatives=False):
        """Returns the times, shot by shot, and their Jacobian (None without derivatives)."""
        image = self.ground.GetClientSideObject().GetOutputDataObject(0)
        vtk_to_numpy(image.GetPointData().GetArray("slowness"))[:] = slowness.ravel()
        image.GetPointData().GetArray("slowness").Modified()
        self.ground.MarkModified(self.ground)
        self.front.ComputeJacobian = int(derivatives)
        times, rows = [], []
        for shot in shots:
            self.front.SeedPoints = shot
            self.front.UpdatePipeline()
            field = self.front.GetClientSideObject().GetOutputDataObject(0)
            times.append(vtk_to_numpy(field.GetPointData().GetArray("TravelTime"))[self.receivers].astype(float))
            if derivatives:
                table = self.front.GetClientSideObject().GetOutputDataObject(self.jacobian).GetRowData()
                row, column, weight = (vtk_to_numpy(table.GetArray(name)) for name in ("TipId", "ElementId", "Weight"))
                rows.append(sparse.csr_matrix((weight, (row, column)), shape=(len(receivers), slowness.size)))
        return np.concatenate(times), sparse.vstack(rows).tocsr() if derivatives else None


def roughness(shape):
    """Returns the matrix of differences between neighbours along x, y and z."""
    along = lambda n: sparse.diags([-1.0, 1.0], [0, 1], shape=(n - 1, n))
    sides = []
    for axis in range(3):
        factors = [along(n) if a == axis else sparse.eye(n) for a, n in enumerate(shape)]
        sides.append(sparse.kron(sparse.kron(factors[0], factors[1]), factors[2]))
    return sparse.vstack(sides)


def invert(survey, measured, start):
    """Returns the relative change of the slowness, [z, y, x], and the misfits."""
    change, rough = np.zeros(start.size), roughness(start.shape)
    misfits = []
    for step in range(steps + 1):
        slowness = start * (1 + change.reshape(start.shape))
        times, jacobian = survey.solve(slowness, derivatives=True)
        assert np.allclose(jacobian @ slowness.ravel(), times, rtol=2e-6)
        misfits.append(np.sqrt(np.mean((measured - times) ** 2)))
        print("step %d: misfit %.3f ms" % (step, 1000 * misfits[-1]))
        if step < steps:
            slope = jacobian @ sparse.diags(start.ravel())  # derivative with respect to the relative change
            equations = sparse.vstack([slope / noise, rough / roughness_expected])
            wanted = np.concatenate([(measured - times) / noise, -rough @ change / roughness_expected])
            change += lsqr(equations, wanted, atol=1e-4, btol=1e-4)[0]
    return change.reshape(start.shape), misfits


def draw(view, change, title, place):
    """Shows the change of the velocity in percent in two vertical sections."""
    for section, up in ((60, 0), (110, -depth - 30)):
        percent = (100 / (1 + change[:, section // spacing]) - 100).astype(np.float32)
        ground = image_source("Change", {"change of the velocity": percent}, [spacing, spacing, 1], [0, -depth, 0])
        at = (place, up)
        field = show_field(view, ground, "change of the velocity", "Cool to Warm (Extended)", [-18, 18], 256, white, at)
        write(view, "%s, y = %d m" % (title, section), [place, up + 6], 24)
    return field.LookupTable


if __name__ == "__main__":
    folder = output_folder()
    started = time.time()
    x, y, z = places(spacing)
    fine, coarse = Survey(spacing / 2), Survey(spacing)
    fx, fy, fz = places(spacing / 2)
    measured, _ = fine.solve(background(fz) * (1 + anomaly(fx, fy, fz)))
    start = background(z)
    fine_start, _ = fine.solve(background(fz))
    coarse_start, _ = coarse.solve(start)
    measured += noise * np.random.default_rng(1).standard_normal(measured.size)
    found, misfits = invert(coarse, measured - fine_start + coarse_start, start)
    true = anomaly(x, y, z)
    alike = np.corrcoef(true.ravel(), found.ravel())[0, 1]
    less = 1 - misfits[-1] / misfits[0]
    said = (measured.size, time.time() - started, 100 * less, alike)
    print("%d travel times, %.1f s: misfit down %.1f %%, correlation of the anomalies %.3f" % said)
    assert less >= 0.95 and alike >= 0.85

    view = flat_view([-15, 2 * length + 130, -2 * depth - 45, 35], 1100, white)
    draw(view, true, "true", 0)
    table = draw(view, found, "found", length + 40)
    colour_bar(view, table, "velocity, %", [-18, -12, -6, 0, 6, 12, 18], position=(0.89, 0.1), length=0.7)
    save_picture(view, os.path.join(folder, "tomography_fim.png"))
