"""Three flights in the wind, out and back, and the sensitivity of their time.

    pvpython Examples/round_trip.py [output folder]

An aircraft that cannot turn sharply leaves a field with a given heading, passes a point and returns with the same
heading: the Dubins model in a wind that is stronger in the middle. Left: the routes over ground, and in the frame of
the air. Right: the derivative of the total flight time with respect to the cost per time at each place, which the
filter computes from the same solution.
"""

import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

nx, ny, h = 121, 91, 0.25  # points, points, kilometres
speed, radius = 3.0, 1.2  # kilometres per minute, kilometres
home, heading = [6, 11.25, 0], 90
points_to_pass = [[25, 5, 0], [26, 17, 0], [13, 20, 0]]


def wind():
    """Returns the wind in kilometres per minute, as vectors."""
    y, x = np.mgrid[:ny, :nx] * h
    jet = 1.8 * np.exp(-(((y - 11.25 - np.sin(x / 5)) / 4) ** 2))
    return np.stack([jet, 0.2 * jet * np.cos(x / 5), 0 * x], axis=-1)


def image_with_wind(velocity):
    air = image_source("Air", {"speed of the wind": np.linalg.norm(velocity, axis=2)}, spacing=[h, h, 1])
    array = numpy_to_vtk(velocity.reshape(-1, 3), deep=True)
    array.SetName("wind")
    air.GetClientSideObject().GetOutputDataObject(0).GetPointData().AddArray(array)
    return air


if __name__ == "__main__":
    folder = output_folder()
    velocity = wind()
    flights = IsochroneCurvaturePaths(
        Input=image_with_wind(velocity),
        CostArray=None,
        DriftArray=["POINTS", "wind"],
        VehicleSpeed=speed,
        TurningRadius=radius,
        NumberOfHeadings=96,
        Route="Round Trip",
        AddMediumPaths=1,
        SeedPoints=home,
        SeedHeadings=[heading],
        TipPoints=np.ravel(points_to_pass),
        ComputeSensitivity=1,
    )
    started = time.time()
    flights.UpdatePipeline()
    summarise(flights, "Flights", time.time() - started)
    save_data(flights, 0, os.path.join(folder, "round_trip_time.vti"))
    save_data(flights, 1, os.path.join(folder, "round_trip_paths.vtp"))

    # The derivatives add up to the time of all flights, since twice the cost is twice the time.
    times = vtk_to_numpy(servermanager.Fetch(flights, idx=1).GetCellData().GetArray("TravelTime"))[:3]
    sensitivity = array_of(flights, "CostSensitivity")
    print("minutes: %s, their sum %.3f, of the derivatives %.3f" % (np.round(times, 2), times.sum(), sensitivity.sum()))
    assert abs(sensitivity.sum() / times.sum() - 1) < 1e-3

    w, top = (nx - 1) * h, (ny - 1) * h
    right, map_colours = (w + 1, 0), "Linear Blue (8_31f)"
    view = flat_view([-13, 2 * w + 1, 0, top + 2.5], width=1800, background=white)
    show_field(view, flights.Input, "speed of the wind", "X Ray", [0, 6])
    blown = [(x, y, np.degrees(np.arctan2(*velocity[int(y / h), int(x / h), 1::-1])))
             for x in np.arange(2, w, 4) for y in np.arange(2, top, 2.25) if np.hypot(*velocity[int(y / h), int(x / h), :2]) > 0.3]
    show_lines(view, line_source("Wind", arrows(blown, 1.2)), [0.55, 0.6, 0.7], 2, (0, 0, 1))
    for frame, colour, width in ((1, [0.95, 0.6, 0.1], 3), (0, [0.1, 0.3, 0.7], 5)):
        lines = Threshold(Input=OutputPort(flights, 1), Scalars=["CELLS", "Frame"])
        lines.LowerThreshold = lines.UpperThreshold = frame
        show_lines(view, lines, colour, width, (0, 0, 2 + frame))
    per_area = image_source("Shown", {"sensitivity": np.log10(np.maximum(sensitivity.reshape(ny, nx) / h**2, 1e-3))},
                            spacing=[h, h, 1])
    show_field(view, per_area, "sensitivity", map_colours, [-3, 1.3], offset=right)  # minutes per unit of cost and square kilometre
    for offset in ((0, 0, 5), (*right, 5)):
        show_lines(view, line_source("Home", arrows([(*home[:2], heading)], 2)), [0.8, 0, 0.1], 5, offset)
        show_lines(view, line_source("Passed", circles([p[:2] for p in points_to_pass], 0.4)), [0.8, 0, 0.1], 4, offset)
    write(view, "Three flights in the wind: over ground (blue), in the air (orange)", [-12.8, top + 0.8], 26)
    write(view, "Where their time is decided", [right[0] + 0.2, top + 0.8], 26)
    save_picture(view, os.path.join(folder, "round_trip.png"))
