// Claims about ray tracing by kernels, run by host teams with the same kernels as on CUDA.
#include "RayHostTiles.h"
#include "RayTracingKernelCases.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <string>
#include <utility>

using namespace isochrone;
using namespace isochrone::rays;
using execution::HostDevice;

namespace {

Result byTiles(const Case& c, const TileSettings& settings = {}, const Monitor& monitor = {}) {
  HostDevice device{1};
  Result result;
  solveByTiles(device, c.problem(), c.options, settings, monitor, result);
  return result;
}

Result plainly(const Case& c, int threads = 1, const Monitor& monitor = {}) {
  HostDevice device{threads};
  Result result;
  relaxPlainly(device, c.problem(), c.options, monitor, result);
  return result;
}

class RayTiles : public testing::TestWithParam<std::string> {
protected:
  const Case c = makeCase(GetParam());
};

} // namespace

TEST_P(RayTiles, GiveTheBitsOfSweepsOverTheWholeImage) { expectSame(byTiles(c), sweepAll(c)); }

TEST_P(RayTiles, GiveTheSameBitsInAnyOrder) {
  const Result result = byTiles(c);

  for (const auto& [passes, band] : {std::pair{1, 0.}, {2, 5.}, {100, 1e9}})
    expectSame(byTiles(c, {passes, band}), result);
}

TEST_P(RayTiles, AreTheSameAsPlainRelaxation) {
  const Result result = byTiles(c);

  expectSame(plainly(c), result);
  expectSame(plainly(c, 2), result);
}

TEST_P(RayTiles, FindTheEarlierNeighboursOfAllPoints) {
  Case withPredecessors = c;
  withPredecessors.options.predecessors = true;

  const Result result = byTiles(withPredecessors);

  const auto runs = sourcesOfRuns(withPredecessors);
  for (std::size_t run = 0; run < runs.size(); ++run)
    if (c.options.doublePrecision)
      expectEarlierNeighbours<double>(withPredecessors, result.fields[run], runs[run]);
    else
      expectEarlierNeighbours<float>(withPredecessors, result.fields[run], runs[run]);
}

TEST_P(RayTiles, NeedThePredictedDeviceMemory) {
  const std::size_t points = c.grid.points(), back = points * (c.options.doublePrecision ? 8 : 4);
  const std::size_t used = byTiles(c).workBytes + back, announced = kernelBytes(c.problem(), c.options);

  EXPECT_LE(used, announced);
  EXPECT_GE(used + (std::size_t(17) << 20), announced);
}

INSTANTIATE_TEST_SUITE_P(Images, RayTiles, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

TEST(RayTilesRuns, FollowTheWave) {
  const Grid plane{640, 640, 1};
  for (const SlownessModel& model : {SlownessModel(constant), SlownessModel(gradient)}) {
    const Case c =
        makeCase("Smooth", plane, optionsOf(WeightRule::Fast, {6, 6, 6}), model, {{{100, 300, 0}, 0}});
    int rounds = 0;
    TileSettings settings;
    settings.rounds = &rounds;

    const double relaxations = byTiles(c, settings).relaxationsPerPoint;

    EXPECT_LT(relaxations, 12);
    EXPECT_GT(relaxations, 1);
    EXPECT_LT(rounds, 250); // one point per step would take 540
  }
}

TEST(RayTilesRuns, PlainRelaxationTakesAPassPerEdgeOfTheLongestPath) {
  const Case c =
      makeCase("Line", {50, 1, 1}, optionsOf(WeightRule::Fast, {1, 1, 1}), constant, {{{0, 0, 0}, 0}});

  EXPECT_EQ(plainly(c).relaxationsPerPoint, 50); // 49 edges, and a pass that detects no change
}

TEST(RayTilesRuns, AnAbortedRunLeavesNothing) {
  const Case c = makeCase("SeparateSources");
  for (const int maximum : {1, 2}) {
    int calls = 0;
    const Monitor monitor{[&](double share) {
      EXPECT_GE(share, 0);
      EXPECT_LE(share, 1);
      return ++calls < maximum;
    }};
    for (const bool tiles : {true, false}) {
      calls = 0;
      const Result result = tiles ? byTiles(c, {}, monitor) : plainly(c, 1, monitor);

      EXPECT_TRUE(result.aborted);
      EXPECT_EQ(calls, maximum);
      EXPECT_TRUE(result.fields.empty());
    }
  }
}

TEST(RayTilesRuns, ImagesBeyondTheIndexRangeExceedAnyMemory) {
  Problem problem;
  problem.grid = {std::int64_t(1) << 24, std::int64_t(1) << 24, 1};

  EXPECT_EQ(kernelBytes(problem, {}), std::numeric_limits<std::size_t>::max());
}
