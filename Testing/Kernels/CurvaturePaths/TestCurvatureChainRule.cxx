// Claims about the chain rules of vehicles, against central differences of the fields derived from radii and
// cost.
#include "CurvatureDriftCases.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

constexpr double step = 0.01; // relative step of central differences; fields are in single precision

std::array<double, 2> drift(double x, double y) { return {0.2 + 0.1 * x - 0.2 * y, -0.1 + 0.15 * x}; }

DriftingCase drifting(double cost, double left, double right) {
  Case c = square(Model::Dubins, 11, 8);
  c.problem.cost = {cost, {}};
  return {std::move(c), drift, 1.3, left, right};
}

/// Returns random derivatives of an objective that is linear in the fields.
Sensitivities randomSensitivities(std::size_t states, bool balanced) {
  Random random(4);
  Sensitivities s;
  const auto fill = [&](Values<double>& values) {
    values.resize(states);
    for (double& value : values) value = random() + 0.5; // of one sign, to avoid cancellation
  };
  fill(s.cost), fill(s.turningRadius), fill(s.curvatureShift);
  if (balanced) fill(s.balancedRadius);
  return s;
}

double sum(const Values<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Returns the objective with these derivatives.
double objective(const Sensitivities& s, const GroundFields& fields) {
  double value = sum(s.balancedRadius) * fields.balancedRadius;
  for (std::size_t n = 0; n < s.cost.size(); ++n)
    value += s.cost[n] * fields.cost[n] + s.turningRadius[n] * fields.turningRadius[n] +
             s.curvatureShift[n] * fields.curvatureShift[n];
  return value;
}

double objective(const Sensitivities& s, double left, double right) {
  const Turning turning = turningBetween(left, right);
  return sum(s.turningRadius) * turning.radius + sum(s.curvatureShift) * turning.shift;
}

template <class F>
void expectSlope(double derivative, double at, const F& value) {
  const double h = step * at, slope = (value(at + h) - value(at - h)) / (2 * h);
  EXPECT_NEAR(derivative, slope, 2e-3 * std::abs(slope));
}

} // namespace

TEST(CurvatureChainRule, OfAVehicleIsTheDerivativeOfTheFieldsOverGround) {
  constexpr double cost = 1.5, left = 0.3, right = 0.5;
  DriftingCase d = drifting(cost, left, right);
  const Problem ground = d.ground();
  const Sensitivities given = randomSensitivities(std::size_t(ground.grid.points()), true);
  const auto value = [&](double c, double l, double r) {
    DriftingCase other = drifting(c, l, r);
    other.ground();
    return objective(given, other.fields);
  };

  Sensitivities s = given;
  toVehicle(s, ground, {cost, {}}, d.vehicle, true);

  expectSlope(sum(s.cost), cost, [&](double c) { return value(c, left, right); });
  expectSlope(sum(s.turningRadius), left, [&](double l) { return value(cost, l, right); });
  expectSlope(sum(s.rightTurningRadius), right, [&](double r) { return value(cost, left, r); });
}

TEST(CurvatureChainRule, OfASymmetricVehicleVariesBothRadii) {
  constexpr double radius = 0.4;
  DriftingCase d = drifting(1, radius, radius);
  const Problem ground = d.ground();
  const Sensitivities given = randomSensitivities(std::size_t(ground.grid.points()), true);

  Sensitivities s = given;
  toVehicle(s, ground, {1, {}}, d.vehicle, false);

  EXPECT_TRUE(s.rightTurningRadius.empty());
  expectSlope(sum(s.turningRadius), radius, [&](double r) {
    DriftingCase other = drifting(1, r, r);
    other.ground();
    return objective(given, other.fields);
  });
}

TEST(CurvatureChainRule, OfTwoRadiiIsTheDerivativeOfTheTurningRates) {
  constexpr double left = 0.3, right = 0.7;
  Problem problem = square(Model::Elastica, 5, 8).problem;
  const Turning turning = turningBetween(left, right);
  problem.turningRadius = {turning.radius, {}}, problem.curvatureShift = {turning.shift, {}};
  const Sensitivities given = randomSensitivities(std::size_t(problem.grid.points()), false);

  Sensitivities s = given;
  toSides(s, problem, right);

  EXPECT_EQ(s.cost, given.cost);
  expectSlope(sum(s.turningRadius), left, [&](double l) { return objective(given, l, right); });
  expectSlope(sum(s.rightTurningRadius), right, [&](double r) { return objective(given, left, r); });
}
