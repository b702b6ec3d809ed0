// Claims about the tile solver for tensors, drifts and tilted media, run by host teams with the same kernels
// as on CUDA.
#include "ImageDriftCases.h"
#include "ImageHostTiles.h"
#include "ImageThomsenCases.h"
#include "Reference/TensorReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace isochrone;
using namespace isochrone::image;
using execution::HostDevice;

namespace {

Options additive() {
  Options options;
  options.factoring = SourceFactoring::Additive;
  return options;
}

Result solve(const Problem& problem, const Options& options = {}, const Monitor& monitor = {},
             int threads = 1) {
  HostDevice device{threads};
  SolverInput input(problem, options);
  Result result;
  solveTensorTiles(device, input, monitor, result);
  return result;
}

Result solveOnHost(const Problem& problem, Options options = {}) {
  options.backend = Backend::Host;
  return solveImageTravelTime(problem, options, {});
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

constexpr double rounding = 1e-6;

class ImageTensorTiles : public testing::TestWithParam<std::string> {
protected:
  Case c = makeTensorCase(GetParam());
  const Problem& problem = c.problem;
};

} // namespace

TEST_P(ImageTensorTiles, EqualTheReference) {
  EXPECT_LE(largestDifference(solve(problem).travelTime, reference::tensorTimes(problem)), rounding);
}

TEST_P(ImageTensorTiles, AgreeWithTheHostSolver) {
  EXPECT_LE(largestDifference(solve(problem).travelTime, solveOnHost(problem).travelTime), rounding);
  const Result factored = solve(problem, additive()), expected = solveOnHost(problem, additive());
  EXPECT_LE(largestDifference(factored.travelTime, expected.travelTime), rounding);
  EXPECT_EQ(factored.ballRadius, expected.ballRadius);
}

TEST_P(ImageTensorTiles, GiveTheSameBitsForAnyThreadCount) {
  for (Options options : {Options{}, additive()}) {
    options.threads = 1;
    const Result one = solve(problem, options);
    options.threads = 3; // of the set-up
    EXPECT_EQ(solve(problem, options, {}, 3).travelTime, one.travelTime);
  }
}

TEST_P(ImageTensorTiles, LeaveNoResidual) {
  EXPECT_LE(residual(problem, solve(problem).travelTime, 2), 4 * 0x1p-23);
}

TEST_P(ImageTensorTiles, NeedThePredictedDeviceMemory) {
  const Result result = solve(problem);
  const std::size_t used = result.workBytes + 4 * result.travelTime.size();
  const std::size_t announced = tensorTileBytes(problem, SourceFactoring::Off);
  EXPECT_LE(used, announced);
  EXPECT_GE(used + (std::size_t(17) << 20), announced);
}

INSTANTIATE_TEST_SUITE_P(Images, ImageTensorTiles, testing::ValuesIn(tensorCaseNames()),
                         [](const auto& info) { return info.param; });

class ImageDriftTiles : public testing::TestWithParam<std::string> {
protected:
  DriftCase c = makeDriftCase(GetParam());
  const Problem& problem = c.problem;
};

/// A drift shifts values by up to `NearTheSpeed` 50 times the time of a step, and so their rounding.
constexpr double driftRounding = 1e-5;

TEST_P(ImageDriftTiles, AgreeWithTheReferenceAndTheHostSolver) {
  const Values<float> plain = solve(problem).travelTime;
  EXPECT_LE(largestDifference(plain, reference::tensorTimes(problem)), driftRounding);
  EXPECT_LE(largestDifference(plain, solveOnHost(problem).travelTime), driftRounding);
  const Result factored = solve(problem, additive()), expected = solveOnHost(problem, additive());
  EXPECT_LE(largestDifference(factored.travelTime, expected.travelTime), driftRounding);
  EXPECT_EQ(factored.ballRadius, expected.ballRadius);
}

TEST_P(ImageDriftTiles, GiveTheSameBitsForAnyThreadCount) {
  for (const Options& options : {Options{}, additive()})
    EXPECT_EQ(solve(problem, options, {}, 3).travelTime, solve(problem, options).travelTime);
}

TEST_P(ImageDriftTiles, NeedThePredictedDeviceMemory) {
  const Result result = solve(problem);
  const std::size_t used = result.workBytes + 4 * result.travelTime.size();
  EXPECT_LE(used, tensorTileBytes(problem, SourceFactoring::Off));
  EXPECT_GE(used + (std::size_t(17) << 20), tensorTileBytes(problem, SourceFactoring::Off));
}

TEST_P(ImageDriftTiles, DoNotStopASolveEarly) {
  Options options;
  options.stoppingTime = 4;
  options.stopAt = {problem.seeds[0].at};
  EXPECT_EQ(solve(problem, options).travelTime, solve(problem).travelTime);
}

INSTANTIATE_TEST_SUITE_P(Images, ImageDriftTiles, testing::ValuesIn(driftCaseNames()),
                         [](const auto& info) { return info.param; });

class ImageTiltedTiles : public testing::TestWithParam<std::string> {
protected:
  ThomsenCase c = makeThomsenCase(GetParam());
  const Problem& problem = c.problem;
};

TEST_P(ImageTiltedTiles, AgreeWithTheHostSolver) {
  EXPECT_LE(largestDifference(solve(problem).travelTime, solveOnHost(problem).travelTime), rounding);
  const Result factored = solve(problem, additive()), expected = solveOnHost(problem, additive());
  EXPECT_LE(largestDifference(factored.travelTime, expected.travelTime), rounding);
  EXPECT_EQ(factored.ballRadius, expected.ballRadius);
}

TEST_P(ImageTiltedTiles, LeaveNoResidual) {
  EXPECT_LE(residual(problem, solve(problem).travelTime, 2), 32 * 0x1p-23);
}

TEST_P(ImageTiltedTiles, GiveTheSameBitsForAnyThreadCount) {
  for (Options options : {Options{}, additive()}) {
    options.threads = 1;
    const Result one = solve(problem, options);
    options.threads = 3; // of the set-up
    EXPECT_EQ(solve(problem, options, {}, 3).travelTime, one.travelTime);
  }
}

TEST_P(ImageTiltedTiles, NeedThePredictedDeviceMemory) {
  const Result result = solve(problem);
  const std::size_t used = result.workBytes + 4 * result.travelTime.size();
  EXPECT_LE(used, tensorTileBytes(problem, SourceFactoring::Off));
  EXPECT_GE(used + (std::size_t(17) << 20), tensorTileBytes(problem, SourceFactoring::Off));
}

/// The estimate has room for the arrivals in a ball as large as the image.
TEST_P(ImageTiltedTiles, NeedNotMoreThanThePredictedDeviceMemoryWithFactoring) {
  const Result result = solve(problem, additive());
  const std::size_t used = result.workBytes + 4 * result.travelTime.size(),
                    announced = tensorTileBytes(problem, SourceFactoring::Additive);
  EXPECT_LE(used, announced);
  EXPECT_EQ(announced - tensorTileBytes(problem, SourceFactoring::Off),
            std::size_t(problem.grid.points()) * sizeof(ThomsenArrival));
}

INSTANTIATE_TEST_SUITE_P(Images, ImageTiltedTiles, testing::ValuesIn(thomsenCaseNames()),
                         [](const auto& info) { return info.param; });

namespace {

/// Expects the same times with tiles of other shapes, and other numbers of passes and bands.
void expectInAnyOrder(const Problem& problem, const auto& expected, double share, const std::string& name) {
  const auto solveWith = [&]<class Shape>(Shape) {
    for (const auto& [passes, band] : {std::pair{1, 0.f}, {5, 1.f}, {40, infinite}}) {
      HostDevice device{1};
      const Options options;
      SolverInput input(problem, options);
      Result result;
      const TensorTileSettings settings{passes, band};
      if (isTilted(problem))
        relaxTiltedTiles<Shape>(device, input, settings, {}, result);
      else
        relaxTensorTiles<Shape>(device, input, settings, {}, result);
      EXPECT_LE(largestDifference(result.travelTime, expected), share)
          << name << ' ' << passes << ' ' << band;
    }
  };
  if (problem.grid.nz == 1)
    solveWith(Box<8, 8, 1>{}), solveWith(Box<16, 16, 1>{});
  else
    solveWith(Box<4, 4, 4>{}), solveWith(Box<8, 8, 4>{});
}

} // namespace

TEST(ImageTensorTileSettings, AllReachTheSameFixedPointInAnyOrder) {
  for (const char* name : {"SpaceNoise", "SpaceRubble", "SeveralSeeds", "PlaneRubble", "TwentyToOne"}) {
    const Case c = makeTensorCase(name);
    expectInAnyOrder(c.problem, reference::tensorTimes(c.problem), rounding, name);
  }
  for (const char* name : {"SpaceNoise", "SpaceRubble", "SeveralSeeds", "PlaneRubble", "PlaneLimit"}) {
    const ThomsenCase c = makeThomsenCase(name);
    expectInAnyOrder(c.problem, solveOnHost(c.problem).travelTime, rounding, name);
  }
}

TEST(ImageTensorTileReaders, AreTheTilesWhosePointsReadATile) {
  const auto expectReaders = [](const Case& c) {
    const std::string& name = c.name;
    const Options options;
    const SolverInput input(c.problem, options);
    const bool plane = c.problem.grid.nz == 1;
    const TensorTerms terms(input, plane ? 3 : 6);
    const Tiling tiling(c.problem, plane ? std::array{16, 16, 1} : std::array{4, 4, 4});
    const TensorReaders readers(terms, tiling, input.pool);
    const auto inTile = [&](const GridIndex& at) {
      return std::array{int(at[0]) % tiling.shape[0], int(at[1]) % tiling.shape[1],
                        int(at[2]) % tiling.shape[2]};
    };
    std::int64_t reads = 0;
    for (std::int64_t n = 0; n < c.problem.grid.points(); ++n) {
      const GridIndex at = c.problem.grid.indices(n);
      terms.forEachRead(at, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
        ++reads;
        const auto list = readers.of(tiling.tileOf({i, j, k}));
        const auto entry = std::ranges::find(list, tiling.tileOf(at), &TensorReader::tile);
        ASSERT_NE(entry, list.end()) << name << n;
        EXPECT_TRUE(holds(entry->read, inTile({i, j, k}))) << name << n;
        EXPECT_TRUE(holds(entry->reads, inTile(at))) << name << n;
      });
    }
    EXPECT_GT(reads, 2 * c.problem.grid.points()) << name;
  };
  for (const char* name : {"Space", "SpaceRubble", "PlaneNoise", "Line"}) expectReaders(makeTensorCase(name));
  for (const char* name : {"SpaceRubble", "PlaneNoise"}) expectReaders(makeThomsenCase(name));
}

TEST(ImageTensorTileRuns, EqualTheFullRunUpToTheStoppingTime) {
  const Case c = makeTensorCase("Plane");
  const Result full = solve(c.problem);
  Options options;
  options.stoppingTime = 60;
  const Result stopped = solve(c.problem, options);
  EXPECT_LT(stopped.updatesPerPoint, full.updatesPerPoint);
  for (std::size_t n = 0; n < full.travelTime.size(); ++n) {
    const float expected = full.travelTime[n];
    if (expected < 59.999f) {
      ASSERT_FLOAT_EQ(stopped.travelTime[n], expected) << n;
    } else if (expected > 60.001f) {
      ASSERT_TRUE(std::isinf(stopped.travelTime[n])) << n;
    }
  }
}

TEST(ImageTensorTileRuns, StopWhenTheTipsAreFinal) {
  const Case c = constantTensors({96, 80, 1, 1, 1, 1}, 0.4, 0, 4);
  const Result full = solve(c.problem);
  Options options;
  options.stopAt = {{50, 42, 0}, {45, 38, 0}, {-100, 0, 0}};
  const Result stopped = solve(c.problem, options);
  EXPECT_LT(stopped.updatesPerPoint, 0.7 * full.updatesPerPoint);
  for (const std::int64_t tip : {c.problem.grid.index(50, 42, 0), c.problem.grid.index(45, 38, 0)})
    EXPECT_FLOAT_EQ(stopped.travelTime[tip], full.travelTime[tip]);
  for (std::size_t n = 0; n < full.travelTime.size(); ++n)
    if (std::isfinite(stopped.travelTime[n])) ASSERT_FLOAT_EQ(stopped.travelTime[n], full.travelTime[n]) << n;
}

TEST(ImageTensorTileRuns, StopOnRequest) {
  const Case c = constantTensors({700, 20, 1, 1, 1, 1}, 1.2, 0, 5); // many rounds
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

/// Points next to a seed may start before the corners of its cell.
TEST(ImageTensorTileRuns, StartAtAnyPositionWithFactoring) {
  for (const char* name : {"Plane", "PlaneUnequal", "Space", "SpaceNoise", "Metric"})
    for (int n = 0; n < 8; ++n) {
      Case c = makeTensorCase(name);
      const Grid& g = c.problem.grid;
      c.problem.seeds[0].at = {noise(3 * n) * double(g.nx - 1) * g.hx,
                               noise(3 * n + 1) * double(g.ny - 1) * g.hy,
                               noise(3 * n + 2) * double(g.nz - 1) * g.hz};
      const Result result = solve(c.problem, additive()), expected = solveOnHost(c.problem, additive());
      EXPECT_LE(largestDifference(result.travelTime, expected.travelTime), rounding) << name << n;
    }
}

/// The order of work differs: the update must not depend on the value before it where bounds apply.
TEST(ImageTensorTileRuns, StartAtAnyPositionOfATiltedMediumWithFactoring) {
  for (const char* name : {"Plane", "PlaneUnequal", "Space", "SpaceUnequal", "PlaneDelta"})
    for (int n = 0; n < 20; ++n) {
      ThomsenCase c = makeThomsenCase(name);
      const Grid& g = c.problem.grid;
      c.problem.seeds[0].at = {noise(3 * n) * double(g.nx - 1) * g.hx,
                               noise(3 * n + 1) * double(g.ny - 1) * g.hy,
                               noise(3 * n + 2) * double(g.nz - 1) * g.hz};
      const Result result = solve(c.problem, additive()), expected = solveOnHost(c.problem, additive());
      EXPECT_LE(largestDifference(result.travelTime, expected.travelTime), rounding) << name << n;
    }
}

TEST(ImageTensorTileRuns, SolveFromRegionsWhereFactoringHasNoBalls) {
  Case c = makeTensorCase("Space");
  c.regions.assign(c.problem.grid.points(), -1);
  for (std::int64_t n = 0; n < 40; ++n) c.regions[n] = 0;
  c.problem.seeds = {{{}, 2, true}};
  c.problem.seedRegions = c.regions;
  const Result result = solve(c.problem, additive());
  EXPECT_LE(largestDifference(result.travelTime, solveOnHost(c.problem).travelTime), rounding);
  EXPECT_TRUE(result.ballRadius.empty());
}

TEST(ImageTensorTileRuns, CountTheUpdatesOfThePoints) {
  const Case c = makeTensorCase("Space");
  Options options;
  options.updateCounts = true;
  const Result result = solve(c.problem, options);
  ASSERT_EQ(std::int64_t(result.updates.size()), c.problem.grid.points());
  EXPECT_GT(*std::ranges::min_element(result.updates), 0);
}

TEST(ImageTensorTileRuns, LeaveImagesWithTooManyPointsToTheHost) {
  Problem problem;
  problem.grid = {1300, 1300, 1300, 1, 1, 1};
  EXPECT_EQ(tensorTileBytes(problem, SourceFactoring::Off), tooManyForDevice);
  problem.grid = {1200, 1200, 1200, 1, 1, 1};
  EXPECT_LT(tensorTileBytes(problem, SourceFactoring::Off), tooManyForDevice / 2);
}
