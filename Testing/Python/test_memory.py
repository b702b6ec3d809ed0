"""The memory check of the filters before a solve includes their output arrays."""
import re
import resource
from contextlib import contextmanager

import numpy as np
import pytest

from pipelines import image, points, ray_tracing, travel_time

EXTENT, POINTS = (0, 399, 0, 399, 0, 99), 400 * 400 * 100
SEED, TARGET = (5, 8, 0), (9, 9, 0)
UNIX_TIME = 1.7e9  # so large that travel times are output in double precision


@contextmanager
def little_memory(more=50 * 1024 ** 2):
    with open("/proc/self/status") as file:
        used = 1024 * int(re.search(r"VmData:\s+(\d+)", file.read())[1])
    before = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (used + more, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_DATA, before)


def from_seeds(start):
    return travel_time(Input=image(EXTENT), Seeds=points([SEED], StartValue=np.array([start])))


def from_sources(start, **settings):
    return ray_tracing(Input=image(EXTENT), VelocityArray=["POINTS", "None"],
                       Sources=points([SEED, TARGET], StartValue=np.array([start] * 2)), **settings)


# Builders and their numbers of travel-time arrays.
FILTERS = {"images": (from_seeds, 1), "rays": (from_sources, 1),
           "rays of each source": (lambda start: from_sources(start, SourceRuns="Separate"), 2)}


@pytest.mark.parametrize("case", FILTERS)
def test_large_start_values_need_the_memory_of_double_precision(messages, case):
    build, arrays = FILTERS[case]
    with little_memory():
        for start in (0.0, UNIX_TIME):
            build(start)
    plain, large = (float(number) for number in re.findall(r"need ([\d.]+) GB of memory", messages()))
    assert large - plain == pytest.approx(4e-9 * arrays * POINTS, abs=0.011)  # both numbers are printed with two digits


def test_path_probabilities_need_memory_for_each_field_and_for_their_computation(messages):
    with little_memory():
        for request in (0, 1):
            from_sources(0.0, SourceRuns="Separate", ReceiverPoints=[1, 1, 1], ComputePathProbability=request)
    plain, weighed = (float(number) for number in re.findall(r"need ([\d.]+) GB of memory", messages()))
    assert weighed - plain == pytest.approx(1e-9 * (2 * 16 + 56) * POINTS, abs=0.011)
