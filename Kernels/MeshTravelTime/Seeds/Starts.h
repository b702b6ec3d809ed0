// Starts.h - where waves start: at vertices that see a seed.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Scheme/VertexCells.h"
#include "MeshTravelTime/Scheme/VertexStars.h"

#include <cstdint>
#include <vector>

namespace isochrone::mesh {

/// A vertex with the time of the straight way from a seed.
struct SeedStart {
  std::int64_t vertex;
  double time; ///< as the user's
  std::int32_t seed;
  bool ofBall; ///< else the seed's own vertex, or one of its own cell
};

/// Of all seeds in order: their vertex, or those of their cell, then what a ball of Problem::ballRadius adds.
/// @param cells  needed where there is such a radius
std::vector<SeedStart> seedStarts(const Problem& problem, const VertexCells& cells);

struct Start {
  std::int32_t vertex; ///< number in the stars
  double time;         ///< in the solver's units, since the problem's origin
  std::int32_t seed;
};

/// The same for the solver, without vertices that touch barriers only. Sets Result::usable and
/// Result::ballVertices.
/// @throws Error if a start is so late that single precision cannot hold it
std::vector<Start> startsOf(const Problem& problem, const VertexStars& stars, Result& result);

} // namespace isochrone::mesh
