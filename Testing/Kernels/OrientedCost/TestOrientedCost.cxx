// Claims about oriented costs of any picture: headings of tubes, crossings, symmetries, units.
#include "Noise.h"
#include "OrientedCost/Filters.h"
#include "OrientedCostCases.h"
#include "Reference/OrientedCostReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

using namespace isochrone;
using namespace isochrone::oriented;

namespace {

Result costOf(const Problem& p) { return makeOrientedCost(p, 2, {}); }

/// Returns random blobs without any symmetry.
Picture clouds(std::int64_t nx, std::int64_t ny) {
  return picture(nx, ny, [](double x, double y) {
    double sum = 0;
    for (int b = 0; b < 40; ++b) {
      const double dx = x - 50 * (noise(3 * b) - 0.5), dy = y - 50 * (noise(3 * b + 1) - 0.5);
      sum += (noise(3 * b + 2) - 0.4) * std::exp(-(dx * dx + dy * dy) / 12);
    }
    return sum;
  });
}

/// Expects the costs of `turned` at the points and headings to which `place` maps those of `p`.
template <class Place>
void expectSameCosts(const Problem& p, const Result& a, const Problem& turned, const Result& b,
                     Place&& place) {
  for (int k = 0; k < p.headings; ++k)
    for (std::int64_t j = 0; j < p.ny; ++j)
      for (std::int64_t i = 0; i < p.nx; ++i) {
        const auto [i2, j2, k2] = place(i, j, k);
        ASSERT_NEAR(a.cost[i + p.nx * (j + p.ny * k)], b.cost[i2 + turned.nx * (j2 + turned.ny * k2)], 2e-5)
            << i << ' ' << j << ' ' << k;
      }
}

struct At {
  std::int64_t i, j;
  int k;
};

} // namespace

TEST(OrientedCost, TheHeadingOfMinimumCostIsWithinHalfABinOfTheTube) {
  for (const int headings : {15, 60})
    for (const double deviation : {1.0, 2.5})
      for (int n = 0; n < 12; ++n)
        for (const double angle : {degrees(15 * n), degrees(15 * n + 2.7), degrees(15 * n + 7.3)}) {
          Picture c = picture(41, 41, [&](double x, double y) { return bar(x, y, angle, deviation); });
          c.problem.headings = headings;
          const Result result = costOf(c.problem);
          const double step = 2 * std::numbers::pi / headings;
          EXPECT_LE(between(result.heading[20 + 41 * 20], angle), step / 2 + 1e-6)
              << angle << ' ' << headings;
          const std::vector<double> costs = costsAtCentre(c.problem, result);
          EXPECT_EQ(result.minCost[20 + 41 * 20], *std::min_element(costs.begin(), costs.end()));
          EXPECT_EQ(result.minCost[20 + 41 * 20], costs[std::lround(result.heading[20 + 41 * 20] / step)]);
        }
}

TEST(OrientedCost, ACrossingHasTwoMinimaAtTheHeadingsOfItsTubes) {
  for (const double first : {0.0, 0.4, 1.15})
    for (const double angle : {degrees(60), degrees(75), degrees(90)}) {
      Picture c = picture(81, 81, [&](double x, double y) {
        return std::max(bar(x, y, first, 1.2), bar(x, y, first + angle, 1.2));
      });
      c.problem.length = 10;
      const std::vector<double> costs = costsAtCentre(c.problem, costOf(c.problem));
      const double step = 2 * std::numbers::pi / 60;
      std::vector<double> minima;
      for (int k = 0; k < 30; ++k)
        if (costs[k] < costs[(k + 29) % 30] && costs[k] < costs[(k + 1) % 30]) minima.push_back(k * step);
      ASSERT_EQ(minima.size(), 2u) << first << ' ' << angle;
      const bool swapped = between(minima[0], first) > between(minima[1], first);
      EXPECT_LE(between(minima[swapped], first), step / 2 + 1e-6);
      EXPECT_LE(between(minima[!swapped], first + angle), step / 2 + 1e-6);
    }
}

TEST(OrientedCost, AQuarterTurnOfThePictureTurnsTheCost) {
  const Picture c = clouds(40, 33);
  Picture turned = picture(33, 40, [](double, double) { return 0; });
  for (std::int64_t j = 0; j < 33; ++j)
    for (std::int64_t i = 0; i < 40; ++i) turned.intensity[(32 - j) + 33 * i] = c.intensity[i + 40 * j];
  expectSameCosts(c.problem, costOf(c.problem), turned.problem, costOf(turned.problem),
                  [](std::int64_t i, std::int64_t j, int k) {
                    return At{32 - j, i, (k + 15) % 60};
                  });
}

TEST(OrientedCost, AMirrorOfThePictureMirrorsTheCost) {
  const Picture c = clouds(40, 33);
  Picture mirrored = picture(40, 33, [](double, double) { return 0; });
  for (std::int64_t j = 0; j < 33; ++j)
    for (std::int64_t i = 0; i < 40; ++i) mirrored.intensity[i + 40 * (32 - j)] = c.intensity[i + 40 * j];
  expectSameCosts(c.problem, costOf(c.problem), mirrored.problem, costOf(mirrored.problem),
                  [](std::int64_t i, std::int64_t j, int k) {
                    return At{i, 32 - j, (60 - k) % 60};
                  });
}

TEST(OrientedCost, OppositeHeadingsHaveTheSameCost) {
  const Picture c = clouds(30, 30);
  const Result result = costOf(c.problem);
  for (std::int64_t i = 0; i < 30 * 900; ++i) ASSERT_EQ(result.cost[i], result.cost[i + 30 * 900]);
}

TEST(OrientedCost, ADarkTubeEqualsABrightOneInTheNegative) {
  const Picture c = clouds(37, 41);
  Picture negative = clouds(37, 41);
  for (float& v : negative.intensity) v = -v;
  negative.problem.polarity = Polarity::Dark;
  EXPECT_EQ(costOf(c.problem).cost, costOf(negative.problem).cost);
}

TEST(OrientedCost, ScaleAndOffsetOfTheIntensityHaveNoEffect) {
  const Picture c = clouds(37, 41);
  const Result plain = costOf(c.problem);
  for (const auto& [factor, summand] :
       {std::pair{1024.0, 0.0}, {3.7e12, 1e12}, {1e-20, -2e-20}, {0.7, 5.0}}) {
    Picture other = clouds(37, 41);
    for (float& v : other.intensity) v = float(factor * v + summand);
    const Result result = costOf(other.problem);
    EXPECT_NEAR(result.typicalStrength / factor, plain.typicalStrength, 1e-5 * plain.typicalStrength);
    for (std::size_t i = 0; i < plain.cost.size(); ++i)
      ASSERT_NEAR(result.cost[i], plain.cost[i], 1e-3 * plain.cost[i]) << factor;
  }
}

TEST(OrientedCost, TheUnitOfLengthHasNoEffect) {
  const Picture c = clouds(37, 41);
  Picture other = clouds(37, 41);
  other.problem.hx = other.problem.hy = 0.25;
  for (double& w : other.problem.widths) w *= 0.25;
  other.problem.length *= 0.25;
  EXPECT_EQ(costOf(c.problem).cost, costOf(other.problem).cost);
}

/// Widths are multiples of the spacing, so the reach of a filter is an integer up to rounding.
TEST(OrientedCost, UnitsOtherThanPowersOfTwoHaveNoEffect) {
  const auto inUnit = [](double unit, bool masked) {
    Picture c = clouds(23, 27);
    c.problem.hx = 0.7 * unit, c.problem.hy = 1.3 * unit;
    for (double& w : c.problem.widths) w *= c.problem.hy;
    c.problem.length *= c.problem.hy;
    for (std::size_t p = 0; masked && p < c.intensity.size(); ++p) c.outside.push_back(p % 23 < 5 || p < 100);
    c.problem.outside = c.outside;
    return c;
  };
  for (const bool masked : {false, true}) {
    const Result one = costOf(inUnit(1, masked).problem);
    for (const double unit : {3.0, 0.3, 7.0, 0.1, 1e-3, 1e5}) {
      const Result other = costOf(inUnit(unit, masked).problem);
      for (std::size_t i = 0; i < one.cost.size(); ++i)
        ASSERT_NEAR(other.cost[i], one.cost[i], 1e-5) << unit << (masked ? ", masked" : "");
    }
  }
}

TEST(OrientedCost, UnitsBeyondSinglePrecisionHaveNoEffect) {
  const Picture c = clouds(37, 41);
  for (const int exponent : {-1000, -200, 200, 1000}) {
    Picture other = clouds(37, 41);
    other.problem.hx = other.problem.hy = std::ldexp(1, exponent);
    for (double& w : other.problem.widths) w = std::ldexp(w, exponent);
    other.problem.length = std::ldexp(other.problem.length, exponent);
    EXPECT_EQ(costOf(c.problem).cost, costOf(other.problem).cost) << exponent;
  }
}

TEST(OrientedCost, AStraightTubeHasItsClosedForm) {
  for (const double deviation : {1.5, 3.0})
    for (const double width : {1.5, 2.5, 4.0}) {
      Picture c = picture(61, 61, [&](double x, double y) { return bar(x, y, 0, deviation); });
      c.problem.widths = {width};
      const Result result = costOf(c.problem);
      // Minus width^2 times the second derivative of the convolution of two Gaussians at its centre.
      const double variance = deviation * deviation + width * width;
      const double expected = width * width * deviation / std::pow(variance, 1.5);
      EXPECT_NEAR(strengthOf(c.problem, result, costsAtCentre(c.problem, result)[0]), expected,
                  0.01 * expected);
    }
}

TEST(OrientedCost, TheStrengthOfATubeDoesNotDependOnItsHeading) {
  std::vector<double> strengths;
  for (int k = 0; k < 30; ++k) {
    Picture c = picture(61, 61, [&](double x, double y) { return bar(x, y, degrees(6 * k), 1.5); });
    c.problem.widths = {1.5};
    const Result result = costOf(c.problem);
    strengths.push_back(strengthOf(c.problem, result, costsAtCentre(c.problem, result)[k]));
  }
  const auto [minimum, maximum] = std::minmax_element(strengths.begin(), strengths.end());
  EXPECT_LE(*maximum - *minimum, 0.015 * *maximum);
}

TEST(OrientedCost, TheMatchingWidthHasTheMaximumResponse) {
  for (const double deviation : {1.5, 2.5, 4.0}) {
    std::vector<double> strengths;
    for (const double factor : {0.7, 1.0, 1.414, 2.0, 2.8}) {
      Picture c = picture(91, 91, [&](double x, double y) { return bar(x, y, 0, deviation); });
      c.problem.widths = {factor * deviation};
      const Result result = costOf(c.problem);
      strengths.push_back(strengthOf(c.problem, result, costsAtCentre(c.problem, result)[0]));
    }
    EXPECT_EQ(std::max_element(strengths.begin(), strengths.end()) - strengths.begin(), 2) << deviation;
  }
}

TEST(OrientedCost, SeveralWidthsFindThinAndThickTubes) {
  Picture c =
      picture(121, 91, [](double x, double y) { return bar(x, y - 20, 0, 1) + bar(x, y + 20, 0, 5); });
  const auto minCosts = [&](std::vector<double> widths) {
    c.problem.widths = widths;
    const Result result = costOf(c.problem);
    return std::pair{strengthOf(c.problem, result, costsAt(c.problem, result, 60, 65)[0]),
                     strengthOf(c.problem, result, costsAt(c.problem, result, 60, 25)[0])};
  };
  const auto [thinByThin, thickByThin] = minCosts({1.4});
  const auto [thinByThick, thickByThick] = minCosts({7});
  const auto [thin, thick] = minCosts({1.4, 7});
  EXPECT_GT(thinByThin, 2 * thickByThin);
  EXPECT_GT(thickByThick, 2 * thinByThick);
  EXPECT_NEAR(thin, thinByThin, 1e-5);
  EXPECT_NEAR(thick, thickByThick, 1e-5);
}

TEST(OrientedCost, SpacingsMayDiffer) {
  // The same picture with twice the sampling density along one axis.
  const auto world = [](double x, double y) { return bar(x, y, 0.5, 2) + 0.5 * bar(x - 8, y, 2.1, 1.6); };
  const Picture square = picture(41, 41, world), dense = picture(41, 81, world, 1, 0.5);
  const Result a = costOf(square.problem), b = costOf(dense.problem);
  EXPECT_NEAR(a.typicalStrength, b.typicalStrength, 0.03 * a.typicalStrength);
  for (const auto& [i, j] : {std::pair{20, 20}, {28, 20}, {14, 17}, {25, 22}})
    for (int k = 0; k < 60; ++k)
      EXPECT_NEAR(strengthOf(square.problem, a, costsAt(square.problem, a, i, j)[k]),
                  strengthOf(dense.problem, b, costsAt(dense.problem, b, i, 2 * j)[k]), 0.01)
          << i << ' ' << j << ' ' << k;
}

TEST(OrientedCost, EqualsTheSumOverAllPointsAround) {
  for (const auto& [hx, hy] : {std::pair{1.0, 1.0}, {1.0, 0.6}}) {
    Picture c = clouds(23, 31);
    c.problem.hx = hx, c.problem.hy = hy, c.problem.headings = 15;
    c.problem.widths = {1.5, 3}, c.problem.length = 4;
    const Result result = costOf(c.problem);
    double worst = 0, maximum = 0;
    for (int n = 0; n < 60; ++n) {
      const std::int64_t i = std::int64_t(23 * noise(2 * n)), j = std::int64_t(31 * noise(2 * n + 1));
      const double expected = reference::tubeStrength(c.problem, i, j, n % 15);
      const double found = strengthOf(c.problem, result, costsAt(c.problem, result, i, j)[n % 15]);
      worst = std::max(worst, std::abs(found - expected)), maximum = std::max(maximum, expected);
    }
    EXPECT_LE(worst, 0.015 * maximum) << hx << ' ' << hy;
  }
}

/// The image reflected at both borders is the same whether or not it is stored.
TEST(OrientedCost, FiltersWiderThanTheImageReadItsReflections) {
  const std::int64_t nx = 7, ny = 5, copies = 40;
  const auto value = [&](std::int64_t i, std::int64_t j) {
    return double((i * 5 + j * 3) % 7) + 3. * (i == j);
  };
  const auto mirrored = [](std::int64_t i, std::int64_t n) { return i / n % 2 ? n - 1 - i % n : i % n; };
  const auto problem = [&](std::int64_t times) {
    Picture p = picture(
        nx * times, ny * times, [](double, double) { return 0; }, 1, 0.5);
    for (std::int64_t j = 0; j < ny * times; ++j)
      for (std::int64_t i = 0; i < nx * times; ++i)
        p.intensity[std::size_t(i + nx * times * j)] = float(value(mirrored(i, nx), mirrored(j, ny)));
    p.problem.widths = {1.2, 7};
    p.problem.length = 9;
    p.problem.headings = 12;
    return p;
  };
  const Picture one = problem(1), many = problem(copies);

  const Result folded = makeOrientedCost(one.problem, 1, {}), stored = makeOrientedCost(many.problem, 1, {});

  double minimum = 1, largest = 0;
  for (int k = 0; k < 12; ++k)
    for (std::int64_t j = 0; j < ny; ++j)
      for (std::int64_t i = 0; i < nx; ++i) {
        const float cost = folded.cost[std::size_t(i + nx * (j + ny * k))];
        EXPECT_NEAR(cost, stored.cost[std::size_t(i + nx * copies * (j + ny * copies * k))], 1e-4);
        minimum = std::min<double>(minimum, cost), largest = std::max<double>(largest, cost);
      }
  EXPECT_LT(minimum, 0.5 * largest);
}

TEST(OrientedCost, TheReachOfFiltersIsLimitedByTheImage) {
  const Gaussian wide = gaussian(1000, 1, 7);
  const auto taps = folded(lineTaps(grid::headingDirection(1, 12), 1, 1, 1000, 3000), 7, 5);

  EXPECT_EQ(wide.reach, 7);
  EXPECT_EQ(wide.derivative[0].size(), 15u);
  EXPECT_NEAR(std::accumulate(wide.derivative[0].begin(), wide.derivative[0].end(), 0.), 1, 1e-6);
  double sum = 0;
  for (const LineTap& tap : taps) {
    EXPECT_LE(std::abs(tap.i), 7);
    EXPECT_LE(std::abs(tap.j), 5);
    sum += tap.weight;
  }
  EXPECT_LE(taps.size(), 15u * 11);
  EXPECT_NEAR(sum, 1, 1e-6);
}
