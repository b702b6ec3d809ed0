"""The pipelines of the in situ test, on an image of 41^3 points with the array RTData."""
from paraview import simple


def curvature_paths(image):
    plane = simple.ExtractSubset(Input=image, VOI=[-10, 10, -10, 10, 0, 0])
    return simple.IsochroneCurvaturePaths(Input=plane, CostArray=None, Model="Reeds-Shepp", TurningRadius=2, NumberOfHeadings=16,
                                          SeedPoints=[-8, -8, 0], TipPoints=[8, 8, 0])


def oriented_paths(image):
    """Chains two filters. The cost of the first has all its planes on each rank."""
    cost = simple.IsochroneOrientedCost(Input=simple.ExtractSubset(Input=image, VOI=[-10, 10, -10, 10, 0, 0]), Widths=[1.5],
                                        IntensityArray=["POINTS", "RTData"], NumberOfHeadings=16)
    return simple.IsochroneCurvaturePaths(Input=simple.OutputPort(cost, 1), OrientedCost=cost, Model="Reeds-Shepp",
                                          TurningRadius=2, SeedPoints=[-8, -8, 0], TipPoints=[8, 8, 0])


def image_travel_time(image):
    return simple.IsochroneImageTravelTime(Input=image, SpeedArray=["POINTS", "RTData"], SeedPoints=[-18, -18, 3],
                                           TipPoints=[18, 15, -12])


def distance_transform(image):
    """With a maximum distance the filter requests more than a rank of the simulation has."""
    return simple.IsochroneDistanceTransform(Input=image, SiteArray=["POINTS", "RTData"], SiteRange=[260, 1000],
                                             MaximumDistance=12, TipPoints=[3, 2, 1])


def ray_tracing(image):
    return simple.IsochroneRayTracing(Input=image, VelocityArray=["POINTS", "RTData"], Radius=[1, 1, 1],
                                      SourcePoints=[-18, -18, 3], ReceiverPoints=[18, 15, -12])


FILTERS = {curvature_paths: ("TravelTime", "Heading"),
           oriented_paths: ("TravelTime", "LeastCost"),
           distance_transform: ("Distance", "NearestSite", "Reached"),
           image_travel_time: ("TravelTime", "SeedId", "Reached"),
           ray_tracing: ("TravelTime", "Reached")}
