"""The fastest path out of a museum, for a person who cannot turn sharply.

    pvpython Examples/building_exit.py [output folder]

The floor plan is synthetic, with walls one pixel thick: 705 x 447 pixels of 10 cm. Two doors lead out. The filter finds
the path from every room to the cheaper exit for the elastica (smooth) and the Dubins model (bends no tighter than 1 m).
Paths are solved from the exits to the rooms, so a person walks them backwards: the heading at an exit points into the
building, and the heading at a tip is opposite to the direction of view.
"""

import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

width, height, pixel = 705, 447, 0.1  # pixels, pixels, metres
turning_radius = 1.0  # metres

# Positions in pixels, direction of view in degrees.
exits = [(352, 13, 90), (691, 223, 180)]  # heading into the building
people = [
    (40, 290, 200), (60, 390, 60), (158, 290, 300), (150, 412, 180), (270, 270, 135), (250, 412, 20), (430, 412, 250),
    (455, 270, 0), (600, 285, 90), (650, 350, 120), (30, 223, 180), (352, 250, 270), (50, 160, 90), (60, 50, 0),
    (130, 110, 45), (240, 30, 180), (265, 150, 60), (320, 40, 200), (440, 150, 30), (470, 45, 270), (545, 150, 200),
    (655, 120, 0), (545, 25, 160),
]


class FloorPlan:
    """Draws walls as pixels, with lines and circles one pixel thick."""

    def __init__(self):
        self.walls = np.zeros((height, width), np.uint8)

    def line(self, *points):
        """Draws Bresenham's lines from point to point."""
        for (x, y), (x1, y1) in zip(points, points[1:]):
            dx, dy = abs(x1 - x), -abs(y1 - y)
            sx, sy = (1 if x < x1 else -1), (1 if y < y1 else -1)
            error = dx + dy
            self.walls[y, x] = 1
            while (x, y) != (x1, y1):
                twice = 2 * error
                if twice >= dy:
                    error, x = error + dy, x + sx
                if twice <= dx:
                    error, y = error + dx, y + sy
                self.walls[y, x] = 1

    def arc(self, x, y, radius, first=0, last=360):
        """Draws part of Bresenham's circle, between two angles in degrees."""
        i, j, error = radius, 0, 1 - radius
        while i >= j:
            for a, b in ((i, j), (j, i), (-j, i), (-i, j), (-i, -j), (-j, -i), (j, -i), (i, -j)):
                if first <= np.degrees(np.arctan2(b, a)) % 360 <= last:
                    self.walls[y + b, x + a] = 1
            j += 1
            i, error = (i, error + 2 * j + 1) if error < 0 else (i - 1, error + 2 * (j - i) + 1)

    def door(self, x0, x1, y0, y1):
        """Clears a rectangle."""
        self.walls[y0 : y1 + 1, x0 : x1 + 1] = 0


def museum():
    plan = FloorPlan()
    # Outer wall, with two corners cut; the corridor from west to east; the rotunda with eight columns and a statue.
    plan.line((12, 12), (622, 12), (692, 82), (692, 364), (622, 434), (12, 434), (12, 12))
    for y in (200, 246):
        plan.line((12, y), (284, y))
        plan.line((420, y), (692, y))
    plan.arc(352, 223, 72)
    for angle in np.radians(np.arange(22.5, 360, 45)):
        plan.arc(int(round(352 + 48 * np.cos(angle))), int(round(223 + 48 * np.sin(angle))), 4)
    plan.arc(352, 223, 11)
    plan.door(279, 285, 211, 235), plan.door(419, 425, 211, 235)
    plan.door(340, 364, 293, 297), plan.door(340, 364, 149, 153)

    # North: two rooms in the west, a sculpture room with diagonal panels, the great hall, the auditorium.
    plan.line((100, 246), (100, 434)), plan.line((12, 345), (100, 345))
    plan.door(52, 68, 246, 246), plan.door(30, 46, 345, 345)
    plan.line((205, 246), (205, 434)), plan.line((100, 385), (178, 385))
    plan.door(142, 158, 246, 246), plan.door(205, 205, 352, 370)
    plan.line((122, 300), (176, 346)), plan.line((128, 352), (158, 378))
    plan.line((500, 246), (500, 434)), plan.door(500, 500, 350, 372)
    for x in range(232, 490, 43):
        for y in (335, 395):
            plan.arc(x, y, 4)
    plan.door(524, 544, 246, 246)
    for radius in range(36, 97, 12):
        for first, last in ((28, 62), (68, 112), (118, 152)):
            plan.arc(600, 262, radius, first, last)

    # South: cabinets in the west, a zigzag gallery, the entrance hall, offices, a cafe with tables and a kitchen.
    plan.line((100, 12), (100, 200)), plan.line((12, 105), (100, 105))
    plan.door(60, 76, 200, 200), plan.door(22, 38, 105, 105)
    plan.line((190, 12), (190, 200)), plan.door(128, 146, 200, 200), plan.door(190, 190, 150, 166)
    plan.line((215, 12), (250, 56), (215, 100), (250, 144))
    plan.line((288, 12), (288, 189)), plan.door(288, 288, 84, 102)
    plan.line((416, 12), (416, 189)), plan.door(416, 416, 48, 66)
    plan.line((308, 60), (335, 60)), plan.line((369, 60), (396, 60))
    plan.line((510, 12), (510, 200)), plan.line((416, 100), (510, 100))
    plan.door(440, 456, 100, 100), plan.door(452, 468, 200, 200)
    plan.line((510, 75), (573, 12)), plan.door(534, 546, 39, 51)
    plan.door(590, 612, 200, 200), plan.door(510, 510, 120, 138)
    for x, y in ((560, 150), (600, 110), (640, 150), (570, 80), (615, 55), (660, 95)):
        plan.arc(x, y, 7)

    plan.door(340, 364, 12, 12), plan.door(692, 692, 211, 235)  # the exits
    return plan.walls


def outside():
    """Returns the pixels outside the outer wall."""
    y, x = np.mgrid[0:height, 0:width]
    inside = (x >= 12) & (x <= 692) & (y >= 12) & (y <= 434) & (x - y <= 610) & (x + y <= 1056)
    return ~inside


def metres(poses):
    return [coordinate * pixel for x, y, _ in poses for coordinate in (x, y, 0)]


if __name__ == "__main__":
    folder = output_folder()
    floor = image_source("Museum", {"walls": museum() | outside()}, spacing=[pixel, pixel, 1])
    SaveData(os.path.join(folder, "museum.vti"), floor, DataMode="Binary")

    w, h = (width - 1) * pixel, (height - 1) * pixel
    far, wall_colour = 1e9, [0.2, 0.2, 0.24]
    view = flat_view([0, w + 2, -h - 15, h + 2], width=1400, background=white)
    red, orange = [0.8, 0, 0.1], [0.95, 0.5, 0]
    for row, model in enumerate(("Elastica", "Dubins")):
        paths = IsochroneCurvaturePaths(
            Input=floor,
            WallArray=["POINTS", "walls"],
            Model=model,
            TurningRadius=turning_radius,
            SeedPoints=metres(exits),
            SeedHeadings=[heading for _, _, heading in exits],
            TipPoints=metres(people),
            TipHeadings=[heading + 180 for _, _, heading in people],
        )
        started = time.time()
        paths.UpdatePipeline()
        summarise(paths, model, time.time() - started)
        save_data(paths, 1, os.path.join(folder, "museum_%s_paths.vtp" % model.lower()))
        save_data(paths, 0, os.path.join(folder, "museum_%s_travel_time.vti" % model.lower()))

        down = (0, -row * (h + 3.5))
        travel_time = array_of(paths, "TravelTime").reshape(height, width)
        shown = image_source("Shown", {"time": np.where(outside(), far, travel_time)}, spacing=[pixel, pixel, 1])
        field = show_field(view, shown, "time", "Linear Blue (8_31f)", [0, 120], 48, wall_colour, down)
        show_lines(view, OutputPort(paths, 1), [0.1, 0.05, 0.15], 3.5, (*down, 1))
        looks = [(x * pixel, y * pixel, heading) for x, y, heading in people]
        out = [(x * pixel, y * pixel, heading + 180) for x, y, heading in exits]
        show_lines(view, line_source("Looks", arrows(looks, 1.8)), red, 6, (*down, 2))
        show_lines(view, line_source("Out", arrows(out, 2.7)), orange, 8, (*down, 2))
        title = "%s, turning radius %g m" % (model, turning_radius)
        write(view, title, [1.2, down[1] + h - 0.6], 34, black, bold=True)
    bottom = -h - 8
    show_lines(view, line_source("Key", arrows([(1.2, bottom, 0)], 2)), red, 6)
    write(view, "person", [4, bottom - 0.6], 32)
    show_lines(view, line_source("Key", arrows([(1.2, bottom - 3.5, 0)], 2)), orange, 8)
    write(view, "exit", [4, bottom - 4.1], 32)
    scale_bar(view, [19, bottom - 1, 0], [29, bottom - 1, 0], "10 m", size=32)
    field_bar(view, field, "time", "cost of the path out (m)", [0, 40, 80, 120], position=(0.5, 0.02), size=32)
    save_picture(view, os.path.join(folder, "building_exit.png"))
