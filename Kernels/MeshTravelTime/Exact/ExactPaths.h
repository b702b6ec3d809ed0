// ExactPaths.h - shortest paths on a surface, from its distances.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

#include <span>
#include <vector>

namespace isochrone::mesh {

/// Returns the shortest path to each tip: straight in the unfolded triangles, with a point on each edge that
/// it crosses, and bends at vertices alone. Parameters as of extractPaths, for a problem with
/// Accuracy::Exact.
std::vector<Path> exactPaths(const Problem& problem, std::span<const float> travelTime,
                             std::span<const Tip> tips, int threads, const Monitor& monitor);

} // namespace isochrone::mesh
