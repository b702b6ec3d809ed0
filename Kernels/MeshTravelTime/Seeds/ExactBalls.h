// ExactBalls.h - vertices around a seed that get their exact times.
#pragma once

#include "MeshTravelTime/Seeds/LineOfSight.h"

#include <utility>
#include <vector>

namespace isochrone::mesh {

/// Vertices within a world distance of a seed, the ones that it sees (SeedSight), with the time from it.
std::vector<std::pair<std::int64_t, double>> ballAround(const Problem& problem, const VertexCells& cells,
                                                        const Seed& seed, double radius);

} // namespace isochrone::mesh
