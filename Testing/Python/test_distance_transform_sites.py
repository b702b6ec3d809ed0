"""Isochrone Distance Transform: the definition of sites by arrays on points and on cells."""
import numpy as np
import pytest
from paraview import simple
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkSOADataArrayTemplate
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes

from pipelines import (add_arrays, array, cell_array, choices, distance_transform, image, image_data, lines, names,
                       nearest_sites, output, plane, source)

POINTS, CELLS = (17, 21), (16, 20)  # of the default image
INTEGERS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


def sites_of(values, **properties):
    """Returns the sites that the filter finds among the values of a plane."""
    out = output(distance_transform(Input=image(a=np.ravel(values)), **properties))
    return plane(out, "Distance") == 0


def numbers(kind=float):
    return np.random.default_rng(4).integers(0, 100, POINTS).astype(kind)


@pytest.mark.parametrize("kind", INTEGERS + [np.float32, np.float64])
def test_range_label_and_nonzero_of_any_numeric_type(kind):
    a = numbers(kind)
    assert (sites_of(a, SiteMode="Range", SiteRange=[20, 30]) == ((a >= 20) & (a <= 30))).all()
    assert (sites_of(a, SiteMode="Range", SiteRange=[19.5, 1e30]) == (a >= 20)).all()
    assert (sites_of(a, SiteMode="Range", SiteRange=[-1e30, 19.5]) == (a < 20)).all()
    assert (sites_of(a, SiteMode="Label", SiteLabel=42) == (a == 42)).all()
    assert (sites_of(a, SiteMode="Any Nonzero") == (a != 0)).all()


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_range_includes_both_ends_and_nothing_beyond(kind, messages):
    """Range ends that the type of the array cannot represent."""
    a = np.full(POINTS, 5, kind)
    a[0, :3] = 0.1, 0.2, 0.3
    a[1, :2] = np.inf, -np.inf
    expected = [0.1 <= float(kind(x)) <= 0.3 for x in (0.1, 0.2, 0.3)]
    found = sites_of(a, SiteMode="Range", SiteRange=[0.1, 0.3])
    assert list(found[0, :3]) == expected and found.sum() == sum(expected)
    assert np.argwhere(sites_of(a, SiteMode="Range", SiteRange=[6, np.inf])).tolist() == [[1, 0]]
    assert "Warning" not in messages()
    assert not sites_of(a, SiteMode="Range", SiteRange=[6, 1e300]).any()


@pytest.mark.parametrize("kind", [np.int64, np.uint64])
def test_labels_of_64_bits_are_compared_exactly(kind):
    largest = 2 ** 53
    a = np.zeros(POINTS, kind)
    a[3, 4:9] = largest - 2, largest - 1, largest, largest + 1, 2 ** 62
    for label, column in ((largest - 1, 5), (largest, 6)):
        found = sites_of(a, SiteMode="Label", SiteLabel=label)
        assert found.sum() == 1 and found[3, column]


@pytest.mark.parametrize("kind, label", [(np.uint8, 256), (np.uint8, -1), (np.int8, 255), (np.uint64, -1), (np.int16, 2.5),
                                         (np.float32, 2 ** 24 + 1)])
def test_a_label_outside_the_type_has_no_sites(messages, kind, label):
    a = np.full(POINTS, kind(2 ** 24) if kind == np.float32 else np.iinfo(kind).max, kind)
    a[0, 0] = 0
    assert not sites_of(a, SiteMode="Label", SiteLabel=label).any()
    assert f"none has the Site Label {label}, the values of 'a' range from 0 to" in messages()


def test_a_label_without_sites_is_reported_with_the_range_of_the_array(messages):
    assert not sites_of(numbers(np.uint8), SiteMode="Label", SiteLabel=200).any()
    a = numbers()
    assert f"none has the Site Label 200, the values of 'a' range from {a.min():g} to {a.max():g}" in messages()


def test_a_range_without_sites_is_reported_with_the_range_of_the_array(messages):
    assert not sites_of(numbers(), SiteMode="Range", SiteRange=[200, 300]).any()
    assert "none is in the Site Range 200 to 300, the values of 'a' range from" in messages()


@pytest.mark.parametrize("properties", [{"SiteMode": "Any Nonzero"}, {"SiteMode": "Range", "SiteRange": [-1e30, 1e30]},
                                        {"SiteMode": "Label", "SiteLabel": 1}])
def test_nan_is_counted_and_never_a_site(messages, properties):
    a = np.ones(POINTS)
    a[2, 3:6] = np.nan
    assert (sites_of(a, **properties) == ~np.isnan(a)).all()
    assert "3 values of 'a' are NaN and never sites" in messages()


def test_an_array_of_nan_only(messages):
    assert not sites_of(np.full(POINTS, np.nan)).any()
    assert "no point is a site: 'a' has no finite value" in messages()
    assert "357 values of 'a' are NaN and never sites" in messages()


def test_hidden_points_are_never_sites():
    data = image_data(a=np.ones(POINTS).ravel())
    hidden = np.zeros(POINTS, np.uint8)
    hidden[4:7, 9] = vtkDataSetAttributes.HIDDENPOINT
    hidden[0, 0] = vtkDataSetAttributes.DUPLICATEPOINT
    add_arrays(data.GetPointData(), {"vtkGhostType": hidden.ravel()})
    out = output(distance_transform(Input=source(data)))
    assert ((plane(out, "Distance") > 0) == (hidden == vtkDataSetAttributes.HIDDENPOINT)).all()


def test_arrays_of_every_memory_layout():
    a = numbers()
    data = image_data()
    columns = vtkSOADataArrayTemplate["float64"]()
    columns.SetName("a")
    columns.SetNumberOfComponents(1)
    columns.SetNumberOfTuples(a.size)
    for n, value in enumerate(a.ravel()):
        columns.SetComponent(n, 0, value)
    data.GetPointData().AddArray(columns)
    out = output(distance_transform(Input=source(data), SiteMode="Range", SiteRange=[20, 30], ComputeNearestLabel=1))
    assert ((plane(out, "Distance") == 0) == ((a >= 20) & (a <= 30))).all()
    assert (plane(out, "NearestLabel") == a.ravel()[plane(out, "NearestSite")]).all()


# ------------------------------------------------------------------------------------------------- cells
def with_cells(extent=(0, 20, 0, 16, 0, 0), **arrays):
    spacing = arrays.pop("spacing", (1, 1, 1))
    data = image_data(extent=extent, spacing=spacing, origin=(100, 0, -3))
    add_arrays(data.GetCellData(), {name: np.ravel(values) for name, values in arrays.items()})
    return data


def on_cells(data, **properties):
    return distance_transform(Input=source(data), SiteArray=["CELLS", "a"], **properties)


@pytest.mark.parametrize("extent, shape", [((0, 20, 0, 16, 0, 0), (1, 16, 20)), ((0, 6, 3, 3, 0, 9), (9, 1, 6)),
                                           ((-2, 5, 1, 6, 0, 4), (4, 5, 7)), ((0, 9, 4, 4, 0, 0), (1, 1, 9)),
                                           ((0, 1, 0, 7, 0, 1), (1, 7, 1)), ((3, 3, 4, 4, 5, 5), (1, 1, 1))])
def test_distances_of_cells_are_measured_between_their_centres(extent, shape):
    sites = np.random.default_rng(1).random(shape) < 0.1
    sites[0, 0, 0] = True
    spacing = (0.5, 1, 2)
    data = with_cells(extent, a=sites.astype(np.uint8), spacing=spacing)
    out = output(on_cells(data, ComputeNearestLabel=1))
    squared, nearest = nearest_sites(sites, spacing)
    assert names(out.GetPointData()) == []
    assert names(out.GetCellData()) == ["a", "Distance", "SquaredDistance", "NearestSite", "NearestLabel", "Reached"]
    assert out.GetCellData().GetScalars().GetName() == "Distance"
    assert (cell_array(out, "SquaredDistance") == squared.ravel()).all()
    assert (cell_array(out, "NearestSite") == nearest.ravel()).all()
    assert (cell_array(out, "NearestLabel") == 1).all() and (cell_array(out, "Reached") == 1).all()


def test_segments_to_cells_end_at_their_centres():
    cells = np.zeros(CELLS)
    cells[3, 4] = 1
    out = output(on_cells(with_cells(a=cells), TipPoints=[108, 3.5, -3, 100, 0, -3]), 1)
    for line, tip in zip(lines(out), [(108, 3.5, -3), (100, 0, -3)]):
        assert line == pytest.approx(np.array([tip, (104.5, 3.5, -3)]))
    assert list(cell_array(out, "NearestSite")) == [3 * 20 + 4] * 2


def test_hidden_cells_are_never_sites_and_unreached_ones_can_be_hidden():
    hidden = np.zeros(CELLS, np.uint8)
    hidden[5, :] = vtkDataSetAttributes.HIDDENCELL
    cells = np.zeros(CELLS)
    cells[5, :10], cells[:, 19] = 1, 1
    data = with_cells(a=cells, vtkGhostType=hidden)
    out = output(on_cells(data, MaximumDistance=3, BlankUnreached=1))
    distance = cell_array(out, "Distance").reshape(CELLS)
    others = np.arange(16) != 5
    assert np.isnan(distance[:, :16]).all() and (distance[others, 16:] == [3, 2, 1, 0]).all() and distance[5, 19] == 1
    now = cell_array(out, "vtkGhostType").reshape(CELLS)
    assert ((now != 0) == (np.isnan(distance) | (hidden != 0))).all() and (cell_array(data, "vtkGhostType") == hidden.ravel()).all()


def test_arrays_of_points_and_cells_can_be_picked():
    data = with_cells(c=np.ones(CELLS))
    add_arrays(data.GetPointData(), {"p": np.ones(POINTS).ravel(), "rgb": np.ones((357, 3))})
    input_ = source(data)
    input_.UpdatePipeline()
    proxy = simple.IsochroneDistanceTransform(Input=input_)
    assert choices(proxy, "SiteArray") == ["p", "c"] and list(proxy.SiteArray) == ["POINTS", "p"]


def test_an_image_with_only_cell_arrays_uses_the_first_one():
    input_ = source(with_cells(c=np.arange(320.0)))
    proxy = simple.IsochroneDistanceTransform(Input=input_)
    proxy.UpdatePipeline()
    assert list(proxy.SiteArray) == ["CELLS", "c"] and list(proxy.SiteRange) == [159.5, 319]
    assert (cell_array(output(proxy), "Distance") == 0).sum() == 160


def test_an_array_of_numpy_is_not_modified():
    a = numbers(np.uint8)
    data = image_data()
    shared = numpy_to_vtk(a.ravel())
    shared.SetName("a")
    data.GetPointData().AddArray(shared)
    before = a.copy()
    distance_transform(Input=source(data), ComputeNearestLabel=1)
    assert (a == before).all()
