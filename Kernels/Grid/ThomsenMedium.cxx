#include "Grid/ThomsenMedium.h"

#include "Grid/ThomsenRay.h"

#include <algorithm>
#include <cmath>

namespace isochrone {

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
  const AxialVector vector = relativeToAxis(v.data(), medium.axis.data());
  if (vector.across == 0 && vector.along == 0) return {};
  const AxialRay axial = axialRay(medium.curve, vector.across, std::abs(vector.along));
  ThomsenRay ray{axial.time / medium.speed, {}};
  for (int a = 0; a < 3; ++a) {
    const double unit = vector.across > 0 ? vector.side[a] / vector.across : 0;
    ray.slowness[a] =
        (axial.across * unit + std::copysign(axial.along, vector.along) * medium.axis[a]) / medium.speed;
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
