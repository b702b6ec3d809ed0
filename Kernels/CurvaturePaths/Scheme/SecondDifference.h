// SecondDifference.h - what a first-order difference misses, on host and device (Corrections.h).
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
#include "CurvaturePaths/Scheme/LimitedDifference.h"
#include "CurvaturePaths/Scheme/LocalSolver.h"

namespace isochrone::curvature {

/// A second difference counts fully up to this share of its difference, and no more from twice of it. Where
/// Dubins' travel times jump, a larger share lets corrections reach across.
inline float correctionLimit(const Problem& p) { return p.model == Model::Dubins ? 0.25f : 0.5f; }

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
