// Claims about travel times and paths on images with periodic axes, with tensors, in drifts and in tilted
// media: those of a tiling, and bad input.
#include "Error.h"
#include "ImageHostSolves.h"
#include "ImagePeriodicMedia.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace isochrone;
using namespace isochrone::image;

namespace {

class ImagePeriodicTensors : public testing::TestWithParam<NamedMedium> {
protected:
  Medium torus, tiling;
  std::array<std::int64_t, 3> before{};
  Options options;

  ImagePeriodicTensors() {
    const Grid grid = GetParam().grid;
    const Kind kind = GetParam().kind;
    const std::array<bool, 3>& periodic = GetParam().periodic;
    options.factoring = GetParam().factoring, options.threads = 1;
    makeTorus(torus, GetParam());
    // The tiling of three copies.
    std::array<std::int64_t, 3> times{1, 1, 1};
    for (std::size_t a = 0; a < 3; ++a)
      if (periodic[a] && grid.sizes()[a] > 1) times[a] = 3, before[a] = grid.sizes()[a];
    tiling.problem.grid = {
        grid.nx * times[0], grid.ny * times[1], grid.nz * times[2], grid.hx, grid.hy, grid.hz};
    const auto repeat = [&](const auto& from, auto& to) {
      const std::size_t components = from.size() / std::size_t(grid.points());
      for (std::int64_t n = 0; n < tiling.problem.grid.points(); ++n) {
        const auto [i, j, k] = tiling.problem.grid.indices(n);
        const auto at =
            from.begin() + std::ptrdiff_t(components) * grid.index(i % grid.nx, j % grid.ny, k % grid.nz);
        to.insert(to.end(), at, at + std::ptrdiff_t(components));
      }
    };
    repeat(torus.speed, tiling.speed), repeat(torus.drift, tiling.drift),
        repeat(torus.barriers, tiling.barriers);
    repeat(torus.epsilon, tiling.epsilon), repeat(torus.delta, tiling.delta), repeat(torus.axis, tiling.axis);
    for (std::int64_t copy = 0; copy < times[0] * times[1] * times[2]; ++copy)
      for (Seed seed : torus.problem.seeds) {
        seed.at[0] += double(copy % times[0] * grid.nx) * grid.hx;
        seed.at[1] += double(copy / times[0] % times[1] * grid.ny) * grid.hy;
        seed.at[2] += double(copy / times[0] / times[1] * grid.nz) * grid.hz;
        tiling.problem.seeds.push_back(seed);
      }
    tiling.view(kind);
  }
  std::size_t middle(std::int64_t n) const {
    const auto [i, j, k] = GetParam().grid.indices(n);
    return std::size_t(tiling.problem.grid.index(i + before[0], j + before[1], k + before[2]));
  }
};

} // namespace

TEST_P(ImagePeriodicTensors, HaveTheTimesOfTheMiddleOfATiling) {
  options.seedIds = true;
  const Result result = solve(torus.problem, options), expected = solve(tiling.problem, options);
  const std::int64_t points = GetParam().grid.points();
  ASSERT_EQ(std::int64_t(result.travelTime.size()), points);
  float largest = 0;
  for (const float time : result.travelTime)
    if (std::isfinite(time)) largest = std::max(largest, time);
  std::int64_t seedsApart = 0;
  for (std::int64_t n = 0; n < points; ++n) {
    const float time = result.travelTime[std::size_t(n)], other = expected.travelTime[middle(n)];
    ASSERT_EQ(std::isinf(time), std::isinf(other)) << n;
    if (std::isfinite(time)) ASSERT_NEAR(time, other, 2e-6 * largest) << n;
    const std::int32_t seed = expected.seed[middle(n)];
    seedsApart += result.seed[std::size_t(n)] != (seed < 0 ? seed : seed % 2);
  }
  EXPECT_LE(seedsApart, points / 50); // where two arrive at once, rounding decides
  EXPECT_EQ(result.seeds.size(), 2u);
}

TEST_P(ImagePeriodicTensors, LeaveNoResidual) {
  const double limit = residual(tiling.problem, solve(tiling.problem, options).travelTime, 1);
  EXPECT_LE(residual(torus.problem, solve(torus.problem, options).travelTime, 1), 2 * limit + 4 * 0x1p-23);
}

TEST_P(ImagePeriodicTensors, GiveTheSameBitsForAnyNumberOfThreads) {
  const Result one = solve(torus.problem, options);
  options.threads = 3;
  EXPECT_EQ(solve(torus.problem, options).travelTime, one.travelTime);
}

TEST_P(ImagePeriodicTensors, HavePathsThatCrossTheBorderWithoutAJump) {
  const Problem& problem = torus.problem;
  const Grid& g = problem.grid;
  const Values<float> u = solve(problem, options).travelTime;
  std::vector<Position> tips;
  for (std::uint64_t t = 0; t < 60; ++t)
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
    bool outside = false;
    for (int a = 0; a < (g.nz > 1 ? 3 : 2); ++a) {
      EXPECT_NEAR(at(path.size() - 1)[std::size_t(a)], tips[t][std::size_t(a)], 1e-9);
      const double period = double(g.sizes()[std::size_t(a)]) * g.spacing()[std::size_t(a)];
      const double apart =
          (at(0)[std::size_t(a)] - problem.seeds[std::size_t(path.seed)].at[std::size_t(a)]) / period;
      EXPECT_NEAR(apart, problem.periodic[std::size_t(a)] ? std::round(apart) : 0, 1e-9);
      for (std::size_t n = 0; n < path.size(); ++n)
        outside |= at(n)[std::size_t(a)] < -0.5 * g.spacing()[std::size_t(a)] ||
                   at(n)[std::size_t(a)] > period - 0.5 * g.spacing()[std::size_t(a)];
    }
    crossing += outside;
  }
  EXPECT_GE(complete, 30);
  EXPECT_GE(crossing, 2);
}

TEST_P(ImagePeriodicTensors, GiveTheSameBitsWithTheReachOfASolve) {
  const Result result = solve(torus.problem, options);
  const Values<float>& u = result.travelTime;
  EXPECT_GE(*std::ranges::max_element(result.reach), 1);
  Problem known = torus.problem;
  known.reach = result.reach;
  EXPECT_EQ(solve(known, options).travelTime, u);
  EXPECT_EQ(gradient(known, u, 1), gradient(torus.problem, u, 2));
  EXPECT_EQ(residual(known, u, 1), residual(torus.problem, u, 2));
  const std::vector<Position> tips{{2, 3, 0}, {7, 4, 0}};
  const std::vector<Path> paths = extractPaths(torus.problem, u, tips, 2),
                          same = extractPaths(known, u, tips, 1);
  ASSERT_EQ(paths.size(), same.size());
  for (std::size_t t = 0; t < paths.size(); ++t) {
    EXPECT_EQ(paths[t].x, same[t].x);
    EXPECT_EQ(paths[t].y, same[t].y);
    EXPECT_EQ(paths[t].travelTime, same[t].travelTime);
  }
}

TEST_P(ImagePeriodicTensors, StopWhenTheMonitorAsks) {
  const Values<float> u = solve(torus.problem, options).travelTime;
  const Monitor stop{[](double) { return false; }};
  const Result stopped = solveImageTravelTime(torus.problem, options, stop);
  EXPECT_TRUE(stopped.aborted);
  EXPECT_TRUE(stopped.travelTime.empty());
  EXPECT_TRUE(gradient(torus.problem, u, 1, stop).empty());
  EXPECT_TRUE(std::isnan(residual(torus.problem, u, 1, true, stop)));
  const std::vector<Position> tips{{2, 3, 0}};
  EXPECT_TRUE(extractPaths(torus.problem, u, tips, 1, stop).empty());
}

INSTANTIATE_TEST_SUITE_P(Images, ImagePeriodicTensors, testing::ValuesIn(periodicMedia()),
                         [](const auto& info) { return info.param.name; });

TEST(ImagePeriodicTensorsInput, IsRefusedWithTheRemedy) {
  const auto messageOf = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  Problem p;
  p.grid = {3, 3, 3, 0.012, 0.012, 1}; // a step along z is as long as 83 along x
  p.periodic = {true, true, true};
  p.speedType = SpeedType::MetricTensor;
  p.seeds = {{{0.01, 0.01, 1}, 0}};
  std::vector<float> tensors;
  const std::array<double, 3> along{0.5, 0.5, 0.7};
  for (std::int64_t n = 0; n < p.grid.points(); ++n)
    for (const auto& [a, b] : {std::pair{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}})
      tensors.push_back(float((a == b ? 1 : 0) + 3 * along[std::size_t(a)] * along[std::size_t(b)]));
  p.speed = tensors;
  const std::string far = messageOf([&] { solve(p); });
  EXPECT_NE(far.find("stencils reach "), std::string::npos) << far;
  EXPECT_NE(far.find("make the image larger"), std::string::npos) << far;
  p.speed = std::span(tensors).first(7);
  const std::string sizes = messageOf([&] { solve(p); });
  EXPECT_NE(sizes.find("tensors must have 6 values for each of 27 points, 162 in all, got 7"),
            std::string::npos)
      << sizes;
  tensors[6 * 17] = -1;
  p.speed = tensors;
  const std::string bad = messageOf([&] { solve(p); });
  EXPECT_NE(bad.find("point (2, 2, 1)"), std::string::npos) << bad;
  Problem drift;
  drift.grid = {12, 9, 1, 1, 1, 1};
  drift.periodic = {true, false, false};
  drift.seeds = {{{1, 1, 0}, 0}};
  const std::vector<float> v(216, 0.3f);
  drift.drift = v;
  Options second;
  second.order = 2;
  EXPECT_NE(messageOf([&] { solve(drift, second); }).find("choose order 1"), std::string::npos);
  const std::string medium = messageOf([&] { mediumPaths(drift, {}, 1); });
  EXPECT_NE(medium.find("paths in the medium are not possible with periodic axes"), std::string::npos)
      << medium;
}
