// EachSeed.h - the mesh solved for each group of seed points alone.
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

/// Requested results, on a mesh that this rank has as a whole.
struct MeshSeedRequest : SeedRunRequest {
  mesh::Options options;
  Places seeds;
  std::vector<MeshPlace> seedPlaces;
  Places tips;
  std::vector<MeshPlace> tipPlaces;

  /// Returns a hash of the problem and the seeds.
  std::array<std::uint64_t, 2> key(const mesh::Problem& problem) const;
};

/// The runs of all seed points. Each is the run of a filter with the seeds of one group alone, with the same
/// bits.
struct MeshSeedRuns {
  MeshSeedRequest request;
  std::array<std::uint64_t, 2> key{}; ///< of the request
  std::vector<MeshSeeds> seeds;       ///< of each run
  SeedRunPaths found;
  std::vector<mesh::Result> results; ///< per run, without arrays unless kept
  double residual = 0;               ///< maximum of all; NaN unless requested
};

/// Returns whether the runs have what is requested, but for the tips.
/// @param problem  without seeds, as below
bool solves(const MeshSeedRuns& runs, const mesh::Problem& problem, const MeshSeedRequest& request);

/// Returns whether the runs have what is requested.
bool answers(const MeshSeedRuns& runs, const mesh::Problem& problem, const MeshSeedRequest& request);

/// Solves for each group of seeds, as many at the same time as threads and memory allow, with one set-up of
/// the mesh. Returns nothing if the monitor requested a stop.
/// @param known  runs that have the fields of this request for other tips, or nothing: only their paths are
///               traced
/// @throws Error as the solver, and if no seed is usable
std::optional<MeshSeedRuns> runEachSeed(const mesh::Problem& problem, MeshSeedRequest request,
                                        std::optional<MeshSeedRuns> known, const Monitor& monitor);

/// Returns the first arrivals of all runs as one result: the minimum of the travel times and the first seed
/// of the group that has it, that of the first point of equals. Times are relative to the origin of the
/// seeds.
/// @param seeds  of all points
mesh::Result firstArrivals(const MeshSeedRuns& runs, const MeshSeeds& seeds);

} // namespace isochrone::filters
