"""What all six filters have in common: what is typed as lists."""
import numpy as np
import pytest

from pipelines import (array, assert_error, cube, curvature_paths, distance_transform, image, mesh, mesh_travel_time, oriented_cost,
                       output, points, ray_tracing, travel_time)

VALUES = np.random.default_rng(3).uniform(0.5, 1.5, 21 * 17)


def medium():
    return image(v=VALUES, a=(VALUES > 1.4) * 1.0, intensity=VALUES)


# Each filter on a small input, and the array of its first output that it makes.
FILTERS = {"curvature_paths": (lambda **k: curvature_paths(Input=medium(), CostArray=["POINTS", "v"], **k), "TravelTime"),
           "travel_time": (lambda **k: travel_time(Input=medium(), SpeedArray=["POINTS", "v"], **k), "TravelTime"),
           "distance_transform": (lambda **k: distance_transform(Input=medium(), **k), "Distance"),
           "ray_tracing": (lambda **k: ray_tracing(Input=medium(), **k), "TravelTime"),
           "mesh_travel_time": (lambda **k: mesh_travel_time(Input=mesh(*cube(4)), **k), "TravelTime"),
           "oriented_cost": (lambda **k: oriented_cost(Input=medium(), **k), "Cost")}


@pytest.fixture(params=FILTERS)
def filter_(request):
    return FILTERS[request.param]


# ------------------------------------------------------------------------------------------------- lists
LISTS = {"SeedPoints": ("seeds", ["curvature_paths", "travel_time", "mesh_travel_time"]),
         "TipPoints": ("tips", ["curvature_paths", "travel_time", "mesh_travel_time", "distance_transform"]),
         "SourcePoints": ("sources", ["ray_tracing"]), "ReceiverPoints": ("receivers", ["ray_tracing"])}


@pytest.mark.parametrize("numbers", [[1, 1], [1, 1, 0, 5], [1]], ids=str)
@pytest.mark.parametrize("name, role, key", [(n, role, k) for n, (role, keys) in LISTS.items() for k in keys])
def test_points_that_lack_a_coordinate(messages, name, role, key, numbers):
    """ParaView drops what is left over where a list consists of points."""
    proxy = FILTERS[key][0](**{name: numbers})
    assert_error(messages, proxy, f"the list of {role} has {len(numbers)} numbers", "x y z", ": give")


def test_points_that_lack_a_coordinate_and_are_not_asked_for_do_not_matter():
    proxy = travel_time(Input=medium(), Seeds=points([(3, 3, 0)]), SeedPoints=[1, 1], TipPoints=[5, 5, 0])
    assert output(proxy, 1).GetNumberOfCells() == 1


@pytest.mark.parametrize("role", ["Seed", "Tip"])
@pytest.mark.parametrize("places, headings", [([3, 3, 0], [0, 90]), ([], [0])], ids=str)
def test_more_headings_than_points(messages, role, places, headings):
    proxy = curvature_paths(Input=medium())
    setattr(proxy, f"{role}Points", places)
    setattr(proxy, f"{role}Headings", headings)
    proxy.UpdatePipeline()
    assert_error(messages, proxy, f"{role.lower()}s has {len(places) // 3} points and {len(headings)} headings", "at most one")


