"""What the panel of a new filter shows before the advanced properties are switched on."""
import pytest
from paraview import simple

from pipelines import cube, image, mesh, properties_of

SHOWN = {
    "CurvaturePaths": ["CostArray", "Model", "SeedHeadings", "SeedPoints", "TipHeadings", "TipPoints", "TurningRadius", "WallArray"],
    "DistanceTransform": ["Isochrones", "MaximumDistance", "Region", "SiteArray", "SiteMode", "SiteRange", "TipPoints"],
    "ImageTravelTime": ["BarrierArray", "Isochrones", "SeedPoints", "SeedType", "SpeedArray", "SpeedType", "TipPoints"],
    "MeshTravelTime": ["ConstantSpeed", "Isochrones", "OnsetTimeArray", "SeedPoints", "SeedType", "SpeedArray", "SpeedType", "TipPoints"],
    "OrientedCost": ["CostFloor", "IntensityArray", "IntensityComponent", "Length", "MaskArray", "NumberOfHeadings", "Polarity", "Widths"],
    "RayTracing": ["ComputeRayMatrix", "Interface", "Isochrones", "ReceiverPoints", "SourcePoints", "SourceRuns", "VelocityArray",
                   "VelocityType"]}


def nested(element):
    for n in range(element.GetNumberOfNestedElements()):
        yield element.GetNestedElement(n)
        yield from nested(element.GetNestedElement(n))


def is_hidden(proxy, property_):
    """Returns whether a decorator hides the property for the values of the other properties."""
    for decorator in nested(property_.GetHints()) if property_.GetHints() else []:
        if decorator.GetAttribute("mode") == "visibility":
            other = proxy.SMProxy.GetProperty(decorator.GetAttribute("property"))
            value = str(other.GetElement(other.GetNumberOfElements() - 1))
            among = value in (decorator.GetAttribute("values") or decorator.GetAttribute("value")).split()
            if among == (decorator.GetAttribute("inverse") == "1"):
                return True
    return False


@pytest.mark.parametrize("name", SHOWN)
def test_a_new_filter_shows_at_most_eight_properties(name):
    input_ = mesh(*cube(2)) if name == "MeshTravelTime" else image(v=[1.0] * (21 * 17))
    proxy = getattr(simple, "Isochrone" + name)(Input=input_, Threads=1)
    shown = [key for key, property_ in properties_of(proxy)
             if property_.GetPanelVisibility() == "default" and not property_.IsA("vtkSMInputProperty")
             and not is_hidden(proxy, property_)]
    assert sorted(shown) == SHOWN[name] and len(shown) <= 8
