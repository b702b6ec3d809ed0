// Starts.h - the starts of waves: vertices in sight of a seed, with their times.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Scheme/VertexCells.h"
#include "MeshTravelTime/Scheme/VertexStars.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace isochrone::mesh {

/// Returns the vertices within a world distance of a seed that are in its sight (SeedSight), with the time
/// from the seed.
std::vector<std::pair<std::int64_t, double>> ballAround(const Problem& problem, const VertexCells& cells,
                                                        const Seed& seed, double radius);

/// A vertex with the time along the straight line from a seed.
struct SeedStart {
  std::int64_t vertex;
  double time; ///< in world units
  std::int32_t seed;
  bool ofBall; ///< else the seed's own vertex, or a vertex of its own cell
};

/// Returns the starts of all seeds in order: the vertex of the seed, or the vertices of its cell; then the
/// additional vertices of a ball of Problem::ballRadius.
/// @param cells  used only if the radius is positive
std::vector<SeedStart> seedStarts(const Problem& problem, const VertexCells& cells);

struct Start {
  std::int32_t vertex; ///< index in the stars
  double time;         ///< in solver units, since the problem's origin
  std::int32_t seed;
};

/// Returns the starts for the solver, without vertices that touch only barriers. Sets Result::usable and
/// Result::ballVertices.
/// @param cells  null: they are found if they are needed
/// @throws Error if a start is too late for single precision
std::vector<Start> startsOf(const Problem& problem, const VertexStars& stars, Result& result,
                            const VertexCells* cells = nullptr);

} // namespace isochrone::mesh
