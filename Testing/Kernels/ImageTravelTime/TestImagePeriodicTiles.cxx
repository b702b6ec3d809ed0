// Claims about the tile solver on images with periodic axes, run by host teams with the same kernels as on
// CUDA.
#include "ImageHostSolves.h"
#include "ImageHostTiles.h"
#include "ImagePeriodicCases.h"
#include "ImagePeriodicMedia.h"
#include "ImageTravelTime/Seeds/PeriodicProblem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

using namespace isochrone;
using namespace isochrone::image;
using execution::HostDevice;

namespace {

/// Solves the problem by tiles. The arrays of the result are those of the grid with its margin.
Result withMargin(const PeriodicProblem& periodic, Options options = {}, int threads = 1) {
  HostDevice device{threads};
  Result result;
  for (Position& tip : options.stopAt) tip = periodic.inGrid(tip);
  solveTiles(device, SolverInput(periodic.problem(), options), {}, result);
  return result;
}

Result tiles(const Problem& problem, const Options& options = {}, int threads = 1) {
  const PeriodicProblem periodic(problem, {}, true);
  Result result = withMargin(periodic, options, threads);
  periodic.part().crop(result.travelTime);
  return result;
}

double latestOf(std::span<const float> times) {
  double latest = 0;
  for (const float time : times)
    if (std::isfinite(time)) latest = std::max(latest, double(time));
  return latest;
}

/// Expects the same reached points, and times that agree up to a part of the latest one.
void expectTimesOf(std::span<const float> times, std::span<const float> expected, double part) {
  ASSERT_EQ(times.size(), expected.size());
  const double latest = latestOf(expected);
  for (std::size_t n = 0; n < expected.size(); ++n) {
    ASSERT_EQ(std::isinf(times[n]), std::isinf(expected[n])) << n;
    if (std::isfinite(times[n])) ASSERT_NEAR(times[n], expected[n], part * latest) << n;
  }
}

/// More images: sizes of one tile and around it, and one point on an axis.
std::vector<NamedTorus> images() {
  std::vector<NamedTorus> all = tori();
  all.push_back({"WholeTiles", {32, 48, 1, 1, 1, 1}, {true, true, false}});
  all.push_back({"WholeTilesInSpace", {16, 24, 8, 1, 1, 1}, {true, true, true}});
  all.push_back({"OneTile", {16, 14, 1, 1, 1, 1}, {true, true, false}});
  all.push_back({"OddTiles", {8, 9, 23, 1, 1.3, 1}, {true, true, true}});
  all.push_back({"OneColumn", {1, 50, 1, 1, 1, 1}, {true, true, false}});
  all.push_back({"TwoRows", {61, 2, 1, 1, 0.7, 1}, {false, true, false}});
  return all;
}

class ImagePeriodicTiles : public testing::TestWithParam<NamedTorus> {
protected:
  Torus c{GetParam().grid, GetParam().periodic};
  const Problem& problem = c.problem;
};

} // namespace

TEST_P(ImagePeriodicTiles, AgreeWithTheHost) {
  for (const Options& options : {Options{}, additive()}) {
    const Result result = tiles(problem, options), expected = solve(problem, options);
    expectTimesOf(result.travelTime, expected.travelTime, 1e-6);
    if (options.factoring == SourceFactoring::Additive) {
      ASSERT_GE(result.ballRadius.size(), expected.ballRadius.size()); // those of copies follow
      EXPECT_TRUE(std::ranges::equal(expected.ballRadius,
                                     std::span(result.ballRadius).first(expected.ballRadius.size())));
    }
  }
}

TEST_P(ImagePeriodicTiles, GiveTheSameBitsForAnyThreadCount) {
  for (const Options& options : {Options{}, additive()})
    EXPECT_EQ(tiles(problem, options, 3).travelTime, tiles(problem, options).travelTime);
}

TEST_P(ImagePeriodicTiles, LeaveNoResidual) {
  EXPECT_LE(residual(problem, tiles(problem).travelTime, 2), 4 * 0x1p-23);
}

TEST_P(ImagePeriodicTiles, FillTheMarginWithTheTimesOfTheImage) {
  const PeriodicProblem periodic(problem, {}, true);
  const Result result = withMargin(periodic);
  Values<float> image = result.travelTime;
  periodic.part().crop(image);
  const Grid& extended = periodic.problem().grid;
  for (std::int64_t n = 0; n < extended.points(); ++n)
    ASSERT_EQ(result.travelTime[std::size_t(n)],
              image[std::size_t(problem.grid.index(periodic.part().inImage(extended.indices(n))))])
        << n;
}

TEST_P(ImagePeriodicTiles, NeedThePredictedDeviceMemory) {
  const PeriodicProblem periodic(problem, {}, true);
  const std::size_t announced = tileBytes(SolverInput(periodic.problem(), {})),
                    points = withTileShape(problem.grid, [&](auto shape) {
                      return std::size_t(nodeGrid<decltype(shape)>(periodic.problem()).nodes());
                    });
  const Result result = withMargin(periodic);
  const std::size_t used = result.workBytes + 5 * points; // times and barriers
  constexpr std::size_t reserve = 16 << 20, small = 2048; // small arrays
  EXPECT_LE(used, announced - reserve + small);
  EXPECT_GE(used + used / 3 + small, announced - reserve);
}

INSTANTIATE_TEST_SUITE_P(Images, ImagePeriodicTiles, testing::ValuesIn(images()),
                         [](const auto& info) { return info.param.name; });

TEST(ImagePeriodicTilesRuns, EndWhenTheTipsAreFinalAndAtTheStoppingTime) {
  Torus c({170, 190, 1, 1, 1, 1}, {true, true, false});
  c.problem.seeds.resize(1);
  const Result full = tiles(c.problem);
  Options tips, early;
  tips.stopAt = {{169, 3, 0}, {-5.2, 195, 0}}; // behind the border
  early.stoppingTime = 9;
  for (const Options& options : {tips, early}) {
    const Result stopped = tiles(c.problem, options);
    EXPECT_LT(stopped.updatesPerPoint, 0.7 * full.updatesPerPoint);
    for (std::size_t n = 0; n < full.travelTime.size(); ++n)
      if (std::isfinite(stopped.travelTime[n])) ASSERT_FLOAT_EQ(stopped.travelTime[n], full.travelTime[n]);
    for (const Position& tip : options.stopAt) {
      const auto n = std::size_t(place(c.problem, tip).point);
      EXPECT_FLOAT_EQ(stopped.travelTime[n], full.travelTime[n]);
    }
    if (options.stoppingTime > 0)
      for (std::size_t n = 0; n < full.travelTime.size(); ++n)
        ASSERT_EQ(std::isfinite(stopped.travelTime[n]), full.travelTime[n] <= 9) << n;
  }
}

TEST(ImagePeriodicTilesRuns, ReachAnImageBehindAWallThroughTheBorderOnly) {
  Torus c({40, 30, 1, 1, 1, 1}, {true, false, false});
  for (int j = 0; j < 30; ++j) c.barriers[std::size_t(40 * j + 10)] = 1;
  expectTimesOf(tiles(c.problem).travelTime, solve(c.problem).travelTime, 1e-6);
  EXPECT_TRUE(std::isfinite(tiles(c.problem).travelTime[12]));
  for (int j = 0; j < 30; ++j) c.barriers[std::size_t(40 * j + 30)] = 1;
  c.problem.seeds.resize(1);
  expectTimesOf(tiles(c.problem).travelTime, solve(c.problem).travelTime, 1e-6);
  EXPECT_TRUE(std::isinf(tiles(c.problem).travelTime[20]));
}

/// The places of general lists, whose points tiles lower anywhere.
TEST(ImagePlaces, GiveAllPointsTheMinimumAndWakeTheTilesThatReadThem) {
  HostDevice device{1};
  const NodeGrid grid{20, 20, 20, 3, 3, 3};
  const auto node = [&](int x, int y, int z) { return grid.index(x, y, z); };
  PlaceList list;
  list.add(node(7, 3, 3), true), list.add(node(19, 19, 19), true), list.add(node(4, 4, 16), false);
  list.endPlace();
  const int layers[] = {10, 11}; // more points than lanes, and than a group
  for (const int z : layers)
    for (int x = 0; x < 20; ++x)
      for (int y = 0; y < 20; ++y) list.add(node(x, y, z), true);
  list.endPlace();
  Places<SpaceTile, HostDevice> places(device, list, grid);
  std::vector<float> u(20 * 20 * 20, unreached);
  std::vector<TileReport> reports(27, TileReport{{}, -1, -1});
  RoundControl control;
  control.round = 5, control.count = 2;
  const std::vector<int> active{0, 9}; // tile 9 begins at (0, 0, 8)
  reports[0].lowered = reports[9].lowered = 5, reports[26].lowered = 4;
  u[node(7, 3, 3)] = 2, u[node(19, 19, 19)] = 1; // whose tile is not active
  u[node(3, 3, 10)] = 4, u[node(5, 2, 10)] = 3;

  places.couple(&control, active.data(), reports.data(), u.data());

  EXPECT_EQ(u[node(7, 3, 3)], 2);
  EXPECT_EQ(u[node(19, 19, 19)], 1);
  EXPECT_EQ(u[node(4, 4, 16)], 2);
  for (const int z : layers)
    for (int x = 0; x < 20; ++x)
      for (int y = 0; y < 20; ++y) ASSERT_EQ(u[node(x, y, z)], 3);
  const PlaceKeys woken = places.newKeys();
  EXPECT_EQ(*woken.fallen, 3); // groups
  std::map<int, float> keys;   // of the tiles that read lowered points
  for (int tile = 0; tile < 27; ++tile)
    if (const float key = execution::timeOf(woken.keys[tile]); key < unreached) keys[tile] = key;
  std::map<int, float> expected{{18, 2}, {9, 2}}; // (4, 4, 16) is the first layer of tile 18
  for (int tile = 9; tile < 18; ++tile) expected[tile] = std::min(3.f, tile == 9 ? 2.f : 3.f);
  EXPECT_EQ(keys, expected);
}

TEST(ImagePlaces, StartTogether) {
  PlaceList list;
  list.add(3, true), list.add(5, true), list.endPlace();
  const std::vector<StartNode> starts = list.ofWholePlaces({{5, 2}, {7, 1}});
  ASSERT_EQ(starts.size(), 3u);
  EXPECT_EQ(starts[0].node, 3);
  EXPECT_EQ(starts[0].value, 2);
  EXPECT_EQ(starts[2].value, 1);
}

namespace {

/// Solves a problem with tensors, a drift or a tilted medium by tiles.
Result tensorTiles(const Problem& problem, const Options& options, int threads = 1,
                   std::size_t* announced = nullptr) {
  HostDevice device{threads};
  const PeriodicProblem periodic(problem, *stencilReach(problem, 1, {}), true);
  Options inGrid = options;
  for (Position& tip : inGrid.stopAt) tip = periodic.inGrid(tip);
  SolverInput input(periodic.problem(), inGrid);
  Result result;
  solveTensorTiles(device, input, {}, result);
  if (announced) *announced = tensorTileBytes(periodic.problem(), options.factoring);
  if (announced) *announced -= sizeof(float) * result.travelTime.size(); // times
  EXPECT_TRUE(std::ranges::equal(result.travelTime, [&] {
    Values<float> filled = result.travelTime;
    grid::fillMargin<float>(periodic.problem().grid, periodic.problem().part, filled);
    return filled;
  }()));
  periodic.part().crop(result.travelTime);
  return result;
}

/// More images: sizes of a tile, and images that are repeated.
std::vector<NamedMedium> media() {
  using enum SourceFactoring;
  std::vector<NamedMedium> all = periodicMedia();
  all.push_back({"TensorsOneTile", Kind::Tensors, {16, 16, 1, 1, 1, 1}, {true, true, false}, Off});
  all.push_back({"TensorsOneRow", Kind::Tensors, {60, 2, 1, 1, 1, 1}, {false, true, false}, Additive});
  all.push_back(
      {"DriftOfTensorsSpace", Kind::DriftOfTensors, {8, 16, 24, 1, 1, 1}, {true, true, true}, Additive});
  all.push_back({"TiltedSmall", Kind::Tilted, {3, 4, 5, 1, 1, 1}, {true, true, true}, Additive});
  return all;
}

class ImagePeriodicTensorTiles : public testing::TestWithParam<NamedMedium> {
protected:
  Medium medium;
  Options options;

  ImagePeriodicTensorTiles() {
    makeTorus(medium, GetParam());
    options.factoring = GetParam().factoring;
  }
};

} // namespace

TEST_P(ImagePeriodicTensorTiles, AgreeWithTheHost) {
  const Result result = tensorTiles(medium.problem, options), expected = solve(medium.problem, options);
  expectTimesOf(result.travelTime, expected.travelTime, 2e-6);
}

TEST_P(ImagePeriodicTensorTiles, GiveTheSameBitsForAnyThreadCount) {
  EXPECT_EQ(tensorTiles(medium.problem, options, 3).travelTime,
            tensorTiles(medium.problem, options).travelTime);
}

TEST_P(ImagePeriodicTensorTiles, NeedThePredictedDeviceMemory) {
  std::size_t announced = 0;
  const std::size_t used = tensorTiles(medium.problem, options, 1, &announced).workBytes;
  constexpr std::size_t reserve = 16 << 20, small = 2048; // small arrays
  EXPECT_LE(used, announced - reserve + small);
}

INSTANTIATE_TEST_SUITE_P(Images, ImagePeriodicTensorTiles, testing::ValuesIn(media()),
                         [](const auto& info) { return info.param.name; });

TEST(ImagePeriodicTensorTilesRuns, EndWhenTheTipsAreFinalAndAtTheStoppingTime) {
  Medium m;
  makeTorus(m, {"", Kind::Tensors, {120, 140, 1, 1, 1, 1}, {true, true, false}, SourceFactoring::Off});
  m.problem.seeds.resize(1);
  const Result full = tensorTiles(m.problem, {});
  Options tips, early;
  tips.stopAt = {{-1, 3, 0}, {119, 138, 0}}; // behind the border
  early.stoppingTime = 6;
  for (const Options& options : {tips, early}) {
    const Result stopped = tensorTiles(m.problem, options);
    EXPECT_LT(stopped.updatesPerPoint, 0.7 * full.updatesPerPoint);
    for (std::size_t n = 0; n < full.travelTime.size(); ++n)
      if (std::isfinite(stopped.travelTime[n])) ASSERT_FLOAT_EQ(stopped.travelTime[n], full.travelTime[n]);
    for (const Position& tip : options.stopAt) {
      const auto n = std::size_t(place(m.problem, tip).point);
      EXPECT_FLOAT_EQ(stopped.travelTime[n], full.travelTime[n]);
    }
  }
}
