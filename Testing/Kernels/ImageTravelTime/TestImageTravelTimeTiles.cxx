// Claims about the tile solver, run by host teams with the same kernels as on CUDA.
#include "ImageHostTiles.h"
#include "ImageTravelTimeCases.h"
#include "Reference/ImageTravelTimeReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace isochrone;
using namespace isochrone::image;
using execution::HostDevice;

namespace {

Result solve(const Problem& problem, const Options& options = {}, const Monitor& monitor = {},
             int threads = 1) {
  HostDevice device{threads};
  Result result;
  solveTiles(device, SolverInput(problem, options), monitor, result);
  return result;
}

template <class Shape>
Result solveWith(const Problem& problem, const TileSettings& settings) {
  HostDevice device{1};
  const Options options;
  Result result;
  relaxTiles<Shape>(device, SolverInput(problem, options), settings, {}, result);
  return result;
}

/// Returns the maximum difference of two results, relative to the time since the earliest one.
double largestDifference(const auto& values, const auto& expected) {
  double earliest = std::numeric_limits<double>::infinity(), largest = 0;
  for (const double e : expected) earliest = std::min(earliest, e);
  EXPECT_EQ(values.size(), expected.size());
  for (std::size_t n = 0; n < expected.size(); ++n) {
    const double value = values[n], e = expected[n];
    EXPECT_EQ(std::isinf(value), std::isinf(e)) << n;
    if (std::isinf(e) || value == e) continue;
    largest = std::max(largest, std::abs(value - e) / std::max(std::abs(e), e - earliest));
  }
  return largest;
}

constexpr double rounding = 5e-7;

class ImageTiles : public testing::TestWithParam<std::string> {
protected:
  Case c = makeCase(GetParam());
  const Problem& problem = c.problem;
};

} // namespace

TEST_P(ImageTiles, AgreeWithFastMarching) {
  const Result result = solve(problem);

  EXPECT_LE(largestDifference(result.travelTime, reference::march(problem)), rounding);
}

TEST_P(ImageTiles, AgreeWithTheHostSolver) {
  Options options;
  options.backend = Backend::Host;

  EXPECT_LE(
      largestDifference(solve(problem).travelTime, solveImageTravelTime(problem, options, {}).travelTime),
      rounding);
}

TEST_P(ImageTiles, GiveTheSameBitsForAnyThreadCount) {
  EXPECT_EQ(solve(problem, {}, {}, 3).travelTime, solve(problem).travelTime);
}

TEST_P(ImageTiles, AreAFixedPoint) {
  // 4 units in the last place, for negative start values of the time since the earliest one.
  const double maximum = 4 * 0x1p-23 * (GetParam() == "SeveralSeeds" || GetParam() == "OffGrid" ? 20 : 1);

  EXPECT_LE(reference::largestDecrease(problem, solve(problem).travelTime), maximum);
}

TEST_P(ImageTiles, NeedThePredictedDeviceMemory) {
  const Options options;
  const Result result = solve(problem, options);

  const std::size_t used = result.workBytes + 4 * result.travelTime.size() + problem.barriers.size();
  const std::size_t announced = tileBytes(SolverInput(problem, options));
  EXPECT_LE(used, announced);
  EXPECT_GE(used + (std::size_t(17) << 20), announced);
}

INSTANTIATE_TEST_SUITE_P(Images, ImageTiles, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

class ImageTilesSettings : public ImageTiles {};

TEST_P(ImageTilesSettings, AllReachTheSameFixedPointInAnyOrder) {
  const std::vector<double> expected = reference::march(problem);
  const auto allOf = [&]<class Shape>(Shape) {
    for (const auto& [passes, band] : {std::pair{1, 0.f}, {5, 1.f}, {20, infinite}}) {
      SCOPED_TRACE(std::to_string(Shape::nx) + "x" + std::to_string(Shape::ny) + "x" +
                   std::to_string(Shape::nz) + ", " + std::to_string(passes) + " passes, band " +
                   std::to_string(band));
      const Result result = solveWith<Shape>(problem, {passes, band});
      EXPECT_LE(largestDifference(result.travelTime, expected), rounding);
    }
  };
  if (problem.grid.nz == 1)
    allOf(Box<8, 8, 1>{});
  else
    allOf(Box<8, 8, 4>{}), allOf(Box<4, 4, 4>{});
}

INSTANTIATE_TEST_SUITE_P(Images, ImageTilesSettings,
                         testing::Values("Noise", "PermeableMaze", "UnequalSpacing", "NoSpeedHoles",
                                         "SeveralSeeds", "PlaneUnequal", "Diagonal", "OnePoint"),
                         [](const auto& info) { return info.param; });

class ImageTilesFactored : public testing::TestWithParam<SourceFactoring> {
protected:
  Result tiles(const Problem& problem, int threads = 1) const {
    Options options;
    options.factoring = GetParam();
    return solve(problem, options, {}, threads);
  }
  Result host(const Problem& problem) const {
    Options options;
    options.factoring = GetParam(), options.backend = Backend::Host;
    return solveImageTravelTime(problem, options, {});
  }
};

TEST_P(ImageTilesFactored, AreExactAtConstantSpeed) {
  for (const Position& seed : {Position{20, 20, 20}, Position{3.25, 30.5, 11.75}}) {
    const Cube cube(41, 0, seed);
    EXPECT_LT(cube.meanError(tiles(cube.problem).travelTime), 1e-6);
  }
}

TEST_P(ImageTilesFactored, AgreeWithTheHostSolverOnSmoothSpeeds) {
  const Cube cube = gradientCube(48);
  const Result result = tiles(cube.problem), expected = host(cube.problem);

  EXPECT_LE(largestDifference(result.travelTime, expected.travelTime), 2e-6);
  EXPECT_EQ(result.ballRadius, expected.ballRadius);
}

/// The factored scheme is not monotone there, so the order of work has an effect: hardly any with additive
/// factoring, and at single points with multiplicative factoring, which therefore warns.
TEST_P(ImageTilesFactored, AreNearTheHostSolverOnRoughSpeeds) {
  const bool additive = GetParam() == SourceFactoring::Additive;
  for (const char* name : {"Noise", "OffGrid", "PlaneUnequal", "SeveralSeeds", "PermeableMaze"}) {
    const Case c = makeCase(name);
    const Result result = tiles(c.problem), expected = host(c.problem);
    const auto [minimum, maximum] =
        std::minmax_element(expected.travelTime.begin(), expected.travelTime.end());
    double largest = 0, sum = 0;
    for (std::size_t n = 0; n < expected.travelTime.size(); ++n) {
      const double difference =
          std::abs(result.travelTime[n] - expected.travelTime[n]) / double(*maximum - *minimum);
      largest = std::max(largest, difference), sum += difference;
    }
    EXPECT_LE(largest, additive ? 1e-4 : 2e-2) << name;
    EXPECT_LE(sum / double(expected.travelTime.size()), additive ? 1e-5 : 1e-3) << name;
  }
}

TEST_P(ImageTilesFactored, GiveTheSameBitsForAnyThreadCount) {
  for (const char* name : {"OffGrid", "PlaneUnequal"}) {
    const Case c = makeCase(name);
    EXPECT_EQ(tiles(c.problem, 3).travelTime, tiles(c.problem).travelTime) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Both, ImageTilesFactored,
                         testing::Values(SourceFactoring::Additive, SourceFactoring::Multiplicative),
                         [](const auto& info) {
                           return info.param == SourceFactoring::Additive ? "Additive" : "Multiplicative";
                         });

TEST(ImageTilesBand, SavesTheWorkBehindSlowWalls) {
  const Case c = makeCase("PermeableMaze");
  using Shape = Box<4, 4, 4>;

  const Result band = solveWith<Shape>(c.problem, {12, 2}), all = solveWith<Shape>(c.problem, {12, infinite});

  EXPECT_LT(band.updatesPerPoint, 0.7 * all.updatesPerPoint);
}

TEST(ImageTilesRuns, EqualTheFullRunUpToTheStoppingTime) {
  for (const char* name : {"Noise", "PlaneUnequal", "SeveralSeeds"}) {
    const Case c = makeCase(name);
    const Result full = solve(c.problem);
    Options options;
    options.stoppingTime = 25;
    const Result stopped = solve(c.problem, options);

    EXPECT_LT(stopped.updatesPerPoint, full.updatesPerPoint) << name;
    for (std::size_t n = 0; n < full.travelTime.size(); ++n) {
      const float expected = full.travelTime[n];
      if (expected < 24.999f) {
        ASSERT_NEAR(stopped.travelTime[n], expected, 1e-5) << name << n;
      } else if (expected > 25.001f) {
        ASSERT_TRUE(std::isinf(stopped.travelTime[n])) << name << n;
      }
    }
  }
}

TEST(ImageTilesRuns, StopWhenTheTipsAreFinal) {
  const Case c = makeCase("Noise");
  const Result full = solve(c.problem);
  Options options;
  options.stopAt = {{20, 16, 10}, {16, 12, 11}, {-100, 0, 0}};
  const Result stopped = solve(c.problem, options);

  EXPECT_LT(stopped.updatesPerPoint, 0.5 * full.updatesPerPoint);
  for (const std::int64_t tip : {c.problem.grid.index(20, 16, 10), c.problem.grid.index(16, 12, 11)})
    EXPECT_FLOAT_EQ(stopped.travelTime[tip], full.travelTime[tip]);
  for (std::size_t n = 0; n < full.travelTime.size(); ++n)
    if (std::isfinite(stopped.travelTime[n])) {
      ASSERT_FLOAT_EQ(stopped.travelTime[n], full.travelTime[n]) << n;
    }
}

TEST(ImageTilesRuns, StopOnRequest) {
  const Case c = makeLine(2000); // many rounds
  int calls = 0;
  const Monitor monitor{[&](double share) {
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1);
    return ++calls < 3;
  }};

  const Result result = solve(c.problem, {}, monitor);

  EXPECT_TRUE(result.aborted);
  EXPECT_EQ(calls, 3);
  EXPECT_TRUE(result.travelTime.empty());
}
