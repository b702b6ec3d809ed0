// Claims about periodic axes and rectilinear grids by tile kernels, run by host teams with the same kernels
// as on CUDA.
#include "DistanceHostTiles.h"
#include "DistanceTransformChecks.h"
#include "DistanceTransformGrids.h"

#include <gtest/gtest.h>

#include <string>

using namespace isochrone;
using namespace isochrone::distance;

namespace {

const TransformSettings window{true, 0}, oneStack{false, 1}, windowAndBands{true, 3}, manyBands{false, 13};
const TransformSettings allSettings[] = {window, oneStack, windowAndBands, manyBands};

std::string nameOf(const TransformSettings& settings) {
  return std::string(settings.window ? "window" : "no window") + ", bands " + std::to_string(settings.bands);
}

Options everything(Region region = Region::Outside) { return optionsFor("double squared site", region); }

Result transform(const Case& c, const Options& options, const TransformSettings& settings = {},
                 int threads = 1) {
  execution::HostDevice device{threads};
  Result result;
  solveTransform(device, c.problem, options, settings, {}, result);
  return result;
}

void expectHost(const Case& c, const std::string& what, const Options& options,
                const TransformSettings& settings = {}, int threads = 1) {
  expectHostOnGrid(c, what + ", " + nameOf(settings), options, transform(c, options, settings, threads),
                   solve(c, options));
}

Case periodic(const Grid& grid, const Sites& sites, const Axes& axes) {
  return withAxes(makeCase("periodic", grid, sites), axes);
}

/// @param announced  with a reserve for small arrays
void expectPredicted(std::size_t used, std::size_t announced) {
  constexpr std::size_t reserve = 16 << 20, small = 512;
  EXPECT_LE(used, announced - reserve + small);
  EXPECT_GE(used + (std::size_t(1) << 20), announced - reserve);
}

class DistancePeriodicTiles : public testing::TestWithParam<std::string> {
protected:
  const std::size_t turn = std::size_t(std::ranges::find(caseNames(), GetParam()) - caseNames().begin());
  const Axes& axesOf(std::size_t t) { return allAxes()[(turn + t) % allAxes().size()]; }
};

} // namespace

TEST_P(DistancePeriodicTiles, AgreeWithTheHostForEveryMethod) { // in turn: axes and regions meet some images
  for (std::size_t t = 0; t < std::size(allSettings); ++t) {
    const Case c = withAxes(makeCase(GetParam()), axesOf(2 * t));
    const Region region = allRegions[(turn + t) % 4];
    expectHost(c, "everything", everything(region), allSettings[t]);
    expectHost(c, "float", optionsFor("float", region), allSettings[t]);
  }
}

TEST_P(DistancePeriodicTiles, AgreeWithTheHostUpToAMaximumDistance) {
  for (const double maximum : {2.5, 20., 35.}) {
    Options options = everything(Region::Signed);
    options.maximumDistance = maximum;
    const Case c = withAxes(makeCase(GetParam()), axesOf(std::size_t(maximum)));
    expectHost(c, std::to_string(maximum), options, allSettings[std::size_t(maximum) % 4]);
  }
}

TEST_P(DistancePeriodicTiles, NeedThePredictedDeviceMemory) {
  const Case c = withAxes(makeCase(GetParam()), axesOf(0));
  const Result result = transform(c, everything(), oneStack);
  const std::size_t used = result.workBytes + 24 * result.squaredDistance.size();
  const std::size_t announced = transformBytes(c.problem, everything(), oneStack);
  expectPredicted(used, announced);
}

INSTANTIATE_TEST_SUITE_P(Images, DistancePeriodicTiles, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

TEST(DistanceGridTiles, PeriodicLinesOfAnyLengthAgreeWithTheHost) {
  for (std::int64_t n = 1; n < 71; ++n)
    for (const double share : {0.02, 0.3}) {
      const auto seed = std::uint64_t(n);
      for (const Grid& grid : {Grid{n, 9, 1}, Grid{9, n, 1}, Grid{3, 4, n}, Grid{n, 2, 3, 0.7, 1, 1}}) {
        const Axes& axes = allAxes()[std::size_t(n) % 7];
        expectHost(periodic(grid, randomSites(share, seed), axes), "some axes", everything(Region::Both));
        expectHost(periodic(grid, randomSites(share, seed), {true, true, true}), "all axes",
                   optionsFor("squared"), allSettings[n % 4]);
      }
    }
}

TEST(DistanceGridTiles, OneSiteAnywhereIsFoundAroundThePeriod) {
  for (const std::int64_t x : {0, 1, 15, 31, 32, 63, 64, 69})
    for (const std::int64_t y : {0, 30, 31, 63, 64, 95, 127, 128, 129}) {
      const Case c = periodic({70, 130, 1}, oneSite(x, y), {true, true, false});
      const std::string what = std::to_string(x) + ", " + std::to_string(y);
      for (const TransformSettings& settings : allSettings) expectHost(c, what, everything(), settings);
      Options near = optionsFor("float");
      near.maximumDistance = 30;
      expectHost(c, what + ", near", near);
    }
}

TEST(DistanceGridTiles, EquallyNearSitesAreThoseOfTheTiling) {
  for (const std::int64_t n : {2, 4, 6, 8, 12, 31, 32, 62, 64, 96}) // half a period away on both sides
    for (const Axes& axes : allAxes())
      for (const Grid& grid : {Grid{n, n, 1}, Grid{n, 4, 6}, Grid{5, 3, n}})
        for (const Sites& sites : {oneSite(1, n > 2 ? 2 : 0), lattice(4)})
          for (const TransformSettings& settings : {window, oneStack})
            expectHost(periodic(grid, sites, axes), "n " + std::to_string(n), everything(), settings);
}

TEST(DistanceGridTiles, LongPeriodicLinesAgreeWithTheHost) {
  for (const Grid& grid : {Grid{9001, 3, 1}, Grid{3, 9001, 1}, Grid{2, 3, 3000}, Grid{2, 9000, 2}})
    for (const Sites& sites : {randomSites(0.0005), oneSite(0)})
      expectHost(periodic(grid, sites, {true, true, true}), "long", everything());
}

TEST(DistanceGridTiles, LongPeriodicLinesOfUnequalSpacingAgreeWithTheHost) {
  for (const Grid& grid :
       {Grid{9, 350, 1, 1, 1.3, 1}, Grid{4, 150, 9, 1, 0.1, 2}, Grid{9, 4, 150, 1, 2, 0.3}})
    for (const Sites& sites : {randomSites(0.004), oneSite(2, 3)})
      for (const TransformSettings& settings : allSettings)
        expectHost(periodic(grid, sites, {true, true, true}), "long", everything(), settings);
}

TEST(DistanceGridTiles, PeriodicImagesOfAnyDensityAgreeWithTheHostForAnyThreadCount) {
  for (const double share : {0.0001, 0.001, 0.01, 0.1, 0.5})
    for (const Grid& grid : {Grid{150, 280, 1}, Grid{70, 66, 140}}) {
      const Case c = periodic(grid, randomSites(share), {true, true, true});
      expectHost(c, std::to_string(share), optionsFor("float site"));
      expectHost(c, std::to_string(share) + ", three threads", optionsFor("float", Region::Signed),
                 windowAndBands, 3);
    }
}

TEST(DistanceGridTiles, RectilinearGridsAgreeWithTheHost) {
  std::size_t turn = 0;
  for (const Grid& grid : {Grid{200, 1, 1}, Grid{1, 1, 90}, Grid{37, 141, 1}, Grid{1, 130, 33},
                           Grid{13, 71, 70}, Grid{2, 3, 170}, Grid{1, 1, 1}})
    for (const double share : {0.0, 0.001, 0.02, 0.3, 1.0})
      for (const double least : {1.0, 0.2, 1e-6}) {
        const RectilinearCase c =
            unevenCase(grid, randomSites(share, std::uint64_t(grid.nx)), least, std::uint64_t(grid.ny));
        const std::size_t i = turn++ % 4; // methods and regions meet some of the grids
        expectHost(c.sites, std::to_string(share), everything(allRegions[i]), allSettings[turn % 3]);
        expectHost(c.sites, std::to_string(share), optionsFor("float", allRegions[3 - i]));
      }
}

TEST(DistanceGridTiles, RectilinearGridsAgreeWithTheHostAroundAShell) {
  for (const TransformSettings& settings : allSettings) {
    expectHost(unevenCase({140, 144, 1}, shell(60, 72, 0, 55), 0.3).sites, "plane", everything(Region::Both),
               settings);
    expectHost(unevenCase({46, 45, 44}, shell(20, 27, 17, 15), 0.3).sites, "volume", everything(), settings);
  }
}

TEST(DistanceGridTiles, RectilinearGridsAgreeWithTheHostUpToAMaximumDistance) {
  for (const double maximum : {0.4, 2.0, 7.5, 30.0})
    for (const double share : {0.0005, 0.02})
      for (const TransformSettings& settings : allSettings) {
        Options options = everything(Region::Signed);
        options.maximumDistance = maximum;
        expectHost(unevenCase({41, 129, 15}, randomSites(share), 0.1).sites, std::to_string(maximum), options,
                   settings);
      }
}

TEST(DistanceGridTiles, RectilinearGridsThatAreFineInOnePartAgreeWithTheHost) {
  Coordinates at; // windows reach far in one part, and not in the other
  for (std::size_t a = 0; a < 3; ++a)
    for (int i = 0; i < (a == 1 ? 140 : 40); ++i)
      at[a].push_back(i == 0 ? 0 : at[a].back() + (a == 1 && i < 90 ? 0.01 : 1));
  for (const double share : {0.0005, 0.002, 0.01})
    for (const TransformSettings& settings : {window, windowAndBands}) {
      const RectilinearCase c{makeCase("fine", {40, 140, 40}, randomSites(share)), at};
      expectHost(c.sites, std::to_string(share), everything(), settings);
    }
}

TEST(DistanceGridTiles, RectilinearGridsOfExtremeUnitsAgreeWithTheHost) {
  for (const double unit : {0x1p-320, 0x1p320}) {
    RectilinearCase even = unevenCase({50, 80, 12}, randomSites(0.01));
    for (std::vector<double>& line : even.at)
      for (double& x : line) x *= unit;
    const RectilinearCase c{makeCase("unit", {50, 80, 12}, randomSites(0.01)), even.at};
    for (const TransformSettings& settings : allSettings)
      expectHost(c.sites, "unit", everything(Region::Both), settings);
  }
}

TEST(DistanceGridTiles, LongPeriodicLinesNeedThePredictedDeviceMemory) {
  const Case c = periodic({5, 3, 300}, randomSites(0.001), {true, true, true});
  const Result result = transform(c, everything(), oneStack);
  expectPredicted(result.workBytes + 24 * result.squaredDistance.size(),
                  transformBytes(c.problem, everything(), oneStack));
}

TEST(DistanceGridTiles, RectilinearGridsNeedThePredictedDeviceMemory) {
  const RectilinearCase c = unevenCase({50, 80, 70}, randomSites(0.001));
  const Result result = transform(c.sites, everything(), oneStack);
  const std::size_t used = result.workBytes + 24 * result.squaredDistance.size();
  const std::size_t announced = transformBytes(c.sites.problem, everything(), oneStack);
  expectPredicted(used, announced);
}
