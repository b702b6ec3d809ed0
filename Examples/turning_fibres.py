"""Waves and fastest paths in a block whose fibres turn from bottom to top.

    pvpython Examples/turning_fibres.py [output folder]

The block, 40 x 20 x 20 mm, is a mesh of tetrahedra. Its fibres turn from -60 degrees at the bottom to +60 degrees at the
top, as through the wall of a heart. Waves travel along them at 0.6 mm/ms, across them at 0.3 mm/ms. The picture shows the
bottom, the middle and the top, in bands of 5 ms with the fibres in black, and the paths from the seed to five tips: they
follow the fibres wherever a layer has the direction that they need.
"""

import os

import numpy as np
from paraview.simple import *

from example_tools import *

size = np.array([40, 20, 20])  # mm
seed = [20, 10, 0]
tips = [(4, 4, 10), (36, 16, 10), (4, 16, 20), (14, 3, 20), (36, 4, 20)]
velocities = [0.6, 0.3, 0.3]  # mm/ms
turn = np.radians(120) / size[2]
angle = "(%.9g * (coordsZ - %g))" % (turn, size[2] / 2)
band = 5  # ms
red, ink = [0.8, 0, 0.1], [0.1, 0.1, 0.15]


def fibres(z):
    """Returns short lines along the fibres at a height."""
    x, y = np.meshgrid(np.arange(2, size[0], 4), np.arange(2, size[1], 4))
    middle = np.column_stack([x.ravel(), y.ravel(), np.full(x.size, z)])
    half = 1.2 * np.array([np.cos(turn * (z - size[2] / 2)), np.sin(turn * (z - size[2] / 2)), 0])
    return [np.array([point - half, point + half]) for point in middle]


def check(waves):
    """Checks that no wave is faster than along the fibres, and that paths gain on the straight line across them."""
    mesh = servermanager.Fetch(waves)
    times = vtk_to_numpy(mesh.GetPointData().GetArray("TravelTime"))
    distance = np.linalg.norm(vtk_to_numpy(mesh.GetPoints().GetData()) - seed, axis=1)
    assert (times >= distance / velocities[0] - 1e-3).all() and (times <= 1.1 * distance / velocities[1]).all()
    arrivals = vtk_to_numpy(servermanager.Fetch(waves, idx=1).GetCellData().GetArray("TravelTime"))
    assert len(arrivals) == len(tips)
    print("%d tetrahedra; paths of %s ms" % (mesh.GetNumberOfCells(), ", ".join("%.1f" % t for t in arrivals)))


if __name__ == "__main__":
    folder = output_folder()
    block = image_source("Block", {"speed": np.ones(size[::-1] + 1, np.float32)})
    fibre = Calculator(Input=block, ResultArrayName="fibre", Function="cos%s * iHat + sin%s * jHat" % (angle, angle))
    waves = IsochroneMeshTravelTime(
        Input=Tetrahedralize(Input=fibre),
        SeedPoints=seed,
        TipPoints=np.ravel(tips),
        SpeedType="Fibres",
        SpeedArray=["POINTS", "speed"],
        FibreArray=["POINTS", "fibre"],
        ConductionVelocities=velocities,
    )
    check(waves)
    save_data(waves, 1, os.path.join(folder, "turning_fibres.vtp"))

    view = volume_view([1400, 900])
    for z in (0, size[2] / 2, size[2]):
        layer = Slice(Input=waves, SliceType="Plane")
        layer.SliceType.Origin, layer.SliceType.Normal = [0, 0, np.clip(z, 0.01, size[2] - 0.01)], [0, 0, 1]
        show_coloured(view, layer, "TravelTime", flat=True)
        show_lines(view, line_source("Fibres", fibres(z)), ink, 2, (0, 0, 0.1))
    show_lines(view, Outline(Input=block), [0.5, 0.5, 0.5], 1)
    show_surface(view, Tube(Input=OutputPort(waves, 1), Radius=0.3), red)
    show_balls(view, tips, 0.6, red)
    show_balls(view, [seed], 0.9, ink)
    bar = dict(position=(0.55, 0.03), size=32, horizontal=True)
    legend(view, "TravelTime", "travel time (ms)", "Linear Blue (8_31f)", range(0, 101, 20), **bar)
    GetColorTransferFunction("TravelTime").NumberOfTableValues = 100 // band
    scale_bar(view, [0, -2, 0], [10, -2, 0], "10 mm", size=32)
    look(view, [12, -105, 62], [20, 10, 7], [0, 0, 1], 16.5)
    save_picture(view, os.path.join(folder, "mesh_travel_time.png"))
