// EachSource.h - the image solved for each group of sources alone, for the table of travel times.
#pragma once

#include "Common/SeedRuns.h"
#include "Common/SeedsAndTips.h"
#include "RayTracing/Problem.h"
#include "RayTracing/Runs.h"

#include <optional>
#include <string>
#include <vector>

namespace isochrone::filters {

/// Requested runs. Their fields are not kept.
struct RaySourceRequest : SeedRunRequest {
  RayProblem input; ///< of all sources, not divided among ranks
  rays::Options options;
  std::optional<RayReflector> reflector; ///< empty: direct rays
  Places sources, receivers;
};

/// The runs of all sources. Each is the run of a filter with the sources of one group alone, with the same
/// bits.
struct RaySourceRuns {
  RaySourceRequest request;
  std::vector<TableEntry> table; ///< run by run, one per group of receivers
  int solves = 0;
  std::string warning; ///< about rounding; may be empty
};

/// Returns whether the runs have what is requested.
bool answers(const RaySourceRuns& runs, const RaySourceRequest& request);

/// Solves for each group of sources, as many at the same time as threads and memory allow, and keeps the
/// table alone. Returns nothing if the monitor requested a stop.
std::optional<RaySourceRuns> runEachSource(RaySourceRequest request, const Monitor& monitor);

/// Returns the entries of the rays from separate sources, field by field. Collective.
/// @param symmetric  as in SeedRunPlan
std::vector<TableEntry> entriesOf(const RayRun& direct, const std::vector<Arrivals>& arrivals,
                                  const PointGroups& receivers, bool symmetric, PartExchange& ranks);

/// Returns whether sources and receivers are the same points, and a wave takes as long backwards.
bool isSymmetric(const Places& sources, const Places& receivers,
                 const std::optional<RayReflector>& reflector);

} // namespace isochrone::filters
