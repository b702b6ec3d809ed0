// Symmetric3.h - small symmetric matrices: tensors at a point.
#pragma once

#include "Grid/Vector3.h"

#include <array>

namespace isochrone::grid {

/// Symmetric 3x3 matrix: xx, yy, zz, xy, yz, xz (VTK order).
using Symmetric3 = std::array<double, 6>;

TEAM_FN Vector3 times(const Symmetric3& d, const Vector3& v) {
  return {d[0] * v[0] + d[3] * v[1] + d[5] * v[2], d[3] * v[0] + d[1] * v[1] + d[4] * v[2],
          d[5] * v[0] + d[4] * v[1] + d[2] * v[2]};
}

/// Returns <v, D v>.
TEAM_FN double square(const Symmetric3& d, const Vector3& v) { return dot(v, times(d, v)); }

TEAM_FN double trace(const Symmetric3& d) { return d[0] + d[1] + d[2]; }

/// Returns the leading minors: xx, xx yy - xy^2 and the determinant.
TEAM_FN Vector3 leadingMinors(const Symmetric3& d) {
  const double plane = d[0] * d[1] - d[3] * d[3];
  return {d[0], plane, d[2] * plane - d[0] * d[4] * d[4] - d[1] * d[5] * d[5] + 2 * d[3] * d[4] * d[5]};
}

/// Returns whether the matrix is positive definite; false if a component is not finite.
TEAM_FN bool isPositiveDefinite(const Symmetric3& d) {
  const Vector3 minors = leadingMinors(d);
  const double maximum = 1e300;
  return minors[0] > 0 && minors[1] > 0 && minors[2] > 0 && d[1] > 0 && d[2] > 0 && trace(d) < maximum;
}

TEAM_FN Symmetric3 inverse(const Symmetric3& d) {
  const double f = 1 / leadingMinors(d)[2];
  return {f * (d[1] * d[2] - d[4] * d[4]), f * (d[0] * d[2] - d[5] * d[5]), f * (d[0] * d[1] - d[3] * d[3]),
          f * (d[4] * d[5] - d[2] * d[3]), f * (d[3] * d[5] - d[0] * d[4]), f * (d[3] * d[4] - d[1] * d[5])};
}

/// Returns diag(s) D diag(s).
TEAM_FN Symmetric3 scaled(const Symmetric3& d, const Vector3& s) {
  return {d[0] * s[0] * s[0], d[1] * s[1] * s[1], d[2] * s[2] * s[2],
          d[3] * s[0] * s[1], d[4] * s[1] * s[2], d[5] * s[0] * s[2]};
}

} // namespace isochrone::grid
