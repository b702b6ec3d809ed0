// LimitedDifference.h - a difference counts for little where it is a step through a jump of the travel time,
// on host and device.
//
// Dubins' travel times jump. Next to a jump the relaxation lets paths slip sideways, over many steps, to
// states that they cannot reach: there a difference is much larger than what the way along its step costs.
// So in place of d counts
//
//   g(d) = d up to the limit,  limit + share * (d - limit)  beyond it,
//
// with the limit a multiple of cost times planar length of the step. g grows with d, so the scheme
// sum of weight * g(d)^2 = cost^2  stays monotone and causal; and a little of the slope is left, so that no
// state becomes unreachable.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
#include "Execution/Team.h"

#include <array>
#include <cmath>
#include <limits>

namespace isochrone::curvature {

/// Whether differences are limited. The paper's scheme knows no limits.
inline bool stopsLeaks(const Problem& p) {
  return p.model == Model::Dubins && p.stopsLeaks && p.accuracy != Accuracy::FirstOrder;
}

/// The limit over the cost of the way, and the share of a difference that counts beyond it (DESIGN.md,
/// "Jumps").
inline constexpr float limitOverWay = 1.6f, shareBeyond = 0.015f;

/// The limit of a step over the cost. A turn on the spot has none.
/// @param length  planar length of the step
template <class Real>
TEAM_FN Real limitOverCost(Real length) {
  return length > 0 ? limitOverWay * length : Real(1e30f);
}

/// A difference d beyond its limit counts like d + beyond(limit) with a weight that is less by the factor
/// `weightBeyond`:  limit + share * (d - limit) = share * (d + beyond(limit)).
inline constexpr float weightBeyond = shareBeyond * shareBeyond;
template <class Real>
TEAM_FN Real beyond(Real limit) {
  return limit * (1 / shareBeyond - 1);
}

/// What counts in place of a difference.
template <class Real>
TEAM_FN Real limited(Real difference, Real limit) {
  return difference > limit ? shareBeyond * (difference + beyond(limit)) : difference;
}

/// The limit of a step at a state of that cost, world units; +infinity where differences are not limited.
inline double limitOf(const Problem& p, const std::array<int, 3>& step, double cost) {
  if (!stopsLeaks(p)) return std::numeric_limits<double>::infinity();
  return cost * limitOverCost(std::hypot(step[0] * p.grid.hx, step[1] * p.grid.hy));
}

} // namespace isochrone::curvature
