"""Isochrone Image Travel Time takes the travel time of an earlier solve, with its seeds in the field data."""
import numpy as np
import pytest
from paraview import simple
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy

from pipelines import array, assert_error, counts, image, image_data, output, points, port_of, rectilinear, source, travel_time

EXTENT = (2, 14, -3, 9, 0, 10)
SEEDS = [4.3, 0.2, 2.9, 12, 8, 9]
TIPS = [13.5, -2.5, 9.1, 3, 8, 1, 12, 8, 8]
PROPERTIES = {"SpeedArray": ["POINTS", "f"], "SourceFactoring": "Additive", "ComputeGradient": 1, "Isochrones": 4}


def speed():
    z, y, x = np.meshgrid(np.arange(11), np.arange(-3, 10), np.arange(2, 15), indexing="ij")
    return (1 + 0.05 * x + 0.02 * y * z / 9).ravel()


def solved(**properties):
    return travel_time(**{"Input": image(extent=EXTENT, f=speed()), "SeedPoints": SEEDS, **PROPERTIES, **properties})


def given(input_, name="TravelTime", **properties):
    return travel_time(**{"Input": input_, "GivenTravelTime": ["POINTS", name], **PROPERTIES, **properties})


def lines(proxy, port):
    data = output(proxy, port)
    return vtk_to_numpy(data.GetPoints().GetData()) if data.GetNumberOfPoints() else np.zeros((0, 3))


def copy(proxy):
    """Returns the output of a filter, which may be changed."""
    data = output(proxy).NewInstance()
    data.DeepCopy(output(proxy))
    return data


def assert_same(one, other, fields=("TravelTime", "SeedId", "Reached", "Gradient")):
    for name in fields:
        np.testing.assert_array_equal(array(output(one), name), array(output(other), name), name)
    for name in ("Paths", "Isochrones"):
        mine, its = lines(one, port_of(one, name)), lines(other, port_of(other, name))
        assert len(mine) > 10
        np.testing.assert_array_equal(mine, its)
    seeds = [vtk_to_numpy(output(proxy).GetFieldData().GetArray("TravelTimeSeeds")) for proxy in (one, other)]
    np.testing.assert_array_equal(*seeds)


# ------------------------------------------------------------------------------------------------ field data
def test_the_seeds_are_in_the_field_data(messages):
    out = output(solved(SeedPoints=[3, 0, 1, -99, 0, 0], ComputeGradient=0, Isochrones=0)).GetFieldData()
    seeds = out.GetArray("TravelTimeSeeds")
    assert [seeds.GetComponentName(c) for c in range(7)] == ["X", "Y", "Z", "StartValue", "Slowness", "BallRadius", "Label"]
    inside, outside = vtk_to_numpy(seeds)
    assert inside == pytest.approx([3, 0, 1, 0, 1 / 1.15, out.GetArray("BallRadius").GetValue(0), 0]) and inside[5] > 2
    np.testing.assert_array_equal(outside, [-99, 0, 0, 0, np.nan, 0, 1])
    assert "1 of 2 seeds" in messages()


def test_the_balls_of_a_field_are_not_left_to_a_solve_with_other_seeds():
    first = simple.Calculator(Input=solved(Isochrones=0), ResultArrayName="m", Function="coordsX < 3")
    field = output(travel_time(Input=first, SeedType="Region", SeedRegionArray=["POINTS", "m"])).GetFieldData()
    assert field.GetArray("TravelTimeSeeds") is None
    rays = simple.IsochroneRayTracing(Input=first, VelocityArray=["POINTS", "f"])
    rays.UpdatePipeline()
    assert output(rays).GetFieldData().GetArray("TravelTimeSeeds") is None


def test_no_balls_of_targets_are_left_in_a_drift():
    """There the times are those towards the targets."""
    drift = np.tile([0.1, 0, 0], (13 * 13 * 11, 1))
    still = solved(Input=image(extent=EXTENT, f=speed(), d=drift), Targets=points([(13, 0, 3)]), Isochrones=0)
    assert output(still).GetFieldData().GetArray("TimeFromTargetsSeeds")
    moving = travel_time(Input=still, SeedPoints=SEEDS, SpeedArray=["POINTS", "f"], DriftArray=["POINTS", "d"], Targets=points([(13, 0, 3)]))
    assert output(moving).GetPointData().GetArray("TimeFromTargets") and not output(moving).GetFieldData().GetArray("TimeFromTargetsSeeds")


def test_balls_of_runs_of_single_seeds_do_not_overlap():
    """Each run alone has a larger ball, with a kink of the first arrivals in it."""
    out = output(solved(SeedPoints=[4, 0, 3, 8, 0, 3], SeedRuns="Separate", Isochrones=0)).GetFieldData()
    np.testing.assert_array_equal(vtk_to_numpy(out.GetArray("TravelTimeSeeds"))[:, 5], [2, 2])
    assert vtk_to_numpy(out.GetArray("BallRadius")).min() > 2


# ------------------------------------------------------------------------------------------------ same results
def test_a_field_from_a_file_gives_the_same_bits_without_a_solve(tmp_path):
    first = solved(TipPoints=TIPS)
    simple.SaveData(str(tmp_path / "field.vti"), proxy=first)
    field = simple.XMLImageDataReader(FileName=[str(tmp_path / "field.vti")])
    second = given(field, TipPoints=TIPS)
    assert_same(first, second)
    assert counts(second) == (0, 1) and second.BackendReason == "the travel time was given"
    second.TipPoints = TIPS[:3]
    second.UpdatePipeline()
    assert counts(second) == (0, 2)


@pytest.mark.parametrize("settings", [
    {"Input": image_data(extent=(0, 20, 3, 3, 0, 16), spacing=(0.5, 1, 0.7), f=np.ones(21 * 17)), "SeedPoints": [3.1, 2, 4.4], "TipPoints": [9, 3, 11]},
    {"Order": 2}, {"SourceFactoring": "Multiplicative"},
    {"PeriodicX": 1, "PeriodicY": 1},
    {"Input": image_data(extent=(0, 20, 0, 16, 0, 0), f=np.tile([1, 1, 0.1], (21 * 17, 1))), "SpeedType": "Metric Tensor", "SeedPoints": [3.1, 2, 0, 16, 9, 0],
     "TipPoints": [20, 16, 0]}])
def test_each_kind_of_field_gives_the_same_bits(settings):
    settings = {"SeedPoints": SEEDS, "TipPoints": TIPS, **settings}
    data = settings.pop("Input", image_data(extent=EXTENT, f=speed()))
    first = solved(Input=source(data), **settings)
    del settings["SeedPoints"]
    assert_same(first, given(first, **settings))


def test_a_rectilinear_grid_gives_the_same_bits():
    axes = np.cumsum(np.linspace(1, 2, 9)), np.arange(8.), np.arange(7.)
    first = solved(Input=rectilinear(*axes, f=np.ones(9 * 8 * 7)), SeedPoints=[4, 3, 3], TipPoints=[12, 7, 6])
    assert_same(first, given(first, TipPoints=[12, 7, 6]))


def test_targets_give_the_same_two_way_times_and_connection():
    targets = points([(13, 0, 3), (3, -2.5, 8.2)], StartValue=np.array([0.5, 0]))
    first = solved(Targets=targets, TipPoints=TIPS)
    second = given(first, Targets=targets, TipPoints=TIPS)
    assert_same(first, second, ("TravelTime", "TimeFromTargets", "TwoWayTime", "Connectivity"))
    assert counts(second)[0] == 1  # from the targets
    back = given(first, "TimeFromTargets", TipPoints=TIPS)
    alone = solved(SeedPoints=[], Seeds=targets, TipPoints=TIPS)
    assert_same(alone, back)


def test_a_region_is_taken_from_its_array():
    mask = (np.arange(13 * 13 * 11) % 13 < 2) * 1.
    settings = {"SeedType": "Region", "SeedRegionArray": ["POINTS", "m"], "TipPoints": TIPS}
    first = solved(Input=image(extent=EXTENT, f=speed(), m=mask), SeedPoints=[], **settings)
    second = given(first, **settings)
    np.testing.assert_array_equal(lines(first, 1), lines(second, 1))
    assert counts(second) == (0, 1) and len(lines(second, 1)) > 10


def test_large_start_values_keep_the_accuracy_of_the_array():
    start = 1.7e9
    seeds = points([(4.3, 0.2, 2.9)], StartValue=np.array([start]), Label=np.array([7]))
    first = solved(SeedPoints=[], Seeds=seeds, TipPoints=TIPS)
    second = given(first, TipPoints=TIPS)
    assert array(output(second), "TravelTime") == pytest.approx(array(output(first), "TravelTime"), abs=1e-6)
    assert set(array(output(second), "SeedId")) == {7}
    assert lines(second, 1) == pytest.approx(lines(first, 1), abs=1e-3)


@pytest.mark.parametrize("order", [1, 2])
def test_derivatives_come_from_the_given_field(order):
    """A solve of second order keeps its times of first order for them; with given times they are solved again."""
    settings = {"TipPoints": TIPS, "ComputeSensitivity": 1, "Order": order, "Backend": "Host"}
    first = solved(**settings)
    second = given(first, **settings)
    np.testing.assert_array_equal(array(output(first), "SpeedSensitivity"), array(output(second), "SpeedSensitivity"))
    later = solved(**{**settings, "ComputeSensitivity": 0}) # the solve did not keep them
    later.ComputeSensitivity = 1
    later.UpdatePipeline()
    np.testing.assert_array_equal(array(output(first), "SpeedSensitivity"), array(output(later), "SpeedSensitivity"))


def test_a_part_of_a_field_keeps_its_balls(messages):
    """Of the two seeds one lies outside; its front is still known."""
    first = solved()
    part = given(simple.ExtractSubset(Input=first, VOI=[7, 14, -3, 9, 0, 10]), Isochrones=0)
    assert "1 of 2 seeds are not used: seed 0 at (4.3, 0.2, 2.9) lies outside the image" in messages()
    whole = array(output(first), "Gradient").reshape(11, 13, 13, 3)[:, :, 5:]
    cut = array(output(part), "Gradient").reshape(11, 13, 8, 3)
    near = np.linalg.norm(np.stack(np.meshgrid(np.arange(11) - 2.9, np.arange(-3, 10) - 0.2, np.arange(7, 15) - 4.3, indexing="ij")), axis=0) < 5
    near[:, :, 0] = False  # their earlier neighbours are cut off
    assert near.sum() > 40
    np.testing.assert_array_equal(cut[near], whole[near])


# ------------------------------------------------------------------------------------------------ bad input
def with_seeds(change):
    """Returns a solved field, with the numbers of its seeds changed."""
    data = copy(solved(Isochrones=0))
    seeds = change(vtk_to_numpy(data.GetFieldData().GetArray("TravelTimeSeeds")).copy())
    data.GetFieldData().RemoveArray("TravelTimeSeeds")
    if seeds is not None:
        replaced = numpy_to_vtk(seeds, deep=True)
        replaced.SetName("TravelTimeSeeds")
        data.GetFieldData().AddArray(replaced)
    return source(data)


def changed(component, value):
    def change(seeds):
        seeds[1, component] = value
        return seeds
    return change


@pytest.mark.parametrize("change, words", [
    (lambda seeds: None, ("no field data array 'TravelTimeSeeds'", "take both from the output")),
    (lambda seeds: np.ascontiguousarray(seeds[:, :4]), ("2 tuples of 4 numbers", "7 numbers per seed")),
    (lambda seeds: seeds[:0], ("0 tuples of 7 numbers",)),
    (changed(0, np.nan), ("X is nan in tuple 1",)),
    (changed(3, np.inf), ("StartValue is inf in tuple 1",)),
    (changed(4, -1), ("Slowness is -1 in tuple 1",)),
    (changed(5, np.nan), ("BallRadius is nan in tuple 1",)),
    (changed(6, 0.5), ("Label is 0.5 in tuple 1",)),
    (changed(4, np.nan), ("the slowness at seed 1 was nan", "give the speed of that solve")),
    (changed(4, 3), ("the slowness at seed 1 was 3", "give the speed of that solve")),
    (changed(0, 4), ("is later than that of seed 1 next to it",))])
def test_bad_seeds_are_refused(messages, change, words):
    assert_error(messages, given(with_seeds(change), Isochrones=0), *words)


def test_other_balls_are_taken_anew():
    proxy = given(with_seeds(lambda seeds: seeds), Isochrones=0)
    before = array(output(proxy), "Gradient")
    proxy.Input = with_seeds(changed(5, 3))
    proxy.UpdatePipeline()
    assert vtk_to_numpy(output(proxy).GetFieldData().GetArray("TravelTimeSeeds"))[1, 5] == 3
    assert not np.array_equal(array(output(proxy), "Gradient"), before)


def test_times_of_another_speed_are_refused(messages):
    data = copy(solved(Isochrones=0))
    vtk_to_numpy(data.GetPointData().GetArray("f"))[:] *= 2
    assert_error(messages, given(source(data), Isochrones=0), "the slowness at seed 0 was 0.833333", "and is 0.416667 now", "give the speed of that solve")


def test_a_barrier_with_a_time_is_refused(messages):
    data = copy(solved(Isochrones=0))
    vtk_to_numpy(data.GetPointData().GetArray("f"))[40] = 0
    assert_error(messages, given(source(data), Isochrones=0), "in a barrier, point (3, 0, 0)")


def test_other_times_are_refused(messages):
    less = simple.Calculator(Input=solved(Isochrones=0), ResultArrayName="TravelTime", Function="TravelTime - 5")
    assert_error(messages, given(less, Isochrones=0), "must not be earlier than the first start value, 0, got -0.0221")


def test_an_array_of_the_wrong_length_is_refused(messages):
    data = copy(solved(Isochrones=0))
    data.GetPointData().GetArray("TravelTime").SetNumberOfTuples(7)
    assert_error(messages, given(source(data), Isochrones=0), "'TravelTime'", "7")


def test_runs_of_single_seeds_are_refused(messages):
    assert_error(messages, given(solved(Isochrones=0), SeedRuns="Separate", Isochrones=0), "choose Seed Runs Together")


def test_an_array_without_seeds_is_refused(messages):
    assert_error(messages, given(solved(Isochrones=0), "f", Isochrones=0), "no field data array 'fSeeds' with the seeds of 'f'")
