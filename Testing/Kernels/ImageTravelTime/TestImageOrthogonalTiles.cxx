// Claims about tiles of rectilinear and spherical grids, run by host teams with the same kernels as on CUDA.
#include "Execution/HostDevice.h"
#include "ImageOrthogonalTileCases.h"
#include "ImageTravelTime/Seeds/ClosedProblem.h"
#include "ImageTravelTime/Tiles/TileSolver.h"

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
  for (const Options& options : {Options{}, additive()}) {
    const Result result = tiles(options);
    const std::size_t used = result.workBytes + 4 * result.travelTime.size() + problem->barriers.size();
    const std::size_t announced = tileBytes(SolverInput(*problem, options));
    EXPECT_LE(used, announced);
    EXPECT_GE(used + (std::size_t(17) << 20), announced);
  }
}

/// With factoring, the tiles choose the seed of a point between several balls.
TEST_P(ImageOrthogonalTiles, ReachTheSameFixedPointInAnyOrderAndWithAnyTiles) {
  const auto inAnyOrder = [&]<class Shape>(Shape, const Options& options) {
    for (const auto& [passes, band] : {std::pair{1, 0.f}, {5, 1.f}, {20, infinite}})
      expectHostTimes(tilesOf<Shape>(options, {passes, band}), options);
  };
  if (problem->grid.nz == 1)
    inAnyOrder(PlaneTile{}, additive()), inAnyOrder(Box<8, 8, 1>{}, {});
  else
    inAnyOrder(SpaceTile{}, additive()), inAnyOrder(Box<4, 4, 4>{}, {});
}

INSTANTIATE_TEST_SUITE_P(Grids, ImageOrthogonalTiles, testing::ValuesIn(orthogonalCaseNames()),
                         [](const auto& info) { return info.param; });
