// Limits.h - functions of single numbers, shared by host and device.
#pragma once

#include "Execution/Team.h"

#include <limits>

namespace isochrone::image {

inline constexpr float infinite = std::numeric_limits<float>::infinity();

/// Returns the slowness of a value of the user's speed array.
TEAM_FN double slownessOf(double v, bool isSlowness) { return isSlowness ? v : 1 / v; }

TEAM_FN float minOf(float a, float b) { return a < b ? a : b; }

/// Converts a value of the user's speed array to squared slowness in the solver's units; +infinity in
/// barriers.
struct SquaredSlowness {
  float scale; ///< to the solver's units
  bool isSlowness;

  TEAM_FN float operator()(float v) const {               // NaN fails the comparison
    const float scaled = v * scale, inverse = 1 / scaled; // both, for vectors
    const float q = isSlowness ? scaled : inverse;
    return v > 0 ? q * q : infinite;
  }
};

} // namespace isochrone::image
