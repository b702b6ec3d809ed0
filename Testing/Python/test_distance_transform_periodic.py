"""Isochrone Distance Transform: periodic axes, and segments that cross the border of the image."""
import numpy as np
import pytest

from pipelines import array, assert_error, cell_array, distance_transform, image, lines, output, points, volume

N, M, K = 13, 10, 7
FRAME = {"extent": (3, 2 + N, -4, M - 5, 2, 1 + K), "spacing": (0.5, 2, 1), "origin": (10, -7, 3)}
FIRST = np.array([11.5, -15, 5])  # the first point of the image
PERIOD = np.array([N * 0.5, M * 2, K])
SITES = np.random.default_rng(4).random((K, M, N)) < 0.01
TURNED = [0, -1, 0, 1, 0, 0, 0, 0, 1]  # direction matrix, by rows: the first axis points along world y


def wrap(sites=SITES, frame=FRAME, **properties):
    settings = {"PeriodicX": 1, "PeriodicY": 1, "PeriodicZ": 1, "DoublePrecision": 1, **properties}
    return distance_transform(Input=image(**frame, a=sites.ravel().astype(np.uint8)), **settings)


def squared(sites, spacing, axes=(0, 1, 2)):
    """Returns the squared distances to the nearest site, by comparing all pairs."""
    at = np.indices(sites.shape).reshape(3, -1)[::-1].T
    apart = np.abs(at[:, None] - at[np.flatnonzero(sites)])
    size = np.array(sites.shape[::-1])
    for a in axes:
        apart[..., a] = np.minimum(apart[..., a], size[a] - apart[..., a])
    return ((apart * np.asarray(spacing)) ** 2).sum(axis=2).min(axis=1).reshape(sites.shape)


@pytest.mark.parametrize("axes", [(0, 1, 2), (0,), (1, 2)])
def test_distances_are_those_of_brute_force(axes):
    proxy = wrap(**{f"Periodic{'XYZ'[a]}": int(a in axes) for a in range(3)})
    np.testing.assert_allclose(volume(output(proxy), "SquaredDistance"), squared(SITES, FRAME["spacing"], axes), rtol=1e-14)


def test_a_tiling_of_three_copies_has_the_same_bits_and_the_same_sites():
    frame = {**FRAME, "spacing": (1, 1, 1)}
    nine = {**frame, "extent": (3, 2 + 3 * N, -4, 3 * M - 5, 2, 1 + 3 * K)}
    tiling = output(wrap(np.tile(SITES, (3, 3, 3)), nine, PeriodicX=0, PeriodicY=0, PeriodicZ=0, Region="Signed",
                         ComputeNearestLabel=1))
    one = output(wrap(frame=frame, Region="Signed", ComputeNearestLabel=1))
    middle = (slice(K, 2 * K), slice(M, 2 * M), slice(N, 2 * N))
    for name in ("Distance", "SquaredDistance", "NearestLabel"):
        assert (volume(one, name) == volume(tiling, name)[middle]).all()
    k, j, i = np.unravel_index(volume(tiling, "NearestSite")[middle], (3 * K, 3 * M, 3 * N))
    assert (volume(one, "NearestSite") == np.ravel_multi_index((k % K, j % M, i % N), SITES.shape)).all()


def test_an_axis_is_that_of_the_image_whatever_its_direction():
    plane = np.zeros((1, M, N), bool)
    plane[0, 4, 0] = True
    frame = {"extent": (0, N - 1, 0, M - 1, 0, 0), "direction": TURNED}
    out = output(wrap(plane, frame, PeriodicY=0))  # its x axis is y in the world
    assert (array(out, "SquaredDistance").reshape(plane.shape) == squared(plane, (1, 1, 1), (0,))).all()


def test_cells_wrap_at_the_border_of_the_image():
    cells = np.zeros(20, np.uint8)
    cells[1] = 1
    data = image(extent=(0, 20, 0, 0, 0, 0))
    from pipelines import add_arrays
    add_arrays(data.GetClientSideObject().GetOutputDataObject(0).GetCellData(), {"a": cells})
    proxy = distance_transform(Input=data, SiteArray=["CELLS", "a"], PeriodicX=1)
    assert list(cell_array(output(proxy), "Distance")) == [min(abs(i - 1), 20 - abs(i - 1)) for i in range(20)]


# ----------------------------------------------------------------------------------------------------------- segments
ONE = np.zeros((1, M, N), bool)
ONE[0, 1, 1] = True
PLANE = {**FRAME, "extent": (3, 2 + N, -4, M - 5, 0, 0)}
SITE = FIRST * [1, 1, 0] + [0.5, 2, 3]
TIP = FIRST * [1, 1, 0] + [11.2 * 0.5, 8.6 * 2, 3]


def test_segments_are_cut_at_the_borders_and_stay_in_the_image():
    out = output(wrap(ONE, PLANE, Tips=points([TIP, SITE], Name=np.array([5, 6]))), 1)
    assert list(cell_array(out, "TipId")) == [0, 0, 0, 1] and list(cell_array(out, "Name")) == [5, 5, 5, 6]
    assert set(cell_array(out, "NearestSite")) == {N + 1}
    pieces = lines(out)
    low, high = FIRST - [0.25, 1, 0], FIRST + PERIOD - [0.25, 1, 0]
    for piece in pieces:
        assert (piece[:, :2] >= low[:2] - 1e-9).all() and (piece[:, :2] <= high[:2] + 1e-9).all()
    assert pieces[0][0] == pytest.approx(TIP) and pieces[2][-1] == pytest.approx(SITE)
    length = np.hypot(SITE[0] + PERIOD[0] - TIP[0], SITE[1] + PERIOD[1] - TIP[1])
    assert sum(np.linalg.norm(piece[1] - piece[0]) for piece in pieces) == pytest.approx(length)
    assert cell_array(out, "Distance")[:3] == pytest.approx(length)
    assert array(out, "Distance")[0] == pytest.approx(length) and (np.diff(array(out, "Distance")[:6]) <= 1e-12).all()


def test_unwrapped_segments_lead_to_the_nearest_copy_of_the_site():
    for turns in (0, 2, -3):
        tip = TIP + [turns * PERIOD[0], 0, 0]
        line, = lines(output(wrap(ONE, PLANE, TipPoints=tip, UnwrapPaths=1), 1))
        assert line[0] == pytest.approx(tip)
        assert line[-1] == pytest.approx(SITE + PERIOD * [1 + turns, 1, 0])


def test_moving_a_tip_does_not_solve_again_but_another_axis_does():
    proxy = wrap(ONE, PLANE, TipPoints=TIP)
    for properties, solves in (({"TipPoints": SITE}, 1), ({"UnwrapPaths": 1}, 1), ({"PeriodicX": 0}, 2), ({"PeriodicZ": 0}, 3)):
        for name, value in properties.items():
            setattr(proxy, name, value)
        proxy.UpdatePipeline()
        proxy.UpdatePropertyInformation()
        assert proxy.SolveCount == solves


def test_an_axis_of_one_point_is_not_periodic():
    above = [lines(output(wrap(ONE, PLANE, TipPoints=TIP + [0, 0, 1.7], PeriodicZ=z), 1)) for z in (0, 1)]
    assert len(above[0]) == len(above[1]) and all((a == b).all() for a, b in zip(*above))


# ---------------------------------------------------------------------------------------------------------- bad input
def test_a_surface_is_refused_with_the_remedy(messages):
    assert_error(messages, wrap(SiteMode="Level Set"), "distances to a surface are not possible with periodic axes")


def test_cuda_runs_or_reports_the_reason_and_automatic_solves_anyway(messages):
    proxy, automatic = (wrap(Backend=backend) for backend in ("CUDA", "Automatic"))
    if output(proxy).GetNumberOfPoints() == 0:
        assert_error(messages, proxy, "CUDA", "choose the Host")
        assert automatic.BackendUsed == "Host" and "CUDA" in automatic.BackendReason
    np.testing.assert_array_equal(volume(output(automatic), "Distance"), volume(output(wrap(Backend="Host")), "Distance"))


def test_a_tip_beyond_an_axis_that_is_not_periodic_is_outside(messages):
    out = output(wrap(ONE, PLANE, TipPoints=TIP + [0, 100, 0], PeriodicY=0), 1)
    assert out.GetNumberOfCells() == 0 and "lies outside the image" in messages()
