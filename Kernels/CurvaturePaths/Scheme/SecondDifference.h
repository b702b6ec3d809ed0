// SecondDifference.h - the correction factor of a first-order difference, on host and device (Corrections.h).
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
#include "CurvaturePaths/Scheme/LimitedDifference.h"
#include "CurvaturePaths/Scheme/LocalSolver.h"

namespace isochrone::curvature {

/// A second difference applies fully up to this share of its first difference, and not at all from twice that
/// share. Where Dubins' travel times jump, a larger share lets corrections reach across the jump.
inline float correctionLimit(const Problem& p) { return p.model == Model::Dubins ? 0.25f : 0.5f; }

/// Sums over the sides of a difference (one, or two of a symmetric one) of d and of the part of s that
/// applies. Sides that do not descend do not contribute, so a ridge between two equal sides has the mean of
/// both.
/// @tparam S  the kind of numbers: vectors of an instruction set (Execution/Simd.h), or StateNumber
template <class S>
struct SecondDifference {
  using Number = typename S::Vec;
  Number difference = S::broadcast(0), missing = S::broadcast(0);

  /// @param v0, v1, v2  V at p, p + e, p + 2 e; +infinity outside the grid or behind a wall
  TEAM_FN void add(Number v0, Number v1, Number v2, float limit) {
    const Number none = S::broadcast(0);
    const Number drop = v0 - v1, d = S::max(drop, none),
                 s = drop - (v1 - v2); // d is 0 for infinity - infinity
    const Number size = S::max(s, -s), applies = S::min(size, S::max(2 * limit * d - size, none));
    difference += d;
    missing += S::select(S::greater(s, none), applies, -applies);
  }

  TEAM_FN Number factor() const { return 1 + 0.5f * missing / (difference + 1e-30f); }
};

} // namespace isochrone::curvature
