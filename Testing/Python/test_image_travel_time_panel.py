"""Isochrone Image Travel Time: properties, defaults, and what is computed again when one of them changes."""
import numpy as np
import pytest
from paraview import simple

from pipelines import (array, at, choices, counts, executions_after_touching, image, image_data, information, lines,
                       output, points, properties_of, source, travel_time)

CENTRE = (10, 8, 0)
VOLUME = {"extent": (0, 20, 0, 16, 0, 10)}


@pytest.mark.parametrize("depth, centre, tip", [(0, (10, 8, 0), (15, 12, 0)), (10, (10, 8, 5), (15, 12, 7.5))])
def test_defaults_start_at_the_centre_with_speed_one(depth, centre, tip):
    proxy = simple.IsochroneImageTravelTime(Input=image(extent=(0, 20, 0, 16, 0, depth),
                                                        RTData=np.zeros(21 * 17 * (depth + 1))))
    proxy.UpdatePipeline()
    out = output(proxy)
    assert at(out, "TravelTime", centre) == 0 and array(out, "Reached").all()
    assert array(out, "TravelTime").max() == pytest.approx(np.linalg.norm(centre), rel=1e-5)  # at a corner
    assert lines(output(proxy, 1))[0][0] == pytest.approx(tip, abs=1e-6)


def test_a_seed_alone_asks_for_no_path():
    proxy = simple.IsochroneImageTravelTime(Input=image(**VOLUME), SeedPoints=[2, 6, 3])
    assert list(proxy.SeedPoints) == [2, 6, 3] and list(proxy.TipPoints) == []


def test_without_any_seed_point_the_seed_is_the_centre():
    assert at(output(travel_time(Input=image(), SeedPoints=[])), "TravelTime", CENTRE) == 0


def test_python_face():
    speed, mask = np.full(21 * 17, 2.0), np.zeros(21 * 17, np.uint8)
    proxy = simple.IsochroneImageTravelTime(
        Input=image(speed=speed, mask=mask), Seeds=points([(3, 3, 0)]), Tips=points([(17, 13, 0)]), Targets=None,
        SpeedArray=["POINTS", "speed"], SpeedType="Speed", BarrierArray=["POINTS", "mask"], SourceFactoring="Off",
        Order=1, StoppingTime=0, StopAtTips=0, ComputeGradient=0, Backend="Host", Threads=2)
    proxy.UpdatePipeline()
    assert proxy.SpeedType == "Speed" and output(proxy, 1).GetNumberOfCells() == 1
    assert at(output(proxy), "TravelTime", (7, 3, 0)) == pytest.approx(2)
    assert information(proxy, "BackendUsed") == "Host" and information(proxy, "BackendReason")
    assert information(proxy, "Rounds") > 0 and information(proxy, "UpdatesPerPoint") > 0


def test_names_that_do_not_exist_are_refused():
    proxy = simple.IsochroneImageTravelTime(Input=image())
    for name, value in (("SpeedType", "Cost"), ("Backend", "GPU"), ("SeedType", "Cloud"), ("BarrierMode", "Zero"),
                        ("SourceFactoring", "On")):
        with pytest.raises(ValueError):
            setattr(proxy, name, value)
    with pytest.raises(AttributeError):
        proxy.Speeds = ["POINTS", "speed"]


def test_every_property_is_documented_and_labelled_with_its_name():
    proxy = simple.IsochroneImageTravelTime(Input=image())
    seen = []
    for name, property_ in properties_of(proxy):
        seen.append(name)
        documentation = property_.GetDocumentation()
        assert documentation and len(documentation.GetDescription().strip()) > 20, name
        assert property_.GetXMLLabel().replace(" ", "") == name
    assert len(seen) > 25
    help_text = proxy.SMProxy.GetDocumentation()
    assert help_text.GetShortHelp() and help_text.GetLongHelp() and "upwind" in help_text.GetDescription()


def test_output_ports_have_names():
    proxy = simple.IsochroneImageTravelTime(Input=image())
    assert [proxy.SMProxy.GetOutputPortName(p) for p in range(2)] == ["Travel Time", "Paths"]


def test_arrays_of_one_component_can_be_picked():
    input_ = image(a=np.ones(21 * 17), rgb=np.ones((21 * 17, 3)))
    input_.UpdatePipeline()
    proxy = simple.IsochroneImageTravelTime(Input=input_)
    for name in ("SpeedArray", "BarrierArray", "SeedRegionArray"):
        assert choices(proxy, name) == ["None", "a"] and getattr(proxy, name)[1] == "None"


def test_moving_a_tip_extracts_paths_only():
    proxy = travel_time(Input=image(**VOLUME), SeedPoints=CENTRE, TipPoints=[3, 3, 3])
    assert counts(proxy) == (1, 1)
    proxy.TipPoints = [17, 13, 6]
    proxy.UpdatePipeline()
    assert counts(proxy) == (1, 2)
    assert lines(output(proxy, 1))[0][0] == pytest.approx((17, 13, 6), abs=1e-6)


def test_moving_a_seed_solves_again():
    proxy = travel_time(Input=image(), SeedPoints=CENTRE)
    proxy.SeedPoints = [3, 3, 0]
    proxy.UpdatePipeline()
    assert counts(proxy)[0] == 2 and at(output(proxy), "TravelTime", (3, 3, 0)) == 0


def test_in_two_way_mode_only_the_side_that_changed_is_solved_again():
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
def test_changes_that_do_not_touch_the_problem_compute_nothing(change, barrier):
    speed = np.ones(21 * 17)
    speed[5] = barrier  # not a number is not equal to itself
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


def test_an_input_that_is_recomputed_to_the_same_values_is_not_solved_again():
    data = image_data(f=np.full(21 * 17, 2.0))
    proxy = travel_time(Input=source(data), SpeedArray=["POINTS", "f"])
    assert executions_after_touching(data, "f", proxy) == 1
    assert counts(proxy)[0] == 1


def test_a_changed_speed_value_solves_again():
    data = image_data(f=np.full(21 * 17, 2.0))
    proxy = travel_time(Input=source(data), SpeedArray=["POINTS", "f"], SeedPoints=CENTRE)
    for point in range(data.GetNumberOfPoints()):
        data.GetPointData().GetArray("f").SetValue(point, 4.0)
    assert executions_after_touching(data, "f", proxy) == 1
    assert counts(proxy)[0] == 2 and at(output(proxy), "TravelTime", (14, 8, 0)) == pytest.approx(1)


def test_another_label_is_seen_without_solving_again():
    proxy = travel_time(Input=image(), Seeds=points([CENTRE], Label=np.array([3])), TipPoints=[])
    proxy.Seeds = points([CENTRE], Label=np.array([4]))
    proxy.UpdatePipeline()
    assert counts(proxy)[0] == 1 and set(array(output(proxy), "SeedId")) == {4}


def test_seeds_tips_and_targets_can_be_disconnected():
    proxy = travel_time(Input=image(), Seeds=points([(3, 3, 0)]), Tips=points([(17, 13, 0)]),
                        Targets=points([(5, 5, 0)]))
    assert at(output(proxy), "TravelTime", (3, 3, 0)) == 0 and output(proxy, 1).GetNumberOfCells() == 2
    proxy.TipPoints = []
    proxy.Seeds = None
    proxy.Tips = None
    proxy.Targets = None
    proxy.UpdatePipeline()
    assert at(output(proxy), "TravelTime", CENTRE) == 0 and output(proxy, 1).GetNumberOfCells() == 0
    assert output(proxy).GetPointData().GetArray("TwoWayTime") is None


@pytest.mark.parametrize("kind, seed", [("Automatic", (3, 3, 0)), ("Input", (3, 3, 0)), ("Points", (17, 13, 0)),
                                        ("Region", (0, 0, 0))])
def test_type_chooses_between_typed_and_connected_points_and_the_region(kind, seed):
    mask = np.zeros(21 * 17)
    mask[0] = 1
    proxy = travel_time(Input=image(m=mask), Seeds=points([(3, 3, 0)]), SeedPoints=[17, 13, 0], SeedType=kind,
                        SeedRegionArray=["POINTS", "m"])
    time = array(output(proxy), "TravelTime")
    assert at(output(proxy), "TravelTime", seed) == 0 and (time == 0).sum() == 1


def test_composite_seeds_are_taken_together():
    group = simple.GroupDatasets(Input=[points([(3, 3, 0)]), points([(17, 13, 0)])])
    out = output(travel_time(Input=image(), Seeds=group))
    assert at(out, "TravelTime", (3, 3, 0)) == 0 and at(out, "TravelTime", (17, 13, 0)) == 0


def test_residual_of_the_plain_scheme_is_rounding_where_it_is_asked_for():
    proxy = travel_time(Input=image(**VOLUME), SeedPoints=(10.3, 8.1, 4))
    assert np.isnan(information(proxy, "Residual"))
    proxy.CheckResidual = 1
    proxy.UpdatePipeline()
    assert 0 <= information(proxy, "Residual") < 1e-6 and counts(proxy)[0] == 1
    proxy.CheckResidual = 0
    proxy.SeedPoints = [3, 3, 3]
    proxy.UpdatePipeline()
    assert np.isnan(information(proxy, "Residual"))


@pytest.mark.parametrize("two_way", [False, True])
def test_progress_never_goes_back_and_ends_at_one(two_way):
    proxy = simple.IsochroneImageTravelTime(Input=image(**VOLUME), Targets=points([(1, 1, 1)]) if two_way else None)
    algorithm, seen = proxy.GetClientSideObject(), []
    algorithm.AddObserver("ProgressEvent", lambda *_: seen.append(algorithm.GetProgress()))
    proxy.UpdatePipeline()
    work = [p for p in seen if p > 0]
    assert work == sorted(work) and work[-1] == 1


def test_state_file_round_trip_gives_the_same_field(tmp_path):
    proxy = simple.IsochroneImageTravelTime(
        registrationName="P", Input=simple.Wavelet(WholeExtent=[-10, 10, -8, 8, -6, 6]), SpeedArray=["POINTS", "RTData"],
        SeedPoints=[1, 2, 0], TipPoints=[5, -5, 3], BarrierMode="Range", BarrierRange=[0, 100], StoppingTime=0.2)
    proxy.UpdatePipeline()
    expected = array(output(proxy), "TravelTime").copy()
    simple.SaveState(str(tmp_path / "state.pvsm"))
    simple.ResetSession()
    simple.LoadState(str(tmp_path / "state.pvsm"))
    proxy = simple.FindSource("P")
    proxy.UpdatePipeline()
    assert list(proxy.SeedPoints) == [1, 2, 0] and proxy.StoppingTime == 0.2
    assert np.array_equal(array(output(proxy), "TravelTime"), expected, equal_nan=True)
    assert output(proxy, 1).GetNumberOfCells() == 1
