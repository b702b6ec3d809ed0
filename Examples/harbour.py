"""The first ship at each berth of a harbour, and its route.

    pvpython Examples/harbour.py [output folder]

The map is synthetic, 601 x 401 points 5 m apart. Land, moles and piers are barriers; ships go 6 m/s at sea and 3 m/s
behind the moles. Three ships are the seeds, and one of them leaves later (its StartValue); the berths are the tips. The
picture has a line for every minute, and a path from each berth to the ship that arrives first.
"""

import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

nx, ny, spacing = 601, 401, 5.0  # points, m
at_sea, in_harbour = 6.0, 3.0  # m/s

ships = {"Aurora": ((330, 1660), 0), "Bora": ((1560, 1800), 120), "Cirrus": ((2780, 1500), 0)}  # m, s until it leaves
berths = [
    (180, 760), (560, 700), (760, 560), (1045, 840), (1240, 600), (1530, 950), (1570, 520), (1860, 560), (2110, 880),
    (2620, 700),
]
land_colour = [0.78, 0.72, 0.62]
west_mole = [(330, 300), (370, 950), (640, 1230), (1330, 1290)]
east_mole = [(1640, 1370), (2050, 1270), (2330, 1000), (2400, 300)]
piers = [(650, 300, 40, 560), (950, 300, 60, 640), (1330, 300, 110, 520), (1700, 300, 50, 600), (2000, 300, 40, 660)]


def near(x, y, corners, distance):
    """Returns the points closer to a polyline than a distance."""
    found = np.zeros(x.shape, bool)
    for (x0, y0), (x1, y1) in zip(corners, corners[1:]):
        along = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / ((x1 - x0) ** 2 + (y1 - y0) ** 2)
        along = np.clip(along, 0, 1)
        found |= np.hypot(x - x0 - along * (x1 - x0), y - y0 - along * (y1 - y0)) < distance
    return found


def chart():
    """Returns the land and the speed, [y, x]."""
    x, y = np.meshgrid(np.arange(nx) * spacing, np.arange(ny) * spacing)
    land = y < 390 + 45 * np.sin(x / 260) + 25 * np.sin(x / 90 + 1)
    land |= near(x, y, west_mole, 16) | near(x, y, east_mole, 16)
    for left, bottom, width, top in piers:
        land |= (abs(x - left - width / 2) <= width / 2) & (y >= bottom) & (y <= bottom + top)
    for centre_x, centre_y, width, height, turn in ((900, 1640, 230, 90, 0.4), (2180, 1640, 150, 110, -0.6)):
        u, v = x - centre_x, y - centre_y
        u, v = u * np.cos(turn) + v * np.sin(turn), v * np.cos(turn) - u * np.sin(turn)
        angle = np.arctan2(v / height, u / width)
        land |= np.hypot(u / width, v / height) < 1 + 0.12 * np.sin(3 * angle) + 0.06 * np.sin(7 * angle + 1)
    outline = np.array(west_mole + east_mole).T
    harbour = (x > outline[0, 0]) & (x < outline[0, -1]) & (y < np.interp(x, *outline))
    return land.astype(np.float32), np.where(harbour, in_harbour, at_sea).astype(np.float32)


def check(front):
    """Checks that each berth has a path to the ship that arrives first, clear of land, at the speed of ships."""
    lines = servermanager.Fetch(front, idx=1)
    first = vtk_to_numpy(lines.GetCellData().GetArray("SeedId"))
    arrival = vtk_to_numpy(lines.GetCellData().GetArray("TravelTime"))
    assert lines.GetNumberOfCells() == len(berths)
    way = ResampleWithDataset(SourceDataArrays=front, DestinationMesh=OutputPort(front, 1))
    assert array_of(way, "land").max() < 1
    for number, berth in enumerate(berths):
        points = vtk_to_numpy(lines.GetCell(number).GetPoints().GetData())[:, :2]
        name, (place, leaves) = list(ships.items())[first[number]]
        assert np.allclose(points[0], berth) and np.allclose(points[-1], place)
        length = np.hypot(*np.diff(points, axis=0).T).sum()
        assert length / at_sea < arrival[number] - leaves < length / in_harbour
        print("berth %d: %s after %.1f minutes, %.0f m" % (number + 1, name, arrival[number] / 60, length))


def hull(x, y):
    shape = np.array([[-1, -0.35], [0.5, -0.35], [1, 0], [0.5, 0.35], [-1, 0.35], [-1, -0.35]]) * 55
    return np.column_stack([shape + [x, y], np.zeros(len(shape))])


if __name__ == "__main__":
    folder = output_folder()
    land, speed = chart()
    sea = image_source("Chart", {"land": land, "speed": speed}, spacing=[spacing, spacing, 1])
    places = [(x, y, 0) for (x, y), _ in ships.values()]
    front = IsochroneImageTravelTime(
        Input=sea,
        SpeedArray=["POINTS", "speed"],
        BarrierArray=["POINTS", "land"],
        Seeds=point_source("Ships", places, StartValue=[float(leaves) for _, leaves in ships.values()]),
        Tips=point_source("Berths", [(x, y, 0) for x, y in berths]),
    )
    started = time.time()
    front.UpdatePipeline()
    print("travel time: %.2f s" % (time.time() - started))
    check(front)
    save_data(front, 0, os.path.join(folder, "harbour_travel_time.vti"))
    save_data(front, 1, os.path.join(folder, "harbour_paths.vtp"))

    view = flat_view([0, (nx - 1) * spacing, -150, (ny - 1) * spacing], 1200, land_colour)
    times = array_of(front, "TravelTime").reshape(ny, nx) / 60
    minutes = image_source("Minutes", {"minutes": times}, spacing=[spacing, spacing, 1])
    water = show_field(view, minutes, "minutes", "Linear Blue (8_31f)", [0, 15], 256, land_colour)
    lines = Contour(Input=minutes, ContourBy=["POINTS", "minutes"], Isosurfaces=list(range(1, 20)))
    show_lines(view, lines, [0.3, 0.35, 0.35], 1.5, (0, 0, 10))
    ground = Clip(Input=sea, ClipType="Scalar", Scalars=["POINTS", "land"], Value=0.5, Invert=0)
    flat = shift(show_surface(view, ground, land_colour), (0, 0, 20))
    flat.Ambient, flat.Diffuse = 1, 0
    coast = Contour(Input=sea, ContourBy=["POINTS", "land"], Isosurfaces=[0.5])
    show_lines(view, coast, [0.3, 0.27, 0.22], 2, (0, 0, 30))
    show_cased_lines(view, OutputPort(front, 1), [0.75, 0, 0.1], 5, white, (0, 0, 40))
    show_lines(view, line_source("Berths", circles(berths, 20)), black, 6, (0, 0, 80))
    for name, ((x, y), leaves) in ships.items():
        show_lines(view, line_source("Hull", [hull(x, y)]), [0.5, 0, 0.1], 6, (0, 0, 90))
        label = "%s, leaves after %g min" % (name, leaves / 60) if leaves else name
        write(view, label, [x, y + 50], 38, align="Center", bold=True)
    GetColorTransferFunction("minutes", water, separate=True).UseAboveRangeColor = 0
    field_bar(view, water, "minutes", "travel time (min)", [0, 5, 10, 15], position=(0.55, 0.03), size=36)
    scale_bar(view, [150, 60, 0], [1150, 60, 0], "1 km", size=36)
    save_picture(view, os.path.join(folder, "harbour.png"))
