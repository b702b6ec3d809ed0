// Claims that the solver agrees with an independent heap fast marching on every kind of problem.
#include "CurvatureCases.h"
#include "InstructionSets.h"
#include "Reference/CurvatureReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

class CurvaturePaths : public testing::TestWithParam<std::tuple<Model, std::string>> {
protected:
  Case c = makeCase(std::get<0>(GetParam()), std::get<1>(GetParam()), 33, 20);
  const StateGrid& grid = c.problem.grid;

  Result solve(int threads = 1) const {
    Options options;
    options.backend = Backend::Host;
    options.threads = threads;
    return solveCurvaturePaths(c.problem, options, {});
  }
};

/// Returns the problem with turning radii changed by their rounding error, up and down; none if one stencil
/// serves a heading. If radius or shift vary by point, a state may depend on a difference with a weight near
/// zero, itself the difference of two rounded numbers. No solver that reads them in single precision is more
/// accurate than the spread of these problems.
std::vector<Case> withRoundedRadii(const Case& c) {
  std::vector<Case> cases;
  if (c.radius.empty() && c.shift.empty()) return cases;
  for (const float towards : {0.f, std::numeric_limits<float>::infinity()}) {
    Case& other = cases.emplace_back();
    other.problem = c.problem; // the views of c stay valid as long as c exists
    const std::int64_t size = c.radius.empty() ? 1 : std::int64_t(c.radius.size());
    for (std::int64_t p = 0; p < size; ++p)
      other.radius.push_back(
          std::nextafter(float(reference::valueAt(c.problem, c.problem.turningRadius, p)), towards));
    if (c.radius.empty())
      other.problem.turningRadius.constant = other.radius[0];
    else
      other.problem.turningRadius.values = other.radius;
  }
  return cases;
}

double firstStart(const Problem& problem) {
  double start = std::numeric_limits<double>::infinity();
  for (const Seed& seed : problem.seeds) start = std::min(start, seed.startValue);
  return start;
}

/// Returns the maximum deviation from `expected` among the finite `others` of state p.
double spread(const std::vector<std::vector<double>>& others, std::int64_t p, double expected) {
  double largest = 0;
  for (const auto& values : others)
    if (std::isfinite(values[p])) largest = std::max(largest, std::abs(values[p] - expected));
  return largest;
}

} // namespace

TEST_P(CurvaturePaths, AgreesWithHeapMarching) {
  const std::vector<double> expected = reference::march(c.problem);
  std::vector<std::vector<double>> rounded;
  for (const Case& other : withRoundedRadii(c)) rounded.push_back(reference::march(other.problem));

  const Result result = solve();

  ASSERT_EQ(result.travelTime.size(), expected.size());
  double sum = 0;
  std::int64_t reached = 0;
  for (std::int64_t p = 0; p < grid.points(); ++p) {
    const double u = result.travelTime[p];
    ASSERT_EQ(std::isinf(u), std::isinf(expected[p])) << "state " << p << ": " << u << " and " << expected[p];
    if (std::isinf(u)) continue;
    // Relative to the travel time since the earliest seed, but at least to the cost of one grid step.
    const double cost = reference::valueAt(c.problem, c.problem.cost, p);
    const double scale = std::max(expected[p] - firstStart(c.problem), cost * std::min(grid.hx, grid.hy));
    ASSERT_NEAR(u, expected[p], 1e-4 * scale + spread(rounded, p, expected[p])) << "state " << p;
    sum += std::abs(u - expected[p]) / scale;
    ++reached;
  }
  EXPECT_GT(reached, 0);
  EXPECT_LE(sum / double(reached), 1e-5);
}

TEST_P(CurvaturePaths, SolvesTheSchemeAtEveryState) {
  const Result result = solve();

  const std::vector<double> ratio = reference::costRatio(c.problem, result.travelTime);
  std::vector<std::vector<double>> rounded;
  for (const Case& other : withRoundedRadii(c))
    rounded.push_back(reference::costRatio(other.problem, result.travelTime));
  for (std::int64_t p = 0; p < grid.points(); ++p) {
    const double since = result.travelTime[p] - firstStart(c.problem);
    const double cost = reference::valueAt(c.problem, c.problem.cost, p);
    double bound = 0;
    if (std::isfinite(since)) bound = 1e-4 * std::max(1., since / (500 * std::min(grid.hx, grid.hy) * cost));
    ASSERT_NEAR(ratio[p], 1, bound + spread(rounded, p, ratio[p]))
        << "state " << p << " at " << result.travelTime[p];
  }
}

TEST_P(CurvaturePaths, ReportsTheResidualOfTheScheme) {
  const Result result = solve();

  const double reported = residual(c.problem, result.travelTime, 1);

  const std::vector<double> ratio = reference::costRatio(c.problem, result.travelTime);
  double largest = 0;
  for (std::int64_t p = 0; p < grid.points(); ++p) {
    const double since = result.travelTime[p] - firstStart(c.problem);
    const double cost = reference::valueAt(c.problem, c.problem.cost, p);
    if (std::isfinite(since))
      largest = std::max(largest, std::abs(ratio[p] - 1) /
                                      std::max(1., since / (500 * std::min(grid.hx, grid.hy) * cost)));
  }
  EXPECT_NEAR(reported, largest, 1e-8 + 1e-3 * largest);
}

TEST_P(CurvaturePaths, GivesTheSameBitsForAnyThreadCount) {
  const Result one = solve(1);

  for (const int threads : {2, 3}) {
    const Result many = solve(threads);

    ASSERT_EQ(many.travelTime.size(), one.travelTime.size());
    EXPECT_EQ(std::memcmp(many.travelTime.data(), one.travelTime.data(), 4 * one.travelTime.size()), 0)
        << threads;
  }
}

TEST_P(CurvaturePaths, GivesTheSameBitsForAnyInstructionSet) {
  const Result best = solve();

  onEachInstructionSet([&](const char* isa) {
    const Result other = solve();

    ASSERT_EQ(other.travelTime.size(), best.travelTime.size());
    EXPECT_EQ(std::memcmp(other.travelTime.data(), best.travelTime.data(), 4 * best.travelTime.size()), 0)
        << isa;
  });
}

INSTANTIATE_TEST_SUITE_P(All, CurvaturePaths,
                         testing::Combine(testing::ValuesIn(allModels), testing::ValuesIn(caseNames())),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
                         });

TEST(CurvatureResidual, IgnoresRadiiInsideWalls) {
  for (const Model model : allModels) {
    Case c = square(model, 21, 12);
    c.radius.assign(c.problem.grid.planePoints(), 0.3f);
    c.walls.assign(c.problem.grid.planePoints(), 0);
    c.radius[0] = 0.1f, c.walls[0] = 1;
    c.problem.turningRadius.values = c.radius;
    c.problem.walls = c.walls;

    const Values<float> u = solveCurvaturePaths(c.problem, {Backend::Host, 1, {}}, {}).travelTime;

    EXPECT_LT(residual(c.problem, u, 1), 1e-4) << nameOf(model);
  }
}

TEST(CurvatureResidual, DetectsASingleWrongState) {
  for (const Model model : allModels) {
    const Case c = square(model, 31, 16);
    Values<float> u = solveCurvaturePaths(c.problem, {Backend::Host, 1, {}}, {}).travelTime;
    const std::int64_t p = c.problem.grid.index(22, 17, 3);
    ASSERT_TRUE(std::isfinite(u[p]));

    u[p] *= 0.99f;

    EXPECT_GT(residual(c.problem, u, 1), 1e-3) << nameOf(model);
  }
}

/// Differences of travel times between headings are within rounding there.
TEST(CurvatureResidual, IgnoresRoundingWhereTurnsAreNearlyFree) {
  for (const double start : {0., -0.5, 5.}) {
    Case c = square(Model::ReedsShepp, 31, 16);
    c.problem.turningRadius = {1e-8, {}};
    c.problem.seeds[0].startValue = start;
    Values<float> u = solveCurvaturePaths(c.problem, {Backend::Host, 1, {}}, {}).travelTime;
    EXPECT_LE(residual(c.problem, u, 1), 1e-3) << start; // from here on, rounding is taken into account

    u[c.problem.grid.index(22, 17, 3)] *= 0.99f;

    EXPECT_GT(residual(c.problem, u, 1), 2e-3) << start;
  }
}

/// Neighbouring headings determine each other there: their terms are a million times heavier than those of
/// steps. A root that depends on a neighbouring heading one rounding error below it may be far too late.
TEST(CurvatureResidual, IsSmallWhereTurnsAreNearlyFree) {
  for (const Model model : allModels)
    for (const double radius : {1e-4, 3e-6, 1e-7}) {
      Case c = square(model, 44, 16);
      c.problem.turningRadius = {radius * c.problem.grid.hx, {}};
      c.problem.relaxation = 0.42;

      const Result result = solveWith(c.problem, Accuracy::FirstOrder);

      EXPECT_LE(residual(c.problem, result, 1), 1e-3) << nameOf(model) << ", radius " << radius;
    }
}
