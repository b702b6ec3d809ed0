// Seeds.h - where seeds and tips lie in a mesh that may be distributed over ranks.
#pragma once

#include "Common/SeedsAndTips.h"
#include "Common/TimeOrigin.h"
#include "MeshTravelTime/MeshTravelTime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace isochrone::filters {

class Ranks;

/// Where a place lies in the part of this rank, and how far the mesh is from it. What lies nearer in the part
/// of another rank has neither vertices nor cells here.
struct MeshPlace {
  std::vector<std::int64_t> vertices, cells; ///< never both
  double moved = 0; ///< world length to the nearest vertex, which takes its place; 0 within the mesh
};

/// What all ranks know of the mesh.
struct MeshBounds {
  std::array<double, 6> box; ///< least, greatest coordinates
  std::array<double, 3> centre() const;
  /// Places that differ by less are one: rounding of single precision.
  double tolerance() const;
};
/// Collective.
MeshBounds boundsOf(const Ranks& ranks, const mesh::Problem& part);

/// @throws Error if the place or the start value of a seed is not finite
void requireFinite(const Places& seeds);

/// Collective.
std::vector<MeshPlace> placesIn(const Ranks& ranks, const mesh::Problem& part, const MeshBounds& bounds,
                                const Places& places, int threads);

/// The seeds of a problem: of a point as many as vertices or cells have it, on all ranks together, and one
/// for each vertex that starts by itself. They have the same numbers on all ranks.
struct MeshSeeds {
  std::vector<mesh::Seed> seeds;
  std::vector<std::int32_t> labels; ///< SeedId, of each
  std::vector<std::size_t> points;  ///< number of its point, of each; that after the last point: none
  TimeOrigin origin; ///< the earliest start time of all ranks: those of the seeds count from it
};

/// @param onsets  start time per vertex of this part, NaN: none; may be empty. Their label is the number of
///                points. Collective.
MeshSeeds seedsOf(const Ranks& ranks, const Places& points, const std::vector<MeshPlace>& places,
                  const std::vector<double>& onsets);

/// One tip per place, both -1 where this rank has no part in it.
/// @param travelTime  of cells that hold a tip, the first one that is reached throughout is taken
std::vector<mesh::Tip> tipsOf(const mesh::Problem& part, const Places& points,
                              const std::vector<MeshPlace>& places, std::span<const float> travelTime);

/// "2 of 3 seeds lie outside the mesh: seed 0 at (9, 9, 9) is moved by 3.2; ...", empty if none does.
std::string movedPlaces(const Places& points, const std::vector<MeshPlace>& places, const std::string& role);

} // namespace isochrone::filters
