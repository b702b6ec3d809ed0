"""Isochrone Ray Tracing: waves that are reflected or converted at an interface."""
import numpy as np
import pytest

from pipelines import (add_arrays, array, assert_error, cell_array, column, counts, image, image_data, lines, names,
                       output, points, ray_tracing, source, volume)
from ray_reference import dijkstra

SHAPE, DEEP = (1, 17, 21), 12  # the interface is row 12
ROWS = np.arange(17)[:, None] + np.zeros(21)
MASK, LABEL = (ROWS == DEEP).ravel(), np.where(ROWS <= DEEP, 3, 8).ravel()
VELOCITY, SECOND = (np.random.default_rng(seed).uniform(1, 3, SHAPE) for seed in (1, 2))
SHOT, RECEIVERS = (4, 2, 0), [(16, 1, 0), (7.5, 3.25, 0), (10, 12, 0)]
BY_MASK = {"Interface": "Mask", "InterfaceArray": ["POINTS", "mask"]}
BY_LABEL = {"Interface": "Label Boundary", "InterfaceArray": ["POINTS", "label"], "InterfaceLabel": 3}


def reflected(velocity=VELOCITY, **properties):
    data = image(v=velocity.ravel(), second=SECOND.ravel(), mask=MASK.astype(np.uint8), label=LABEL,
                 zero=np.zeros(357))
    settings = {"SourcePoints": SHOT, "ReceiverPoints": np.ravel(RECEIVERS), "DoublePrecision": 1, **properties}
    return ray_tracing(Input=data, **settings)


def two_legs(first, second, interface, start=SHOT, **options):
    there = dijkstra(first, {start: 0}, **options)
    starts = {tuple(at[::-1]): there[tuple(at)] for at in np.argwhere(interface)}
    return there, dijkstra(second, starts, **options)


def test_times_of_both_legs_agree_with_dijkstra():
    out = output(reflected(**BY_MASK))
    there, back = two_legs(1 / VELOCITY, 1 / VELOCITY, MASK.reshape(SHAPE))
    assert names(out.GetPointData())[-3:] == ["TravelTime", "ReflectedTravelTime", "Reached"]
    np.testing.assert_allclose(volume(out, "TravelTime"), there, rtol=1e-12)
    np.testing.assert_allclose(volume(out, "ReflectedTravelTime"), back, rtol=1e-12)
    assert out.GetPointData().GetScalars().GetName() == "TravelTime"


def test_converted_waves_travel_with_the_second_velocity():
    out = output(reflected(SecondVelocityArray=["POINTS", "second"], **BY_MASK))
    _, back = two_legs(1 / VELOCITY, 1 / SECOND, MASK.reshape(SHAPE))
    np.testing.assert_allclose(volume(out, "ReflectedTravelTime"), back, rtol=1e-12)


def test_the_boundary_of_a_label_has_neighbours_of_other_labels():
    for name in ("TravelTime", "ReflectedTravelTime"):
        assert array(output(reflected(**BY_MASK)), name).tobytes() == array(output(reflected(**BY_LABEL)), name).tobytes()


def test_waves_that_stay_in_the_label_do_not_pass_the_interface():
    out = output(reflected(StayInLabel=1, **BY_LABEL))
    inside = (LABEL == 3).reshape(SHAPE)
    there, back = two_legs(np.where(inside, 1 / VELOCITY, np.inf), np.where(inside, 1 / VELOCITY, np.inf), MASK.reshape(SHAPE))
    assert (volume(out, "Reached") == inside).all()
    for name, expected in (("TravelTime", there), ("ReflectedTravelTime", back)):
        np.testing.assert_allclose(volume(out, name)[inside], expected[inside], rtol=1e-12)


def test_labels_of_cells_with_velocities_of_cells():
    data = image_data()
    cells, label = np.random.default_rng(3).uniform(1, 3, (16, 20)), np.where(np.arange(16)[:, None] + np.zeros(20) < DEEP, 3, 8)
    add_arrays(data.GetCellData(), {"v": cells.ravel(), "label": label.ravel()})
    proxy = ray_tracing(Input=source(data), VelocityArray=["CELLS", "v"], WeightRule="Cells", SourcePoints=SHOT, DoublePrecision=1,
                        Interface="Label Boundary", InterfaceArray=["CELLS", "label"], InterfaceLabel=3, StayInLabel=1)
    slowness = np.where(label == 3, 1 / cells, np.inf)[None]
    _, back = two_legs(slowness, slowness, MASK.reshape(SHAPE), rule="Cells", shape=SHAPE)
    found = volume(output(proxy), "ReflectedTravelTime")
    assert (np.isnan(found) == np.isinf(back)).all()
    np.testing.assert_allclose(found[np.isfinite(back)], back[np.isfinite(back)], rtol=1e-12)


def test_reflections_in_a_homogeneous_medium_follow_the_mirror_image():
    n, h = 61, 0.05
    row = np.arange(n)[:, None] + np.zeros(n)
    receivers = [(2.5, 0.1, 0), (1.0, 0.6, 0), (0.5, 0.25, 0)]
    proxy = ray_tracing(Input=image(extent=(0, n - 1, 0, n - 1, 0, 0), spacing=(h, h, 1), v=np.full(n * n, 2.0),
                                    mask=(row == 40).astype(float).ravel()),
                        SourcePoints=[0.5, 0.25, 0], ReceiverPoints=np.ravel(receivers), Radius=[6, 6, 6], DoublePrecision=1, **BY_MASK)
    exact = [np.hypot(x - 0.5, 4 - y - 0.25) / 2 for x, y, _ in receivers]  # the interface lies at y = 2
    times = cell_array(output(proxy, 1), "TravelTime")
    # The wave turns only at points of the interface: up to half a spacing off, which adds (h / 2)^2 / (distance * v).
    bound = proxy.AngularErrorBound / 100
    assert all(t * (1 - 1e-12) <= found <= t * (1 + bound) + h ** 2 / 4 for t, found in zip(exact, times))


def test_reflected_rays_turn_at_the_interface():
    proxy = reflected(ComputeRayMatrix=1, **BY_MASK)
    rays, field = output(proxy, 1), volume(output(proxy), "ReflectedTravelTime")[0]
    assert list(cell_array(rays, "ReceiverId")) == [0, 1, 2] and list(cell_array(rays, "SourceId")) == [0] * 3
    for c, line in enumerate(lines(rays)):
        assert line[0] == pytest.approx(RECEIVERS[c]) and line[-1] == pytest.approx(SHOT)
        assert line[:, 1].max() == DEEP
        assert cell_array(rays, "Length")[c] == pytest.approx(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())
    assert cell_array(rays, "TravelTime")[0] == field[1, 16] and cell_array(rays, "TravelTime")[2] == field[12, 10]
    times = array(rays, "TravelTime")
    first = len(lines(rays)[0])
    assert (np.diff(times[:first]) < 0).all() and times[first - 1] == 0


@pytest.mark.parametrize("runs", ["Together", "Separate"])
def test_the_matrix_has_the_entries_of_both_legs(runs):
    proxy = reflected(ComputeRayMatrix=1, SourceRuns=runs, SecondVelocityArray=["POINTS", "second"], SourcePoints=[*SHOT, 18, 4, 0],
                      **BY_MASK)
    rays, table = output(proxy, 1), output(proxy, 2)
    row, element, weight, leg = (column(table, name) for name in ("RowId", "ElementId", "Weight", "Leg"))
    slowness = np.where(leg == 0, 1 / VELOCITY.ravel()[element], 1 / SECOND.ravel()[element])
    assert np.bincount(row, weight * slowness) == pytest.approx(cell_array(rays, "TravelTime"), rel=1e-9)
    assert rays.GetNumberOfCells() == (6 if runs == "Separate" else 3)
    assert (column(table, "SourceId") == cell_array(rays, "SourceId")[row]).all()


def test_separate_sources_are_reflected_separately():
    apart = output(reflected(SourceRuns="Separate", SourcePoints=[*SHOT, 18, 4, 0], **BY_MASK))
    for n, shot in enumerate((SHOT, (18, 4, 0))):
        alone = output(reflected(SourcePoints=shot, **BY_MASK))
        for name in ("TravelTime", "ReflectedTravelTime"):
            assert array(apart, f"{name}{n}").tobytes() == array(alone, name).tobytes()
    least = np.minimum(array(apart, "ReflectedTravelTime0"), array(apart, "ReflectedTravelTime1"))
    assert (array(apart, "ReflectedTravelTime") == least).all()


def test_each_leg_is_solved_once():
    proxy = reflected(**BY_MASK)
    assert counts(proxy) == (2, 1)
    for change, expected in (({"ReceiverPoints": [3, 3, 0]}, (2, 2)), (BY_LABEL, (2, 2)),
                             ({"SecondVelocityArray": ["POINTS", "second"]}, (3, 3)), ({"Interface": "None"}, (3, 4)),
                             ({"InterfaceLabel": 8}, (3, 4)), ({"Interface": "Label Boundary"}, (4, 5))):
        for name, value in change.items():
            setattr(proxy, name, value)
        proxy.UpdatePipeline()
        assert counts(proxy) == expected, change


@pytest.mark.parametrize("change, words", [
    ({"InterfaceArray": ["POINTS", "None"]}, ("no array defines it", "choose the Interface Array")),
    ({"InterfaceArray": ["POINTS", "nothing"]}, ("interface array 'nothing' is not on the input",)),
    ({"InterfaceLabel": 77}, ("no boundary of the label 77",)),
    ({"Interface": "Mask", "InterfaceArray": ["POINTS", "zero"]}, ("no interface", "'zero' is 0 at every point")),
    ({"SecondVelocityArray": ["POINTS", "nothing"]}, ("second velocity array 'nothing' is not on the input",))])
def test_an_invalid_interface(messages, change, words):
    proxy = reflected(**{**BY_LABEL, **change})
    assert_error(messages, proxy, *words)
    assert proxy.SolveCount == 0  # found before the long computation


def test_an_unreached_interface_is_reported(messages):
    velocity = VELOCITY.copy()
    velocity[0, 8] = 0
    out = output(reflected(velocity, ReceiverPoints=[], **BY_MASK))
    assert "no wave reaches the interface" in messages() and np.isnan(array(out, "ReflectedTravelTime")).all()


def test_receivers_without_a_reflection_are_reported(messages):
    proxy = reflected(StayInLabel=1, ReceiverPoints=[10, 5, 0, 10, 15, 0, 50, 0, 0], ComputeRayMatrix=1, **BY_LABEL)
    text = messages()
    assert "2 of 3 receivers" in text and "receiver 1 at (10, 15, 0) lies in a barrier" in text and "receiver 2" in text
    assert list(cell_array(output(proxy, 1), "ReceiverId")) == [0] and set(column(output(proxy, 2), "ReceiverId")) == {0}
    velocity = VELOCITY.copy()
    velocity[0, 8] = 0
    proxy = reflected(velocity, ReceiverPoints=[10, 5, 0], SourcePoints=[10, 15, 0], **BY_MASK)
    assert "receiver 0 at (10, 5, 0) cannot be reached from any source" in messages()
    assert output(proxy, 1).GetNumberOfCells() == 0
