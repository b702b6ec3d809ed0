// Claims about travel times and paths on images with periodic axes: those of a tiling of the plane or of
// space, closed forms, shifts, bad input.
#include "Error.h"
#include "ImageHostSolves.h"
#include "ImagePeriodicCases.h"
#include "Median.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

using namespace isochrone;
using namespace isochrone::image;

namespace {

Options withSeeds() {
  Options options = additive();
  options.seedIds = true;
  return options;
}

/// The image repeated three times along its periodic axes, with all copies of the seeds.
struct Tiling3 : Case {
  std::array<std::int64_t, 3> before{}; ///< points before the middle copy

  explicit Tiling3(const Case& one) {
    const Grid& g = one.problem.grid;
    problem = one.problem;
    problem.periodic = {};
    std::array<int, 3> times{1, 1, 1};
    for (int a = 0; a < 3; ++a)
      if (one.problem.periodic[std::size_t(a)] && g.sizes()[a] > 1) times[a] = 3, before[a] = g.sizes()[a];
    problem.grid = {g.nx * times[0], g.ny * times[1], g.nz * times[2], g.hx, g.hy, g.hz};
    for (std::int64_t n = 0; n < problem.grid.points(); ++n) {
      const auto [i, j, k] = problem.grid.indices(n);
      const auto from = std::size_t(g.index(i % g.nx, j % g.ny, k % g.nz));
      speed.push_back(one.speed[from]);
      barriers.push_back(one.barriers[from]);
    }
    problem.speed = speed, problem.barriers = barriers;
    problem.seeds.clear();
    for (int copy = 0; copy < times[0] * times[1] * times[2]; ++copy)
      for (Seed seed : one.problem.seeds) {
        seed.at[0] += double(copy % times[0] * g.nx) * g.hx;
        seed.at[1] += double(copy / times[0] % times[1] * g.ny) * g.hy;
        seed.at[2] += double(copy / times[0] / times[1] * g.nz) * g.hz;
        problem.seeds.push_back(seed);
      }
  }
  std::size_t middle(const Grid& g, std::int64_t n) const {
    const auto [i, j, k] = g.indices(n);
    return std::size_t(problem.grid.index(i + before[0], j + before[1], k + before[2]));
  }
};

class ImagePeriodic : public testing::TestWithParam<NamedTorus> {
protected:
  Torus c{GetParam().grid, GetParam().periodic};
  const Problem& problem = c.problem;
};

} // namespace

TEST_P(ImagePeriodic, EqualsTheMiddleOfATilingOfThreeCopies) {
  const Tiling3 tiling(c);
  const Options options = withSeeds();
  const Result result = solve(problem, options), expected = solve(tiling.problem, options);
  const auto distinct = std::int32_t(problem.seeds.size());
  std::int64_t seedsApart = 0;
  float largest = 0;
  for (const float time : result.travelTime)
    if (std::isfinite(time)) largest = std::max(largest, time);
  for (std::int64_t n = 0; n < problem.grid.points(); ++n) {
    const float time = result.travelTime[std::size_t(n)],
                other = expected.travelTime[tiling.middle(problem.grid, n)];
    ASSERT_EQ(std::isinf(time), std::isinf(other)) << n;
    if (std::isfinite(time)) ASSERT_NEAR(time, other, 1e-6 * largest) << n;
    const std::int32_t seed = expected.seed[tiling.middle(problem.grid, n)];
    seedsApart += result.seed[std::size_t(n)] != (seed < 0 ? seed : seed % distinct);
  }
  EXPECT_LE(seedsApart, problem.grid.points() / 100); // where two arrive at once, rounding decides
  ASSERT_EQ(result.ballRadius.size(), 2u);
  ASSERT_EQ(result.seeds.size(), 2u);
}

TEST_P(ImagePeriodic, LeavesNoResidual) {
  EXPECT_LE(residual(problem, solve(problem).travelTime, 2), 4 * 0x1p-23);
}

TEST_P(ImagePeriodic, GivesTheSameBitsForAnyNumberOfThreads) {
  Options options = withSeeds();
  options.threads = 1, options.updateCounts = true;
  const Result one = solve(problem, options);
  options.threads = 3;
  const Result three = solve(problem, options);
  EXPECT_EQ(three.travelTime, one.travelTime);
  EXPECT_EQ(three.seed, one.seed);
  EXPECT_EQ(std::int64_t(three.updates.size()), problem.grid.points());
}

TEST_P(ImagePeriodic, HasPathsThatCrossTheBorderWithoutAJump) {
  const Values<float> u = solve(problem, withSeeds()).travelTime;
  const Grid& g = problem.grid;
  const Position h = g.spacing();
  std::vector<Position> tips;
  for (int t = 0; t < 60; ++t)
    tips.push_back({noise(3 * t) * double(g.nx - 1) * g.hx, noise(3 * t + 1) * double(g.ny - 1) * g.hy,
                    noise(3 * t + 2) * double(g.nz - 1) * g.hz});
  const std::vector<Path> paths = extractPaths(problem, u, tips, 2);
  int crossing = 0, complete = 0;
  for (std::size_t t = 0; t < tips.size(); ++t) {
    const Path& path = paths[t];
    if (path.status != PathStatus::Complete) continue;
    ++complete;
    ASSERT_GE(path.seed, 0);
    ASSERT_LT(path.seed, 2);
    const auto at = [&](std::size_t n) -> Position {
      return {path.x[n], path.y[n], path.z.empty() ? 0 : path.z[n]};
    };
    for (int a = 0; a < (g.nz > 1 ? 3 : 2); ++a) EXPECT_NEAR(at(path.size() - 1)[a], tips[t][a], 1e-9);
    bool outside = false;
    for (std::size_t n = 0; n < path.size(); ++n)
      for (int a = 0; a < 3; ++a) {
        outside |= at(n)[a] < -0.5 * h[a] || at(n)[a] > (double(g.sizes()[a]) - 0.5) * h[a];
        if (n > 0) ASSERT_LE(std::abs(at(n)[a] - at(n - 1)[a]), 1.001 * h[a]);
      }
    crossing += outside;
    // The start is a copy of the seed.
    for (int a = 0; a < (g.nz > 1 ? 3 : 2); ++a) {
      const double period = double(g.sizes()[a]) * h[a],
                   apart = (at(0)[a] - problem.seeds[std::size_t(path.seed)].at[a]) / period;
      EXPECT_NEAR(apart, problem.periodic[std::size_t(a)] ? std::round(apart) : 0, 1e-9);
    }
  }
  EXPECT_GE(complete, 40);
  EXPECT_GE(crossing, 3);
}

INSTANTIATE_TEST_SUITE_P(Images, ImagePeriodic, testing::ValuesIn(tori()),
                         [](const auto& info) { return info.param.name; });

TEST(ImagePeriodicTimes, AreDistancesToTheNearestCopyAtConstantSpeed) {
  Problem p;
  p.grid = {240, 160, 1, 0.5, 1, 1};
  p.periodic = {true, true, false};
  p.constantSpeed = 2;
  for (const Position& seed : {Position{0, 0, 0}, {119.9, 159.7, 0}, {57.3, 75.2, 0}, {-2.7, 340.2, 0}}) {
    p.seeds = {{seed, 0}};
    const Values<float> u = solve(p, withSeeds()).travelTime;
    std::vector<double> errors;
    for (std::int64_t n = 0; n < p.grid.points(); ++n) {
      const double x = std::remainder(double(n % 240) * 0.5 - seed[0], 120),
                   y = std::remainder(double(n / 240) - seed[1], 160);
      const double exact = std::hypot(x, y) / 2;
      if (exact > 0) errors.push_back(std::abs(u[std::size_t(n)] - exact) / exact);
    }
    EXPECT_LT(median(errors), 1e-3); // the balls around the seed and its copies end half a period away
    EXPECT_LT(*std::ranges::max_element(errors), 0.02); // where the fronts of two copies meet
  }
}

TEST(ImagePeriodicTimes, MoveWithTheImage) {
  const Torus c({31, 23, 1, 1, 1, 1}, {true, true, false});
  Torus moved = c;
  const Grid& g = c.problem.grid;
  for (std::int64_t n = 0; n < g.points(); ++n) {
    const auto to = std::size_t(g.index((n % g.nx + 11) % g.nx, (n / g.nx + 17) % g.ny, 0));
    moved.speed[to] = c.speed[std::size_t(n)], moved.barriers[to] = c.barriers[std::size_t(n)];
  }
  for (Seed& seed : moved.problem.seeds) seed.at[0] += 11, seed.at[1] += 17; // also beyond the image
  moved.problem.speed = moved.speed, moved.problem.barriers = moved.barriers;
  const Result one = solve(c.problem, withSeeds()), other = solve(moved.problem, withSeeds());
  for (std::int64_t n = 0; n < g.points(); ++n) {
    const auto to = std::size_t(g.index((n % g.nx + 11) % g.nx, (n / g.nx + 17) % g.ny, 0));
    const float a = one.travelTime[std::size_t(n)], b = other.travelTime[to];
    if (std::isfinite(a)) ASSERT_LE(floatsBetween(a, b), 8) << n;
    ASSERT_EQ(one.seed[std::size_t(n)], other.seed[to]) << n;
  }
}

TEST(ImagePeriodicTimes, OfRegionsGradientsAndStopsAreThoseOfTheTiling) {
  Torus c({33, 47, 1, 1, 1, 1}, {true, true, false});
  c.regions.assign(c.speed.size(), -1);
  for (std::int64_t j = 0; j < 47; ++j) c.regions[std::size_t(33 * j + 2)] = 0;
  c.problem.seeds = {{{}, 0, true}};
  c.problem.seedRegions = c.regions;
  Options options;
  options.stoppingTime = 9;
  const Result result = solve(c.problem, options), all = solve(c.problem);
  for (std::size_t n = 0; n < all.travelTime.size(); ++n)
    ASSERT_EQ(result.travelTime[n],
              all.travelTime[n] <= 9 ? all.travelTime[n] : std::numeric_limits<float>::infinity());
  // Behind the last column lies the first, two columns before the region.
  for (std::int64_t j = 0; j < 47; ++j)
    if (!c.barriers[std::size_t(33 * j + 1)] && !c.barriers[std::size_t(33 * j)] &&
        !c.barriers[std::size_t(33 * j + 32)])
      EXPECT_LT(all.travelTime[std::size_t(33 * j + 32)], 3.01) << j;
  const Values<float> g = gradient(c.problem, all.travelTime, 2);
  ASSERT_EQ(g.size(), 3 * all.travelTime.size());
  std::vector<double> slowness;
  for (std::size_t n = 0; n < all.travelTime.size(); ++n)
    if (std::isfinite(all.travelTime[n]) && all.travelTime[n] > 0)
      slowness.push_back(std::abs(std::hypot(g[3 * n], g[3 * n + 1]) * c.speed[n] - 1));
  EXPECT_LT(*std::ranges::max_element(slowness), 1e-3);
}

TEST(ImagePeriodicInput, IsRefusedWithTheRemedy) {
  const auto messageOf = [](const Problem& problem, Options options = {}) -> std::string {
    try {
      solveImageTravelTime(problem, options, {});
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  Torus c({12, 9, 1, 1, 1, 1}, {true, false, false});
  Options second, multiplicative;
  second.order = 2, multiplicative.factoring = SourceFactoring::Multiplicative;
  EXPECT_NE(messageOf(c.problem, second)
                .find("the second order is not possible with periodic axes: choose order 1"),
            std::string::npos);
  EXPECT_NE(messageOf(c.problem, multiplicative)
                .find("multiplicative factoring is not possible with periodic axes"),
            std::string::npos);
  Problem drift = c.problem;
  const std::vector<float> v(12 * 9, 0.1f);
  drift.drift = v;
  EXPECT_NE(messageOf(drift).find("the drift must have 2 values for each of 108 points, 216 in all, got 108"),
            std::string::npos);
  c.speed[17] = -1;
  EXPECT_NE(messageOf(c.problem).find("got -1 at point (5, 1, 0)"), std::string::npos)
      << messageOf(c.problem);
  c.problem.speed = std::span(c.speed).first(11);
  EXPECT_NE(messageOf(c.problem).find("a value for each of 108 points, got 11"), std::string::npos)
      << messageOf(c.problem);
}
