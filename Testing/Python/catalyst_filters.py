"""The pipelines of the in situ test, on an image of 41^3 points with the array RTData."""
from paraview import simple


def curvature_paths(image):
    plane = simple.ExtractSubset(Input=image, VOI=[-10, 10, -10, 10, 0, 0])
    return simple.IsochroneCurvaturePaths(Input=plane, Model="Reeds-Shepp", TurningRadius=2, NumberOfHeadings=16,
                                          SeedPoints=[-8, -8, 0], TipPoints=[8, 8, 0])


def image_travel_time(image):
    return simple.IsochroneImageTravelTime(Input=image, SpeedArray=["POINTS", "RTData"], SeedPoints=[-18, -18, 3],
                                           TipPoints=[18, 15, -12])


FILTERS = {curvature_paths: ("TravelTime", "Heading"), image_travel_time: ("TravelTime", "SeedId", "Reached")}
