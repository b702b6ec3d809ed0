// SingleSeedRuns.h - the numbers of the nearest seeds against runs with one seed each.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace isochrone::image {

/// Where a solve names another seed than the one whose own front comes first.
struct SeedDifference {
  double share = 0; ///< of the points reached
  double delay = 0; ///< the largest by which the own front of the seed it names comes later
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
