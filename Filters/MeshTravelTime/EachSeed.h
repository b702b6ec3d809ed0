// EachSeed.h - the mesh solved for each seed point alone.
#pragma once

#include "Common/SeedRuns.h"
#include "Common/SeedsAndTips.h"
#include "Common/TimeOrigin.h"
#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Seeds.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace isochrone::filters {

/// Requested results of runs of one seed point each, on a mesh that this rank has as a whole.
struct MeshSeedRequest {
  const mesh::Problem& problem; ///< without seeds
  mesh::Options options;
  Places seeds;
  std::vector<MeshPlace> seedPlaces;
  Places tips;
  std::vector<MeshPlace> tipPlaces;
  bool keepsFields = false; ///< the times and the paths
  bool residual = false;

  /// Returns a hash of everything that the runs depend on, apart from the options and the last two.
  std::array<std::uint64_t, 2> key() const;
};

/// The runs of all seed points. Each is the run of a filter with that seed alone, with the same bits.
struct MeshSeedRuns {
  std::array<std::uint64_t, 2> key; ///< of the request
  mesh::Options options;
  std::vector<std::array<double, 3>> tips;
  bool keepsFields = false;
  std::vector<double> startValues; ///< of the seeds
  SeedRunPaths found;
  std::vector<mesh::Result> results; ///< per seed, without arrays unless kept
  double residual = 0;               ///< maximum of all; NaN unless requested

  TimeOrigin originOf(std::size_t seed) const;
};

/// Returns whether the runs have what is requested.
bool answers(const MeshSeedRuns& runs, const MeshSeedRequest& request);

/// Solves for each seed, as many at the same time as threads and memory allow, with one set-up of the mesh.
/// Returns nothing if the monitor requested a stop.
/// @throws Error as the solver, and if no seed is usable
std::optional<MeshSeedRuns> runEachSeed(const MeshSeedRequest& request, const Monitor& monitor);

/// Returns the first arrivals of all runs as one result: the minimum of the travel times and the seed that
/// has it, that of the first point of equals. Times are relative to the origin of the seeds.
/// @param seeds  of all points
mesh::Result firstArrivals(const MeshSeedRuns& runs, const MeshSeeds& seeds);

} // namespace isochrone::filters
