// Starts.h - the vertices where waves start, and when.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/VertexStars.h"

#include <cstdint>
#include <vector>

namespace isochrone::mesh {

struct Start {
  std::int32_t vertex; ///< number in the stars
  double time;         ///< in the solver's units, since the problem's origin
  std::int32_t seed;
};

/// Starts of all seeds; a seed in a cell starts at each of its vertices. Sets Result::usable and
/// Result::ballVertices.
std::vector<Start> startsOf(const Problem& problem, const VertexStars& stars, Result& result);

} // namespace isochrone::mesh
