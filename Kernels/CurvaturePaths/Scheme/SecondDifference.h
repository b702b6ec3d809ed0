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
/// @tparam Number  the kind of numbers: vectors of an instruction set (Execution/Simd.h), or StateNumber
template <class Number>
struct SecondDifference {
  using Vec = typename Number::Vec;
  Vec difference = Number::broadcast(0), missing = Number::broadcast(0);

  /// @param v0, v1, v2  V at p, p + e, p + 2 e; +infinity outside the grid or behind a wall
  TEAM_FN void add(Vec v0, Vec v1, Vec v2, float limit) {
    const Vec zero = Number::broadcast(0);
    const Vec drop = v0 - v1, d = Number::max(drop, zero),
              s = drop - (v1 - v2); // d is 0 for infinity - infinity
    const Vec size = Number::max(s, -s), applies = Number::min(size, Number::max(2 * limit * d - size, zero));
    difference += d;
    missing += Number::select(Number::greater(s, zero), applies, -applies);
  }

  TEAM_FN Vec factor() const { return 1 + 0.5f * missing / (difference + 1e-30f); }
};

} // namespace isochrone::curvature
