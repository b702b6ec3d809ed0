// Claims about tiles of rectilinear and spherical grids, run by host teams with the same kernels as on CUDA.
#include "ImageHostTiles.h"
#include "ImageOrthogonalTileCases.h"
#include "ImageTravelTime/Seeds/ClosedProblem.h"
#include "ImageTravelTime/Seeds/OpenPlaces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

using namespace isochrone;
using namespace isochrone::image;
using execution::HostDevice;

namespace {

class ImageOrthogonalTiles : public testing::TestWithParam<std::string> {
protected:
  OrthogonalCase c = orthogonalCase(GetParam());
  std::optional<ClosedProblem> closed;
  const Problem* problem = &c.problem;

  void SetUp() override {
    if (!isOpenCircle(c.problem)) return;
    closed.emplace(c.problem);
    problem = &closed->problem();
  }
  Result tiles(const Options& options = {}, int threads = 1) const {
    HostDevice device{threads};
    Result result;
    solveOrthogonalTiles(device, SolverInput(*problem, options), {}, result);
    return result;
  }
  template <class Shape>
  Result tilesOf(const Options& options, const TileSettings& settings) const {
    HostDevice device{1};
    Result result;
    relaxOrthogonalTiles<Shape>(device, SolverInput(*problem, options), settings, {}, result);
    return result;
  }
  void expectHostTimes(const Result& result, const Options& options) const {
    expectSameTimes(result, solve(*problem, options));
  }
};

} // namespace

TEST_P(ImageOrthogonalTiles, AgreeWithTheHostSolver) {
  for (const Options& options : {Options{}, additive()}) expectHostTimes(tiles(options), options);
}

TEST_P(ImageOrthogonalTiles, GiveTheSameBitsForAnyThreadCount) {
  for (const Options& options : {Options{}, additive()})
    EXPECT_EQ(tiles(options, 3).travelTime, tiles(options).travelTime);
}

TEST_P(ImageOrthogonalTiles, NeedAtMostThePredictedDeviceMemory) {
  constexpr std::size_t small = 512, reserve = std::size_t(16)
                                               << 20; // arrays of a few numbers; see tileBytes
  for (const Options& options : {Options{}, additive()}) {
    const Result result = tiles(options);
    const std::size_t used = result.workBytes + 4 * result.travelTime.size() + problem->barriers.size();
    const std::size_t announced = tileBytes(SolverInput(*problem, options)) - reserve;
    EXPECT_LE(used, announced + small);
    EXPECT_GE(used + used / 3 + small, announced);
  }
}

TEST_P(ImageOrthogonalTiles, GiveThePointsOfOnePlaceOneTime) {
  for (const Options& options : {Options{}, additive()}) {
    const Result result = tiles(options);
    for (const std::vector<GridIndex>& place : openPlaces(*problem)) {
      const auto timeOf = [&](const GridIndex& p) {
        return result.travelTime[std::size_t(problem->grid.index(p))];
      };
      for (const GridIndex& p : place) ASSERT_EQ(timeOf(p), timeOf(place[0]));
    }
  }
}

TEST_P(ImageOrthogonalTiles, EqualTheFullRunUpToTheTipsAndTheStoppingTime) {
  const Result full = tiles();
  std::vector<float> reached;
  for (const float u : full.travelTime)
    if (std::isfinite(u)) reached.push_back(u);
  std::ranges::sort(reached);
  const float middle = reached[reached.size() / 2];
  const auto tip = std::ranges::find(full.travelTime, middle) - full.travelTime.begin();
  const auto [i, j, k] = problem->grid.indices(tip);
  Options untilTime, untilTip;
  untilTime.stoppingTime = double(middle) * (1 + 1e-6);
  untilTip.stopAt = {{double(i), double(j), double(k)}};
  for (const Options& options : {untilTime, untilTip}) {
    const Result stopped = tiles(options);
    EXPECT_LE(stopped.updatesPerPoint, full.updatesPerPoint);
    for (std::size_t n = 0; n < full.travelTime.size(); ++n) {
      if (full.travelTime[n] <= middle) {
        ASSERT_NEAR(stopped.travelTime[n], full.travelTime[n], 1e-6 * middle) << n;
      } else if (options.stopAt.empty() && full.travelTime[n] > middle * (1 + 1e-5f)) {
        ASSERT_TRUE(std::isinf(stopped.travelTime[n])) << n;
      }
    }
  }
}

/// With factoring, the tiles choose the seed of a point between several balls.
TEST_P(ImageOrthogonalTiles, ReachTheSameFixedPointInAnyOrderAndWithAnyTiles) {
  const auto inAnyOrder = [&]<class Shape>(Shape, const Options& options) {
    for (const auto& [passes, band] : {std::pair{1, 0.f}, {20, infinite}})
      expectHostTimes(tilesOf<Shape>(options, {passes, band}), options);
  };
  if (problem->grid.nz == 1)
    inAnyOrder(PlaneTile{}, additive()), inAnyOrder(Box<8, 8, 1>{}, {});
  else
    inAnyOrder(SpaceTile{}, additive()), inAnyOrder(Box<4, 4, 4>{}, {});
}

TEST(ImageOrthogonalTilesRuns, StopOnRequest) {
  const OrthogonalCase c = sphericalCase("Closed");
  int calls = 0;
  HostDevice device{1};
  Result result;
  solveOrthogonalTiles(device, SolverInput(c.problem, {}), {[&](double) { return ++calls < 2; }}, result);
  EXPECT_TRUE(result.aborted);
  EXPECT_EQ(calls, 2);
  EXPECT_TRUE(result.travelTime.empty());
}

INSTANTIATE_TEST_SUITE_P(Grids, ImageOrthogonalTiles, testing::ValuesIn(orthogonalCaseNames()),
                         [](const auto& info) { return info.param; });
