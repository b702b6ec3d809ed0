// Starts.h - the states that a solve starts from.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

#include <cstdint>
#include <vector>

namespace isochrone::curvature {

/// A state and a travel time that it has at most, world units. Of one state only the least one is kept.
struct StartState {
  std::int64_t state;
  std::int32_t seed; ///< index of the seed
  double travelTime;
};

/// The grid states nearest to the seeds, which is where FirstOrder starts; ascending, each state once.
/// Seeds that are not Inside are left out.
std::vector<StartState> seedStarts(const Problem& problem);

/// Sorts by state and keeps the least travel time of each; of equal ones, that of the first seed.
void keepLeast(std::vector<StartState>& starts);

/// The least travel time, which solvers count from.
double earliestOf(const std::vector<StartState>& starts);

} // namespace isochrone::curvature
