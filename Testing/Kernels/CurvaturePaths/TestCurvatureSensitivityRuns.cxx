// Claims about runs of the discrete adjoint: symmetries, the same bits in every order of work, tips of every
// kind, progress, bad input.
#include "CurvaturePaths/Sensitivity/AdjointSolver.h"
#include "CurvatureSensitivityCases.h"
#include "Error.h"
#include "Execution/HostDevice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

class CurvatureSensitivityRuns : public testing::TestWithParam<Model> {};

} // namespace

TEST_P(CurvatureSensitivityRuns, OfMirrorImagesAreMirrorImages) {
  Case c = square(GetParam(), 21, 16);
  c.problem.cost = {1, {}};
  const StateGrid& g = c.problem.grid;
  const Values<float> u = solve(c.problem);

  const Sensitivities left = differentiate(c.problem, u, {{{1.62, 1.41, 0.8, false}, 1}});
  const Sensitivities right = differentiate(c.problem, u, {{{1.62, 0.59, -0.8, false}, 1}});

  const double maximum = *std::max_element(left.cost.begin(), left.cost.end());
  double worst = 0;
  for (int k = 0; k < g.headings; ++k)
    for (std::int64_t j = 0; j < g.ny; ++j)
      for (std::int64_t i = 0; i < g.nx; ++i)
        worst =
            std::max(worst, std::abs(left.cost[g.index(i, j, k)] -
                                     right.cost[g.index(i, g.ny - 1 - j, (g.headings - k) % g.headings)]));
  EXPECT_GT(maximum, 0);
  EXPECT_LT(worst, 1e-3 * maximum);
}

TEST_P(CurvatureSensitivityRuns, DoNotDependOnTheUnitOfCost) {
  Case c = smoothCase(GetParam());
  for (Seed& seed : c.problem.seeds) seed.startValue = 0;
  const Sensitivities once = differentiate(c.problem, solve(c.problem), smoothTips);
  for (float& value : c.cost) value *= 8;
  const Sensitivities scaled = differentiate(c.problem, solve(c.problem), smoothTips);

  EXPECT_EQ(once.cost, scaled.cost);
  EXPECT_DOUBLE_EQ(8 * once.objective, scaled.objective);
}

/// Imitates travel times whose differences single precision loses: some states descend only by steps of
/// weight 0, and the root of some lies below its own neighbours.
TEST_P(CurvatureSensitivityRuns, AreFiniteAndConserveMassForRoughTravelTimes) {
  const Case c = square(GetParam(), 11, 16);
  const StateGrid& g = c.problem.grid;
  for (const double depth : {0.01, 1., 100.}) {
    Random random(3);
    std::vector<float> u;
    for (std::int64_t n = 0; n < g.points(); ++n) u.push_back(float(1 + depth * random()));
    u[g.index(5, 5, 0)] = 0;
    std::vector<WeightedTip> tips;
    for (int k = 0; k < g.headings; ++k)
      for (std::int64_t n = 0; n < g.planePoints(); ++n)
        tips.push_back({{double(n % g.nx) * g.hx, double(n / g.nx) * g.hy, k * g.headingStep(), false}, 1});

    const Sensitivities s = differentiate(c.problem, u, tips, true);

    for (const auto* values : {&s.cost, &s.turningRadius, &s.curvatureShift})
      EXPECT_TRUE(std::ranges::all_of(*values, [](double x) { return std::isfinite(x); })) << depth;
    EXPECT_TRUE(std::ranges::all_of(s.cost, [](double x) { return x >= 0; })) << depth;
    EXPECT_GE(total(s.startValue), 0) << depth;
    EXPECT_GT(s.lostWeight, 0) << depth;
    EXPECT_NEAR(total(s.startValue) + s.lostWeight, double(tips.size()), 1e-9) << depth;
  }
}

TEST_P(CurvatureSensitivityRuns, AreTheSameForAnyThreadCountAndOrderOfLanesAndTiles) {
  const Case c = makeCase(GetParam(), "Everything");
  const Values<float> u = solve(c.problem);
  const StateGrid& g = c.problem.grid;
  std::vector<WeightedTip> tips;
  for (int k = 0; k < g.headings; ++k) // enough for more than one thread
    for (std::int64_t p = 0; p < g.planePoints(); ++p)
      tips.push_back({{double(p % g.nx) * g.hx, double(p / g.nx) * g.hy, k * g.headingStep(), false},
                      1. + double(p % 3)});
  const Sensitivities one = differentiate(c.problem, u, tips, true, 1);
  ASSERT_GT(total(one.cost), 0);

  for (const int threads : {2, 3}) {
    const Sensitivities many = differentiate(c.problem, u, tips, true, threads);
    EXPECT_EQ(one.cost, many.cost);
    EXPECT_EQ(one.turningRadius, many.turningRadius);
    EXPECT_EQ(one.curvatureShift, many.curvatureShift);
    EXPECT_EQ(one.startValue, many.startValue);
    EXPECT_EQ(one.objective, many.objective);
  }
}

TEST_P(CurvatureSensitivityRuns, OfManyTipsAreTheSumOfTheirs) {
  const Case c = makeCase(GetParam(), "WallsAndRoughCost");
  const Values<float> u = solve(c.problem);
  std::vector<WeightedTip> tips = scatteredTips(c.problem.grid);
  tips.push_back(tips[0]); // a duplicate

  const Sensitivities together = differentiate(c.problem, u, tips);
  std::vector<double> sum(together.cost.size(), 0);
  double objective = 0;
  for (const WeightedTip& tip : tips) {
    const Sensitivities alone = differentiate(c.problem, u, {tip});
    for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += alone.cost[p];
    objective += alone.objective;
  }

  const double maximum = *std::max_element(sum.begin(), sum.end());
  for (std::size_t p = 0; p < sum.size(); ++p) ASSERT_NEAR(together.cost[p], sum[p], 1e-12 * maximum);
  EXPECT_NEAR(together.objective, objective, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(, CurvatureSensitivityRuns, testing::ValuesIn(allModels),
                         [](const auto& info) { return nameOf(info.param); });

TEST(CurvatureSensitivityTips, WithAnyHeadingTakeTheCheapest) {
  const Case c = makeCase(Model::Dubins, "Constant");
  const Values<float> u = solve(c.problem);
  const StateGrid& g = c.problem.grid;

  const Sensitivities any = differentiate(c.problem, u, {{{1.5, 1.3, 0, true}, 1}});

  const Placement& tip = any.tips[0];
  ASSERT_GE(tip.heading, 0);
  for (int k = 0; k < g.headings; ++k)
    EXPECT_LE(u[g.index(tip.i, tip.j, tip.heading)], u[g.index(tip.i, tip.j, k)]);
  EXPECT_NEAR(any.objective, u[g.index(tip.i, tip.j, tip.heading)], 1e-5);
  const Sensitivities same =
      differentiate(c.problem, u, {{{1.5, 1.3, tip.heading * g.headingStep(), false}, 1}});
  EXPECT_EQ(any.cost, same.cost);
}

TEST(CurvatureSensitivityTips, OutsideInWallsOrUnreachedContributeNothing) {
  Case c = square(Model::Dubins, 21, 16);
  c.walls.assign(c.problem.grid.planePoints(), 0);
  for (int j = 0; j < 21; ++j) c.walls[15 + 21 * j] = 1;
  c.problem.walls = c.walls;
  const Values<float> u = solve(c.problem);

  const std::vector<WeightedTip> useless{
      {{5, 1, 0, true}, 1}, {{1.5, 1, 0, true}, 1}, {{1.8, 1, 0, true}, 1}, {{std::nan(""), 1, 0, true}, 1}};
  const Sensitivities none = differentiate(c.problem, u, useless);
  std::vector<WeightedTip> tips = useless;
  tips.push_back({{1.3, 1.2, 0.4, false}, 1});

  EXPECT_EQ(total(none.cost), 0);
  EXPECT_EQ(none.objective, 0);
  EXPECT_EQ(none.startValue, std::vector<double>{0});
  EXPECT_EQ(none.cost.size(), u.size());
  EXPECT_EQ(none.tips[0].status, Placement::Status::Outside);
  EXPECT_EQ(none.tips[1].status, Placement::Status::InWall);
  EXPECT_EQ(none.tips[2].heading, -1);
  EXPECT_EQ(differentiate(c.problem, u, tips).cost, differentiate(c.problem, u, {tips.back()}).cost);
  EXPECT_GT(total(differentiate(c.problem, u, tips).cost), 0);
}

TEST(CurvatureSensitivityTips, AtASeedMoveWithItsStartValue) {
  Case c = square(Model::Elastica, 21, 16);
  c.problem.seeds[0].startValue = 0.7;

  const Sensitivities s = differentiate(c.problem, solve(c.problem), {{{1, 1, 0, false}, 2.5}});

  EXPECT_EQ(s.startValue, std::vector<double>{2.5});
  EXPECT_DOUBLE_EQ(s.objective, 2.5 * 0.7);
  EXPECT_EQ(total(s.cost), 0);
}

TEST(CurvatureSensitivityTips, ASeedThatIsOverrunPassesItsMassOn) {
  const Case c = makeCase(Model::ReedsShepp, "SeveralSeeds"); // seed 3 is reached earlier from other seeds

  const Sensitivities s = differentiate(c.problem, solve(c.problem), {{{1.1, 1, 0, false}, 1}});

  EXPECT_EQ(s.startValue[3], 0);
  EXPECT_NEAR(total(s.startValue), 1, 1e-12);
  EXPECT_GT(total(s.cost), 0);
}

TEST(CurvatureSensitivityMonitor, ReportsProgressAndStopsOnRequest) {
  const Case c = makeCase(Model::Elastica, "RoughCost");
  const Values<float> u = solve(c.problem);
  const std::vector<WeightedTip> tips = scatteredTips(c.problem.grid);
  std::vector<double> shares;

  const Sensitivities whole = differentiate(c.problem, u, tips, false, 1, {[&](double share) {
                                              shares.push_back(share);
                                              return true;
                                            }});
  int calls = 0;
  const Sensitivities stopped =
      differentiate(c.problem, u, tips, false, 1, {[&](double) { return ++calls < 3; }});

  EXPECT_FALSE(whole.aborted);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_EQ(shares.back(), 1);
  EXPECT_GT(shares.size(), 4u);
  EXPECT_TRUE(stopped.aborted);
  EXPECT_TRUE(stopped.cost.empty());
}

TEST(CurvatureSensitivityBadInput, NamesTheProblem) {
  const Case c = square(Model::Dubins, 11, 8);
  const Values<float> u = solve(c.problem);
  const auto messageOf = [&](const Solution& solution, double weight) -> std::string {
    try {
      differentiate(c.problem, solution, {{{1, 1, 0, true}, 1}, {{1.5, 1, 0, true}, weight}});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };

  EXPECT_NE(messageOf(u, std::nan("")).find("the weight of tip 1 must be finite, got nan"),
            std::string::npos);
  EXPECT_NE(messageOf(u, std::numeric_limits<double>::infinity()).find("got inf"), std::string::npos);
  EXPECT_NE(messageOf(std::vector<float>(7, 0.f), 1).find("travel time has 7 values"), std::string::npos);
  EXPECT_EQ(messageOf(u, 1), "");
}
