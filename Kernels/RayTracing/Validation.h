// Validation.h - rejects bad problems with messages that a user can act on.
#pragma once

#include "Execution/RoundPool.h"
#include "RayTracing/RayTracing.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace isochrone::rays {

/// What validation learns about the slowness. Later steps need it too.
struct SlownessRange {
  double minimum;     ///< lower bound of the values other than +infinity in any direction, time per length
  bool blanked;       ///< whether +infinity occurs
  double minimumTime; ///< of an edge
};

/// Checks grid, forward star, sources, start times and slowness.
/// @throws Error on the first fault
SlownessRange validate(const Problem& problem, const Options& options, execution::RoundPool& pool);

/// Requires indices of sources of the problem.
void requireSources(const Problem& problem, std::span<const std::int32_t> sources);

/// Returns the name of the problem in messages: "the travel times of 300 x 200 x 1 points from 3 sources".
std::string nameOf(const Problem& problem, const Options& options);

/// Returns the name of a position in messages.
std::string nameOfPlace(const Problem& problem, const Position& place);

/// Returns the number of bytes of the result fields.
std::size_t resultBytes(const Problem& problem, const Options& options);

} // namespace isochrone::rays
