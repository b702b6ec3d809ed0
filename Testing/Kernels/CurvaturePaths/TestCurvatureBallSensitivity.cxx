// Claims about derivatives through near-seed start values, which depend on cost, turning radius and shift
// near the seed.
#include "CurvatureDriftCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

Result solve(const Problem& problem) {
  Options options;
  options.backend = Backend::Host;
  return solveCurvaturePaths(problem, options, {});
}

const std::vector<WeightedTip> tips{{{1.62, 1.31, 0.4, false}, 1}, {{0.33, 1.71, 0, true}, 0.5}};

Sensitivities derivatives(const Problem& problem, const std::vector<WeightedTip>& of = tips) {
  SensitivityOptions options;
  options.backend = Backend::Host;
  options.radiusAndShift = true;
  return differentiate(problem, solve(problem), of, options, {});
}

double total(const auto& values) { return std::accumulate(values.begin(), values.end(), 0.); }

/// Adds a smooth cost, per plane point or per state.
void addSmoothCost(Case& c, bool perState) {
  const StateGrid& g = c.problem.grid;
  for (int k = 0; k < (perState ? g.headings : 1); ++k)
    for (std::int64_t p = 0; p < g.planePoints(); ++p)
      c.cost.push_back(float(1.5 + 0.6 * std::sin(3 * double(p % g.nx) * g.hx + 0.4 + k) *
                                       std::cos(2 * double(p / g.nx) * g.hy + 0.3)));
  c.problem.cost.values = c.cost;
}

/// Returns a problem for each kind of near-seed start values.
Case ballCase(Model model, const std::string& name) {
  Case c = square(model, 31, 16);
  Problem& p = c.problem;
  if (name == "OnAState") p.cost.constant = 3;
  if (name == "OffTheGrid") addSmoothCost(c, false), p.seeds = {{{1.017, 0.978, 0.35, false}, 0.4}};
  if (name == "AnyHeading") addSmoothCost(c, true), p.seeds = {{{1.017, 0.978, 0, true}, 0}};
  if (name == "TwoSeedsAndAWall") {
    addSmoothCost(c, true), addVaryingRadius(c);
    p.seeds = {{{0.52, 0.61, 0.35, false}, 0.4}, {{1.5, 0.3, 2, true}, 0.1}};
    c.walls.assign(p.grid.planePoints(), 0);
    for (int j = 6; j < 14; ++j) c.walls[11 + p.grid.nx * j] = 1;
    p.walls = c.walls;
  }
  return c;
}

class CurvatureBallSensitivity : public testing::TestWithParam<Model> {};

} // namespace

TEST_P(CurvatureBallSensitivity, CostTimesItsDerivativeAndStartTimesMassGiveTheObjective) {
  for (const std::string name : {"OnAState", "OffTheGrid", "AnyHeading", "TwoSeedsAndAWall"})
    for (const Accuracy accuracy : {Accuracy::SeedBall, Accuracy::SecondOrder}) {
      SCOPED_TRACE(name);
      Case c = ballCase(GetParam(), name);
      c.problem.accuracy = accuracy;
      const Result solved = solve(c.problem);
      ASSERT_FALSE(solved.balls.empty());

      const Sensitivities s = derivatives(c.problem);

      const StateGrid& g = c.problem.grid;
      double sum = 0, expected = 0;
      for (std::int64_t q = 0; q < g.points(); ++q) {
        const std::size_t n = c.cost.size();
        sum += s.cost[q] * (n == 0 ? c.problem.cost.constant : double(c.cost[q % std::int64_t(n)]));
      }
      for (std::size_t seed = 0; seed < c.problem.seeds.size(); ++seed)
        sum += s.startValue[seed] * c.problem.seeds[seed].startValue;
      for (std::size_t t = 0; t < tips.size(); ++t) {
        const Placement& at = s.tips[t];
        expected += tips[t].weight * solved.travelTime[g.index(at.i, at.j, at.heading)];
      }
      EXPECT_NEAR(total(s.startValue), 1.5, 1e-12); // no mass is lost
      const bool words = GetParam() == Model::Dubins && (name == "OnAState" || name == "OffTheGrid");
      EXPECT_NEAR(sum, s.objective, (words ? 1e-9 : 1e-6) * s.objective); // fine grids sample costs as floats
      EXPECT_NEAR(s.objective, expected, 2e-5); // up to rounding of the travel times
    }
}

TEST_P(CurvatureBallSensitivity, AreEqualForAConstantAndForEqualValues) {
  Case constant = ballCase(GetParam(), "OnAState"), equal = ballCase(GetParam(), "OnAState");
  equal.cost.assign(equal.problem.grid.planePoints(), 3);
  equal.problem.cost.values = equal.cost;
  for (Case* c : {&constant, &equal}) c->problem.accuracy = Accuracy::SeedBall;

  const Sensitivities one = derivatives(constant.problem), other = derivatives(equal.problem);

  EXPECT_NEAR(one.objective, other.objective, 1e-6 * one.objective);
  const auto expectNear = [](const Values<double>& a, const Values<double>& b) {
    double difference = 0, size = 0;
    for (std::size_t q = 0; q < a.size(); ++q) difference += std::abs(a[q] - b[q]), size += std::abs(a[q]);
    EXPECT_LT(difference, 1e-3 * size); // ties between mirrored states
  };
  expectNear(one.cost, other.cost);
  expectNear(one.turningRadius, other.turningRadius);
  expectNear(one.curvatureShift, other.curvatureShift);
}

/// Compares with central differences of the objective, with near-seed start values recomputed.
TEST_P(CurvatureBallSensitivity, ApproximateFiniteDifferences) {
  const bool words = GetParam() == Model::Dubins;
  Case c = ballCase(GetParam(), "OffTheGrid");
  c.problem.accuracy = Accuracy::SeedBall;
  c.problem.turningRadius.constant = 0.37;
  if (!words) c.problem.curvatureShift.constant = 0.3;
  const StateGrid& g = c.problem.grid;
  const Sensitivities s = derivatives(c.problem);
  std::vector<WeightedTip> fixed = tips;
  fixed[1].tip = {tips[1].tip.x, tips[1].tip.y, s.tips[1].heading * g.headingStep(), false};
  const auto slope = [&](double step, const auto& move) {
    move(step);
    const double above = derivatives(c.problem, fixed).objective;
    move(-step);
    const double below = derivatives(c.problem, fixed).objective;
    move(0);
    return (above - below) / (2 * step);
  };

  // Dubins' words are differentiated exactly. On refined grids the corrections are treated as constant.
  const double tolerance = words ? 1e-3 : 0.1, steps = 0x1p-9;
  const std::vector<float> costs = c.cost;
  double near = 0;
  std::vector<double> perPoint(g.planePoints(), 0);
  for (std::int64_t q = 0; q < g.points(); ++q) perPoint[q % g.planePoints()] += s.cost[q];
  const auto isNear = [&](std::int64_t p) {
    return std::hypot(double(p % g.nx) * g.hx - 1.017, double(p / g.nx) * g.hy - 0.978) < 6 * g.hx;
  };
  for (std::int64_t p = 0; p < g.planePoints(); ++p)
    if (isNear(p)) near += perPoint[p] * costs[p];
  EXPECT_GT(near, 0.1 * s.objective);
  EXPECT_NEAR(slope(steps,
                    [&](double by) {
                      for (std::int64_t p = 0; p < g.planePoints(); ++p)
                        if (isNear(p)) c.cost[p] = float(costs[p] * (1 + by));
                    }),
              near, tolerance * near);
  const double radius = total(s.turningRadius);
  EXPECT_NEAR(slope(1e-4, [&](double by) { c.problem.turningRadius.constant = 0.37 + by; }), radius,
              tolerance * radius);
  if (!words) return; // single costs differ by more
  for (const std::int64_t p : {16 + 15 * 31, 17 + 15 * 31, 18 + 15 * 31, 15 + 15 * 31})
    EXPECT_NEAR(slope(steps, [&](double by) { c.cost[p] = float(costs[p] + by); }), perPoint[p],
                0.01 * perPoint[p]);
}

INSTANTIATE_TEST_SUITE_P(, CurvatureBallSensitivity, testing::ValuesIn(allModels),
                         [](const auto& info) { return nameOf(info.param); });

/// A quarter of the tightest circle ends on a state; no quarter of a larger circle does.
TEST(CurvatureBallSensitivityOfWords, ByTheRadiusIsFiniteOnTheTightestCircle) {
  Case c = square(Model::Dubins, 41, 36);
  const StateGrid& g = c.problem.grid;
  c.problem.turningRadius.constant = 6 * g.hx;
  c.problem.seeds = {{{10 * g.hx, 10 * g.hx, 0, false}, 0}};
  c.problem.accuracy = Accuracy::SeedBall;
  const std::vector<WeightedTip> beyond{{{16 * g.hx, 25 * g.hx, std::numbers::pi / 2, false}, 1}};

  const double found = total(derivatives(c.problem, beyond).turningRadius);

  const double step = 1e-4, at = derivatives(c.problem, beyond).objective;
  c.problem.turningRadius.constant = 6 * g.hx - step;
  const double slope = (at - derivatives(c.problem, beyond).objective) / step;
  EXPECT_NEAR(found, slope, 0.1 * std::abs(slope) + 0.05) << slope;
}

TEST(CurvatureBallSensitivityInADrift, ByTheBalanceIncludesTheStartValues) {
  DriftingCase d(square(Model::Dubins, 21, 10), boatDrift(0.6), 1, 0.3, 0.4);
  d.c.problem.seeds = {{{0.72, 0.64, 0.7, false}, 0}};
  Problem ground = d.ground();
  ground.accuracy = Accuracy::SeedBall;
  const std::vector<WeightedTip> near{{{0.8, 0.8, 1.6, false}, 1}};

  const Sensitivities s = derivatives(ground, near);

  double sum = 0;
  for (std::size_t q = 0; q < s.cost.size(); ++q) sum += s.cost[q] * ground.cost.values[q];
  EXPECT_NEAR(sum, s.objective, 1e-6 * s.objective);
  const double radius = ground.balancedRadius, step = 1e-4;
  ground.balancedRadius = radius + step;
  const double above = derivatives(ground, near).objective;
  ground.balancedRadius = radius - step;
  const double slope = (above - derivatives(ground, near).objective) / (2 * step),
               found = total(s.balancedRadius);
  EXPECT_NEAR(found, slope, 0.1 * std::abs(slope)); // corrections are treated as constant
}
