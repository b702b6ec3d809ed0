#include "MeshInput.h"

#include "Error.h"

#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkCellTypes.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataSetTriangleFilter.h>
#include <vtkExtractCells.h>
#include <vtkNew.h>
#include <vtkPointSet.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <vector>

namespace isochrone::filters {

namespace {

vtkUnstructuredGrid* requireMesh(vtkDataObject* data) {
  if (auto* mesh = vtkUnstructuredGrid::SafeDownCast(data)) return mesh;
  throw Error(std::string("the input is a ") + (data ? data->GetClassName() : "missing dataset") +
              ", but one mesh of tetrahedra (vtkUnstructuredGrid) is needed: apply " +
              (vtkCompositeDataSet::SafeDownCast(data) ? "Merge Blocks"
               : vtkPointSet::SafeDownCast(data)       ? "Append Datasets, or Clean To Grid"
                                                       : "Tetrahedralize") +
              " first");
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

vtkSmartPointer<vtkUnstructuredGrid> extract(vtkUnstructuredGrid* mesh, const std::vector<vtkIdType>& cells) {
  vtkNew<vtkExtractCells> extract;
  extract->SetInputData(mesh);
  extract->SetCellIds(cells.data(), vtkIdType(cells.size()));
  extract->AssumeSortedAndUniqueIdsOn();
  extract->PassThroughCellIdsOff();
  extract->Update();
  return extract->GetOutput();
}

} // namespace

MeshInput meshOf(vtkDataObject* data, bool divide) {
  MeshInput in;
  in.mesh = requireMesh(data);

  // 1. Which cells stay.
  vtkUnsignedCharArray* ghosts = in.mesh->GetCellGhostArray();
  std::vector<vtkIdType> kept;
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
    kept.push_back(c);
  }
  if (others > 0 && !divide)
    throw Error(std::to_string(others) + " of " + std::to_string(count) +
                " cells are no tetrahedra or triangles, the first one is cell " + std::to_string(firstOther) +
                ", a " + vtkCellTypes::GetClassNameFromTypeId(in.mesh->GetCellType(firstOther)) +
                ": switch on Tetrahedralize, or apply the filter Tetrahedralize first");

  // 2. Without the others, and all of them tetrahedra and triangles.
  if (vtkIdType(kept.size()) < count) in.mesh = extract(in.mesh, kept);
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
