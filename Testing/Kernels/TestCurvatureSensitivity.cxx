// The discrete adjoint: exact identities, finite differences of an independent solver in double, an
// independent adjoint, symmetries, and the same bits in every order of work.
#include "CurvatureCases.h"
#include "CurvaturePaths/SensitivitySolver.h"
#include "Error.h"
#include "Execution/HostDevice.h"
#include "Reference/CurvatureReference.h"
#include "Reference/SensitivityReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

Values<float> solve(const Problem& problem) {
  Options options;
  options.backend = Backend::Host;
  return solveCurvaturePaths(problem, options, {}).travelTime;
}

Sensitivities differentiate(const Problem& problem, const Solution& solution,
                            const std::vector<WeightedTip>& tips, bool radiusAndShift = false,
                            int threads = 1, const Monitor& monitor = {}) {
  SensitivityOptions options;
  options.backend = Backend::Host;
  options.threads = threads;
  options.radiusAndShift = radiusAndShift;
  return curvature::differentiate(problem, solution, tips, options, monitor);
}

/// Tips all over the grid, with and without heading, one of them of negative weight.
std::vector<WeightedTip> scatteredTips(const StateGrid& g) {
  Random random(5);
  std::vector<WeightedTip> tips;
  for (int t = 0; t < 5; ++t) {
    const double x = random() * double(g.nx - 1) * g.hx, y = random() * double(g.ny - 1) * g.hy;
    tips.push_back({{x, y, 6.28 * random(), t % 2 == 0}, t == 3 ? -0.5 : 1 + 0.3 * t});
  }
  return tips;
}

/// State and weight of the tips that count.
std::vector<std::pair<std::int64_t, double>> massesOf(const Problem& problem, const Sensitivities& s,
                                                      const std::vector<WeightedTip>& tips) {
  std::vector<std::pair<std::int64_t, double>> masses;
  for (std::size_t t = 0; t < tips.size(); ++t)
    if (s.tips[t].status == Placement::Status::Inside && s.tips[t].heading >= 0)
      masses.push_back({problem.grid.index(s.tips[t].i, s.tips[t].j, s.tips[t].heading), tips[t].weight});
  return masses;
}

double objective(const std::vector<double>& u, const std::vector<std::pair<std::int64_t, double>>& masses) {
  double sum = 0;
  for (const auto& [state, weight] : masses)
    if (std::isfinite(u[state])) sum += weight * u[state];
  return sum;
}

std::vector<std::pair<std::int64_t, double>> reached(std::vector<std::pair<std::int64_t, double>> masses,
                                                     const std::vector<double>& u) {
  std::erase_if(masses, [&](const auto& m) { return std::isinf(u[m.first]); });
  return masses;
}

double total(const auto& values) { return std::accumulate(values.begin(), values.end(), 0.); }

/// Central difference of the objective when `change` moves the problem by -step and by +step.
double slope(const std::vector<std::pair<std::int64_t, double>>& masses, double step, const auto& change) {
  const double above = objective(reference::march(change(step)), masses);
  const double below = objective(reference::march(change(-step)), masses);
  return (above - below) / (2 * step);
}

class CurvatureSensitivity : public testing::TestWithParam<std::tuple<Model, std::string>> {
protected:
  Case c = makeCase(std::get<0>(GetParam()), std::get<1>(GetParam()));
  const Problem& problem = c.problem;
  const StateGrid& grid = c.problem.grid;
};

std::string nameOfCase(const testing::TestParamInfo<std::tuple<Model, std::string>>& info) {
  return nameOf(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
}

} // namespace

TEST_P(CurvatureSensitivity, CostTimesItsDerivativeAndStartTimesMassGiveTheObjectiveOfAnExactSolution) {
  const std::vector<WeightedTip> tips = scatteredTips(grid);

  const Sensitivities s = differentiate(problem, solve(problem), tips);

  const std::vector<double> u = reference::march(problem); // double, no code shared
  const auto masses = reached(massesOf(problem, s, tips), u);
  ASSERT_GE(masses.size(), 3u);
  const double expected = objective(u, masses);
  double sum = 0, scale = 0, weight = 0;
  for (std::int64_t p = 0; p < grid.points(); ++p)
    sum += reference::valueAt(problem, problem.cost, p) * s.cost[p];
  for (std::size_t k = 0; k < problem.seeds.size(); ++k) sum += problem.seeds[k].startValue * s.startValue[k];
  for (const auto& [state, m] : masses) scale += std::abs(m * u[state]), weight += m;
  EXPECT_NEAR(sum, expected, 1e-7 * scale);
  EXPECT_NEAR(s.objective, expected, 1e-7 * scale);
  EXPECT_NEAR(total(s.startValue), weight, 1e-12);
}

TEST_P(CurvatureSensitivity, AgreesWithTheAdjointOfAnExactSolution) {
  const std::vector<WeightedTip> tips = scatteredTips(grid);

  const Sensitivities s = differentiate(problem, solve(problem), tips);

  const std::vector<double> u = reference::march(problem);
  const reference::Adjoint exact = reference::adjoint(problem, u, reached(massesOf(problem, s, tips), u));
  double difference = 0, size = 0;
  for (std::int64_t p = 0; p < grid.points(); ++p) {
    difference += std::abs(s.cost[p] - exact.cost[p]);
    size += std::abs(exact.cost[p]);
  }
  // Straight ahead the two schemes of Dubins tie: there we take halves, the reference takes one of them.
  const bool ties = problem.model == Model::Dubins && c.shift.empty();
  EXPECT_LT(difference, (ties ? 0.05 : 1e-3) * size);
}

INSTANTIATE_TEST_SUITE_P(Models, CurvatureSensitivity,
                         testing::Combine(testing::ValuesIn(allModels),
                                          testing::Values("AnyHeading", "OrientedCost", "RadiusVaries",
                                                          "ConstantShift", "UnequalSteps", "OddHeadings",
                                                          "Everything")),
                         nameOfCase);

namespace {

/// Small enough to be solved a hundred times in double: walls, several seeds, smooth cost, radius and shift.
Case smoothCase(Model model) {
  Case c = square(model, 15, 12);
  c.problem.turningRadius.constant = 0.37;
  c.problem.curvatureShift.constant = 0.4;
  c.problem.seeds = {{{0.3, 0.41, 0.3, false}, 0.13}, {{1.6, 1.72, 4, true}, 0.1}};
  const StateGrid& g = c.problem.grid;
  for (int k = 0; k < g.headings; ++k)
    for (std::int64_t j = 0; j < g.ny; ++j)
      for (std::int64_t i = 0; i < g.nx; ++i)
        c.cost.push_back(float(1.3 + 0.5 * std::sin(3 * i * g.hx + k) * std::cos(4 * j * g.hy + 0.7)));
  c.problem.cost.values = c.cost;
  c.walls.assign(g.planePoints(), 0);
  for (int j = 3; j < 11; ++j) c.walls[8 + g.nx * j] = 1;
  c.problem.walls = c.walls;
  return c;
}

const std::vector<WeightedTip> smoothTips{{{1.72, 0.57, 5.2, false}, 1}, {{0.4, 1.5, 2.1, false}, 0.7}};

class CurvatureSensitivityModels : public testing::TestWithParam<Model> {};

} // namespace

TEST_P(CurvatureSensitivityModels, MatchFiniteDifferencesInSingleCosts) {
  Case c = smoothCase(GetParam());
  const Sensitivities s = differentiate(c.problem, solve(c.problem), smoothTips);
  const auto masses = massesOf(c.problem, s, smoothTips);
  ASSERT_EQ(masses.size(), 2u);

  std::vector<std::int64_t> order(
      s.cost.size()); // from the largest derivative to those of a thousandth of it
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return s.cost[a] > s.cost[b]; });
  const auto last = std::partition_point(order.begin(), order.end(),
                                         [&](auto p) { return s.cost[p] > 1e-3 * s.cost[order[0]]; });
  for (std::int64_t n = 0; n < last - order.begin();
       n += std::max<std::int64_t>(1, (last - order.begin()) / 8)) {
    const std::int64_t p = order[n];
    const float before = c.cost[p];
    const auto changed = [&](double step) -> const Problem& {
      c.cost[p] = float(before + step);
      return c.problem;
    };
    const double step = 0x1p-13;
    EXPECT_NEAR(s.cost[p], slope(masses, step, changed), 0.01 * s.cost[p]) << "state " << p;
    c.cost[p] = before;
  }
}

TEST_P(CurvatureSensitivityModels, MatchFiniteDifferencesInRadiusShiftAndStart) {
  Case c = smoothCase(GetParam());
  const Sensitivities s = differentiate(c.problem, solve(c.problem), smoothTips, true);
  const auto masses = massesOf(c.problem, s, smoothTips);
  const auto with = [&](double& value) {
    return [&c, &value, before = value](double step) -> const Problem& {
      value = before + step;
      return c.problem;
    };
  };
  const double scale = std::abs(total(s.turningRadius)) + std::abs(total(s.curvatureShift));
  double& radius = c.problem.turningRadius.constant;
  const double xi = radius;
  EXPECT_NEAR(total(s.turningRadius), slope(masses, 1e-6, with(radius)), 0.01 * scale);
  radius = xi;
  double& shift = c.problem.curvatureShift.constant;
  const double phi = shift;
  EXPECT_NEAR(total(s.curvatureShift), slope(masses, 1e-6, with(shift)), 0.01 * scale);
  shift = phi;
  for (std::size_t k = 0; k < 2; ++k) {
    double& start = c.problem.seeds[k].startValue;
    const double value = start;
    EXPECT_NEAR(s.startValue[k], slope(masses, 1e-6, with(start)), 1e-4);
    start = value;
  }
  EXPECT_GT(s.startValue[0] + s.startValue[1], 1.69);
}

TEST_P(CurvatureSensitivityModels, MatchFiniteDifferencesInShiftWhereThereIsNone) {
  Case c = smoothCase(GetParam());
  double& shift = c.problem.curvatureShift.constant;
  shift = 0; // straight on, the terms that turn left and right begin: the mean of both slopes counts
  const Sensitivities s = differentiate(c.problem, solve(c.problem), smoothTips, true);
  const auto masses = massesOf(c.problem, s, smoothTips);
  const double measured = slope(masses, 1e-7, [&](double step) -> const Problem& {
    shift = step;
    return c.problem;
  });
  EXPECT_NEAR(total(s.curvatureShift), measured, 0.01 * (std::abs(measured) + total(s.cost)));
}

TEST_P(CurvatureSensitivityModels, MatchFiniteDifferencesWhereRadiusAndShiftVary) {
  Case c = smoothCase(GetParam());
  addVaryingRadius(c), addVaryingShift(c);
  for (float& value : c.shift) value = 0.31f + value / 3; // none is 0, where weights have a kink
  const Sensitivities s = differentiate(c.problem, solve(c.problem), smoothTips, true);
  const auto masses = massesOf(c.problem, s, smoothTips);
  ASSERT_EQ(masses.size(), 2u);
  const std::vector<float> radii = c.radius, shifts = c.shift;

  // All values at once, by different amounts.
  double expected = 0, scale = 0;
  const double step = 0x1p-15;
  const auto moved = [&](double by) -> const Problem& {
    for (std::size_t p = 0; p < radii.size(); ++p) c.radius[p] = float(radii[p] + by * std::cos(double(p)));
    for (std::size_t p = 0; p < shifts.size(); ++p) {
      c.shift[p] = float(shifts[p] + 5 * by * std::sin(double(p)));
      const std::size_t plane = p % radii.size();
      const double change = s.turningRadius[p] * (double(c.radius[plane]) - radii[plane]) +
                            s.curvatureShift[p] * (double(c.shift[p]) - shifts[p]);
      expected += change / (2 * by), scale += std::abs(change / (2 * by));
    }
    return c.problem;
  };
  const double measured = slope(masses, step, moved);
  EXPECT_NEAR(measured, expected, 0.01 * scale);
  EXPECT_GT(scale, 0.5);
}

TEST_P(CurvatureSensitivityModels, OfMirrorImagesAreMirrorImages) {
  Case c = square(GetParam(), 21, 16);
  c.problem.cost = {1, {}};
  const StateGrid& g = c.problem.grid;
  const Values<float> u = solve(c.problem);

  const Sensitivities left = differentiate(c.problem, u, {{{1.62, 1.41, 0.8, false}, 1}});
  const Sensitivities right = differentiate(c.problem, u, {{{1.62, 0.59, -0.8, false}, 1}});

  const double most = *std::max_element(left.cost.begin(), left.cost.end());
  double worst = 0;
  for (int k = 0; k < g.headings; ++k)
    for (std::int64_t j = 0; j < g.ny; ++j)
      for (std::int64_t i = 0; i < g.nx; ++i)
        worst =
            std::max(worst, std::abs(left.cost[g.index(i, j, k)] -
                                     right.cost[g.index(i, g.ny - 1 - j, (g.headings - k) % g.headings)]));
  EXPECT_GT(most, 0);
  EXPECT_LT(worst, 1e-3 * most);
}

TEST_P(CurvatureSensitivityModels, DoNotChangeWithTheUnitOfCost) {
  Case c = smoothCase(GetParam());
  for (Seed& seed : c.problem.seeds) seed.startValue = 0;
  const Sensitivities once = differentiate(c.problem, solve(c.problem), smoothTips);
  for (float& value : c.cost) value *= 8;
  const Sensitivities scaled = differentiate(c.problem, solve(c.problem), smoothTips);

  EXPECT_EQ(once.cost, scaled.cost);
  EXPECT_DOUBLE_EQ(8 * once.objective, scaled.objective);
}

TEST_P(CurvatureSensitivityModels, AreTheSameForAnyThreadCountAndOrderOfLanesAndTiles) {
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

  SensitivityTask task = makeSensitivityTask(c.problem, u, tips);
  Sensitivities reversed;
  execution::HostDevice<true> device{3};
  spreadOnDevice(device, c.problem, task, true, {}, reversed);
  EXPECT_EQ(one.cost, reversed.cost);
  EXPECT_EQ(one.turningRadius, reversed.turningRadius);
  EXPECT_EQ(one.curvatureShift, reversed.curvatureShift);
}

TEST_P(CurvatureSensitivityModels, OfManyTipsAreTheSumOfTheirs) {
  const Case c = makeCase(GetParam(), "WallsAndRoughCost");
  const Values<float> u = solve(c.problem);
  std::vector<WeightedTip> tips = scatteredTips(c.problem.grid);
  tips.push_back(tips[0]); // twice the same

  const Sensitivities together = differentiate(c.problem, u, tips);
  std::vector<double> sum(together.cost.size(), 0);
  double objective = 0;
  for (const WeightedTip& tip : tips) {
    const Sensitivities alone = differentiate(c.problem, u, {tip});
    for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += alone.cost[p];
    objective += alone.objective;
  }

  const double most = *std::max_element(sum.begin(), sum.end());
  for (std::size_t p = 0; p < sum.size(); ++p) ASSERT_NEAR(together.cost[p], sum[p], 1e-12 * most);
  EXPECT_NEAR(together.objective, objective, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(, CurvatureSensitivityModels, testing::ValuesIn(allModels),
                         [](const auto& info) { return nameOf(info.param); });

TEST(CurvatureSensitivityTips, AnyHeadingCountsWithTheCheapest) {
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

TEST(CurvatureSensitivityTips, ThatLieOutsideOrInWallsOrAreNotReachedCountForNothing) {
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
  const Case c = makeCase(Model::ReedsShepp, "SeveralSeeds"); // seed 3 is overrun

  const Sensitivities s = differentiate(c.problem, solve(c.problem), {{{1.1, 1, 0, false}, 1}});

  EXPECT_EQ(s.startValue[3], 0);
  EXPECT_NEAR(total(s.startValue), 1, 1e-12);
  EXPECT_GT(total(s.cost), 0);
}

TEST(CurvatureSensitivityRuns, ReportProgressAndStopWhenTold) {
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

TEST(CurvatureSensitivityBadInput, SaysWhatIsWrong) {
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
