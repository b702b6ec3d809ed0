"""Isochrone Image Travel Time: arrays on cells, which are averaged to points on request."""
import numpy as np
import pytest
from paraview import simple
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes

from pipelines import (add_arrays, array, assert_error, at, choices, counts, executions_after_touching, image_data,
                       output, plane, source, travel_time)

CELLS = (16, 20)  # of the default image, 21 x 17 points
SEED = (5, 8, 0)


def with_cells(extent=(0, 20, 0, 16, 0, 0), **arrays):
    data = image_data(extent=extent)
    add_arrays(data.GetCellData(), {name: np.ravel(values) for name, values in arrays.items()})
    return data


def wall(value, rest):
    """Returns one column of cells between the points 14 and 15."""
    cells = np.full(CELLS, rest)
    cells[:, 14] = value
    return cells


@pytest.mark.parametrize("extent, cells", [((0, 20, 0, 16, 0, 0), 320), ((0, 6, 3, 3, 0, 9), 54), ((-2, 5, 1, 6, 0, 4), 140),
                                           ((0, 9, 4, 4, 0, 0), 9), ((3, 3, 4, 4, 5, 5), 1)])
def test_the_speed_at_a_point_is_the_mean_of_the_cells_around_it(extent, cells):
    speed = source(with_cells(extent, f=np.random.default_rng(1).uniform(1, 5, cells)))
    ours = output(travel_time(Input=speed, SpeedArray=["CELLS", "f"], AverageCellData=1))
    first = simple.CellDatatoPointData(Input=speed)
    theirs = output(travel_time(Input=first, SpeedArray=["POINTS", "f"]))
    assert array(ours, "TravelTime") == pytest.approx(array(theirs, "TravelTime"), rel=1e-6)


def test_integers_are_averaged_without_rounding():
    cells = np.ones(CELLS, np.uint8)
    cells[:, ::2] = 2  # 1.5 at all points except those on two sides
    out = output(travel_time(Input=source(with_cells(f=cells)), SpeedArray=["CELLS", "f"], AverageCellData=1,
                             SeedPoints=SEED))
    assert at(out, "TravelTime", (9, 8, 0)) == pytest.approx(4 / 1.5, rel=1e-5)


@pytest.mark.parametrize("arrays, properties", [
    ({"f": wall(0, 1)}, {"SpeedArray": ["CELLS", "f"]}),
    ({"f": wall(np.nan, 1.0)}, {"SpeedArray": ["CELLS", "f"]}),
    ({"f": wall(np.inf, 1.0)}, {"SpeedArray": ["CELLS", "f"], "SpeedType": "Slowness"}),
    ({"w": wall(1, 0)}, {"BarrierArray": ["CELLS", "w"]}),
    ({"w": wall(7, 3)}, {"BarrierArray": ["CELLS", "w"], "BarrierMode": "Range", "BarrierRange": [6, 8]}),
    ({"w": wall(1, 0), "f": wall(-3, 1)}, {"BarrierArray": ["CELLS", "w"], "SpeedArray": ["CELLS", "f"]}),
    ({"vtkGhostType": wall(vtkDataSetAttributes.HIDDENCELL, 0).astype(np.uint8)}, {})])
def test_a_wall_one_cell_thick_blocks_the_front(arrays, properties):
    proxy = travel_time(Input=source(with_cells(**arrays)), AverageCellData=1, SeedPoints=SEED, **properties)
    assert (plane(output(proxy), "Reached") == (np.arange(21) < 14)).all()


def test_a_region_of_cells_includes_all_their_points():
    label = np.zeros(CELLS)
    label[:, 3:5] = 2
    out = output(travel_time(Input=source(with_cells(label=label)), SeedType="Region", AverageCellData=1,
                             SeedRegionArray=["CELLS", "label"], SeedRegionRange=[2, 2]))
    i = np.arange(21)
    assert plane(out, "TravelTime")[8] == pytest.approx(np.maximum(0, np.maximum(3 - i, i - 5)), abs=1e-5)


@pytest.mark.parametrize("role", ["SpeedArray", "BarrierArray", "SeedRegionArray"])
def test_a_cell_array_without_averaging_is_refused(messages, role):
    proxy = travel_time(Input=source(with_cells(f=np.ones(CELLS))), SeedType="Region" if "Seed" in role else "Points",
                        **{role: ["CELLS", "f"]})
    assert_error(messages, proxy, "array 'f' is a cell array", "switch on Average Cell Data", "Cell Data To Point Data")


@pytest.mark.parametrize("value, kind, words", [(-2, "Speed", "speed must be finite and not negative"),
                                                (np.inf, "Speed", "speed must be finite"),
                                                (0, "Slowness", "slowness must be positive")])
def test_bad_values_are_refused_by_cell_before_averaging(messages, value, kind, words):
    cells = np.full((2, 16, 20), 5.0)
    cells[1, 4, 3] = value
    proxy = travel_time(Input=source(with_cells((-7, 13, 100, 116, 3, 5), f=cells)), SpeedArray=["CELLS", "f"],
                        SpeedType=kind, AverageCellData=1)
    assert_error(messages, proxy, words, "in cell (-4, 104, 4)")


# ------------------------------------------------------------------------------------------------- tensors
def metrics(cells, components=6, seed=2):
    """Returns random positive definite tensors, xx yy zz xy yz xz, or xx yy xy."""
    n = 3 if components == 6 else 2
    roots = np.random.default_rng(seed).uniform(-1, 1, (cells, n, n)) + 2 * np.eye(n)
    t = roots @ roots.transpose(0, 2, 1)
    pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)] if n == 3 else [(0, 0), (1, 1), (0, 1)]
    return np.stack([t[:, i, j] for i, j in pairs], axis=1)


def tensor_cells(extent, tensors, **arrays):
    data = with_cells(extent, **arrays)
    add_arrays(data.GetCellData(), {"G": tensors})
    return data


@pytest.mark.parametrize("extent, cells, components", [((0, 20, 0, 16, 0, 0), 320, 3), ((0, 20, 0, 16, 0, 0), 320, 6),
                                                       ((0, 6, 3, 3, 0, 9), 54, 3), ((-2, 5, 1, 6, 0, 4), 140, 6)])
@pytest.mark.parametrize("kind", ["Metric Tensor", "Squared Velocity Tensor"])
def test_the_tensor_at_a_point_is_the_mean_of_the_cells_around_it(extent, cells, components, kind):
    tensors = metrics(cells, components)
    if components == 6 and extent[5] == 0:
        tensors[:, 4:] = 0  # along the plane, so that its part in the plane is that of the mean
    input_ = source(tensor_cells(extent, tensors))
    ours = output(travel_time(Input=input_, SpeedArray=["CELLS", "G"], SpeedType=kind, AverageCellData=1))
    first = simple.CellDatatoPointData(Input=input_)
    theirs = output(travel_time(Input=first, SpeedArray=["POINTS", "G"], SpeedType=kind))
    assert array(ours, "TravelTime") == pytest.approx(array(theirs, "TravelTime"), rel=1e-5)


@pytest.mark.parametrize("value", [0, np.nan])
def test_a_wall_of_tensors_one_cell_thick_blocks_the_front(value):
    tensors = np.tile([1.0, 2, 0], (320, 1))
    tensors.reshape(16, 20, 3)[:, 14] = value
    proxy = travel_time(Input=source(tensor_cells((0, 20, 0, 16, 0, 0), tensors)), SpeedArray=["CELLS", "G"],
                        SpeedType="Metric Tensor", AverageCellData=1, SeedPoints=SEED)
    assert (plane(output(proxy), "Reached") == (np.arange(21) < 14)).all()


def test_barrier_cells_block_the_front_of_tensors():
    tensors = np.tile([1.0, 2, 0], (320, 1))
    proxy = travel_time(Input=source(tensor_cells((0, 20, 0, 16, 0, 0), tensors, w=wall(1, 0))), AverageCellData=1,
                        SpeedArray=["CELLS", "G"], SpeedType="Metric Tensor", BarrierArray=["CELLS", "w"], SeedPoints=SEED)
    assert (plane(output(proxy), "Reached") == (np.arange(21) < 14)).all()


@pytest.mark.parametrize("tensor, words", [([1, -1, 1, 0, 0, 0], "not positive definite"), ([1, 1, 1, 2, 0, 0], "not positive definite"),
                                           ([1, 1, 1, 0, 5, 0, 0, 0, 1], "not symmetric")])
def test_bad_tensors_are_refused_by_cell_before_averaging(messages, tensor, words):
    good = [1, 1, 1, 0, 0, 0] if len(tensor) == 6 else np.eye(3).ravel()
    tensors = np.tile(np.asarray(good, float), (640, 1))
    tensors.reshape(2, 16, 20, -1)[1, 4, 3] = tensor
    proxy = travel_time(Input=source(tensor_cells((-7, 13, 100, 116, 3, 5), tensors)), SpeedArray=["CELLS", "G"],
                        SpeedType="Metric Tensor", AverageCellData=1)
    assert_error(messages, proxy, words, "cell (-4, 104, 4)")


def test_tensors_on_cells_without_averaging_are_refused(messages):
    proxy = travel_time(Input=source(tensor_cells((0, 20, 0, 16, 0, 0), metrics(320))), SpeedArray=["CELLS", "G"],
                        SpeedType="Metric Tensor")
    assert_error(messages, proxy, "array 'G' is a cell array", "switch on Average Cell Data")


def test_missing_cell_array_lists_the_available_ones(messages):
    proxy = travel_time(Input=source(with_cells(cost=np.ones(CELLS))), SpeedArray=["CELLS", "f"], AverageCellData=1)
    assert_error(messages, proxy, "'f' is not on the input", "cell arrays (cost)")


def test_cell_arrays_can_be_picked():
    data = with_cells(f=np.ones(CELLS))
    add_arrays(data.GetCellData(), {"rgb": np.ones((320, 3))})
    input_ = source(data)
    input_.UpdatePipeline()
    proxy = simple.IsochroneImageTravelTime(Input=input_, Threads=1)
    for name in ("SpeedArray", "BarrierArray", "SeedRegionArray"):
        expected = ["None", "f", "rgb"] if name == "SpeedArray" else ["None", "f"]
        assert choices(proxy, name) == expected


def test_a_changed_cell_solves_again_and_a_new_modification_time_does_not():
    data = with_cells(f=np.full(CELLS, 2.0))
    data.GetPointData().AddArray(image_data(v=np.ones(21 * 17)).GetPointData().GetArray("v"))
    proxy = travel_time(Input=source(data), SpeedArray=["CELLS", "f"], AverageCellData=1, SeedPoints=SEED)
    assert executions_after_touching(data, "v", proxy) == 1 and counts(proxy)[0] == 1
    data.GetCellData().GetArray("f").SetValue(0, 4.0)
    assert executions_after_touching(data, "v", proxy) == 1 and counts(proxy)[0] == 2
