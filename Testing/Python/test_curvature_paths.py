"""Isochrone Curvature Paths: contents of its outputs."""
import numpy as np
import pytest
from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes

from pipelines import (add_arrays, array, at, cell_array, curvature_paths, image, image_data, lines, names,
                       output, plane, points, source)

CENTRE = (10, 8, 0)  # of the default image, a grid point


def test_travel_time_is_the_active_scalar_beside_the_arrays_of_the_input():
    data = image_data(cost=np.ones(21 * 17))
    add_arrays(data.GetCellData(), {"cells": np.arange(20 * 16)})
    add_arrays(data.GetFieldData(), {"about": np.arange(3)})
    out = output(curvature_paths(Input=source(data)))
    assert names(out.GetPointData()) == ["cost", "TravelTime", "Heading", "SeedId", "Reached"]
    assert out.GetPointData().GetScalars().GetName() == "TravelTime"
    assert names(out.GetCellData()) == ["cells"]
    assert "about" in names(out.GetFieldData())
    assert names(data.GetPointData()) == ["cost"] and data.GetPointData().GetScalars() is None


def test_reeds_shepp_straight_ahead_and_back_takes_the_length():
    out = output(curvature_paths(Input=image(), SeedPoints=CENTRE, SeedHeadings=[0]))
    assert plane(out, "TravelTime")[8] == pytest.approx(abs(np.arange(21) - 10), rel=1e-5)


def test_cost_scales_the_travel_time():
    plain = output(curvature_paths(Input=image(), SeedHeadings=[30], SeedPoints=CENTRE))
    dear = output(curvature_paths(Input=image(c=np.full(21 * 17, 3, np.uint8)), CostArray=["POINTS", "c"],
                                  SeedHeadings=[30], SeedPoints=CENTRE))
    assert array(dear, "TravelTime") == pytest.approx(3 * array(plain, "TravelTime"), rel=1e-4)


def test_heading_is_in_degrees_and_points_away_from_a_free_seed():
    out = output(curvature_paths(Input=image(), Model="Reeds-Shepp Forward", SeedPoints=CENTRE))
    for direction, degrees in (((1, 0), 0), ((0, 1), 90), ((-1, 0), 180), ((0, -1), 270)):
        tip = (10 + 6 * direction[0], 8 + 6 * direction[1], 0)
        assert at(out, "Heading", tip) == degrees


def test_unreached_points_are_nan_and_not_reached():
    walls = np.zeros((17, 21), np.uint8)
    walls[:, 15] = 1
    out = output(curvature_paths(Input=image(w=walls.ravel()), WallArray=["POINTS", "w"], SeedPoints=(5, 8, 0)))
    reached = plane(out, "Reached")
    assert (reached[:, :15] == 1).all() and (reached[:, 15:] == 0).all()
    assert np.isfinite(plane(out, "TravelTime")[:, :15]).all()
    assert np.isnan(plane(out, "TravelTime")[:, 15:]).all() and np.isnan(plane(out, "Heading")[:, 15:]).all()
    assert (plane(out, "SeedId")[:, 15:] == -1).all()


def test_contour_of_a_blanked_and_of_a_plain_output_has_finite_lines_only():
    walls = np.zeros((17, 21), np.uint8)
    walls[:, 15] = 1
    for blank in (0, 1):
        proxy = curvature_paths(Input=image(w=walls.ravel()), WallArray=["POINTS", "w"], SeedPoints=(5, 8, 0),
                                BlankUnreached=blank)
        contour = simple.Contour(Input=proxy, ContourBy=["POINTS", "TravelTime"], Isosurfaces=[3.0])
        contour.UpdatePipeline()
        assert output(contour).GetNumberOfPoints() > 10
        positions = vtk_to_numpy(output(contour).GetPoints().GetData())
        assert np.isfinite(positions).all() and positions[:, 0].max() < 15


def test_hidden_points_of_the_input_are_walls():
    data = image_data()
    hidden = np.zeros((17, 21), np.uint8)
    hidden[:, 15] = vtkDataSetAttributes.HIDDENPOINT
    add_arrays(data.GetPointData(), {"vtkGhostType": hidden.ravel()})
    out = output(curvature_paths(Input=source(data), SeedPoints=(5, 8, 0)))
    assert (plane(out, "Reached")[:, 15:] == 0).all() and (plane(out, "Reached")[:, :15] == 1).all()


def test_walls_by_range_are_the_points_in_the_range():
    values = np.zeros((17, 21))
    values[:, 15] = 5
    proxy = curvature_paths(Input=image(v=values.ravel()), WallArray=["POINTS", "v"], WallMode="Range",
                            WallRange=[4, 6], SeedPoints=(5, 8, 0))
    assert (plane(output(proxy), "Reached")[:, 15:] == 0).all()
    proxy.WallRange = [6, 7]
    proxy.UpdatePipeline()
    assert (plane(output(proxy), "Reached") == 1).all()


def test_paths_run_from_the_tip_to_the_seed_with_all_arrays():
    tips = points([(18, 8, 0), (3, 12, 0)], Priority=np.array([7.5, 8.5]), Label=np.array([70, 80]))
    proxy = curvature_paths(Input=image(), SeedPoints=CENTRE, Tips=tips)
    out = output(proxy, 1)
    assert names(out.GetPointData()) == ["TravelTime", "ArcLength", "Tangent", "Heading", "Curvature", "Gear"]
    assert set(names(out.GetCellData())) == {"Priority", "Label", "TipId", "SeedId", "TravelTime", "Length", "Energy",
                                             "MaxCurvature", "Status"}
    assert list(cell_array(out, "TipId")) == [0, 1] and list(cell_array(out, "SeedId")) == [0, 0]
    assert list(cell_array(out, "Priority")) == [7.5, 8.5] and list(cell_array(out, "Label")) == [70, 80]
    assert list(cell_array(out, "Status")) == [0, 0]
    for line, tip in zip(lines(out), [(18, 8, 0), (3, 12, 0)]):
        assert line[0] == pytest.approx(tip, abs=1e-6) and line[-1] == pytest.approx(CENTRE, abs=1e-6)


def test_time_and_length_along_a_path_start_at_the_seed():
    out = output(curvature_paths(Input=image(), SeedPoints=CENTRE, TipPoints=(18, 12, 0)), 1)
    length, time = array(out, "ArcLength"), array(out, "TravelTime")
    assert length[-1] == 0 and time[-1] == 0
    assert (np.diff(length) <= 0).all() and (np.diff(time) <= 0).all()
    assert length[0] == pytest.approx(cell_array(out, "Length")[0], rel=1e-6)
    assert time[0] == pytest.approx(cell_array(out, "TravelTime")[0])


def test_tangent_is_the_heading():
    out = output(curvature_paths(Input=image(), SeedPoints=CENTRE, TipPoints=(18, 12, 0), Model="Dubins"), 1)
    heading = np.radians(array(out, "Heading"))
    assert array(out, "Tangent") == pytest.approx(np.c_[np.cos(heading), np.sin(heading), 0 * heading], abs=1e-9)


def test_only_reeds_shepp_paths_have_gears():
    for model, has in (("Reeds-Shepp", True), ("Reeds-Shepp Forward", True), ("Elastica", False), ("Dubins", False)):
        out = output(curvature_paths(Input=image(), SeedPoints=CENTRE, TipPoints=(18, 12, 0), Model=model), 1)
        assert ("Gear" in names(out.GetPointData())) == has


def test_reeds_shepp_drives_backward_to_a_tip_behind():
    out = output(curvature_paths(Input=image(), SeedPoints=CENTRE, SeedHeadings=[0], TipPoints=(4, 8, 0),
                                 TipHeadings=[0]), 1)
    assert set(array(out, "Gear")) <= {-1, 0} and (array(out, "Gear") == -1).any()
    assert array(out, "Heading") == pytest.approx(0, abs=1)


def test_seed_and_tip_arrays_set_heading_start_value_and_label():
    seeds = points([(2, 8, 0), (18, 8, 0)], Heading=np.array([0.0, 45.0]), AnyHeading=np.array([0, 1]),
                   StartValue=np.array([1.0, 2.0]), Label=np.array([7, 9]))
    out = output(curvature_paths(Input=image(), Seeds=seeds, SeedType="Input"))
    assert at(out, "TravelTime", (2, 8, 0)) == 1 and at(out, "TravelTime", (18, 8, 0)) == 2
    assert at(out, "TravelTime", (6, 8, 0)) == pytest.approx(5, rel=1e-5)  # 1 + 4 straight ahead
    assert at(out, "TravelTime", (18, 12, 0)) == pytest.approx(6, rel=1e-5)  # any heading: straight up
    assert set(array(out, "SeedId")) == {7, 9}
    assert at(out, "SeedId", (3, 8, 0)) == 7 and at(out, "SeedId", (17, 8, 0)) == 9


def test_seed_ids_are_input_indices_without_labels():
    out = output(curvature_paths(Input=image(), Seeds=points([(18, 8, 0), (2, 8, 0)])))
    assert at(out, "SeedId", (17, 8, 0)) == 0 and at(out, "SeedId", (3, 8, 0)) == 1


def test_state_space_is_empty_unless_requested():
    assert output(curvature_paths(Input=image()), 2).GetNumberOfPoints() == 0


def test_state_space_has_the_heading_as_third_axis_with_its_length():
    proxy = curvature_paths(Input=image(), ComputeStateSpace=1, SeedPoints=CENTRE, SeedHeadings=[0])
    out = output(proxy, 2)
    assert out.GetDimensions() == (21, 17, 16)
    assert out.GetFieldData().GetArray("StateSpaceHeight").GetValue(0) == 16  # the smaller extent
    assert out.GetSpacing()[2] == 1 and out.GetFieldData().GetArray("HeadingStep").GetValue(0) == 22.5
    time = array(out, "TravelTime").reshape(16, 17, 21)
    assert np.nanmin(time, axis=0).ravel() == pytest.approx(array(output(proxy), "TravelTime"))
    # On the spot, Reeds-Shepp turns at cost * turning radius per radian.
    turn = np.radians(22.5 * np.minimum(np.arange(16), 16 - np.arange(16)))
    assert time[:, 8, 10] == pytest.approx(2 * turn, rel=1e-5)
    proxy.StateSpaceHeight = 4
    proxy.UpdatePipeline()
    assert output(proxy, 2).GetSpacing()[2] == 0.25


def test_oriented_cost_sets_the_number_of_headings_and_the_cost_of_each():
    cost = np.ones((8, 17, 21), np.float32)
    cost[0] = 0.5  # along heading 0
    oriented = image(extent=(0, 20, 0, 16, 0, 7), density=cost.ravel())
    proxy = curvature_paths(Input=image(), OrientedCost=oriented, SeedPoints=CENTRE, SeedHeadings=[0],
                            ComputeStateSpace=1)
    assert output(proxy, 2).GetDimensions()[2] == 8
    assert at(output(proxy), "TravelTime", (18, 8, 0)) == pytest.approx(4, rel=1e-5)


def test_turning_radius_array_of_the_image_or_of_the_oriented_cost():
    small, large = np.full(21 * 17, 1.0), np.full(21 * 17 * 16, 3.0)
    oriented = image_data(extent=(0, 20, 0, 16, 0, 15), xi=large)
    add_arrays(oriented.GetPointData(), {"density": np.ones(21 * 17 * 16)})
    oriented.GetPointData().SetActiveScalars("density")
    common = {"SeedPoints": CENTRE, "SeedHeadings": [0], "TurningRadiusArray": ["POINTS", "xi"],
              "ComputeStateSpace": 1}
    for expected, inputs in ((1.0, {"Input": image(xi=small)}),
                             (3.0, {"Input": image(xi=small), "OrientedCost": source(oriented)})):
        time = array(output(curvature_paths(**inputs, **common), 2), "TravelTime").reshape(16, 17, 21)
        assert time[4, 8, 10] == pytest.approx(expected * np.pi / 2, rel=1e-5)


def test_curvature_shift_bends_the_cheapest_path_to_the_left():
    out = output(curvature_paths(Input=image(), Model="Reeds-Shepp Forward", CurvatureShift=0.1,
                                 SeedPoints=(5, 8, 0), SeedHeadings=[0], NumberOfHeadings=32))
    time = plane(out, "TravelTime")
    assert time[11, 13] < time[5, 13]
