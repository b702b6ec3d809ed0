// CurvaturePathsMath.h - the update of one state, on host and device.
#pragma once

#include "Execution/Team.h"

namespace isochrone::curvature {

/// A new value is taken only if it is lower by more than this share of the old one: one to two units in the last
/// place. Without it the last digits of float32 would go round in circles.
inline constexpr float acceptedDecrease = 1.3e-7f;

TEAM_FN bool accepted(float value, float old) {
  return value < old - acceptedDecrease * (old < 0 ? -old : old); // infinity - infinity is no number: see root()
}

} // namespace isochrone::curvature
