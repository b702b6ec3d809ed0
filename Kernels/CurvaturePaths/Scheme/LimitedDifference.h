// LimitedDifference.h - limits differences across jumps of the travel time, on host and device.
//
// Dubins' travel times jump. Next to a jump the relaxation lets paths slip sideways, over many steps, to
// states that they cannot reach. A difference across the jump is much larger than the cost of travelling
// along its step. The scheme therefore replaces a difference d by
//
//   g(d) = d up to the limit,  limit + share * (d - limit)  beyond it,
//
// with the limit a multiple of cost times the planar length of the step. g increases with d, so the scheme
// sum of weight * g(d)^2 = cost^2  stays monotone and causal. The small slope beyond the limit keeps every
// state reachable.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
#include "Execution/Team.h"

#include <array>
#include <cmath>
#include <limits>

namespace isochrone::curvature {

/// Returns whether differences are limited. The paper's scheme has no limits.
inline bool stopsLeaks(const Problem& p) {
  return p.model == Model::Dubins && p.stopsLeaks && p.accuracy != Accuracy::FirstOrder;
}

/// The limit divided by the cost of the path along the step, and the slope of g beyond the limit (DESIGN.md,
/// "Jumps").
inline constexpr float limitOverWay = 1.6f, shareBeyond = 0.015f;

/// Returns the limit of a step divided by the cost. A turn on the spot has no limit.
/// @param length  planar length of the step
template <class Real>
TEAM_FN Real limitOverCost(Real length) {
  return length > 0 ? limitOverWay * length : Real(1e30f);
}

/// Returns the same for an offset of the grid, with lengths in `unit`.
inline double limitOverCost(const StateGrid& g, const std::array<int, 3>& step, double unit = 1) {
  return limitOverCost(std::hypot(step[0] * g.hx, step[1] * g.hy) / unit);
}

/// Beyond its limit a difference d acts as d + beyond(limit), with its weight multiplied by `weightBeyond`:
///  limit + share * (d - limit) = share * (d + beyond(limit)).
inline constexpr float weightBeyond = shareBeyond * shareBeyond;
template <class Real>
TEAM_FN Real beyond(Real limit) {
  return limit * (1 / shareBeyond - 1);
}

/// Returns g(difference).
template <class Real>
TEAM_FN Real limited(Real difference, Real limit) {
  return difference > limit ? shareBeyond * (difference + beyond(limit)) : difference;
}
/// Returns the same without a comparison, up to rounding: g is the minimum of two straight lines.
/// @tparam Number  the kind of numbers: vectors of an instruction set (Execution/Simd.h)
template <class Number, class Vec = typename Number::Vec>
TEAM_FN Vec minimumOfLines(const Vec& difference, const Vec& limit) {
  return Number::min(limit + shareBeyond * (difference - limit), difference); // NaN comes first: no limit
}

/// Returns the limit of a step at a state with this cost, world units; +infinity where differences are not
/// limited.
inline double limitOf(const Problem& p, const std::array<int, 3>& step, double cost) {
  return stopsLeaks(p) ? cost * limitOverCost(p.grid, step) : std::numeric_limits<double>::infinity();
}

} // namespace isochrone::curvature
