// ThomsenRay.h - times along vectors in a transversely isotropic medium, on host and device.
//
// The time along a vector v is the maximum of <p, v> over the slowness surface, which is the slowness curve
// (ThomsenCurve.h) turned around the symmetry axis. So p lies in the plane of v and the axis.
#pragma once

#include "Grid/ThomsenCurve.h"

#include <cmath>

namespace isochrone {

/// A vector relative to a symmetry axis.
struct AxialVector {
  double side[3]; ///< its part across the axis
  double across;  ///< the length of this part
  double along;   ///< its component along the axis
};

/// @param axis  unit vector
TEAM_FN AxialVector relativeToAxis(const double* v, const double* axis) {
  const double along = v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2];
  AxialVector vector{{v[0] - along * axis[0], v[1] - along * axis[1], v[2] - along * axis[2]}, 0, along};
  const double* const side = vector.side;
  vector.across = squareRoot(side[0] * side[0] + side[1] * side[1] + side[2] * side[2]);
  return vector;
}

/// A slowness in units of 1 / Vp, in the quadrant across and along the axis.
struct AxialRay {
  double across, along; ///< >= 0
  double time;          ///< its product with the vector: the maximum
};

/// Returns t = sqrt(Z / X) of the slowness whose group velocity has the direction (across, along), > 0. With
/// g the tangent of the angle of the group velocity from the plane across the axis, g = t b / a, and g grows
/// with t on a convex curve. Newton's method in log t, within bounds that shrink, finds t to a few units in
/// the last place: a step of size d leaves an error of the order of d^2.
TEAM_FN double slownessTangent(const ThomsenCurve<double>& curve, double across, double along) {
  constexpr double lastStep = 1e-9;
  const ThomsenTangent<double> onPlane = curve.tangent(0), onAxis = curve.tangent(1);
  const double first = onPlane.along / onPlane.across, last = onAxis.along / onAxis.across; // b / a
  const double group = along / across;
  double low = group / std::fmax(first, last), high = group / std::fmin(first, last);
  const double square = group * group / (first * last);
  double t = group / (first + (last - first) * square / (1 + square)); // b / a about linear in Z / (X + Z)
  while (low < high) {
    const double s = t * t / (1 + t * t);
    const ThomsenTangent<double> tangent = curve.tangent(s);
    const double reached = t * tangent.along / tangent.across, slope = curve.groupSlope(s, tangent);
    if (reached == group) break;
    (reached < group ? low : high) = t;
    double next = t - t * (1 - group / reached) / slope;
    const bool isLast = std::fabs(next - t) <= lastStep * slope * slope * t;
    if (!isLast && !(next > low && next < high)) next = low + (high - low) / 2;
    if (!isLast && !(next > low && next < high)) break; // no number lies between
    t = next;
    if (isLast) break;
  }
  return t;
}

/// Returns the slowness with the maximum product with the vector (across, along), and this product. The curve
/// must be convex (faultOf in ThomsenMedium.h).
/// @param across, along  >= 0, one of them > 0
TEAM_FN AxialRay axialRay(const ThomsenCurve<double>& curve, double across, double along) {
  // The normals of the curve on the axes lie on the axes, too.
  constexpr double onAxis = 1e-15;
  double acrossShare = 0, alongShare = 1; // of the slowness, sum 1
  if (along <= onAxis * across) {
    acrossShare = 1, alongShare = 0;
  } else if (across > onAxis * along) {
    const double t = slownessTangent(curve, across, along);
    acrossShare = 1 / (1 + t), alongShare = t / (1 + t);
  }
  const double x = acrossShare * acrossShare, z = alongShare * alongShare;
  const ThomsenTangent<double> tangent = curve.tangent(z / (x + z));
  const double scale = 1 / squareRoot(tangent.across * x + tangent.along * z);
  return {scale * acrossShare, scale * alongShare, scale * (acrossShare * across + alongShare * along)};
}

/// Returns the time along a vector, not 0, at the speed 1 along the axis.
/// @param axis  unit vector
TEAM_FN double timeAlong(const ThomsenCurve<double>& curve, const double* axis, const double* v) {
  const AxialVector vector = relativeToAxis(v, axis);
  return axialRay(curve, vector.across, std::fabs(vector.along)).time;
}

} // namespace isochrone
