// Claims about the discrete adjoint: exact identities, finite differences of an independent solver in double,
// an independent adjoint.
#include "CurvatureSensitivityCases.h"
#include "Reference/CurvatureReference.h"
#include "Reference/SensitivityReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

/// Returns state and weight of the tips that contribute.
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

/// Returns the central difference of the objective; `change` perturbs the problem by -step and +step.
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

TEST_P(CurvatureSensitivity, AgreesWithAnExactSolutionAndItsAdjoint) {
  const std::vector<WeightedTip> tips = scatteredTips(grid);

  const Sensitivities s = differentiate(problem, solve(problem), tips);

  const std::vector<double> u = reference::march(problem); // double, without shared code
  const auto masses = reached(massesOf(problem, s, tips), u);
  ASSERT_GE(masses.size(), 3u);
  const reference::Adjoint exact = reference::adjoint(problem, u, masses);
  // Cost times its derivative plus start times mass equals the objective of the exact solution.
  const double expected = objective(u, masses);
  double sum = 0, scale = 0, weight = 0, difference = 0, size = 0;
  for (std::int64_t p = 0; p < grid.points(); ++p) {
    sum += reference::valueAt(problem, problem.cost, p) * s.cost[p];
    difference += std::abs(s.cost[p] - exact.cost[p]);
    size += std::abs(exact.cost[p]);
  }
  for (std::size_t k = 0; k < problem.seeds.size(); ++k) sum += problem.seeds[k].startValue * s.startValue[k];
  for (const auto& [state, m] : masses) scale += std::abs(m * u[state]), weight += m;
  EXPECT_NEAR(sum, expected, 1e-7 * scale);
  EXPECT_NEAR(s.objective, expected, 1e-7 * scale);
  EXPECT_NEAR(total(s.startValue), weight, 1e-12);
  EXPECT_EQ(s.lostWeight, 0);
  // Straight ahead the two schemes of Dubins tie. The adjoint takes half of each, the reference one of them.
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

class CurvatureSensitivityModels : public testing::TestWithParam<Model> {};

} // namespace

TEST_P(CurvatureSensitivityModels, MatchFiniteDifferencesInSingleCosts) {
  Case c = smoothCase(GetParam());
  const Sensitivities s = differentiate(c.problem, solve(c.problem), smoothTips);
  const auto masses = massesOf(c.problem, s, smoothTips);
  ASSERT_EQ(masses.size(), 2u);

  std::vector<std::int64_t> order(s.cost.size()); // from the maximum derivative down to a thousandth of it
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

TEST_P(CurvatureSensitivityModels, MatchFiniteDifferencesInShiftAtZero) {
  Case c = smoothCase(GetParam());
  double& shift = c.problem.curvatureShift.constant;
  shift = 0; // at zero the terms for left and right turns set in: the derivative is the mean of both slopes
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

INSTANTIATE_TEST_SUITE_P(, CurvatureSensitivityModels, testing::ValuesIn(allModels),
                         [](const auto& info) { return nameOf(info.param); });
