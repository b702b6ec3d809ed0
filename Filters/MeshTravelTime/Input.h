// Input.h - prepares the input mesh or surface for the solver: tetrahedra and triangles, each on one rank.
#pragma once

#include <vtkSmartPointer.h>

#include <cstdint>
#include <string>

class vtkDataObject;
class vtkPointSet;
class vtkUnstructuredGrid;

namespace isochrone::filters {

struct MeshInput {
  vtkSmartPointer<vtkUnstructuredGrid> mesh; ///< the input itself if it has only such cells
  bool isSurface = false;                    ///< the input is a vtkPolyData, and so is the output
  std::int64_t leftOut = 0;                  ///< number of cells that are points or lines
  std::int64_t notDivided = 0;               ///< number of triangles that the division of polygons lacks
  bool divided = false;                      ///< cells were divided into tetrahedra and triangles
};

/// Leaves out points, lines and ghost copies of cells. Cells other than tetrahedra and triangles are divided
/// or rejected; polygons and strips of a surface are divided into triangles.
/// @throws Error, with the remedy, on other data, and on other cells of a mesh unless `divide` is set
MeshInput meshOf(vtkDataObject* data, bool divide);

/// Fills an output with the mesh, or the surface, and its arrays.
void copyTo(const MeshInput& input, vtkPointSet* out);

} // namespace isochrone::filters
