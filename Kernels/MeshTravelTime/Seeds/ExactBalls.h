// ExactBalls.h - vertices around a seed that get their exact times.
#pragma once

#include "MeshTravelTime/Seeds/LineOfSight.h"

#include <utility>
#include <vector>

namespace isochrone::mesh {

/// Returns the vertices within a world distance of a seed that are in its sight (SeedSight), with the time
/// from the seed.
std::vector<std::pair<std::int64_t, double>> ballAround(const Problem& problem, const VertexCells& cells,
                                                        const Seed& seed, double radius);

} // namespace isochrone::mesh
