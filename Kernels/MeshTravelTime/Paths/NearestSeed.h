// NearestSeed.h - the seed from which the first arrival comes.
#pragma once

#include "MeshTravelTime/Scheme/VertexStars.h"
#include "MeshTravelTime/Seeds/Starts.h"

#include <span>
#include <vector>

namespace isochrone::mesh {

/// Returns Result::seed: indices of seeds per vertex of the problem.
/// @param times  of the solver, in its units and by index in the stars. They must be exact to the bit: an
///               update that equals a time identifies the origin of the wave
Values<std::int32_t> nearestSeeds(const VertexStars& stars, const std::vector<Start>& starts,
                                  std::span<const float> times, const Sharing& sharing,
                                  execution::RoundPool& pool);

} // namespace isochrone::mesh
