"""What a script sees after Show(): representations, colour maps and legends of the outputs."""
import numpy as np
import pytest
from paraview import simple
from paraview.vtk.util.numpy_support import vtk_to_numpy

from pipelines import add_arrays, cube, image_data, mesh, properties_of, source, string_array, surface

PINK = pytest.approx([1, 0.2, 0.5])


@pytest.fixture
def view():
    view = simple.CreateView("RenderView")
    yield view
    simple.Delete(view)


def with_scalars(**frame):
    data = image_data(**frame)
    add_arrays(data.GetPointData(), {"v": np.linspace(1, 2, data.GetNumberOfPoints())})
    data.GetPointData().SetActiveScalars("v")
    return data


def plane():
    return source(with_scalars())


def volume():
    return source(with_scalars(extent=(0, 6, 0, 6, 0, 6)))


def legend(display, view):
    display.SetScalarBarVisibility(view, True)
    simple.Render(view)
    return simple.GetScalarBar(display.LookupTable, view)


# ------------------------------------------------------------------------------------------------- representations
@pytest.mark.parametrize("name", ["IsochroneImageTravelTime", "IsochroneRayTracing", "IsochroneDistanceTransform"])
def test_volumes_open_as_an_unlit_slice_and_planes_as_an_unlit_surface(view, name):
    for input_, kind in ((volume(), "Slice"), (plane(), "Surface")):
        shown = simple.Show(getattr(simple, name)(Input=input_), view)
        assert shown.Representation == kind
        assert kind == "Slice" or (shown.Ambient, shown.Diffuse) == (1, 0)  # ParaView never lights slices


def test_a_mesh_is_translucent_and_a_plane_mesh_unlit(view):
    solid = simple.Show(simple.IsochroneMeshTravelTime(Input=mesh(*cube(2))), view)
    at = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]
    flat = simple.Show(simple.IsochroneMeshTravelTime(Input=mesh(at, [[0, 1, 2], [1, 3, 2]])), view)
    assert solid.Opacity == pytest.approx(0.4) and (flat.Opacity, flat.Ambient, flat.Diffuse) == (1, 1, 0)


@pytest.mark.parametrize("kind", ["Surface", "Wireframe", "Points", "Volume"])
def test_a_surface_is_shown_in_any_representation(view, kind):
    """Volume rendering draws nothing of a surface, and reports nothing (see the fixture of messages)."""
    at = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 1)]
    shown = simple.Show(simple.IsochroneMeshTravelTime(Input=surface(at, [[0, 1, 2], [1, 3, 2]])), view)
    shown.Representation = kind
    simple.Render(view)
    assert shown.Representation == kind


def test_paths_are_thick_and_of_a_colour_that_the_maps_do_not_have(view):
    filters = [simple.IsochroneImageTravelTime(Input=plane()), simple.IsochroneMeshTravelTime(Input=mesh(*cube(2))),
               simple.IsochroneCurvaturePaths(Input=plane()), simple.IsochroneRayTracing(Input=plane()),
               simple.IsochroneDistanceTransform(Input=plane())]
    for proxy in filters:
        shown = simple.Show(simple.OutputPort(proxy, 1), view)
        assert shown.LineWidth == 3 and shown.ColorArrayName[1] in (None, "")
        assert list(shown.AmbientColor) == PINK and list(shown.DiffuseColor) == PINK and (shown.Ambient, shown.Diffuse) == (1, 0)


def picture(view):
    """Returns the picture as an array (y, x, 3) of 400 x 400 pixels."""
    view.ViewSize, view.OrientationAxesVisibility = [400, 400], 0
    return vtk_to_numpy(view.CaptureWindow(1).GetPointData().GetScalars()).reshape(400, 400, 3).astype(int)


def colours_at(view, places):
    """Returns the colours, from 0 to 255, of the pixels that show world positions; x and y of a view from above."""
    view.InteractionMode, view.CameraParallelScale = "2D", 1
    view.CameraFocalPoint, view.CameraPosition = [1, 1, 0], [1, 1, 10]
    shown = picture(view)
    return [shown[int(200 * y), int(200 * x)] for x, y in places]


def test_seeds_and_tips_are_balls_of_two_colours(view):
    seeds, tips = [0.5, 0.5, 0, 1.5, 0.5, 0], [0.5, 1.5, 0, 1.5, 1.5, 0]
    data = with_scalars(extent=(0, 20, 0, 20, 0, 0), spacing=(0.1, 0.1, 1))
    proxy = simple.IsochroneImageTravelTime(Input=source(data), SpeedArray=None, SeedPoints=seeds, TipPoints=tips)
    shown = simple.Show(simple.OutputPort(proxy, 1), view)
    at = [(0.5, 0.5), (1.5, 0.5), (0.5, 1.5), (1.5, 1.5)]

    def balls():
        white = [min(c) > 150 and max(c) - min(c) < 30 for c in colours_at(view, at)]
        orange = [c[0] > 150 and c[0] > 1.4 * c[1] and c[1] > 4 * c[2] for c in colours_at(view, at)]
        return white, orange
    assert balls() == ([True, True, False, False], [False, False, True, True])
    for proxy.TipPoints in ([0.5, 1.5, 0], [0.5, 1.5, 0, 1.5, 1.5, 0]):  # the balls follow the data
        drawn = balls()[1]
        assert drawn[2] and drawn[3] == (len(proxy.TipPoints) == 6)
    shown.Representation = "Surface"
    assert not any(sum(balls(), []))
    shown.Representation = "Paths"
    assert sum(sum(balls(), [])) == 4
    shown.Visibility = 0
    assert not any(sum(balls(), []))


def pixels_of_numbers(view):
    """Returns how many pixels numbers cover: white ones, where no seed is shown."""
    simple.ResetCamera(view)
    return int((picture(view).min(axis=2) > 250).sum())


def test_markers_have_the_numbers_of_seeds_and_tips_unless_these_are_many(view):
    data = with_scalars(extent=(0, 20, 0, 20, 0, 0), spacing=(0.1, 0.1, 1))

    def numbers(tips):
        proxy = simple.IsochroneImageTravelTime(Input=source(data), SpeedArray=None, SeedPoints=[1, 1, 0], TipPoints=tips)
        shown = simple.Show(simple.OutputPort(proxy, 1), view)
        drawn = pixels_of_numbers(view)
        simple.Hide(proxy, view)
        shown.Visibility = 0
        return drawn
    def row(size):
        return [x for n in range(size) for x in (2 * n / size, 1.5, 0)]
    assert 20 < numbers(row(1)) < numbers(row(3)) and numbers(row(99)) > 0 and numbers(row(100)) == 0  # and the seed


def test_oriented_costs_and_state_spaces_are_dim_outlines(view):
    paths = simple.IsochroneCurvaturePaths(Input=plane(), ComputeStateSpace=1)
    for output in (simple.IsochroneOrientedCost(Input=plane()), simple.OutputPort(paths, 2)):
        shown = simple.Show(output, view)
        assert shown.Representation == "Outline" and shown.Opacity == pytest.approx(0.3)


# ------------------------------------------------------------------------------------------------- colours and legends
@pytest.mark.parametrize("name, array", [("IsochroneImageTravelTime", "TravelTime"), ("IsochroneDistanceTransform", "Distance")])
def test_times_and_distances_have_bands_of_a_sequential_map_and_grey_where_nothing_is_reached(view, name, array):
    proxy = getattr(simple, name)(Input=plane())
    shown = simple.Show(proxy, view)
    assert list(shown.ColorArrayName) == ["POINTS", array]
    colours = shown.LookupTable
    assert colours.NumberOfTableValues == 16 and list(colours.NanColor) == pytest.approx([0.8] * 3)
    assert colours.AutomaticRescaleRangeMode == "Update on 'Apply'"
    first, last = list(colours.RGBPoints[1:4]), list(colours.RGBPoints[-3:])
    assert first == pytest.approx([0.267, 0.005, 0.329], abs=1e-3) and last == pytest.approx([0.993, 0.906, 0.144], abs=1e-3)


def test_a_legend_names_quantity_and_unit_and_follows_a_change_of_unit(view):
    proxy = simple.IsochroneImageTravelTime(Input=plane())
    bar = legend(simple.Show(proxy, view), view)
    assert (bar.Title, bar.ComponentTitle) == ("Travel time", "")
    for unit, title in (("ms", "Travel time (ms)"), ("years", "Travel time (years)"), ("", "Travel time")):
        proxy.TimeUnit = unit
        simple.Render(view)
        assert bar.Title == title


def test_a_legend_takes_the_unit_from_the_field_data_of_the_input(view):
    data = with_scalars()
    unit = string_array("LengthUnit", 1)
    unit.SetValue(0, "mm")
    data.GetFieldData().AddArray(unit)
    shown = simple.Show(simple.IsochroneDistanceTransform(Input=source(data)), view)
    assert legend(shown, view).Title == "Distance (mm)"
    simple.ColorBy(shown, ("POINTS", "SquaredDistance"))
    assert legend(shown, view).Title == "Squared distance (mm^2)"


def test_a_title_that_the_user_wrote_stays(view):
    proxy = simple.IsochroneImageTravelTime(Input=plane())
    bar = legend(simple.Show(proxy, view), view)
    bar.Title = "Minutes to the coast"
    proxy.TimeUnit = "min"
    simple.Render(view)
    assert bar.Title == "Minutes to the coast"


def test_legends_of_other_filters_stay(view):
    shown = simple.Show(simple.Elevation(Input=plane()), view)
    assert legend(shown, view).Title == "Elevation"


@pytest.mark.parametrize("solid", [False, True])
def test_the_result_of_a_corrected_filter_has_the_colours_of_a_new_one(view, messages, solid):
    input_ = mesh(*cube(2)) if solid else source(with_scalars())
    proxy = (simple.IsochroneMeshTravelTime if solid else simple.IsochroneImageTravelTime)(
        Input=input_, SpeedArray=None, ConstantSpeed=-1)
    shown, lines = simple.Show(proxy, view), simple.Show(simple.OutputPort(proxy, 1), view)
    simple.Render(view)
    assert "ERROR" in messages() and shown.ColorArrayName[1] in (None, "")
    proxy.ConstantSpeed = 1
    simple.Render(view)
    assert list(shown.ColorArrayName) == ["POINTS", "TravelTime"] and lines.ColorArrayName[1] in (None, "")
    assert shown.LookupTable.RGBPoints[-4] == pytest.approx(proxy.PointData["TravelTime"].GetRange(0)[1])


def test_a_chosen_colour_stays_when_a_filter_is_corrected(view, messages):
    proxy = simple.IsochroneImageTravelTime(Input=plane(), SpeedArray=None, ConstantSpeed=-1)
    shown = simple.Show(proxy, view)
    simple.ColorBy(shown, ("POINTS", "Reached"))
    proxy.ConstantSpeed = 1
    simple.Render(view)
    assert "ERROR" in messages() and list(shown.ColorArrayName) == ["POINTS", "Reached"]


# ------------------------------------------------------------------------------------------------- corrected filters
FAULTS = {"IsochroneImageTravelTime": ("ConstantSpeed", -1, 1), "IsochroneRayTracing": ("ConstantVelocity", -1, 1),
          "IsochroneDistanceTransform": ("MaximumDistance", -1, 0), "IsochroneCurvaturePaths": ("TurningRadius", -1, 2),
          "IsochroneOrientedCost": ("CostFloor", -1, 0.02), "IsochroneMeshTravelTime": ("ConstantSpeed", -1, 1)}


def values_of(shown):
    return {key: [property_.GetElement(e) for e in range(property_.GetNumberOfElements())]
            for key, property_ in properties_of(shown) if property_.IsA("vtkSMVectorProperty") and not property_.GetInformationOnly()}


def shown_after_a_fault(name, input_, view, ports=(0,), change=lambda shown: None):
    """Returns the displays of a filter that failed when it was shown, and was then corrected, and those of a new filter.

    @param change  what the user changes of a display of the failed filter
    """
    property_, wrong, right = FAULTS[name]
    medium = {"IsochroneImageTravelTime": "SpeedArray", "IsochroneRayTracing": "VelocityArray", "IsochroneMeshTravelTime": "SpeedArray"}
    settings = {"Input": input_, **({medium[name]: None} if name in medium else {})}
    make = getattr(simple, name)
    failed, new = make(**settings, **{property_: wrong}), make(**settings, **{property_: right})
    for proxy in (failed, new):
        if name == "IsochroneCurvaturePaths":
            proxy.NumberOfHeadings, proxy.Accuracy = 8, "First Order"
        if hasattr(proxy, "Isochrones"):
            proxy.Isochrones = 3
        if hasattr(proxy, "ComputeStateSpace"):
            proxy.ComputeStateSpace = 1
    shown = [simple.Show(simple.OutputPort(failed, port), view) for port in ports]
    simple.Render(view)
    for display in shown:
        change(display)
    setattr(failed, property_, right)
    simple.Render(view)
    expected = [simple.Show(simple.OutputPort(new, port), view) for port in ports]
    simple.Render(view)
    return shown, expected


@pytest.mark.parametrize("solid", [False, True])
@pytest.mark.parametrize("name", FAULTS)
def test_the_result_of_a_corrected_filter_is_shown_as_that_of_a_new_one(view, messages, name, solid):
    at = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]
    ports = {"IsochroneOrientedCost": (0, 1), "IsochroneRayTracing": (0, 1, 3)}.get(name, (0, 1, 2))
    if name == "IsochroneMeshTravelTime":
        input_ = mesh(*cube(2)) if solid else mesh(at, [[0, 1, 2], [1, 3, 2]])
    elif solid and name in ("IsochroneOrientedCost", "IsochroneCurvaturePaths"):
        input_ = source(with_scalars(extent=(0, 0, 0, 16, 0, 20)))  # a plane, too, across another axis
    else:
        input_ = volume() if solid else plane()
    for port, *displays in zip(ports, *shown_after_a_fault(name, input_, view, ports)):
        shown, expected = map(values_of, displays)
        different = {key: (shown[key], expected[key]) for key in expected if shown[key] != expected[key]}
        assert not different, f"output {port}"
    assert messages().count("ERROR") == 1


def test_a_corrected_plane_is_drawn_as_a_surface_at_once(view, messages):
    (shown,), _ = shown_after_a_fault("IsochroneImageTravelTime", plane(), view)
    assert shown.Representation == "Surface" and (shown.Ambient, shown.Diffuse) == (1, 0)
    active = shown.GetClientSideObject().GetActiveRepresentation()
    assert active.IsA("vtkGeometryRepresentation") and active.GetRenderedDataObject(0).GetNumberOfPoints() > 0
    assert "ERROR" in messages()


def test_what_a_user_sets_stays_when_a_filter_is_corrected(view, messages):
    def change(shown):
        shown.Representation, shown.Ambient, shown.Opacity = "Points", 0.25, 0.5

    for name, input_ in (("IsochroneImageTravelTime", plane()), ("IsochroneMeshTravelTime", mesh(*cube(2)))):
        (shown,), _ = shown_after_a_fault(name, input_, view, change=change)
        assert (shown.Representation, shown.Ambient, shown.Opacity) == ("Points", 0.25, 0.5)
    assert "ERROR" in messages()


def test_a_type_chosen_and_chosen_back_stays_when_a_filter_is_corrected(view, messages):
    def change(shown):
        shown.Representation = "Points"
        shown.Representation = "Slice"

    (shown,), _ = shown_after_a_fault("IsochroneImageTravelTime", plane(), view, change=change)
    assert "ERROR" in messages() and shown.Representation == "Slice"


# ------------------------------------------------------------------------------------------------- units in the outputs
@pytest.mark.parametrize("port", [0, 1, 2])
def test_every_output_has_the_unit_in_its_field_data(port):
    proxy = simple.IsochroneImageTravelTime(Input=plane(), TimeUnit="s", Isochrones=1)
    proxy.UpdatePipeline()
    unit = proxy.GetClientSideObject().GetOutputDataObject(port).GetFieldData().GetAbstractArray("TimeUnit")
    assert unit.GetNumberOfValues() == 1 and unit.GetValue(0) == "s"
