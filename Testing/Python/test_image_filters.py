"""Properties of the filters that send a front over an image: seeds, tips, arrays, recomputation, messages."""
from collections import namedtuple

import numpy as np
import pytest
from paraview import simple
from vtkmodules.vtkCommonCore import vtkBitArray, vtkIntArray, vtkSOADataArrayTemplate
from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkDataSetAttributes, vtkMultiBlockDataSet

from pipelines import (array, assert_documented, assert_error, at, cell_array, counts, curvature_paths,
                       executions_after_touching, image, image_data, lines, names, output, points,
                       rectilinear_grid, source, string_array, structured_grid, travel_time)

# A filter: its builder, its array (and the term for it), its walls (and the term for one).
Face = namedtuple("Face", "build medium word walls wall")
FACES = [Face(curvature_paths, "CostArray", "cost", "WallArray", "wall"),
         Face(travel_time, "SpeedArray", "speed", "BarrierArray", "barrier")]
CENTRE = (10, 8, 0)  # of the default image


@pytest.fixture(params=FACES, ids=lambda face: face.build.__name__)
def face(request):
    return request.param


def with_walls(face, walls, **properties):
    return face.build(Input=image(w=walls.astype(np.uint8).ravel()), **{face.walls: ["POINTS", "w"]}, **properties)


def with_array(face, name, data):
    return face.build(Input=source(data), **{face.medium: ["POINTS", name]})


# ------------------------------------------------------------------------------------------------- pieces
def test_a_piece_has_the_arrays_of_its_part_of_the_whole(face):
    """Also arrays with one block per component, bits, texts and cells."""
    data = image_data(m=1 + np.arange(17 * 21.0))
    count = data.GetNumberOfPoints()
    columns, bits = vtkSOADataArrayTemplate["float64"](), vtkBitArray()
    columns.SetName("columns"), bits.SetName("bits")
    for added in columns, bits:
        added.SetNumberOfTuples(count)
        for n in range(count):
            added.SetComponent(n, 0, n % 7 % 2)
        data.GetPointData().AddArray(added)
    texts = string_array("texts", count)
    for n in range(count):
        texts.SetValue(n, str(n))
    data.GetPointData().AddArray(texts)
    cells = vtkIntArray()
    cells.SetName("cells")
    for n in range(data.GetNumberOfCells()):
        cells.InsertNextValue(n)
    data.GetCellData().AddArray(cells)
    proxy = with_array(face, "m", data)
    whole = type(data)()
    whole.DeepCopy(output(proxy))
    filter_ = proxy.GetClientSideObject()
    for piece in range(3):
        filter_.UpdatePiece(piece, 3, 0)
        part, expected = filter_.GetOutputDataObject(0), type(data)()
        expected.ShallowCopy(whole)
        expected.Crop(part.GetExtent())
        assert 0 < part.GetNumberOfPoints() < count
        for mine, vtks in (part.GetPointData(), expected.GetPointData()), (part.GetCellData(), expected.GetCellData()):
            assert mine.GetNumberOfArrays() == vtks.GetNumberOfArrays()
            for a in range(vtks.GetNumberOfArrays()):
                ours, theirs = mine.GetAbstractArray(a), vtks.GetAbstractArray(a)
                assert ours.GetName() == theirs.GetName() and ours.GetNumberOfTuples() == theirs.GetNumberOfTuples()
                assert all(ours.GetVariantValue(n).ToString() == theirs.GetVariantValue(n).ToString()
                           for n in range(ours.GetNumberOfValues())), ours.GetName()
        assert part.GetPointData().GetScalars().GetName() == whole.GetPointData().GetScalars().GetName()


# ------------------------------------------------------------------------------------------------- seeds and tips
def test_seeds_input_without_points(face, messages):
    assert_error(messages, face.build(Input=image(), Seeds=points([]), SeedType="Input"), "no seeds", "connect another")


@pytest.mark.parametrize("role", ["Seed", "Tip"])
def test_points_from_an_unconnected_input(face, messages, role):
    proxy = face.build(Input=image(), **{f"{role}Type": "Input"})
    assert_error(messages, proxy, f"no {role.lower()}s", "connect", "set their type to Points")


def test_all_seeds_outside_are_reported_with_the_bounds_of_the_image(face, messages):
    input_ = image(extent=(-7, 13, 100, 116, 3, 3), origin=(20, -100, 7))
    proxy = face.build(Input=input_, SeedPoints=[0, 0, 0, 100, 0, 0])
    assert_error(messages, proxy, "no seed can be used", "2 lie outside the image", ": move",
                 "point (-7, 100, 3) at (13, 0, 10) to point (13, 116, 3) at (33, 16, 10)")


def test_all_seeds_in_walls(face, messages):
    walls = np.zeros((17, 21))
    walls[8, 10] = 1
    assert_error(messages, with_walls(face, walls, SeedPoints=CENTRE), "no seed can be used", face.wall + "s", ": move")


def test_some_seeds_outside_or_in_walls_are_counted_and_listed(face, messages):
    walls = np.zeros((17, 21))
    walls[8, 10] = 1
    proxy = with_walls(face, walls, SeedPoints=[100, 0, 0, *CENTRE, 3, 3, 0])
    text = messages()
    assert "ERROR" not in text and "Warning" in text
    assert "2 of 3 seeds" in text and "seed 0 at (100, 0, 0) lies outside" in text
    assert f"seed 1 at (10, 8, 0) lies in a {face.wall}" in text
    status = output(proxy).GetFieldData().GetAbstractArray("SeedStatus")
    assert [status.GetValue(s) for s in range(3)] == ["Outside", "In" + face.wall.capitalize(), "Inside"]
    assert set(array(output(proxy), "SeedId")) == {-1, 2}


def test_seed_that_is_not_finite_lies_outside(face, messages):
    face.build(Input=image(), Seeds=points([(float("nan"), 0, 0), (3, 3, 0)]))
    assert "1 of 2 seeds" in messages()


def test_seed_array_of_several_components(face, messages):
    seeds = points([(3, 3, 0)], StartValue=np.ones((1, 3)))
    assert_error(messages, face.build(Input=image(), Seeds=seeds), "'StartValue'", "3 components", "Calculator")


def test_unreachable_tips_are_reported_and_have_no_line(face, messages):
    walls = np.zeros((17, 21))
    walls[:, 15] = 1
    proxy = with_walls(face, walls, SeedPoints=(5, 8, 0), TipPoints=[8, 8, 0, 18, 8, 0, 15, 3, 0, 50, 0, 0])
    text = messages()
    assert "3 of 4 tips" in text and "ERROR" not in text
    assert "tip 1 at (18, 8, 0) cannot be reached" in text and f"tip 2 at (15, 3, 0) lies in a {face.wall}" in text
    assert "tip 3 at (50, 0, 0) lies outside" in text
    out = output(proxy, 1)
    assert out.GetNumberOfCells() == 1 and out.GetCellData().GetArray("TipId").GetValue(0) == 0
    status = out.GetFieldData().GetAbstractArray("TipStatus")
    assert [status.GetValue(t) for t in range(4)] == ["Complete", "Unreachable", "TipInWall", "TipOutside"]


def test_without_seeds_the_centre_is_the_seed(face):
    assert at(output(face.build(Input=image(), SeedPoints=[])), "TravelTime", CENTRE) == 0


def test_composite_seeds_are_combined(face):
    group = simple.GroupDatasets(Input=[points([(3, 3, 0)]), points([(17, 13, 0)])])
    out = output(face.build(Input=image(), Seeds=group))
    assert at(out, "TravelTime", (3, 3, 0)) == 0 and at(out, "TravelTime", (17, 13, 0)) == 0


@pytest.mark.parametrize("kind, chosen", [("Automatic", (3, 3, 0)), ("Input", (3, 3, 0)), ("Points", (17, 13, 0))])
def test_type_selects_typed_or_connected_points(face, kind, chosen):
    proxy = face.build(Input=image(), Seeds=points([(3, 3, 0)]), SeedPoints=[17, 13, 0], SeedType=kind,
                       Tips=points([(3, 3, 0)]), TipPoints=[17, 13, 0], TipType=kind)
    assert at(output(proxy), "TravelTime", chosen) == 0
    assert lines(output(proxy, 1))[0][0] == pytest.approx(chosen)


def test_seeds_and_tips_can_be_disconnected(face):
    proxy = face.build(Input=image(), Seeds=points([(3, 3, 0)]), Tips=points([(17, 13, 0)]))
    assert at(output(proxy), "TravelTime", (3, 3, 0)) == 0 and output(proxy, 1).GetNumberOfCells() == 1
    proxy.TipPoints = []
    proxy.Seeds = None
    proxy.Tips = None
    proxy.UpdatePipeline()
    assert at(output(proxy), "TravelTime", CENTRE) == 0 and output(proxy, 1).GetNumberOfCells() == 0


# ------------------------------------------------------------------------------------------------- arrays
def test_array_of_strings(face, messages):
    data = image_data()
    data.GetPointData().AddArray(string_array("words", data.GetNumberOfPoints()))
    assert_error(messages, with_array(face, "words", data), f"the {face.word} array 'words'", "choose a numeric array")


def test_array_of_several_components(face, messages):
    proxy = with_array(face, "rgb", image_data(rgb=np.ones((21 * 17, 3))))
    assert_error(messages, proxy, f"the {face.word} array 'rgb' has 3 components", "Calculator")


def test_missing_array_lists_the_available_ones(face, messages):
    proxy = with_array(face, "density", image_data(height=np.ones(21 * 17)))
    assert_error(messages, proxy, f"the {face.word} array 'density' is not on the input", "height")


def test_errors_name_a_point_by_its_index_in_the_image_and_its_place(face, messages):
    values = np.ones((17, 21))
    values[4, 3] = -1
    proxy = with_array(face, "v", image_data(extent=(-7, 13, 2, 2, 100, 116), spacing=(0.5, 1, 1), origin=(20, 5, -100),
                                             v=values.ravel()))
    assert_error(messages, proxy, face.word, "-1 at point (-4, 2, 104) at (18, 7, 4)")


def test_bad_values_in_walls_are_accepted(face):
    walls = np.zeros((17, 21), np.uint8)
    walls[4, 3] = 1
    data = image_data(w=walls.ravel(), v=np.where(walls, -1, 1.0).ravel())
    proxy = face.build(Input=source(data), **{face.medium: ["POINTS", "v"], face.walls: ["POINTS", "w"]})
    assert array(output(proxy), "Reached").sum() == 21 * 17 - 1


def test_blank_unreached_hides_exactly_the_unreached_points_and_their_cells(face):
    walls = np.zeros((17, 21), np.uint8)
    walls[:, 15] = 1
    data = image_data(w=walls.ravel())
    proxy = face.build(Input=source(data), BlankUnreached=1, SeedPoints=(5, 8, 0), **{face.walls: ["POINTS", "w"]})
    out = output(proxy)
    assert [out.IsPointVisible(p) for p in range(out.GetNumberOfPoints())] == list(array(out, "Reached"))
    hidden = cell_array(out, "vtkGhostType").reshape(16, 20) & vtkDataSetAttributes.HIDDENCELL != 0
    assert (hidden == (np.arange(20) >= 14)).all()
    assert names(data.GetPointData()) == ["w"] and names(data.GetCellData()) == []
    surface = simple.ExtractSurface(Input=proxy)
    surface.UpdatePipeline()
    assert output(surface).GetNumberOfCells() == 16 * 14 and output(surface).GetBounds()[:2] == (0, 14)


# ------------------------------------------------------------------------------------------------- grids
def test_empty_image(face, messages):
    assert_error(messages, face.build(Input=image(extent=(0, -1, 0, -1, 0, -1))), "0 x 0 x 0 points", "empty", "check")


def test_spacing_of_zero(face, messages):
    assert_error(messages, face.build(Input=image(spacing=(1, 0, 1))), "spacing", "axis 1", "correct it")


def test_composite_input(face, messages):
    blocks = vtkMultiBlockDataSet()
    blocks.SetBlock(0, image_data())
    assert_error(messages, face.build(Input=source(blocks)), "vtkMultiBlockDataSet", "image", "Merge Blocks",
                 "Extract Block")


@pytest.mark.parametrize("data", [rectilinear_grid(), structured_grid()])
def test_other_grids(face, messages, data):
    if face.build is travel_time and data.IsA("vtkRectilinearGrid"):
        out = output(face.build(Input=source(data)))  # is solved as it is
        assert out.IsA("vtkRectilinearGrid") and out.GetNumberOfPoints() == 9 and np.isfinite(array(out, "TravelTime")).all()
        return
    assert_error(messages, face.build(Input=source(data)), data.GetClassName(), "vtkImageData", "Resample To Image")


# ------------------------------------------------------------------------------------------------- runs
def test_every_property_is_documented_and_labelled_with_its_name(face):
    proxy = face.build(Input=image())
    assert_documented(proxy, 25)


def test_moving_a_tip_extracts_paths_only(face):
    proxy = face.build(Input=image(), SeedPoints=CENTRE, TipPoints=[3, 3, 0])
    assert counts(proxy) == (1, 1)
    proxy.TipPoints = [17, 13, 0]
    proxy.UpdatePipeline()
    assert counts(proxy) == (1, 2)
    assert lines(output(proxy, 1))[0][0] == pytest.approx((17, 13, 0), abs=1e-6)


def test_moving_a_seed_solves_again(face):
    proxy = face.build(Input=image(), SeedPoints=CENTRE)
    proxy.SeedPoints = [3, 3, 0]
    proxy.UpdatePipeline()
    assert counts(proxy)[0] == 2 and at(output(proxy), "TravelTime", (3, 3, 0)) == 0


def test_only_another_value_in_the_input_solves_again(face):
    data = image_data(v=np.full(21 * 17, 2.0))
    proxy = with_array(face, "v", data)
    assert executions_after_touching(data, "v", proxy) == 1 and counts(proxy)[0] == 1
    before = array(output(proxy), "TravelTime").copy()
    for point in range(data.GetNumberOfPoints()):
        data.GetPointData().GetArray("v").SetValue(point, 4.0)
    assert executions_after_touching(data, "v", proxy) == 1 and counts(proxy)[0] == 2
    factor = 2 if face.word == "cost" else 0.5
    assert array(output(proxy), "TravelTime") == pytest.approx(factor * before, rel=1e-4)


def test_an_error_is_reported_once_until_something_changes(face, messages):
    data = image_data(v=np.full(21 * 17, -1.0))
    proxy = with_array(face, "v", data)
    for port in (0, 1, 0):
        simple.OutputPort(proxy, port).UpdatePipeline()
    assert messages().count("ERROR") == 1
    proxy.StopAtTips = 1
    proxy.UpdatePipeline()
    assert messages().count("ERROR") == 2
    data.GetPointData().GetArray("v").Modified()
    proxy.Input.GetClientSideObject().Modified()
    proxy.GetClientSideObject().Update()
    assert messages().count("ERROR") == 3


def test_a_good_input_after_a_bad_one_works(face, messages):
    proxy = face.build(Input=image(), SeedPoints=[100, 0, 0])
    assert "ERROR" in messages()
    proxy.SeedPoints = CENTRE
    proxy.UpdatePipeline()
    assert array(output(proxy), "Reached").all()


def test_cuda_runs_or_reports_the_reason(face, messages):
    proxy = face.build(Input=image(), Backend="CUDA")
    if output(proxy).GetNumberOfPoints():
        assert proxy.BackendUsed == "CUDA"
    else:
        assert_error(messages, proxy, "CUDA")


RUNS = [lambda: simple.IsochroneCurvaturePaths(Input=image(), NumberOfHeadings=16, TurningRadius=2.0, TipPoints=[3, 3, 0]),
        lambda: simple.IsochroneImageTravelTime(Input=image(extent=(0, 20) * 3), TipPoints=[3, 3, 3]),
        lambda: simple.IsochroneImageTravelTime(Input=image(extent=(0, 20) * 3), TipPoints=[3, 3, 3],
                                                Targets=points([(9, 9, 9)]))]


@pytest.mark.parametrize("build", RUNS)
def test_progress_never_decreases_and_ends_at_one(build):
    proxy = build()
    algorithm, seen = proxy.GetClientSideObject(), []
    algorithm.AddObserver("ProgressEvent", lambda *_: seen.append(algorithm.GetProgress()))
    proxy.UpdatePipeline()
    work = [p for p in seen if p > 0]
    assert work == sorted(work) and work[-1] == 1


@pytest.mark.parametrize("build, share, paths", zip(RUNS, (0, 0, 0.4), (1, 1, 2)))
def test_abort_leaves_empty_outputs_and_the_next_apply_works(messages, build, share, paths):
    """Stops at the first progress report, or in the solve from the targets."""
    proxy = build()
    algorithm = proxy.GetClientSideObject()
    tag = algorithm.AddObserver(
        "ProgressEvent", lambda *_: algorithm.GetProgress() >= share and algorithm.SetAbortExecute(1))
    proxy.UpdatePipeline()
    assert "stopped on request" in messages()
    for port in range(algorithm.GetNumberOfOutputPorts()):
        for kind in (vtkDataObject.POINT, vtkDataObject.ROW):
            assert output(proxy, port).GetNumberOfElements(kind) == 0
    algorithm.RemoveObserver(tag)
    algorithm.SetAbortExecute(0)
    algorithm.Update()
    assert np.isfinite(array(output(proxy), "TravelTime")).all() and output(proxy, 1).GetNumberOfCells() == paths
