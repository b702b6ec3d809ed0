"""The neighbours that the scheme of each model reads at one state.

    pvpython Examples/stencils.py [output folder]

Offsets in grid steps of position and heading, at heading 60 degrees on the 300 x 300 x 96 grid of empty_domain.py. The
script computes them from the paper's formulas, independently of the plugin: section 2 and figure 2 of Mirebeau,
Gayraud, Barrere, Chen, Desquilbet 2022. The stencils are long and thin because a car moves along its heading, and
hardly sideways.
"""

import itertools
import os

import numpy as np
import paraview
from paraview.simple import *

from example_tools import *

step, turning_radius, relaxation = 2 / 300, 0.2, 0.1
heading_step, heading = 2 * np.pi / 96, np.pi / 3


def selling(tensor):
    """Returns weights and integer offsets e with tensor = sum of weight e e^T, by Selling's algorithm in 3D."""
    base = [np.array(b) for b in ([-1, -1, -1], [1, 0, 0], [0, 1, 0], [0, 0, 1])]
    pairs = [(i, j, *(k for k in range(4) if k not in (i, j))) for i, j in itertools.combinations(range(4), 2)]
    acute = True
    while acute:
        acute = False
        for i, j, k, l in pairs:
            if base[i] @ tensor @ base[j] > 1e-12 * np.trace(tensor):
                base[k], base[l], base[i] = base[k] + base[i], base[l] + base[i], -base[i]
                acute = True
                break
    return [(-base[i] @ tensor @ base[j], np.cross(base[k], base[l])) for i, j, k, l in pairs]


def upwind(v):
    """Returns the offsets that approximate the derivative along -v, only those close to its direction."""
    square = v @ v
    tensor = (1 - relaxation**2) * np.outer(v, v) + relaxation**2 * square * np.eye(3)
    close = [e for w, e in selling(tensor) if w > 1e-12 * square and (v @ e) ** 2 > (2 / 3 + 1e-6) * square * (e @ e)]
    return [-e if v @ e > 0 else e for e in close]


def stencil(model):
    """Returns the offsets (x, y, heading) of a model, in grid steps, repeated where two of its terms share one."""
    along = np.array([np.cos(heading), np.sin(heading)]) / step
    turn = 1 / (turning_radius * heading_step)
    on_the_spot = [np.array([0, 0, 1]), np.array([0, 0, -1])]
    straight = upwind(np.array([*along, 0]))
    if model == "Reeds-Shepp":
        return straight + [-e for e in straight] + on_the_spot
    if model == "Reeds-Shepp Forward":
        return straight + on_the_spot
    if model == "Dubins":
        return [e for side in (1, -1) for e in upwind(np.array([*along, side * turn]))]
    angles = np.pi * (np.arange(5) + 0.5) / 5  # Fejer's nodes
    return [e for t in angles for e in upwind(np.array([*(np.sin(t) * along), np.cos(t) * turn]))]


models = [
    ("Reeds-Shepp", [0.85, 0.2, 0.15]),
    ("Reeds-Shepp Forward", [0.95, 0.6, 0.1]),
    ("Elastica", [0.1, 0.45, 0.8]),
    ("Dubins", [0.1, 0.6, 0.35]),
]


def ball(centres, radius, colour, view):
    glyphs = Glyph(Input=point_source("Neighbours", centres), GlyphType="Sphere", GlyphMode="All Points")
    glyphs.ScaleArray, glyphs.ScaleFactor = ["POINTS", "No scale array"], 2 * radius
    glyphs.GlyphType.ThetaResolution = glyphs.GlyphType.PhiResolution = 24
    display = Show(glyphs, view)
    display.ColorArrayName = ["POINTS", ""]
    display.AmbientColor = display.DiffuseColor = colour
    display.Specular = 0.3
    return display


def stick(lines, radius, colour, view):
    tubes = Tube(Input=line_source("Sticks", lines), Radius=radius, NumberofSides=16)
    display = Show(tubes, view)
    display.ColorArrayName = ["POINTS", ""]
    display.AmbientColor = display.DiffuseColor = colour


def panel(model, colour):
    """Shows one stencil: the state in black, sticks to its neighbours, plumb lines to the plane of its heading."""
    offsets = np.array(stencil(model))
    neighbours = np.unique(offsets, axis=0)
    caption = "%s: %d neighbours" % (model, len(neighbours))
    print(caption, "(%d terms)" % len(offsets))

    view = CreateView("RenderView")
    view.ViewSize = [640, 640]
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground, view.Background = 0, white
    grey = [0.7, 0.7, 0.7]
    grid = [[[x, -4, 0], [x, 4, 0]] for x in range(-4, 5)] + [[[-4, y, 0], [4, y, 0]] for y in range(-4, 5)]
    stick(grid, 0.015, [0.9, 0.9, 0.9], view)
    stick([[[0, 0, -4.2], [0, 0, 4.2]]], 0.02, grey, view)
    stick([[[0, 0, 0], [3.6 * np.cos(heading), 3.6 * np.sin(heading), 0]]], 0.05, black, view)
    stick([[[x, y, 0], [x, y, t]] for x, y, t in neighbours if t] or [[[0, 0, 0], [0, 0, 1]]], 0.02, grey, view)
    stick([[[0, 0, 0], e] for e in neighbours], 0.06, colour, view)
    ball(neighbours, 0.17, colour, view)
    ball([[0, 0, 0]], 0.22, black, view)

    title = Show(Text(Text=caption), view)
    title.WindowLocation, title.FontSize, title.Color, title.Bold = "Upper Center", 26, black, 1
    title.FontFamily = "Arial"
    note = Show(Text(Text="black: direction of travel; upright: heading"), view)
    note.WindowLocation, note.FontSize, note.Color, note.FontFamily = "Lower Center", 20, [0.4, 0.4, 0.4], "Arial"
    view.CameraParallelProjection, view.CameraParallelScale = 1, 5.2
    view.CameraFocalPoint, view.CameraPosition, view.CameraViewUp = [0, 0, 0.2], [40, -45, 30], [0, 0, 1]
    return view


if __name__ == "__main__":
    folder = output_folder()
    paraview.simple._DisableFirstRenderCameraReset()
    views = [panel(*model) for model in models]
    layout = CreateLayout("Stencils")
    top = layout.SplitVertical(0, 0.5)
    for half, pair in ((top + 1, views[2:]), (top, views[:2])):
        left = layout.SplitHorizontal(half, 0.5)
        layout.AssignView(left, pair[0])
        layout.AssignView(left + 1, pair[1])
    layout.SetSize(1300, 1300)
    path = os.path.join(folder, "stencils.png")
    SaveScreenshot(path, layout, ImageResolution=[1300, 1300])
    print("picture:", path)
