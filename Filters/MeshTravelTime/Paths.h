// Paths.h - path extraction on a mesh distributed over ranks.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

#include <span>
#include <vector>

namespace isochrone::filters {

class Ranks;

/// Returns one path per tip, the same on all ranks. When a path reaches shared vertices, the rank with the
/// steepest descent continues it. All paths advance together, so the number of rounds is the maximum number
/// of rank changes of a path. Empty if the monitor of a rank stopped it. Collective.
/// @param problem  with the shared vertices
/// @param tips     in the part of this rank; both indices are -1 for tips of other ranks
std::vector<Path> pathsOverRanks(const Ranks& ranks, const mesh::Problem& problem,
                                 const mesh::SharedVertices& shared, std::span<const float> travelTime,
                                 const std::vector<mesh::Tip>& tips, const Monitor& monitor);

} // namespace isochrone::filters
