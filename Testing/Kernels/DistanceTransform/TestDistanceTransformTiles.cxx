// Claims about the distance transform by tile kernels, run by host teams with the same kernels as on CUDA.
#include "DistanceHostTiles.h"
#include "DistanceTransformChecks.h"

#include <gtest/gtest.h>

#include <string>

using namespace isochrone;
using namespace isochrone::distance;
using execution::HostDevice;

namespace {

const TransformSettings window{true, 0}, oneStack{false, 1}, fourBands{false, 4}, windowAndBands{true, 3},
    manyBands{false, 13};
const TransformSettings allSettings[] = {window, oneStack, fourBands, windowAndBands, manyBands};

std::string nameOf(const TransformSettings& settings) {
  return std::string(settings.window ? "window" : "no window") + ", bands " + std::to_string(settings.bands);
}

Result transform(const Case& c, const Options& options, const TransformSettings& settings = {},
                 int threads = 1) {
  HostDevice device{threads};
  Result result;
  solveTransform(device, c.problem, options, settings, {}, result);
  return result;
}

Options everything(Region region = Region::Outside) { return optionsFor("double squared site", region); }

/// Expects equal integers; values computed in double agree to 4 units in the last place.
void expectHost(const Case& c, const std::string& what, const Options& options, const Result& result) {
  const Result host = solve(c, options);
  if (measure(c.problem, 0).integers) return expectSame(c, what, result, host);
  const auto compare = [&](const char* name, const auto& a, const auto& b) {
    ASSERT_EQ(a.size(), b.size()) << name;
    expectEach(
        c, what + ": " + name, a, [&](std::int64_t p) { return b[p]; },
        [](double x, double y, std::int64_t) { return near(x, y, 0x1p-50); });
  };
  compare("squared distance", result.squaredDistance, host.squaredDistance);
  compare("double distance", result.preciseDistance, host.preciseDistance);
}

class DistanceTiles : public testing::TestWithParam<std::string> {
protected:
  const Case c = makeCase(GetParam());
};

} // namespace

TEST_P(DistanceTiles, AgreeWithBruteForceForEveryMethod) {
  const reference::Nearest nearest = reference::compareAllPairs(c.problem, Region::Outside);

  for (const TransformSettings& settings : allSettings)
    expectResult(c, everything(), transform(c, everything(), settings), nearest, nameOf(settings));
}

TEST_P(DistanceTiles, AgreeWithTheHostInEveryRegion) {
  for (const Region region : allRegions)
    for (const TransformSettings& settings : {window, fourBands})
      expectHost(c, distance::nameOf(region) + ", " + nameOf(settings), everything(region),
                 transform(c, everything(region), settings));
}

TEST_P(DistanceTiles, AgreeWithTheHostUpToAMaximumDistance) {
  for (const double maximum : {2.5, 7., 20., 35.}) {
    Options options = everything(Region::Signed);
    options.maximumDistance = maximum;
    for (const TransformSettings& settings : {window, fourBands})
      expectHost(c, "at most " + std::to_string(maximum) + ", " + nameOf(settings), options,
                 transform(c, options, settings));
  }
}

TEST_P(DistanceTiles, GiveTheSameBitsForAnyThreadCount) {
  for (const TransformSettings& settings : {window, windowAndBands, manyBands})
    expectSame(c, nameOf(settings), transform(c, everything(Region::Both), settings, 3),
               transform(c, everything(Region::Both), settings));
}

TEST_P(DistanceTiles, GiveTheSameBitsForAnyOutputs) {
  for (const TransformSettings& settings : {window, oneStack}) {
    const Result whole = transform(c, everything(), settings);
    Result alone = transform(c, optionsFor("float"), settings);
    expectEach(
        c, nameOf(settings), alone.distance, [&](std::int64_t p) { return float(whole.preciseDistance[p]); },
        [](float a, float b, std::int64_t) { return a == b; });
    EXPECT_TRUE(alone.preciseDistance.empty() && alone.squaredDistance.empty() && alone.nearestSite.empty());
    EXPECT_EQ(transform(c, optionsFor("squared"), settings).squaredDistance, whole.squaredDistance);
    EXPECT_EQ(transform(c, optionsFor("site"), settings).nearestSite, whole.nearestSite);
  }
}

TEST_P(DistanceTiles, NeedThePredictedDeviceMemory) {
  const Result result = transform(c, everything());

  const std::size_t used = result.workBytes + 24 * result.squaredDistance.size();
  const std::size_t announced = transformBytes(c.problem, everything());
  EXPECT_LE(used, announced);
  EXPECT_GE(used + (std::size_t(17) << 20), announced);
}

INSTANTIATE_TEST_SUITE_P(Images, DistanceTiles, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

TEST(DistanceTilesRuns, EveryMethodAgreesWithTheHost) {
  for (const char* name : {"Everything", "EverythingUnequal"})
    for (const TransformSettings& settings : allSettings) {
      const Case c = makeCase(name);
      const Options options = everything(Region::Signed);
      expectHost(c, nameOf(settings), options, transform(c, options, settings, 2));
    }
}

TEST(DistanceTilesRuns, LongLinesAreExactInEveryDirection) {
  for (const Grid& g : {Grid{40000, 3, 1}, Grid{3, 40000, 1}, Grid{2, 3, 3000}, Grid{2, 40000, 2}})
    for (const Sites& sites : {randomSites(0.0005), oneSite(0)}) {
      const Case c = makeCase("Long", g, sites);
      expectHost(c, "", everything(), transform(c, everything()));
    }
}

TEST(DistanceTilesRuns, SquaresBeyond32BitsAreExact) {
  const Case c = makeCase("Corner", {3, 65537, 1}, oneSite(0));
  expectEach(
      c, "squared", transform(c, everything()).squaredDistance,
      [&](std::int64_t p) { return double((p % 3) * (p % 3) + (p / 3) * (p / 3)); },
      [](double a, double b, std::int64_t) { return a == b; });
}

TEST(DistanceTilesRuns, TilesOfWindowsAndOfStacksFitTogether) {
  const Sites some = randomSites(0.02);
  const auto half = [&](std::int64_t i, std::int64_t j, std::int64_t k) { return j > 300 && some(i, j, k); };
  for (const CaseMaker& maker :
       {CaseMaker{"Half", {200, 600, 1}, half}, CaseMaker{"Few", {150, 500, 1}, randomSites(0.001)},
        CaseMaker{"Volume", {40, 130, 140}, randomSites(0.0005)}}) {
    const Case c = makeCase(maker.name, maker.grid, maker.sites);
    const Result result = transform(c, everything());
    expectHost(c, "window", everything(), result);
    expectSame(c, "stacks", result, transform(c, everything(), manyBands));
    expectSame(c, "two threads", result, transform(c, everything(), {}, 2));
  }
}

TEST(DistanceTilesRuns, AgreeWithTheHostForAnyDensityOfSites) {
  for (const double share : {0.0001, 0.001, 0.01, 0.1, 0.5})
    for (const Grid& g : {Grid{150, 280, 1}, Grid{70, 66, 140}}) {
      const Case c = makeCase("Random", g, randomSites(share));
      const std::string what = std::to_string(share) + " sites";
      expectSame(c, what, transform(c, optionsFor("float")), solve(c, optionsFor("float")));
      expectHost(c, what, everything(), transform(c, everything()));
    }
}

TEST(DistanceTilesRuns, ASiteAtAnyEdgeOfAWindowHasItsFullReach) {
  for (const std::int64_t x : {0, 30, 31, 32, 63, 64, 95, 127, 128, 129})
    for (const std::int64_t y : {0, 15, 16, 63, 64, 97, 127, 128, 159, 259}) {
      const Case c = makeCase("Edge", {130, 260, 1}, oneSite(x, y));
      for (const double maximum : {29.5, 30., 31.}) { // windows alone, then windows and stacks
        Options options = optionsFor("float squared site");
        options.maximumDistance = maximum;
        const std::string what =
            std::to_string(x) + ", " + std::to_string(y) + " up to " + std::to_string(maximum);
        expectSame(c, what, transform(c, options), solve(c, options));
        options.nearestSite = false;
        expectSame(c, what, transform(c, options), solve(c, options));
      }
    }
}

TEST(DistanceTilesRuns, RowsOfAnyLengthArePackedByTheirBytes) {
  for (std::int64_t nx = 1; nx < 71; ++nx)
    for (const Region region : {Region::Outside, Region::Inside}) {
      const Case c = makeCase("Rows", {nx, 9, 1}, randomSites(0.4, std::uint64_t(nx)));
      expectSame(c, distance::nameOf(region), transform(c, optionsFor("float", region)),
                 solve(c, optionsFor("float", region)));
    }
}

TEST(DistanceTilesRuns, AVolumeNeedsStacksOnlyForLongDistances) {
  const Case c = makeCase("Volume", {96, 128, 96}, randomSites(0.001)); // most planes have some
  const Result result = transform(c, optionsFor("float"));

  for (const Pass& pass : result.passes) EXPECT_EQ(std::string(pass.name).find("stacks"), std::string::npos);
  expectSame(c, "float", result, solve(c, optionsFor("float")));
}

TEST(DistanceTilesRuns, AnEquallyNearSiteJustBeyondTheWindowIsFound) {
  constexpr std::int64_t r = windowReach + 1; // four points are this far from (70, 96), all others farther
  const Case c = makeCase("Hole", {140, 200, 1}, [](std::int64_t i, std::int64_t j, std::int64_t) {
    return (i - 70) * (i - 70) + (j - 96) * (j - 96) >= r * r;
  });

  for (const TransformSettings& settings : allSettings)
    EXPECT_EQ(transform(c, everything(), settings).nearestSite[70 + 140 * 96], 70 + 140 * (96 - r));
}

TEST(DistanceTilesRuns, AnAbortedTransformLeavesNothing) {
  const Case c = makeCase("Everything");
  HostDevice device{1};
  Result result;
  solveTransform(device, c.problem, everything(), {}, {[](double) { return false; }}, result);

  EXPECT_TRUE(result.aborted);
  EXPECT_TRUE(result.preciseDistance.empty() && result.squaredDistance.empty() && result.nearestSite.empty());
}

TEST(DistanceTilesRuns, EveryStepIsTimed) {
  const Case c = makeCase("Volume", {20, 200, 70}, randomSites(0.0001));
  std::string names;
  for (const Pass& pass : transform(c, everything(Region::Both), windowAndBands).passes) {
    EXPECT_GE(pass.seconds, 0);
    names += std::string(pass.name) + ", ";
  }

  EXPECT_EQ(names, "copy in, memory, x, x sites, y window, z window, y stacks, y merging, y painting, z "
                   "stacks, z merging, "
                   "z painting, copy out, ");
}

TEST(DistanceTilesRuns, ImagesBeyondTheIndexRangeExceedAnyMemory) {
  Problem problem;
  problem.grid = {4, std::int64_t(1) << 29, 8};

  EXPECT_EQ(transformBytes(problem, {}), std::numeric_limits<std::size_t>::max());
}
