// Claims about derivatives in drifts and of round trips.
#include "CurvatureDriftCases.h"
#include "Reference/CurvatureReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

Options onHost() {
  Options options;
  options.backend = Backend::Host;
  return options;
}

SensitivityOptions derivatives(bool radiusAndShift) {
  SensitivityOptions options;
  options.backend = Backend::Host;
  options.radiusAndShift = radiusAndShift;
  return options;
}

/// Adds a cost per state, equal at opposite headings or not.
void addOrientedCost(Case& c, int period) {
  const StateGrid& g = c.problem.grid;
  for (int k = 0; k < g.headings; ++k)
    for (std::int64_t p = 0; p < g.planePoints(); ++p)
      c.cost.push_back(float(1.5 + 0.6 * std::sin(3 * double(p % g.nx) * g.hx + 0.4) *
                                       std::cos(period * k * g.headingStep() + 0.3)));
  c.problem.cost.values = c.cost;
}

class CurvatureSensitivityModes : public testing::TestWithParam<Model> {};

} // namespace

TEST_P(CurvatureSensitivityModes, OfRoundTripsMatchFiniteDifferences) {
  Case c = square(GetParam(), 13, 12);
  c.problem.turningRadius.constant = 0.4;
  c.problem.curvatureShift.constant = 0.3;
  c.problem.seeds = {{{0.4, 0.5, 0.7, false}, 0.2}};
  addOrientedCost(c, 1);
  const RoundTrip trip = solveRoundTrip(c.problem, onHost(), {});
  const std::vector<WeightedTip> vias{{{1.5, 1.3, 1.1, false}, 2}};

  const Sensitivities s = differentiate(c.problem, trip, vias, derivatives(true), {});

  const StateGrid& g = c.problem.grid;
  const Placement via = s.tips[0];
  const auto total = [&] {
    const RoundTrip now = solveRoundTrip(c.problem, onHost(), {});
    return 2 * (reference::march(c.problem)[g.index(via.i, via.j, via.heading)] +
                reference::march(now.reversed.problem)[g.index(via.i, via.j, (via.heading + 6) % 12)]);
  };
  EXPECT_NEAR(s.objective, total(), 1e-8);
  const auto expectSlope = [&](double derivative, double step, auto& value) {
    const auto before = value;
    value = before + step;
    const double above = total();
    value = before - step;
    EXPECT_NEAR(derivative, (above - total()) / (2 * step), 0.01 * std::abs(derivative) + 1e-4);
    value = before;
  };
  const auto sum = [](const auto& values) { return std::accumulate(values.begin(), values.end(), 0.); };
  expectSlope(sum(s.turningRadius), 1e-6, c.problem.turningRadius.constant);
  expectSlope(sum(s.curvatureShift), 1e-6, c.problem.curvatureShift.constant);
  expectSlope(s.startValue[0], 1e-6, c.problem.seeds[0].startValue);
  std::vector<std::int64_t> order(s.cost.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return s.cost[a] > s.cost[b]; });
  for (const int n : {0, 5, 30, 60}) expectSlope(s.cost[order[n]], 0x1p-13, c.cost[order[n]]);
}

TEST_P(CurvatureSensitivityModes, OfRoundTripsAgreeForOneAndTwoSolves) {
  Case c = square(GetParam(), 21, 16);
  c.problem.seeds = {{{0.4, 0.5, 0, true}, 0}};
  addOrientedCost(c, 2);
  const std::vector<WeightedTip> vias{{{1.5, 1.33, 0.4, false}, 1}, {{5, 1, 0, true}, 1}};
  const RoundTrip once = solveRoundTrip(c.problem, onHost(), {});
  const Sensitivities one = differentiate(c.problem, once, vias, derivatives(false), {});
  c.problem.seeds[0].startValue = 1e-12; // no longer reversible
  const RoundTrip twice = solveRoundTrip(c.problem, onHost(), {});
  const Sensitivities two = differentiate(c.problem, twice, vias, derivatives(false), {});

  ASSERT_TRUE(once.back.travelTime.empty());
  ASSERT_FALSE(twice.back.travelTime.empty());
  EXPECT_NEAR(one.objective, two.objective, 1e-6);
  EXPECT_NEAR(one.startValue[0], 1, 1e-12);
  EXPECT_EQ(one.tips[1].status, Placement::Status::Outside);
  double difference = 0, size = 0;
  for (std::size_t p = 0; p < one.cost.size(); ++p)
    difference += std::abs(one.cost[p] - two.cost[p]), size += one.cost[p];
  EXPECT_GT(size, 0);
  EXPECT_LT(difference, 1e-3 * size);
}

TEST(CurvatureSensitivity, ByTheBalanceMatchFiniteDifferences) {
  for (const Model model : {Model::Dubins, Model::Elastica}) {
    DriftingCase d(square(model, 21, 16), boatDrift(0.9), 1, 0.3, 0.4);
    d.c.problem.seeds = {{{0.4, 0.5, 0.7, false}, 0}};
    const Problem ground = d.ground();
    const std::vector<WeightedTip> tips{{{1.5, 1.3, 1.1, false}, 2}, {{0.3, 1.6, 3, false}, 0.5}};
    const Result solved = solveCurvaturePaths(ground, onHost(), {});

    const Sensitivities s = differentiate(ground, solved, tips, derivatives(true), {});

    const auto objective = [&](double balancedRadius) {
      Problem p = ground;
      p.balancedRadius = balancedRadius;
      const std::vector<double> u = reference::march(p);
      double sum = 0;
      for (std::size_t t = 0; t < tips.size(); ++t)
        sum += tips[t].weight * u[p.grid.index(s.tips[t].i, s.tips[t].j, s.tips[t].heading)];
      return sum;
    };
    constexpr double step = 1e-6;
    const double radius = ground.balancedRadius,
                 slope = (objective(radius + step) - objective(radius - step)) / (2 * step),
                 found = std::accumulate(s.balancedRadius.begin(), s.balancedRadius.end(), 0.);
    EXPECT_NEAR(s.objective, objective(radius), 1e-6) << nameOf(model);
    EXPECT_GT(std::abs(slope), 0.01) << nameOf(model);
    EXPECT_NEAR(found, slope, 0.01 * std::abs(slope)) << nameOf(model);
  }
}

INSTANTIATE_TEST_SUITE_P(, CurvatureSensitivityModes, testing::ValuesIn(allModels),
                         [](const auto& info) { return nameOf(info.param); });
