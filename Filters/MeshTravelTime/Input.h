// Input.h - prepares the input mesh for the solver: tetrahedra and triangles, each on one rank.
#pragma once

#include <vtkSmartPointer.h>

#include <cstdint>
#include <string>

class vtkDataObject;
class vtkUnstructuredGrid;

namespace isochrone::filters {

struct MeshInput {
  vtkSmartPointer<vtkUnstructuredGrid> mesh; ///< the input itself if it has only such cells
  std::int64_t leftOut = 0;                  ///< number of cells that are points or lines
  bool divided = false;                      ///< cells were divided into tetrahedra and triangles
};

/// Leaves out points, lines and ghost copies of cells. Cells other than tetrahedra and triangles are divided
/// or rejected.
/// @throws Error, with the remedy, on other data, and on other cells unless `divide` is set
MeshInput meshOf(vtkDataObject* data, bool divide);

} // namespace isochrone::filters
