"""Isochrone Image Travel Time: properties, defaults, and what is recomputed when one of them changes."""
import numpy as np
import pytest
from paraview import simple

from pipelines import array, at, choices, counts, image, lines, output, points, travel_time

CENTRE = (10, 8, 0)
VOLUME = {"extent": (0, 20, 0, 16, 0, 10)}


@pytest.mark.parametrize("depth, centre, tip", [(0, (10, 8, 0), (15, 12, 0)), (10, (10, 8, 5), (15, 12, 7.5))])
def test_defaults_start_at_the_centre_with_speed_one(depth, centre, tip):
    proxy = simple.IsochroneImageTravelTime(Input=image(extent=(0, 20, 0, 16, 0, depth)))
    proxy.UpdatePipeline()
    out = output(proxy)
    assert at(out, "TravelTime", centre) == 0 and array(out, "Reached").all()
    assert array(out, "TravelTime").max() == pytest.approx(np.linalg.norm(centre), rel=1e-5)  # at a corner
    assert lines(output(proxy, 1))[0][0] == pytest.approx(tip, abs=1e-6)


def test_a_seed_alone_has_no_path():
    proxy = simple.IsochroneImageTravelTime(Input=image(**VOLUME), SeedPoints=[2, 6, 3])
    assert list(proxy.SeedPoints) == [2, 6, 3] and list(proxy.TipPoints) == []


def test_python_interface():
    speed, mask = np.full(21 * 17, 2.0), np.zeros(21 * 17, np.uint8)
    proxy = simple.IsochroneImageTravelTime(
        Input=image(speed=speed, mask=mask), Seeds=points([(3, 3, 0)]), Tips=points([(17, 13, 0)]), Targets=None,
        SpeedArray=["POINTS", "speed"], SpeedType="Speed", BarrierArray=["POINTS", "mask"], SourceFactoring="Off",
        Order=1, StoppingTime=0, StopAtTips=0, ComputeGradient=0, Backend="Host", Threads=2)
    proxy.UpdatePipeline()
    assert proxy.SpeedType == "Speed" and output(proxy, 1).GetNumberOfCells() == 1
    assert at(output(proxy), "TravelTime", (7, 3, 0)) == pytest.approx(2)
    assert proxy.BackendUsed == "Host" and proxy.BackendReason
    assert proxy.Rounds > 0 and proxy.UpdatesPerPoint > 0


def test_names_that_do_not_exist_are_refused():
    proxy = simple.IsochroneImageTravelTime(Input=image())
    for name, value in (("SpeedType", "Cost"), ("Backend", "GPU"), ("SeedType", "Cloud"), ("BarrierMode", "Zero"),
                        ("SourceFactoring", "On")):
        with pytest.raises(ValueError):
            setattr(proxy, name, value)
    with pytest.raises(AttributeError):
        proxy.Speeds = ["POINTS", "speed"]


def test_output_ports_have_names():
    proxy = simple.IsochroneImageTravelTime(Input=image())
    assert [proxy.SMProxy.GetOutputPortName(p) for p in range(2)] == ["Travel Time", "Paths"]


def test_arrays_of_one_component_can_be_picked_and_for_the_speed_also_tensors():
    input_ = image(a=np.ones(21 * 17), rgb=np.ones((21 * 17, 3)))
    input_.UpdatePipeline()
    proxy = simple.IsochroneImageTravelTime(Input=input_, Threads=1)
    for name in ("SpeedArray", "BarrierArray", "SeedRegionArray"):
        expected = ["None", "a", "rgb"] if name == "SpeedArray" else ["None", "a"]
        assert choices(proxy, name) == expected


def test_in_two_way_mode_only_the_changed_side_is_solved_again():
    targets = simple.PointSource(Center=[3, 3, 3], NumberOfPoints=1, Radius=0)
    proxy = travel_time(Input=image(**VOLUME), SeedPoints=CENTRE, TipPoints=[5, 5, 5], Targets=targets)
    assert counts(proxy) == (2, 1)
    proxy.TipPoints = [6, 6, 6]
    proxy.UpdatePipeline()
    assert counts(proxy) == (2, 2)
    targets.Center = [17, 13, 6]
    proxy.UpdatePipeline()
    assert counts(proxy) == (3, 2)
    assert lines(output(proxy, 1))[1][0] == pytest.approx((17, 13, 6), abs=1e-6)
    proxy.SeedPoints = [12, 8, 3]
    proxy.UpdatePipeline()
    assert counts(proxy) == (4, 3)
    assert lines(output(proxy, 1))[1][-1] == pytest.approx((12, 8, 3), abs=1e-6)


@pytest.mark.parametrize("change", [{"BlankUnreached": 1}, {"Threads": 2}, {"ComputeGradient": 1}, {"CheckResidual": 1}, {"BarrierRange": [1, 2]},
                                    {"SeedRegionRange": [2, 3]}])
@pytest.mark.parametrize("barrier", [0, np.nan])
def test_changes_without_effect_on_the_problem_compute_nothing(change, barrier):
    speed = np.ones(21 * 17)
    speed[5] = barrier  # NaN differs from itself
    proxy = travel_time(Input=image(f=speed), SpeedArray=["POINTS", "f"], SeedPoints=CENTRE, TipPoints=[3, 3, 0])
    for name, value in change.items():
        setattr(proxy, name, value)
    proxy.UpdatePipeline()
    assert counts(proxy) == (1, 1)
    assert output(proxy, 1).GetNumberOfCells() == 1


@pytest.mark.parametrize("change", [{"SpeedType": "Slowness"}, {"ConstantSpeed": 2}, {"StoppingTime": 5.0},
                                    {"StopAtTips": 1}, {"SourceFactoring": "Additive"}, {"Order": 2}, {"SpeedArray": ["POINTS", "f"]},
                                    {"BarrierArray": ["POINTS", "w"]}])
def test_changes_of_the_problem_solve_again(change):
    walls = np.zeros(21 * 17)
    walls[0] = 1
    proxy = travel_time(Input=image(f=np.full(21 * 17, 2.0), w=walls), SeedPoints=CENTRE, TipPoints=[12, 8, 0])
    for name, value in change.items():
        setattr(proxy, name, value)
    proxy.UpdatePipeline()
    assert counts(proxy)[0] == 2


def test_targets_can_be_disconnected():
    proxy = travel_time(Input=image(), SeedPoints=CENTRE, Targets=points([(5, 5, 0)]))
    assert output(proxy).GetPointData().GetArray("TwoWayTime") and output(proxy, 1).GetNumberOfCells() == 1
    proxy.Targets = None
    proxy.UpdatePipeline()
    assert output(proxy).GetPointData().GetArray("TwoWayTime") is None and output(proxy, 1).GetNumberOfCells() == 0


def test_update_counts_are_added_on_request():
    proxy = travel_time(Input=image(extent=(0, 15, 0, 23, 0, 7)), SeedPoints=CENTRE)  # complete tiles of the solver
    assert output(proxy).GetPointData().GetArray("Updates") is None
    proxy.ComputeUpdateCounts = 1
    proxy.UpdatePipeline()
    updates = array(output(proxy), "Updates")
    assert counts(proxy)[0] == 2 and updates.dtype == np.int32 and updates.min() >= 0 and updates.max() > 1
    assert updates.mean() == pytest.approx(proxy.UpdatesPerPoint)
    proxy.ComputeUpdateCounts = 0
    proxy.UpdatePipeline()
    assert counts(proxy)[0] == 2 and output(proxy).GetPointData().GetArray("Updates") is None


def test_another_label_takes_effect_without_solving_again():
    proxy = travel_time(Input=image(), Seeds=points([CENTRE], Label=np.array([3])), TipPoints=[])
    proxy.Seeds = points([CENTRE], Label=np.array([4]))
    proxy.UpdatePipeline()
    assert counts(proxy)[0] == 1 and set(array(output(proxy), "SeedId")) == {4}


def test_residual_of_the_plain_scheme_is_rounding_if_requested():
    proxy = travel_time(Input=image(**VOLUME), SeedPoints=(10.3, 8.1, 4))
    assert np.isnan(proxy.Residual)
    proxy.CheckResidual = 1
    proxy.UpdatePipeline()
    assert 0 <= proxy.Residual < 1e-6 and counts(proxy)[0] == 1
    proxy.CheckResidual = 0
    proxy.SeedPoints = [3, 3, 3]
    proxy.UpdatePipeline()
    assert np.isnan(proxy.Residual)
