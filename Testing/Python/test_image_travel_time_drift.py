"""Isochrone Image Travel Time: a vehicle in a current or a wind."""
import numpy as np
import pytest

from pipelines import add_arrays, array, assert_error, at, cell_array, counts, image, lines, names, output, points, travel_time

SIDE = 61
PLANE = {"extent": (0, SIDE - 1, 0, SIDE - 1, 0, 0)}
QUARTER = [0, -1, 0, 1, 0, 0, 0, 0, 1]  # direction matrix, by rows: the first axis points along world y
FERRY = {"DriftArray": ["POINTS", "v"], "SourceFactoring": "Additive", "SeedPoints": (20, 30, 0), "TipPoints": (45, 35, 0)}


def velocities(*v, points=SIDE * SIDE):
    return np.tile(v, (points, 1)).astype(float)


def whirl():
    """Returns a whirl around the centre, up to 0.7 of a speed of 1."""
    y, x = (np.mgrid[:SIDE, :SIDE] - 30) / 15
    size = 0.7 * np.exp((1 - x**2 - y**2) / 2)
    return np.stack([-y * size, x * size, 0 * x], axis=-1).reshape(-1, 3)


def ferry(v, frame=PLANE, **properties):
    arrays = {name: properties.pop(name) for name in ("speed", "wall") if name in properties}
    return travel_time(**{"Input": image(**frame, v=v, **arrays), **FERRY, **properties})


def zermelo(way, drift, speed=1.0):
    """Returns the t at which a vehicle has covered the way: |way - t drift| = t speed."""
    along, s = way @ drift, speed**2 - drift @ drift
    return (np.sqrt(along**2 + (way**2).sum(axis=-1) * s) - along) / s


# ------------------------------------------------------------------------------------------------------- travel times
@pytest.mark.parametrize("frame, seed, components",
                         [(PLANE, (20, 30, 0), 2), (PLANE, (20, 30, 0), 3),
                          ({"extent": (0, 0, 0, 60, 0, 60), "spacing": (1, 0.5, 2)}, (0, 10, 60), 2),
                          ({"extent": (0, 60, 0, 60, 0, 0), "direction": QUARTER}, (-30, 20, 0), 2),
                          ({"extent": (0, 24, 0, 20, 0, 22), "direction": QUARTER, "spacing": (1, 2, 1.5)}, (-16, 10, 15), 3)])
def test_a_constant_drift_gives_the_times_of_straight_lines_in_any_frame(frame, seed, components):
    drift = np.array([0, 0.5, -0.3]) if frame["extent"][1] == 0 else np.array([0.5, -0.3, 0.2 if frame["extent"][5] else 0])
    number = np.prod(np.diff(np.reshape(frame["extent"], (3, 2))) + 1)
    given = drift if components == 3 else drift[1:] if frame["extent"][1] == 0 else drift[:2]
    out = output(ferry(velocities(*given, points=number), frame, SeedPoints=seed, TipPoints=seed))
    way = np.array([np.subtract(out.GetPoint(p), seed) for p in range(out.GetNumberOfPoints())])
    exact = zermelo(way, drift)
    error = np.abs(array(out, "TravelTime") - exact)[exact > 0] / exact[exact > 0]  # of all points but the seed
    assert np.median(error) < 0.003 and error.max() < 0.1


def test_the_speed_array_is_the_speed_of_the_vehicle_in_the_medium():
    drift = np.array([0.5, 1.0])
    fast = ferry(velocities(*drift), speed=np.full(SIDE * SIDE, 2.5), SpeedArray=["POINTS", "speed"])
    constant = ferry(velocities(*drift), ConstantSpeed=2.5)
    assert at(output(fast), "TravelTime", (45, 35, 0)) == pytest.approx(zermelo(np.array([25.0, 5]), drift, 2.5), rel=1e-3)
    assert array(output(fast), "TravelTime") == pytest.approx(array(output(constant), "TravelTime"), rel=1e-5)
    slow = ferry(velocities(*drift), speed=np.full(SIDE * SIDE, 0.4), SpeedArray=["POINTS", "speed"], SpeedType="Slowness")
    assert array(output(slow), "TravelTime") == pytest.approx(array(output(constant), "TravelTime"), rel=1e-5)


def test_tensors_are_squared_speeds_in_the_medium():
    v, number = np.array([0.3, 0.2, 0]), SIDE * SIDE
    input_ = image(**PLANE, v=velocities(*v), m=np.tile([1.0, 1.0, 1.0, 0, 0, 0], (number, 1)))
    tensor = travel_time(Input=input_, SpeedArray=["POINTS", "m"], SpeedType="Squared Velocity Tensor", **FERRY)
    assert array(output(tensor), "TravelTime") == pytest.approx(array(output(ferry(velocities(*v))), "TravelTime"), rel=1e-5)


def test_a_drift_of_zero_gives_the_bits_of_no_drift():
    still, none = ferry(velocities(0, 0)), ferry(velocities(0, 0), DriftArray=None)
    assert (array(output(still), "TravelTime") == array(output(none), "TravelTime")).all()
    assert (lines(output(still, 1))[0] == lines(output(none, 1))[0]).all()


def test_the_way_back_takes_another_time():
    there = at(output(ferry(whirl())), "TravelTime", (45, 35, 0))
    back = at(output(ferry(whirl(), SeedPoints=(45, 35, 0))), "TravelTime", (20, 30, 0))
    assert there > 1.1 * back
    reversed_ = at(output(ferry(-whirl(), SeedPoints=(45, 35, 0))), "TravelTime", (20, 30, 0))
    assert reversed_ == pytest.approx(there, rel=0.01)


def test_targets_are_reached_with_the_drift():
    proxy = ferry(whirl(), Targets=points([(45, 35, 0)]))
    out, there = output(proxy), at(output(proxy), "TravelTime", (45, 35, 0))
    assert at(out, "TimeFromTargets", (20, 30, 0)) == pytest.approx(there, rel=0.01)
    assert np.nanmin(array(out, "TwoWayTime")) == pytest.approx(there, rel=0.01)
    way = lines(output(proxy, 1))[-1]
    assert way[[0, -1]] == pytest.approx(np.array([[45, 35, 0], [20, 30, 0]]), abs=1e-6)
    one_way = lines(output(ferry(whirl()), 1))[0]
    apart = np.linalg.norm(way[:, None] - one_way, axis=-1).min(axis=1)
    assert np.median(apart) < 0.5 and apart.max() < 1.5


def test_points_whose_drift_is_not_a_number_are_land():
    v = whirl()
    land = np.arange(SIDE * SIDE) % SIDE == 40
    v[land] = np.nan
    out = output(ferry(v, TipPoints=(30, 20, 0)))
    assert np.isnan(array(out, "TravelTime")[np.arange(SIDE * SIDE) % SIDE >= 40]).all()
    assert array(out, "Reached").sum() == 40 * SIDE


def test_cell_arrays_are_averaged():
    v = velocities(0.4, 0.1, points=(SIDE - 1)**2)
    data = image(**PLANE)
    add_arrays(data.GetClientSideObject().GetOutputDataObject(0).GetCellData(), {"v": v})
    out = output(travel_time(**{"Input": data, **FERRY, "DriftArray": ["CELLS", "v"], "AverageCellData": 1}))
    assert array(out, "TravelTime") == pytest.approx(array(output(ferry(velocities(0.4, 0.1))), "TravelTime"), rel=1e-5)


def test_the_gradient_has_the_direction_of_the_vehicle():
    v = whirl()
    g = array(output(ferry(v, ComputeGradient=1)), "Gradient")
    left = np.linalg.norm(g, axis=1) + (g * v).sum(axis=1)
    assert np.median(np.abs(left - 1)) < 0.005  # of all points, with factoring


# -------------------------------------------------------------------------------------------------------------- paths
def test_medium_paths_are_the_paths_over_ground_minus_the_drift():
    proxy = ferry(velocities(0.3, 0.4), AddMediumPaths=1, Tips=points([(45, 35, 0), (20, 50, 0)], Name=np.array([7, 8])))
    out = output(proxy, 1)
    assert list(cell_array(out, "Frame")) == [0, 0, 1, 1] and list(cell_array(out, "TipId")) == [0, 1, 0, 1]
    assert list(cell_array(out, "Name")) == [7, 8, 7, 8]
    assert out.GetFieldData().GetAbstractArray("TipStatus").GetNumberOfValues() == 2
    ground, medium = lines(out)[1], lines(out)[3]
    time = zermelo(np.array([0.0, 20]), np.array([0.3, 0.4]))
    assert medium[0] == pytest.approx(ground[0] - time * np.array([0.3, 0.4, 0]), abs=0.05)
    # In the medium the vehicle has speed 1 and no drift: it goes straight.
    assert cell_array(out, "Length")[3] == pytest.approx(time, rel=0.005)
    assert cell_array(out, "Length")[3] == pytest.approx(np.linalg.norm(medium[-1] - medium[0]), rel=0.005)
    assert "Frame" not in names(output(ferry(velocities(0, 0), AddMediumPaths=1, DriftArray=None), 1).GetCellData())


def test_in_the_medium_the_vehicle_has_its_speed():
    out = output(ferry(whirl(), AddMediumPaths=1, TipPoints=(45, 35, 0)), 1)
    ground, medium = lines(out)
    assert cell_array(out, "Length")[1] == pytest.approx(cell_array(out, "TravelTime")[1], rel=0.02)
    assert np.linalg.norm(ground - medium, axis=1).max() > 5


def test_a_moved_tip_is_traced_without_solving_again():
    proxy = ferry(whirl())
    before = counts(proxy)
    proxy.TipPoints = (40, 20, 0)
    proxy.UpdatePipeline()
    assert counts(proxy)[0] == before[0] and counts(proxy)[1] == before[1] + 1
    proxy.ConstantSpeed = 2
    proxy.UpdatePipeline()
    assert counts(proxy)[0] == before[0] + 1


# ---------------------------------------------------------------------------------------------------------- bad input
def test_a_drift_as_fast_as_the_vehicle_is_refused_with_its_place(messages):
    v = velocities(0.2, 0, 0)
    v[5 + 7 * SIDE] = 3, 0, 0
    assert_error(messages, ferry(v), "the drift must be below 0.999 of the speed", "point (5, 7, 0)", "3 of the speed", "raise the speed")


def test_a_fast_drift_in_a_barrier_does_not_matter(messages):
    v, wall = velocities(0.2, 0, 0), np.zeros(SIDE * SIDE, np.uint8)
    v[5 + 7 * SIDE], wall[5 + 7 * SIDE] = (3, 0, 0), 1
    assert array(output(ferry(v, wall=wall, BarrierArray=["POINTS", "wall"])), "Reached").sum() == SIDE * SIDE - 1
    assert messages() == ""


@pytest.mark.parametrize("properties, words", [({"Order": 2}, "the second order is not possible in a drift"),
                                               ({"SourceFactoring": "Multiplicative"}, "choose order 1, and Additive or Off")])
def test_refinements_are_refused_with_the_remedy(messages, properties, words):
    assert_error(messages, ferry(whirl(), **properties), words)


@pytest.mark.parametrize("v, words", [(velocities(0.1), "1 components, but 2 or 3 are needed"),
                                      (velocities(0.1, 0, 0, 0), "4 components, but 2 or 3 are needed")])
def test_other_numbers_of_components_are_refused(messages, v, words):
    assert_error(messages, ferry(v), words, "Drift Array")


def test_two_components_in_a_volume_are_refused(messages):
    proxy = ferry(velocities(0.1, 0, points=5**3), {"extent": (0, 4, 0, 4, 0, 4)}, SeedPoints=(2, 2, 2), TipPoints=(1, 1, 1))
    assert_error(messages, proxy, "2 components, but 3 are needed")


def test_a_drift_out_of_the_plane_is_ignored_with_a_warning(messages):
    out = output(ferry(velocities(0.3, 0, 0.2)))
    text = messages()
    assert text.count("Warning") == 1 and "out of the plane of the image, up to 0.2" in text
    assert (array(out, "TravelTime") == array(output(ferry(velocities(0.3, 0, 0))), "TravelTime")).all()
