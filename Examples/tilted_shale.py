"""First arrivals and rays of P waves in folded shale above a salt dome, with and without the anisotropy of the shale.

    pvpython Examples/tilted_shale.py [output folder]

The section is synthetic: 9 km long and 4.5 km deep, 601 x 301 points 15 m apart. Shale (epsilon 0.24, delta 0.1) drapes a
dome of salt, and its symmetry axis is the normal of the bedding, tilted by up to 63 degrees on the flanks. Vp is the speed
along the axis; salt is isotropic. From a shot on the ground P waves travel faster along the beds. Above: fronts every 0.1 s in the
tilted shale (black) and in rock of the same Vp without anisotropy (white), and the paths to receivers in a well beside the dome
(red), with the rays of Isochrone Ray Tracing in the same shale (orange): shortest paths along edges with the group velocity.
Below: by how much a ray arrives later without anisotropy, with the axes of the beds.
"""

import os

import numpy as np
from paraview.simple import *

from example_tools import *

nx, nz, spacing = 601, 301, 0.015  # points, km
shot = [1.2, 4.4, 0]  # km; z is the height above the lowest point, y of the image
well = 7.4
receivers = np.arange(0.4, 4.3, 0.3)


def dome(x):
    """Returns the height of the top of the salt, km."""
    return 0.25 + 2.6 * np.exp(-(((x - 4.6) / 1.15) ** 2))


def bedding(x, z):
    """Returns the tilt of the normal of the beds, radians: they drape the dome, and lie flat at the ground."""
    slope = np.gradient(dome(x[0]), spacing)[None, :] + 0 * x
    above = np.clip((z - dome(x)) / (4.5 - dome(x)), 0, 1)
    return -np.arctan(slope * (1 - above) ** 1.5)


def rocks():
    """Returns Vp (km/s), epsilon, delta and the tilt (degrees), [z, x]."""
    x, z = np.meshgrid(np.arange(nx) * spacing, np.arange(nz) * spacing)
    salt = z < dome(x)
    level = (z - dome(x)) / (4.5 - dome(x)) * 4.5  # height in the beds
    beds = np.where(np.floor(level / 0.3) % 2 == 0, 0.15, -0.15)
    velocity = np.where(salt, 4.5, 2.2 + 0.35 * (4.5 - z) + beds)
    epsilon, delta = np.where(salt, 0, 0.24), np.where(salt, 0, 0.1)
    return velocity, epsilon, delta, np.where(salt, 0, np.degrees(bedding(x, z)))


anisotropy = dict(EpsilonArray=["POINTS", "epsilon"], DeltaArray=["POINTS", "delta"], TiltArray=["POINTS", "tilt"], ShearRatio=0.45)


def well_source():
    return point_source("Well", np.column_stack([0 * receivers + well, receivers, 0 * receivers]))


def shortest_paths(rock):
    """Returns the filter Ray Tracing, updated, and the travel times of its rays."""
    graph = IsochroneRayTracing(
        Input=rock, VelocityArray=["POINTS", "velocity"], VelocityType="TTI", SourcePoints=shot, Receivers=well_source(), Radius=[6, 6, 6], **anisotropy
    )
    graph.UpdatePipeline()
    return graph, vtk_to_numpy(servermanager.Fetch(graph, idx=1).GetCellData().GetArray("TravelTime"))


def first_arrivals(rock, tilted):
    waves = IsochroneImageTravelTime(
        Input=rock,
        SpeedArray=["POINTS", "velocity"],
        SpeedType="TTI" if tilted else "Speed",
        SeedPoints=shot,
        Tips=well_source(),
        CheckResidual=1,
        SourceFactoring="Additive",
        TimeUnit="s",
        **(anisotropy if tilted else {}),
    )
    waves.UpdatePipeline()
    rays = servermanager.Fetch(waves, idx=1)
    return waves, vtk_to_numpy(rays.GetCellData().GetArray("TravelTime")), rays


if __name__ == "__main__":
    folder = output_folder()
    velocity, epsilon, delta, tilt = rocks()
    rock = image_source("Shale", {"velocity": velocity, "epsilon": epsilon, "delta": delta, "tilt": tilt}, [spacing] * 3)
    tilted, arrival, rays = first_arrivals(rock, True)
    plain, later, _ = first_arrivals(rock, False)
    u, v = array_of(tilted, "TravelTime"), array_of(plain, "TravelTime")
    print("receivers: %.3f to %.3f s, without anisotropy %.3f to %.3f s" % (arrival.min(), arrival.max(), later.min(), later.max()))
    # P waves are faster than along the axis in each direction of this shale.
    assert (u <= v * (1 + 1e-5)).all() and (arrival < 0.99 * later).all()
    # Nowhere is a wave faster than along the beds: by the root of 1 + 2 epsilon.
    assert (v <= u * np.sqrt(1.48) * (1 + 0.02)).all()
    graph, shortest = shortest_paths(rock)
    print("rays of Ray Tracing: %.2f to %.2f %% later" % (100 * (shortest / arrival - 1).min(), 100 * (shortest / arrival - 1).max()))
    assert np.abs(shortest / arrival - 1).max() < 0.01
    save_data(tilted, 0, os.path.join(folder, "tilted_shale.vti"))
    save_data(tilted, 1, os.path.join(folder, "tilted_shale_rays.vtp"))

    below = -5.4
    view = flat_view([-0.3, 9.3, below - 1.15, 5.2], 1200, white)
    shown = PassArrays(Input=rock, PointDataArrays=["velocity"])
    field = show_field(view, shown, "velocity", "Linear Blue (8_31f)", [1.5, 6], 256, white, (0, 0))
    levels = list(np.arange(0.1, 4, 0.1))
    for waves, colour, width in ((plain, white, 1.2), (tilted, [0.1, 0.05, 0.15], 1.8)):
        show_lines(view, Contour(Input=waves, ContourBy=["POINTS", "TravelTime"], Isosurfaces=levels), colour, width, (0, 0, 1))
    show_lines(view, OutputPort(graph, 1), [1, 0.6, 0.1], 5, (0, 0, 2))
    show_lines(view, OutputPort(tilted, 1), [0.75, 0, 0.1], 2, (0, 0, 3))
    x = np.arange(nx) * spacing
    for height, colour in ((0, [0.1, 0.05, 0.15]), (below, [0.6, 0.6, 0.7])):
        show_lines(view, line_source("Salt", [np.column_stack([x, dome(x), 0 * x])]), colour, 4, (0, height, 3))
        show_lines(view, line_source("Shot", circles(np.array([shot[:2]]), 0.05)), black, 6, (0, height, 4))
    delay = image_source("Delay", {"delay": 1000 * (v - u).reshape(nz, nx)}, [spacing] * 3)
    bar = show_field(view, delay, "delay", "Inferno (matplotlib)", [0, float(np.ceil(1000 * (v - u).max() / 50) * 50)], 256, white, (0, below))
    axes = []
    for i in range(20, nx, 40):
        for k in range(20, nz - 20, 40):
            if epsilon[k, i] > 0:
                middle = np.array([i * spacing, k * spacing, 0])
                half = 0.12 * np.array([np.sin(np.radians(tilt[k, i])), np.cos(np.radians(tilt[k, i])), 0])
                axes.append(np.array([middle - half, middle + half]))
    show_lines(view, line_source("Axes", axes), white, 2, (0, below, 2))
    write(view, "first arrivals and rays in tilted shale (black), without anisotropy (white)", [0, 4.65], 34, bold=True)
    write(view, "delay without anisotropy, and the symmetry axes", [0, below + 4.65], 34, bold=True)
    field_bar(view, bar, "delay", "delay (ms)", list(range(0, int(1000 * (v - u).max()) + 1, 100)), position=(0.05, 0.02), length=0.35, size=28)
    scale_bar(view, [7, below - 0.5, 0], [9, below - 0.5, 0], "2 km", size=28)
    save_picture(view, os.path.join(folder, "tilted_shale.png"))
