"""An abort in every step of a filter, during the solve and after it: empty outputs, and the next Apply works."""
import numpy as np
import pytest
from paraview import simple

from pipelines import array, cube, image, mesh, output

IMAGE = dict(v=np.ones(21 * 17))
TIPS = [15, 3, 0, 3, 12, 0]


def build(name, **properties):
    data = mesh(*cube()) if name == "IsochroneMeshTravelTime" else image(**IMAGE)
    return getattr(simple, name)(Input=data, Threads=1, **properties)


# The filter, its properties, and the number of steps after the solve that check for an abort.
CASES = {
    "images": ("IsochroneImageTravelTime", dict(CheckResidual=1, ComputeGradient=1, TipPoints=TIPS), 3),
    "curvature": ("IsochroneCurvaturePaths", dict(TurningRadius=2, NumberOfHeadings=16, CheckResidual=1, TipPoints=TIPS), 2),
    "round trips": ("IsochroneCurvaturePaths", dict(TurningRadius=2, NumberOfHeadings=16, CheckResidual=1, TipPoints=TIPS,
                                                    Model="Dubins", Route="Round Trip"), 3),
    "rays": ("IsochroneRayTracing", dict(VelocityArray=["POINTS", "v"], ComputeRayMatrix=1, ReceiverPoints=TIPS), 2),
    "reflected rays": ("IsochroneRayTracing", dict(VelocityArray=["POINTS", "v"], ComputeRayMatrix=1, ReceiverPoints=TIPS,
                                                   Interface="Mask", InterfaceArray=["POINTS", "v"]), 4),
    "meshes": ("IsochroneMeshTravelTime", dict(CheckResidual=1, ComputeConductionDirection=1, TipPoints=[0.2, 0.3, 0.9]), 3),
}
SOLVED = 0.9  # share of the work


def shares_of(algorithm):
    """Returns the distinct progress values that an update reports after the solve."""
    seen = []
    tag = algorithm.AddObserver("ProgressEvent", lambda *_: seen.append(algorithm.GetProgress()))
    algorithm.Update()
    algorithm.RemoveObserver(tag)
    work = [share for share in seen if share > 0]
    assert work == sorted(work) and work[-1] == 1
    return sorted({share for share in work if SOLVED < share < 1})


def test_an_abort_during_the_extraction_of_a_level_set_leaves_nothing(messages):
    steps = np.indices((40, 40, 40)).sum(axis=0).ravel() % 7
    proxy = simple.IsochroneImageTravelTime(Input=image(extent=(0, 39, 0, 39, 0, 39), v=steps.astype(float)), Threads=1,
                                            SeedType="Level Set", SeedRegionArray=["POINTS", "v"], SeedIsoValue=3)
    algorithm = proxy.GetClientSideObject()
    tag = algorithm.AddObserver("ProgressEvent", lambda *_: algorithm.SetAbortExecute(1))
    algorithm.Update()
    assert messages().count("stopped on request") == 1 and proxy.SolveCount == 0
    assert algorithm.GetOutputDataObject(0).GetNumberOfPoints() == 0
    algorithm.RemoveObserver(tag)
    algorithm.SetAbortExecute(0)
    algorithm.Update()
    assert algorithm.GetOutputDataObject(0).GetNumberOfPoints() == 40 ** 3


@pytest.mark.parametrize("case", CASES)
def test_abort_in_any_step_leaves_empty_outputs_and_the_next_apply_works(messages, case):
    name, properties, steps = CASES[case]
    reference = build(name, **properties)
    shares = shares_of(reference.GetClientSideObject())
    assert len(shares) >= steps, shares
    for share in shares:
        proxy = build(name, **properties)
        algorithm = proxy.GetClientSideObject()
        tag = algorithm.AddObserver("ProgressEvent", lambda *_: algorithm.GetProgress() >= share and algorithm.SetAbortExecute(1))
        before = messages().count("stopped on request")
        algorithm.Update()
        assert messages().count("stopped on request") == before + 1, share
        for port in range(algorithm.GetNumberOfOutputPorts()):
            data = algorithm.GetOutputDataObject(port)
            assert data.GetNumberOfElements(0) == 0, (share, port)
        algorithm.RemoveObserver(tag)
        algorithm.SetAbortExecute(0)
        algorithm.Update()
        assert (array(output(proxy), "TravelTime") == array(output(reference), "TravelTime")).all()
        assert output(proxy, 1).GetNumberOfCells() == output(reference, 1).GetNumberOfCells() > 0
