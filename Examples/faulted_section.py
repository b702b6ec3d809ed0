"""First arrivals and reflections on a seismic line across faulted layers under hills.

    pvpython Examples/faulted_section.py [output folder]

The section is synthetic, after the classic test models: 9.6 km long and 3.2 km deep, 961 x 321 points 10 m apart, 0.9
to 4.5 km/s. Growth faults cut folded layers, a weathered layer follows the hills, salt stands on the right, and older
rocks lie below an unconformity. The air above the hills is NaN, so nothing passes. From top to bottom: travel time
curves of first arrivals and of reflections at the unconformity; rays and waves of the first arrivals of one shot;
reflected rays of another one. A second picture shows the first and the reflected rays of one shot together.
"""

import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

nx, nz, spacing = 961, 321, 0.01  # points, km
left_shot, right_shot = 0.8, 4.0  # km
receivers = np.arange(0.2, 9.5, 0.2)  # km
red, navy, ink = [0.75, 0, 0.1], [0.05, 0.1, 0.5], [0.1, 0.05, 0.15]


def hills(x):
    """Returns the height of the ground in km, above the lowest point of the section."""
    return 2.86 + 0.12 * np.sin(x / 0.9 + 0.6) + 0.09 * np.sin(x / 0.37) * np.exp(-(((x - 6.3) / 1.6) ** 2)) + 0.012 * x


def unconformity(x):
    """Returns the height of the unconformity, an old, worn surface."""
    return 0.62 + 0.16 * np.sin(x / 1.5 - 0.6) + 0.05 * np.sin(x / 0.45)


def rock():
    """Returns the velocity in km/s and whether a point lies above the unconformity, [z, x]."""
    x, z = np.meshgrid(np.arange(nx) * spacing, np.arange(nz) * spacing)
    level = 2.7 - z + 0.10 * np.sin(x / 0.8) + 0.04 * x  # depth in folded layers
    for foot, dip, throw in ((2.2, 0.55, 0.2), (3.9, 0.7, 0.24), (5.4, 0.5, -0.2)):
        hanging = x > foot + dip * (z - 1.0) + 0.12 * (z - 1.0) ** 2
        level = level - np.where(hanging, throw * np.clip(1.3 - 0.35 * z, 0.2, 1.2), 0)
    bounds = np.array([0.25, 0.42, 0.66, 0.8, 1.02, 1.16, 1.42, 1.6, 1.86])
    speeds = np.array([1.65, 1.95, 1.8, 2.3, 2.1, 2.65, 2.4, 3.0, 2.75, 3.3])
    velocity = speeds[np.searchsorted(bounds, level)] + 0.12 * np.clip(level, 0, 3)
    salt = ((x - 7.7 - 0.25 * np.sin(2.2 * z)) / (0.5 + 0.22 * np.cos(2.6 * z))) ** 2 + ((z - 1.35) / 0.72) ** 2 < 1
    velocity[salt] = 4.5
    older = z < unconformity(x)
    beds = np.sin(9 * (z + 0.35 * x))
    velocity = np.where(older, 4.1 + 0.35 * np.sign(beds), velocity)
    below_ground = hills(x) - z
    velocity = np.where(below_ground < 0.09 + 0.03 * np.sin(x / 0.3), 0.9 + 4 * np.clip(below_ground, 0, 1), velocity)
    velocity[below_ground < 0] = np.nan
    return velocity.astype(np.float32), (~older).astype(np.int32)


def on_ground(x):
    """Returns the highest grid point below the ground at each place."""
    column = np.round(np.asarray(x) / spacing) * spacing
    return np.column_stack([column, np.floor(hills(column) / spacing) * spacing, 0 * column])


def trace(ground, shot, **interface):
    waves = IsochroneRayTracing(
        Input=ground,
        VelocityArray=["POINTS", "velocity"],
        Sources=point_source("Shot", on_ground([shot])),
        Receivers=point_source("Receivers", on_ground(receivers)),
        Radius=[5, 5, 1],
        **interface,
    )
    started = time.time()
    waves.UpdatePipeline()
    arrival = vtk_to_numpy(servermanager.Fetch(waves, idx=1).GetCellData().GetArray("TravelTime"))
    print("shot at %.1f km: %.2f s, %.3f to %.3f s" % (shot, time.time() - started, arrival.min(), arrival.max()))
    return waves, arrival


def times_at(times, places):
    """Returns the values of an image at places of the grid."""
    column, row, _ = np.round(places / spacing).astype(int).T
    return times.reshape(nz, nx)[row, column]


def check(first, direct, second, other, reflected):
    """Checks that rays arrive with waves, with equal times in both directions, and reflections after first arrivals."""
    places = on_ground(receivers)
    for waves, arrival in ((first, direct), (second, other)):
        assert np.array_equal(times_at(array_of(waves, "TravelTime"), places).astype(float), arrival)
    there = times_at(array_of(first, "TravelTime"), on_ground([right_shot]))[0]
    back = times_at(array_of(second, "TravelTime"), on_ground([left_shot]))[0]
    assert abs(there / back - 1) < 1e-5
    assert (reflected > other).all()
    print("from shot to shot: %.4f s, and back: %.4f s" % (there, back))


def draw_section(view, ground, rays, waves, shot, height):
    """Shows velocities, rays of each colour, the waves every 0.1 s if there are any, and the shot; returns the field."""
    place = (0, height)
    shown = PassArrays(Input=ground, PointDataArrays=["velocity", "cover"])  # one display for each section
    field = show_field(view, shown, "velocity", "Linear Blue (8_31f)", [0, 7], 256, white, place)
    bound = Contour(Input=ground, ContourBy=["POINTS", "cover"], Isosurfaces=[0.5])
    show_lines(view, bound, white, 4, (*place, 1))
    if waves:
        levels = list(np.arange(0.1, 4, 0.1))
        fronts = Contour(Input=waves, ContourBy=["POINTS", "TravelTime"], Isosurfaces=levels)
        show_lines(view, fronts, ink, 0.8, (*place, 2))
    for colour, lines in rays:
        show_lines(view, lines, colour, 2.5, (*place, 3))
    show_lines(view, line_source("Shot", circles(on_ground([shot])[:, :2], 0.03)), black, 6, (*place, 4))
    x = np.arange(nx) * spacing
    show_lines(view, line_source("Hills", [np.column_stack([x, hills(x), 0 * x])]), ink, 2, (*place, 4))
    return field


def draw_curves(view, curves, height):
    """Plots travel times, growing downwards, a second as high as 0.62 km."""
    second = 0.62
    top = height + 4 * second
    heights = [top - tick * second for tick in range(5)]
    ticks = [np.array([[0, at, 0], [(nx - 1) * spacing, at, 0]]) for at in heights]
    show_lines(view, line_source("Ticks", ticks), [0.8] * 3, 1)
    for tick, at in enumerate(heights):
        write(view, "%d s" % tick, [-0.12, at - 0.1], 36, align="Right")
    for times, colour, name, at in curves:
        points = np.column_stack([receivers, top - times * second, 0 * times])
        show_lines(view, line_source("Curve", [points]), colour, 2.5, (0, 0, 1))
        write(view, name, at, 36, colour)
        show_lines(view, line_source("Dots", circles(points[:, :2], 0.02)), colour, 4, (0, 0, 2))


if __name__ == "__main__":
    folder = output_folder()
    velocity, cover = rock()
    ground = image_source("Section", {"velocity": velocity, "cover": cover}, [spacing] * 3)
    bounce = dict(Interface="Label Boundary", InterfaceArray=["POINTS", "cover"], InterfaceLabel=1, StayInLabel=1)
    first, direct = trace(ground, left_shot)
    second, other = trace(ground, right_shot)
    echo, reflected = trace(ground, right_shot, **bounce)
    check(first, direct, second, other, reflected)
    save_data(echo, 1, os.path.join(folder, "faulted_section_rays.vtp"))

    view = flat_view([-0.9, 9.75, -1.55, 10.1], 1200, white)
    curves = [
        (direct, red, "left shot", [5.1, 7.25]),
        (other, navy, "right shot", [5.6, 9.1]),
        (reflected, navy, "right shot, reflected", [0.2, 7.65]),
    ]
    draw_curves(view, curves, 7.2)
    draw_section(view, ground, [(red, OutputPort(first, 1))], first, left_shot, 3.5)
    field = draw_section(view, ground, [(navy, OutputPort(echo, 1))], None, right_shot, 0)
    field_bar(view, field, "velocity", "velocity (km/s)", range(8), position=(0.6, 0.015), length=0.35, size=36)
    scale_bar(view, [0, -0.5, 0], [2, -0.5, 0], "2 km", size=36)
    save_picture(view, os.path.join(folder, "faulted_section.png"))

    view = flat_view([-0.1, 9.7, -1, 3.3], 1400, white)
    both = [(navy, OutputPort(second, 1)), (red, OutputPort(echo, 1))]
    field = draw_section(view, ground, both, second, right_shot, 0)
    field_bar(view, field, "velocity", "velocity (km/s)", range(8), position=(0.68, 0.03), length=0.3, size=28)
    scale_bar(view, [0, -0.3, 0], [2, -0.3, 0], "2 km", size=28)
    write(view, "first arrivals, waves every 0.1 s", [2.6, -0.45], 28, navy)
    write(view, "rays reflected at the white line", [2.6, -0.8], 28, red)
    save_picture(view, os.path.join(folder, "ray_tracing.png"))
