// Claims about runs and refusals: pictures without tubes, points outside the mask, threads, progress, bad
// input.
#include "Error.h"
#include "InstructionSets.h"
#include "Noise.h"
#include "OrientedCostCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

using namespace isochrone;
using namespace isochrone::oriented;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

Result costOf(const Problem& p, int threads = 2) { return makeOrientedCost(p, threads, {}); }

Picture noisy(std::int64_t nx, std::int64_t ny) {
  return picture(nx, ny, [n = 0](double, double) mutable { return noise(n++); });
}

/// Returns a bright disc with a dark tube through it, on a black background.
Picture disc(double ground) {
  Picture c = picture(101, 101, [=](double x, double y) {
    return std::hypot(x, y) > 45 ? ground : 100 - 20 * bar(x, y, 0.7, 1.5);
  });
  c.problem.polarity = Polarity::Dark;
  return c;
}

void markOutside(Picture& c) {
  for (std::int64_t j = 0; j < 101; ++j)
    for (std::int64_t i = 0; i < 101; ++i) c.outside.push_back(std::hypot(i - 50., j - 50.) > 45);
  c.problem.outside = c.outside;
}

/// Expects the problem to throw an Error with all of `words` in its message.
void expectRefused(const Problem& p, const std::vector<std::string>& words) {
  try {
    costOf(p);
    ADD_FAILURE() << "was solved; expected an error about " << words.at(0);
  } catch (const Error& error) {
    for (const std::string& word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in: " << error.what();
  }
}

} // namespace

TEST(OrientedCostRuns, WithoutATubeAllCostsAreTheCeiling) {
  for (const double value : {0.0, 1.0, -3e7, 1e30}) {
    const Picture c = picture(20, 14, [=](double, double) { return value; });
    const Result result = costOf(c.problem);
    EXPECT_EQ(std::ranges::count(result.cost, 1.f), 20 * 14 * 60);
    EXPECT_EQ(std::ranges::count(result.minCost, 1.f), 20 * 14);
  }
}

TEST(OrientedCostRuns, ARampHasNoTube) {
  const Picture c = picture(80, 80, [](double x, double y) { return 100 + x + 0.3 * y; });
  const Result result = costOf(c.problem);
  for (int k = 0; k < 60; ++k) // beyond the reach of the reflections at the borders
    EXPECT_GE(costsAtCentre(c.problem, result)[k], 0.99) << k;
}

TEST(OrientedCostRuns, CostsLieBetweenFloorAndCeiling) {
  Picture c = noisy(50, 40);
  c.problem.floor = 0.3, c.problem.ceiling = 4, c.problem.halfStrength = 0.05;
  const Result result = costOf(c.problem);
  const auto [minimum, maximum] = std::ranges::minmax(result.cost);
  EXPECT_GE(minimum, 0.3f);
  EXPECT_LT(minimum, 0.31f);
  EXPECT_LE(maximum, 4.f);
  EXPECT_GT(maximum, 3.9f);
  c.problem.floor = 4;
  EXPECT_EQ(std::ranges::count(costOf(c.problem).cost, 4.f), 50 * 40 * 60);
}

TEST(OrientedCostRuns, AGreaterExponentMakesAGreaterContrast) {
  Picture c = noisy(40, 40);
  std::vector<float> before;
  for (const double exponent : {0.5, 1.0, 2.0, 4.0}) {
    c.problem.exponent = exponent, c.problem.halfStrength = 0.5;
    const Result result = costOf(c.problem);
    const float half = float(c.problem.floor + (c.problem.ceiling - c.problem.floor) / 2);
    for (std::size_t i = 0; i < before.size(); ++i)
      ASSERT_GE(std::abs(result.cost[i] - half), std::abs(before[i] - half) - 1e-6f);
    before.assign(result.cost.begin(), result.cost.end());
  }
}

TEST(OrientedCostRuns, TheBorderOfTheMaskHasNoTube) {
  Picture c = disc(0);
  const Result blind = costOf(c.problem);
  markOutside(c);
  const Result result = costOf(c.problem);
  for (std::int64_t j = 0; j < 101; ++j)
    for (std::int64_t i = 0; i < 101; ++i) {
      const double x = i - 50., y = j - 50., across = std::abs(y * std::cos(0.7) - x * std::sin(0.7));
      const float cost = result.minCost[i + 101 * j];
      if (std::hypot(x, y) > 45)
        ASSERT_EQ(cost, 1.f) << i << ' ' << j;
      else if (across < 1)
        ASSERT_LT(cost, 0.1f) << i << ' ' << j;
      else if (across > 20)
        ASSERT_GT(cost, 0.8f) << i << ' ' << j;
    }
  EXPECT_LT(*std::min_element(blind.minCost.begin(), blind.minCost.begin() + 101 * 20), 0.1f)
      << "the border must be seen as a tube where nothing is said about it";
}

TEST(OrientedCostRuns, ValuesOutsideTheMaskHaveNoEffect) {
  Picture black = disc(0), wild = disc(1e9), none = disc(notANumber), mixed = disc(infinity);
  markOutside(black), markOutside(wild), markOutside(mixed);
  const Result expected = costOf(black.problem);
  for (const Picture* c : {&wild, &none, &mixed}) EXPECT_EQ(costOf(c->problem).cost, expected.cost);
}

TEST(OrientedCostRuns, RowsColumnsAndSinglePointsHaveCosts) {
  for (const auto& [nx, ny] : {std::pair{1, 1}, {1, 40}, {40, 1}, {2, 3}, {17, 1}}) {
    Picture c = noisy(nx, ny);
    for (const int headings : {4, 5, 60}) {
      c.problem.headings = headings;
      const Result result = costOf(c.problem);
      ASSERT_EQ(std::int64_t(result.cost.size()), nx * ny * headings);
      for (const float cost : result.cost) ASSERT_TRUE(cost >= 0.02f && cost <= 1.f) << nx << ' ' << ny;
    }
  }
}

TEST(OrientedCostRuns, SameResultForAnyThreadCountAndInstructionSet) {
  Picture c = noisy(83, 71);
  c.outside.assign(83 * 71, 0);
  for (int i = 0; i < 500; ++i) c.outside[i] = 1;
  c.problem.outside = c.outside;
  const Result one = costOf(c.problem, 1);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(costOf(c.problem, threads).cost, one.cost) << threads;
  onEachInstructionSet([&](const char* isa) { EXPECT_EQ(costOf(c.problem).cost, one.cost) << isa; });
}

TEST(OrientedCostRuns, ReportsProgressAndStopsOnRequest) {
  const Picture c = noisy(200, 150);
  std::vector<double> shares;
  const Monitor watch{[&](double share) { return shares.push_back(share), true; }};
  const Result whole = makeOrientedCost(c.problem, 2, watch);
  EXPECT_TRUE(std::ranges::is_sorted(shares));
  EXPECT_GT(shares.size(), 20u);
  EXPECT_DOUBLE_EQ(shares.back(), 1);
  for (const double last : {0.0, 0.05, 0.5, 0.95}) {
    const Result result = makeOrientedCost(c.problem, 2, {[=](double share) { return share < last; }});
    EXPECT_TRUE(result.aborted);
    EXPECT_TRUE(result.cost.empty() && result.minCost.empty() && result.heading.empty());
  }
  EXPECT_FALSE(whole.aborted);
}

TEST(OrientedCostRuns, RefusesInvalidGrids) {
  Picture c = noisy(8, 8);
  c.problem.nx = 0;
  expectRefused(c.problem, {"at least one point", "0 x 8"});
  c.problem.nx = 9;
  expectRefused(c.problem, {"64 values", "72 points"});
  c.problem.nx = 8;
  c.outside.assign(7, 0), c.problem.outside = c.outside;
  expectRefused(c.problem, {"mask has 7 values", "64 points"});
  c.problem.outside = {};
  for (const double h : {0.0, -1.0, double(infinity), double(notANumber)}) {
    c.problem.hy = h;
    expectRefused(c.problem, {"spacing", "positive"});
  }
  for (const double h : {1e-305, 1e305}) { // the limits of the widths would underflow or overflow
    c.problem.hy = h;
    expectRefused(c.problem, {"spacing", "from 1e-303 to 1e+303", "use another unit of length"});
  }
  c.problem.hy = 1, c.problem.headings = 3;
  expectRefused(c.problem, {"headings", "at least 4", "got 3"});
}

TEST(OrientedCostRuns, RefusesFiltersBeyondTheLimitOfTheGrid) {
  Picture c = noisy(8, 8);
  for (const double width : {0.0, -1.0, 0.49, 1e5, double(notANumber)}) {
    c.problem.widths = {2, width};
    expectRefused(c.problem, {"width", "from 0.5 to 10000"});
  }
  c.problem.widths = {};
  expectRefused(c.problem, {"no width"});
  c.problem.widths = {2};
  for (const double length : {-1.0, 1e5, double(notANumber)}) {
    c.problem.length = length;
    expectRefused(c.problem, {"length", "10000"});
  }
}

TEST(OrientedCostRuns, AcceptsFiltersMuchWiderThanTheImage) {
  Picture c = noisy(8, 8);
  c.problem.widths = {9000}, c.problem.length = 9000;

  const Result result = makeOrientedCost(c.problem, 1, {});

  for (const float cost : result.cost) EXPECT_NEAR(cost, c.problem.ceiling, 1e-3);
}

TEST(OrientedCostRuns, RefusesInvalidCosts) {
  const auto refuse = [](double Problem::*member, std::initializer_list<double> values, const char* word) {
    for (const double value : values) {
      Picture c = noisy(8, 8);
      c.problem.*member = value;
      expectRefused(c.problem, {word});
    }
  };
  refuse(&Problem::halfStrength, {0, -1, notANumber, infinity}, "half strength");
  refuse(&Problem::exponent, {0, -1, notANumber, infinity}, "contrast exponent");
  refuse(&Problem::floor, {0, -1, 2, 9e-31, 1e-300, notANumber}, "cost floor");
  refuse(&Problem::ceiling, {0, 0.01, notANumber, infinity}, "cost ceiling");
}

TEST(OrientedCostRuns, RefusesPicturesEntirelyOutsideTheMask) {
  Picture c = noisy(8, 8);
  c.outside.assign(64, 1), c.problem.outside = c.outside;
  expectRefused(c.problem, {"no point", "mask", "intensity"});
  const Picture none = picture(8, 8, [](double, double) { return notANumber; });
  expectRefused(none.problem, {"no point"});
}
TEST(OrientedCostRuns, LengthsOfTheLargestAndSmallestUnitsGiveTheSameCosts) {
  const auto costsIn = [](int exponent) {
    Picture c = picture(
        31, 27, [](double x, double y) { return bar(x, y, 0.4, 2); }, 1, 0.75);
    for (double* length : {&c.problem.hx, &c.problem.hy, &c.problem.length})
      *length = std::ldexp(*length, exponent);
    for (double& width : c.problem.widths) width = std::ldexp(width, exponent);
    return makeOrientedCost(c.problem, 1, {}).cost;
  };
  const Values<float> usual = costsIn(0);
  for (const int exponent : {-1000, -100, -70, 70, 100, 1000})
    EXPECT_EQ(costsIn(exponent), usual) << exponent;
}

TEST(OrientedCostRuns, TheSmallestAndLargestHalfStrengthGiveFloorAndCeiling) {
  Picture c = picture(31, 31, [](double x, double y) { return bar(x, y, 0.4, 2); });
  for (const double half : {1e-30, 1e30}) {
    c.problem.halfStrength = half;
    const Result result = makeOrientedCost(c.problem, 1, {});
    for (const float cost : result.cost) {
      ASSERT_GE(cost, float(c.problem.floor)) << half;
      ASSERT_LE(cost, float(c.problem.ceiling)) << half;
    }
    EXPECT_EQ(result.minCost[15 + 31 * 15], float(half < 1 ? c.problem.floor : c.problem.ceiling)) << half;
  }
}
