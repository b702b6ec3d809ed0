"""First arrivals and rays of an earthquake through a layered Earth.

    pvpython Examples/layered_earth.py [output folder]

The model is synthetic: four layers with the speeds of P waves of PREM (Dziewonski, Anderson 1981) at their borders, linear in
between. An earthquake 20 km deep in Japan sends waves through the globe, a spherical grid of 145 x 91 x 181 points: radius,
colatitude and longitude, with steps of 10 km at the ground and 100 km in the core. The front crosses poles, centre and date line. A
slice through Japan and twelve stations, computed again on a fine plane grid, gives the classic picture: rays bend back up in the mantle, and those that
enter the core are refracted down, so that beyond 98 degrees only waves along the core arrive early.

Above: fronts every 60 s in the slice (1 min), and the rays. Below: when the first wave arrives at the ground. Both are drawn in space,
to which Rectilinear Data to Point Set and a Calculator convert the spherical coordinates.
"""

import os

import numpy as np
from paraview.simple import *

from example_tools import *

ground = 6371  # km
layers = [(0, 1221.5, 11.26, 11.03), (1221.5, 3480, 10.36, 8.06), (3480, 5701, 13.72, 10.75), (5701, ground, 10.2, 7.6)]
quake = [ground - 20, 54.0, 142.4]  # radius (km), colatitude and longitude (degrees)


def speed(radius):
    """Returns the speed of P waves, km/s."""
    result = np.zeros_like(radius)
    for bottom, top, below, above in reversed(layers):
        result = np.where(radius <= top, below + (above - below) * (radius - bottom) / (top - bottom), result)
    return result


def first_arrivals(name, radius, colatitude, longitude, tips, seed):
    grid = rectilinear_source(name, radius, colatitude, longitude, {
        "speed": np.broadcast_to(speed(radius), (len(longitude), len(colatitude), len(radius)))})
    waves = IsochroneImageTravelTime(
        Input=grid,
        Coordinates="Spherical",
        SpeedArray=["POINTS", "speed"],
        SeedPoints=seed,
        Tips=point_source("Stations", np.asarray(tips, float)),
        UnwrapPaths=1,
        TimeUnit="s",
    )
    waves.UpdatePipeline()
    return waves


def on_disc(data, side=1):
    """Converts the coordinates of the slice to those of a disc, with the earthquake at the top."""
    angle = "coordsY * 3.141592653589793 / 180"
    return Calculator(Input=data, CoordinateResults=1, Function=f"{side} * coordsX * sin({angle}) * iHat + coordsX * cos({angle}) * jHat")


def in_space(data, longitude, latitude):
    """Converts spherical coordinates to those of space, turned so that a place on the ground faces the viewer."""
    angle, turn = "(coordsY * 3.141592653589793 / 180)", f"((coordsZ - {longitude}) * 3.141592653589793 / 180)"
    ahead, right, up = f"coordsX * sin{angle} * cos{turn}", f"coordsX * sin{angle} * sin{turn}", f"coordsX * cos{angle}"
    c, s = np.cos(np.radians(latitude)), np.sin(np.radians(latitude))
    return Calculator(Input=data, CoordinateResults=1,
                      Function=f"{right} * iHat + ({c} * {up} - {s} * {ahead}) * jHat + ({s} * {up} + {c} * {ahead}) * kHat")


def chord_angle(a, b):
    """Returns the angle between two positions as seen from the centre, degrees."""
    def unit(at):
        theta, phi = np.radians(at[1]), np.radians(at[2])
        return np.array([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)])
    return np.degrees(np.arccos(np.clip(unit(a) @ unit(b), -1, 1)))


if __name__ == "__main__":
    folder = output_folder()
    radius = np.unique(np.concatenate([np.linspace(0, 3480, 40), np.linspace(3480, 5701, 36), np.linspace(5701, ground, 68)]))
    tips = [[ground, 90 - 52.5, 13.4], [ground, 90 + 33.9, 18.4], [ground, 90 - 40.7, -74.0], [ground, 90 + 54.8, -68.3],
            [ground, 90 - 21.3, -157.9], [ground, 0, 0], [ground, 180, 0]]
    globe = first_arrivals("Globe", radius, np.linspace(0, 180, 91), np.linspace(-180, 180, 181), tips, quake)
    rays = servermanager.Fetch(globe, idx=1)
    arrival = vtk_to_numpy(rays.GetCellData().GetArray("TravelTime"))
    print("first arrivals at", len(arrival), "stations, seconds:", np.round(arrival))
    assert len(arrival) == len(tips) and (400 < arrival).all() and (arrival < 1300).all()

    # The slice: the earthquake on the axis, so that the colatitude is the distance in degrees.
    fine = np.unique(np.concatenate([np.linspace(0, 5701, 360), np.linspace(5701, ground, 60)]))
    distances = [20, 30, 40, 50, 60, 70, 80, 90, 97, 145, 160, 178]
    section = first_arrivals("Slice", fine, np.linspace(0, 180, 721), np.array([0.0]), [[ground, d, 0] for d in distances],
                             [quake[0], 0, 0])
    along = vtk_to_numpy(servermanager.Fetch(section, idx=1).GetCellData().GetArray("TravelTime"))
    for tip, time in zip(tips, arrival):  # both grids agree
        expected = np.interp(chord_angle(quake, tip), distances, along)
        assert abs(time / expected - 1) < 0.03, (tip, time, expected)
    save_data(globe, 1, os.path.join(folder, "layered_earth_rays.vtp"))

    wide = 2.25 * ground  # from one panel to the next
    view = flat_view([-1.1 * ground, wide + 1.1 * ground, -1.4 * ground, 1.22 * ground], 1500, white)
    whole = RectilinearDatatoPointSet(Input=section)  # with a position for each point, which the Calculator can change
    disc = on_disc(whole)
    latest = 60 * int(np.ceil(array_of(disc, "TravelTime").max() / 60))
    levels = list(np.arange(60, latest, 60))
    for side in (1, -1):
        half = disc if side == 1 else on_disc(whole, side)
        bar = show_field(view, half, "TravelTime", "Viridis (matplotlib)", [0, latest], int(latest / 60), white, (0, 0))
        show_lines(view, Contour(Input=half, ContourBy=["POINTS", "TravelTime"], Isosurfaces=levels), white, 1, (0, 0, 1))
        show_lines(view, on_disc(OutputPort(section, 1), side), [0.75, 0, 0.1], 2.5, (0, 0, 2))
    for bottom, top, *_ in layers:
        show_lines(view, line_source("Layer", circles(np.array([[0, 0]]), top)), black, 2.5 if top == ground else 1.5, (0, 0, 3))
    show_lines(view, line_source("Quake", circles(np.array([[0, quake[0]]]), 90)), [0.95, 0.75, 0.1], 8, (0, 0, 4))
    shell = RectilinearDatatoPointSet(Input=ExtractSubset(Input=globe, VOI=[len(radius) - 1, len(radius) - 1, 0, 90, 0, 180]))
    seen_from = (quake[2] + 38, 90 - quake[1] - 12)
    outside = in_space(shell, *seen_from)
    show_field(view, outside, "TravelTime", "Viridis (matplotlib)", [0, latest], int(latest / 60), white, (wide, 0))
    show_lines(view, Contour(Input=outside, ContourBy=["POINTS", "TravelTime"], Isosurfaces=levels), white, 1.5, (wide, 0, 30))
    graticule = [np.column_stack([0 * t + ground, t, 0 * t + p]) for p in range(-180, 180, 30) for t in [np.linspace(0, 180, 91)]]
    graticule += [np.column_stack([0 * p + ground, 0 * p + t, p]) for t in range(30, 180, 30) for p in [np.linspace(-180, 180, 181)]]
    show_lines(view, in_space(line_source("Graticule", graticule), *seen_from), [0.25, 0.25, 0.3], 1, (wide, 0, 20))
    show_lines(view, in_space(line_source("Rim", [np.column_stack([0 * a + ground, quake[1] + 1.2 * np.cos(a), quake[2] + 1.5 * np.sin(a)])
                                                  for a in [np.linspace(0, 6.3, 40)]]), *seen_from), [0.95, 0.75, 0.1], 8, (wide, 0, 60))
    write(view, "fronts every minute, and rays, in a slice", [0, 1.08 * ground], 34, align="Center", bold=True)
    write(view, "first arrival at the ground", [wide, 1.08 * ground], 34, align="Center", bold=True)
    minutes = list(range(0, int(latest) + 1, 300))
    field_bar(view, bar, "TravelTime", "first arrival (s)", minutes, position=(0.3, 0.015), length=0.4, size=28)
    save_picture(view, os.path.join(folder, "layered_earth.png"))
