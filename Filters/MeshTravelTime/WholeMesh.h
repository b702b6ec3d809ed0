// WholeMesh.h - a mesh whose parts lie on several ranks, gathered on each of them.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

#include <vtkSmartPointer.h>
#include <vtkType.h>

#include <span>
#include <vector>

class vtkPointSet;
class vtkUnstructuredGrid;

namespace isochrone::filters {

class Ranks;

/// The cells of all ranks in rank order, and where those of this rank are among them.
struct WholeMesh {
  vtkSmartPointer<vtkUnstructuredGrid> mesh; ///< without arrays, but for the marks of hidden cells
  std::vector<double> onsets;                ///< per point of it, NaN: none; empty if no rank has any
  std::vector<vtkIdType> points;             ///< per point of this rank, its number there
  vtkIdType firstCell = 0;                   ///< of this rank
};

/// Gathers a mesh on every rank. Points that ranks share (SharedVertices.h) are one point of it. Collective.
/// @param part    the mesh of this rank, and `problem`, which was made of it
/// @param onsets  per point of the part; may be empty
/// @throws Error if a rank has no memory for it
WholeMesh gatherMesh(const Ranks& ranks, vtkUnstructuredGrid* part, const mesh::Problem& problem,
                     std::span<const double> onsets);

/// Adds to the output of a part what an output of the whole mesh has in addition to `whole.mesh`.
void copyPart(vtkPointSet* from, const WholeMesh& whole, vtkPointSet* out);

} // namespace isochrone::filters
