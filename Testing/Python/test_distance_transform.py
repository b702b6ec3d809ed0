"""Isochrone Distance Transform: contents of its outputs."""
import numpy as np
import pytest
from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkDataArray

from pipelines import (add_arrays, array, at, cell_array, distance_transform, image, image_data, lines,
                       names, nearest_sites, output, points, source, volume)

BOX = {"extent": (0, 14, 0, 11, 0, 9)}  # 15 x 12 x 10 points
SHAPE = (10, 12, 15)  # [k, j, i]
ISOTROPIC, ANISOTROPIC = (1, 1, 1), (0.5, 1, 2)


def scattered(share=0.02):
    return np.random.default_rng(7).random(SHAPE) < share


def of(sites, spacing=ISOTROPIC, **properties):
    input_ = image(**BOX, spacing=spacing, a=sites.astype(np.uint8).ravel())
    return distance_transform(Input=input_, **properties)


def test_distance_is_the_active_scalar_beside_the_arrays_of_the_input():
    data = image_data(**BOX, a=np.ones(SHAPE).ravel())
    add_arrays(data.GetCellData(), {"cells": np.arange(14 * 11 * 9)})
    add_arrays(data.GetFieldData(), {"about": np.arange(3)})
    out = output(distance_transform(Input=source(data)))
    assert names(out.GetPointData()) == ["a", "Distance", "SquaredDistance", "NearestSite", "Reached"]
    assert out.GetPointData().GetScalars().GetName() == "Distance"
    assert names(out.GetCellData()) == ["cells"] and "about" in names(out.GetFieldData())
    assert names(data.GetPointData()) == ["a"] and data.GetPointData().GetScalars() is None


@pytest.mark.parametrize("spacing", [ISOTROPIC, ANISOTROPIC])
@pytest.mark.parametrize("share", [0.002, 0.02, 0.5])
def test_distances_and_sites_agree_with_brute_force(spacing, share):
    sites = scattered(share)
    squared, nearest = nearest_sites(sites, spacing)
    out = output(of(sites, spacing))
    assert (volume(out, "SquaredDistance") == squared).all()
    assert (volume(out, "Distance") == np.sqrt(squared).astype(np.float32)).all()
    assert (volume(out, "NearestSite") == nearest).all() and (array(out, "Reached") == 1).all()


def test_types_of_the_arrays():
    out = output(of(scattered()))
    kinds = {name: array(out, name).dtype for name in ("Distance", "SquaredDistance", "NearestSite", "Reached")}
    assert kinds == {"Distance": np.float32, "SquaredDistance": np.float64, "NearestSite": np.int64, "Reached": np.uint8}


def test_double_precision_gives_the_root_to_all_digits():
    sites = scattered()
    distance = array(output(of(sites, ANISOTROPIC, DoublePrecision=1)), "Distance")
    assert distance.dtype == np.float64
    assert (distance == np.sqrt(nearest_sites(sites, ANISOTROPIC)[0]).ravel()).all()


def test_inside_is_the_distance_of_sites_and_both_and_signed_combine():
    sites = ~scattered(0.2)
    squared, nearest = nearest_sites(sites)
    squared_inside, nearest_inside = nearest_sites(~sites)
    results = {region: output(of(sites, Region=region, DoublePrecision=1))
               for region in ("Outside", "Inside", "Both", "Signed")}
    distance = {region: volume(out, "Distance") for region, out in results.items()}
    assert (distance["Outside"] == np.sqrt(squared)).all() and (distance["Inside"] == np.sqrt(squared_inside)).all()
    assert (distance["Both"] == distance["Outside"] + distance["Inside"]).all()
    assert (distance["Signed"] == distance["Outside"] - distance["Inside"]).all()
    for region in ("Both", "Signed"):
        assert (volume(results[region], "NearestSite") == np.where(sites, nearest_inside, nearest)).all()
        assert (volume(results[region], "SquaredDistance") == squared + squared_inside).all()
    assert (volume(results["Inside"], "NearestSite") == nearest_inside).all()


def test_nearest_label_is_the_value_at_the_nearest_site():
    label = np.where(scattered(0.05), np.random.default_rng(3).integers(1, 9, SHAPE), 0)
    for kind in (np.uint8, np.int16, np.int64, np.float32, np.float64):
        proxy = distance_transform(Input=image(**BOX, a=label.astype(kind).ravel()), ComputeNearestLabel=1)
        nearest = volume(output(proxy), "NearestLabel")
        assert nearest.dtype == kind and (nearest == label.ravel()[nearest_sites(label > 0)[1]]).all()
        assert names(output(proxy).GetPointData())[-2:] == ["NearestLabel", "Reached"]


@pytest.mark.parametrize("region", ["Both", "Signed"])
def test_sites_keep_their_own_label(region):
    label = np.where(scattered(0.3), np.random.default_rng(3).integers(1, 9, SHAPE), 0)
    out = output(distance_transform(Input=image(**BOX, a=label.ravel()), Region=region, ComputeNearestLabel=1))
    assert (volume(out, "NearestLabel") == label.ravel()[nearest_sites(label > 0)[1]]).all()


def test_labels_are_0_at_unreached_points():
    label = 5 * scattered(0.3)
    out = output(distance_transform(Input=image(**BOX, a=label.ravel()), Region="Signed", MaximumDistance=0.01, ComputeNearestLabel=1))
    assert (array(out, "Reached") == 0).all() and (array(out, "NearestLabel") == 0).all()


def test_labels_of_64_bits_are_preserved():
    label = np.zeros(SHAPE, np.int64)
    label[4, 5, 6] = 2 ** 62 + 1
    out = output(distance_transform(Input=image(**BOX, a=label.ravel()), ComputeNearestLabel=1))
    assert set(array(out, "NearestLabel")) == {2 ** 62 + 1}


def test_optional_arrays_are_omitted_unless_requested():
    out = output(of(scattered(), ComputeSquaredDistance=0, ComputeNearestSite=0))
    assert names(out.GetPointData()) == ["a", "Distance", "Reached"]
    out = output(of(scattered(), ComputeSquaredDistance=0, ComputeNearestSite=0, ComputeNearestLabel=1))
    assert names(out.GetPointData()) == ["a", "Distance", "NearestLabel", "Reached"]


@pytest.mark.parametrize("spacing", [ISOTROPIC, ANISOTROPIC])
def test_maximum_distance_keeps_nearer_points_and_leaves_farther_ones_unreached(spacing):
    sites = scattered(0.004)
    full, near = output(of(sites, spacing)), output(of(sites, spacing, MaximumDistance=3, ComputeNearestLabel=1))
    reached = array(full, "Distance") <= 3
    assert 0.05 < reached.mean() < 0.95 and (array(near, "Reached") == reached).all()
    for name in ("Distance", "SquaredDistance", "NearestSite"):
        assert (array(near, name)[reached] == array(full, name)[reached]).all()
    assert np.isnan(array(near, "Distance")[~reached]).all() and np.isnan(array(near, "SquaredDistance")[~reached]).all()
    assert (array(near, "NearestSite")[~reached] == -1).all() and (array(near, "NearestLabel")[~reached] == 0).all()


def test_signed_distances_beyond_the_maximum_are_nan_on_both_sides():
    sites = np.broadcast_to(np.arange(15) < 7, SHAPE)
    distance = volume(output(of(sites, Region="Signed", MaximumDistance=2)), "Distance")
    assert np.array_equal(distance[3, 4], [np.nan] * 5 + [-2, -1, 1, 2] + [np.nan] * 6, equal_nan=True)


def test_blank_unreached_hides_exactly_the_unreached_points_and_their_cells():
    sites = np.broadcast_to(np.arange(15) == 14, SHAPE)
    proxy = of(sites, MaximumDistance=4, BlankUnreached=1)
    out = output(proxy)
    assert [out.IsPointVisible(p) for p in range(out.GetNumberOfPoints())] == list(array(out, "Reached"))
    assert (np.flatnonzero(volume(out, "Reached")[0, 0]) == np.arange(10, 15)).all()
    contour = simple.Contour(Input=proxy, ContourBy=["POINTS", "Distance"], Isosurfaces=[1.5])
    contour.UpdatePipeline()
    positions = vtk_to_numpy(output(contour).GetPoints().GetData())
    assert len(positions) == 12 * 10 and (positions[:, 0] == 12.5).all()


def test_results_outlive_the_solve_that_made_them():
    """The output shares the memory of the solver."""
    sites = scattered()
    proxy = of(sites)
    kept = image_data()
    kept.ShallowCopy(output(proxy))
    for region in ("Inside", "Both", "Signed"):
        proxy.Region = region
        proxy.UpdatePipeline()
    squared, nearest = nearest_sites(sites)
    assert (volume(kept, "SquaredDistance") == squared).all() and (volume(kept, "NearestSite") == nearest).all()
    assert (volume(kept, "Distance") == np.sqrt(squared).astype(np.float32)).all()


def test_ranges_of_the_arrays_are_precomputed():
    sites = np.broadcast_to(np.arange(15) == 14, SHAPE)
    data = output(of(sites, MaximumDistance=4))
    for name in ("Distance", "SquaredDistance", "NearestSite", "Reached"):
        values = data.GetPointData().GetArray(name)
        for key in (vtkDataArray.PER_COMPONENT(), vtkDataArray.PER_FINITE_COMPONENT()):
            ready = values.GetInformation().Get(key).GetInformationObject(0).Get(vtkDataArray.COMPONENT_RANGE())
            assert list(ready) == [np.nanmin(array(data, name)), np.nanmax(array(data, name))], name


def test_the_result_does_not_depend_on_the_threads():
    a = np.random.default_rng(5).random(100 * 80 * 40) < 0.001
    data = image(extent=(0, 99, 0, 79, 0, 39), a=a.astype(np.uint8))
    one, three = (output(distance_transform(Input=data, Threads=n, ComputeNearestLabel=1)) for n in (1, 3))
    for name in ("Distance", "SquaredDistance", "NearestSite", "NearestLabel", "Reached"):
        assert (array(one, name) == array(three, name)).all()


def test_if_all_points_are_sites_distances_are_zero_without_a_warning():
    out = output(of(np.ones(SHAPE, bool)))
    assert (array(out, "Distance") == 0).all() and (array(out, "NearestSite") == np.arange(15 * 12 * 10)).all()


def assert_nothing_is_reached(out):
    assert np.isnan(array(out, "Distance")).all() and np.isnan(array(out, "SquaredDistance")).all()
    assert (array(out, "Reached") == 0).all() and (array(out, "NearestSite") == -1).all()


def test_without_sites_distances_are_nan_with_a_warning(messages):
    assert_nothing_is_reached(output(of(np.zeros(SHAPE, bool))))
    assert "no point is a site: none is nonzero, the values of 'a' range from 0 to 0: Distance is NaN" in messages()


def test_inside_if_all_points_are_sites_distances_are_nan_with_a_warning(messages):
    assert_nothing_is_reached(output(of(np.ones(SHAPE, bool), Region="Inside")))
    assert "every point is a site" in messages()


def test_backend_is_reported():
    proxy = of(scattered(), Backend="Host")
    assert proxy.BackendUsed == "Host" and proxy.BackendReason


# ------------------------------------------------------------------------------------------------- segments
def test_segments_run_straight_from_the_tip_to_the_nearest_site():
    sites = np.zeros(SHAPE, bool)
    sites[2, 3, 4] = sites[8, 9, 12] = True
    tips = points([(4.5, 3, 2), (12, 8, 4.25), (0, 0, 0)], Priority=np.array([7.5, 8.5, 9.5]))
    out = output(of(sites, Tips=tips), 1)
    assert names(out.GetPointData()) == ["Distance"]
    assert names(out.GetCellData()) == ["Priority", "TipId", "NearestSite", "Distance", "Status"]
    assert list(cell_array(out, "TipId")) == [0, 1, 2] and list(cell_array(out, "Priority")) == [7.5, 8.5, 9.5]
    first, second = np.ravel_multi_index(([2, 8], [3, 9], [4, 12]), SHAPE)
    assert list(cell_array(out, "NearestSite")) == [first, second, first] and list(cell_array(out, "Status")) == [0] * 3
    ends = [(4, 3, 2), (12, 9, 8), (4, 3, 2)]
    lengths = [np.linalg.norm(np.subtract(tip, end)) for tip, end in zip([(4.5, 3, 2), (12, 8, 4.25), (0, 0, 0)], ends)]
    assert cell_array(out, "Distance") == pytest.approx(lengths)
    assert array(out, "Distance") == pytest.approx(np.ravel([[length, 0] for length in lengths]))
    for line, tip, end in zip(lines(out), [(4.5, 3, 2), (12, 8, 4.25), (0, 0, 0)], ends):
        assert line == pytest.approx(np.array([tip, end]))


@pytest.mark.parametrize("spacing", [ISOTROPIC, ANISOTROPIC])
def test_segments_of_tips_anywhere_are_shortest(spacing):
    sites = scattered()
    tips = np.random.default_rng(2).uniform(0, (14, 11, 9), (50, 3)) * spacing
    out = output(of(sites, spacing, Tips=points(tips)), 1)
    places = np.argwhere(sites)[:, ::-1] * np.array(spacing)
    shortest = np.linalg.norm(tips[:, None] - places, axis=2).min(axis=1)
    assert cell_array(out, "Distance") == pytest.approx(shortest, rel=1e-12)
    assert [np.linalg.norm(line[1] - line[0]) for line in lines(out)] == pytest.approx(shortest, rel=1e-12)


def test_segments_inside_lead_to_the_nearest_other_point():
    sites = np.ones(SHAPE, bool)
    sites[5, 5, 3] = False
    for region in ("Inside", "Both", "Signed"):
        out = output(of(sites, Region=region, TipPoints=[7, 8, 5]), 1)
        assert lines(out)[0] == pytest.approx(np.array([(7, 8, 5), (3, 5, 5)])) and cell_array(out, "Distance")[0] == 5


def test_tips_without_a_segment_are_reported_and_have_a_row(messages):
    sites = np.broadcast_to(np.arange(15) == 0, SHAPE)
    out = output(of(sites, MaximumDistance=4, TipPoints=[3, 5, 5, 9, 5, 5, 50, 0, 0]), 1)
    text = messages()
    assert "2 of 3 tips" in text and "ERROR" not in text
    assert "tip 1 at (9, 5, 5) reaches no site" in text and "tip 2 at (50, 0, 0) lies outside the image" in text
    assert list(cell_array(out, "TipId")) == [0]
    status = out.GetFieldData().GetAbstractArray("TipStatus")
    assert [status.GetValue(t) for t in range(3)] == ["Found", "NoSite", "TipOutside"]


def test_a_tip_that_is_not_finite_lies_outside(messages):
    out = output(of(scattered(), Tips=points([(np.nan, 0, 0), (3, 3, 3)])), 1)
    assert list(cell_array(out, "TipId")) == [1] and "1 of 2 tips" in messages()


def test_distance_at_the_nearest_point_bounds_the_distance_of_the_tip():
    proxy = of(scattered(), TipPoints=[7.3, 5.1, 3.8], DoublePrecision=1)
    difference = cell_array(output(proxy, 1), "Distance")[0] - at(output(proxy), "Distance", (7, 5, 4))
    assert 0 < abs(difference) <= np.linalg.norm((0.3, 0.1, 0.2))
