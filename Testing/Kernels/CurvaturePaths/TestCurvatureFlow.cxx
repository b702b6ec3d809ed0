// Claims about the descent flow that paths follow, and about the reduction to the plane.
#include "CurvatureCases.h"
#include "CurvaturePaths/Paths/DescentFlow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

Values<float> solve(const Problem& problem) {
  Options options;
  options.backend = Backend::Host;
  return solveCurvaturePaths(problem, options, {}).travelTime;
}

class CurvatureFlow : public testing::TestWithParam<std::tuple<Model, std::string>> {
protected:
  Case c = makeCase(std::get<0>(GetParam()), std::get<1>(GetParam()));
  const StateGrid& grid = c.problem.grid;
  const Values<float> u = solve(c.problem);

  template <class Visit>
  void eachReachedState(const Visit& visit) const {
    for (int k = 0; k < grid.headings; ++k)
      for (std::int64_t j = 0; j < grid.ny; ++j)
        for (std::int64_t i = 0; i < grid.nx; ++i)
          if (std::isfinite(u[grid.index(i, j, k)])) visit(GridState{i, j, k});
  }
};

/// Returns the seed at the end of the strongest edges, one state at a time.
std::int32_t seedOf(const DescentFlow& flow, GridState q) {
  while (flow.seedAt(q) < 0) {
    const DescentFlow::Descent descent = flow.at(q);
    if (descent.count == 0) return -1;
    int best = 0;
    for (int e = 1; e < descent.count; ++e)
      if (descent.edges[e].weight > descent.edges[best].weight) best = e;
    const Offset& o = descent.edges[best].offset;
    q = {q.i + o[0], q.j + o[1], q.k + o[2]};
  }
  return flow.seedAt(q);
}

} // namespace

TEST_P(CurvatureFlow, DescendsFreeStepsFromEveryStateExceptSeeds) {
  const DescentFlow flow(c.problem, u);

  eachReachedState([&](const GridState& q) {
    const DescentFlow::Descent descent = flow.at(q);
    ASSERT_LE(descent.count, int(descent.edges.size()));
    ASSERT_EQ(descent.count == 0, flow.seedAt(q) >= 0) << q.i << ' ' << q.j << ' ' << q.k;
    double total = 0;
    for (int e = 0; e < descent.count; ++e) {
      const Offset& o = descent.edges[e].offset;
      const GridState next{q.i + o[0], q.j + o[1], q.k + o[2]};
      ASSERT_TRUE(flow.inside(next));
      ASSERT_LT(flow.value(next), flow.value(q));
      ASSERT_TRUE(flow.walls().freeSegment(double(q.i), double(q.j), double(next.i), double(next.j)));
      ASSERT_GT(descent.edges[e].weight, 0);
      total += descent.edges[e].weight;
    }
    ASSERT_DOUBLE_EQ(descent.total, total);
  });
}

TEST_P(CurvatureFlow, DecreasesByTheSquaredCost) {
  // If u solves the scheme: sum of w (u(q) - u(q + e)) = sum of alpha (u(q) - u(q + e))^2 = cost^2.
  const DescentFlow flow(c.problem, u);

  eachReachedState([&](const GridState& q) {
    if (flow.seedAt(q) >= 0) return;
    const double cost = valueAt(c.problem.cost, flow.index(q));
    const double rounding = std::max(1., std::abs(flow.value(q)) / (500 * std::min(grid.hx, grid.hy) * cost));
    const DescentFlow::Descent descent = flow.at(q);
    EXPECT_NEAR(std::sqrt(descent.total * descent.drop) / cost, 1, 2e-4 * rounding)
        << q.i << ' ' << q.j << ' ' << q.k;
  });
}

TEST_P(CurvatureFlow, ReducesToTheMinimumHeadingAndTheSeedOfItsPath) {
  const DescentFlow flow(c.problem, u);

  const PlanarResult plane = reduceToPlane(c.problem, u, 2);

  ASSERT_EQ(std::int64_t(plane.travelTime.size()), grid.planePoints());
  for (std::int64_t j = 0; j < grid.ny; ++j)
    for (std::int64_t i = 0; i < grid.nx; ++i) {
      GridState minimum{i, j, 0};
      for (int k = 1; k < grid.headings; ++k)
        if (flow.value({i, j, k}) < flow.value(minimum)) minimum.k = k;
      const std::int64_t p = i + grid.nx * j;
      ASSERT_EQ(plane.travelTime[p], flow.value(minimum));
      if (flow.value(minimum) == infinity) {
        ASSERT_EQ(plane.heading[p], 0);
        ASSERT_EQ(plane.seed[p], -1);
      } else {
        ASSERT_EQ(plane.heading[p], float(minimum.k * grid.headingStep()));
        ASSERT_EQ(plane.seed[p], seedOf(flow, minimum)) << i << ' ' << j;
        ASSERT_GE(plane.seed[p], 0);
      }
    }
}

TEST(CurvatureNearSeedFlow, LeavesStatesWithoutLowerNeighboursForTheNearestLowerOne) {
  int leaps = 0;
  for (const Model model : allModels) {
    Case c = square(model, 41, 24);
    c.problem.accuracy = Accuracy::SeedBall;
    c.problem.seeds.clear();
    for (int s = 0; s < 12; ++s)
      c.problem.seeds.push_back({{0.15 * s + 0.11, 0.9 + 0.37 * std::sin(5 * s), 0.7 * s, s % 2 == 0}, 0});
    const StateGrid& g = c.problem.grid;
    const Result result = solveCurvaturePaths(c.problem, {}, {});
    const DescentFlow flow(c.problem, result);
    float largest = 0;
    for (const BallState& ball : result.balls) largest = std::max(largest, ball.travelTime);
    const auto stateOf = [&](std::int64_t index) {
      const std::int64_t point = index % g.planePoints();
      return GridState{point % g.nx, point / g.nx, int(index / g.planePoints())};
    };

    for (const BallState& ball : result.balls) {
      const GridState q = stateOf(ball.state);
      const DescentFlow::Descent descent = flow.at(q);
      if (descent.count != 1 || descent.edges[0].weight != 1) continue; // has lower neighbours
      ++leaps;
      Offset nearest{g.headings, 0, 0};
      const auto length = [](const Offset& e) { return std::hypot(e[0], e[1], e[2]); };
      for (const BallState& other : result.balls) { // ascending, so the first of several counts
        const GridState to = stateOf(other.state);
        const Offset e{int(to.i - q.i), int(to.j - q.j), int(std::remainder(to.k - q.k, double(g.headings)))};
        if (flow.value(to) < flow.value(q) && flow.value(to) >= other.travelTime - 1e-6 * largest &&
            length(e) < length(nearest))
          nearest = e;
      }
      ASSERT_EQ(descent.edges[0].offset, nearest) << nameOf(model) << ' ' << q.i << ' ' << q.j << ' ' << q.k;
    }
  }
  EXPECT_GT(leaps, 100);
}

INSTANTIATE_TEST_SUITE_P(, CurvatureFlow,
                         testing::Combine(testing::ValuesIn(allModels), testing::ValuesIn(caseNames())),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) + std::get<1>(info.param);
                         });

TEST(CurvaturePlane, SameForAnyThreadCount) {
  for (const Model model : allModels) {
    const Case c = makeCase(model, "Everything");
    const Values<float> u = solve(c.problem);
    const PlanarResult one = reduceToPlane(c.problem, u, 1);

    for (const int threads : {2, 3, 7}) {
      const PlanarResult many = reduceToPlane(c.problem, u, threads);

      EXPECT_EQ(one.travelTime, many.travelTime);
      EXPECT_EQ(one.heading, many.heading);
      EXPECT_EQ(one.seed, many.seed);
    }
  }
}

TEST(CurvaturePlane, TakesTheLowerOfTiedHeadings) {
  Case c = square(Model::ReedsSheppForward, 5, 8);
  std::vector<float> u(c.problem.grid.points(), 7.f);
  for (const int k : {6, 3}) u[c.problem.grid.index(2, 1, k)] = 4;

  const PlanarResult plane = reduceToPlane(c.problem, u, 1);

  EXPECT_EQ(plane.travelTime[2 + 5 * 1], 4);
  EXPECT_EQ(plane.heading[2 + 5 * 1], float(3 * c.problem.grid.headingStep()));
}

TEST(CurvaturePlane, SplitsTheSquareBetweenTwoSeeds) {
  for (const Model model : allModels) {
    Case c = square(model, 41, 24);
    c.problem.seeds = {{{0.4, 1, 0, true}, 0}, {{1.6, 1, 0, true}, 0}};

    const PlanarResult plane = reduceToPlane(c.problem, solve(c.problem), 2);

    for (std::int64_t j = 0; j < 41; ++j)
      for (std::int64_t i = 0; i < 41; ++i)
        if (std::abs(i - 20) > 2)
          EXPECT_EQ(plane.seed[i + 41 * j], i < 20 ? 0 : 1) << nameOf(model) << i << ' ' << j;
  }
}

TEST(CurvaturePlane, NeverAssignsASeedReachedEarlier) {
  for (const Model model : allModels) {
    Case c = makeCase(model, "SeveralSeeds"); // seed 3 is reached earlier from other seeds
    std::vector<int> count(c.problem.seeds.size(), 0);

    const Values<float> u = solve(c.problem);

    const PlanarResult plane = reduceToPlane(c.problem, u, 1);
    for (const std::int32_t seed : plane.seed)
      if (seed >= 0) ++count[seed];
    EXPECT_EQ(count[3], 0);
    EXPECT_GT(count[1], 0);
    EXPECT_GT(count[2], 0);
    EXPECT_GT(count[4], 0);
    for (const std::int32_t seed : DescentFlow(c.problem, u).liveSeeds()) EXPECT_NE(seed, 3);
  }
}

TEST(CurvaturePlane, ToleratesRoundingOfLargeStartValues) {
  Case c = square(Model::ReedsSheppForward, 21, 16);
  c.problem.seeds = {{{0.3, 1, 0, true}, -100}, {{1.7, 1, 0, true}, -99.9}};

  const PlanarResult plane = reduceToPlane(c.problem, solve(c.problem), 1);

  EXPECT_EQ(plane.seed[3 + 21 * 10], 0);
  EXPECT_EQ(plane.seed[17 + 21 * 10], 1);
}

TEST(CurvaturePlane, RefusesTravelTimesOfAnotherGrid) {
  const Case c = square(Model::Dubins, 5, 8);
  const std::vector<float> u(7, 0.f);

  EXPECT_ANY_THROW(reduceToPlane(c.problem, u, 1));
  EXPECT_ANY_THROW(extractPaths(c.problem, u, {}, 1));
}
