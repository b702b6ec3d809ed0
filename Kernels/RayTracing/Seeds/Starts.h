// Starts.h - the start times of a run.
#pragma once

#include "RayTracing/RayTracing.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::rays {

/// A point with a given time.
template <class Real>
struct Start {
  std::int64_t point;
  Real time;
  std::int32_t source; ///< -1: from the start times of points
};

/// Returns the starts of a run from some sources of the problem and from its start times, at the points that
/// this process computes. A point may occur several times.
/// @param sources  their indices
template <class Real>
std::vector<Start<Real>> startsOf(const Problem& problem, const Options& options,
                                  std::span<const std::int32_t> sources);

/// Returns the indices of the sources of each run, with their copies.
std::vector<std::vector<std::int32_t>> runsOf(const Problem& problem, const Options& options);

} // namespace isochrone::rays
