"""Three radars, placed and tuned to maximise the detection of an intruder who knows them.

    pvpython Examples/radar.py [output folder]

The intruder, a Dubins vehicle of turning radius 0.2, flies from its base to a target and back on the round trip of
minimum detection (Mirebeau and others 2022, section 3.5). A radar is blind at multiples of a distance r from it and of
a radial velocity 0.2 / r. Each step of the ascent solves one round trip and computes the derivatives of its travel time
with respect to the cost at every position and heading; the chain rule gives the derivatives with respect to two
positions and three blind distances. The objective is a soft minimum over the headings at the target, so that it has no
kink where the best trip changes. Top: detection by a radar, and a route past one radar, along its blind circles and on
spirals of a blind velocity. Bottom: the final radars with the trip of minimum detection, and the objective.
"""

import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

nx, ny, headings = 200, 100, 96
base, target = (-0.9, 0.5), (0.8, 0.5)
least_cost = 0.1  # of undetected routes, which could otherwise be of any length
softness = 0.02  # of the minimum over the heading at the target
third_radar = (0.6, 0.3)
navy = [0.05, 0.1, 0.5]
# Position of the first radar, x of the second one at y = 0.8, blind distances.
first_guess = np.array([-0.5, 0.5, 0.1, 0.4, 0.4, 0.4])

x = np.linspace(-1, 1, nx, dtype=np.float32)[None, None, :]
y = np.linspace(0, 1, ny, dtype=np.float32)[None, :, None]
angle = (2 * np.pi * np.arange(headings) / headings)[:, None, None]
eastward, northward = np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)
spacing = (2 / (nx - 1), 1 / (ny - 1), 1)


def seen(s):
    """Returns the detection at s times a blind distance or velocity, and its derivative."""
    angle = np.float32(2 * np.pi) * s
    c = (1 + np.cos(angle)) / 2
    cube = c * c * c
    return 1 - cube * c, np.float32(4 * np.pi) * cube * np.sin(angle)


def radars(parameters):
    """Returns x, y and the blind distance of each radar."""
    x1, y1, x2, r1, r2, r3 = parameters
    return [(x1, y1, r1), (x2, 0.8, r2), (*third_radar, r3)]


def detection(px, py, r, derivatives=False):
    """Returns the detection by one radar per heading and position (eq. 14), or its derivatives by px, py and r."""
    px, py, r = np.float32(px), np.float32(py), np.float32(r)  # single precision, like the cost: half the time
    dx, dy = x - px, y - py
    distance = np.sqrt(dx * dx + dy * dy + np.float32(1e-12))
    radial = (eastward * dx + northward * dy) / distance  # velocity, of speed 1
    far, slope_far = seen(distance / r)
    fast, slope_fast = seen(radial * r * np.float32(5))
    fade = 1 / (1 + 2 * distance * distance)
    if not derivatives:
        return far * fast * fade
    results = []
    for d_distance, d_radial in (
        (-dx / distance, (radial * dx / distance - eastward) / distance),
        (-dy / distance, (radial * dy / distance - northward) / distance),
    ):
        change = slope_far * d_distance / r * fast * fade + far * slope_fast * d_radial * r * 5 * fade
        results.append(change - far * fast * 4 * distance * d_distance * fade * fade)
    by_r = -slope_far * distance / (r * r) * fast * fade + far * slope_fast * radial * 5 * fade
    return results + [by_r]


def cost(sites):
    total = np.full((headings, ny, nx), least_cost, np.float32)
    for site in sites:
        total += detection(*site)
    return image_source("Cost", {"detection": total}, spacing, (-1, 0, 0))


def intruder(sites, **properties):
    plane = image_source("Plane", {"ground": np.zeros((ny, nx), np.float32)}, spacing, (-1, 0, 0))
    return IsochroneCurvaturePaths(
        Input=plane,
        OrientedCost=cost(sites),
        CostArray=["POINTS", "detection"],
        Model="Dubins",
        TurningRadius=0.2,
        Accuracy="First Order",  # its derivatives are exact
        SeedPoints=[*base, 0],
        **properties,
    )


def soft_minimum(values):
    """Returns the soft minimum and its derivatives, the weights of the values."""
    least = values.min()
    weights = np.exp(-(values - least) / softness)
    return least - softness * np.log(weights.sum()), weights / weights.sum()


def passages(weights):
    """Returns the target, once per heading with a weight."""
    counts = np.flatnonzero(weights > 1e-4)
    places = np.tile([*target, 0], (len(counts), 1))
    return point_source("Passages", places, Heading=360 / headings * counts, Weight=weights[counts])


def replace(proxy, name, new):
    before = getattr(proxy, name)
    setattr(proxy, name, new)
    Delete(before)


def evaluate(trip, parameters):
    """Returns the objective and its derivatives by the parameters, with one solve: tips and weights need none."""
    trip.ComputeSensitivity = 0
    replace(trip, "OrientedCost", cost(radars(parameters)))
    trip.UpdatePipeline()
    i, j = round((target[0] + 1) / spacing[0]), round(target[1] / spacing[1])
    there = np.nan_to_num(array_of(trip, "TravelTime", 2).reshape(headings, ny, nx)[:, j, i], nan=np.inf)
    objective, weights = soft_minimum(there + np.roll(there, headings // 2))  # detection is equal in both directions
    replace(trip, "Tips", passages(weights))
    trip.ComputeSensitivity = 1
    trip.UpdatePipeline()
    by_cost = array_of(trip, "CostSensitivity", 2).reshape(headings, ny, nx)
    (x1, y1, r1), (x2, _, r2), (_, _, r3) = [
        [np.vdot(by_cost, change) for change in detection(*site, derivatives=True)] for site in radars(parameters)
    ]
    return objective, np.array([x1, y1, x2, r1, r2, r3])


def admissible(parameters):
    """Returns the nearest allowed parameters: radar 1 in a disk, radar 2 on a segment, distances not tiny."""
    p = np.array(parameters)
    offset = p[:2] - (-0.4, 0.4)
    p[:2] = (-0.4, 0.4) + offset * min(1, 0.3 / max(np.hypot(*offset), 1e-9))
    p[2] = np.clip(p[2], -0.2, 0.5)
    p[3:] = np.maximum(p[3:], 0.05)
    return p


def projected(parameters, gradient):
    """Returns the part of the gradient that leads to allowed parameters."""
    return (admissible(parameters + 1e-5 * gradient) - parameters) / 1e-5


def ascend(trip):
    """Ascends by the projected gradient; the step length follows from the change of the gradient in the last step."""
    p = first_guess
    value, gradient = evaluate(trip, p)
    values, norms, step, solves, started = [value], [np.linalg.norm(projected(p, gradient))], 0.02, 1, time.time()
    while norms[-1] > 0.1 * norms[0] and len(values) < 20:
        while True:  # shorter until the objective rises
            q = admissible(p + step * gradient)
            value, slope = evaluate(trip, q)
            solves += 1
            if value > values[-1] + 0.1 * gradient @ (q - p):
                break
            step /= 2.5
        bend = -(q - p) @ (slope - gradient)
        step = min((q - p) @ (q - p) / bend, 0.2) if bend > 0 else 2 * step
        p, gradient = q, slope
        values.append(value)
        norms.append(np.linalg.norm(projected(p, gradient)))
    seconds = (time.time() - started) / (len(values) - 1)
    print("radars: %d steps, %d solves, %.2f s a step" % (len(values) - 1, solves, seconds))
    print("    objective %.4f -> %.4f, ratio %.3f" % (values[0], values[-1], values[-1] / values[0]))
    print("    projected gradient %.3g -> %.3g" % (norms[0], norms[-1]))
    return p, values, norms


def check(trip, values, norms):
    assert values[-1] > 1.5 * values[0] and np.all(np.diff(values) > 0)
    assert norms[-1] <= 0.1 * norms[0] and len(values) <= 18
    lines = servermanager.Fetch(trip, idx=1)
    ends = vtk_to_numpy(lines.GetPoints().GetData())[[0, -1], :2]
    assert np.abs(ends - base).max() < 0.02  # the nearest point of the grid
    assert values[-1] < lines.GetCellData().GetArray("TravelTime").GetValue(0) < values[-1] + 0.1


def frame(view, corner, title):
    w, h = 2, 1
    edge = np.array([[-1, 0, 0], [-1 + w, 0, 0], [-1 + w, h, 0], [-1, h, 0], [-1, 0, 0]])
    show_lines(view, line_source("Frame", [edge]), [0.4, 0.4, 0.45], 2, (*corner, 0.02))
    write(view, title, [corner[0] - 1, corner[1] + 1.06], 34, black, bold=True)


def blind_circles(radar):
    """Returns the parts of the blind circles in the domain."""
    parts = []
    for n in range(1, 7):
        (ring,) = circles([radar[:2]], n * radar[2])
        inside = (np.abs(ring[:, 0]) <= 1) & (np.abs(ring[:, 1] - 0.5) <= 0.5)
        pieces = np.split(ring, np.flatnonzero(np.diff(inside)) + 1)
        parts += [piece for piece in pieces if len(piece) > 1 and abs(piece[0, 1] - 0.5) <= 0.5 and abs(piece[0, 0]) <= 1]
    return parts


def show_radars(view, sites, corner):
    show_lines(view, line_source("Radars", circles([s[:2] for s in sites], 0.025)), [0.75, 0, 0.1], 7, (*corner, 0.1))
    show_lines(view, line_source("Ends", circles([base, target], 0.02)), black, 6, (*corner, 0.1))


if __name__ == "__main__":
    folder = output_folder()
    trip = intruder(
        radars(first_guess),
        Route="Round Trip",
        NumberOfHeadings=headings,
        Tips=passages(np.eye(headings)[0]),
        ComputeStateSpace=1,
    )
    best, values, norms = ascend(trip)
    trip.ComputeSensitivity = 0
    replace(trip, "OrientedCost", cost(radars(best)))
    replace(trip, "Tips", point_source("Target", np.array([[*target, 0.0]])))  # with any heading: the best trip
    trip.UpdatePipeline()
    check(trip, values, norms)
    save_data(trip, 1, os.path.join(folder, "radar_paths.vtp"))

    view = flat_view([-1.25, 3.25, -2.25, 1.2], 1760, white)
    below = -1.8  # the second row
    # Detection by a radar of blind distance 0.4, by distance (to the right, to 2) and radial velocity (-1 to 1).
    distance, velocity = np.linspace(0, 2, nx)[None, :], np.linspace(-1, 1, ny)[:, None]
    map_of_one = seen(distance / 0.4)[0] * seen(velocity * 0.4 / 0.2)[0] / (1 + 2 * distance**2)
    one = image_source("Detection", {"detected": map_of_one}, spacing, (-1, 0, 0))
    shown = show_field(view, one, "detected", "Inferno (matplotlib)", [0, 1])
    field_bar(view, shown, "detected", "detection per length", [0, 0.5, 1], position=(0.28, 0.51), length=0.25, size=30)
    frame(view, (0, 0), "Detection: radial velocity over distance")
    for text, at in (("1", 0.92), ("0", 0.46), ("-1", 0)):
        write(view, text, [-1.03, at], 30, align="Right")
    for text, at in (("0", -1), ("1", 0), ("2", 1)):
        write(view, text, [at, -0.12], 30, align="Center")

    alone = (-0.1, 0.35, 0.25)
    past = intruder([alone], NumberOfHeadings=headings, TipPoints=[*target, 0])
    past.UpdatePipeline()
    show_lines(view, line_source("Blind", blind_circles(alone)), [0.5, 0.6, 0.85], 3, (2.2, 0))
    show_lines(view, OutputPort(past, 1), navy, 6, (2.2, 0, 0.01))
    show_radars(view, [alone], (2.2, 0))
    frame(view, (2.2, 0), "Past one radar")
    scale_bar(view, [2, -0.1, 0], [2.25, -0.1, 0], "blind distance %g" % alone[2], size=30)

    shown = show_field(view, trip, "TravelTime", "Linear Blue (8_31f)", [0, 4], 40, white, (0, below))
    title = "detection from the base"
    field_bar(view, shown, "TravelTime", title, [0, 1, 2, 3, 4], position=(0.28, 0.01), length=0.25, size=30)
    show_cased_lines(view, OutputPort(trip, 1), navy, 6, white, (0, below, 0.01))
    show_radars(view, radars(best), (0, below))
    frame(view, (0, below), "Three radars, and the best trip")

    steps = np.linspace(-0.95, 0.95, len(values))
    heights = 0.05 + 0.9 * (np.array(values) - values[0]) / (values[-1] - values[0])
    curve = np.column_stack([steps, heights, np.zeros(len(values))])
    show_lines(view, line_source("Objective", [curve] + circles(curve[:, :2], 0.012)), [0.75, 0, 0.1], 4, (2.2, below))
    frame(view, (2.2, below), "Detection after each step of the ascent")
    for step, align, at in ((0, "Left", 0.1), (len(values) - 1, "Right", 0.8)):
        write(view, "step %d" % step, [2.2 + steps[step], below - 0.12], 30, align=align)
        write(view, "%.2f" % values[step], [2.2 + steps[step] * 0.9, below + at], 30, align=align)
    save_picture(view, os.path.join(folder, "radar.png"))
