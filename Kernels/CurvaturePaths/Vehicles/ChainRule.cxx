// Rewrites sensitivities with respect to the fields of a solve as sensitivities with respect to the user's
// parameters.
#include "CurvaturePaths/Paths/DescentFlow.h"

namespace isochrone::curvature {

namespace {

/// Applies the chain rule from radius and shift to the side radii. Turning rates over ground are gain * kappa
/// + the turning rate of the drift, where kappa is the curvature in the medium; without a drift the gain is
/// 1. Their range has the width 2 / radius and its middle at the shift. The range of kappa is from shift - 1
/// / right to shift + 1 / left.
/// @param leftRadius  leftRadius(radius) of a state
/// @param right       0: equal to the left radius
template <class LeftRadius>
void toSideRadii(Sensitivities& s, const Field& turningRadius, const LeftRadius& leftRadius, double right) {
  const bool sided = right > 0;
  if (sided) s.rightTurningRadius.resize(s.turningRadius.size());
  for (std::size_t n = 0; n < s.turningRadius.size(); ++n) {
    const double radius = valueAt(turningRadius, n), left = leftRadius(radius);
    const double width = 1 / left + 1 / (sided ? right : left), gain = 2 / (width * radius);
    double wider = -s.turningRadius[n] * radius / width; // dJ by 1 / left and by 1 / right alike
    if (!s.balancedRadius.empty()) wider -= s.balancedRadius[n] * 2 / (width * width); // it is 2 / width
    const double later = s.curvatureShift[n] * gain / 2; // dJ by 1 / left, and of opposite sign by 1 / right
    s.curvatureShift[n] *= gain;
    s.turningRadius[n] = -(sided ? wider + later : 2 * wider) / (left * left);
    if (sided) s.rightTurningRadius[n] = -(wider - later) / (right * right);
  }
}

} // namespace

void toVehicle(Sensitivities& s, const Problem& ground, const Field& costPerTime, const Vehicle& vehicle,
               bool bothSides) {
  for (std::size_t n = 0; n < s.cost.size(); ++n)
    if (s.cost[n] != 0) s.cost[n] *= valueAt(ground.cost, n) / valueAt(costPerTime, n);
  toSideRadii(
      s, ground.turningRadius, [&](double) { return vehicle.leftRadius; },
      bothSides ? vehicle.rightRadius : 0);
}

void toSides(Sensitivities& s, const Problem& problem, double rightRadius) {
  toSideRadii(
      s, problem.turningRadius, [&](double radius) { return 1 / (2 / radius - 1 / rightRadius); },
      rightRadius);
}

} // namespace isochrone::curvature
