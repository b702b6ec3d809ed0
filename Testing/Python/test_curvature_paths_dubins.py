"""Isochrone Curvature Paths: Dubins paths keep the turning radius, or report that they do not."""
import os

import numpy as np
import pytest
from paraview import simple

from pipelines import array, cell_array, curvature_paths, lines, output, points

COURTYARD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Data", "courtyard.vtk")
STEP = 0.0125
RADIUS = 0.05  # 4 grid steps


def courtyard_paths(**properties):
    """The example of the README."""
    image = simple.LegacyVTKReader(FileNames=[COURTYARD])
    return curvature_paths(Input=image, Model="Dubins", TurningRadius=RADIUS, CostArray=["POINTS", "cost"],
                           NumberOfHeadings=60, SeedPoints=[0.1, 0.1, 0], **properties)


def curvatures(line):
    """Returns the curvatures of the circles through three consecutive vertices."""
    a, b = np.diff(line[:-1, :2], axis=0), np.diff(line[1:, :2], axis=0)
    cross = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    length = np.linalg.norm
    return 2 * cross / (length(a, axis=1) * length(b, axis=1) * length(a + b, axis=1))


def at_grid_steps(line):
    along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    where = np.linspace(0, along[-1], int(along[-1] / STEP) + 1)
    return np.column_stack([np.interp(where, along, line[:, c]) for c in range(2)])


@pytest.mark.parametrize("walls", [{}, {"WallArray": ["POINTS", "walls"]}])
def test_the_path_of_the_readme_keeps_its_turning_radius(messages, walls):
    out = output(courtyard_paths(TipPoints=[0.9, 0.6, 0], **walls), 1)
    line = np.array(lines(out)[0])
    assert abs(curvatures(line)).max() <= 1.02 / RADIUS
    assert abs(curvatures(at_grid_steps(line))).max() <= 1.02 / RADIUS
    assert abs(array(out, "Curvature")).max() <= 1.02 / RADIUS
    assert cell_array(out, "MaxCurvature")[0] == abs(array(out, "Curvature")).max()
    assert cell_array(out, "Energy")[0] == pytest.approx(cell_array(out, "TravelTime")[0], rel=0.02)
    assert cell_array(out, "Status")[0] == 0 and "Warning" not in messages()


def test_headings_and_tangents_are_the_directions_of_a_dubins_path():
    out = output(courtyard_paths(TipPoints=[0.9, 0.6, 0], WallArray=["POINTS", "walls"]), 1)
    line, heading = np.array(lines(out)[0]), np.radians(array(out, "Heading"))
    chords = -np.diff(line[:, :2], axis=0)  # a line starts at the tip, headings at the seed
    between = (heading[1:] + heading[:-1]) / 2
    off = np.angle(np.exp(1j * (np.arctan2(chords[:, 1], chords[:, 0]) - between)))
    assert abs(off).max() < np.radians(1)


def test_paths_that_turn_too_tightly_are_reported_with_their_curvature(messages):
    # The first tip faces away from the nearby border: no circle fits between them.
    tips = points([(79.5 * STEP, 1.2 * STEP, 0), (0.5, 0.4, 0)], Heading=np.array([115., 30.]))
    out = output(courtyard_paths(Tips=tips), 1)
    assert list(cell_array(out, "Status")) == [4, 0]
    status = out.GetFieldData().GetAbstractArray("TipStatus")
    assert [status.GetValue(n) for n in range(2)] == ["TurnsTooTightly", "Complete"]
    largest = cell_array(out, "MaxCurvature")
    assert largest[0] > 1.02 / RADIUS >= largest[1]
    assert "1 of 2 paths turn more tightly than the model allows: tip 0" in messages()
    assert f"has a curvature of up to {largest[0]:.6g}" in messages()
