// SolverInput.h - a checked problem, with the points where the front starts and may stop: what every solver
// reads.
#pragma once

#include "Execution/RoundPool.h"
#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Seeds/Seeding.h"

#include <algorithm>
#include <vector>

namespace isochrone::image {

struct SolverInput {
  /// @throws Error on invalid input, and if no seed is usable
  SolverInput(const Problem& problem, const Options& options);

  const Problem& problem;
  const Options& options;
  mutable execution::RoundPool pool; ///< of all steps of the solve
  SpeedRange speed;
  std::vector<Placement> placements; ///< one per seed of the problem
  std::vector<SeedPoint> starts;     ///< the points where the front starts, those in the margin included
  double earliest;                   ///< minimum start value, of all parts
  /// The usable own points of Options::stopAt; none in a drift, where a point may be lowered by a later one,
  /// so that no value is final before the end.
  std::vector<std::int64_t> tips;

  /// Returns the stopping time since the earliest start value, in a solver's unit of time; `unlimited` if
  /// there is none.
  float stoppingTime(double unit, float unlimited) const {
    return options.stoppingTime > 0 ? float((options.stoppingTime - earliest) / unit) : unlimited;
  }
  /// Returns the time at which a solver may stop, in the same way.
  float stopAfter(double unit, float unlimited) const {
    return hasDrift(problem) ? unlimited : stoppingTime(unit, unlimited);
  }
  /// Returns whether there are tips, and no later arrival can lower one, where values up to `final` are
  /// final.
  template <class ValueAt>
  bool tipsAreFinal(const ValueAt& valueAt, float final) const {
    const auto isFinal = [&](std::int64_t tip) { return valueAt(tip) <= final; };
    return !tips.empty() && std::all_of(tips.begin(), tips.end(), isFinal);
  }
};

} // namespace isochrone::image
