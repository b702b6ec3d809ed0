// Claims about the accuracy of travel times.
#include "RayTracingChecks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace isochrone;
using namespace isochrone::rays;

namespace {

/// Relative errors in per cent of points later than a tenth of the latest time.
struct Errors {
  double mean, maximum, minimum;
};

/// Returns the errors in a velocity that grows linearly from the top to the bottom, from 0.5 to 4 over 16,
/// with the source in the corner.
Errors errorsInGradient(const Grid& grid, const Options& options) {
  const double depth = 16, slope = 3.5 / depth;
  const double down = grid.nz > 1 ? grid.hz : grid.hy;
  const auto velocity = [&](std::int64_t j, std::int64_t k) {
    return 0.5 + slope * down * double(grid.nz > 1 ? k : j);
  };
  const Case c = makeCase(
      {"gradient", grid, [&](auto, auto j, auto k) { return 1 / velocity(j, k); }, {{{0, 0, 0}}}, {}},
      options);
  const Result result = solve(c.problem, options);
  std::vector<double> exact(grid.points());
  for (std::int64_t p = 0; p < grid.points(); ++p) {
    const GridIndex i = grid.indices(p);
    const double x = double(i[0]) * grid.hx, y = double(i[1]) * grid.hy, z = double(i[2]) * grid.hz;
    exact[p] =
        std::acosh(1 + slope * slope * (x * x + y * y + z * z) / (2 * 0.5 * velocity(i[1], i[2]))) / slope;
  }
  const double latest = *std::ranges::max_element(exact);
  Errors e{0, -1, 1};
  std::int64_t count = 0;
  for (std::int64_t p = 0; p < grid.points(); ++p) {
    if (exact[p] < 0.1 * latest) continue;
    const double error = 100 * (double(result.fields[0].travelTime[p]) / exact[p] - 1);
    e.mean += error, ++count;
    e.maximum = std::max(e.maximum, error), e.minimum = std::min(e.minimum, error);
  }
  e.mean /= double(count);
  return e;
}

/// Returns a grid with n points per edge, 16 wide.
Grid square(std::int64_t n) { return {n, n, 1, 16. / double(n - 1), 16. / double(n - 1), 1}; }

} // namespace

/// Compares with figures computed by an independent program.
TEST(RayTracingAccuracy, ErrorsInALinearGradientAgreeWithAnIndependentProgram) {
  struct Row {
    WeightRule rule;
    int radius;
    double mean, meanTolerance, maximum, maxTolerance;
  };
  for (const Row& row : {Row{WeightRule::Fast, 1, 2.980, 0.0006, 6.66, 0.006},
                         {WeightRule::Fast, 2, 0.813, 0.0006, 2.24, 0.006},
                         {WeightRule::Fast, 3, 0.280, 0.0006, 1.07, 0.006},
                         {WeightRule::Fast, 4, 0.142, 0.0006, 0.626, 0.0006},
                         {WeightRule::Fast, 5, 0.081, 0.0006, 0.432, 0.0006},
                         {WeightRule::Fast, 6, 0.064, 0.0006, 0.321, 0.0006},
                         {WeightRule::Accurate, 1, 2.980, 0.0006, 6.66, 0.006},
                         {WeightRule::Accurate, 2, 0.811, 0.0006, 2.23, 0.006},
                         {WeightRule::Accurate, 3, 0.275, 0.0006, 1.06, 0.006},
                         {WeightRule::Accurate, 4, 0.132, 0.0006, 0.608, 0.0006},
                         {WeightRule::Accurate, 5, 0.064, 0.0006, 0.399, 0.0006},
                         {WeightRule::Accurate, 6, 0.042, 0.0006, 0.277, 0.0006}}) {
    const Options options = onHost(row.rule, StarKind::Coprime, {row.radius, row.radius, row.radius});
    const Errors errors = errorsInGradient(square(400), options);
    EXPECT_NEAR(errors.mean, row.mean, row.meanTolerance) << nameOf(options);
    EXPECT_NEAR(errors.maximum, row.maximum, row.maxTolerance) << nameOf(options);
    EXPECT_GT(errors.minimum, -0.01) << nameOf(options); // graph paths are paths: only weights have errors
  }
}

TEST(RayTracingAccuracy, TheRemainingErrorOnFineGridsIsAngular) {
  for (const int radius : {1, 2, 4}) {
    const Options options = onHost(WeightRule::Accurate, StarKind::Coprime, {radius, radius, radius});
    const double bound =
        100 * makeForwardStar(square(9), options.neighbours, options.radius).worstAngularError;
    EXPECT_LE(errorsInGradient(square(300), options).maximum, bound) << radius;
  }
  const Grid cube{41, 41, 41, 0.4, 0.4, 0.4};
  const Errors errors = errorsInGradient(cube, onHost(WeightRule::Accurate, StarKind::Coprime, {2, 2, 2}));
  EXPECT_LE(errors.maximum, 4.95);
  EXPECT_GT(errors.minimum, -0.1);
}

/// Long edges are sums of short ones, unless only both ends are read.
TEST(RayTracingAccuracy, OffsetsWithCommonDivisorsHaveNoEffectForIntegralWeights) {
  using enum StarKind;
  for (const char* name : {"Everything", "EverythingVolume", "FlatY", "Thin"})
    for (const WeightRule rule : {WeightRule::Accurate, WeightRule::Cells})
      for (const std::array<int, 3>& radius : {std::array{2, 2, 2}, {4, 3, 4}}) {
        const Case c = makeCase(makerOf(name), onHost(rule, Coprime, radius, true));
        expectEach(c, nameOf(rule),
                   solve(c.problem, onHost(rule, Coprime, radius, true)).fields[0].preciseTravelTime,
                   solve(c.problem, onHost(rule, Full, radius, true)).fields[0].preciseTravelTime,
                   within(1e-12, 5));
      }
  const Case c = makeCase(makerOf("Noise"), onHost(WeightRule::Fast, Coprime, {4, 4, 4}, true));
  EXPECT_NE(solve(c.problem, onHost(WeightRule::Fast, Coprime, {4, 4, 4}, true)).fields[0].preciseTravelTime,
            solve(c.problem, onHost(WeightRule::Fast, Full, {4, 4, 4}, true)).fields[0].preciseTravelTime);
}

/// 30 steps at velocity 2 across a row at 0.05 take 15, plus 19.5 for the row.
TEST(RayTracingAccuracy, NothingTunnelsThroughAThinSlowRow) {
  const CaseMaker thin{
      "thin row", {41, 31, 1}, [](auto, auto j, auto) { return j == 15 ? 20. : 0.5; }, {{{20, 0, 0}}}, {}};
  for (const int r : {1, 2, 3, 6, 8}) {
    const std::array<int, 3> radius{r, r, r};
    const auto timeBelow = [&](WeightRule rule) {
      const Options options = onHost(rule, StarKind::Coprime, radius, true);
      const Case c = makeCase(thin, options);
      return solve(c.problem, options).fields[0].preciseTravelTime[c.problem.grid.index(20, 30, 0)];
    };
    EXPECT_NEAR(timeBelow(WeightRule::Accurate), 34.5, 1e-12) << r;
    EXPECT_NEAR(timeBelow(WeightRule::Cells), 34.5, 1e-12) << r; // 29 cells and the slow one
    if (r == 1)
      EXPECT_NEAR(timeBelow(WeightRule::Fast), 34.5, 1e-12);
    else
      EXPECT_LT(timeBelow(WeightRule::Fast), 15.3) << r; // reads only the ends of an edge
  }
}

TEST(RayTracingAccuracy, NothingPassesABlankedRowOrACornerOfTwoBlankedPoints) {
  const CaseMaker row{"blanked row",
                      {41, 31, 1},
                      [](auto, auto j, auto) { return j == 15 ? blanked : 0.5; },
                      {{{20, 0, 0}}},
                      {}},
      diagonal{"blanked diagonal",
               {31, 31, 1},
               [](auto i, auto j, auto) { return i + j == 30 ? blanked : 0.5; },
               {{{0, 0, 0}}},
               {}},
      plane{"blanked plane",
            {12, 11, 15},
            [](auto, auto, auto k) { return k == 7 ? blanked : 0.5; },
            {{{5, 5, 0}}},
            {}};
  for (const CaseMaker* maker : {&row, &diagonal, &plane})
    for (const WeightRule rule : {WeightRule::Accurate, WeightRule::Fast})
      for (const Options& star : starsFor(maker->grid)) {
        const Options options = onHost(rule, star.neighbours, star.radius);
        const Case c = makeCase(*maker, options);
        const auto times = solve(c.problem, options).fields[0].travelTime;
        const Grid& g = c.problem.grid;
        for (std::int64_t p = 0; p < g.points(); ++p) {
          const GridIndex i = g.indices(p);
          const bool before = maker == &row ? i[1] < 15 : maker == &plane ? i[2] < 7 : i[0] + i[1] < 30;
          ASSERT_EQ(std::isfinite(times[p]), before) << c.name << ", " << nameOf(options) << ", point " << p;
        }
      }
}

/// With cells a wave runs along the border of a blanked one, and past the corner where two of them touch.
TEST(RayTracingAccuracy, WavesRunAlongTheBordersOfCells) {
  const CaseMaker maker{
      "cells", {4, 3, 1}, [](auto, auto j, auto) { return j == 0 ? blanked : 0.5; }, {{{0, 2, 0}}}, {}};
  const Options options = onHost(WeightRule::Cells, StarKind::Coprime, {2, 2, 2}, true);
  CaseMaker close = maker;
  close.sources = {{{0, 1, 0}}};
  Case c = makeCase(maker, options);
  // makeCase opens the neighbourhood of the source; blank it again.
  for (int i = 0; i < 3; ++i) c.preciseSlowness[i] = blanked;
  const auto times = solve(c.problem, options).fields[0].preciseTravelTime;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(times[c.problem.grid.index(i, 0, 0)], blanked);
    EXPECT_NEAR(times[c.problem.grid.index(i, 2, 0)], 0.5 * i, 1e-15);
  }
  EXPECT_NEAR(times[c.problem.grid.index(1, 1, 0)], 0.5 * std::sqrt(2.), 1e-15);
  EXPECT_NEAR(times[c.problem.grid.index(0, 1, 0)], 0.5, 1e-15);
}

/// The head wave along the border of a fast cell under slow ones uses the fast side.
TEST(RayTracingAccuracy, HeadWavesRunAlongTheFastSideOfAnInterface) {
  const CaseMaker maker{
      "head wave", {40, 12, 1}, [](auto, auto j, auto) { return j < 6 ? 1. : 0.25; }, {{{0, 6, 0}}}, {}};
  const Options options = onHost(WeightRule::Cells, StarKind::Coprime, {3, 3, 3}, true);
  const Case c = makeCase(maker, options);
  EXPECT_NEAR(solve(c.problem, options).fields[0].preciseTravelTime[c.problem.grid.index(39, 6, 0)],
              0.25 * 39, 1e-12);
}

TEST(RayTracingAccuracy, FastClosesTheSameEdgesAsAccurate) {
  for (const char* name : {"Holes", "Islands", "HolesVolume", "GapAtTileCorner", "NarrowWalls"})
    for (const Options& star : starsFor(makerOf(name).grid)) {
      const Case c = makeCase(makerOf(name), star);
      Options fast = star;
      fast.rule = WeightRule::Fast;
      const EdgeWeights<float> accurateEdges(c.problem, star), fastEdges(c.problem, fast);
      for (std::int64_t p = 0; p < c.problem.grid.points(); p += 7)
        for (int o = 0; o < fastEdges.count(); ++o)
          if (fastEdges.neighbour(p, o) >= 0)
            ASSERT_EQ(std::isfinite(fastEdges.weight(p, o)), std::isfinite(accurateEdges.weight(p, o)))
                << name << ", " << nameOf(star) << ", point " << p << ", offset " << o;
    }
}
