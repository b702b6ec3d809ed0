// SecondDifference.h - what a first-order difference misses, and steps through a jump, on host and device
// (Corrections.h).
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
#include "CurvaturePaths/CurvaturePathsMath.h"

namespace isochrone::curvature {

/// Dubins' travel times jump. Next to a jump the relaxation lets paths slip sideways, over many steps, to
/// states that they cannot reach: there a difference is much larger than what the way along its step costs.
/// Not in a drift, whose turns are relaxed more than its steps: round trips came out 6 % too long.
inline bool stopsLeaks(const Problem& p) {
  return p.model == Model::Dubins && p.stopsLeaks && p.balancedRadius == 0;
}

/// A second difference counts fully up to this share of its difference, and no more from twice of it. Where
/// Dubins' travel times jump and leaks are not stopped, a larger share lets corrections reach across.
inline float correctionLimit(const Problem& p) {
  return p.model == Model::Dubins && !stopsLeaks(p) ? 0.25f : 0.5f;
}

/// What the weight of a difference is multiplied by: 1 up to `leakFrom` times the cost of its way, almost
/// nothing from `leakTo` times of it. The weights of a scheme are then scaled so that  sum of weight *
/// length^2  is what it was.
/// @param difference  V(p) - V(p + e) of the solution before
/// @param way         cost times planar length of e; 0: never stopped
TEAM_FN float leakFactor(float difference, float way) {
  if (!(difference > leakFrom * way) || !(way > 0)) return 1;
  const float share = (leakTo * way - difference) / ((leakTo - leakFrom) * way);
  return share > leastLeak ? share : leastLeak;
}

/// Sums over the sides of a difference (one, or two of a symmetric one) of d and of the part of s that
/// counts. Sides that do not descend count for nothing; so a ridge between two equal sides has the mean of
/// both.
struct SecondDifference {
  float difference = 0, missing = 0;

  /// @param v0, v1, v2  V at p, p + e, p + 2 e; +infinity where there is none or a wall between
  TEAM_FN void add(float v0, float v1, float v2, float limit) {
    const float d = positive(v0 - v1), s = (v0 - v1) - (v1 - v2), size = magnitude(s);
    const float counts = lesser(size, positive(2 * limit * d - size));
    difference += d;
    missing += s > 0 ? counts : -counts;
  }

  TEAM_FN float factor() const { return 1 + 0.5f * missing / (difference + 1e-30f); }
};

} // namespace isochrone::curvature
