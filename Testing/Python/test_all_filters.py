"""Properties of all six filters: threads, forked processes, and lists of values."""
import os
import signal

import numpy as np
import pytest
from paraview import simple

from pipelines import (array, assert_error, cube, curvature_paths, distance_transform, image, mesh, mesh_travel_time, oriented_cost,
                       output, points, ray_tracing, travel_time)

MOST = max(64, 4 * len(os.sched_getaffinity(0)))  # threads
VALUES = np.random.default_rng(3).uniform(0.5, 1.5, 21 * 17)


def medium():
    return image(v=VALUES, a=(VALUES > 1.4) * 1.0, intensity=VALUES)


# Each filter on a small input, and the array that it adds to its first output.
FILTERS = {"curvature_paths": (lambda **k: curvature_paths(Input=medium(), CostArray=["POINTS", "v"], **k), "TravelTime"),
           "travel_time": (lambda **k: travel_time(Input=medium(), SpeedArray=["POINTS", "v"], **k), "TravelTime"),
           "distance_transform": (lambda **k: distance_transform(Input=medium(), **k), "Distance"),
           "ray_tracing": (lambda **k: ray_tracing(Input=medium(), **k), "TravelTime"),
           "mesh_travel_time": (lambda **k: mesh_travel_time(Input=mesh(*cube(4)), **k), "TravelTime"),
           "oriented_cost": (lambda **k: oriented_cost(Input=medium(), **k), "Cost")}


@pytest.fixture(params=FILTERS)
def filter_(request):
    return FILTERS[request.param]


# ------------------------------------------------------------------------------------------------- threads
@pytest.mark.parametrize("threads", [100000, 2 ** 31 - 1])
def test_too_many_threads_are_reduced_with_one_warning(filter_, messages, threads):
    build, name = filter_
    expected = array(output(build(Threads=1)), name)
    proxy = build(Threads=threads)
    proxy.UpdatePipeline()
    text = messages()
    assert text.count("Warning") == 1 and f"Threads is {threads}" in text and f"at most {MOST}" in text, text
    assert np.array_equal(array(output(proxy), name), expected)


def test_maximum_number_of_threads(filter_):
    build, name = filter_
    assert np.array_equal(array(output(build(Threads=MOST)), name), array(output(build(Threads=1)), name))


# ------------------------------------------------------------------------------------------------- counters
FAULTS = {"curvature_paths": ("TurningRadius", -1, 2), "travel_time": ("StoppingTime", -1, 0), "distance_transform": ("MaximumDistance", -1, 0),
          "ray_tracing": ("Radius", [-1, -1, -1], [3, 3, 3]), "mesh_travel_time": ("ConstantSpeed", -1, 1), "oriented_cost": ("CostFloor", -1, 0.02)}


@pytest.mark.parametrize("name", FAULTS)
def test_solves_that_fail_are_not_counted(messages, name):
    property_, wrong, right = FAULTS[name]
    proxy = FILTERS[name][0](**{property_: wrong})
    assert "ERROR" in messages() and proxy.SolveCount == 0
    setattr(proxy, property_, right)
    proxy.UpdatePipeline()
    assert proxy.SolveCount == 1


# ------------------------------------------------------------------------------------------------- forks
def in_child(work, seconds=20):
    """Returns the result of `work` in a forked process, as text; None if it does not end."""
    end, begin = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(seconds)
        try:
            said = work()
        except BaseException as error:  # pytest must not continue in the child
            said = repr(error)
        os.write(begin, said.encode())
        os._exit(0)
    os.close(begin)
    with os.fdopen(end) as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    return said if status == 0 else None


def test_after_a_fork_results_are_the_same(messages):
    """The threads of the parent do not exist in the child."""
    expected = {key: array(output(build(Threads=2)), name).copy() for key, (build, name) in FILTERS.items()}
    messages()

    def work():
        before = messages()
        wrong = [key for key, (build, name) in FILTERS.items()
                 if not np.array_equal(array(output(build(Threads=2)), name), expected[key])]
        said = messages()[len(before):]
        return f"wrong {wrong}, said {said}"

    assert in_child(work) == "wrong [], said "
    build, name = FILTERS["ray_tracing"]  # the parent still has its threads
    assert np.array_equal(array(output(build(Threads=2)), name), expected["ray_tracing"])


# ------------------------------------------------------------------------------------------------- lists
LISTS = {"SeedPoints": ("seeds", ["curvature_paths", "travel_time", "mesh_travel_time"]),
         "TipPoints": ("tips", ["curvature_paths", "travel_time", "mesh_travel_time", "distance_transform"]),
         "SourcePoints": ("sources", ["ray_tracing"]), "ReceiverPoints": ("receivers", ["ray_tracing"])}


@pytest.mark.parametrize("numbers", [[1, 1], [1, 1, 0, 5], [1]], ids=str)
@pytest.mark.parametrize("name, role, key", [(n, role, k) for n, (role, keys) in LISTS.items() for k in keys])
def test_missing_coordinates_are_refused(messages, name, role, key, numbers):
    """ParaView drops the extra values of a list of points."""
    proxy = FILTERS[key][0](**{name: numbers})
    assert_error(messages, proxy, f"the list of {role} has {len(numbers)} numbers", "x y z", ": give")


def test_unused_points_may_lack_coordinates():
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


