// EachSeed.h - the image solved for each seed alone.
#pragma once

#include "Common/SeedRuns.h"
#include "ImageTravelTime/Problem.h"
#include "ImageTravelTime/Runs.h"

#include <optional>
#include <string>
#include <vector>

namespace isochrone::filters {

/// The runs of all seeds of a problem. Each is the run of a filter with that seed alone, with the same bits.
struct ImageSeedRuns {
  ImageTravelTimeProblem input; ///< of all seeds
  image::Options options;
  std::vector<image::Position> tips;
  SeedRunPaths found;
  bool keepsFields = false;
  std::vector<image::Result> results; ///< per seed; without arrays unless kept, and of unusable seeds
  double residual = 0;                ///< maximum of all; NaN unless requested

  /// Returns the origin of the times of a seed.
  TimeOrigin originOf(std::size_t seed) const;
};

/// Requested results.
struct ImageSeedRequest {
  ImageTravelTimeProblem input;
  image::Options options;
  std::vector<image::Position> tips;
  bool keepsFields = false;
  bool residual = false;
};

/// Returns whether the runs have what is requested.
bool answers(const ImageSeedRuns& runs, const ImageSeedRequest& request);

/// Solves for each seed, as many at the same time as threads and memory allow. Returns nothing if the monitor
/// requested a stop.
/// @throws Error as the solver, and if no seed is usable
std::optional<ImageSeedRuns> runEachSeed(ImageSeedRequest request, const Monitor& monitor);

/// Returns the first arrivals of all runs as one result: the minimum of the travel times, the seed that has
/// it (the first of equals), and the sum of the updates. Times are relative to the origin of the problem.
image::Result firstArrivals(const ImageSeedRuns& runs);

} // namespace isochrone::filters
