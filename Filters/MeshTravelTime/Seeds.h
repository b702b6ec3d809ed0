// Seeds.h - locates seeds and tips in a mesh that may be distributed over ranks.
#pragma once

#include "Common/SeedsAndTips.h"
#include "Common/TimeOrigin.h"
#include "MeshTravelTime/MeshTravelTime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace isochrone::filters {

class Ranks;

/// Location of a place in the part of this rank, and its distance from the mesh. Without vertices and cells
/// if the part of another rank is nearer.
struct MeshPlace {
  std::vector<std::int64_t> vertices, cells; ///< never both
  double moved = 0; ///< world length to the nearest vertex, which replaces it; 0 within the mesh
};

/// Bounding box of the mesh on all ranks.
struct MeshBounds {
  std::array<double, 6> box; ///< minimum, maximum coordinates
  std::array<double, 3> centre() const;
  /// Distance below which two places are equal, for rounding in single precision.
  double tolerance() const;
};
/// Collective.
MeshBounds boundsOf(const Ranks& ranks, const mesh::Problem& part);

/// @throws Error if the place of a seed is not finite
void requireFinitePlaces(const Places& seeds);

/// Collective.
std::vector<MeshPlace> placesIn(const Ranks& ranks, const mesh::Problem& part, const MeshBounds& bounds,
                                const Places& places, int threads);

/// Seeds of a problem, numbered alike on all ranks. A point has one seed per vertex or cell at its place,
/// over all ranks. Each vertex with an onset time has one seed.
struct MeshSeeds {
  std::vector<mesh::Seed> seeds;
  std::vector<std::int32_t> labels; ///< SeedId per seed
  std::vector<std::size_t> points;  ///< point number per seed; the number of points for onset times
  TimeOrigin origin;                ///< earliest start time on any rank; start times are relative to it
};

/// Makes the seeds. Collective.
/// @param onsets  start time per vertex of this part, NaN: none; may be empty. Their label is the number of
/// points.
MeshSeeds seedsOf(const Ranks& ranks, const Places& points, const std::vector<MeshPlace>& places,
                  const std::vector<double>& onsets);

/// Returns one tip per place; both indices are -1 if it lies in the part of another rank.
/// @param travelTime  selects, among the cells that contain a tip, the first whose vertices are all reached
std::vector<mesh::Tip> tipsOf(const mesh::Problem& part, const Places& points,
                              const std::vector<MeshPlace>& places, std::span<const float> travelTime);

/// Returns a warning such as "2 of 3 seeds lie outside the mesh, and the nearest point takes their place:
/// seed 0 at (9, 9, 9) is 3.2 away from it; ...". Empty if none does.
std::string movedPlaces(const Places& points, const std::vector<MeshPlace>& places, const std::string& role);

} // namespace isochrone::filters
