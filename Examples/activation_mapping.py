"""Activation mapping: the conduction velocities of a ventricle, found from activation times at 200 points.

    pvpython Examples/activation_mapping.py [output folder]

The ventricle is that of ventricle.py, with fibres that turn through the wall, but its scar conducts: at its middle waves travel at 40 %
of the velocity elsewhere. 100 electrodes lie on the inner and 100 on the outer side of the wall. The measured activation times are
those of three beats from different stimuli, on a mesh of half the spacing, with noise of 1 ms. Four Gauss-Newton steps start from one
velocity everywhere. In each, one filter per beat gives the activation times and their Jacobian, the derivative of each time with
respect to a factor on the slowness of each tetrahedron. Smoothed least squares change the slowness. The difference between the times of
both meshes in the starting model is known, and taken off; the rest of it, 1 ms, adds to the noise. Left: the true velocity along the fibres, with the electrodes; right: the
velocity found.
"""

import os
import time

import numpy as np
import scipy.sparse as sparse
from paraview.simple import *
from scipy.sparse.linalg import lsqr

import ventricle
from example_tools import *

along, layers = 24, 4  # cells over the shell, and through the wall
beats = [(0.05, 60, 75), (0.95, 75, -140), (0.5, 15, 0)]  # depth in the wall, polar angle, azimuth of the stimulus
scar = {"depth": 0.6, "polar": 68, "azimuth": -62, "size": 2, "factor": 0.4}  # cm
electrodes = 100  # on each side
noise, steps = 1.0, 4  # ms
roughness_expected = 0.1  # relative change of the slowness from cell to cell
camera, aside = np.array([47, -88, 38]), np.array([0.88, 0.47, 0])  # towards the scar, and to its side


class Heart:
    """Activation times of all beats at the electrodes, in a medium that changes, and their derivatives."""

    def __init__(self, fineness):
        points, self.cells, coordinates = ventricle.shell(fineness * along, fineness * layers)
        fibre, _ = ventricle.medium(points, self.cells, coordinates)
        self.points, self.depth, self.middle = points, coordinates[:, 0], points[self.cells].mean(axis=1)
        self.mesh = mesh_source("Ventricle", points, self.cells, fibre=fibre, speed=np.ones(len(self.cells)))
        self.front = IsochroneMeshTravelTime(
            Input=self.mesh, SpeedType="Fibres", SpeedArray=["CELLS", "speed"], FibreArray=["CELLS", "fibre"],
            ConductionVelocities=ventricle.velocities)
        self.jacobian = port_of(self.front, "Jacobian")

    def place(self, electrodes):
        """Sets the electrodes, positions of points of this mesh."""
        numbers = {tuple(p): n for n, p in enumerate(self.points.round(9))}
        self.electrodes = [numbers[tuple(p)] for p in electrodes.round(9)]
        self.front.Tips = point_source("Electrodes", electrodes)

    def solve(self, factor, derivatives=False):
        """Returns the times, beat by beat, and their Jacobian (None without derivatives)."""
        data = self.mesh.GetClientSideObject().GetOutputDataObject(0).GetCellData().GetArray("speed")
        vtk_to_numpy(data)[:] = factor
        data.Modified()
        self.mesh.MarkModified(self.mesh)
        self.front.ComputeJacobian = int(derivatives)
        times, rows = [], []
        for seed in ventricle.places(beats):
            self.front.SeedPoints = list(seed)
            self.front.UpdatePipeline()
            field = self.front.GetClientSideObject().GetOutputDataObject(0)
            times.append(vtk_to_numpy(field.GetPointData().GetArray("TravelTime"))[self.electrodes].astype(float))
            if derivatives:
                table = self.front.GetClientSideObject().GetOutputDataObject(self.jacobian).GetRowData()
                row, column, weight = (vtk_to_numpy(table.GetArray(name)) for name in ("TipId", "ElementId", "Weight"))
                rows.append(sparse.csr_matrix((weight, (row, column)), shape=(len(self.electrodes), len(self.cells))))
        return np.concatenate(times), sparse.vstack(rows).tocsr() if derivatives else None


def true_factor(heart):
    """Returns the true factor on the velocities of each cell."""
    centre = ventricle.places([(scar["depth"], scar["polar"], scar["azimuth"])])
    distance = np.linalg.norm(heart.middle - centre, axis=1) / scar["size"]
    return 1 - (1 - scar["factor"]) * np.exp(-(distance**2))


def spread(points, count):
    """Returns a number of points far from each other."""
    chosen, distance = [], np.full(len(points), np.inf)
    for _ in range(count):
        chosen.append(int(np.argmax(distance)))
        distance = np.minimum(distance, np.linalg.norm(points - points[chosen[-1]], axis=1))
    return points[chosen]


def roughness(cells):
    """Returns the matrix of differences between cells with a common face."""
    faces = np.sort(np.concatenate([np.delete(cells, k, axis=1) for k in range(4)]), axis=1)
    order = np.lexsort(faces.T)
    owner = np.tile(np.arange(len(cells)), 4)[order]
    same = (faces[order][1:] == faces[order][:-1]).all(axis=1)
    one, two = owner[1:][same], owner[:-1][same]
    row = np.tile(np.arange(len(one)), 2)
    values = np.repeat([1.0, -1.0], len(one))
    return sparse.csr_matrix((values, (row, np.concatenate([one, two]))), shape=(len(one), len(cells)))


def invert(heart, measured):
    """Returns the factor on the velocities of each cell, and the misfits."""
    logarithm, rough = np.zeros(len(heart.cells)), roughness(heart.cells)  # of the slowness
    misfits = []
    for step in range(steps + 1):
        times, jacobian = heart.solve(np.exp(-logarithm), derivatives=True)
        assert np.allclose(jacobian.sum(axis=1).A1, times, rtol=1e-5)
        misfits.append(np.sqrt(np.mean((measured - times) ** 2)))
        print("step %d: misfit %.2f ms" % (step, misfits[-1]))
        if step < steps:
            equations = sparse.vstack([jacobian / noise, rough / roughness_expected])
            wanted = np.concatenate([(measured - times) / noise, -rough @ logarithm / roughness_expected])
            logarithm += lsqr(equations, wanted, atol=1e-3, btol=1e-3)[0]
    return np.exp(-logarithm), misfits


def draw(view, heart, factor, place, title):
    """Shows the velocity along the fibres on the outer side, in m/s."""
    shell = mesh_source(title, heart.points, heart.cells, velocity=10 * ventricle.velocities[0] * factor)
    outside = ExtractSurface(Input=CellDatatoPointData(Input=shell))
    display = shift(show_coloured(view, outside, "velocity"), place)
    display.Ambient, display.Diffuse = 0.45, 0.6


if __name__ == "__main__":
    folder = output_folder()
    started = time.time()
    fine, coarse = Heart(2), Heart(1)
    sides = [coarse.points[coarse.depth == depth] for depth in (0, 1)]
    at = np.concatenate([spread(side, electrodes) for side in sides])
    fine.place(at), coarse.place(at)
    measured, _ = fine.solve(true_factor(fine))
    fine_start, _ = fine.solve(1)
    coarse_start, _ = coarse.solve(1)
    measured += noise * np.random.default_rng(1).standard_normal(measured.size)
    measured += coarse_start - fine_start
    found, misfits = invert(coarse, measured)
    true = true_factor(coarse)
    of_truth = np.sqrt(np.mean((measured - coarse.solve(true)[0]) ** 2))
    error = np.abs(found / true - 1)
    slow = true < 0.6
    print("%d times, %d tetrahedra, %.1f s" % (measured.size, len(true), time.time() - started))
    print("misfit down %.1f %%, from %.2f to %.2f ms; that of the true velocities is %.2f ms"
          % (100 - 100 * misfits[-1] / misfits[0], misfits[0], misfits[-1], of_truth))
    print("error of the velocity: median %.1f %%, 90 %% of the cells below %.1f %%, largest %.0f %%"
          % (100 * np.median(error), 100 * np.quantile(error, 0.9), 100 * error.max()))
    print("scar: %.2f m/s in place of %.2f" % tuple(10 * ventricle.velocities[0] * f[slow].mean() for f in (found, true)))
    assert misfits[-1] < of_truth and np.median(error) < 0.03 and np.quantile(error, 0.9) < 0.1

    view = volume_view([1100, 600])
    for factor, place, title in ((true, -3.9 * aside, "True"), (found, 3.9 * aside, "Found")):
        draw(view, coarse, factor, place, title)
        show_balls(view, at[electrodes:] + place, 0.08, [0.08, 0.08, 0.1])
    legend(view, "velocity", "m/s", "Viridis (matplotlib)", [0.2, 0.3, 0.4, 0.5, 0.6, 0.7], position=(0.92, 0.3))
    look(view, camera, [0, 0, -1.3], [0, 0, 1], 6.1)
    save_picture(view, os.path.join(folder, "activation_mapping.png"))
