#include "MeshTravelTime/Input.h"

#include "Common/ArrayBridge.h"
#include "Error.h"

#include <vtkCell.h>
#include <vtkCellArray.h>
#include <vtkCellArrayIterator.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataSet.h>
#include <vtkDataSetTriangleFilter.h>
#include <vtkFieldData.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkTriangleFilter.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <numeric>
#include <vector>

namespace isochrone::filters {

namespace {

vtkUnstructuredGrid* requireMesh(vtkDataObject* data) {
  if (auto* mesh = vtkUnstructuredGrid::SafeDownCast(data)) return mesh;
  throw Error(std::string("the input is a ") + (data ? data->GetClassName() : "missing dataset") +
              ", but one mesh of tetrahedra (vtkUnstructuredGrid) or surface (vtkPolyData) is needed" +
              (vtkCompositeDataSet::SafeDownCast(data) ? ": apply Merge Blocks first"
               : vtkPointSet::SafeDownCast(data)       ? ": apply Append Datasets, or Clean To Grid, first"
               : vtkDataSet::SafeDownCast(data)        ? ": apply Tetrahedralize first"
                                                       : ""));
}

enum class Kind { Simplex, Lesser, Other };

Kind kindOf(int type) {
  switch (type) {
  case VTK_TETRA:
  case VTK_TRIANGLE:
    return Kind::Simplex;
  case VTK_EMPTY_CELL:
  case VTK_VERTEX:
  case VTK_POLY_VERTEX:
  case VTK_LINE:
  case VTK_POLY_LINE:
  case VTK_QUADRATIC_EDGE:
  case VTK_CUBIC_LINE:
    return Kind::Lesser;
  default:
    return Kind::Other;
  }
}

/// Copies tuples with all array attributes, such as global ids.
void copyTuples(vtkDataSetAttributes* from, vtkIdList* which, vtkDataSetAttributes* to) {
  vtkNew<vtkIdList> inOrder;
  inOrder->SetNumberOfIds(which->GetNumberOfIds());
  std::iota(inOrder->begin(), inOrder->end(), 0);
  to->CopyAllOn();
  to->CopyAllocate(from, which->GetNumberOfIds());
  to->CopyData(from, which, inOrder);
}

/// Reads the description of a cell into `cell` and calls `visit` for each position in it that holds a point
/// id.
template <class Visit>
void visitPoints(vtkUnstructuredGrid* mesh, vtkIdType number, vtkIdList* cell, const Visit& visit) {
  if (mesh->GetCellType(number) != VTK_POLYHEDRON) {
    mesh->GetCellPoints(number, cell);
    for (vtkIdType i = 0; i < cell->GetNumberOfIds(); ++i) visit(i);
    return;
  }
  mesh->GetFaceStream(number, cell); // number of faces, then per face the number of points and their ids
  for (vtkIdType i = 1; i < cell->GetNumberOfIds();)
    for (vtkIdType left = cell->GetId(i++); left > 0; --left) visit(i++);
}

/// Extracts cells with their points, in order. vtkExtractCells of VTK 9.2 occasionally crashes on three
/// ranks.
vtkSmartPointer<vtkUnstructuredGrid> extract(vtkUnstructuredGrid* mesh, vtkIdList* cells) {
  vtkNew<vtkIdList> points, cell;
  std::vector<vtkIdType> number(std::size_t(mesh->GetNumberOfPoints()), -1);
  for (vtkIdType i = 0; i < cells->GetNumberOfIds(); ++i)
    visitPoints(mesh, cells->GetId(i), cell, [&](vtkIdType at) { number[std::size_t(cell->GetId(at))] = 0; });
  for (std::size_t p = 0; p < number.size(); ++p)
    if (number[p] == 0) number[p] = points->InsertNextId(vtkIdType(p));

  auto out = vtkSmartPointer<vtkUnstructuredGrid>::New();
  out->Allocate(cells->GetNumberOfIds());
  for (vtkIdType i = 0; i < cells->GetNumberOfIds(); ++i) {
    visitPoints(mesh, cells->GetId(i), cell,
                [&](vtkIdType at) { cell->SetId(at, number[std::size_t(cell->GetId(at))]); });
    out->InsertNextCell(mesh->GetCellType(cells->GetId(i)), cell);
  }
  vtkNew<vtkPoints> places;
  places->SetDataType(mesh->GetPoints()->GetDataType());
  mesh->GetPoints()->GetPoints(points, places);
  out->SetPoints(places);
  copyTuples(mesh->GetPointData(), points, out->GetPointData());
  copyTuples(mesh->GetCellData(), cells, out->GetCellData());
  out->GetFieldData()->ShallowCopy(mesh->GetFieldData());
  return out;
}

/// Returns the number of triangles that the polygons and strips of a surface divide into.
/// @throws Error on a polygon with fewer than three points, or with a point that does not exist
vtkIdType trianglesOf(vtkPolyData* surface) {
  const vtkIdType points = surface->GetNumberOfPoints();
  vtkIdType cell = surface->GetNumberOfVerts() + surface->GetNumberOfLines(), triangles = 0;
  for (vtkCellArray* cells : {surface->GetPolys(), surface->GetStrips()}) {
    const auto each = vtk::TakeSmartPointer(cells->NewIterator());
    for (each->GoToFirstCell(); !each->IsDoneWithTraversal(); each->GoToNextCell(), ++cell) {
      vtkIdType size;
      const vtkIdType* ids;
      each->GetCurrentCell(size, ids);
      if (size < 3)
        throw Error("cell " + std::to_string(cell) + " must have at least 3 points, got " +
                    std::to_string(size) + ": repair its file, or apply Clean");
      for (vtkIdType i = 0; i < size; ++i)
        if (ids[i] < 0 || ids[i] >= points)
          throw Error("cell " + std::to_string(cell) + " has point " + std::to_string(ids[i]) +
                      ", but points are 0 to " + std::to_string(points - 1) + ": repair its file");
      triangles += size - 2;
    }
  }
  return triangles;
}

/// Converts a surface to a mesh of triangles, with the arrays of the surface themselves if it has no other
/// cells.
void readSurface(vtkPolyData* surface, MeshInput& in) {
  requireLengths(surface, "input");
  in.isSurface = true;
  in.leftOut = surface->GetNumberOfVerts() + surface->GetNumberOfLines();
  const vtkIdType triangles = trianglesOf(surface);
  vtkSmartPointer<vtkPolyData> divided = surface;
  if (triangles != surface->GetNumberOfCells()) {
    vtkNew<vtkTriangleFilter> triangulate;
    triangulate->SetInputData(surface);
    triangulate->PassVertsOff();
    triangulate->PassLinesOff();
    triangulate->Update();
    divided = triangulate->GetOutput();
    in.notDivided = triangles - divided->GetNumberOfPolys();
  }
  in.mesh = vtkSmartPointer<vtkUnstructuredGrid>::New();
  if (!divided->GetPoints()) return;
  in.mesh->SetPoints(divided->GetPoints());
  in.mesh->SetCells(VTK_TRIANGLE, divided->GetPolys());
  in.mesh->GetPointData()->ShallowCopy(divided->GetPointData());
  in.mesh->GetCellData()->ShallowCopy(divided->GetCellData());
  in.mesh->GetFieldData()->ShallowCopy(surface->GetFieldData());
}

} // namespace

void copyTo(const MeshInput& input, vtkPointSet* out) {
  auto* surface = vtkPolyData::SafeDownCast(out);
  if (!surface) return out->ShallowCopy(input.mesh);
  surface->SetPoints(input.mesh->GetPoints());
  if (input.mesh->GetNumberOfCells() > 0) surface->SetPolys(input.mesh->GetCells());
  surface->GetPointData()->ShallowCopy(input.mesh->GetPointData());
  surface->GetCellData()->ShallowCopy(input.mesh->GetCellData());
  surface->GetFieldData()->ShallowCopy(input.mesh->GetFieldData());
}

MeshInput meshOf(vtkDataObject* data, bool divide) {
  MeshInput in;
  if (auto* surface = vtkPolyData::SafeDownCast(data))
    readSurface(surface, in);
  else
    in.mesh = requireMesh(data);
  requireLengths(in.mesh, "input");

  // 1. Select the cells.
  vtkUnsignedCharArray* ghosts = in.mesh->GetCellGhostArray();
  vtkNew<vtkIdList> kept;
  vtkIdType others = 0, firstOther = -1;
  const vtkIdType count = in.mesh->GetNumberOfCells();
  for (vtkIdType c = 0; c < count; ++c) {
    if (ghosts && (ghosts->GetValue(c) & vtkDataSetAttributes::DUPLICATECELL)) continue;
    const Kind kind = kindOf(in.mesh->GetCellType(c));
    if (kind == Kind::Lesser) {
      ++in.leftOut;
      continue;
    }
    if (kind == Kind::Other && others++ == 0) firstOther = c;
    kept->InsertNextId(c);
  }
  if (others > 0 && !divide)
    throw Error(std::to_string(others) + " of " + std::to_string(count) +
                " cells are neither tetrahedra nor triangles, the first one is cell " +
                std::to_string(firstOther) + ", a " + in.mesh->GetCell(firstOther)->GetClassName() +
                ": switch on Tetrahedralize, or apply the filter Tetrahedralize first");

  // 2. Extract them, and divide cells other than tetrahedra and triangles.
  if (kept->GetNumberOfIds() < count) in.mesh = extract(in.mesh, kept);
  if (others > 0) {
    vtkNew<vtkDataSetTriangleFilter> triangulate;
    triangulate->SetInputData(in.mesh);
    triangulate->Update();
    in.mesh = triangulate->GetOutput();
    in.divided = true;
  }
  return in;
}

} // namespace isochrone::filters
