"""Arrays with which a new filter starts: the active scalars, if they can be a speed, a velocity or a cost."""
import numpy as np
import pytest
from paraview import simple

from pipelines import array, choices, image, image_data, mesh, mesh_data, cube, output, source

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


def assert_one_warning(messages, proxy, reason):
    """Asserts that the first of several runs warns that no array is used, in the name of the filter."""
    assert "does not use" not in messages()
    proxy.UpdatePipeline()
    proxy.Threads = 1
    proxy.UpdatePipeline()
    text, kind = messages(), proxy.GetClientSideObject().GetClassName()
    assert text.count(f"does not use the arrays of its input (v): {reason}. Choose the ") == 1 and "ERROR" not in text, text
    assert text.count("Warning") == 1 and f"{kind} (" in text and "FirstValues" not in text, text


@pytest.mark.parametrize("values, reason", [([0.0, 1.0], "are not positive"), ([-1.0, 1.0], "are not positive"),
                                            ([1.0, np.inf], "are not finite")], ids=["zero", "negative", "infinite"])
def test_other_scalars_are_not_and_one_warning_says_so_when_the_filter_runs(medium, messages, values, reason):
    proxy, chosen = medium(np.array(values))
    assert list(chosen) == ["POINTS", "None"]
    assert_one_warning(messages, proxy, f"the active scalars {reason}")


def test_vectors_are_not_chosen(medium, messages):
    proxy, chosen = medium(np.full((2, 3), 2.0))
    assert list(chosen) == ["POINTS", "None"]
    if "v" in choices(proxy, medium.property):  # where it could be a tensor or a factor
        assert_one_warning(messages, proxy, "the active scalars have 3 components")


def test_arrays_that_are_not_the_active_scalars_are_not_chosen(medium, messages):
    proxy, chosen = medium(np.array([2.0, 3.0]), active=False)
    assert list(chosen) == ["POINTS", "None"]
    assert_one_warning(messages, proxy, "it has no active scalars")


def test_an_array_that_a_script_chooses_after_creation_gets_no_warning(medium):
    proxy = medium(np.array([2.0, 3.0]), active=False)[0]
    setattr(proxy, medium.property, ["POINTS", "v"])
    proxy.UpdatePipeline()


def test_no_array_that_a_script_chooses_after_creation_gets_no_warning(medium):
    proxy = medium(np.array([2.0, 3.0]), active=False)[0]
    setattr(proxy, medium.property, None)
    proxy.UpdatePipeline()


def test_a_constant_that_a_script_chooses_after_creation_gets_no_warning():
    data = image_data(v=np.zeros(POINTS))
    data.GetPointData().SetActiveScalars("v")
    proxy = simple.IsochroneImageTravelTime(Input=source(data))
    proxy.ConstantSpeed = 2
    proxy.UpdatePipeline()
    tensors = mesh_data(*cube(3), {"v": np.zeros(64)})
    tensors.GetPointData().SetActiveScalars("v")
    proxy = simple.IsochroneMeshTravelTime(Input=source(tensors))
    proxy.SpeedType = "Constant"
    proxy.UpdatePipeline()


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
