"""Arrays of the wrong length for their dataset (from a Programmable Filter, or a broken file): an error in every filter that
reads them, and no access past their end."""
from collections import namedtuple

import numpy as np
import pytest

from pipelines import (add_arrays, assert_error, cube, curvature_paths, distance_transform, image_data, mesh_data, mesh_travel_time,
                       oriented_cost, point_data, ray_tracing, source, travel_time)

POINTS, CELLS = 21 * 17, 20 * 16

# A filter on images: its builder, and its arrays on points and on cells with the other properties that they need.
Face = namedtuple("Face", "build on_points on_cells")
FACES = [Face(curvature_paths, {name: {} for name in ("CostArray", "WallArray", "TurningRadiusArray", "CurvatureShiftArray")}
              | {"DriftArray": {"Model": "Dubins"}}, {}),
         Face(travel_time, {"SpeedArray": {}, "BarrierArray": {}, "SeedRegionArray": {"SeedType": "Region"}, "DriftArray": {}}
              | {name + "Array": {"SpeedType": "TTI"} for name in ("Epsilon", "Delta", "Tilt", "ShearRatio")},
              {name: {"AverageCellData": 1, "SeedType": "Region"} for name in ("SpeedArray", "BarrierArray", "SeedRegionArray")}
              | {"DriftArray": {"AverageCellData": 1}}),
         Face(distance_transform, {"SiteArray": {}}, {"SiteArray": {}}),
         Face(ray_tracing, {"VelocityArray": {}, "BarrierArray": {"VelocityArray": ["POINTS", "None"]},
                            "InterfaceArray": {"VelocityArray": ["POINTS", "None"], "Interface": "Mask"}},
              {name: {"VelocityArray": ["CELLS", "None"], "WeightRule": "Cells", "Interface": "Label Boundary"}
               for name in ("VelocityArray", "BarrierArray", "InterfaceArray")}),
         Face(oriented_cost, {"IntensityArray": {}, "MaskArray": {"IntensityArray": ["POINTS", "fits"]}}, {})]


@pytest.fixture(params=FACES, ids=lambda face: face.build.__name__)
def face(request):
    return request.param


def with_arrays(points={}, cells={}):
    """Returns the default image with arrays for every filter to read, and others."""
    data = image_data(v=np.ones(POINTS), a=(np.arange(POINTS) == 0) * 1.0, intensity=np.ones(POINTS), fits=np.ones(POINTS))
    add_arrays(data.GetPointData(), points)
    add_arrays(data.GetCellData(), cells)
    return source(data)


def hidden(number, bit):
    return np.full(number, bit, np.uint8)


@pytest.mark.parametrize("number", [5, 5 * POINTS])
def test_ghost_array_of_points_with_another_length(face, messages, number):
    proxy = face.build(Input=with_arrays(points={"vtkGhostType": hidden(number, 2)}))
    assert_error(messages, proxy, "point array 'vtkGhostType' of the input", f"{number} values", f"{POINTS} points", "correct it")


@pytest.mark.parametrize("number", [5, 5 * CELLS])
def test_ghost_array_of_cells_with_another_length(face, messages, number):
    proxy = face.build(Input=with_arrays(cells={"vtkGhostType": hidden(number, 32)}))
    assert_error(messages, proxy, "cell array 'vtkGhostType' of the input", f"{number} values", f"{CELLS} cells", "correct it")


def test_ghost_array_with_several_components(face, messages):
    proxy = face.build(Input=with_arrays(points={"vtkGhostType": hidden(2 * POINTS, 2).reshape(-1, 2)}))
    assert_error(messages, proxy, "'vtkGhostType'", "2 components")


@pytest.mark.parametrize("number", [5, 5 * POINTS])
@pytest.mark.parametrize("build, name, extra", [(f.build, n, e) for f in FACES for n, e in f.on_points.items()])
def test_point_array_of_another_length(messages, build, name, extra, number):
    values = np.ones((number, 3)) if name == "DriftArray" else np.ones(number)
    proxy = build(**{"Input": with_arrays(points={"wrong": values}), **extra, name: ["POINTS", "wrong"]})
    assert_error(messages, proxy, "array 'wrong'", f"{number} values", f"{POINTS} points", "correct it")


@pytest.mark.parametrize("number", [5, 5 * CELLS])
@pytest.mark.parametrize("build, name, extra", [(f.build, n, e) for f in FACES for n, e in f.on_cells.items()])
def test_cell_array_of_another_length(messages, build, name, extra, number):
    proxy = build(**{"Input": with_arrays(cells={"wrong": np.ones(number)}), **extra, name: ["CELLS", "wrong"]})
    assert_error(messages, proxy, "array 'wrong'", f"{number} values", f"{CELLS} cells", "correct it")


@pytest.mark.parametrize("port, role", [("Seeds", "seeds"), ("Tips", "tips"), ("Targets", "targets")])
@pytest.mark.parametrize("name", ["StartValue", "other", "vtkGhostType"])
def test_tables_with_arrays_of_another_length(messages, port, role, name):
    seeds = point_data([(3, 3, 0), (9, 9, 0)])
    add_arrays(seeds.GetPointData(), {name: np.zeros(1, np.uint8 if name == "vtkGhostType" else float)})
    proxy = travel_time(Input=with_arrays(), **{port: source(seeds)})
    assert_error(messages, proxy, f"'{name}' of the {role} input", "1 values", "2 points")


@pytest.mark.parametrize("where", ["point_arrays", "cell_arrays"])
@pytest.mark.parametrize("name", ["speed", "other", "vtkGhostType"])
def test_meshes_with_arrays_of_another_length(messages, where, name):
    at, cells = cube(3)
    values = np.ones(5, np.uint8 if name == "vtkGhostType" else float)
    mesh = mesh_data(at, cells, **{where: {name: values}})
    proxy = mesh_travel_time(Input=source(mesh), SpeedType="Scalar", SpeedArray=["POINTS" if "point" in where else "CELLS", "speed"]
                             if name == "speed" else ["CELLS", "None"])
    assert_error(messages, proxy, f"'{name}' of the input", "5 values")
