"""Isochrone Mesh Travel Time: derivatives of the travel times of tips by what defines the speed and by start values."""
import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy

from pipelines import array, assert_error, cell_array, counts, cube, mesh, mesh_travel_time, names, output, points, port_of

AT, CELLS = cube(5)
CENTRES = AT[CELLS].mean(axis=1)
SEED, OTHER_SEED = (0.11, 0.22, 0.13), (0.9, 0.85, 0.8)
TIPS = [(0.83, 0.71, 0.92), (0.4, 0.95, 0.3), (0.7, 0.1, 0.55)]
WEIGHTS = np.array([2.0, -0.5, 1.0])


def smooth(x):
    return 1 + 0.3 * np.sin(4 * x[:, 0]) * np.cos(5 * x[:, 1]) + 0.2 * x[:, 2]


def bump(x):
    return np.exp(-((x - 0.5)**2).sum(axis=1) / 0.1)


def front(at={}, of={}, **properties):
    settings = {"Input": mesh(AT, CELLS, at, of), "SeedPoints": SEED, "Tips": points(TIPS, Weight=WEIGHTS), "ComputeSensitivity": 1}
    return mesh_travel_time(**{**settings, **properties})


def field(proxy, name):
    return vtk_to_numpy(output(proxy).GetFieldData().GetArray(name))


def objective(proxy):
    return field(proxy, "Objective")[0]


def fibres(x):
    return np.stack([np.cos(2 * x[:, 2]), np.sin(2 * x[:, 2]), np.zeros(len(x))], axis=1)


def tensors(x):
    f = fibres(x)
    m = 0.2 * np.eye(3) + (0.6 * smooth(x))[:, None, None] * f[:, :, None] * f[:, None, :]
    return np.stack([m[:, 0, 0], m[:, 1, 1], m[:, 2, 2], m[:, 0, 1], m[:, 1, 2], m[:, 0, 2]], axis=1)


TRIPLE = np.array([0.9, 0.6, 0.4])
F = {"f": fibres(CENTRES), "s": np.tile([0.0, 0, 1], (len(CELLS), 1))}
WITH_SHEETS = {"FibreArray": ["CELLS", "f"], "SheetArray": ["CELLS", "s"]}
velocities = lambda x: smooth(x)[:, None] * TRIPLE
# What defines the speed, where, its sensitivity, the degree of the times in it, further arrays and properties.
CASES = {
    "speeds of cells": (smooth, "CELLS", "SpeedSensitivity", -1, {}, {"SpeedType": "Scalar", "SpeedArray": ["CELLS", "v"]}),
    "speeds at points": (smooth, "POINTS", "SpeedSensitivity", -1, {}, {"SpeedType": "Scalar", "SpeedArray": ["POINTS", "v"]}),
    "factors": (smooth, "CELLS", "SpeedSensitivity", -1, F, {"SpeedType": "Fibres", "SpeedArray": ["CELLS", "v"], **WITH_SHEETS}),
    "velocities": (velocities, "CELLS", "ConductionVelocitySensitivity", -1, F,
                   {"SpeedType": "Fibres", "SpeedArray": ["CELLS", "v"], **WITH_SHEETS}),
    "conductivities": (velocities, "POINTS", "ConductivitySensitivity", -0.5, F,
                       {"SpeedType": "Conductivities", "VelocityScale": 0.7, "SpeedArray": ["POINTS", "v"], **WITH_SHEETS}),
    "tensors": (tensors, "CELLS", "TensorSensitivity", -0.5, {}, {"SpeedType": "Tensor", "TensorArray": ["CELLS", "v"]}),
}


def case_front(case, change=0.0, **properties):
    """Returns the filter, the numbers that define its speed, and their derivatives' name, place and degree."""
    function, place, name, degree, cells, settings = CASES[case]
    where = CENTRES if place == "CELLS" else AT
    v = function(where)
    v = v * (1 + change * bump(where).reshape((-1,) + (1,) * (v.ndim - 1)))
    at, of = ({"v": v}, cells) if place == "POINTS" else ({}, {"v": v, **cells})
    return front(at, of, **{**settings, **properties}), v, name, place, degree


def sensitivity(proxy, name, place):
    return (array if place == "POINTS" else cell_array)(output(proxy), name)


@pytest.mark.parametrize("case", CASES)
def test_derivatives_add_up_to_the_objective(case):
    """Travel times are homogeneous in what defines the speed, and linear in the start values."""
    proxy, v, name, place, degree = case_front(case, Seeds=points([SEED, OTHER_SEED], StartValue=np.array([0.5, 0.7])))
    d, starts = sensitivity(proxy, name, place), field(proxy, "StartValueSensitivity")
    assert d.shape == v.shape
    assert (d * v).sum() / degree + starts @ [0.5, 0.7] == pytest.approx(objective(proxy), rel=1e-5)
    assert starts.sum() == pytest.approx(WEIGHTS.sum(), rel=1e-9) and (starts != 0).all()


@pytest.mark.parametrize("case", CASES)
def test_sensitivity_predicts_the_effect_of_another_region(case):
    step = 1e-3
    more, less = (objective(case_front(case, s)[0]) for s in (step, -step))
    proxy, v, name, place, _ = case_front(case)
    where = CENTRES if place == "CELLS" else AT
    exact = (sensitivity(proxy, name, place) * v * bump(where).reshape((-1,) + (1,) * (v.ndim - 1))).sum()
    assert (more - less) / (2 * step) == pytest.approx(exact, rel=0.01)


@pytest.mark.parametrize("kind, values, name", [("Constant", "ConstantSpeed", "SpeedSensitivity"),
                                                ("Fibres", "ConductionVelocities", "ConductionVelocitySensitivity"),
                                                ("Conductivities", "Conductivities", "ConductivitySensitivity")])
def test_sums_over_the_cells_are_the_derivatives_by_the_numbers_in_the_panel(kind, values, name):
    def of(numbers):
        return front(of=F, SpeedType=kind, SpeedArray=None, **{values: numbers, **(WITH_SHEETS if kind != "Constant" else {})})
    here = np.array([1.3]) if kind == "Constant" else TRIPLE
    total = cell_array(output(of(here)), name).reshape(len(CELLS), -1).sum(axis=0)
    for c, exact in enumerate(total):
        step = 1e-3 * np.eye(len(here))[c]
        assert (objective(of(here + step)) - objective(of(here - step))) / 2e-3 == pytest.approx(exact, rel=0.01, abs=1e-3)


def test_start_value_sensitivity_predicts_later_starts():
    def late(s):
        return front(Seeds=points([SEED, OTHER_SEED], StartValue=np.array([0, s])), SpeedType="Constant")
    assert (objective(late(0.101)) - objective(late(0.099))) / 0.002 == pytest.approx(
        field(late(0.1), "StartValueSensitivity")[1], abs=0.01)


def test_onset_times_have_one_more_start_value():
    onset = np.full(len(AT), -1.0)
    onset[-1] = 0.2
    proxy = front({"o": onset}, SpeedType="Constant", OnsetTimeArray=["POINTS", "o"])
    starts = field(proxy, "StartValueSensitivity")
    assert len(starts) == 2 and starts.sum() == pytest.approx(WEIGHTS.sum(), rel=1e-9) and starts[1] != 0


def test_a_large_start_value_only_moves_the_objective():
    late, early = (front(Seeds=points([SEED], StartValue=np.array([s])), SpeedType="Constant") for s in (1.7e9, 0))
    assert (cell_array(output(late), "SpeedSensitivity") == cell_array(output(early), "SpeedSensitivity")).all()
    assert objective(late) == pytest.approx(WEIGHTS.sum() * 1.7e9 + objective(early), abs=1e-5)


def test_other_weights_and_the_request_itself_need_no_second_solve():
    proxy = front(SpeedType="Constant", ComputeSensitivity=0)
    all_names = lambda: names(output(proxy).GetCellData()) + names(output(proxy).GetFieldData())
    assert not [n for n in all_names() if "Sensitivity" in n or n == "Objective"]
    proxy.ComputeSensitivity = 1
    proxy.UpdatePipeline()
    before = cell_array(output(proxy), "SpeedSensitivity").copy()
    proxy.Tips = points(TIPS, Weight=-2 * WEIGHTS)
    proxy.UpdatePipeline()
    assert cell_array(output(proxy), "SpeedSensitivity") == pytest.approx(-2 * before, rel=1e-9)
    assert counts(proxy) == (1, 1)
    proxy.ComputeSensitivity = 0
    proxy.UpdatePipeline()
    assert not [n for n in all_names() if "Sensitivity" in n] and counts(proxy) == (1, 1)


def test_same_derivatives_for_any_thread_count():
    one, two = (case_front("speeds of cells", Threads=t)[0] for t in (1, 2))
    assert (cell_array(output(one), "SpeedSensitivity") == cell_array(output(two), "SpeedSensitivity")).all()


def test_missing_tips_have_no_derivatives():
    proxy = front(SpeedType="Constant", Tips=None, TipType="Points", TipPoints=[])
    assert (cell_array(output(proxy), "SpeedSensitivity") == 0).all() and objective(proxy) == 0


def flat():
    """Returns a square of triangles with right angles."""
    n = np.arange(5)
    at = np.stack([*np.meshgrid(n, n, indexing="xy"), np.zeros((5, 5))], axis=-1).reshape(-1, 3).astype(float)
    corner = np.array([5 * j + i for j in range(4) for i in range(4)])
    return mesh(at, np.concatenate([corner[:, None] + [0, 1, 6], corner[:, None] + [0, 6, 5]]))


@pytest.mark.parametrize("request_", ["ComputeSensitivity", "ComputeJacobian"])
@pytest.mark.parametrize("settings, words", [
    ({"SeedRuns": "Separate"}, ["derivatives need the times from all seeds", "Seed Runs Together"]),
    ({"Input": flat, "Accuracy": "Exact"}, ["not available with exact distances", "choose the first order", "disable Compute Sensitivity"])],
    ids=["separate", "exact"])
def test_options_without_derivatives_are_refused_before_the_solve(messages, settings, words, request_):
    made = {"Input": settings["Input"]()} if "Input" in settings else {}
    asked = {"ComputeSensitivity": 0, request_: 1}
    proxy = front(**{"SpeedType": "Constant", "Tips": points([(1, 0, 0)]), **asked, **settings, **made})
    assert_error(messages, proxy, *words)
    assert proxy.SolveCount == 0


def test_a_surface_without_obtuse_angles_has_derivatives():
    proxy = front(Input=flat(), SpeedType="Constant", SeedPoints=(0, 0, 0), Tips=points([(4, 3, 0)]), ConstantSpeed=2)
    assert -2 * cell_array(output(proxy), "SpeedSensitivity").sum() == pytest.approx(objective(proxy), rel=1e-6)
    assert objective(proxy) == pytest.approx(2.5, rel=0.1)


def test_an_unfolded_edge_shares_the_line_between_its_triangles():
    kite = mesh(np.array([[0, 0, 0], [1, 0.3, 0], [2, 0, 0], [1, -0.2, 0.0]]), np.array([[0, 1, 2], [0, 2, 3]]))
    proxy = front(Input=kite, SpeedType="Constant", SeedPoints=(1, 0.3, 0), Tips=points([(1, -0.2, 0)]), ConstantSpeed=2, ComputeJacobian=1)
    assert -4 * cell_array(output(proxy), "SpeedSensitivity") == pytest.approx([0.3, 0.2], abs=1e-6)
    assert jacobian(proxy)["Weight"] == pytest.approx([0.3, 0.2], abs=1e-6)


def jacobian(proxy):
    """Returns the columns of the table."""
    table = output(proxy, port_of(proxy, "Jacobian"))
    return {name: vtk_to_numpy(table.GetColumnByName(name)) for name in names(table.GetRowData())}


def tip_times(proxy):
    """Returns the travel times of the tips, interpolated in their cells."""
    u, places = array(output(proxy), "TravelTime"), []
    for tip in TIPS:
        for cell in CELLS:
            weights = np.linalg.solve(np.vstack([AT[cell].T, np.ones(4)]), [*tip, 1])
            if weights.min() >= -1e-9:
                places.append(weights @ u[cell])
                break
    return np.array(places)


@pytest.mark.parametrize("case", CASES)
def test_rows_of_the_jacobian_are_the_times_and_add_up_to_the_sensitivity(case):
    proxy, v, name, place, degree = case_front(case, ComputeJacobian=1)
    columns = jacobian(proxy)
    assert list(columns) == ["RowId", "TipId", "SeedId", "ElementId", "Weight"]
    assert (columns["RowId"] == columns["TipId"]).all() and (columns["SeedId"] == 0).all() and (columns["Weight"] > 0).all()
    isotropic = CASES[case][5]["SpeedType"] == "Scalar"
    relative = columns["Weight"] / (v[columns["ElementId"]] if isotropic else 1)
    assert np.bincount(columns["TipId"], relative) == pytest.approx(tip_times(proxy), rel=1e-5)
    total = np.bincount(columns["ElementId"], WEIGHTS[columns["TipId"]] * relative, len(v))
    expected = (sensitivity(proxy, name, place) * v).reshape(len(v), -1).sum(axis=1) / degree
    assert total == pytest.approx(expected, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("case", ["speeds of cells", "velocities", "tensors"])
def test_rows_of_the_jacobian_predict_the_times_in_another_medium(case):
    """A factor on the slowness divides speeds, and tensors by its square."""
    step, power = 1e-3, {"tensors": 2}.get(case, 1)
    def times(change):
        function, _, _, _, cells, settings = CASES[case]
        factor = (1 + change * bump(CENTRES)) ** -power
        v = function(CENTRES)
        return tip_times(front(of={"v": v * factor.reshape((-1,) + (1,) * (v.ndim - 1)), **cells}, ComputeSensitivity=0, **settings))
    columns = jacobian(case_front(case, ComputeSensitivity=0, ComputeJacobian=1)[0])
    relative = columns["Weight"] / (smooth(CENTRES)[columns["ElementId"]] if case == "speeds of cells" else 1)
    predicted = np.bincount(columns["TipId"], relative * bump(CENTRES)[columns["ElementId"]])
    assert (times(step) - times(-step)) / (2 * step) == pytest.approx(predicted, rel=0.01)


def test_rows_of_the_jacobian_name_their_tips_and_seeds(messages):
    of = {"v": (CENTRES[:, 0] < 0.5).astype(float)}  # the other half is a barrier
    proxy = front(of=of, SpeedType="Scalar", SpeedArray=["CELLS", "v"], Seeds=points([(0.1, 0.9, 0.9), SEED]),
                  Tips=points([(0.15, 0.2, 0.3), (0.9, 0.9, 0.9), (0.2, 0.9, 0.7)]), ComputeJacobian=1)
    columns = jacobian(proxy)
    found = sorted(set(zip(columns["RowId"], columns["TipId"], columns["SeedId"])))
    assert found == [(0, 0, 1), (1, 2, 0)] and "1 of 3" in messages()
    without = front(SpeedType="Constant", Tips=None, TipType="Points", TipPoints=[], ComputeJacobian=1)
    assert len(jacobian(without)["Weight"]) == 0


def test_the_jacobian_needs_no_second_solve_and_has_the_same_bits_for_any_threads():
    proxy = front(SpeedType="Constant", ComputeSensitivity=0)
    assert output(proxy, port_of(proxy, "Jacobian")).GetNumberOfRows() == 0
    proxy.ComputeJacobian = 1
    proxy.UpdatePipeline()
    assert counts(proxy) == (1, 1) and not [n for n in names(output(proxy).GetCellData()) if "Sensitivity" in n]
    two = front(SpeedType="Constant", ComputeSensitivity=0, ComputeJacobian=1, Threads=2)
    assert all((a == b).all() for a, b in zip(jacobian(proxy).values(), jacobian(two).values()))
    proxy.ComputeJacobian = 0
    proxy.UpdatePipeline()
    assert output(proxy, port_of(proxy, "Jacobian")).GetNumberOfRows() == 0 and counts(proxy) == (1, 1)


def test_weights_with_nan(messages):
    proxy = front(SpeedType="Constant", Tips=points(TIPS, Weight=np.array([1.0, np.nan, 1])))
    assert_error(messages, proxy, "weight", "tip 1 at (0.4, 0.95, 0.3)", "nan", "finite")


def test_abort_during_the_derivatives_leaves_empty_outputs_and_the_next_apply_works(messages):
    proxy = front(SpeedType="Constant", ComputeSensitivity=0)
    algorithm = proxy.GetClientSideObject()
    tag = algorithm.AddObserver("ProgressEvent", lambda *_: algorithm.SetAbortExecute(1))
    proxy.ComputeSensitivity = 1
    proxy.UpdatePipeline()
    assert "stopped on request" in messages() and output(proxy).GetNumberOfPoints() == 0
    algorithm.RemoveObserver(tag)
    algorithm.SetAbortExecute(0)
    algorithm.Update()
    assert objective(proxy) > 0
