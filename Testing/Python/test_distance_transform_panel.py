"""Isochrone Distance Transform: properties, defaults, and what is recomputed when one of them changes."""
import numpy as np
import pytest
from paraview import simple

from pipelines import (array, assert_documented, choices, counts, distance_transform, executions_after_touching, image,
                       image_data, lines, names, output, points, source)

POINTS = 21 * 17


def mask(*sites):
    values = np.zeros(POINTS, np.uint8)
    values[list(sites)] = 1
    return values


def test_defaults_take_the_upper_half_of_the_active_array_and_a_tip():
    proxy = simple.IsochroneDistanceTransform(Input=simple.Wavelet())  # has not run
    proxy.UpdatePipeline()
    values = array(output(proxy), "RTData")
    middle = (values.min() + values.max()) / 2
    assert list(proxy.SiteArray) == ["POINTS", "RTData"] and list(proxy.SiteRange) == pytest.approx([middle, values.max()])
    assert ((array(output(proxy), "Distance") == 0) == (values >= middle)).all()
    assert list(proxy.TipPoints) == [5, 5, 5] and lines(output(proxy, 1))[0][0] == pytest.approx((5, 5, 5))
    assert names(output(proxy).GetPointData()) == ["RTData", "Distance", "SquaredDistance", "NearestSite", "Reached"]


def test_the_default_range_follows_the_chosen_array():
    proxy = simple.IsochroneDistanceTransform(Input=image(a=np.arange(357.0), b=np.linspace(10, 20, 357)),
                                              SiteArray=["POINTS", "b"])
    assert list(proxy.SiteRange) == [15, 20] and list(proxy.TipPoints) == []


def test_python_interface():
    label = np.random.default_rng(1).integers(0, 3, POINTS)
    proxy = simple.IsochroneDistanceTransform(
        Input=image(label=label), Tips=None, SiteArray=['POINTS', 'label'], SiteMode='Range', SiteRange=[0.5, 1e30], SiteLabel=1,
        Region='Outside', ComputeSquaredDistance=1, ComputeNearestSite=1,
        ComputeNearestLabel=0, DoublePrecision=0, MaximumDistance=0, Backend='Host', Threads=2)
    proxy.UpdatePipeline()
    assert ((array(output(proxy), "Distance") == 0) == (label >= 1)).all() and output(proxy, 1).GetNumberOfCells() == 0
    assert names(output(proxy).GetPointData()) == ["label", "Distance", "SquaredDistance", "NearestSite", "Reached"]
    assert proxy.BackendUsed == "Host" and proxy.BackendReason


def test_names_that_do_not_exist_are_refused():
    proxy = simple.IsochroneDistanceTransform(Input=image(a=mask(3)))
    for name, value in (("SiteMode", "Mask"), ("Region", "Within"), ("Backend", "GPU"), ("TipType", "Cloud")):
        with pytest.raises(ValueError):
            setattr(proxy, name, value)
    with pytest.raises(AttributeError):
        proxy.StopAtTips = 1


def test_output_ports_have_names():
    proxy = simple.IsochroneDistanceTransform(Input=image(a=mask(3)))
    assert [proxy.SMProxy.GetOutputPortName(p) for p in range(2)] == ["Distance", "Segments"]


def test_every_property_is_documented_and_labelled_with_its_name():
    proxy = simple.IsochroneDistanceTransform(Input=image(a=mask(3)))
    assert_documented(proxy, 20)


def test_arrays_of_one_component_can_be_picked():
    input_ = image(a=mask(3), rgb=np.ones((POINTS, 3)), b=np.ones(POINTS))
    input_.UpdatePipeline()
    assert choices(simple.IsochroneDistanceTransform(Input=input_), "SiteArray") == ["a", "b"]


@pytest.mark.parametrize("kind, chosen", [("Automatic", (3, 3, 0)), ("Input", (3, 3, 0)), ("Points", (17, 13, 0))])
def test_tip_type_selects_typed_or_connected_points(kind, chosen):
    proxy = distance_transform(Input=image(a=mask(0)), Tips=points([(3, 3, 0)]), TipPoints=[17, 13, 0], TipType=kind)
    assert lines(output(proxy, 1))[0][0] == pytest.approx(chosen)


def test_tips_can_be_disconnected():
    proxy = distance_transform(Input=image(a=mask(0)), Tips=points([(17, 13, 0)]))
    assert output(proxy, 1).GetNumberOfCells() == 1
    proxy.TipPoints = []
    proxy.Tips = None
    proxy.UpdatePipeline()
    assert output(proxy, 1).GetNumberOfCells() == 0 and output(proxy).GetNumberOfPoints() == POINTS


# ------------------------------------------------------------------------------------------------- recomputation
def ready(**properties):
    return distance_transform(Input=image(a=mask(3, 200), b=mask(5)), **{"TipPoints": [3, 3, 0], **properties})


def changed(proxy, **change):
    for name, value in change.items():
        setattr(proxy, name, value)
    proxy.UpdatePipeline()
    return counts(proxy)


def test_moving_a_tip_does_not_solve_again():
    proxy = ready()
    before = output(proxy).GetPointData().GetArray("Distance")
    assert counts(proxy) == (1, 1)
    assert changed(proxy, TipPoints=[17, 13, 0]) == (1, 2)
    assert lines(output(proxy, 1))[0][0] == pytest.approx((17, 13, 0))
    assert output(proxy).GetPointData().GetArray("Distance") is before  # not even a copy


def test_the_default_range_of_an_array_with_nan_is_finite():
    values = np.array([-np.inf, np.inf, np.nan, 1, 0, 3.0])
    proxy = simple.IsochroneDistanceTransform(Input=image((0, 5, 0, 0, 0, 0), a=values))
    assert list(proxy.SiteRange) == [1.5, 3]


@pytest.mark.parametrize("change", [{"BlankUnreached": 1}, {"Threads": 2}, {"SiteLabel": 5}, {"SiteRange": [1, 5]},
                                    {"ComputeSquaredDistance": 0}, {"ComputeNearestSite": 0}, {"ComputeNearestLabel": 1},
                                    {"SiteMode": "Label"}, {"SiteMode": "Range", "SiteRange": [0.5, 7]}])
def test_changes_without_effect_on_the_problem_compute_nothing(change):
    proxy = ready()
    assert changed(proxy, **change) == (1, 1) and output(proxy, 1).GetNumberOfCells() == 1


@pytest.mark.parametrize("change", [{"SiteArray": ["POINTS", "b"]}, {"Region": "Signed"}, {"MaximumDistance": 50.0},
                                    {"DoublePrecision": 1}, {"SiteMode": "Range", "SiteRange": [0, 0]}])
def test_changes_of_the_problem_solve_again(change):
    assert changed(ready(), **change) == (2, 2)


def test_a_newly_requested_output_solves_again():
    proxy = ready(ComputeSquaredDistance=0, ComputeNearestSite=0)
    assert changed(proxy, ComputeSquaredDistance=1) == (2, 2)
    assert changed(proxy, ComputeNearestLabel=1) == (3, 3)
    assert changed(proxy, ComputeNearestSite=1) == (3, 3)  # already computed for the labels
    assert names(output(proxy).GetPointData())[2:] == ["Distance", "SquaredDistance", "NearestSite", "NearestLabel", "Reached"]


def test_only_another_site_in_the_input_solves_again():
    data = image_data(a=mask(3, 200).astype(float))
    proxy = distance_transform(Input=source(data), ComputeNearestLabel=1)
    assert executions_after_touching(data, "a", proxy) == 1 and counts(proxy)[0] == 1
    data.GetPointData().GetArray("a").SetValue(200, 7)
    assert executions_after_touching(data, "a", proxy) == 1 and counts(proxy)[0] == 1
    assert set(array(output(proxy), "NearestLabel")) == {1, 7}  # the label itself has changed
    data.GetPointData().GetArray("a").SetValue(100, 1)
    assert executions_after_touching(data, "a", proxy) == 1 and counts(proxy)[0] == 2
    assert array(output(proxy), "Distance")[100] == 0


def test_a_time_step_with_other_sites_solves_again():
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, 0, 0])
    proxy = simple.IsochroneDistanceTransform(Input=wavelet, SiteArray=["POINTS", "RTData"], SiteRange=[200, 1e30])
    for maximum in (255, 300, 255):
        wavelet.Maximum = maximum
        proxy.UpdatePipeline()
        assert ((array(output(proxy), "Distance") == 0) == (array(output(proxy), "RTData") >= 200)).all()
    assert counts(proxy)[0] == 3
