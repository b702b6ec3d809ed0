"""Isochrone Ray Tracing: bad input produces a message with the remedy, and valid empty outputs."""
import numpy as np
import pytest
from paraview import simple
from vtkmodules.vtkCommonDataModel import vtkMultiBlockDataSet

from pipelines import (add_arrays, array, assert_error, at, cell_array, image, image_data, output, points, ray_tracing,
                       rectilinear_grid, source, string_array, structured_grid)

ONES = np.ones(21 * 17)


def constant(**properties):
    return ray_tracing(Input=image(v=ONES), **properties)


def with_one(value, **properties):
    """One velocity is different, at point (-4, 2, 104)."""
    v = np.ones((17, 21))
    v[4, 3] = value
    return ray_tracing(Input=image(extent=(-7, 13, 2, 2, 100, 116), spacing=(0.5, 1, 1), origin=(20, 5, -100), v=v.ravel()),
                       **properties)


# ------------------------------------------------------------------------------------------------- velocities
def test_negative_velocity_is_refused_by_index_and_place(messages):
    assert_error(messages, with_one(-2), "velocity must be finite and not negative", "got -2",
                 "at point (-4, 2, 104) at (18, 7, 4)", "correct it")


def test_negative_slowness(messages):
    assert_error(messages, with_one(-1, VelocityType="Slowness"), "slowness must not be negative", "got -1 at point (-4, 2, 104)")


def test_infinite_velocity(messages):
    assert_error(messages, with_one(np.inf), "velocity must be finite", "got inf at point (-4, 2, 104)")


def test_negative_velocity_in_a_cell(messages):
    data = image_data(extent=(5, 8, 0, 3, 0, 0))
    add_arrays(data.GetCellData(), {"v": np.array([1, 1, 1, 1, -3, 1, 1, 1, 1.0])})
    proxy = ray_tracing(Input=source(data), VelocityArray=["CELLS", "v"], WeightRule="Cells")
    assert_error(messages, proxy, "got -3 in cell (6, 1, 0)")


@pytest.mark.parametrize("value", [0, np.nan])
def test_all_velocities_blanked(messages, value):
    assert_error(messages, ray_tracing(Input=image(v=value * ONES)), "all points are blanked", "give some of them a velocity")


@pytest.mark.parametrize("value", [1e-42, 1e50])
def test_velocity_beyond_single_precision(messages, value):
    assert_error(messages, with_one(value), "single precision", "point (-4, 2, 104)", "Double Precision")


@pytest.mark.parametrize("value", [1e-35, 1e42])
def test_times_beyond_single_precision(messages, value):
    assert_error(messages, with_one(value), "single precision", "other units")


def test_double_precision_extends_the_range():
    out = output(ray_tracing(Input=image(v=np.full(357, 1e-42)), DoublePrecision=1))
    assert array(out, "TravelTime").max() == pytest.approx(np.hypot(10, 8) * 1e42, rel=0.02)


@pytest.mark.parametrize("value", [0, -1, np.nan, np.inf])
def test_invalid_constant_velocity(messages, value):
    assert_error(messages, constant(VelocityArray=["POINTS", "None"], ConstantVelocity=value), "Constant Velocity", "choose a Velocity Array")


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.int64, np.float32])
def test_any_numeric_type(kind):
    v = np.random.default_rng(1).integers(1, 9, 357)
    found, expected = (array(output(ray_tracing(Input=image(v=v.astype(k)))), "TravelTime") for k in (kind, np.float64))
    assert found.tobytes() == expected.tobytes()


def test_contrast_of_1_to_1000_warns_where_rounding_may_lose_edges(messages):
    v = np.ones(6000)
    v[5000:] = 1000
    data = image(extent=(0, 5999, 0, 0, 0, 0), v=v)
    single = ray_tracing(Input=data, SourcePoints=[0, 0, 0])
    text = messages()
    assert "Warning" in text and "ERROR" not in text and "switch on Double Precision" in text
    double = ray_tracing(Input=data, SourcePoints=[0, 0, 0], DoublePrecision=1)
    assert messages() == text  # no further message
    assert at(output(double), "TravelTime", (5999, 0, 0)) == pytest.approx(5000 - 0.5 + 0.0005 + 0.999, rel=1e-9)
    assert at(output(single), "TravelTime", (5999, 0, 0)) == pytest.approx(5001, rel=1e-3)


def test_contrast_of_1_to_1000_on_a_small_image_gives_no_warning():
    v = np.where(np.add.outer(np.arange(17), np.arange(21)) % 2, 1000.0, 1)
    assert array(output(ray_tracing(Input=image(v=v.ravel()))), "Reached").all()


# ------------------------------------------------------------------------------------------------- arrays
def test_missing_array_lists_the_available_ones(messages):
    assert_error(messages, constant(VelocityArray=["POINTS", "density"]), "the velocity array 'density' is not on the input", "(v)")


def test_array_of_strings(messages):
    data = image_data()
    data.GetPointData().AddArray(string_array("v", data.GetNumberOfPoints()))
    assert_error(messages, ray_tracing(Input=source(data)), "the velocity array 'v'", "choose a numeric array")


def test_array_of_several_components(messages):
    assert_error(messages, ray_tracing(Input=image(v=np.ones((357, 3)))), "the velocity array 'v' has 3 components", "Calculator")


def test_cell_array_where_points_are_needed(messages):
    data = image_data()
    add_arrays(data.GetCellData(), {"v": np.ones(320)})
    assert_error(messages, ray_tracing(Input=source(data), VelocityArray=["CELLS", "v"]), "'v' is a cell array",
                 "Cell Data To Point Data", "Weight Rule Cells")


def test_point_array_where_cells_are_needed(messages):
    assert_error(messages, constant(WeightRule="Cells"), "'v' is a point array", "Point Data To Cell Data",
                 "Weight Rule Accurate or Fast")


def test_missing_barrier_array(messages):
    assert_error(messages, constant(BarrierArray=["POINTS", "wall"]), "the barrier array 'wall' is not on the input", "or None")


# ------------------------------------------------------------------------------------------------- template
@pytest.mark.parametrize("radius", [0, -1, 9])
def test_radius_out_of_range(messages, radius):
    assert_error(messages, constant(Radius=[3, radius, 3]), "radius must be between 1 and 8 in the plane", str(radius))


def test_radius_out_of_range_in_a_volume(messages):
    assert_error(messages, ray_tracing(Input=image(extent=(0, 4, 0, 4, 0, 4), v=np.ones(125)), Radius=[3, 3, 5]),
                 "radius must be between 1 and 4 in space", "5")


def test_balanced_template_in_a_volume(messages):
    assert_error(messages, ray_tracing(Input=image(extent=(0, 4, 0, 4, 0, 4), v=np.ones(125)), Template="Balanced 48"),
                 "balanced templates lie in a plane", "coprime")


# ------------------------------------------------------------------------------------------------- sources and receivers
def test_source_outside(messages):
    proxy = ray_tracing(Input=image(origin=(100, 0, 0), v=ONES), SourcePoints=[105, 5, 0, 5, 5, 0])
    assert_error(messages, proxy, "source 1 at (5, 5, 0) lies outside the image", "move it")


def test_source_that_is_not_finite(messages):
    assert_error(messages, constant(Sources=points([(np.nan, 0, 0)])), "source 0", "outside")


def test_source_in_a_blanked_point(messages):
    assert_error(messages, with_one(0, SourcePoints=[18, 7, 4]), "source 0 at (18, 7, 4)", "blanked point", "move it")


def test_start_value_that_is_not_finite(messages):
    proxy = constant(Sources=points([(3, 3, 0)], StartValue=np.array([np.inf])))
    assert_error(messages, proxy, "the start time of source 0 at (3, 3, 0) must be finite")


def test_start_value_of_several_components(messages):
    proxy = constant(Sources=points([(3, 3, 0)], StartValue=np.ones((1, 3))))
    assert_error(messages, proxy, "'StartValue'", "3 components", "Calculator")


def test_sources_input_without_points(messages):
    assert_error(messages, constant(Sources=points([])), "no sources", "connect another")


def test_sources_input_without_points_has_no_time_steps(messages):
    assert_error(messages, constant(Sources=points([]), SourceRuns="Time Steps"), "no sources", "connect another")


@pytest.mark.parametrize("role", ["Source", "Receiver"])
def test_points_from_an_unconnected_input(messages, role):
    assert_error(messages, constant(**{f"{role}Type": "Input"}), f"no {role.lower()}s", "connect", "set their type to Points")


def test_receivers_input_without_points_gives_no_rays():
    assert output(constant(Receivers=points([])), 1).GetNumberOfCells() == 0


# ------------------------------------------------------------------------------------------------- grids
def test_empty_image(messages):
    assert_error(messages, ray_tracing(Input=image(extent=(0, -1, 0, -1, 0, -1))), "0 x 0 x 0 points", "empty", "check")


def test_image_of_one_point(messages):
    assert_error(messages, ray_tracing(Input=image(extent=(3, 3, 4, 4, 5, 5), v=np.ones(1))), "more than one point")


@pytest.mark.parametrize("spacing", [0, np.nan, np.inf])
def test_spacing_that_is_zero_or_not_finite(messages, spacing):
    assert_error(messages, ray_tracing(Input=image(spacing=(1, spacing, 1), v=ONES)), "spacing", "axis 1", "correct it")


def test_composite_input(messages):
    blocks = vtkMultiBlockDataSet()
    blocks.SetBlock(0, image_data(v=ONES))
    assert_error(messages, ray_tracing(Input=source(blocks)), "vtkMultiBlockDataSet", "Merge Blocks", "Extract Block")


@pytest.mark.parametrize("data", [rectilinear_grid(), structured_grid()])
def test_other_grids(messages, data):
    assert_error(messages, ray_tracing(Input=source(data)), data.GetClassName(), "vtkImageData", "Resample To Image")


def test_image_too_large_for_memory_is_refused_with_numbers(messages):
    proxy = ray_tracing(Input=image(extent=(0, 4999, 0, 4999, 0, 4999)), VelocityArray=["POINTS", "None"])
    assert_error(messages, proxy, "5000 x 5000 x 5000 points", "memory")


# ------------------------------------------------------------------------------------------------- runs
def test_an_error_is_reported_once_until_something_changes(messages):
    proxy = constant(Radius=[9, 9, 9])
    for _ in range(3):
        proxy.UpdatePipeline()
    assert messages().count("ERROR") == 1
    proxy.Radius = [10, 10, 10]
    proxy.UpdatePipeline()
    assert messages().count("ERROR") == 2
    proxy.Radius = [2, 2, 2]
    proxy.UpdatePipeline()
    assert array(output(proxy), "Reached").all()


def test_cuda_runs_or_reports_the_reason(messages):
    proxy = constant(Backend="CUDA")
    if output(proxy).GetNumberOfPoints() == 0:
        assert_error(messages, proxy, "CUDA")


def test_abort_leaves_empty_outputs_and_the_next_apply_works(messages):
    proxy = constant(ReceiverPoints=[3, 3, 0])
    proxy.Radius = [5, 5, 5]
    algorithm = proxy.GetClientSideObject()
    tag = algorithm.AddObserver("ProgressEvent", lambda *_: algorithm.SetAbortExecute(1))
    proxy.UpdatePipeline()
    assert "stopped on request" in messages()
    for port in range(2):
        assert output(proxy, port).GetNumberOfPoints() == 0
    algorithm.RemoveObserver(tag)
    algorithm.SetAbortExecute(0)
    algorithm.Update()
    assert at(output(proxy), "TravelTime", (10, 8, 0)) == 0 and output(proxy, 1).GetNumberOfCells() == 1


@pytest.mark.parametrize("more", [{}, {"Interface": "Mask", "InterfaceArray": ["POINTS", "v"], "SourceRuns": "Separate"}])
def test_progress_never_decreases_and_ends_at_one(more):
    proxy = constant(ReceiverPoints=[3, 3, 0], SourcePoints=[5, 5, 0, 9, 9, 0], **more)
    algorithm, seen = proxy.GetClientSideObject(), []
    algorithm.AddObserver("ProgressEvent", lambda *_: seen.append(algorithm.GetProgress()))
    proxy.Radius = [5, 5, 5]
    proxy.UpdatePipeline()
    work = [p for p in seen if p > 0]
    assert work == sorted(work) and work[-1] == 1


# ------------------------------------------------------------------------------------------------- unequal spacings
@pytest.mark.parametrize("spacing, radius, excess", [((1, 3, 1), (3, 3, 3), "8.2 %"), ((5, 1, 1), (4, 4, 4), "11 %")])
def test_unequal_spacings_with_equal_radii_are_announced_with_their_error(messages, spacing, radius, excess):
    proxy = ray_tracing(Input=image(v=np.ones(21 * 17), spacing=spacing), Radius=radius, SourcePoints=[0, 0, 0])
    text = messages()
    assert text.count("Warning") == 1 and excess + " too long" in text and "inverse proportion" in text
    at = np.array([output(proxy).GetPoint(p) for p in range(21 * 17)])
    exact = np.linalg.norm(at, axis=1)
    most = np.nanmax(array(output(proxy), "TravelTime")[1:] / exact[1:] - 1)
    assert 0.8 * float(excess[:-2]) < 100 * most < 1.05 * float(excess[:-2])  # the image need not have the worst direction


@pytest.mark.parametrize("spacing, radius", [((1, 1, 1), (1, 1, 1)), ((1, 1.2, 1), (3, 3, 3)), ((1, 3, 1), (6, 2, 2))])
def test_equal_spacings_and_radii_in_proportion_are_not_announced(spacing, radius):
    ray_tracing(Input=image(v=np.ones(21 * 17), spacing=spacing), Radius=radius, SourcePoints=[0, 0, 0])
