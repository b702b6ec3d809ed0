"""Isochrone Mesh Travel Time: contents of its outputs."""
import numpy as np
import pytest
from paraview import simple

from pipelines import (add_arrays, array, cell_array, cube, lines, mesh, mesh_data, mesh_travel_time, names, output,
                       points, source)

AT, CELLS = cube()
CENTRES = AT[CELLS].mean(axis=1)
RNG = np.random.default_rng(2)
SEED = [0.31, 0.42, 0.23]


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]


FIBRES = unit(RNG.normal(size=CENTRES.shape))
SHEETS = unit(RNG.normal(size=CENTRES.shape))
SPEEDS = RNG.uniform(0.5, 2, len(CELLS))


def tensors(fibre, sheet, velocities):
    """Returns M of each cell: squared velocities along fibre, sheet and normal."""
    sheet = unit(sheet - (sheet * fibre).sum(axis=1)[:, None] * fibre)
    frame = np.stack([fibre, sheet, np.cross(fibre, sheet)], axis=1)
    return np.einsum("ca,cai,caj->cij", np.asarray(velocities, float) ** 2 * np.ones((len(fibre), 3)), frame, frame)


def six(m):
    return np.stack([m[:, 0, 0], m[:, 1, 1], m[:, 2, 2], m[:, 0, 1], m[:, 1, 2], m[:, 0, 2]], axis=1)


def input_(**cells):
    return mesh(AT, CELLS, cell_arrays=cells)


def times(proxy):
    return array(output(proxy), "TravelTime")


def assert_first_of(found, *apart):
    """Asserts that the times of several seeds are the earlier of their own times, or slightly less where waves meet."""
    earlier = np.min(apart, axis=0)
    assert (found <= earlier + 1e-6).all() and (found > earlier - 0.1).all() and abs(found - earlier).mean() < 0.02


def by_tensors(m, **properties):
    return times(mesh_travel_time(Input=input_(m=six(m)), SpeedType="Tensor", TensorArray=["CELLS", "m"], **properties))


# ------------------------------------------------------------------------------------------------- fields
def test_travel_time_is_the_active_scalar_beside_the_arrays_of_the_input():
    data = mesh_data(AT, CELLS, {"p": np.arange(len(AT))}, {"c": np.arange(len(CELLS))})
    add_arrays(data.GetFieldData(), {"about": np.arange(3)})
    out = output(mesh_travel_time(Input=source(data), SeedPoints=SEED))
    assert names(out.GetPointData()) == ["p", "TravelTime", "SeedId", "Reached"]
    assert names(out.GetCellData()) == ["c", "ConductionDirection"]
    assert out.GetPointData().GetScalars().GetName() == "TravelTime"
    assert {"about", "SeedStatus", "SeedDistance"} <= set(names(out.GetFieldData()))
    assert names(data.GetPointData()) == ["p"] and names(data.GetCellData()) == ["c"]
    assert array(out, "TravelTime").dtype == np.float32 and array(out, "Reached").all() and not array(out, "SeedId").any()


def test_times_are_distances_in_a_constant_metric():
    """Times converge from above as the mesh is refined."""
    m, errors = np.array([[4, 1, 0], [1, 2, 0.5], [0, 0.5, 1]]), []
    for n in (5, 10):
        at, cells = cube(n)
        proxy = mesh_travel_time(Input=mesh(at, cells, cell_arrays={"m": np.tile(six(m[None]), (len(cells), 1))}),
                                 SpeedType="Tensor", TensorArray=["CELLS", "m"], SeedPoints=SEED)
        exact = np.sqrt(np.einsum("vi,ij,vj->v", at - SEED, np.linalg.inv(m), at - SEED))
        error = times(proxy) - exact
        assert error.min() > -1e-6
        errors.append(error.mean())
    assert errors[1] < 0.7 * errors[0] < 0.05


def test_a_constant_speed_divides_distances():
    slow, fast = (times(mesh_travel_time(Input=input_(), ConstantSpeed=v, SeedPoints=SEED)) for v in (1, 4))
    assert (slow == 4 * fast).all()


def test_a_scalar_is_a_tensor_of_its_square():
    proxy = mesh_travel_time(Input=input_(v=SPEEDS), SpeedType="Scalar", SpeedArray=["CELLS", "v"], SeedPoints=SEED)
    np.testing.assert_allclose(times(proxy), by_tensors(SPEEDS[:, None, None] ** 2 * np.eye(3), SeedPoints=SEED), rtol=2e-6)


@pytest.mark.parametrize("case", ["plain", "sheets", "factor", "two", "three"])
@pytest.mark.parametrize("conductivities", [False, True])
def test_fibres_make_tensors_of_velocities(case, conductivities):
    velocities = np.tile([1.2, 0.5, 0.3 if case in ("sheets", "three") else 0.5], (len(CELLS), 1))
    arrays, properties, v = {"f": 3 * FIBRES, "s": SHEETS + 2 * FIBRES}, {}, velocities
    if case == "factor":
        arrays["v"], v = SPEEDS ** (2 if conductivities else 1), velocities * SPEEDS[:, None]
    elif case in ("two", "three"):
        v = velocities * SPEEDS[:, None]
        arrays["v"] = (v / 2) ** 2 if conductivities else v
        arrays["v"] = arrays["v"][:, :2] if case == "two" else arrays["v"]
    if "v" in arrays:
        properties["SpeedArray"] = ["CELLS", "v"]
    if case in ("sheets", "three"):
        properties["SheetArray"] = ["CELLS", "s"]
    if conductivities:
        properties.update(Conductivities=(velocities[0] / 2) ** 2, VelocityScale=2)
    else:
        properties.update(ConductionVelocities=velocities[0])
    proxy = mesh_travel_time(Input=input_(**arrays), SpeedType="Conductivities" if conductivities else "Fibres",
                             FibreArray=["CELLS", "f"], SeedPoints=SEED, **properties)
    np.testing.assert_allclose(times(proxy), by_tensors(tensors(FIBRES, SHEETS, v), SeedPoints=SEED), rtol=2e-6)


def test_tensors_have_six_or_nine_components():
    m = tensors(FIBRES, SHEETS, [1.2, 0.5, 0.3])
    nine = mesh_travel_time(Input=input_(m=m.reshape(-1, 9)), SpeedType="Tensor", TensorArray=["CELLS", "m"], SeedPoints=SEED)
    assert (times(nine) == by_tensors(m, SeedPoints=SEED)).all()


def test_arrays_of_points_are_averaged_over_cells_as_tensors():
    v = RNG.uniform(0.5, 2, len(AT))
    proxy = mesh_travel_time(Input=mesh(AT, CELLS, {"v": v}), SpeedType="Scalar", SpeedArray=["POINTS", "v"], SeedPoints=SEED)
    mean = (v[CELLS] ** 2).mean(axis=1)
    np.testing.assert_allclose(times(proxy), by_tensors(mean[:, None, None] * np.eye(3), SeedPoints=SEED), rtol=2e-6)


@pytest.mark.parametrize("kind", [np.float32, np.int16, np.uint8, np.int64])
def test_any_numeric_type(kind):
    v = RNG.integers(1, 9, len(CELLS))
    found, expected = (times(mesh_travel_time(Input=input_(v=v.astype(k)), SpeedType="Scalar", SpeedArray=["CELLS", "v"],
                                              SeedPoints=SEED)) for k in (kind, np.float64))
    assert found.tobytes() == expected.tobytes()


def test_every_method_and_any_number_of_threads_give_the_same_bits():
    run = lambda **how: times(mesh_travel_time(
        Input=input_(f=FIBRES), SpeedType="Fibres", FibreArray=["CELLS", "f"], ConductionVelocities=[2, 0.2, 0.2],
        SeedPoints=SEED, **how)).tobytes()
    expected = run()
    for method in ("Band", "Plain FIM", "Decomposed Many Blocks", "Decomposed One Block"):
        assert run(Method=method, Threads=2) == expected


def test_residual_is_rounding():
    proxy = mesh_travel_time(Input=input_(f=FIBRES), SpeedType="Fibres", FibreArray=["CELLS", "f"], SeedPoints=SEED)
    assert np.isnan(proxy.Residual)
    proxy.CheckResidual = 1
    proxy.UpdatePipeline()
    assert 0 <= proxy.Residual < 2e-7


def test_a_scar_blocks_waves_without_a_warning():
    v = np.where(np.linalg.norm(CENTRES - 0.5, axis=1) < 0.3, 0, 1.0)
    inside = np.setdiff1d(np.arange(len(AT)), CELLS[v > 0])
    assert len(inside) > 0
    out = output(mesh_travel_time(Input=input_(v=v), SpeedType="Scalar", SpeedArray=["CELLS", "v"], SeedPoints=[0, 0, 0]))
    reached = array(out, "Reached")
    assert list(np.flatnonzero(reached == 0)) == list(inside) and np.isnan(array(out, "TravelTime")[inside]).all()
    assert (array(out, "SeedId")[inside] == -1).all()
    direct = np.linalg.norm(AT[-1])
    assert array(out, "TravelTime")[-1] > direct + 0.05  # around it


def test_hidden_cells_and_cells_of_hidden_points_are_barriers():
    behind = CENTRES[:, 0] > 0.5
    cells = output(mesh_travel_time(Input=input_(vtkGhostType=np.where(behind, 32, 0).astype(np.uint8)), SeedPoints=[0, 0, 0]))
    hidden = (AT[:, 0] == 0).astype(np.uint8) * 2
    points_ = output(mesh_travel_time(Input=mesh(*cube(jitter=0), {"vtkGhostType": hidden}), SeedPoints=[1, 1, 1]))
    assert (array(cells, "Reached") == np.isin(np.arange(len(AT)), CELLS[~behind])).all()
    assert (array(points_, "Reached") == (hidden == 0)).all()


def test_blank_unreached_hides_exactly_the_unreached_points_and_their_cells():
    v = np.where(CENTRES[:, 0] > 0.5, 0, 1.0)
    proxy = mesh_travel_time(Input=input_(v=v), SpeedType="Scalar", SpeedArray=["CELLS", "v"], SeedPoints=[0, 0, 0],
                             BlankUnreached=1)
    out = output(proxy)
    reached = array(out, "Reached")
    assert 0 < reached.sum() < len(AT) and list(array(out, "vtkGhostType") == 0) == list(reached == 1)
    assert list(cell_array(out, "vtkGhostType") == 0) == list((reached[CELLS] == 1).all(axis=1))


def test_waves_in_a_constant_tensor_go_along_m_times_the_gradient():
    m = np.array([[4, 1, 0], [1, 2, 0.5], [0, 0.5, 1]])
    at, cells = cube(10)
    proxy = mesh_travel_time(Input=mesh(at, cells, cell_arrays={"m": np.tile(six(m[None]), (len(cells), 1))}), SpeedType="Tensor",
                             TensorArray=["CELLS", "m"], SeedPoints=[0, 0, 0], ComputeConductionSpeed=1)
    straight = unit(at[cells].mean(axis=1))
    cosine = (cell_array(output(proxy), "ConductionDirection") * straight).sum(axis=1)
    assert np.median(cosine) > 0.99 and np.linalg.norm(cell_array(output(proxy), "ConductionDirection"), axis=1) == pytest.approx(1)
    covector = straight @ np.linalg.inv(m)
    speed = np.sqrt(np.einsum("ci,ij,cj->c", covector, m, covector)) / np.linalg.norm(covector, axis=1)
    assert np.median(abs(cell_array(output(proxy), "ConductionSpeed") / speed - 1)) < 0.05


def test_conduction_is_omitted_unless_requested():
    proxy = mesh_travel_time(Input=input_(), SeedPoints=SEED, ComputeConductionDirection=0)
    assert names(output(proxy).GetCellData()) == []


# ------------------------------------------------------------------------------------------------- seeds
def test_a_seed_within_a_cell_gives_its_corners_exact_times():
    cell = 200
    at = AT[CELLS[cell]].T @ [0.4, 0.3, 0.2, 0.1]
    proxy = mesh_travel_time(Input=input_(), ConstantSpeed=2, SeedPoints=at)
    assert times(proxy)[CELLS[cell]] == pytest.approx(np.linalg.norm(AT[CELLS[cell]] - at, axis=1) / 2, rel=1e-6)
    assert output(proxy).GetFieldData().GetAbstractArray("SeedStatus").GetValue(0) == "InCell"


def test_a_seed_on_a_face_starts_in_both_cells():
    face = set(CELLS[200][:3])
    both = [c for c in CELLS if face <= set(c)]
    assert len(both) == 2
    at = AT[list(face)].mean(axis=0)
    u = times(mesh_travel_time(Input=input_(), SeedPoints=at))
    for cell in both:
        assert u[cell] == pytest.approx(np.linalg.norm(AT[cell] - at, axis=1), rel=1e-6)


def test_seeds_on_vertices_start_there():
    proxy = mesh_travel_time(Input=input_(), SeedPoints=[*AT[100], *AT[200]])
    assert times(proxy)[[100, 200]].tolist() == [0, 0] and np.count_nonzero(times(proxy) == 0) == 2
    assert output(proxy).GetFieldData().GetAbstractArray("SeedStatus").GetValue(1) == "AtVertex"


def test_points_selected_in_the_mesh_are_seeds():
    input_mesh = input_()
    chosen = simple.IDSelectionSource(FieldType="POINT", IDs=[0, 50, 0, 51, 0, 52])
    seeds = simple.ExtractSelection(Input=input_mesh, Selection=chosen)
    proxy = mesh_travel_time(Input=input_mesh, Seeds=seeds)
    assert list(np.flatnonzero(times(proxy) == 0)) == [50, 51, 52]
    assert list(array(output(proxy), "SeedId")[50:53]) == [0, 1, 2]


def test_start_values_and_labels_of_seeds():
    seeds = points([AT[0], AT[-1]], StartValue=np.array([-1.5, -1.0]), Label=np.array([70, 80]))
    proxy = mesh_travel_time(Input=input_(), Seeds=seeds)
    assert times(proxy)[0] == -1.5 and times(proxy)[-1] == -1
    label = array(output(proxy), "SeedId")
    apart = [times(mesh_travel_time(Input=input_(), SeedPoints=AT[v])) for v in (0, -1)]
    first = apart[0] - 1.5 < apart[1] - 1.0
    assert set(label) == {70, 80} and (label == np.where(first, 70, 80)).mean() > 0.95
    assert_first_of(times(proxy), apart[0] - 1.5, apart[1] - 1.0)


def test_onset_times_start_vertices_beside_the_seeds_or_alone():
    onset = np.full(len(AT), np.nan)
    onset[[0, -1]], onset[5] = (0.5, 0.2), -1
    data = mesh(AT, CELLS, {"onset": onset})
    alone = mesh_travel_time(Input=data, SeedType="Onset Times", OnsetTimeArray=["POINTS", "onset"])
    assert times(alone)[[0, -1]] == pytest.approx([0.5, 0.2]) and times(alone).min() == np.float32(0.2) and not array(output(alone), "SeedId").any()
    beside = mesh_travel_time(Input=data, SeedPoints=SEED, OnsetTimeArray=["POINTS", "onset"])
    seed = times(mesh_travel_time(Input=data, SeedPoints=SEED))
    assert_first_of(times(beside), times(alone), seed)
    assert set(array(output(beside), "SeedId")) == {0, 1}
    new = simple.IsochroneMeshTravelTime(Input=data, OnsetTimeArray=["POINTS", "onset"])
    new.UpdatePipeline()
    assert list(new.SeedPoints) == [] and (times(new) == times(alone)).all()


def test_an_exact_radius_removes_the_error_of_a_point_seed():
    exact = np.linalg.norm(AT - SEED, axis=1)
    proxy = mesh_travel_time(Input=input_(), SeedPoints=SEED)
    plain = times(proxy) - exact
    proxy.ExactRadius = 0.3
    proxy.UpdatePipeline()
    assert times(proxy)[exact < 0.3] == pytest.approx(exact[exact < 0.3], rel=1e-6, abs=1e-6)
    assert (times(proxy) - exact).mean() < 0.7 * plain.mean()
    assert proxy.ExactPoints == (exact < 0.3).sum()


# ------------------------------------------------------------------------------------------------- paths
TIPS = [(0.9, 0.8, 0.7), (0.05, 0.9, 0.5), tuple(AT[-1])]


def length_of(line):
    return np.linalg.norm(np.diff(line, axis=0), axis=1).sum()


def test_paths_lead_from_the_tips_to_the_exact_seed():
    proxy = mesh_travel_time(Input=input_(), SeedPoints=SEED, Tips=points(TIPS, Line=np.array([7, 8, 9])))
    out = output(proxy, 1)
    assert names(out.GetPointData()) == ["TravelTime", "ArcLength", "Tangent"]
    assert names(out.GetCellData()) == ["Line", "TipId", "SeedId", "TravelTime", "Length", "Status"]
    assert list(cell_array(out, "TipId")) == [0, 1, 2] and list(cell_array(out, "Line")) == [7, 8, 9]
    assert not cell_array(out, "SeedId").any() and not cell_array(out, "Status").any()
    for c, line in enumerate(lines(out)):
        assert line[0] == pytest.approx(TIPS[c]) and line[-1] == pytest.approx(SEED)
        assert length_of(line) == pytest.approx(cell_array(out, "Length")[c])
        straight = np.linalg.norm(line[0] - SEED)
        assert straight <= length_of(line) * (1 + 1e-9) < 1.15 * straight
        assert straight < cell_array(out, "TravelTime")[c] * (1 + 1e-6) < 1.25 * straight


def test_paths_go_around_a_scar_to_the_nearer_seed():
    v = np.where(np.linalg.norm(CENTRES - 0.5, axis=1) < 0.3, 0, 1.0)
    closed = CELLS[v == 0]
    proxy = mesh_travel_time(Input=input_(v=v), SpeedType="Scalar", SpeedArray=["CELLS", "v"],
                             Seeds=points([AT[0], (0.9, 0.1, 0.1)], Label=np.array([3, 4])), TipPoints=[*AT[-1], 0.2, 0.1, 0.1])
    out = output(proxy, 1)
    assert cell_array(out, "SeedId")[1] == 3 and lines(out)[1][-1] == pytest.approx(AT[0])
    for line in lines(out):
        for a, b in zip(line[:-1], line[1:]):
            middle = (a + b) / 2
            for cell in closed:  # not inside a closed cell
                weights = np.linalg.solve(np.vstack([AT[cell].T, np.ones(4)]), [*middle, 1])
                assert weights.min() < 1e-7


def test_without_tips_there_are_neither_paths_nor_warnings():
    assert output(mesh_travel_time(Input=input_(), SeedPoints=SEED), 1).GetNumberOfCells() == 0


def test_tips_without_a_path_are_reported_and_the_others_keep_theirs(messages):
    v = np.where(abs(CENTRES[:, 0] - 0.5) < 0.2, 0, 1.0)
    proxy = mesh_travel_time(Input=input_(v=v), SpeedType="Scalar", SpeedArray=["CELLS", "v"], SeedPoints=[0, 0, 0],
                             TipPoints=[0.1, 0.1, 0.1, 0.9, 0.5, 0.5, 0.5, 0.5, 0.5, 5, 0, 0])
    text = messages()
    assert "ERROR" not in text and "no path leads to 3 of 4 tips" in text
    assert "tip 1 at (0.9, 0.5, 0.5) cannot be reached from any seed" in text
    assert "tip 2 at (0.5, 0.5, 0.5) lies in a barrier" in text
    assert "1 of 4 tips lie outside the mesh" in text and "tip 3 at (5, 0, 0) is 4 away from it" in text
    out = output(proxy, 1)
    assert list(cell_array(out, "TipId")) == [0]
    status = out.GetFieldData().GetAbstractArray("TipStatus")
    assert [status.GetValue(t) for t in range(3)] == ["Complete", "Unreachable", "TipInWall"]


# ------------------------------------------------------------------------------------------------- meshes
def test_triangles_in_space_are_a_mesh():
    """A strip folded at right angles has the times of the flat strip."""
    flat = np.array([(x, y, 0) for x in range(9) for y in range(5)], float)
    cells = [[5 * x + y + k for k in corners] for x in range(8) for y in range(4) for corners in ((0, 5, 1), (5, 6, 1))]
    folded = np.stack([np.minimum(flat[:, 0], 4), flat[:, 1], np.maximum(flat[:, 0] - 4, 0)], axis=1)
    found, expected = (mesh_travel_time(Input=mesh(at, cells), SeedPoints=[0.5, 1.25, 0], TipPoints=at[-1])
                       for at in (folded, flat))
    np.testing.assert_allclose(times(found), times(expected), rtol=1e-6)
    assert times(found)[-1] == pytest.approx(np.hypot(7.5, 2.75), rel=0.1)
    assert cell_array(output(found, 1), "Length") == pytest.approx(np.hypot(7.5, 2.75), rel=0.05)


def test_cells_whose_short_edges_lean_are_counted_in_a_warning(messages):
    at = AT.copy()
    near, moved = CELLS[100][:2]
    at[moved] = at[near] + [6e-5, 8e-5, 0]
    mesh_travel_time(Input=mesh(at, CELLS), SeedPoints=SEED)
    with_both = (np.isin(CELLS, [near, moved]).sum(axis=1) == 2).sum()
    text = messages()
    assert "cells have an edge that waves pass in less than 0.003 of the time along their longest one" in text
    assert 0 < int(text.split(" cells have an edge")[0].split()[-1]) <= with_both


def test_points_and_lines_among_the_cells_are_ignored_with_a_warning(messages):
    data = mesh_data(AT, [(3, (0, 1)), *CELLS[:600], (1, (5,)), *CELLS[600:]], {}, {"c": np.arange(len(CELLS) + 2)})
    out = output(mesh_travel_time(Input=source(data), SeedPoints=SEED))
    assert "2 cells are points or lines" in messages() and out.GetNumberOfCells() == len(CELLS)
    assert cell_array(out, "c")[0] == 1
    assert (array(out, "TravelTime") == times(mesh_travel_time(Input=input_(), SeedPoints=SEED))).all()


def test_ghost_cells_are_ignored():
    ghosts = np.where(CENTRES[:, 0] > 0.5, 1, 0).astype(np.uint8)
    out = output(mesh_travel_time(Input=input_(vtkGhostType=ghosts), SeedPoints=[0, 0, 0]))
    assert out.GetNumberOfCells() == (ghosts == 0).sum() and array(out, "Reached").all()


def test_other_cells_are_divided_on_request():
    wavelet = simple.AppendDatasets(Input=simple.Wavelet(WholeExtent=[0, 4, 0, 4, 0, 4]))
    proxy = mesh_travel_time(Input=simple.PointDatatoCellData(Input=wavelet), Tetrahedralize=1, SeedPoints=[0, 0, 0])
    out = output(proxy)
    assert {out.GetCellType(c) for c in range(out.GetNumberOfCells())} == {10} and out.GetNumberOfCells() > 5 * 64 - 1
    assert "RTData" in names(out.GetCellData()) and array(out, "TravelTime").max() == pytest.approx(np.sqrt(48), rel=0.2)


def test_numbering_and_orientation_of_cells_have_no_effect():
    order = RNG.permutation(len(CELLS))
    shuffled = RNG.permuted(CELLS[order], axis=1)
    proxy = mesh_travel_time(Input=mesh(AT, shuffled, cell_arrays={"v": SPEEDS[order]}), SpeedType="Scalar",
                             SpeedArray=["CELLS", "v"], SeedPoints=AT[77])
    expected = mesh_travel_time(Input=input_(v=SPEEDS), SpeedType="Scalar", SpeedArray=["CELLS", "v"], SeedPoints=AT[77])
    np.testing.assert_allclose(times(proxy), times(expected), rtol=5e-7)
