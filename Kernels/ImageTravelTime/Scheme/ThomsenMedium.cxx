#include "ImageTravelTime/Scheme/ThomsenMedium.h"

#include <cmath>

namespace isochrone::image {

namespace {

double length(const grid::Vector3& v) { return std::sqrt(grid::dot(v, v)); }

/// A direction in the quadrant of slownesses across and along the axis.
struct Direction {
  double across, along; ///< >= 0, sum 1
  double square() const { return across * across + along * along; }
  /// Returns Z / (X + Z).
  double share() const { return along * along / square(); }
};

/// Returns the direction of the slowness whose group velocity has the direction (across, along), > 0: that at
/// which (a x, b z), the normal of the slowness curve, is parallel to it. The angle of the normal grows with
/// that of the slowness on a convex curve, so bisection finds it, to the last digit.
Direction slownessFor(const ThomsenCurve<double>& curve, double across, double along) {
  double low = 0, high = 1; // of the component along the axis
  for (;;) {
    const double middle = low + (high - low) / 2;
    const Direction d{1 - middle, middle};
    if (middle == low || middle == high) return d;
    const ThomsenTangent<double> tangent = curve.tangent(d.share());
    (tangent.along * d.along * across < tangent.across * d.across * along ? low : high) = middle;
  }
}

} // namespace

grid::Symmetric3 ThomsenMedium::squaredVelocity(const ThomsenTangent<double>& tangent) const {
  const double square = speed * speed, a = tangent.across * square,
               b = (tangent.along - tangent.across) * square;
  const grid::Vector3& n = axis;
  return {a + b * n[0] * n[0], a + b * n[1] * n[1], a + b * n[2] * n[2],
          b * n[0] * n[1],     b * n[1] * n[2],     b * n[0] * n[2]};
}

double ThomsenMedium::directionOf(const grid::Vector3& slowness) const {
  const double along = grid::dot(slowness, axis);
  return std::fmin(1, along * along / grid::dot(slowness, slowness));
}

ThomsenRay rayAlong(const ThomsenMedium& medium, const grid::Vector3& v) {
  const double along = grid::dot(v, medium.axis), size = length(v);
  if (size == 0) return {};
  grid::Vector3 side; // across the axis
  for (int a = 0; a < 3; ++a) side[a] = v[a] - along * medium.axis[a];
  const double across = length(side);
  // The normals of the curve on the axes lie on the axes, too.
  constexpr double onAxis = 1e-15;
  const Direction d = across <= onAxis * size            ? Direction{0, 1}
                      : std::abs(along) <= onAxis * size ? Direction{1, 0}
                                                         : slownessFor(medium.curve, across, std::abs(along));
  const ThomsenTangent<double> t = medium.curve.tangent(d.share());
  const double scale =
      1 / (medium.speed * std::sqrt(t.across * d.across * d.across + t.along * d.along * d.along));
  ThomsenRay ray;
  ray.time = scale * (d.across * across + d.along * std::abs(along));
  for (int a = 0; a < 3; ++a) {
    const double unit = across > 0 ? side[a] / across : 0;
    ray.slowness[a] = scale * (d.across * unit + std::copysign(d.along, along) * medium.axis[a]);
  }
  return ray;
}

ThomsenFault faultOf(double epsilon, double delta, double ratio) {
  // Rounded as in the solver, whose differences then are not 0.
  const double f = float(ratio * ratio), across = float(1 + 2 * epsilon), near = float(1 + 2 * delta);
  if (!(across > 0) || !std::isfinite(across)) return ThomsenFault::Epsilon;
  if (!(ratio >= 0 && f < 1 && f < across)) return ThomsenFault::Shear;
  if (!(near > f) || !std::isfinite(near)) return ThomsenFault::Delta;
  return near - f <= 4 * (across - f) ? ThomsenFault::None : ThomsenFault::Concave;
}

ThomsenCurve<double> curveOf(double epsilon, double delta, double ratio) {
  const double f = ratio * ratio;
  return {1 + 2 * epsilon, f, (1 - f) * (1 - f + 2 * delta)};
}

} // namespace isochrone::image
