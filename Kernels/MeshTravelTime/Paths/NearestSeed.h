// NearestSeed.h - from which seed the first arrival comes.
#pragma once

#include "MeshTravelTime/Scheme/VertexStars.h"
#include "MeshTravelTime/Seeds/Starts.h"

#include <span>
#include <vector>

namespace isochrone::mesh {

/// Result::seed: numbers of seeds by vertex of the problem.
/// @param times  of the solver, in its units and by number in the stars: every bit counts, because the update
///               that equals a time says where the wave came from
Values<std::int32_t> nearestSeeds(const VertexStars& stars, const std::vector<Start>& starts,
                                  std::span<const float> times, const Sharing& sharing, int threads);

} // namespace isochrone::mesh
