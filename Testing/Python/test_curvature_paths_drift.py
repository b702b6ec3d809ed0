"""Isochrone Curvature Paths: a vehicle in a current or a wind."""
import numpy as np
import pytest

from pipelines import (QUARTER_TURN, array, assert_error, at, cell_array, counts, curvature_paths, image, image_data, lines,
                       names, output, plane, points, source)

SIDE = 41
WIDE = {"extent": (0, 40, 0, 40, 0, 0)}
BOAT = {"Model": "Dubins", "TurningRadius": 5.0, "NumberOfHeadings": 32, "SeedPoints": (10, 20, 0),
        "TipPoints": (30, 25, 0), "DriftArray": ["POINTS", "v"]}


def velocities(x, y=0.0, z=None):
    """Returns a constant drift of 2 or 3 components."""
    return np.tile([x, y] if z is None else [x, y, z], (SIDE * SIDE, 1)).astype(float)


def whirl():
    """Returns a whirl around the centre, slower than 1 everywhere."""
    y, x = np.mgrid[:SIDE, :SIDE] / 20 - 1
    speed = 0.6 * np.cos(np.pi * x / 2) * np.cos(np.pi * y / 2)
    return np.stack([-y * speed, x * speed, 0 * x], axis=-1).reshape(-1, 3)


def boat(v, **properties):
    return curvature_paths(**{"Input": image(**WIDE, v=v), **BOAT, **properties})


def unit(degrees):
    return np.c_[np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]


def test_zero_drift_is_the_plain_problem_at_the_speed_of_the_vehicle():
    still = boat(velocities(0), VehicleSpeed=2.0)
    plain = boat(velocities(0), DriftArray=None)
    assert 2 * array(output(still), "TravelTime") == pytest.approx(array(output(plain), "TravelTime"), rel=1e-5)
    assert lines(output(still, 1))[0] == pytest.approx(lines(output(plain, 1))[0], abs=1e-3)


@pytest.mark.parametrize("accuracy, downstream, upstream",
                         [("First Order", 0.17, 0.14), ("Seed Ball", 0.06, 0.12), ("Second Order", 0.02, 0.09)])
def test_going_with_the_current_is_faster_than_against_it(accuracy, downstream, upstream):
    ahead = {v: plane(output(boat(velocities(v), Accuracy=accuracy)), "TravelTime")[20, 35] for v in (0.5, -0.5)}
    assert ahead[0.5] == pytest.approx(25 / 1.5, rel=downstream) and ahead[-0.5] == pytest.approx(25 / 0.5, rel=upstream)


def test_time_scales_with_all_velocities_and_cost_is_per_time():
    v = whirl()
    one = array(output(boat(v)), "TravelTime")
    assert array(output(boat(2 * v, VehicleSpeed=2.0)), "TravelTime") == pytest.approx(one / 2, rel=1e-5)
    dear = boat(v, Input=image(**WIDE, v=v, c=np.full(SIDE * SIDE, 3.0)), CostArray=["POINTS", "c"])
    assert array(output(dear), "TravelTime") == pytest.approx(3 * one, rel=1e-5)


def test_plane_has_the_heading_of_the_vehicle_and_the_direction_of_its_track():
    v = whirl()
    out = output(boat(v, VehicleSpeed=1.5))
    assert names(out.GetPointData()) == ["v", "TravelTime", "TrackDirection", "SeedId", "Reached", "Heading"]
    over_ground = 1.5 * unit(array(out, "Heading")) + v[:, :2]
    over_ground /= np.linalg.norm(over_ground, axis=1)[:, None]
    assert over_ground == pytest.approx(unit(array(out, "TrackDirection")), abs=1e-5)
    assert (0 <= array(out, "Heading")).all() and (array(out, "Heading") <= 360).all()


def test_paths_have_both_directions_and_move_along_the_track():
    out = output(boat(velocities(0.1, 0.4), VehicleSpeed=1.5, SeedHeadings=[0]), 1)
    assert {"Heading", "TrackDirection"} <= set(names(out.GetPointData()))
    over_ground = 1.5 * unit(array(out, "Heading")) + [0.1, 0.4]
    over_ground /= np.linalg.norm(over_ground, axis=1)[:, None]
    assert over_ground == pytest.approx(unit(array(out, "TrackDirection")), abs=1e-6)
    assert array(out, "Tangent")[:, :2] == pytest.approx(over_ground, abs=1e-6)
    assert array(out, "Heading")[-1] == pytest.approx(0, abs=360 / 32)  # at the seed: the vehicle's heading, not the track's


def test_medium_paths_are_the_paths_over_ground_minus_the_drift():
    proxy = boat(velocities(0.3, 0.4), AddMediumPaths=1, Tips=points([(30, 25, 0), (20, 35, 0)], Name=np.array([7, 8])))
    out = output(proxy, 1)
    assert list(cell_array(out, "Frame")) == [0, 0, 1, 1]
    assert list(cell_array(out, "TipId")) == [0, 1, 0, 1] and list(cell_array(out, "Name")) == [7, 8, 7, 8]
    assert out.GetFieldData().GetAbstractArray("TipStatus").GetNumberOfValues() == 2
    ground, _, medium, _ = lines(out)
    time = array(out, "ElapsedTime")[:len(ground)]
    assert time[0] == pytest.approx(array(out, "TravelTime")[0], rel=0.08) and time[-1] == 0
    assert ground - medium == pytest.approx(time[:, None] * [0.3, 0.4, 0], abs=1e-5)
    half = out.GetNumberOfPoints() // 2
    assert (array(out, "Heading")[:half] == array(out, "Heading")[half:]).all()
    assert array(out, "Tangent")[half:, :2] == pytest.approx(unit(array(out, "Heading")[half:]), abs=1e-9)
    assert cell_array(out, "Length")[2] == pytest.approx(time[0], rel=1e-3)  # it moves at its own speed


def test_paths_in_the_medium_keep_the_turning_radius():
    tight = output(boat(velocities(0.3, 0.4), AddMediumPaths=1, NumberOfHeadings=96, TipHeadings=[180]), 1)
    medium = abs(array(tight, "Curvature")[tight.GetNumberOfPoints() // 2:])
    assert np.quantile(medium, 0.95) > 0.95 / 5 and medium.max() <= 1.02 / 5


def test_medium_paths_without_current_equal_the_paths_over_ground():
    out = output(boat(velocities(0), AddMediumPaths=1), 1)
    ground, medium = lines(out)
    assert medium == pytest.approx(ground, abs=1e-9)
    half = out.GetNumberOfPoints() // 2
    for name in ("Heading", "Curvature", "Tangent", "ArcLength", "TravelTime"):
        assert array(out, name)[half:] == pytest.approx(array(out, name)[:half], abs=1e-4), name


def test_medium_paths_are_off_by_default_and_need_no_solve():
    proxy = boat(velocities(0.3))
    assert not output(proxy, 1).GetCellData().HasArray("Frame")
    proxy.AddMediumPaths = 1
    proxy.UpdatePipeline()
    assert counts(proxy) == (1, 1) and output(proxy, 1).GetNumberOfCells() == 2


@pytest.mark.parametrize("normal", [0, 1, 2])
def test_velocities_are_along_the_axes_of_the_world_in_every_plane(normal):
    first, second = [a for a in range(3) if a != normal]
    v, extent = whirl(), [4] * 6
    extent[2 * first:2 * first + 2], extent[2 * second:2 * second + 2] = (0, 40), (0, 40)

    def world(x, y):
        point = [0.0] * 3
        point[first], point[second], point[normal] = x, y, 4
        return point

    turned = np.zeros_like(v)
    turned[:, [first, second]] = v[:, :2]
    flat = output(boat(v))
    for velocity in (turned, turned[:, [first, second]]):
        there = boat(velocity, Input=image(extent=extent, v=velocity), SeedPoints=world(10, 20), TipPoints=world(30, 25))
        assert array(output(there), "TravelTime") == pytest.approx(array(flat, "TravelTime"), rel=1e-5)


@pytest.mark.parametrize("components", [2, 3])
def test_direction_matrix_rotates_the_image_but_not_the_drift(components):
    """The image's first axis points along world y, its second along world -x."""
    v = whirl()
    turned = np.c_[-v[:, 1], v[:, 0], v[:, 2]][:, :components]
    there = boat(turned, Input=image(**WIDE, direction=QUARTER_TURN, v=turned), SeedPoints=(-20, 10, 0),
                 TipPoints=(-25, 30, 0))
    assert array(output(there), "TravelTime") == pytest.approx(array(output(boat(v)), "TravelTime"), rel=1e-5)


def test_negative_spacing_does_not_rotate_the_drift():
    v = whirl().reshape(SIDE, SIDE, 3)[:, ::-1].reshape(-1, 3)  # the same whirl, with reversed columns
    there = boat(v, Input=image(**WIDE, spacing=(-1, 1, 1), origin=(40, 0, 0), v=v))
    mirrored = plane(output(boat(whirl())), "TravelTime")[:, ::-1]
    assert plane(output(there), "TravelTime") == pytest.approx(mirrored, rel=2e-4)


def test_drift_out_of_the_plane_is_ignored_with_a_warning(messages):
    rising = velocities(0.3, 0.1, 0.0)
    rising[100, 2] = 0.2
    there = boat(rising)
    assert "out of the plane" in messages() and "0.2" in messages() and "point (18, 2, 0)" in messages()
    assert array(output(there), "TravelTime") == pytest.approx(
        array(output(boat(velocities(0.3, 0.1))), "TravelTime"), rel=1e-6)


def test_drift_beyond_the_scheme_is_refused_by_place(messages):
    fast = velocities(0.3, 0.1, 0.0)
    fast[100, 0] = 1.6
    wall = (np.arange(SIDE * SIDE) == 100).astype(np.uint8)
    boat(fast, VehicleSpeed=2.4)
    boat(fast, VehicleSpeed=2.0, Input=image(**WIDE, v=fast, w=wall), WallArray=["POINTS", "w"])
    assert "too short" not in messages()
    boat(fast, VehicleSpeed=2.0)
    assert "0.8" in messages() and "point (18, 2, 0)" in messages() and "too short" in messages()


def test_state_space_has_the_direction_of_the_track_as_its_third_axis():
    space = output(boat(velocities(0.3), ComputeStateSpace=1), 2)
    assert "track" in space.GetFieldData().GetAbstractArray("ThirdAxis").GetValue(0)
    assert np.nanmin(array(space, "TravelTime")) == 0


def test_elastica_and_different_right_radii_support_a_drift():
    v = whirl()
    for settings in ({"Model": "Elastica"}, {"RightTurningRadius": 10.0}, {"CurvatureShift": 0.05}):
        other, plain = (array(output(boat(v, Accuracy="First Order", **s)), "TravelTime") for s in (settings, {}))
        assert abs(other - plain).max() > 0.5


def test_tighter_right_turns_mirror_tighter_left_turns():
    right = plane(output(boat(velocities(0.3), SeedHeadings=[0], TurningRadius=8.0, RightTurningRadius=4.0)), "TravelTime")
    left = plane(output(boat(velocities(0.3), SeedHeadings=[0], TurningRadius=4.0, RightTurningRadius=8.0)), "TravelTime")
    assert right[::-1] == pytest.approx(left, rel=1e-4)
    assert abs(right - left).max() > 1


def test_drift_in_walls_has_no_effect():
    walls = np.zeros((SIDE, SIDE), np.uint8)
    walls[:8] = 1
    calm, unknown = velocities(0.3), velocities(0.3)
    unknown[walls.ravel() > 0] = np.nan
    there, here = (output(boat(v, Input=image(**WIDE, v=v, w=walls.ravel()), WallArray=["POINTS", "w"]))
                   for v in (unknown, calm))
    assert (array(there, "TravelTime") == array(here, "TravelTime"))[walls.ravel() == 0].all()


def test_drift_is_off_by_default():
    data = image_data(**WIDE, v=velocities(0.3, 0, 0))
    data.GetPointData().SetActiveVectors("v")
    assert curvature_paths(Input=source(data)).DriftArray[1] == "None"


@pytest.mark.parametrize("change, solves", [({"VehicleSpeed": 2.0}, 2), ({"DriftArray": ["POINTS", "None"]}, 2),
                                            ({"TipPoints": (20, 30, 0)}, 1), ({"Threads": 2}, 1)])
def test_changes_of_the_drift_solve_again(change, solves):
    proxy = boat(velocities(0.3))
    for name, value in change.items():
        setattr(proxy, name, value)
    proxy.UpdatePipeline()
    assert counts(proxy)[0] == solves


def test_vehicle_speed_has_no_effect_without_a_drift():
    proxy = boat(velocities(0.3), DriftArray=None)
    proxy.VehicleSpeed = -3
    proxy.UpdatePipeline()
    assert counts(proxy)[0] == 1


def test_drift_as_fast_as_the_vehicle_is_refused_by_place(messages):
    v = velocities(0.3, 0)
    v[100] = (0.6, 0.8)
    assert_error(messages, boat(v), "drift", "slower than the vehicle", "point (18, 2, 0)", "speed")


def test_drift_with_nan(messages):
    v = velocities(0.3)
    v[100, 1] = np.nan
    assert_error(messages, boat(v), "drift", "finite", "point (18, 2, 0)", "wall")


@pytest.mark.parametrize("v", [np.ones((SIDE * SIDE, 4)), np.ones(SIDE * SIDE)])
def test_drift_with_a_wrong_number_of_components(messages, v):
    assert_error(messages, boat(v), "drift", "components", "2 or 3")


def test_drift_of_two_components_on_an_oblique_image(messages):
    c, s = np.cos(0.5), np.sin(0.5)
    oblique = image(**WIDE, direction=(1, 0, 0, 0, c, -s, 0, s, c), v=velocities(0.3))
    assert_error(messages, boat(velocities(0), Input=oblique), "oblique", "3")


@pytest.mark.parametrize("speed", [0, -1, np.nan])
def test_speed_that_is_not_positive(messages, speed):
    assert_error(messages, boat(velocities(0), VehicleSpeed=speed), "speed of the vehicle", str(speed))


@pytest.mark.parametrize("settings, words", [({"TurningRadius": 0.0}, ("turning radius", "got 0")),
                                             ({"RightTurningRadius": -2.0}, ("right turning radius", "-2"))])
def test_radius_that_is_not_positive(messages, settings, words):
    assert_error(messages, boat(velocities(0.3), **settings), *words)


def test_models_that_turn_on_the_spot_refuse_a_drift(messages):
    assert_error(messages, boat(velocities(0.3), Model="Reeds-Shepp"), "drift", "Dubins")


def test_turning_radius_array_with_a_drift(messages):
    v = velocities(0.3)
    proxy = boat(v, Input=image(**WIDE, v=v, xi=np.ones(SIDE * SIDE)), TurningRadiusArray=["POINTS", "xi"])
    assert_error(messages, proxy, "Turning Radius Array", "None")


def test_drift_on_cells(messages):
    assert_error(messages, boat(velocities(0.3), DriftArray=["CELLS", "v"]), "cell array", "Cell Data To Point Data")
