// EachSeed.h - curvature paths from each group of seeds alone.
#pragma once

#include "Common/SeedRuns.h"
#include "CurvaturePaths/Problem.h"

#include <memory>
#include <optional>
#include <vector>

namespace isochrone::filters {

/// Requested results. The kept fields are the planes.
struct CurvatureSeedRequest : SeedRunRequest {
  CurvatureProblem input; ///< of all seeds
  curvature::Options options;
  std::vector<curvature::State> tips;
};

/// The runs of all seeds of a problem. Each is the run of a filter with the seeds of one group alone, with
/// the same bits.
struct CurvatureSeedRuns {
  CurvatureSeedRequest request;
  SeedRunPaths found;
  std::vector<curvature::VehiclePath> seen;    ///< paths as seen from the vehicle, with a drift; if kept
  std::vector<curvature::PlanarResult> planes; ///< per run, if kept; empty without a usable seed
  std::vector<curvature::Placement> seeds;
  BackendChoice ranOn;
  int rounds = 0;
  double updatesPerPoint = 0;
  double residual = 0; ///< maximum of all; NaN unless requested

  /// Returns the origin of the times of a run.
  TimeOrigin originOf(std::size_t run) const;
};

/// Returns the memory of a run while it takes place, bytes.
double bytesOfRun(const CurvatureSeedRequest& request);

/// Returns whether the runs have what is requested.
bool answers(const CurvatureSeedRuns& runs, const CurvatureSeedRequest& request);

/// Solves for each group of seeds, as many at the same time as threads and memory allow. Returns null if the
/// monitor requested a stop.
/// @throws Error as the solver, and if no seed is usable
std::unique_ptr<CurvatureSeedRuns> runEachSeed(CurvatureSeedRequest request, const Monitor& monitor);

/// Returns the minimum of the travel times of all runs, with its heading and the first seed of the group that
/// has it. Times are relative to the origin of the problem.
curvature::PlanarResult firstArrivals(const CurvatureSeedRuns& runs);

} // namespace isochrone::filters
