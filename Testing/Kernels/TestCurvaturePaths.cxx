// The solver against the independent heap fast marching, on every kind of problem it takes.
#include "CurvatureCases.h"
#include "Reference/CurvatureReference.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

class CurvaturePaths : public testing::TestWithParam<std::tuple<Model, std::string>> {
protected:
  Case c = makeCase(std::get<0>(GetParam()), std::get<1>(GetParam()));
  const StateGrid& grid = c.problem.grid;

  Result solve(int threads = 1) const {
    Options options;
    options.backend = Backend::Host;
    options.threads = threads;
    return solveCurvaturePaths(c.problem, options, {});
  }
};

} // namespace

TEST_P(CurvaturePaths, AgreesWithHeapMarching) {
  const std::vector<double> expected = reference::march(c.problem);

  const Result result = solve();

  ASSERT_EQ(result.travelTime.size(), expected.size());
  // Relative to the travel time since the earliest seed, but not below one grid step's worth of cost.
  double start = std::numeric_limits<double>::infinity(), largest = 0, sum = 0;
  for (const Seed& seed : c.problem.seeds) start = std::min(start, seed.startValue);
  std::int64_t reached = 0;
  for (std::int64_t p = 0; p < grid.points(); ++p) {
    const double u = result.travelTime[p];
    ASSERT_EQ(std::isinf(u), std::isinf(expected[p])) << "state " << p << ": " << u << " and " << expected[p];
    if (std::isinf(u)) continue;
    const double cost = reference::valueAt(c.problem, c.problem.cost, p);
    const double error =
        std::abs(u - expected[p]) / std::max(expected[p] - start, cost * std::min(grid.hx, grid.hy));
    largest = std::max(largest, error);
    sum += error;
    ++reached;
  }
  EXPECT_GT(reached, 0);
  EXPECT_LE(largest, 1e-4);
  EXPECT_LE(sum / double(reached), 1e-5);
  RecordProperty("LargestError", std::to_string(largest));
}

TEST_P(CurvaturePaths, SolvesTheSchemeAtEveryState) {
  const Result result = solve();

  const std::vector<double> ratio = reference::costRatio(c.problem, result.travelTime);
  for (std::int64_t p = 0; p < grid.points(); ++p) {
    const double u = result.travelTime[p], cost = reference::valueAt(c.problem, c.problem.cost, p);
    const double bound =
        std::isinf(u) ? 0 : 1e-4 * std::max(1., u / (500 * std::max(grid.hx, grid.hy) * cost));
    ASSERT_NEAR(ratio[p], 1, bound) << "state " << p << " with travel time " << u;
  }
}

TEST_P(CurvaturePaths, ReportsItsOwnResidual) {
  const Result result = solve();

  const double own = residual(c.problem, result.travelTime, 1);

  EXPECT_LE(own, 1e-4);
}

TEST_P(CurvaturePaths, GivesTheSameBitsForAnyThreadCount) {
  const Result one = solve(1);

  for (const int threads : {2, 3, 5}) {
    const Result many = solve(threads);

    ASSERT_EQ(many.travelTime.size(), one.travelTime.size());
    EXPECT_EQ(std::memcmp(many.travelTime.data(), one.travelTime.data(), 4 * one.travelTime.size()), 0)
        << threads;
  }
}

INSTANTIATE_TEST_SUITE_P(All, CurvaturePaths,
                         testing::Combine(testing::ValuesIn(allModels), testing::ValuesIn(caseNames())),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
                         });

TEST(CurvatureResidual, SeesASingleWrongState) {
  for (const Model model : allModels) {
    const Case c = square(model, 31, 16);
    std::vector<float> u = solveCurvaturePaths(c.problem, {}, {}).travelTime;
    const std::int64_t p = c.problem.grid.index(22, 17, 3);
    ASSERT_TRUE(std::isfinite(u[p]));

    u[p] *= 0.99f;

    EXPECT_GT(residual(c.problem, u, 1), 1e-3) << nameOf(model);
  }
}
