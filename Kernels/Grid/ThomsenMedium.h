// ThomsenMedium.h - a tilted transversely isotropic medium (TTI) at a point: times along vectors, and the
// Riemannian metrics whose extremum it is.
#pragma once

#include "Grid/Symmetric3.h"
#include "Grid/ThomsenCurve.h"

#include <utility>

namespace isochrone {

struct ThomsenMedium {
  double speed = 1; ///< Vp along the axis
  ThomsenCurve<double> curve{1, 0, 1};
  grid::Vector3 axis{0, 0, 1}; ///< unit vector

  /// Returns the squared velocity a Vp^2 (I - n n^T) + b Vp^2 n n^T of a tangent of the slowness curve.
  grid::Symmetric3 squaredVelocity(const ThomsenTangent<double>& tangent) const;

  /// Returns bounds of the squared speeds in any direction, the smaller one first: those of the tangents at
  /// the ends of the slowness curve along and across the axis.
  std::pair<double, double> squaredSpeeds() const;

  /// Returns Z / (X + Z) of a slowness vector of any length, not 0.
  double directionOf(const grid::Vector3& slowness) const;
};

/// The maximum of <p, v> over the slowness vectors p of a medium.
struct ThomsenRay {
  double time = 0;          ///< along v: the maximum
  grid::Vector3 slowness{}; ///< p, the gradient of the time
};

/// Returns the time along a vector in world units with the group velocity, and its gradient; zeros along no
/// vector. The slowness curve must be convex: see faultOf.
ThomsenRay rayAlong(const ThomsenMedium& medium, const grid::Vector3& vector);

/// Limits of the parameters.
enum class ThomsenFault { None, Epsilon, Delta, Shear, Concave };

/// Returns the first requirement that the parameters miss: epsilon > -1/2; 0 <= Vs / Vp < 1, with 1 + 2
/// epsilon and 1 + 2 delta above its square; 1 + 2 delta - f <= 4 (1 + 2 epsilon - f) with f = (Vs / Vp)^2,
/// beyond which slowness curves are not convex.
ThomsenFault faultOf(double epsilon, double delta, double shearRatio);

ThomsenCurve<double> curveOf(double epsilon, double delta, double shearRatio);

/// Returns the metric of an elliptic medium with the speeds of a tilted one along its axis and across.
grid::Symmetric3 ellipticMetric(const ThomsenMedium& medium);

} // namespace isochrone
