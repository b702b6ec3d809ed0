"""Isochrone Mesh Travel Time: properties, defaults, and what is recomputed when one of them changes."""
import numpy as np
import pytest
from paraview import simple

from pipelines import (array, assert_documented, cell_array, choices, counts, cube, lines, mesh, mesh_data,
                       mesh_travel_time, names, output, points, source)

AT, CELLS = cube(4)
FIBRES = np.tile([1.0, 0, 0], (len(CELLS), 1))
CORNER = [0, 0, 0]


def ready(**properties):
    rng = np.random.default_rng(3)
    data = mesh(AT, CELLS, {"t": np.where(np.arange(len(AT)) == 9, 0.0, -1), "p": rng.uniform(1, 2, len(AT))},
                {"v": rng.uniform(1, 2, len(CELLS)), "f": FIBRES, "s": FIBRES[:, [1, 0, 2]]})
    return mesh_travel_time(Input=data, **{"SpeedType": "Scalar", "SpeedArray": ["CELLS", "v"], "SeedPoints": [0.1, 0.2, 0.3],
                                           "TipPoints": [0.9, 0.8, 0.7], **properties})


def test_defaults_start_at_the_centre_with_speed_one():
    proxy = simple.IsochroneMeshTravelTime(Input=mesh(2 * AT, CELLS))  # has not run
    proxy.UpdatePipeline()
    assert list(proxy.SeedPoints) == [1, 1, 1] and list(proxy.TipPoints) == [1.5, 1.5, 1.5]
    assert array(output(proxy), "TravelTime").max() == pytest.approx(np.sqrt(3), rel=0.3) and array(output(proxy), "Reached").all()
    assert lines(output(proxy, 1))[0][0] == pytest.approx((1.5, 1.5, 1.5))


def test_seeds_alone_have_no_path():
    proxy = simple.IsochroneMeshTravelTime(Input=mesh(AT, CELLS), SeedPoints=CORNER)
    assert list(proxy.SeedPoints) == CORNER and list(proxy.TipPoints) == []


def test_python_interface():
    mesh_ = mesh(AT, CELLS, cell_arrays={"speed": np.ones(len(CELLS)), "fibre": FIBRES})
    seeds, tips = points([(0, 0, 0)]), points([(1, 1, 1)])
    proxy = simple.IsochroneMeshTravelTime(
        Input=mesh_, Seeds=seeds, Tips=tips, SpeedType='Fibres', SpeedArray=['CELLS', 'speed'], FibreArray=['CELLS', 'fibre'],
        SheetArray=None, ConductionVelocities=[0.6, 0.4, 0.2], TensorArray=None, Method='Automatic', Backend='Host', Threads=2)
    proxy.UpdatePipeline()
    assert names(output(proxy).GetPointData()) == ["TravelTime", "SeedId", "Reached"] and output(proxy, 1).GetNumberOfCells() == 1
    assert array(output(proxy), "TravelTime")[[0, 100, 20]] == pytest.approx([0, 1 / 0.6, 1 / 0.4])  # (1, 0, 0), (0, 1, 0)
    assert proxy.BackendUsed == "Host" and proxy.BackendReason
    assert proxy.MethodUsed in ("Band", "Plain FIM")
    for name, values in (("SpeedType", ("Constant", "Scalar", "Fibres", "Conductivities", "Tensor")),
                         ("Method", ("Automatic", "Band", "Plain FIM", "Decomposed Many Blocks", "Decomposed One Block")),
                         ("SeedType", ("Automatic", "Points", "Input", "Onset Times"))):
        for value in values:
            setattr(proxy, name, value)
            assert getattr(proxy, name) == value


def test_names_that_do_not_exist_are_refused():
    proxy = simple.IsochroneMeshTravelTime(Input=mesh(AT, CELLS))
    for name, value in (("SpeedType", "Slowness"), ("Method", "Dijkstra"), ("Backend", "GPU"), ("SeedType", "Region")):
        with pytest.raises(ValueError):
            setattr(proxy, name, value)
    for name in ("VelocityArray", "StopAtTips", "Tolerance"):
        with pytest.raises(AttributeError):
            setattr(proxy, name, 1)


def test_output_ports_have_names():
    proxy = simple.IsochroneMeshTravelTime(Input=mesh(AT, CELLS))
    assert [proxy.SMProxy.GetOutputPortName(p) for p in range(2)] == ["Travel Time", "Paths"]


def test_every_property_is_documented_and_labelled_with_its_name():
    proxy = simple.IsochroneMeshTravelTime(Input=mesh(AT, CELLS))
    assert_documented(proxy, 33)
    assert "root of e M^-1 e" in proxy.SMProxy.GetDocumentation().GetDescription()


def test_arrays_with_the_right_components_can_be_picked():
    input_ = mesh(AT, CELLS, {"a": np.ones(len(AT))}, {"two": np.ones((len(CELLS), 2)), "f": FIBRES, "m": np.ones((len(CELLS), 6)),
                                                       "n": np.ones((len(CELLS), 9)), "rgba": np.ones((len(CELLS), 4))})
    input_.UpdatePipeline()
    proxy = simple.IsochroneMeshTravelTime(Input=input_, Threads=1)
    assert choices(proxy, "SpeedArray") == ["None", "a", "f", "two"] and choices(proxy, "FibreArray") == ["None", "f"]
    assert choices(proxy, "SheetArray") == ["None", "f"] and choices(proxy, "TensorArray") == ["None", "m", "n"]
    assert choices(proxy, "OnsetTimeArray") == ["None", "a"]


@pytest.mark.parametrize("kind, chosen", [("Automatic", 0), ("Input", 0), ("Points", 124)])
def test_type_selects_typed_or_connected_points(kind, chosen):
    proxy = mesh_travel_time(Input=mesh(AT, CELLS), Seeds=points([AT[0]]), SeedPoints=AT[124], SeedType=kind,
                             Tips=points([AT[0]]), TipPoints=AT[124], TipType=kind)
    assert array(output(proxy), "TravelTime")[chosen] == 0


def test_seeds_and_tips_can_be_disconnected():
    proxy = mesh_travel_time(Input=mesh(AT, CELLS), Seeds=points([AT[0]]), Tips=points([AT[124]]))
    assert output(proxy, 1).GetNumberOfCells() == 1
    proxy.TipPoints, proxy.Seeds, proxy.Tips = [], None, None
    proxy.UpdatePipeline()
    assert array(output(proxy), "TravelTime")[0] > 0 and output(proxy, 1).GetNumberOfCells() == 0


# ------------------------------------------------------------------------------------------------- recomputation
def changed(proxy, **change):
    for name, value in change.items():
        setattr(proxy, name, value)
    proxy.UpdatePipeline()
    return counts(proxy)


def test_moving_a_tip_does_not_solve_again():
    proxy = ready()
    assert counts(proxy) == (1, 1)
    assert changed(proxy, TipPoints=[0.7, 0.9, 0.1]) == (1, 2)
    assert lines(output(proxy, 1))[0][0] == pytest.approx((0.7, 0.9, 0.1))


@pytest.mark.parametrize("change", [{"BlankUnreached": 1}, {"Threads": 2}, {"ComputeConductionSpeed": 1}, {"ConstantSpeed": 5},
                                    {"ComputeConductionDirection": 0}, {"ConductionVelocities": [1, 2, 3]}, {"VelocityScale": 3},
                                    {"Conductivities": [1, 2, 3]}, {"FibreArray": ["CELLS", "f"]}, {"CheckResidual": 1},
                                    {"Tetrahedralize": 1}])
def test_changes_without_effect_on_the_problem_compute_nothing(change):
    proxy = ready()
    assert changed(proxy, **change) == (1, 1) and output(proxy, 1).GetNumberOfCells() == 1


@pytest.mark.parametrize("change", [{"SpeedArray": ["POINTS", "p"]}, {"SpeedType": "Constant"}, {"SeedPoints": [0.1, 0.2, 0.4]},
                                    {"ExactRadius": 0.2}, {"OnsetTimeArray": ["POINTS", "t"]}, {"Method": "Plain FIM"},
                                    {"SpeedType": "Fibres", "FibreArray": ["CELLS", "f"]}])
def test_changes_of_the_problem_solve_again(change):
    assert changed(ready(), **change)[0] == 2


@pytest.mark.parametrize("change", [{"SheetArray": ["CELLS", "s"]}, {"ConductionVelocities": [0.5, 0.4, 0.2]}, {"SpeedArray": ["POINTS", "p"]}])
def test_changes_of_the_fibres_solve_again(change):
    assert changed(ready(SpeedType="Fibres", FibreArray=["CELLS", "f"]), **change)[0] == 2


def test_conduction_appears_on_request():
    proxy = ready(ComputeConductionDirection=0)
    assert changed(proxy, ComputeConductionSpeed=1) == (1, 1)
    assert names(output(proxy).GetCellData()) == ["v", "f", "s", "ConductionSpeed"]
    assert np.nanmin(cell_array(output(proxy), "ConductionSpeed")) > 0.9


def test_only_another_speed_or_another_mesh_solves_again():
    data = mesh_data(AT, CELLS, {}, {"v": np.ones(len(CELLS)), "other": np.ones(len(CELLS))})
    proxy = mesh_travel_time(Input=source(data), SpeedType="Scalar", SpeedArray=["CELLS", "v"], SeedPoints=CORNER)

    def touched(name):
        data.GetCellData().GetArray(name).Modified()
        data.Modified()
        proxy.Input.GetClientSideObject().Modified()
        proxy.GetClientSideObject().Update()
        proxy.SMProxy.UpdatePropertyInformation()  # ParaView knows nothing of this update
        return counts(proxy)[0]

    assert touched("v") == 1
    data.GetCellData().GetArray("other").SetValue(20, 7)
    assert touched("other") == 1
    data.GetCellData().GetArray("v").SetValue(10, 2)
    assert touched("v") == 2
    data.GetPoints().SetPoint(62, 0.45, 0.5, 0.5)
    data.GetPoints().Modified()
    assert touched("v") == 3


def test_the_input_is_not_changed_and_arrays_pass_through():
    proxy = ready(BlankUnreached=1)
    before = output(proxy.Input)
    assert names(before.GetPointData()) == ["t", "p"] and names(before.GetCellData()) == ["v", "f", "s"]
