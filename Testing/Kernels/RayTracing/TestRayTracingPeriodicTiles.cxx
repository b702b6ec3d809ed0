// Claims about the tile kernels on images with periodic axes, run by host teams: the bits of the host's
// sweeps, in the margin, too.
#include "RayHostTiles.h"
#include "RayTracing/Seeds/PeriodicProblem.h"
#include "RayTracingTori.h"

#include <gtest/gtest.h>

#include <utility>

namespace isochrone::rays {

namespace {

/// Solves the part that stands for an image with periodic axes.
Result byTiles(const Problem& part, const Options& options, const TileSettings& settings = {}) {
  execution::HostDevice device{1};
  Result result;
  solveByTiles(device, part, options, settings, {}, result);
  return result;
}

/// Expects the same times at all points of the grid.
void expectSameTimes(const Result& result, const Result& expected) {
  ASSERT_EQ(result.fields.size(), expected.fields.size());
  for (std::size_t f = 0; f < result.fields.size(); ++f) {
    EXPECT_EQ(result.fields[f].travelTime, expected.fields[f].travelTime) << "field " << f;
    EXPECT_EQ(result.fields[f].preciseTravelTime, expected.fields[f].preciseTravelTime) << "field " << f;
  }
}

class RaysPeriodicTiles : public testing::TestWithParam<Named> {
protected:
  const Options& options = GetParam().options;
};

} // namespace

TEST_P(RaysPeriodicTiles, GiveTheBitsOfTheHostInTheMarginToo) {
  for (const bool withInterface : {false, true}) {
    const Case c = torus(GetParam().grid, GetParam().periodic, options, withInterface);
    const PeriodicProblem periodic(c.problem, options);
    const Result expected = solve(periodic.problem(), options);
    ASSERT_EQ(std::int64_t(std::max(expected.fields.at(0).travelTime.size(),
                                    expected.fields.at(0).preciseTravelTime.size())),
              periodic.problem().grid.points());

    expectSameTimes(byTiles(periodic.problem(), options), expected);
    for (const auto& [passes, band] : {std::pair{1, 0.}, {2, 5.}, {100, 1e9}})
      expectSameTimes(byTiles(periodic.problem(), options, {passes, band}), expected);
  }
}

TEST_P(RaysPeriodicTiles, NeedThePredictedDeviceMemory) {
  const Case c = torus(GetParam().grid, GetParam().periodic, options);
  const PeriodicProblem periodic(c.problem, options);
  const std::size_t back = std::size_t(periodic.problem().grid.points()) * (options.doublePrecision ? 8 : 4);
  const std::size_t used = byTiles(periodic.problem(), options).workBytes + back,
                    announced = kernelBytes(periodic.problem(), options);

  EXPECT_LE(used, announced);
  EXPECT_GE(used + (std::size_t(17) << 20), announced);
}

INSTANTIATE_TEST_SUITE_P(Images, RaysPeriodicTiles, testing::ValuesIn(toriForKernels()),
                         [](const auto& info) { return info.param.name; });

TEST(RaysPeriodicTilesRuns, SeparateSourcesEachHaveTheirOwnTimes) {
  Options options = onHost(WeightRule::Fast);
  options.separateSources = true;
  Case c = torus({40, 31, 1}, {true, true, false}, options);
  for (int s = 0; s < 18; ++s) c.problem.sources.push_back({{7.5 * s, 1 + 4.25 * s, 0}, 0.1 * s});
  std::ranges::fill(c.slowness, 0.5f);
  const PeriodicProblem periodic(c.problem, options);

  const Result result = byTiles(periodic.problem(), options);

  ASSERT_EQ(result.fields.size(), 20u);
  expectSameTimes(result, solve(periodic.problem(), options));
}

TEST(RaysPeriodicTilesRuns, AWaveThroughAMazeCrossesTheBordersManyTimes) {
  // Slanted walls join across both borders: the corridor winds around the torus.
  for (const WeightRule rule : {WeightRule::Fast, WeightRule::Accurate, WeightRule::Cells}) {
    const Options options = onHost(rule);
    const std::int64_t size = rule == WeightRule::Cells ? 61 : 60;
    Case c = makeCase({"maze",
                       {size, size, 1},
                       [](std::int64_t i, std::int64_t j, std::int64_t) {
                         return (i + 3 * j) % 20 < 4 && !(j == 31 && i % 20 > 9)
                                    ? blanked
                                    : 1 + noise(numberOf(i, j, 0));
                       },
                       {{{10, 0, 0}}},
                       {}},
                      options);
    c.problem.periodic = {true, true, false};
    const PeriodicProblem periodic(c.problem, options);

    expectSameTimes(byTiles(periodic.problem(), options), solve(periodic.problem(), options));
  }
}

TEST(RaysPeriodicTilesRuns, RelaxAPointLittleMoreOftenInFewerRounds) {
  for (const double slope : {0., 0.02}) {
    const Options options = onHost(WeightRule::Fast, StarKind::Coprime, {6, 6, 6});
    Case c =
        makeCase({"smooth", {500, 500, 1}, gradient(slope / 10, slope, 0), {{{100, 300, 0}}}, {}}, options);
    int plainRounds = 0, rounds = 0;
    TileSettings settings;
    settings.rounds = &plainRounds;
    const double plain = byTiles(c.problem, options, settings).relaxationsPerPoint;
    c.problem.periodic = {true, true, false};
    const PeriodicProblem periodic(c.problem, options);
    settings.rounds = &rounds;

    const double relaxations = byTiles(periodic.problem(), options, settings).relaxationsPerPoint;

    EXPECT_LT(relaxations, 1.15 * plain);
    EXPECT_LT(rounds, plainRounds);
  }
}

} // namespace isochrone::rays
