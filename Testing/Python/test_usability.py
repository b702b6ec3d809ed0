"""What ParaView's users expect of every filter: menus, help, inputs."""
import pydoc

import pytest
from paraview import simple

from pipelines import cube, image, mesh, points, properties_of

FILTERS = ["CurvaturePaths", "DistanceTransform", "ImageTravelTime", "MeshTravelTime", "OrientedCost", "RayTracing"]


@pytest.fixture(params=FILTERS)
def proxy(request):
    input_ = mesh(*cube(2)) if request.param == "MeshTravelTime" else image(v=[1.0] * (21 * 17))
    return getattr(simple, "Isochrone" + request.param)(Input=input_, Threads=1)


def test_07_the_menu_has_a_category_of_its_own(proxy):
    assert proxy.SMProxy.GetHints().FindNestedElementByName("ShowInMenu").GetAttribute("category") == "Isochrone"


def test_08_the_menu_entry_is_grey_for_another_type_of_data(proxy):
    domain = proxy.GetProperty("Input").SMProperty.GetDomain("input_type")
    other = image() if domain.IsInDomain(mesh(*cube(1)).SMProxy) else points([(0, 0, 0)])
    other.UpdatePipeline()
    assert domain.IsInDomain(proxy.Input.SMProxy) and not domain.IsInDomain(other.SMProxy)


def test_10_optional_inputs_open_no_dialog(proxy):
    for name in ("Seeds", "Tips", "Targets", "Sources", "Receivers", "OrientedCost"):
        property_ = proxy.SMProxy.GetProperty(name)
        assert not property_ or property_.GetHints().FindNestedElementByName("Optional"), name


def test_11_every_filter_has_a_short_and_a_long_help_and_a_description(proxy):
    documentation = proxy.SMProxy.GetDocumentation()
    assert documentation.GetShortHelp() and documentation.GetLongHelp() and len(documentation.GetDescription()) > 100


def test_16_help_in_python_shows_the_description(proxy):
    text = " ".join(pydoc.render_doc(type(proxy), renderer=pydoc.plaintext).replace("|", " ").split())
    assert " ".join(proxy.SMProxy.GetDocumentation().GetDescription().split())[:60] in text


def test_33_a_value_that_stays_the_same_does_not_compute_again(proxy):
    proxy.UpdatePipeline()
    filter_ = proxy.GetClientSideObject()

    def computed():
        filter_.Update()  # of VTK: ParaView's would not run a filter whose properties it has not changed
        return filter_.GetOutputDataObject(0).GetMTime()
    before = computed()
    for name, property_ in properties_of(proxy):
        if not property_.GetInformationOnly() and not property_.IsA("vtkSMInputProperty"):
            proxy.SMProxy.UpdateProperty(name, True)  # passes the value to the filter once more
    assert computed() == before
    filter_.Modified()  # as a setter does for another value
    assert computed() > before
