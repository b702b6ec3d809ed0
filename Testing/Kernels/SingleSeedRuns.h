// SingleSeedRuns.h - compares the numbers of nearest seeds with runs of one seed each.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace isochrone::image {

/// Differences between the reported seeds and the first arrivals of single-seed runs.
struct SeedDifference {
  double share = 0; ///< of the reached points
  double delay = 0; ///< maximum delay of the reported seed's own front
};

inline SeedDifference differenceToSingleSeeds(const Problem& problem) {
  Options options;
  options.backend = Backend::Host, options.seedIds = true;
  const Result all = solveImageTravelTime(problem, options, {});
  std::vector<Values<float>> single;
  for (const Seed& seed : problem.seeds) {
    Problem one = problem;
    one.seeds = {seed};
    single.push_back(solveImageTravelTime(one, options, {}).travelTime);
  }
  SeedDifference difference;
  std::int64_t reached = 0, others = 0;
  for (std::size_t p = 0; p < all.seed.size(); ++p) {
    if (!std::isfinite(all.travelTime[p])) continue;
    ++reached;
    float first = single[0][p];
    for (const Values<float>& times : single) first = std::min(first, times[p]);
    const double delay = single.at(all.seed[p])[p] - first;
    others += delay > 0;
    difference.delay = std::max(difference.delay, delay);
  }
  difference.share = double(others) / double(reached);
  return difference;
}

} // namespace isochrone::image
