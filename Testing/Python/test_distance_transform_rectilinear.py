"""Isochrone Distance Transform on rectilinear grids: distances in the coordinates of the grid."""
import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy

from pipelines import array, assert_error, distance_transform, image, output, points, rectilinear

RNG = np.random.default_rng(4)
STEPS = [np.concatenate([[-3], -3 + RNG.uniform(0.05, 2, n - 1).cumsum()]) for n in (13, 11, 9)]
SITES = RNG.uniform(size=13 * 11 * 9) < 0.03


def places(x, y, z):
    return np.stack(np.meshgrid(x, y, z, indexing="ij"), axis=-1).transpose(2, 1, 0, 3).reshape(-1, 3)


def nearest(at, sites, tips):
    """Returns the distance from each tip to the nearest site, by comparing all pairs."""
    return np.linalg.norm(tips[:, None] - at[sites][None], axis=2).min(axis=1)


@pytest.mark.parametrize("start", [(0, 0, 0), (-4, 7, 2)])
def test_distances_and_sites_are_those_of_all_pairs(start):
    at = places(*STEPS)
    out = output(distance_transform(Input=rectilinear(*STEPS, start, a=SITES.astype(float), kept=np.arange(len(at))),
                                    DoublePrecision=1, ComputeNearestSite=1, ComputeNearestLabel=1))
    assert out.IsA("vtkRectilinearGrid") and out.GetExtent()[::2] == start
    for axis, values in enumerate((out.GetXCoordinates(), out.GetYCoordinates(), out.GetZCoordinates())):
        assert (vtk_to_numpy(values) == STEPS[axis]).all()
    distance, site = array(out, "Distance"), array(out, "NearestSite")
    assert distance == pytest.approx(nearest(at, SITES, at), rel=1e-12)
    assert SITES[site].all() and distance == pytest.approx(np.linalg.norm(at - at[site], axis=1), rel=1e-12)
    assert (array(out, "kept") == np.arange(len(at))).all() and (array(out, "NearestLabel") == 1).all()


@pytest.mark.parametrize("flat", range(3))
def test_a_plane_may_lie_across_any_axis(flat):
    steps = [at[:1] + 5 if axis == flat else at for axis, at in enumerate(STEPS)]
    at = places(*steps)
    sites = RNG.uniform(size=len(at)) < 0.05
    tips = np.stack([RNG.uniform(a[0], a[-1], 20) for a in steps], axis=1)
    proxy = distance_transform(Input=rectilinear(*steps, a=sites.astype(float)), DoublePrecision=1,
                               TipPoints=tips.ravel(), Region="Both", **{f"Periodic{'XYZ'[flat]}": 1})  # without effect
    outside = ~sites
    assert array(output(proxy), "Distance")[outside] == pytest.approx(nearest(at, sites, at)[outside], rel=1e-12)
    assert output(proxy, 1).GetNumberOfCells() == 20


def test_on_cells_distances_are_between_their_centres():
    centres = [(at[1:] + at[:-1]) / 2 for at in STEPS]
    at = places(*centres)
    sites = RNG.uniform(size=len(at)) < 0.03
    tips = places(*[a[[2, 5]] + 0.01 for a in centres])
    proxy = distance_transform(Input=rectilinear(*STEPS, cell_arrays={"a": sites.astype(float)}), SiteArray=["CELLS", "a"],
                               DoublePrecision=1, TipPoints=tips.ravel())
    distance = vtk_to_numpy(output(proxy).GetCellData().GetArray("Distance"))
    assert distance == pytest.approx(nearest(at, sites, at), rel=1e-12)
    found = vtk_to_numpy(output(proxy, 1).GetCellData().GetArray("Distance"))
    assert found == pytest.approx(nearest(at, sites, tips), rel=1e-9)


def test_segments_lead_from_tips_to_sites_in_the_space_of_the_grid():
    at = places(*STEPS)
    tips = np.stack([RNG.uniform(a[0], a[-1], 30) for a in STEPS], axis=1)
    proxy = distance_transform(Input=rectilinear(*STEPS, (3, 0, 1), a=SITES.astype(float)), Tips=points(tips))
    segments = output(proxy, 1)
    assert segments.GetNumberOfCells() == 30
    ends = vtk_to_numpy(segments.GetPoints().GetData()).reshape(30, 2, 3)
    assert ends[:, 0] == pytest.approx(tips, abs=1e-9)
    assert (np.abs(ends[:, 1, None] - at[SITES]).max(axis=2).min(axis=1) < 1e-12).all()
    length = vtk_to_numpy(segments.GetCellData().GetArray("Distance"))
    assert length == pytest.approx(nearest(at, SITES, tips), rel=1e-9)
    assert length == pytest.approx(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1), rel=1e-9)


def test_a_tip_outside_is_named_with_its_place(messages):
    distance_transform(Input=rectilinear(*STEPS, a=SITES.astype(float)), TipPoints=[100, 0, 0])
    assert "tip 0 at (100, 0, 0) lies outside the image" in messages()


def test_even_coordinates_give_the_distances_of_the_image():
    even = [h * np.arange(n) for h, n in ((1, 13), (0.5, 11), (2, 9))]
    for region in ("Outside", "Inside", "Both", "Signed"):
        found, expected = (array(output(distance_transform(Input=data, Region=region)), "Distance") for data in (
            rectilinear(*even, a=SITES.astype(float)),
            image((0, 12, 0, 10, 0, 8), (1, 0.5, 2), a=SITES.astype(float))))
        assert found == pytest.approx(expected, rel=1e-6)


def test_isochrones_and_blanking_follow_the_grid():
    at = places(*STEPS)
    proxy = distance_transform(Input=rectilinear(*STEPS, a=SITES.astype(float)), Isochrones=3, MaximumDistance=2.5,
                               BlankUnreached=1)
    out, surface = output(proxy), output(proxy, 2)
    ghosts = vtk_to_numpy(out.GetPointData().GetArray("vtkGhostType"))
    assert ((ghosts > 0) == (nearest(at, SITES, at) > 2.5)).all() and 0 < (ghosts > 0).sum() < len(at)
    assert surface.GetNumberOfCells() > 0
    low, high = np.reshape(surface.GetBounds(), (3, 2)).T
    assert all(a[0] - 1e-6 <= l and h <= a[-1] + 1e-6 for a, l, h in zip(STEPS, low, high))


def test_an_image_may_follow_a_grid_and_a_grid_an_image():
    """The type of the output changes with that of the input."""
    proxy = distance_transform(Input=image(a=np.eye(21 * 17)[30]))
    assert output(proxy).IsA("vtkImageData")
    for data, kind in ((rectilinear(*STEPS, a=SITES.astype(float)), "vtkRectilinearGrid"),
                       (image(a=np.eye(21 * 17)[30]), "vtkImageData")):
        proxy.Input = data
        proxy.UpdatePipeline()
        assert output(proxy).IsA(kind) and output(proxy).GetNumberOfPoints() > 0


@pytest.mark.parametrize("x, words", [
    ([0, 1, 1, 2], ["the coordinate on axis 0 must increase from index to index", "got 1 at index 2"]),
    ([3, 2, 1, 0], ["must increase", "got 2 at index 1"]),
    ([0, 1, np.nan, 2], ["the coordinate on axis 0 must be finite", "at index 2"]),
    ([0, 1e-200, 1, 2], ["distances must be between 1e-100 and 1e+100", "another unit of length"])])
def test_bad_coordinates_are_refused_with_the_remedy(messages, x, words):
    proxy = distance_transform(Input=rectilinear(x, [0, 1], [0], a=np.arange(8.0)))
    assert_error(messages, proxy, *words)


def test_what_needs_an_image_is_refused_with_the_remedy(messages):
    data = {"a": np.arange(13 * 11 * 9.0)}
    proxy = distance_transform(Input=rectilinear(*STEPS, **data), SiteMode="Level Set", IsoValue=500)
    assert_error(messages, proxy, "distances to a surface are not possible on a rectilinear grid", "resample to an image")


def test_cuda_runs_or_reports_the_reason_and_automatic_solves_anyway(messages):
    grid = rectilinear(*STEPS, a=SITES.astype(float))
    proxy, automatic, host = (distance_transform(Input=grid, DoublePrecision=1, Backend=b) for b in ("CUDA", "Automatic", "Host"))
    if output(proxy).GetNumberOfPoints() == 0:
        assert_error(messages, proxy, "CUDA", "choose the Host")
        assert automatic.BackendUsed == "Host" and "CUDA" in automatic.BackendReason
    np.testing.assert_allclose(array(output(automatic), "Distance"), array(output(host), "Distance"), rtol=1e-14)


def test_a_grid_without_points_is_refused(messages):
    assert_error(messages, distance_transform(Input=rectilinear([], [], [])), "the input has 0 x 0 x 0 points")
