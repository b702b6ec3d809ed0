"""Arrays with which a new filter starts: the active scalars, if they can be a speed, a velocity or a cost."""
import numpy as np
import pytest
from paraview import simple

from pipelines import array, image, image_data, mesh, mesh_data, cube, output, source

MEDIA = {"IsochroneImageTravelTime": "SpeedArray", "IsochroneRayTracing": "VelocityArray", "IsochroneCurvaturePaths": "CostArray",
         "IsochroneMeshTravelTime": "SpeedArray"}
POINTS = 21 * 17


@pytest.fixture(params=MEDIA)
def medium(request):
    """Returns a function that makes a new filter on an input whose scalars have the given values, with its array."""
    def build(values, name="v", active=True, **properties):
        if request.param == "IsochroneMeshTravelTime":
            at, cells = cube(3)
            data = mesh_data(at, cells, {name: np.resize(values, (len(at),) + np.shape(values)[1:])})
        else:
            data = image_data(**{name: np.resize(values, (POINTS,) + np.shape(values)[1:])})
        if active:
            data.GetPointData().SetActiveScalars(name)
        proxy = getattr(simple, request.param)(Input=source(data), **properties)
        return proxy, getattr(proxy, MEDIA[request.param])

    build.property = MEDIA[request.param]
    return build


def test_positive_active_scalars_of_one_component_are_chosen(medium):
    assert list(medium(np.array([2.0, 3.0]))[1]) == ["POINTS", "v"]


@pytest.mark.parametrize("values", [np.array([0.0, 1.0]), np.array([-1.0, 1.0]), np.array([1.0, np.inf])],
                         ids=["zero", "negative", "infinite"])
def test_other_scalars_are_not_and_one_warning_says_so(medium, messages, values):
    proxy, chosen = medium(values)
    assert list(chosen) == ["POINTS", "None"]
    proxy.UpdatePipeline()
    text = messages()
    assert text.count("does not use the arrays of its input (v)") == 1 and "ERROR" not in text, text


def test_vectors_are_not_chosen(medium, messages):
    assert list(medium(np.full((2, 3), 2.0))[1]) == ["POINTS", "None"]
    assert "ERROR" not in messages()  # the warning lists a vector where it could be a tensor or a factor


def test_arrays_that_are_not_the_active_scalars_are_not_chosen(medium, messages):
    assert list(medium(np.array([2.0, 3.0]), active=False)[1]) == ["POINTS", "None"]
    assert "(v)" in messages()


def test_an_input_without_arrays_gets_no_warning():
    assert list(simple.IsochroneImageTravelTime(Input=image()).SpeedArray) == ["POINTS", "None"]


@pytest.mark.parametrize("nothing", [None, "", ["POINTS", "None"], ["POINTS", ""]])
def test_a_script_can_choose_no_array(medium, nothing):
    proxy, chosen = medium(np.array([2.0, 3.0]), **{medium.property: nothing})
    assert chosen[1] in ("", "None")
    proxy.UpdatePipeline()
    assert np.isfinite(array(output(proxy), "TravelTime")).all()


def test_a_script_that_sets_other_properties_gets_the_same_array_and_no_warning(medium):
    assert list(medium(np.array([2.0, 3.0]), Threads=1)[1]) == ["POINTS", "v"]
    assert list(medium(np.array([0.0, 3.0]), Threads=1)[1]) == ["POINTS", "None"]


@pytest.mark.parametrize("kind", ["Fibres", "Conductivities", "Tensor", "Constant"])
def test_a_mesh_whose_speed_is_no_scalar_starts_without_an_array(kind):
    at, cells = cube(3)
    data = mesh_data(at, cells, {"v": np.full(len(at), 2.0)})
    data.GetPointData().SetActiveScalars("v")
    proxy = simple.IsochroneMeshTravelTime(Input=source(data), SpeedType=kind)
    assert list(proxy.SpeedArray) == ["POINTS", "None"]


def test_a_scalar_speed_without_an_array_is_the_constant_speed():
    slow, fast = (simple.IsochroneMeshTravelTime(Input=mesh(*cube(3)), ConstantSpeed=speed) for speed in (1, 2))
    for proxy in (slow, fast):
        proxy.UpdatePipeline()
    assert array(output(slow), "TravelTime") == pytest.approx(2 * array(output(fast), "TravelTime"))
