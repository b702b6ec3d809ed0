#include "Grid/ThomsenMedium.h"

#include <algorithm>
#include <cmath>

namespace isochrone {

namespace {

double length(const grid::Vector3& v) { return std::sqrt(grid::dot(v, v)); }

/// A direction in the quadrant of slownesses across and along the axis.
struct Direction {
  double across, along; ///< >= 0, sum 1
  double square() const { return across * across + along * along; }
  /// Returns Z / (X + Z).
  double share() const { return along * along / square(); }
};

/// Returns the direction of the slowness whose group velocity has the direction (across, along), > 0. With t
/// and g the tangents of the angles of slowness and group velocity from the plane across the axis, g = t b /
/// a, and g grows with t on a convex curve. Newton's method in log t, within bounds that shrink, finds t to a
/// few units in the last place: a step of size d leaves an error of the order of d^2.
Direction slownessFor(const ThomsenCurve<double>& curve, double across, double along) {
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
  return {1 / (1 + t), t / (1 + t)};
}

} // namespace

grid::Symmetric3 ThomsenMedium::squaredVelocity(const ThomsenTangent<double>& tangent) const {
  const double square = speed * speed, a = tangent.across * square,
               b = (tangent.along - tangent.across) * square;
  const grid::Vector3& n = axis;
  return {a + b * n[0] * n[0], a + b * n[1] * n[1], a + b * n[2] * n[2],
          b * n[0] * n[1],     b * n[1] * n[2],     b * n[0] * n[2]};
}

std::pair<double, double> ThomsenMedium::squaredSpeeds() const {
  const ThomsenTangent<double> first = curve.tangent(0), last = curve.tangent(1);
  const auto [slow, fast] = std::minmax({first.across, first.along, last.across, last.along});
  return {slow * speed * speed, fast * speed * speed};
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

grid::Symmetric3 ellipticMetric(const ThomsenMedium& medium) {
  return grid::inverse(medium.squaredVelocity({medium.curve.across, 1}));
}

} // namespace isochrone
