"""Isochrone Image Travel Time with tensors: exact times of constant tensors for any image orientation, and bad input."""
import numpy as np
import pytest
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes

from pipelines import array, assert_error, cell_array, image, output, travel_time

OBLIQUE = np.radians(30)
TURN = np.array([[np.cos(OBLIQUE), -np.sin(OBLIQUE), 0], [np.sin(OBLIQUE), np.cos(OBLIQUE), 0], [0, 0, 1]])
THIRD_TURN = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
SPACE, PLANE = (0, 16, 0, 14, 0, 12), (0, 40, 0, 36, 0, 0)


def metric(ratio=3, angle=0.5, height=0.4):
    """Returns G of a medium with speed 1 along a direction and 1 / ratio across it."""
    v = np.array([np.cos(angle) * np.cos(height), np.sin(angle) * np.cos(height), np.sin(height)])
    return ratio**2 * np.eye(3) + (1 - ratio**2) * np.outer(v, v)


def components(tensor, number):
    """Returns the components: 3: xx yy xy; 4: row by row; 6: xx yy zz xy yz xz; 9: row by row."""
    t = np.asarray(tensor)
    if number in (4, 9):
        n = 2 if number == 4 else 3
        return t[:n, :n].ravel()
    symmetric = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)] if number == 6 else [(0, 0), (1, 1), (0, 1)]
    return np.array([t[i] for i in symmetric])


def constant(tensor, number, extent=SPACE, **frame):
    points = np.prod([extent[2 * a + 1] - extent[2 * a] + 1 for a in range(3)])
    return image(extent=extent, G=np.tile(components(tensor, number), (points, 1)), **frame)


def solve(input_, kind="Metric Tensor", **properties):
    return travel_time(Input=input_, SpeedArray=["POINTS", "G"], SpeedType=kind, SourceFactoring="Additive", **properties)


def assert_exact(proxy, seed, tensor):
    """Returns the metric distance from the seed, where the path does not run along the border."""
    out = output(proxy)
    way = np.array([np.subtract(out.GetPoint(p), seed) for p in range(out.GetNumberOfPoints())])
    exact = np.sqrt(np.einsum("pi,ij,pj->p", way, tensor, way))
    near = exact < 0.45 * exact.max()
    assert near.sum() > 100
    assert array(out, "TravelTime")[near] == pytest.approx(exact[near], rel=1e-2, abs=1e-6)  # the border causes some error
    assert np.median(np.abs(array(out, "TravelTime")[near] - exact[near])) < 1e-5 * exact.max()


# ------------------------------------------------------------------------------------------- constant tensors
@pytest.mark.parametrize("number", [6, 9])
@pytest.mark.parametrize("kind", ["Metric Tensor", "Squared Velocity Tensor"])
def test_a_constant_tensor_gives_the_metric_distance(number, kind):
    g = metric()
    tensor = g if kind == "Metric Tensor" else np.linalg.inv(g)
    assert_exact(solve(constant(tensor, number), kind, SeedPoints=[8, 7, 6]), (8, 7, 6), g)


@pytest.mark.parametrize("number", [3, 4])
def test_tensors_of_the_plane_are_along_the_axes_of_the_image(number):
    g = metric(height=0)
    turned = constant(g, number, PLANE, direction=TURN.ravel().tolist(), spacing=(1, 0.5, 1))
    seed = TURN @ (20, 9, 0)
    assert_exact(solve(turned, SeedPoints=seed), seed, TURN @ g @ TURN.T)


@pytest.mark.parametrize("direction", [TURN, THIRD_TURN, THIRD_TURN @ TURN])
@pytest.mark.parametrize("spacing", [(1, 1, 1), (-1, 0.8, 1.25)])
def test_tensors_of_space_are_along_the_axes_of_the_world(direction, spacing):
    g = metric(2)
    seed = direction @ (np.array(spacing) * (8, 7, 6))
    turned = constant(g, 6, direction=direction.ravel().tolist(), spacing=spacing)
    assert_exact(solve(turned, SeedPoints=seed), seed, g)


@pytest.mark.parametrize("kind", ["Metric Tensor", "Squared Velocity Tensor"])
def test_tensors_of_space_on_a_plane_give_times_within_the_plane(kind):
    g = metric(4, height=0.6)
    tensor = g if kind == "Metric Tensor" else np.linalg.inv(g)
    for extent, seed in ((PLANE, (20, 18, 0)), ((0, 40, 0, 0, 0, 36), (20, 0, 18))):
        assert_exact(solve(constant(tensor, 6, extent), kind, SeedPoints=seed), seed, g)


def test_isotropic_tensors_give_the_times_of_the_speed():
    rough = np.random.default_rng(3).uniform(0.5, 2, 41 * 37)
    tensors = np.outer(rough**2, components(np.eye(3), 6))
    input_ = image(extent=PLANE, f=rough, G=tensors)
    speed = travel_time(Input=input_, SpeedArray=["POINTS", "f"], SeedPoints=[20, 18, 0])
    tensor = travel_time(Input=input_, SpeedArray=["POINTS", "G"], SpeedType="Squared Velocity Tensor",
                         SeedPoints=[20, 18, 0])
    assert array(output(tensor), "TravelTime") == pytest.approx(array(output(speed), "TravelTime"), rel=2e-6)


def test_paths_gradients_and_connectivity_follow_the_tensors():
    g = metric(5, height=0)
    proxy = solve(constant(g, 3, PLANE), SeedPoints=[20, 18, 0], TipPoints=[26, 24, 0, 12, 20, 0],
                  Targets=image(extent=(8, 8, 30, 30, 0, 0)), ComputeGradient=1, CheckResidual=1)
    paths = output(proxy, 1)
    assert paths.GetNumberOfLines() == 3
    for tip, time in zip(((6, 6, 0), (-8, 2, 0)), cell_array(paths, "TravelTime")):
        assert time == pytest.approx(np.sqrt(np.array(tip) @ g @ tip), rel=2e-3)
    gradient = array(output(proxy), "Gradient")
    squares = np.einsum("pi,ij,pj->p", gradient, np.linalg.inv(g), gradient)
    assert np.median(squares) == pytest.approx(1, abs=0.1)
    assert array(output(proxy), "Connectivity").max() == 1


def test_barriers_are_tensors_of_zeros_nan_and_hidden_points():
    g = np.tile(components(metric(height=0), 3), (41 * 37, 1)).reshape(37, 41, 3)
    g[:, 10], g[:, 30] = 0, np.nan
    out = output(solve(image(extent=PLANE, G=g.reshape(-1, 3)), SeedPoints=[20, 18, 0]))
    reached = array(out, "Reached").reshape(37, 41)
    assert reached[:, 11:30].all() and not reached[:, :11].any() and not reached[:, 30:].any()
    hidden = np.zeros(41 * 37, np.uint8)
    hidden.reshape(37, 41)[:, 10] = vtkDataSetAttributes.HIDDENPOINT
    blanked = image(extent=PLANE, G=np.tile(components(metric(height=0), 3), (41 * 37, 1)),
                    **{vtkDataSetAttributes.GhostArrayName(): hidden})
    reached = array(output(solve(blanked, SeedPoints=[20, 18, 0])), "Reached").reshape(37, 41)
    assert reached[:, 11:].all() and not reached[:, :11].any()


# ------------------------------------------------------------------------------------------------- bad input
def test_tensors_that_are_not_positive_definite_are_counted_and_the_first_is_named(messages):
    g = np.tile(components(metric(), 6), (17 * 15 * 13, 1))
    g[[40, 41, 300], 0] = -1
    assert_error(messages, solve(image(extent=SPACE, G=g)), "3 tensors are not positive definite",
                 "point (6, 2, 0)", "barriers")


def test_a_squared_velocity_of_space_that_is_not_positive_definite_is_refused_on_a_plane(messages):
    g = np.tile(components(metric(height=0.5), 6), (41 * 37, 1))
    g[50, 2] = -1
    assert_error(messages, solve(image(extent=PLANE, G=g), "Squared Velocity Tensor"), "1 tensor is not", "(9, 1, 0)")


@pytest.mark.parametrize("extent, number", [(SPACE, 1), (SPACE, 3), (SPACE, 4), (PLANE, 1), (PLANE, 2), (PLANE, 5)])
def test_a_wrong_number_of_components_is_refused(messages, extent, number):
    points = np.prod([extent[2 * a + 1] + 1 for a in range(3)])
    proxy = solve(image(extent=extent, G=np.ones((points, number))))
    assert_error(messages, proxy, f"{number} component", "6 (xx yy zz xy yz xz) or 9", "Speed Type")


def test_tensors_that_are_not_symmetric_are_refused(messages):
    g = np.tile(np.eye(3).ravel(), (17 * 15 * 13, 1))
    g[18, 1] = 0.5
    assert_error(messages, solve(image(extent=SPACE, G=g)), "not symmetric", "point (1, 1, 0)", "symmetric part")


def test_tensors_need_an_array_at_points(messages):
    proxy = travel_time(Input=image(), SpeedType="Metric Tensor")
    assert_error(messages, proxy, "no array is chosen", "choose the Speed Array")


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("factoring", ["Additive", "Multiplicative"])
def test_a_constant_tensor_gives_the_metric_distance_in_both_orders_and_factorings(order, factoring):
    g = metric()
    proxy = travel_time(Input=constant(g, 6), SpeedArray=["POINTS", "G"], SpeedType="Metric Tensor", SourceFactoring=factoring,
                        Order=order, SeedPoints=[8, 7, 6])
    assert_exact(proxy, (8, 7, 6), g)


def test_the_second_order_is_more_accurate_even_on_a_coarse_image():
    g = metric()

    def error(order):
        out = output(travel_time(Input=constant(g, 6), SpeedArray=["POINTS", "G"], SpeedType="Metric Tensor", Order=order,
                                 SourceFactoring="Off", SeedPoints=[8, 7, 6]))
        way = np.array([np.subtract(out.GetPoint(p), (8, 7, 6)) for p in range(out.GetNumberOfPoints())])
        exact = np.sqrt(np.einsum("pi,ij,pj->p", way, g, way))
        near = exact < 0.45 * exact.max()  # the border causes some error
        return np.abs(array(out, "TravelTime") - exact)[near].mean()

    assert error(2) < 0.8 * error(1)
