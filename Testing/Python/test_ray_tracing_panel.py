"""Isochrone Ray Tracing: properties, defaults, and what is recomputed when one of them changes."""
import numpy as np
import pytest
from paraview import simple

from pipelines import (array, assert_documented, at, choices, column, counts, executions_after_touching, image,
                       image_data, lines, names, output, points, ray_tracing, source)

POINTS = 21 * 17
CENTRE = (10, 8, 0)


def test_defaults_start_at_the_centre():
    proxy = simple.IsochroneRayTracing(Input=simple.Wavelet(), VelocityArray=None)  # has not run
    proxy.UpdatePipeline()
    out = output(proxy)
    assert list(proxy.SourcePoints) == [0, 0, 0] and list(proxy.ReceiverPoints) == [5, 5, 5]
    assert at(out, "TravelTime", (0, 0, 0)) == 0 and array(out, "Reached").all()
    assert array(out, "TravelTime").max() == pytest.approx(np.linalg.norm((10, 10, 10)), rel=1e-5)  # at a corner
    assert names(out.GetPointData()) == ["RTData", "TravelTime", "Reached"]
    assert lines(output(proxy, 1))[0][0] == pytest.approx((5, 5, 5)) and output(proxy, 2).GetNumberOfRows() == 0


def test_sources_alone_have_no_ray():
    proxy = simple.IsochroneRayTracing(Input=image(), SourcePoints=[2, 6, 0])
    assert list(proxy.SourcePoints) == [2, 6, 0] and list(proxy.ReceiverPoints) == []


def test_without_sources_the_centre_is_the_source():
    assert at(output(ray_tracing(Input=image(v=np.ones(POINTS)), SourcePoints=[])), "TravelTime", CENTRE) == 0


def test_python_interface():
    v = np.full(POINTS, 2.0)
    image_, sources, receivers = image(v=v), points([(3, 3, 0)]), points([(17, 13, 0)])
    proxy = simple.IsochroneRayTracing(
        Input=image_, Sources=sources, Receivers=receivers, VelocityArray=['POINTS', 'v'], VelocityType='Velocity', Radius=[3, 3, 3],
        Template='Coprime', WeightRule='Accurate', Method='Ordered Tiles', SourceRuns='Together', DoublePrecision=0,
        ComputePredecessor=0, ComputeRayMatrix=0, Backend='Host', Threads=2)
    proxy.UpdatePipeline()
    assert names(output(proxy).GetPointData()) == ["v", "TravelTime", "Reached"] and output(proxy, 1).GetNumberOfCells() == 1
    assert at(output(proxy), "TravelTime", (7, 3, 0)) == pytest.approx(2)
    assert proxy.BackendUsed == "Host" and proxy.BackendReason
    for name, values in (("VelocityType", ("Velocity", "Slowness", "TTI")), ("Template", ("Coprime", "Full", "Balanced 24", "Balanced 48")),
                         ("WeightRule", ("Accurate", "Fast", "Cells")), ("Method", ("Ordered Tiles", "Plain Relaxation")),
                         ("SourceRuns", ("Together", "Separate", "Time Steps"))):
        for value in values:
            setattr(proxy, name, value)
            assert getattr(proxy, name) == value


def test_names_that_do_not_exist_are_refused():
    proxy = simple.IsochroneRayTracing(Input=image())
    for name, value in (("VelocityType", "Speed"), ("Template", "Balanced 12"), ("WeightRule", "Trapezoid"), ("Method", "Dijkstra"),
                        ("SourceRuns", "Apart"), ("Backend", "GPU"), ("SourceType", "Cloud"), ("ReceiverType", "Cloud"),
                        ("Interface", "Plane"), ("BarrierMode", "Zero")):
        with pytest.raises(ValueError):
            setattr(proxy, name, value)
    for name in ("SeedPoints", "TipPoints", "SpeedArray"):
        with pytest.raises(AttributeError):
            setattr(proxy, name, [1, 2, 3])


def test_output_ports_have_names():
    proxy = simple.IsochroneRayTracing(Input=image())
    assert [proxy.SMProxy.GetOutputPortName(p) for p in range(5)] == [
        "Travel Time", "Rays", "Ray Matrix", "Isochrones", "Travel Time Table"]


def test_every_property_is_documented_and_labelled_with_its_name():
    proxy = simple.IsochroneRayTracing(Input=image())
    assert_documented(proxy, 30)


def test_arrays_of_one_component_can_be_picked():
    input_ = image(a=np.ones(POINTS), rgb=np.ones((POINTS, 3)))
    input_.UpdatePipeline()
    proxy = simple.IsochroneRayTracing(Input=input_, Threads=1)
    for name in ("VelocityArray", "BarrierArray", "InterfaceArray", "SecondVelocityArray"):
        assert choices(proxy, name) == ["None", "a"]


@pytest.mark.parametrize("kind, chosen", [("Automatic", (3, 3, 0)), ("Input", (3, 3, 0)), ("Points", (17, 13, 0))])
def test_type_selects_typed_or_connected_points(kind, chosen):
    proxy = ray_tracing(Input=image(v=np.ones(POINTS)), Sources=points([(3, 3, 0)]), SourcePoints=[17, 13, 0], SourceType=kind,
                        Receivers=points([(3, 3, 0)]), ReceiverPoints=[17, 13, 0], ReceiverType=kind)
    assert at(output(proxy), "TravelTime", chosen) == 0 and lines(output(proxy, 1))[0][0] == pytest.approx(chosen)


def test_sources_and_receivers_can_be_disconnected():
    proxy = ray_tracing(Input=image(v=np.ones(POINTS)), Sources=points([(3, 3, 0)]), Receivers=points([(17, 13, 0)]))
    assert at(output(proxy), "TravelTime", (3, 3, 0)) == 0 and output(proxy, 1).GetNumberOfCells() == 1
    proxy.ReceiverPoints = []
    proxy.Sources = None
    proxy.Receivers = None
    proxy.UpdatePipeline()
    assert at(output(proxy), "TravelTime", CENTRE) == 0 and output(proxy, 1).GetNumberOfCells() == 0


def test_composite_receivers_are_combined():
    group = simple.GroupDatasets(Input=[points([(3, 3, 0)]), points([(17, 13, 0)])])
    assert output(ray_tracing(Input=image(v=np.ones(POINTS)), Receivers=group), 1).GetNumberOfCells() == 2


# ------------------------------------------------------------------------------------------------- recomputation
def ready(**properties):
    v = np.random.default_rng(3).uniform(1, 2, POINTS)
    return ray_tracing(Input=image(v=v, w=v[::-1]), **{"SourcePoints": [3, 4, 0], "ReceiverPoints": [15, 12, 0], **properties})


def changed(proxy, **change):
    for name, value in change.items():
        setattr(proxy, name, value)
    proxy.UpdatePipeline()
    return counts(proxy)


def test_moving_a_receiver_does_not_solve_again():
    proxy = ready(SourceRuns="Separate", ComputeRayMatrix=1)
    assert counts(proxy) == (1, 1)
    assert changed(proxy, ReceiverPoints=[17, 13, 0]) == (1, 2)
    assert lines(output(proxy, 1))[0][0] == pytest.approx((17, 13, 0))


@pytest.mark.parametrize("change", [{"BlankUnreached": 1}, {"Threads": 2}, {"MergeCollinear": 1}, {"ComputeRayMatrix": 1},
                                    {"ConstantVelocity": 5}, {"BarrierMode": "Range"}, {"InterfaceLabel": 7},
                                    {"Radius": [3, 3, 1]}])
def test_changes_without_effect_on_the_problem_compute_nothing(change):
    proxy = ready()
    assert changed(proxy, **change) == (1, 1) and output(proxy, 1).GetNumberOfCells() == 1


@pytest.mark.parametrize("change", [{"VelocityArray": ["POINTS", "w"]}, {"VelocityType": "Slowness"}, {"Radius": [2, 3, 3]},
                                    {"Template": "Full"}, {"WeightRule": "Fast"}, {"SourcePoints": [4, 4, 0]}, {"DoublePrecision": 1},
                                    {"SourceRuns": "Separate"}, {"ComputePredecessor": 1}, {"ComputeSourceId": 1},
                                    {"BarrierArray": ["POINTS", "w"], "BarrierMode": "Range", "BarrierRange": [1, 1.05]}])
def test_changes_of_the_problem_solve_again(change):
    assert changed(ready(), **change) == (2, 2)


def test_the_matrix_appears_on_request():
    proxy = ready()
    assert output(proxy, 2).GetNumberOfRows() == 0
    changed(proxy, ComputeRayMatrix=1)
    assert output(proxy, 2).GetNumberOfRows() > 5 and column(output(proxy, 2), "Weight").min() > 0


def test_only_another_velocity_in_the_input_solves_again():
    data = image_data(v=np.ones(POINTS), other=np.ones(POINTS))
    proxy = ray_tracing(Input=source(data))
    assert executions_after_touching(data, "v", proxy) == 1 and counts(proxy)[0] == 1
    data.GetPointData().GetArray("other").SetValue(200, 7)
    assert executions_after_touching(data, "other", proxy) == 1 and counts(proxy)[0] == 1
    data.GetPointData().GetArray("v").SetValue(100, 2)
    assert executions_after_touching(data, "v", proxy) == 1 and counts(proxy)[0] == 2


def test_a_time_step_with_other_velocities_solves_again():
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -8, 8, 0, 0])
    proxy = ray_tracing(Input=wavelet, VelocityArray=["POINTS", "RTData"])
    times = []
    for maximum in (255, 300, 255):
        wavelet.Maximum = maximum
        proxy.UpdatePipeline()
        times.append(array(output(proxy), "TravelTime").copy())
    assert (times[0] == times[2]).all() and (times[0] >= times[1]).all() and times[0].max() > times[1].max()
    assert counts(proxy)[0] == 3


def test_time_steps_are_those_of_the_sources_or_of_the_input():
    proxy = ready(SourceRuns="Time Steps", SourcePoints=[3, 4, 0, 5, 5, 0, 7, 7, 0])
    assert list(proxy.TimestepValues) == [0, 1, 2]
    changed(proxy, SourcePoints=[3, 4, 0, 5, 5, 0])
    assert list(proxy.TimestepValues) == [0, 1]
    changed(proxy, SourceRuns="Separate")
    assert not proxy.TimestepValues
