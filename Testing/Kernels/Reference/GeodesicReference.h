// GeodesicReference.h - distances on small surfaces of triangles by enumeration: simple, slow, and without
// code of the solver.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

#include <cstdint>
#include <vector>

namespace isochrone::reference {

/// Returns the lengths of the shortest paths between all vertices, distance[from][to]; +infinity if there is
/// none. Every sequence of triangles that a straight line from a vertex can cross is unfolded into the plane,
/// up to the length of the longest path along edges, and the straight lines between vertices are then
/// combined by the algorithm of Floyd and Warshall. Hidden cells are left out.
std::vector<std::vector<double>> geodesicDistances(const mesh::Problem& problem);

} // namespace isochrone::reference
