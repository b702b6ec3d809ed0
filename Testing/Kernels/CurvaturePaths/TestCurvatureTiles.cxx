// Claims about the paper's tile solver, run by host teams with the same kernels as on CUDA.
#include "CurvatureCases.h"
#include "CurvatureHostTiles.h"
#include "Reference/CurvatureReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

Result solve(const Problem& problem, int threads = 1) {
  return solveOnHostTiles(problem, seedStarts(problem, placementsOf(problem)), threads);
}

/// Returns the relative differences of the reached states in ascending order. Fails if only one of the two is
/// reached.
std::vector<double> differences(const auto& values, const auto& expected, double earliest = 0) {
  std::vector<double> all;
  EXPECT_EQ(values.size(), expected.size());
  for (std::size_t p = 0; p < values.size(); ++p) {
    EXPECT_EQ(std::isinf(values[p]), std::isinf(expected[p])) << "state " << p;
    if (std::isinf(values[p])) continue;
    // Relative to the time of one grid step for smaller values.
    all.push_back(std::abs(values[p] - expected[p]) / std::max(0.02, expected[p] - earliest));
  }
  std::sort(all.begin(), all.end());
  return all;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / double(values.size());
}

class CurvatureTiles : public testing::TestWithParam<std::tuple<Model, std::string>> {
protected:
  Case c = makeCase(std::get<0>(GetParam()), std::get<1>(GetParam()), 25, 16);
  const Problem& problem = c.problem;
};

std::string nameOfCase(const testing::TestParamInfo<std::tuple<Model, std::string>>& info) {
  return nameOf(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
}

} // namespace

TEST_P(CurvatureTiles, AgreeWithHeapMarching) {
  const std::vector<double> expected = reference::march(problem);
  double earliest = std::numeric_limits<double>::infinity();
  for (const Seed& seed : problem.seeds) earliest = std::min(earliest, seed.startValue);

  const Result result = solve(problem);

  const std::vector<double> error = differences(result.travelTime, expected, earliest);
  // If radius or shift vary, a few states depend on a weight lost in single precision.
  const bool rounds = !c.radius.empty() || !c.shift.empty();
  EXPECT_LT(error[std::size_t((error.size() - 1) * (rounds ? 0.999 : 1.))], 1e-4);
  EXPECT_LT(mean(error), 1e-5);
  const std::size_t used = result.workBytes + 4 * result.travelTime.size(),
                    announced = tileBytes(problem, Discretisation(problem));
  EXPECT_LE(used, announced); // must fit on a device
  EXPECT_GE(used + (std::size_t(18) << 20), announced);
}

TEST_P(CurvatureTiles, GiveTheSameBitsForAnyThreadCount) {
  EXPECT_EQ(solve(problem, 3).travelTime, solve(problem).travelTime);
}

/// Rounds end when no tile is listed; no tile is relaxed once more to detect a change.
TEST_P(CurvatureTiles, StartedFromTheirOwnResultChangeNothing) {
  const Result result = solve(problem);
  std::vector<StartState> starts;
  for (std::size_t p = 0; p < result.travelTime.size(); ++p)
    if (!std::isinf(result.travelTime[p])) starts.push_back({std::int64_t(p), 0, result.travelTime[p]});

  const Result again = solveOnHostTiles(problem, starts, 1);

  // Start values are rounded if the earliest of them is not 0.
  EXPECT_LT(differences(again.travelTime, result.travelTime).back(), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Models, CurvatureTiles,
                         testing::Combine(testing::ValuesIn(allModels),
                                          testing::Values("OrientedCost", "WallsAndRoughCost", "SeveralSeeds",
                                                          "ConstantShift", "FewHeadings", "Everything")),
                         nameOfCase);

TEST(CurvatureTilesRuns, StopAtTipsGivesTheirFinalValues) {
  for (const Model model : allModels)
    for (const char* name : {"Constant", "Walls"}) {
      const Case c = makeCase(model, name);
      const StateGrid& g = c.problem.grid;
      const Placement withHeading = place(c.problem, {1.2, 1.1, 0.4, false}),
                      anyHeading = place(c.problem, {0.9, 1.25, 3, true});
      const Result full = solve(c.problem);

      const Result stopped = solveOnHostTiles(c.problem, seedStarts(c.problem, placementsOf(c.problem)), 1,
                                              {}, {withHeading, anyHeading});

      const auto earliest = [&](const Result& result) {
        float minimum = std::numeric_limits<float>::infinity();
        for (int k = 0; k < g.headings; ++k)
          minimum = std::min(minimum, result.travelTime[g.index(anyHeading.i, anyHeading.j, k)]);
        return minimum;
      };
      const std::int64_t state = g.index(withHeading.i, withHeading.j, withHeading.heading);
      const auto same = [](float a, float b) { return std::abs(a - b) <= 1e-6f * b; };
      EXPECT_TRUE(same(stopped.travelTime[state], full.travelTime[state])) << nameOf(model) << ' ' << name;
      EXPECT_TRUE(same(earliest(stopped), earliest(full))) << nameOf(model) << ' ' << name;
      EXPECT_LE(stopped.updatesPerPoint, full.updatesPerPoint);
    }
}

TEST(CurvatureTilesRuns, ATipNearTheSeedTakesAFractionOfTheWork) {
  const Case c = makeCase(Model::Dubins, "Constant");
  const State& seed = c.problem.seeds[0].state;
  const Placement near = place(c.problem, {seed.x + 2 * c.problem.grid.hx, seed.y, 0, true});
  const Result full = solve(c.problem);

  const Result stopped =
      solveOnHostTiles(c.problem, seedStarts(c.problem, placementsOf(c.problem)), 1, {}, {near});

  EXPECT_LT(stopped.updatesPerPoint, 0.5 * full.updatesPerPoint);
}

TEST(CurvatureTilesRuns, TerminateWithAnUnreachableTip) {
  const Case c = makeCase(Model::Dubins, "Walls");
  const Placement closedIn = place(c.problem, {30 * c.problem.grid.hx, 23 * c.problem.grid.hy, 0, true});

  const Result stopped =
      solveOnHostTiles(c.problem, seedStarts(c.problem, placementsOf(c.problem)), 1, {}, {closedIn});

  EXPECT_EQ(stopped.travelTime, solve(c.problem).travelTime);
}

TEST(CurvatureTilesRuns, StopOnRequest) {
  const Case c = makeCase(Model::Dubins, "Constant");
  int calls = 0;
  const Monitor monitor{[&](double share) {
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1);
    return ++calls < 3;
  }};

  const Result result =
      solveOnHostTiles(c.problem, seedStarts(c.problem, placementsOf(c.problem)), 1, monitor);

  EXPECT_TRUE(result.aborted);
  EXPECT_EQ(calls, 3);
  EXPECT_TRUE(result.travelTime.empty());
}

/// A heavy term that begins one rounding error below the start makes the first step short; the root is far
/// away.
TEST(CurvatureTilesRoot, OfLimitedDifferencesAgreesWithBisection) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(0, 1);
  int limitedOnes = 0;
  for (int n = 0; n < 2000; ++n) {
    std::array<float, 6> value, weight, limit;
    for (int t = 0; t < 6; ++t) {
      value[t] = float(5 + 8 * any(random) * any(random));
      weight[t] = float(std::exp(4 * any(random) - 5));
      limit[t] = n % 5 ? float(1.6 * (1 + any(random))) : 1e30f;
    }
    const float cost = float(0.3 + any(random)), start = n % 3 ? 40.f : infinity;
    const auto sum = [&](double lambda) {
      double f = 0;
      for (int t = 0; t < 6; ++t) {
        const double d = limited(std::max(0., lambda - value[t]), cost * double(limit[t]));
        f += weight[t] * d * d;
      }
      return f;
    };
    double low = 0, high = 1e5;
    for (int i = 0; i < 80; ++i)
      (sum((low + high) / 2) < double(cost) * cost ? low : high) = (low + high) / 2;

    const float lambda = limitedRoot<6>(
        cost, start, std::accumulate(weight.begin(), weight.end(), 0.f), [&](auto t) { return value[t]; },
        [&](auto t) { return weight[t]; }, [&](auto t) { return 1 / std::sqrt(weight[t]); },
        [&](auto t) { return cost * limit[t]; });

    EXPECT_NEAR(lambda, std::min(double(start), low), 2e-4 + 2e-5 * low) << n;
    for (int t = 0; t < 6; ++t) limitedOnes += low - value[t] > cost * limit[t];
  }
  EXPECT_GT(limitedOnes, 300);
}

TEST(CurvatureTileMemory, PlanesBeyondTheIndexRangeExceedAnyMemory) {
  Problem problem;
  problem.grid.nx = problem.grid.ny = 70000; // over 2^32 points
  problem.grid.headings = 4;

  EXPECT_EQ(tileBytes(problem, Discretisation(problem)), std::numeric_limits<std::size_t>::max());
}

/// Weights over ten powers of ten. Half of the starts lie a few rounding errors above a value, possibly of a
/// heavy term.
TEST(CurvatureTilesRoot, AgreesWithBisectionForTermsOfAnyWeight) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> any(0, 1);
  int lowered = 0, started = 0;
  for (int n = 0; n < 20000; ++n) {
    std::array<float, 8> value, weight;
    for (int t = 0; t < 8; ++t) {
      value[t] = float(5 + 8 * any(random) * any(random));
      weight[t] = float(std::pow(10, 10 * any(random) - 4));
    }
    const float cost = float(0.3 + any(random)),
                start = n % 2 ? infinity : float(value[n / 2 % 8] * (1 + 1e-6 * any(random)));
    const auto sum = [&](double lambda) {
      double f = 0;
      for (int t = 0; t < 8; ++t) f += weight[t] * std::pow(std::max(0., lambda - value[t]), 2);
      return f;
    };
    double low = 0, high = 1e5;
    for (int i = 0; i < 80; ++i)
      (sum((low + high) / 2) < double(cost) * cost ? low : high) = (low + high) / 2;
    lowered += low<0.999 * start, started += low> start;

    const float lambda = root<8>(
        cost, start, std::accumulate(weight.begin(), weight.end(), 0.f), [&](auto t) { return value[t]; },
        [&](auto t) { return weight[t]; }, [&](auto t) { return 1 / std::sqrt(weight[t]); });

    const double fall = low - *std::min_element(value.begin(), value.end());
    ASSERT_NEAR(lambda, std::min(double(start), low), 5e-7 * low + 1e-6 * fall) << n;
  }
  EXPECT_GT(lowered, 12000);
  EXPECT_GT(started, 2000);
}

/// A heavy term that begins a few rounding errors below the start makes the first step shorter than the
/// rounding error.
TEST(CurvatureTilesRoot, IsFoundAfterAStepBelowTheRoundingError) {
  const float start = 7.5247f;
  for (const float heavy : {3e10f, 1e11f, 3e11f}) {
    float below = start;
    for (int roundings = 1; roundings < 12; ++roundings) {
      below = std::nextafter(below, 0.f);
      const float value[3] = {below, 6.5f, 6.5f}, weight[3] = {heavy, 0.5f, 0.5f};

      const float lambda = root<3>(
          1, start, heavy + 1, [&](auto t) { return value[t]; }, [&](auto t) { return weight[t]; },
          [&](auto t) { return 1 / std::sqrt(weight[t]); });

      EXPECT_NEAR(lambda, 7.5, 1e-5) << heavy << ", " << roundings;
    }
  }
}

TEST(CurvatureTilesRoot, IsFoundBehindAHeavyTerm) {
  const float start = 7.7f, value[3] = {std::nextafter(start, 0.f), 6.5f, 6.5f},
              weight[3] = {1e13f, 0.5f, 0.5f};

  const float lambda = root<3>(
      1, start, 2e13f, [&](auto t) { return value[t]; }, [&](auto t) { return weight[t]; },
      [&](auto t) { return 1 / std::sqrt(weight[t]); });

  EXPECT_NEAR(lambda, 7.5, 1e-5);
}
