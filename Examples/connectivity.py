"""Connectivity between two ends of a material.

    pvpython Examples/connectivity.py [output folder]

A block of two materials: the front passes one twenty times as fast as the other, which fills 70 % of the block. Fronts
start from the end slices on the left and on the right. The sum of both times is the time of the fastest path through
each point. The connectivity is the minimum sum divided by it: 1 on the fastest path from end to end. The picture shows
the connectivity on two walls with the borders of the materials, the volumetric path (connectivity 0.97 or more), and
the fastest path in it. After figure 8 of Jeong, Whitaker 2008.
"""

import os
import time

import numpy as np
from paraview.simple import *

from example_tools import *

nx, ny, nz = 160, 96, 96
slow, share = 0.05, 0.7  # speed and share of the slow material; the speed of the other is 1
strong = 0.97


def noise():
    """Returns smooth random numbers, above 0 where the material is slow."""
    random = np.random.default_rng(8)
    frequency = np.meshgrid(*(np.fft.fftfreq(n) for n in (nz, ny)), np.fft.rfftfreq(nx), indexing="ij")
    blur = np.exp(-2 * (np.pi * 4) ** 2 * sum(f**2 for f in frequency))  # a Gaussian of 4 points
    values = np.fft.irfftn(np.fft.rfftn(random.standard_normal((nz, ny, nx))) * blur, (nz, ny, nx), (0, 1, 2))
    return (values - np.quantile(values, 1 - share)).astype(np.float32)


def part(image, *box):
    return ExtractSubset(Input=image, VOI=box)


def check(front):
    """Checks that the path takes the minimum two-way time, and runs where the connectivity is 1."""
    connectivity, both_ways = array_of(front, "Connectivity"), array_of(front, "TwoWayTime")
    assert connectivity.min() >= 0 and connectivity.max() == 1
    path_time = array_of(front, "TravelTime", 1)
    assert abs(path_time[0] - both_ways.min()) < 1e-5 * path_time[0] and path_time[-1] == 0
    way = ResampleWithDataset(SourceDataArrays=front, DestinationMesh=OutputPort(front, 1))
    assert array_of(way, "Connectivity").min() > 0.99
    print("fastest path: %.1f; connectivity above %g: %.1f %% of the block" % (
        path_time[0], strong, 100 * (connectivity > strong).mean()))


if __name__ == "__main__":
    folder = output_folder()
    material = noise()
    speed = np.where(material > 0, slow, 1).astype(np.float32)
    block = image_source("Block", {"material": material, "speed": speed})
    x, y, z = nx - 1, ny - 1, nz - 1
    front = IsochroneImageTravelTime(
        Input=block,
        SpeedArray=["POINTS", "speed"],
        Seeds=part(block, 0, 0, 0, y, 0, z),
        Targets=part(block, x, x, 0, y, 0, z),
        SourceFactoring="Off",  # the front starts flat, without a point source
    )
    started = time.time()
    front.UpdatePipeline()
    print("both fronts: %.2f s" % (time.time() - started))
    check(front)
    save_data(front, 1, os.path.join(folder, "connectivity_path.vtp"))

    view = volume_view([1300, 800])
    floor, back = part(front, 0, x, 0, y, 0, 0), part(front, 0, x, y, y, 0, z)
    for wall, before in ((floor, (0, 0, 0.2)), (back, (0, -0.2, 0))):
        show_coloured(view, wall, "Connectivity", flat=True)
        borders = Contour(Input=wall, ContourBy=["POINTS", "material"], Isosurfaces=[0])
        show_lines(view, borders, [0.1, 0.1, 0.1], 1.5, before)
    way = Contour(Input=front, ContourBy=["POINTS", "Connectivity"], Isosurfaces=[strong])
    show_surface(view, way, [0.95, 0.75, 0.2], 0.55)
    show_surface(view, Tube(Input=OutputPort(front, 1), Radius=0.8), [0.8, 0, 0.1])
    show_lines(view, Outline(Input=block), [0.3, 0.3, 0.3], 1)
    legend(view, "Connectivity", "connectivity", "Blue - Green - Orange", [0.6, 0.7, 0.8, 0.9, 1])
    look(view, [130, -190, 150], [nx / 2 + 12, ny / 2, nz / 2 - 8], [0, 0, 1], 32.5)
    save_picture(view, os.path.join(folder, "connectivity.png"))
