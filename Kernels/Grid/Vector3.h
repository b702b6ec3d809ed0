// Vector3.h - vectors in space.
#pragma once

#include "Execution/Team.h"

#include <array>

namespace isochrone::grid {

using Vector3 = std::array<double, 3>;

TEAM_FN Vector3 difference(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
TEAM_FN double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
template <class T> // of real or integer vectors
TEAM_FN std::array<T, 3> cross(const std::array<T, 3>& a, const std::array<T, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

} // namespace isochrone::grid
