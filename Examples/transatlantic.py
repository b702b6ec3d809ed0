"""The fastest flights from London to New York and back, in the jet stream.

    pvpython Examples/transatlantic.py [output folder]

The map is the cylinder that touches the earth along the great circle between the airports: x is the distance along it, y
the distance from it. There a step along x is longer than on the earth, by 1 / cos(y / radius). A squared velocity tensor
takes care of this, so that times and routes are those on the sphere. The wind is a meandering jet of up to 70 m/s.
Westbound flights (above) avoid it, eastbound flights (below) ride it. Blue lines are the great circle, white lines the
points that a flight reaches after each hour.
"""

import os

import numpy as np
from paraview.simple import *

from example_tools import *

earth = 6371.0  # km
airspeed = 900.0  # km/h
london, new_york = (51.47, -0.45), (40.64, -73.78)  # latitude, longitude
step = 25.0  # km
west, east, south, north = -900.0, 900.0, -1500.0, 2000.0  # margins of the map around the great circle, km


def direction(latitude, longitude):
    latitude, longitude = np.radians(latitude), np.radians(longitude)
    return np.array([np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)])


# Unit vectors: to New York, along the great circle towards London, and to the pole of the great circle in the north.
origin = direction(*new_york)
pole = np.cross(origin, direction(*london))
pole /= np.linalg.norm(pole)
onward = np.cross(pole, origin)
distance = earth * np.arccos(origin @ direction(*london))


def on_earth(x, y):
    """Returns the unit vectors of map positions: the place, and the directions along and across the great circle."""
    a, b = x[..., None] / earth, y[..., None] / earth
    along = np.cos(a) * onward - np.sin(a) * origin
    place = np.cos(b) * (np.cos(a) * origin + np.sin(a) * onward) + np.sin(b) * pole
    across = np.cos(b) * pole - np.sin(b) * (np.cos(a) * origin + np.sin(a) * onward)
    return place, along, across


def on_map(place):
    return earth * np.arctan2(place @ onward, place @ origin), earth * np.arcsin(place @ pole)


def wind(place):
    """Returns the velocity of the jet in space, km/h."""
    latitude, longitude = np.degrees(np.arcsin(place[..., 2])), np.degrees(np.arctan2(place[..., 1], place[..., 0]))
    phase = np.radians(4.5 * (longitude + 40))
    core = 48 + 6 * np.sin(phase)
    size = 3.6 * 56 * np.exp(-(((latitude - core) / 7) ** 2)) * (1 + 0.25 * np.cos(phase / 2))
    eastward = np.stack([-place[..., 1], place[..., 0], 0 * latitude], -1)
    eastward /= np.linalg.norm(eastward, axis=-1, keepdims=True)
    northward = np.cross(place, eastward)
    slope = 6 * np.radians(4.5) * np.cos(phase) / np.cos(np.radians(latitude))  # of the core, north over east
    flow = eastward + slope[..., None] * northward
    return size[..., None] * flow / np.linalg.norm(flow, axis=-1, keepdims=True)


def atlantic():
    x, y = np.meshgrid(np.arange(west, distance + east, step), np.arange(south, north + 1, step))
    place, along, across = on_earth(x, y)
    flow, stretch = wind(place), 1 / np.cos(y / earth)
    drift = np.stack([(flow * along).sum(-1) * stretch, (flow * across).sum(-1), 0 * x], -1)
    tensor = np.stack([(airspeed * stretch) ** 2, airspeed**2 + 0 * x, 0 * x], -1)  # xx yy xy
    speed = np.linalg.norm(flow, axis=-1) / 3.6
    image = vtkImageData()
    image.SetDimensions(x.shape[1], x.shape[0], 1), image.SetSpacing(step, step, 1), image.SetOrigin(west, south, 0)
    for name, values in {"wind": drift.reshape(-1, 3), "airspeed": tensor.reshape(-1, 3), "jet": speed.ravel()}.items():
        array = numpy_to_vtk(np.ascontiguousarray(values), deep=True)
        array.SetName(name)
        image.GetPointData().AddArray(array)
    return source(image, "Atlantic")


def coasts(view, offset):
    """Draws the coasts, which VTK knows."""
    from vtkmodules.vtkFiltersHybrid import vtkEarthSource

    globe = vtkEarthSource()
    globe.SetRadius(1), globe.SetOutline(1), globe.SetOnRatio(1)
    globe.Update()
    data = globe.GetOutput()
    points, lines = vtk_to_numpy(data.GetPoints().GetData()), []
    for cell in range(data.GetNumberOfCells()):
        ids = data.GetCell(cell).GetPointIds()
        x, y = on_map(points[[ids.GetId(n) for n in range(ids.GetNumberOfIds())]])
        inside = (x > west) & (x < distance + east) & (y > south) & (y < north)
        line = np.stack([x, y, 0 * x], -1)
        pieces = np.split(line, np.flatnonzero(np.diff(inside.astype(int))) + 1)
        kept = np.split(inside, np.flatnonzero(np.diff(inside.astype(int))) + 1)
        lines += [piece for piece, keep in zip(pieces, kept) if keep[0] and len(piece) > 1]
    show_lines(view, line_source("Coasts", lines), [0.7, 0.7, 0.65], 1.5, offset)


def flight(air, start, end, **properties):
    way = IsochroneImageTravelTime(
        Input=air,
        SpeedArray=["POINTS", "airspeed"],
        SpeedType="Squared Velocity Tensor",
        SeedPoints=[start, 0, 0],
        TipPoints=[end, 0, 0],
        **properties,
    )
    way.UpdatePipeline()
    line = servermanager.Fetch(way, idx=1)
    return way, line.GetCellData().GetArray("TravelTime").GetTuple1(0), vtk_to_numpy(line.GetPoints().GetData())


def time_along(line):
    """Returns the time of a flight along a line of map positions, from its last point, by the wind itself."""
    x, y = line[::-1, 0], line[::-1, 1]
    from_, to = on_earth(x[:-1], y[:-1])[0], on_earth(x[1:], y[1:])[0]
    middle = (from_ + to) / np.linalg.norm(from_ + to, axis=-1, keepdims=True)
    way, flow = earth * (to - from_), wind(middle)
    along, s = (way * flow).sum(-1), airspeed**2 - (flow**2).sum(-1)
    return ((np.sqrt(along**2 + (way**2).sum(-1) * s) - along) / s).sum()


def hours(time):
    return "%d h %02d min" % divmod(round(60 * time), 60)


if __name__ == "__main__":
    folder = output_folder()
    air = atlantic()
    straight = np.stack([np.linspace(0, distance, 500), np.zeros(500), np.zeros(500)], -1)
    calm = flight(air, distance, 0)
    ways = {"London to New York": flight(air, distance, 0, DriftArray=["POINTS", "wind"]),
            "New York to London": flight(air, 0, distance, DriftArray=["POINTS", "wind"])}
    along_circle = {"London to New York": time_along(straight), "New York to London": time_along(straight[::-1])}

    # On the sphere without wind, a flight takes the time of the great circle.
    assert abs(calm[1] - distance / airspeed) < 0.002 * calm[1] and np.abs(calm[2][:, 1]).max() < 0.5 * step
    print("without wind: %s, %.0f km" % (hours(calm[1]), distance))
    for name, (way, time, line) in ways.items():
        print("%s: %s, along the great circle %s, up to %.0f km from it"
              % (name, hours(time), hours(along_circle[name]), np.abs(line[:, 1]).max()))
        assert abs(time_along(line) - time) < 0.005 * time, time_along(line)  # the route takes the travel time
        assert time < along_circle[name]
    there, back = (way[1] for way in ways.values())
    assert there > 1.2 * back
    save_data(ways["London to New York"][0], 0, os.path.join(folder, "transatlantic.vti"))
    save_data(ways["London to New York"][0], 1, os.path.join(folder, "transatlantic.vtp"))

    rows = [0, -(north - south) - 500]
    view = flat_view([west - 100, distance + east + 100, rows[1] + south - 950, north + 450], 1400, white)
    for row, (name, (way, time, line)) in zip(rows, ways.items()):
        shown = show_field(view, way, "jet", "Linear Green (Gr4L)", [0, 70], 256, white, (0, row))
        coasts(view, (0, row, 1))
        rings = Contour(Input=way, ContourBy=["POINTS", "TravelTime"], Isosurfaces=list(range(1, 9)))
        show_lines(view, rings, white, 1.5, (0, row, 2))
        show_lines(view, line_source("Circle " + name, [straight]), [0.1, 0.3, 0.9], 3, (0, row, 3))
        show_cased_lines(view, line_source("Way " + name, [line]), [0.95, 0.2, 0.1], 5, black, (0, row, 4))
        title = "%s: %s (great circle: %s)" % (name, hours(time), hours(along_circle[name]))
        write(view, title, [west, row + north + 120], 34, black, bold=True)
    field_bar(view, shown, "jet", "wind (m/s)", [0, 20, 40, 60], position=(0.05, 0.02), length=0.35, size=28)
    scale_bar(view, [distance - 300, rows[1] + south - 500, 0], [distance + 700, rows[1] + south - 500, 0], "1000 km", size=28)
    save_picture(view, os.path.join(folder, "transatlantic.png"))
