// CurvaturePathsMath.h - the update of one state, on host and device.
#pragma once

#include "Execution/Team.h"

#include <cmath>
#include <limits>

namespace isochrone::curvature {

inline constexpr float infinity = std::numeric_limits<float>::infinity();

TEAM_FN float lesser(float a, float b) { return a < b ? a : b; }
TEAM_FN float positive(float a) { return a > 0 ? a : 0.f; } // 0 for NaN: infinity - infinity
TEAM_FN float magnitude(float a) { return a < 0 ? -a : a; }

/// A new value is taken only if it is lower by more than this share of itself: one to two units in the last
/// place. Below that, rounding would keep the last digits moving.
inline constexpr float leastDecrease = 1.3e-7f;

TEAM_FN bool isDecrease(float value, float old) { return value + leastDecrease * magnitude(value) < old; }

/// Differences that are larger than their way by these factors are steps through a jump (SecondDifference.h);
/// some of their weight is left, so that no state becomes unreachable.
inline constexpr float leakFrom = 1.2f, leakTo = 1.35f, leastLeak = 0.02f;

/// The lesser of `start` and the root of f(lambda) = sum over t of weight(t) (lambda - value(t))_+^2 -
/// cost^2.
///
/// f is convex and increasing right of the least value, so Newton's method from the right decreases
/// monotonically to the root and needs no sorting; each term alone bounds the root by value + cost /
/// sqrt(weight). Iterated until the step is below rounding: a residual test would be too strict near the root
/// and too lax far from it.
/// @param value   value(t), +infinity where there is no neighbour
/// @param weight  weight(t) >= 0
/// @param reach   reach(t) = 1 / sqrt(weight(t))
/// @tparam leave  leave the loop when this lane is done; otherwise it is frozen, with the same result
template <int N, bool leave, class Value, class Weight, class Reach>
TEAM_FN float root(float cost, float start, Value&& value, Weight&& weight, Reach&& reach) {
  constexpr int mostSteps = 12; // 2 to 4 in practice
  float lambda = start;
  execution::unroll<N>([&](auto t) { lambda = lesser(lambda, value(t) + cost * reach(t)); });
  bool moving = true;
  for (int i = 0; i < mostSteps; ++i) {
    float f = -(cost * cost), halfSlope = 0;
    execution::unroll<N>([&](auto t) {
      const float d = positive(lambda - value(t)), wd = weight(t) * d;
      f += wd * d;
      halfSlope += wd;
    });
    const float step = moving && f > 0 ? f / (2 * halfSlope) : 0.f;
    lambda -= step;
    moving = step > 1e-7f * magnitude(lambda);
    if constexpr (leave)
      if (!moving) break;
  }
  return lambda;
}

} // namespace isochrone::curvature
