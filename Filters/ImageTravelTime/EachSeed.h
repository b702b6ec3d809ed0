// EachSeed.h - the image solved for each group of seeds alone.
#pragma once

#include "Common/SeedRuns.h"
#include "ImageTravelTime/Problem.h"
#include "ImageTravelTime/Reuse.h"
#include "ImageTravelTime/Runs.h"

#include <optional>
#include <vector>

namespace isochrone::filters {

/// Requested results.
struct ImageSeedRequest : SeedRunRequest {
  ImageTravelTimeProblem input; ///< of all seeds
  image::Options options;
  std::vector<image::Position> tips;
};

/// The runs of all seeds of a problem. Each is the run of a filter with the seeds of one group alone, with
/// the same bits.
struct ImageSeedRuns {
  ImageSeedRequest request;
  SeedRunPaths found;
  std::vector<image::Result> results; ///< per run; without arrays unless kept, and of unusable seeds
  double residual = 0;                ///< maximum of all; NaN unless requested

  /// Returns the origin of the times of a run.
  TimeOrigin originOf(std::size_t run) const;
};

/// Returns whether the runs have what is requested, but for the tips.
bool solves(const ImageSeedRuns& runs, const ImageSeedRequest& request);

/// Returns whether the runs have what is requested.
bool answers(const ImageSeedRuns& runs, const ImageSeedRequest& request);

/// Solves for each group of seeds, as many at the same time as threads and memory allow. Returns nothing if
/// the monitor requested a stop.
/// @param known  runs that have the fields of this request for other tips, or nothing: only their paths are
///               traced
/// @throws Error as the solver, and if no seed is usable
std::optional<ImageSeedRuns> runEachSeed(ImageSeedRequest request, std::optional<ImageSeedRuns> known,
                                         const Monitor& monitor);

/// Returns the first arrivals of all runs as one result: the minimum of the travel times, the first seed of
/// the group that has it (the first of equals), and the sum of the updates. Times are relative to the origin
/// of the problem.
image::Result firstArrivals(const ImageSeedRuns& runs);

/// Limits the radii to half the distance between two seeds: runs of single seeds know no others.
void keepApart(std::vector<image::FactoringBall>& balls);

} // namespace isochrone::filters
