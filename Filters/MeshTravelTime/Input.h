// Input.h - the mesh that arrives at a filter, as the solver takes it: tetrahedra and triangles, each on
// one rank.
#pragma once

#include <vtkSmartPointer.h>

#include <cstdint>
#include <string>

class vtkDataObject;
class vtkUnstructuredGrid;

namespace isochrone::filters {

struct MeshInput {
  vtkSmartPointer<vtkUnstructuredGrid> mesh; ///< the input itself if it has nothing but such cells
  std::int64_t leftOut = 0;                  ///< cells that are points and lines
  bool divided = false;                      ///< other cells were cut into tetrahedra and triangles
};

/// Leaves out points, lines and ghost copies of cells. What is no tetrahedron or triangle is divided, or
/// refused.
/// @throws Error, with the remedy, on other data, and on other cells unless they are to be divided
MeshInput meshOf(vtkDataObject* data, bool divide);

} // namespace isochrone::filters
