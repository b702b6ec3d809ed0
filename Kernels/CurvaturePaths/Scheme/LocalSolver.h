// LocalSolver.h - the update of one state, on host and device.
#pragma once

#include "CurvaturePaths/Scheme/LimitedDifference.h"
#include "Execution/Scalar.h"

#include <cmath>
#include <limits>

namespace isochrone::curvature {

inline constexpr float infinity = std::numeric_limits<float>::infinity();

TEAM_FN float minOf(float a, float b) {
#if defined(__CUDA_ARCH__)
  return fminf(a, b); // one instruction; NaN does not matter here
#else
  return a < b ? a : b;
#endif
}
TEAM_FN float maxOf(float a, float b) {
#if defined(__CUDA_ARCH__)
  return fmaxf(a, b);
#else
  return a > b ? a : b;
#endif
}
/// One state as the number type of templates (Execution/Scalar.h).
struct StateNumber : execution::Scalar {
  TEAM_FN static float min(float a, float b) { return curvature::minOf(a, b); }
  TEAM_FN static float max(float a, float b) { return curvature::maxOf(a, b); }
};

/// A new value is taken only if it is lower by more than this share of itself, one to two units in the last
/// place. Smaller decreases are rounding and would keep the last digits moving.
inline constexpr float minDecrease = 1.3e-7f;

TEAM_FN bool isDecrease(float value, float old) { return value + minDecrease * std::fabs(value) < old; }

/// Lowers `root`, which is at or right of the root of f(lambda) = sum over t of weight(t) (lambda -
/// value(t))_+^2 - cost^2, to the root of f, up to rounding.
///
/// f is convex and increasing right of the minimum value, so Newton's method from the right decreases
/// monotonically to the root and needs no sorting and no branch per lane. It ends where f is not positive a
/// rounding to the left. A small step alone does not suffice: where a heavy term begins just below, f
/// decreases slowly from there to a distant root.
/// @tparam Number  the kind of numbers: vectors of an instruction set (Execution/Simd.h), or StateNumber
/// @param terms   terms(add) calls add(value, weight) for each term, weight >= 0
/// @param found   found(step, slope, root) after a step: whether the step itself proves the root
template <class Number, class Vec = typename Number::Vec, class Terms, class Found>
TEAM_FN Vec lowerToRoot(Vec root, Vec costSquared, Terms&& terms, Found&& found) {
  const Vec zero = Number::broadcast(0);
  for (;;) {
    const Vec at = root - root * minDecrease; // NaN for infinity: then no term is positive
    Vec f = -costSquared, slope = Number::broadcast(1e-30f);
    terms([&](const Vec& value, const Vec& weight) {
      const Vec above = Number::max(at - value, zero), weighted = above * weight;
      f += weighted * above;
      slope += weighted;
    });
    const auto above = Number::greater(f, zero);
    if (!Number::any(above)) return root;
    const Vec step = f / (slope + slope);
    root = Number::select(above, at - step, root);
    if (found(step, slope + slope, root)) return root;
  }
}

/// Returns the minimum of `lambda` and the root of f. It also ends after a step s from a point with slope
/// f' = slope if  8 mass s max(s, rounding) <= slope rounding.  Since f'' is at most 2 mass, the root is then
/// less than a rounding further left (DESIGN.md).
/// @param mass    at least the sum of all weights
/// @param weight  weight(t) >= 0
template <int N, class Value, class Weight>
TEAM_FN float newton(float cost, float lambda, float mass, Value&& value, Weight&& weight) {
  return lowerToRoot<StateNumber>(
      lambda, cost * cost,
      [&](auto&& add) { execution::unroll<N>([&](auto t) { add(value(t), weight(t)); }); },
      [&](float step, float slope, float root) {
        const float rounding = root * minDecrease;
        return !(8 * mass * step * maxOf(step, rounding) > slope * rounding);
      });
}

/// Returns the sum of all weights.
template <int N, class Weight>
TEAM_FN float massOf(Weight&& weight) {
  float mass = 0;
  execution::unroll<N>([&](auto t) { mass += weight(t); });
  return mass;
}

/// Returns the minimum of `start` and the root of f. Newton's method starts from the minimum of `start` and
/// of the roots of the single terms.
/// @param value   value(t), +infinity for a missing neighbour
/// @param reach   reach(t) = 1 / sqrt(weight(t))
template <int N, class Value, class Weight, class Reach>
TEAM_FN float root(float cost, float start, float mass, Value&& value, Weight&& weight, Reach&& reach) {
  execution::unroll<N>([&](auto t) { start = minOf(start, value(t) + cost * reach(t)); });
  return newton<N>(cost, start, mass, value, weight);
}

/// Raises the root of f to the root with limited differences (LimitedDifference.h). The root without limits
/// lies at or left of the root with limits, so a term that is beyond its limit there stays beyond it,
/// whichever terms join.
/// The root never decreases from one pass to the next. A term that only rounding puts beyond its limit would
/// lower it, and where a step costs less than a rounding, states would lower each other without end.
/// @param solve  solve(root) returns the root with the marked terms as they act beyond their limit; at first
///        none is marked
/// @param mark   mark(root) marks the terms that are beyond their limit at `root`; returns whether any is new
template <class Number, class Vec = typename Number::Vec, class Solve, class Mark>
TEAM_FN Vec raiseToLimits(Vec root, Solve&& solve, Mark&& mark) {
  for (;;) {
    root = Number::max(solve(root), root);
    if (!mark(root)) return root;
  }
}

/// Returns the minimum of `start` and the root of f with limited differences.
/// @param limit  limit(t) of the difference
template <int N, class Value, class Weight, class Reach, class Limit>
TEAM_FN float limitedRoot(float cost, float start, float mass, Value&& value, Weight&& weight, Reach&& reach,
                          Limit&& limit) {
  unsigned over = 0; // bit t: term t is beyond its limit
  return raiseToLimits<StateNumber>(
      -infinity,
      [&](float) {
        return root<N>(
            cost, start, mass, [&](auto t) { return over >> t & 1 ? value(t) - beyond(limit(t)) : value(t); },
            [&](auto t) { return over >> t & 1 ? weightBeyond * weight(t) : weight(t); },
            [&](auto t) { return over >> t & 1 ? reach(t) / shareBeyond : reach(t); });
      },
      [&](float lambda) {
        const unsigned before = over;
        execution::unroll<N>([&](auto t) { over |= (lambda - value(t) > limit(t) ? 1u : 0u) << t; });
        return over != before;
      });
}

} // namespace isochrone::curvature
