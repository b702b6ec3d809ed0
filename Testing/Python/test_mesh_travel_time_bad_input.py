"""Isochrone Mesh Travel Time: bad input produces a message with the remedy, and valid empty outputs."""
import numpy as np
import pytest
from paraview import simple
from vtkmodules.vtkCommonDataModel import vtkMultiBlockDataSet, vtkStructuredGrid, vtkUnstructuredGrid

from pipelines import (array, assert_error, cell_array, cube, image_data, mesh, mesh_data, mesh_travel_time, output, point_data,
                       points, source, string_array)

AT, CELLS = cube(4)
CENTRES = AT[CELLS].mean(axis=1)
ONES = np.ones(len(CELLS))
FIBRES = np.tile([1.0, 0, 0], (len(CELLS), 1))
SEED = {"SeedPoints": [0, 0, 0]}


def with_one(value, cell=7):
    values = np.array(ONES if np.ndim(value) == 0 else np.tile([1.0, 1, 1, 0, 0, 0][:len(value)], (len(CELLS), 1)))
    values[cell] = value
    return values


def scalar(v, **properties):
    return mesh_travel_time(Input=mesh(AT, CELLS, cell_arrays={"v": v}), **{"SpeedType": "Scalar", "SpeedArray": ["CELLS", "v"],
                                                                            **SEED, **properties})


def fibres(arrays={}, **properties):
    return mesh_travel_time(Input=mesh(AT, CELLS, cell_arrays={"f": FIBRES, **arrays}),
                            **{"SpeedType": "Fibres", "FibreArray": ["CELLS", "f"], **SEED, **properties})


def tensor(m, **properties):
    return mesh_travel_time(Input=mesh(AT, CELLS, cell_arrays={"m": m}), SpeedType="Tensor", TensorArray=["CELLS", "m"],
                            **{**SEED, **properties})


# ------------------------------------------------------------------------------------------------- meshes
@pytest.mark.parametrize("data, words", [
    (image_data(), ("vtkImageData", "Tetrahedralize")), (vtkStructuredGrid(), ("vtkStructuredGrid", "Append Datasets", "Clean To Grid")),
    (vtkMultiBlockDataSet(), ("vtkMultiBlockDataSet", "Merge Blocks"))])
def test_other_types_of_data(messages, data, words):
    proxy = mesh_travel_time(Input=mesh(AT, CELLS))
    filter_ = proxy.GetClientSideObject()
    filter_.SetInputDataObject(0, data)
    filter_.Update()
    assert_error(messages, proxy, "one mesh of tetrahedra", *words)


@pytest.mark.parametrize("cells", [[], [(1, (0,))], [(3, (0, 1))]])
def test_no_tetrahedra(messages, cells):
    assert_error(messages, mesh_travel_time(Input=mesh(AT, cells)), "no tetrahedra or triangles")


@pytest.mark.parametrize("cells, words", [([*CELLS[:5], (10, (0, 1, 5))], ("cell 5", "4 points", "got 3")),
                                          ([*CELLS[:5], (10, (0, 1, 2, 3, 4))], ("cell 5", "4 points", "got 5")),
                                          ([*CELLS[:5], (5, (0, 1))], ("cell 5", "3 points", "got 2")),
                                          ([*CELLS[:5], (10, (0, 1, 5, 10 ** 6))], ("cell 5", "point 1000000"))])
def test_degenerate_cells(messages, cells, words):
    assert_error(messages, mesh_travel_time(Input=mesh(AT, cells)), *words)


def test_an_empty_grid(messages):
    assert_error(messages, mesh_travel_time(Input=source(vtkUnstructuredGrid())), "no tetrahedra or triangles")


def test_cells_of_other_types_are_named(messages):
    cells = [*CELLS[:5], (12, range(8)), *CELLS[5:]]
    assert_error(messages, mesh_travel_time(Input=mesh(AT, cells)), "1 of 385 cells", "cell 5, a vtkHexahedron",
                 "switch on Tetrahedralize, or apply the filter Tetrahedralize")


def test_quadratic_tetrahedra_are_refused_unless_divided(messages):
    at = np.concatenate([np.eye(4)[:, :3], [(np.eye(4)[i] + np.eye(4)[j])[:3] / 2 for i, j in
                                            ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))]])
    proxy = mesh_travel_time(Input=mesh(at, [(24, range(10))]))
    assert_error(messages, proxy, "vtkQuadraticTetra", "Tetrahedralize")
    proxy.Tetrahedralize = 1
    proxy.UpdatePipeline()
    assert output(proxy).GetNumberOfCells() > 4 and array(output(proxy), "Reached").all()


def test_points_that_are_not_finite(messages):
    at = AT.copy()
    at[31, 1] = np.nan
    assert_error(messages, mesh_travel_time(Input=mesh(at, CELLS), **SEED), "coordinates must be finite", "at point 31")


def test_inverted_cells_are_accepted():
    inverted = CELLS.copy()
    inverted[::2] = inverted[::2, [1, 0, 2, 3]]
    found, expected = (array(output(mesh_travel_time(Input=mesh(AT, c), **SEED)), "TravelTime") for c in (inverted, CELLS))
    np.testing.assert_allclose(found, expected, rtol=5e-7)


def test_flat_cells_are_accepted():
    flat = np.concatenate([CELLS, [CELLS[0][[0, 1, 2, 0]], [0, 1, 2, 3]]])  # a repeated corner; collinear points
    found, expected = (array(output(mesh_travel_time(Input=mesh(AT, c), SeedPoints=[0.4, 0.4, 0.4], TipPoints=[0.9, 0.8, 0.7])),
                             "TravelTime") for c in (flat, CELLS))
    assert np.isfinite(found).all() and (found <= expected + 1e-6).all()


def test_points_that_coincide_separate_their_cells(messages):
    right = CENTRES[:, 0] > 0.5
    cells = CELLS.copy()
    cells[right] += len(AT)
    at = np.concatenate([AT, AT])
    used = np.unique(cells)
    numbers = np.zeros(len(at), int)
    numbers[used] = np.arange(len(used))
    out = output(mesh_travel_time(Input=mesh(at[used], numbers[cells]), **SEED))
    both = len(used) - len(AT)
    text = messages()
    assert f"{both} points coincide with another one" in text and "Clean To Grid" in text
    lost = len(np.unique(cells[right]))
    assert f"{lost} of {len(used)} points are unreached" in text
    assert (array(out, "Reached") == 0).sum() == lost == np.isnan(array(out, "TravelTime")).sum()


def test_parts_without_a_seed_are_unreached_and_counted(messages):
    at, cells = np.concatenate([AT, AT + 5]), np.concatenate([CELLS, CELLS + len(AT)])
    out = output(mesh_travel_time(Input=mesh(at, cells), **SEED))
    assert "125 of 250 points are unreached" in messages()
    assert list(array(out, "Reached")) == [1] * 125 + [0] * 125 and (array(out, "SeedId")[125:] == -1).all()
    assert np.isnan(array(out, "TravelTime")[125:]).all()


def test_points_without_a_cell_are_counted(messages):
    out = output(mesh_travel_time(Input=mesh(np.concatenate([AT, [[9, 9, 9]]]), CELLS), **SEED))
    assert "1 points belong to no cell" in messages() and list(np.flatnonzero(array(out, "Reached") == 0)) == [125]


# ------------------------------------------------------------------------------------------------- speeds
@pytest.mark.parametrize("value", [-2, np.inf])
def test_invalid_speeds_are_refused_by_cell_and_place(messages, value):
    assert_error(messages, scalar(with_one(value)), "the speed must be finite and not negative", f"got {value} at cell 7 at (")


def test_invalid_speeds_at_points_are_refused_by_point(messages):
    v = np.ones(len(AT))
    v[31] = -1
    proxy = mesh_travel_time(Input=mesh(AT, CELLS, {"v": v}), SpeedType="Scalar", SpeedArray=["POINTS", "v"])
    assert_error(messages, proxy, "got -1 at point 31 at (")


@pytest.mark.parametrize("value", [0, np.nan])
def test_barriers_everywhere(messages, value):
    assert_error(messages, scalar(value * ONES), "every seed is in a barrier")


def test_nan_is_a_barrier():
    out = output(scalar(np.where(CENTRES[:, 0] > 0.5, np.nan, 1)))
    assert 0 < array(out, "Reached").sum() < len(AT)


@pytest.mark.parametrize("value", [0, -1, np.nan, np.inf])
def test_an_invalid_constant_speed(messages, value):
    assert_error(messages, mesh_travel_time(Input=mesh(AT, CELLS), ConstantSpeed=value), "the speed must be positive and finite")


@pytest.mark.parametrize("value", [0, -1, np.nan])
def test_invalid_conduction_velocities(messages, value):
    assert_error(messages, fibres(ConductionVelocities=[1, value, 1]), "conduction velocities must be positive")


def test_a_third_velocity_is_ignored_without_sheets():
    assert array(output(fibres(ConductionVelocities=[1, 0.5, -1])), "Reached").all()


def test_conductivities_and_their_scale(messages):
    assert_error(messages, fibres(SpeedType="Conductivities", VelocityScale=-1), "the velocity of a conductivity of 1")


def test_negative_velocities_in_an_array(messages):
    assert_error(messages, fibres({"v": with_one((1, -0.5))}, SpeedArray=["CELLS", "v"]), "conduction velocities must be finite",
                 "got -0.5 at cell 7")


def test_fibres_without_length_are_barriers_with_a_warning(messages):
    zero = FIBRES.copy()
    zero[7], zero[9] = 0, np.nan
    out = output(fibres({"f": zero}))
    assert "2 cells are barriers since their fibre has no length" in messages() and "the first one is cell 7 at (" in messages()
    assert not cell_array(out, "ConductionDirection")[7].any() and array(out, "Reached").all()


def test_fibres_of_any_length_are_directions():
    found, expected = (array(output(fibres({"f": k * FIBRES})), "TravelTime") for k in (1e-3, 1))
    assert (found == expected).all()


def test_sheets_along_the_fibre_are_barriers_with_a_warning(messages):
    sheets = np.tile([0, 1.0, 0], (len(CELLS), 1))
    sheets[7] = -3 * FIBRES[7]
    output(fibres({"s": sheets}, SheetArray=["CELLS", "s"]))
    assert "1 cells are barriers" in messages() and "their sheet is parallel to it" in messages()


@pytest.mark.parametrize("m", [(1, 1, -1, 0, 0, 0), (1, 1, 1, 2, 0, 0), (1, 0, 1, 0, 0, 0)])
def test_tensors_that_are_not_positive_definite_are_barriers_with_a_warning(messages, m):
    out = output(tensor(with_one(m)))
    assert "1 cells are barriers since their tensor is not positive definite, the first one is cell 7" in messages()
    assert array(out, "Reached").all()


@pytest.mark.parametrize("m", [(0,) * 6, (1, 1, np.nan, 0, 0, 0)])
def test_tensors_of_zeros_or_with_nan_are_barriers(m):
    assert array(output(tensor(with_one(m))), "Reached").all()


def test_tensors_that_are_not_symmetric(messages):
    m = np.tile(np.eye(3).ravel(), (len(CELLS), 1))
    m[7, 1] = 0.1
    assert_error(messages, tensor(m), "the tensor at cell 7 at (", "is not symmetric")


# ------------------------------------------------------------------------------------------------- arrays
@pytest.mark.parametrize("kind, role", [("Fibres", "fibre"), ("Conductivities", "fibre"), ("Tensor", "tensor")])
def test_a_required_array_that_is_not_chosen(messages, kind, role):
    assert_error(messages, mesh_travel_time(Input=mesh(AT, CELLS), SpeedType=kind), f"requires the {role} array")


def test_missing_array_lists_the_available_ones(messages):
    assert_error(messages, scalar(ONES, SpeedArray=["CELLS", "u"]), "the speed array 'u' is not on the input", "(v)")


def test_an_array_of_strings(messages):
    data = mesh_data(AT, CELLS)
    data.GetCellData().AddArray(string_array("v", len(CELLS)))
    proxy = mesh_travel_time(Input=source(data), SpeedType="Scalar", SpeedArray=["CELLS", "v"])
    assert_error(messages, proxy, "choose a numeric array")


@pytest.mark.parametrize("build, words", [
    (lambda: scalar(np.ones((len(CELLS), 2))), ("speed array 'v' has 2 components, but 1 are needed",)),
    (lambda: fibres({"f": np.ones((len(CELLS), 2))}), ("fibre array 'f' has 2 components, but 3 are needed",)),
    (lambda: fibres({"v": np.ones((len(CELLS), 4))}, SpeedArray=["CELLS", "v"]), ("has 4 components, but 1, 2 or 3 are needed",)),
    (lambda: fibres({"v": np.ones((len(CELLS), 2)), "s": FIBRES[:, [1, 0, 2]]}, SpeedArray=["CELLS", "v"], SheetArray=["CELLS", "s"]),
     ("has 2 components, but 1 or 3 are needed",)),
    (lambda: tensor(np.ones((len(CELLS), 3))), ("tensor array 'm' has 3 components, but 6 or 9 are needed",))])
def test_a_wrong_number_of_components(messages, build, words):
    assert_error(messages, build(), *words)


# ------------------------------------------------------------------------------------------------- seeds
def test_a_seed_outside_is_moved_to_the_nearest_point_with_a_warning(messages):
    proxy = mesh_travel_time(Input=mesh(AT, CELLS), SeedPoints=[0.5, 0.5, 0.5, 4, 1, 1])
    text = messages()
    assert "1 of 2 seeds lie outside the mesh" in text and "seed 1 at (4, 1, 1) is 3 away from it" in text and "ERROR" not in text
    assert array(output(proxy), "TravelTime")[-1] == 0  # at (1, 1, 1)
    field = output(proxy).GetFieldData()
    assert field.GetAbstractArray("SeedStatus").GetValue(1) == "Moved"
    assert field.GetArray("SeedDistance").GetValue(1) == pytest.approx(3)


def test_a_seed_outside_by_rounding_is_not_moved():
    proxy = mesh_travel_time(Input=mesh(AT, CELLS), SeedPoints=[1 + 1e-7, 0.4, 0.3])
    assert output(proxy).GetFieldData().GetArray("SeedDistance").GetValue(0) == 0


def test_the_centre_of_a_hollow_mesh_is_moved_to_the_nearest_point():
    shell = CELLS[np.linalg.norm(CENTRES - 0.5, axis=1) > 0.4]
    used, numbers = np.unique(shell, return_inverse=True)
    proxy = simple.IsochroneMeshTravelTime(Input=mesh(AT[used], numbers.reshape(-1, 4)))
    proxy.SeedPoints, proxy.TipPoints = [], []
    proxy.UpdatePipeline()
    assert (array(output(proxy), "TravelTime") == 0).sum() >= 1


def test_seeds_in_barriers_are_reported_and_the_others_used(messages):
    v = np.where(CENTRES[:, 0] > 0.5, 0, 1.0)
    out = output(scalar(v, SeedPoints=[0, 0, 0, 0.9, 0.5, 0.45]))
    text = messages()
    assert "1 of 2 seeds are not used: seed 1 at (0.9, 0.5, 0.45) touches only barriers" in text and "ERROR" not in text
    assert out.GetFieldData().GetAbstractArray("SeedStatus").GetValue(1) == "InBarrier" and array(out, "TravelTime")[0] == 0


def test_seeds_that_are_not_finite(messages):
    assert_error(messages, mesh_travel_time(Input=mesh(AT, CELLS), Seeds=points([(np.nan, 0, 0)])), "seed 0", "finite")


def test_no_seeds_in_the_input(messages):
    assert_error(messages, mesh_travel_time(Input=mesh(AT, CELLS), Seeds=points([])), "there are no seeds")


def test_seed_type_input_without_an_input(messages):
    assert_error(messages, mesh_travel_time(Input=mesh(AT, CELLS), SeedType="Input"), "there are no seeds", "connect")


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_invalid_start_values(messages, value):
    seeds = points([(0, 0, 0)], StartValue=np.array([value]))
    assert_error(messages, mesh_travel_time(Input=mesh(AT, CELLS), Seeds=seeds), "the StartValue of seed 0 must be finite")


def test_an_invalid_start_value_is_refused_by_the_number_of_its_point(messages):
    seeds = points([AT[0], AT[1], AT[2]], StartValue=np.array([np.nan, 0, 0]), Label=np.array([9, 8, 7]))
    assert_error(messages, mesh_travel_time(Input=mesh(AT, CELLS), Seeds=seeds), "the StartValue of seed 0 must be finite")


def test_onset_times_without_an_array(messages):
    assert_error(messages, mesh_travel_time(Input=mesh(AT, CELLS), SeedType="Onset Times"), "choose the Onset Time Array")


@pytest.mark.parametrize("value, words", [(np.nan, "no point has an onset time"), (-1, "no point has an onset time"),
                                          (np.inf, "onset times must be finite")])
def test_invalid_onset_times(messages, value, words):
    proxy = mesh_travel_time(Input=mesh(AT, CELLS, {"t": np.full(len(AT), value)}), SeedType="Onset Times",
                             OnsetTimeArray=["POINTS", "t"])
    assert_error(messages, proxy, words)


def test_a_negative_radius(messages):
    assert_error(messages, mesh_travel_time(Input=mesh(AT, CELLS), ExactRadius=-1), "the radius around seeds")


# ------------------------------------------------------------------------------------------------- others
def test_missing_cuda_reports_the_reason(messages):
    proxy = mesh_travel_time(Input=mesh(AT, CELLS), Backend="CUDA")
    text = messages()
    assert proxy.GetClientSideObject() and ("CUDA" in text or array(output(proxy), "Reached").all())


def test_after_an_error_the_next_apply_succeeds(messages):
    proxy = scalar(with_one(-2))
    assert_error(messages, proxy, "got -2")
    proxy.SpeedType = "Constant"
    proxy.UpdatePipeline()
    assert array(output(proxy), "Reached").all()


def test_abort_leaves_empty_outputs_and_the_next_apply_works(messages):
    proxy = simple.IsochroneMeshTravelTime(Input=mesh(AT, CELLS))
    algorithm = proxy.GetClientSideObject()
    tag = algorithm.AddObserver("ProgressEvent", lambda *_: algorithm.SetAbortExecute(1))
    proxy.UpdatePipeline()
    assert "stopped on request" in messages() and output(proxy).GetNumberOfPoints() == 0
    algorithm.RemoveObserver(tag)
    algorithm.SetAbortExecute(0)
    algorithm.Update()
    assert array(output(proxy), "Reached").all()
