// Claims about rays in tilted media by kernels, run by host teams with the same kernels as on CUDA.
#include "RayHostTiles.h"
#include "RayTracing/Scheme/WholeImage.h"
#include "RayTracing/Seeds/PeriodicProblem.h"
#include "RayTracingTiltedCases.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

using namespace isochrone;
using namespace isochrone::rays;
using execution::HostDevice;

namespace {

Result byTiles(const Problem& problem, const Options& options, const TileSettings& settings = {},
               const Monitor& monitor = {}) {
  HostDevice device{2};
  Result result;
  solveByTiles(device, problem, options, settings, monitor, result);
  return result;
}

Result plainly(const Problem& problem, const Options& options, const Monitor& monitor = {}) {
  HostDevice device{2};
  Result result;
  relaxPlainly(device, problem, options, monitor, result);
  return result;
}

/// The medium of a name; with periodic axes, as a part of the endless image.
class TiltedTiles : public testing::TestWithParam<NamedTilted> {
protected:
  const TiltedCase c = roughCase(GetParam());
  const Options options = GetParam().options;
  std::optional<PeriodicProblem> periodic;

  const Problem& problem() const { return periodic ? periodic->problem() : c.problem; }
  void SetUp() override {
    if (isPeriodic(c.problem)) periodic.emplace(c.problem, options);
  }
};

} // namespace

TEST_P(TiltedTiles, GiveTheBitsOfTheHostInAnyOrder) {
  const Result expected = solve(problem(), options);
  for (const auto& [passes, band] : {std::pair{8, 32.}, {1, 0.}, {100, 1e9}}) {
    const Result result = byTiles(problem(), options, {passes, band});
    ASSERT_EQ(result.fields.size(), expected.fields.size());
    for (std::size_t f = 0; f < result.fields.size(); ++f) {
      EXPECT_EQ(result.fields[f].travelTime, expected.fields[f].travelTime) << passes;
      EXPECT_EQ(result.fields[f].preciseTravelTime, expected.fields[f].preciseTravelTime) << passes;
    }
  }
}

TEST_P(TiltedTiles, AreTheSameAsPlainRelaxation) {
  if (periodic) return; // plain relaxation takes no periodic axes
  Options with = options;
  with.predecessors = true;
  const Result tiles = byTiles(problem(), with), plain = plainly(problem(), with);
  ASSERT_EQ(tiles.fields.size(), plain.fields.size());
  for (std::size_t f = 0; f < tiles.fields.size(); ++f) {
    EXPECT_EQ(tiles.fields[f].travelTime, plain.fields[f].travelTime);
    EXPECT_EQ(tiles.fields[f].preciseTravelTime, plain.fields[f].preciseTravelTime);
    EXPECT_EQ(tiles.fields[f].predecessor, plain.fields[f].predecessor);
    EXPECT_FALSE(tiles.fields[f].predecessor.empty());
  }
}

TEST_P(TiltedTiles, NeedThePredictedDeviceMemory) {
  const std::size_t back = std::size_t(problem().grid.points()) * (options.doublePrecision ? 8 : 4);
  const std::size_t used = byTiles(problem(), options).workBytes + back,
                    announced = kernelBytes(problem(), options);
  EXPECT_LE(used, announced);
  EXPECT_GE(used + (std::size_t(17) << 20), announced);
}

INSTANTIATE_TEST_SUITE_P(Images, TiltedTiles, testing::ValuesIn(tiltedForKernels()),
                         [](const auto& info) { return info.param.name; });

TEST(TiltedTilesRuns, PlainRelaxationOnTheHostHasThePredecessorsAndSourcesOfOrderedTiles) {
  const TiltedCase c = roughCase(tiltedForKernels()[1]);
  Options options = tiltedForKernels()[1].options;
  options.predecessors = options.sourceIds = true;
  const Result ordered = solve(c.problem, options);
  options.method = Method::PlainRelaxation;
  expectSame(c, "plain relaxation", solve(c.problem, options), ordered);
}

TEST(TiltedTilesRuns, TheMonitorIsAskedWhileTheSlownessIsComputed) {
  const Options options = onHost(WeightRule::Fast, StarKind::Coprime, {1, 1, 1});
  const Grid g{500, 300, 1};
  const TiltedCase c =
      tiltedCase(g, options, {3, 4, 0}, [&](double i, double j, double k) { return varying(g, i, j, k); });
  for (const bool tiles : {true, false}) {
    int calls = 0;
    const Monitor monitor{[&](double) { return ++calls < 2; }};
    const Result result =
        tiles ? byTiles(c.problem, options, {}, monitor) : plainly(c.problem, options, monitor);
    EXPECT_TRUE(result.aborted);
    EXPECT_TRUE(result.fields.empty());
    EXPECT_EQ(calls, 2);
  }
}
