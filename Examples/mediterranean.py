"""Travel times between all harbours of the Mediterranean Sea, as a table and as a tree of routes.

    pvpython Examples/mediterranean.py [output folder]

The sea is a grid of 0.05 degrees in spherical coordinates, with times and routes on the sphere. The coast comes with VTK. It is
coarse and lacks islands, so the larger ones are added as polygons. A ship goes 20 knots. One filter has all 16 harbours as
seeds and as tips: it gives the table of the times between them, and their routes. The minimum spanning tree of the table connects
all harbours by the 15 links of the shortest total time. Above: the routes of these links, and the time from Gibraltar with a
line every 10 hours. Below: the table in hours, with the links framed in red. The script checks the times against the great
circles: none is shorter, and those clear of land are at most 1.5 % longer.
"""

import os
import time

import numpy as np
from paraview.simple import *
from vtkmodules.vtkFiltersHybrid import vtkEarthSource
from vtkmodules.vtkRenderingFreeType import vtkVectorText

from example_tools import *

step, west, east, south, north = 0.05, -7.0, 38.5, 30.0, 47.0  # degrees
radius, speed = 6371.0, 20 * 1.852  # km, km/h
harbours = {  # longitude, latitude
    "Gibraltar": (-5.3, 36.1), "Algiers": (3.1, 36.85), "Barcelona": (2.2, 41.35), "Marseille": (5.3, 43.25),
    "Genoa": (8.9, 44.35), "Naples": (14.2, 40.8), "Palermo": (13.4, 38.25), "Tunis": (10.4, 36.85), "Valletta": (14.5, 35.9),
    "Tripoli": (13.2, 32.95), "Venice": (12.5, 45.35), "Piraeus": (23.6, 37.9), "Istanbul": (29.0, 40.95),
    "Odessa": (30.8, 46.4), "Alexandria": (29.85, 31.25), "Beirut": (35.4, 33.9)}
islands = [  # corners
    [(2.4, 39.6), (3.1, 39.95), (3.45, 39.7), (3.05, 39.3)],  # Mallorca
    [(9.4, 43.0), (9.5, 42.1), (9.25, 41.4), (8.8, 41.6), (8.55, 42.3), (9.0, 42.7)],  # Corsica
    [(8.2, 40.9), (9.2, 41.25), (9.8, 40.5), (9.6, 39.15), (9.0, 38.95), (8.4, 39.0), (8.4, 40.3)],  # Sardinia
    [(12.45, 38), (13.3, 38.2), (15.45, 38.25), (15.1, 37.5), (15.3, 37.05), (15.1, 36.65), (14.4, 36.8), (13, 37.5)],  # Sicily
    [(23.55, 35.5), (24.1, 35.55), (25.0, 35.4), (26.3, 35.25), (26.15, 35.0), (24.75, 34.95), (23.55, 35.25)],  # Crete
    [(32.3, 35.05), (32.95, 35.35), (34.55, 35.68), (33.95, 35.0), (33.0, 34.6), (32.45, 34.75)]]  # Cyprus
names = list(harbours)
below, left = (0.3, -0.75, "Left"), (-0.35, 0.1, "Right")
labels = {  # offset in the picture, and alignment; others to the right, above
    "Gibraltar": (-0.1, 0.5, "Left"), "Barcelona": left, "Marseille": (0, 0.4, "Center"), "Genoa": (0, 0.35, "Center"),
    "Algiers": below, "Tunis": (-0.1, -0.85, "Center"), "Valletta": below, "Tripoli": (0, -0.85, "Center"), "Venice": left,
    "Piraeus": left, "Istanbul": (0.2, -0.8, "Left"), "Odessa": (-0.35, -0.35, "Right"), "Alexandria": (0, -0.85, "Center"),
    "Beirut": (0.35, -0.1, "Left"),
    "Palermo": (-0.1, 0.35, "Right")}
shrink = np.cos(np.radians(38.5))  # of longitudes in the picture
cell = 1.87, 0.88  # of the table
colours, hour_range = "Linear Blue (8_31f)", [0, 110]
land_colour, other_sea, red = [0.78, 0.72, 0.62], [0.88, 0.9, 0.92], [0.8, 0, 0.1]


def inside(polygon, x, y):
    """Returns the points of a grid inside a polygon: those with an odd number of edges to the east."""
    odd = np.zeros(x.shape, bool)
    for (x0, y0), (x1, y1) in zip(polygon, np.roll(polygon, -1, axis=0)):
        rows = (y[0] >= min(y0, y1)) & (y[0] < max(y0, y1))
        if rows.any():
            odd[:, rows] ^= x[:, rows] < x0 + (y[:, rows] - y0) * (x1 - x0) / (y1 - y0)
    return odd


def sea():
    """Returns longitudes, latitudes and where there is land, [longitude, latitude], from north to south as the colatitude."""
    x, y = np.meshgrid(np.arange(west, east + step / 2, step), np.arange(north, south - step / 2, -step), indexing="ij")
    earth = vtkEarthSource()
    earth.SetOutline(0), earth.SetOnRatio(1), earth.SetRadius(1)
    earth.Update()
    points, land = vtk_to_numpy(earth.GetOutput().GetPoints().GetData()), np.zeros(x.shape, bool)
    px, py, pz = points.T
    places = np.degrees([np.arctan2(py, px), np.arctan2(pz, np.hypot(px, py))]).T
    eurasia = earth.GetOutput().GetCell(0).GetPointIds()
    for polygon in [places[[eurasia.GetId(n) for n in range(eurasia.GetNumberOfIds())]], *islands]:
        land ^= inside(polygon, x, y)
    return x, y, land


def berths(x, y, land):
    """Returns the points of the sea nearest to the harbours, degrees."""
    water = np.column_stack([x[~land], y[~land]])
    found = np.array([water[np.argmin(np.hypot(*(water - place).T))] for place in harbours.values()])
    print("harbours are up to %.2f degrees from a point of the sea" % np.hypot(*(found - list(harbours.values())).T).max())
    return found


def table_port(fronts):
    proxy = fronts.SMProxy
    return [proxy.GetOutputPortName(n) for n in range(proxy.GetNumberOfOutputPorts())].index("Travel Time Table")


def ships(ground, places, **properties):
    """Returns the filter for ships between all places, and the table of its times, h."""
    ends = point_source("Harbours", [(radius, 90 - latitude, longitude) for longitude, latitude in places])
    fronts = IsochroneImageTravelTime(
        Input=ground,
        Coordinates="Spherical",
        BarrierArray=["POINTS", "land"],
        ConstantSpeed=speed,
        Seeds=ends,
        Tips=ends,
        ComputeTravelTimeTable=1,
        **properties,
    )
    fronts.UpdatePipeline()
    rows = servermanager.Fetch(fronts, idx=table_port(fronts)).GetRowData()
    assert vtk_to_numpy(rows.GetArray("Reached")).all()
    return fronts, vtk_to_numpy(rows.GetArray("TravelTime")).astype(float).reshape(len(places), -1)


def spanning_tree(times):
    """Returns the links of the minimum spanning tree, by Prim's algorithm."""
    reached, links = [0], []
    while len(reached) < len(times):
        others = [n for n in range(len(times)) if n not in reached]
        links.append(min(((a, b) for a in reached for b in others), key=lambda link: times[link]))
        reached.append(links[-1][1])
    return links


def longest_link(links, count):
    """Returns the time of the longest link between each two nodes of a tree, from their times, [a, b]."""
    longest, known = np.zeros((count, count)), [links[0][0][0]]
    for (a, b), took in links:
        longest[b, known] = longest[known, b] = np.maximum(longest[a, known], took)
        known.append(b)
    return longest


def great_circle(place, other):
    """Returns the time along the great circle between two places, h, and points on it, in degrees."""
    a, b = np.radians([place, other]).T
    ends = np.stack([np.cos(b) * np.cos(a), np.cos(b) * np.sin(a), np.sin(b)], axis=-1)
    angle = 2 * np.arcsin(np.linalg.norm(ends[1] - ends[0]) / 2)
    part = np.linspace(0, angle, 400)[:, None]
    x, y, z = ((np.sin(angle - part) * ends[0] + np.sin(part) * ends[1]) / np.sin(angle)).T
    return radius * angle / speed, np.degrees(np.arctan2(y, x)), np.degrees(np.arcsin(z))


def check(times, backwards, land, places, links):
    """Checks that the times are a distance between harbours, never below great circles, and that the tree is minimal."""
    assert (times == times.T).all() and not times.diagonal().any()
    detour = (times[:, :, None] + times).min(axis=1)  # through a harbour between
    pairs = np.triu_indices(len(times), 1)
    longer = 100 * (times[pairs] / detour[pairs] - 1).max()
    apart = 100 * np.abs(backwards[pairs] / times[pairs] - 1).max()
    excess, clear = [], []
    for a, b in zip(*pairs):
        least, x, y = great_circle(places[a], places[b])
        excess.append(100 * (times[a, b] / least - 1))
        clear.append(not land[np.rint((x - west) / step).astype(int), np.rint((north - y) / step).astype(int)].any())
    excess, clear = np.array(excess), np.array(clear)
    print("solved from the other harbour: up to %.2f %% apart" % apart)
    print("direct times: up to %.2f %% longer than by a harbour between" % longer)
    said = (clear.sum(), excess[clear].min(), excess[clear].max(), excess[~clear].min(), excess[~clear].max())
    print("above the great circle: %d pairs clear of land %.2f to %.2f %%, others %.2f to %.0f %%" % said)
    assert longer <= 0.1 and apart <= 1.5 and excess.min() >= 0 and clear.sum() >= 10 and excess[clear].max() <= 1.5
    longest = longest_link([(link, times[link]) for link in links], len(times))
    assert len(links) == len(times) - 1 and {0}.union(b for _, b in links) == set(range(len(times)))
    assert (longest <= times).all(), "no link could be replaced by a shorter one"


def routes(fronts, links):
    """Returns the paths of links, degrees, and checks that they take at most their times, and at least 94 % (narrow straits)."""
    lines = servermanager.Fetch(fronts, idx=1)
    seed, tip, length, took = (
        vtk_to_numpy(lines.GetCellData().GetArray(name)) for name in ("SeedId", "TipId", "Length", "TravelTime"))
    assert len(seed) == len(names) ** 2
    found = []
    for a, b in links:
        cell = int(np.flatnonzero((seed == a) & (tip == b))[0])
        assert 0.94 < length[cell] / speed / took[cell] <= 1
        print("%s - %s: %.1f h, %.0f km" % (names[a], names[b], took[cell], length[cell]))
        points = vtk_to_numpy(lines.GetCell(cell).GetPoints().GetData())
        found.append(np.column_stack([points[:, 2], 90 - points[:, 1]]))
    return found


def on_map(places):
    """Returns positions in the picture of longitudes and latitudes."""
    return np.column_stack([places[:, 0] * shrink, places[:, 1], np.zeros(len(places))])


def text_source(name, texts, places, size, back=0.5):
    """Makes texts as one surface (a display for each is slow); `back` is the part of a text to the left of its place."""
    points, triangles, count = [], [], 0
    for text, place in zip(texts, places):
        letters = vtkVectorText()
        letters.SetText(text)
        letters.Update()
        shape = letters.GetOutput()
        where = vtk_to_numpy(shape.GetPoints().GetData())[:, :2]
        where = (where - [where[:, 0].max() * back, 0.5]) * size + place
        points.append(np.column_stack([where, np.zeros(len(where))]))
        triangles.append(vtk_to_numpy(shape.GetPolys().GetConnectivityArray()).reshape(-1, 3) + count)
        count += len(where)
    return surface_source(name, np.concatenate(points), np.concatenate(triangles))


def show_flat(view, proxy, colour, height):
    display = shift(show_surface(view, proxy, colour), (0, 0, height))
    display.Ambient, display.Diffuse = 1, 0


def show_map(view, fronts, land, links, places):
    """Shows the times from the first harbour, land, the routes of links, and the harbours."""
    hours = array_of(fronts, "TravelTime0").reshape(land.shape)
    arrays = {"hours": hours.T[::-1].astype(np.float32), "land": land.T[::-1].astype(np.float32)}
    chart = image_source("Chart", arrays, spacing=[step * shrink, step, 1], origin=[west * shrink, south, 0])
    field = show_field(view, chart, "hours", colours, hour_range, 256, other_sea)
    GetColorTransferFunction("hours", field, separate=True).UseAboveRangeColor = 0
    lines = Contour(Input=chart, ContourBy=["POINTS", "hours"], Isosurfaces=list(range(10, 130, 10)))
    show_lines(view, lines, white, 1.5, (0, 0, 1))
    show_flat(view, Clip(Input=chart, ClipType="Scalar", Scalars=["POINTS", "land"], Value=0.5, Invert=0), land_colour, 2)
    coast = Contour(Input=chart, ContourBy=["POINTS", "land"], Isosurfaces=[0.5])
    show_lines(view, coast, [0.3, 0.27, 0.22], 1.5, (0, 0, 3))
    ways = [on_map(way) for way in routes(fronts, links)]
    show_cased_lines(view, line_source("Routes", ways), red, 5, white, (0, 0, 4))
    show_lines(view, line_source("Berths", circles(on_map(places)[:, :2], 0.12)), black, 7, (0, 0, 10))
    for name, at in zip(names, on_map(places)):
        dx, dy, align = labels.get(name, (0.3, 0.2, "Left"))
        write(view, name, [at[0] + dx, at[1] + dy], 24, align=align, bold=True)
    return field


def show_table(view, times, links, left, top):
    """Shows the table as a heat map, with its numbers, and frames around links."""
    count, (wide, high) = len(times), cell
    fine = np.kron(times[::-1], np.ones((20, 20))).astype(np.float32)
    corner = dict(spacing=[wide / 20, high / 20, 1], origin=[left + wide / 40, top - count * high + high / 40, 0])
    show_field(view, image_source("Table", {"hours": fine}, **corner), "hours", colours, hour_range)
    frame = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [0, -1, 0], [0, 0, 0]])
    both = [(a, b) for link in links for a, b in (link, link[::-1])]
    frames = [(frame * 0.9 + [b + 0.05, -a - 0.05, 0]) * [wide, high, 1] + [left, top, 0] for a, b in both]
    show_lines(view, line_source("Links", frames), red, 3, (0, 0, 4))
    column, row = np.meshgrid(left + (np.arange(count) + 0.5) * wide, top - (np.arange(count) + 0.5) * high)
    centres = np.stack([column, row], axis=-1)
    for colour, shown in ((white, times > 48), (black, times <= 48)):
        show_flat(view, text_source("Hours", ["%.0f" % t for t in times[shown]], centres[shown], 0.45), colour, 5)
    heads = np.column_stack([column[0], np.full(count, top + 0.45)])
    show_flat(view, text_source("Heads", [name[:3] for name in names], heads, 0.5), black, 5)
    ends = np.column_stack([np.full(count, left - 0.3), row[:, 0]])
    show_flat(view, text_source("Names", names, ends, 0.5, 1), black, 5)


if __name__ == "__main__":
    folder = output_folder()
    started = time.process_time()
    x, y, land = sea()
    places = berths(x, y, land)
    water = {"land": land[:, :, None].astype(np.float32)}
    ground = image_source("Sea", water, [1, step, step], [radius, 90 - north, west])
    fronts, times = ships(ground, places, SeedRuns="Separate")
    _, backwards = ships(ground, places[::-1])  # each pair from its other harbour
    links = spanning_tree(times)
    print("%d points, processor time %.1f s" % (land.size, time.process_time() - started))
    check(times, backwards[::-1, ::-1], land, places, links)
    SaveData(os.path.join(folder, "mediterranean.csv"), OutputPort(fronts, table_port(fronts)))

    view = flat_view([west * shrink, east * shrink, 11.8, north], 1400, white)
    field = show_map(view, fronts, land, links, places)
    show_table(view, times, links, west * shrink + 4.8, 28.6)
    field_bar(view, field, "hours", "travel time (h)", [0, 25, 50, 75, 100], position=(0.4, 0.005), length=0.4, size=24)
    save_picture(view, os.path.join(folder, "mediterranean.png"))
