// Paths.h - paths through a mesh that is distributed over ranks.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

#include <span>
#include <vector>

namespace isochrone::filters {

class Ranks;
class SharedVertices;

/// One path per tip, the same on all ranks. Where a path reaches what several ranks have, the one with the
/// steepest way on follows it, all paths at once: so many rounds as the path with the most turns from rank to
/// rank has. Without entries if the monitor of a rank said stop. Collective.
/// @param problem  with the vertices that are shared
/// @param tips     in the part of this rank; both numbers -1: in that of another one
std::vector<Path> pathsOverRanks(const Ranks& ranks, const mesh::Problem& problem,
                                 const SharedVertices& shared, std::span<const float> travelTime,
                                 const std::vector<mesh::Tip>& tips, int threads, const Monitor& monitor);

} // namespace isochrone::filters
