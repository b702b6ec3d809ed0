"""Isochrone Oriented Cost: properties, defaults, what is recomputed when one of them changes, and bad input."""
import numpy as np
import pytest
from paraview import simple
from vtkmodules.vtkCommonDataModel import vtkMultiBlockDataSet

from pipelines import (array, assert_documented, assert_error, choices, executions_after_touching, image, image_data, oriented_cost, output, rectilinear_grid, source, string_array)

POINTS = 21 * 17


def noisy(**arrays):
    return image(intensity=np.random.default_rng(5).uniform(0, 1, POINTS), **arrays)


# ------------------------------------------------------------------------------------------------- properties
def test_defaults_take_the_active_scalars_and_the_spacing():
    proxy = simple.IsochroneOrientedCost(Input=simple.Wavelet(WholeExtent=[-10, 10, -8, 8, 0, 0]))  # has not run
    proxy.UpdatePipeline()
    assert list(proxy.IntensityArray) == ["POINTS", "RTData"] and proxy.Length == 6 and list(proxy.Widths) == []
    cost = array(output(proxy), "Cost")
    assert output(proxy).GetDimensions() == (21, 17, 60) and 0.02 <= cost.min() < 0.2 and cost.max() > 0.9
    explicit = oriented_cost(Input=proxy.Input, IntensityArray=["POINTS", "RTData"], Widths=[1.5, 2.5, 4], Length=6)
    assert (array(output(explicit), "Cost") == cost).all()


def test_the_default_filters_grow_with_the_spacing():
    values = np.random.default_rng(5).uniform(0, 1, POINTS)
    coarse = oriented_cost(Input=image(spacing=(4, 4, 1), intensity=values))
    assert coarse.Length == 24
    assert (array(output(coarse), "Cost") == array(output(oriented_cost(Input=image(intensity=values))), "Cost")).all()


def test_python_interface():
    proxy = simple.IsochroneOrientedCost(
        Input=noisy(m=np.ones(POINTS)), IntensityArray=['POINTS', 'intensity'], IntensityComponent=0, Polarity='Dark', Widths=[1, 2],
        Length=3, NumberOfHeadings=9, MaskArray=['POINTS', 'm'], CostFloor=0.1, CostCeiling=3, HalfStrength=0.3, ContrastExponent=1.5,
        Threads=2)
    proxy.UpdatePipeline()
    cost = array(output(proxy), "Cost")
    assert output(proxy).GetDimensions() == (21, 17, 9) and cost.min() >= np.float32(0.1) and 2 < cost.max() <= 3
    assert proxy.TypicalStrength > 0 and proxy.SolveCount == 1
    for value in ("Bright", "Dark"):
        proxy.Polarity = value
        assert proxy.Polarity == value


def test_names_that_do_not_exist_are_refused():
    proxy = simple.IsochroneOrientedCost(Input=noisy())
    with pytest.raises(ValueError):
        proxy.Polarity = "Grey"
    for name in ("TipPoints", "Backend", "Scales"):
        with pytest.raises(AttributeError):
            setattr(proxy, name, [1, 2, 3])


def test_output_ports_have_names():
    proxy = simple.IsochroneOrientedCost(Input=noisy())
    assert [proxy.SMProxy.GetOutputPortName(p) for p in range(2)] == ["Oriented Cost", "Least Cost"]


def test_every_property_is_documented_and_labelled_with_its_name():
    proxy = simple.IsochroneOrientedCost(Input=noisy())
    assert_documented(proxy, 15)


def test_arrays_that_can_be_picked():
    input_ = noisy(rgb=np.ones((POINTS, 3)))
    input_.UpdatePipeline()
    proxy = simple.IsochroneOrientedCost(Input=input_)
    assert choices(proxy, "IntensityArray") == ["intensity", "rgb"] and choices(proxy, "MaskArray") == ["None", "intensity"]


# ------------------------------------------------------------------------------------------------- recomputation
@pytest.mark.parametrize("change", [{"IntensityArray": ["POINTS", "other"]}, {"Polarity": "Dark"}, {"Widths": [3]}, {"Length": 2},
                                    {"NumberOfHeadings": 8}, {"MaskArray": ["POINTS", "half"]}, {"CostFloor": 0.5}, {"CostCeiling": 2},
                                    {"HalfStrength": 0.5}, {"ContrastExponent": 1}])
def test_changes_of_the_problem_compute_again(change):
    proxy = oriented_cost(Input=noisy(other=np.arange(POINTS) % 7, half=1.0 * (np.arange(POINTS) % 21 < 10)))
    before = array(output(proxy, 1), "LeastCost").copy()
    for name, value in change.items():
        setattr(proxy, name, value)
    proxy.UpdatePipeline()
    assert proxy.SolveCount == 2 and (array(output(proxy, 1), "LeastCost") != before).any()


def test_changes_without_effect_on_the_problem_compute_nothing():
    proxy = oriented_cost(Input=noisy(other=np.ones(POINTS)))
    proxy.Threads = 2
    proxy.IntensityComponent = 0
    proxy.Widths = [1.5, 2.5, 4]
    proxy.UpdatePipeline()
    assert proxy.SolveCount == 1 and output(proxy).GetNumberOfPoints() == 60 * POINTS


def test_only_other_intensities_in_the_input_compute_again():
    data = image_data(intensity=np.arange(POINTS) % 5.0, other=np.ones(POINTS))
    proxy = oriented_cost(Input=source(data))
    assert executions_after_touching(data, "other", proxy) == 1 and proxy.SolveCount == 1
    data.GetPointData().GetArray("intensity").SetValue(100, 7)
    assert executions_after_touching(data, "intensity", proxy) == 1 and proxy.SolveCount == 2


def test_the_output_outlives_the_filter():
    proxy = oriented_cost(Input=noisy())
    data = output(proxy)
    before = array(data, "Cost").copy()
    simple.Delete(proxy)
    del proxy
    assert (array(data, "Cost") == before).all()


@pytest.mark.parametrize("share", [0.02, 0.4, 0.9])
def test_abort_stops_and_the_next_run_is_complete(messages, share):
    proxy = simple.IsochroneOrientedCost(Input=noisy(), IntensityArray=["POINTS", "intensity"])
    algorithm = proxy.GetClientSideObject()
    tag = algorithm.AddObserver(
        "ProgressEvent", lambda *_: algorithm.GetProgress() >= share and algorithm.SetAbortExecute(1))
    proxy.UpdatePipeline()
    assert "stopped on request" in messages()
    assert output(proxy).GetNumberOfPoints() == output(proxy, 1).GetNumberOfPoints() == 0
    algorithm.RemoveObserver(tag)
    algorithm.SetAbortExecute(0)
    progress = []
    algorithm.AddObserver("ProgressEvent", lambda *_: progress.append(algorithm.GetProgress()))
    algorithm.Update()
    assert len(progress) > 10 and progress == sorted(progress)
    assert output(proxy).GetNumberOfPoints() == 60 * POINTS


# ------------------------------------------------------------------------------------------------- bad input
@pytest.mark.parametrize("change, words", [
    ({"IntensityArray": ["POINTS", "density"]}, ("intensity array 'density' is not on the input", "choose", "intensity")),
    ({"IntensityArray": ["CELLS", "c"]}, ("intensity array 'c' is a cell array", "Cell Data To Point Data")),
    ({"IntensityComponent": 1}, ("'intensity' has 1 components", "Intensity Component is 1", "-1 for their mean")),
    ({"IntensityComponent": -2}, ("Intensity Component is -2",)),
    ({"MaskArray": ["POINTS", "rgb"]}, ("mask array 'rgb' has 3 components", "Calculator")),
    ({"MaskArray": ["POINTS", "nothing"]}, ("no point", "mask", "choose another mask")),
    ({"Widths": [2, 0.3]}, ("width must be at least half the spacing", "from 0.5", "got 0.3")),
    ({"Widths": [float("nan")]}, ("width", "got nan")),
    ({"Length": -1}, ("length must be", "got -1")),
    ({"NumberOfHeadings": 3}, ("headings must be at least 4, got 3",)),
    ({"NumberOfHeadings": -5}, ("headings must be at least 4, got -5",)),
    ({"CostFloor": 0}, ("cost floor must be greater than 0", "got floor 0")),
    ({"CostCeiling": 0.001}, ("cost ceiling", "ceiling 0.001")),
    ({"HalfStrength": 0}, ("half strength must be positive",)),
    ({"ContrastExponent": -2}, ("contrast exponent must be positive", "-2"))])
def test_bad_values_are_refused_with_the_remedy(messages, change, words):
    data = image_data(intensity=np.random.default_rng(5).uniform(0, 1, POINTS), rgb=np.ones((POINTS, 3)), nothing=np.zeros(POINTS))
    data.GetCellData().AddArray(image_data(c=np.ones(POINTS)).GetPointData().GetArray("c"))
    proxy = oriented_cost(Input=source(data), **change)
    assert_error(messages, proxy, *words)
    for name in change:
        proxy.GetProperty(name).ResetToDefault()
    proxy.IntensityArray = ["POINTS", "intensity"]
    proxy.UpdatePipeline()
    assert output(proxy).GetNumberOfPoints() == 60 * POINTS


def test_no_intensity_array(messages):
    proxy = oriented_cost(Input=noisy())
    proxy.IntensityArray = ["POINTS", "None"]
    proxy.UpdatePipeline()
    assert_error(messages, proxy, "intensity array 'None'", "choose one of its point arrays (intensity)")


def test_array_of_strings(messages):
    data = image_data()
    data.GetPointData().AddArray(string_array("words", POINTS))
    assert_error(messages, oriented_cost(Input=source(data), IntensityArray=["POINTS", "words"]), "choose a numeric array")


@pytest.mark.parametrize("extent, words", [((0, 4, 0, 4, 0, 4), ("5 x 5 x 5", "2D image", "Extract Subset")),
                                           ((0, 4, 0, 0, 0, 0), ("5 x 1 x 1", "2D image")),
                                           ((0, -1, 0, -1, 0, -1), ("empty",))])
def test_images_other_than_planes(messages, extent, words):
    count = int(np.prod([extent[2 * a + 1] - extent[2 * a] + 1 for a in range(3)]))
    assert_error(messages, oriented_cost(Input=image(extent=extent, intensity=np.ones(max(count, 0)))), *words)


def test_other_data(messages):
    blocks = vtkMultiBlockDataSet()
    blocks.SetBlock(0, image_data())
    assert_error(messages, oriented_cost(Input=source(blocks)), "vtkMultiBlockDataSet", "Merge Blocks", "Extract Block")


def test_other_grids(messages):
    assert_error(messages, oriented_cost(Input=source(rectilinear_grid())), "vtkRectilinearGrid", "Resample To Image")


def test_a_constant_image_has_no_tube():
    assert (array(output(oriented_cost(Input=image(intensity=np.full(POINTS, 7.0)))), "Cost") == 1).all()
