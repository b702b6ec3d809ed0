// SharedVertices.h - the vertices that several ranks have of a distributed mesh.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

class vtkUnstructuredGrid;

namespace isochrone::filters {

class Ranks;

/// Returns the ranks as the solver uses them; they must outlive the result.
mesh::Processes processesOf(const Ranks& ranks);

/// Finds the vertices of a part that other ranks have as well. Matches points by global ids if every rank
/// with cells has them, else by equal coordinates. Each cell must be on one rank only. Collective.
mesh::SharedVertices sharedVertices(const Ranks& ranks, const mesh::Problem& part, vtkUnstructuredGrid* grid);

} // namespace isochrone::filters
