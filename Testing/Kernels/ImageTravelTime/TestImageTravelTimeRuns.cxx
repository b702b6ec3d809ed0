// Claims about runs and refusals of the solver: early stop, reports, aborts, first arrivals of seeds, bad
// input.
#include "Error.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTimeCases.h"
#include "SingleSeedRuns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace isochrone;
using namespace isochrone::image;

namespace {

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

Options onHost() {
  Options options;
  options.backend = Backend::Host;
  return options;
}

Result solve(const Problem& problem, const Options& options = onHost()) {
  return solveImageTravelTime(problem, options, {});
}

/// Expects an Error whose message contains all of `words`.
template <class Call>
void expectError(Call&& call, std::initializer_list<const char*> words) {
  try {
    call();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    for (const char* word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in: " << error.what();
  }
}

/// Returns 9 x 7 x 5 points of speed 1 with the seed in the middle.
Case small() {
  Case c;
  c.problem.grid = {9, 7, 5, 1, 1, 1};
  c.speed.assign(c.problem.grid.points(), 1.f);
  c.problem.speed = c.speed;
  c.problem.seeds = {{{4, 3, 2}, 0}};
  return c;
}

} // namespace

TEST(ImageTravelTimeRuns, AStoppedRunEqualsTheFullRunUpToTheStoppingTime) {
  for (const char* name : {"Constant", "Noise", "PermeableMaze", "Plane", "SeveralSeeds"}) {
    const Case c = makeCase(name);
    const Result full = solve(c.problem);
    std::vector<float> sorted(full.travelTime.begin(), full.travelTime.end());
    std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
    Options options = onHost();
    options.stoppingTime = sorted[sorted.size() / 2];
    ASSERT_GT(options.stoppingTime, 0) << name;
    const Result stopped = solve(c.problem, options);
    for (std::size_t p = 0; p < full.travelTime.size(); ++p) {
      const bool reached = full.travelTime[p] <= options.stoppingTime * (1 - 1e-6);
      if (reached)
        ASSERT_NEAR(stopped.travelTime[p], full.travelTime[p], 3e-7 * full.travelTime[p] + 1e-6) << name;
      if (full.travelTime[p] > options.stoppingTime * (1 + 1e-6))
        ASSERT_TRUE(std::isinf(stopped.travelTime[p])) << name;
    }
  }
}

TEST(ImageTravelTimeRuns, StopsOnceAllTipsAreFinal) {
  const Case c = makeCase("Noise");
  const Result full = solve(c.problem);
  Options options = onHost();
  options.stopAt = {{18, 14, 12}, {20, 14, 10}};
  const Result stopped = solve(c.problem, options);
  for (const Position& tip : options.stopAt) {
    const std::int64_t p = place(c.problem, tip).point;
    EXPECT_NEAR(stopped.travelTime[p], full.travelTime[p], 3e-7 * full.travelTime[p]);
  }
  const auto reached = [](const Result& r) {
    return std::count_if(r.travelTime.begin(), r.travelTime.end(), [](float u) { return std::isfinite(u); });
  };
  EXPECT_LT(reached(stopped), reached(full));
  for (std::size_t p = 0; p < full.travelTime.size(); ++p) // reached values are final
    if (std::isfinite(stopped.travelTime[p]))
      ASSERT_NEAR(stopped.travelTime[p], full.travelTime[p], 3e-7 * full.travelTime[p]);
}

TEST(ImageTravelTimeRuns, TheSeedOfAPointIsTheOneOfTheFirstArrival) {
  Case c = makeCase("Noise");
  c.problem.seeds = {{{2, 3, 4}, 0}, {{30, 20, 15}, 1}, {{10, 25, 2}, -1}};
  const SeedDifference difference = differenceToSingleSeeds(c.problem);
  EXPECT_LT(difference.share, 0.005); // where two fronts arrive at nearly the same time
  EXPECT_LT(difference.delay, 1);
}

/// Behind the gap the fronts follow the same axis for a while. The border between them must still be oblique.
TEST(ImageTravelTimeRuns, TheBorderBetweenSeedsIsNotAlignedWithTheGrid) {
  Case c;
  c.problem.grid = {201, 201, 1, 1, 1, 1};
  c.barriers.assign(c.problem.grid.points(), 0);
  for (int j = 149; j <= 151; ++j)
    for (int i = 0; i <= 200; ++i) c.barriers[c.problem.grid.index(i, j, 0)] = std::abs(i - 100) > 15;
  c.problem.barriers = c.barriers;
  c.problem.seeds = {{{40, 190, 0}, 0}, {{100, 199, 0}, 25}, {{180, 185, 0}, 0}};
  const SeedDifference difference = differenceToSingleSeeds(c.problem);
  EXPECT_LT(difference.share, 0.005);
  EXPECT_LT(difference.delay, 0.5); // of 250
}

/// Includes local minima of factored and second-order times.
TEST(ImageTravelTimeRuns, ReachedPointsHaveASeed) {
  Case c = makeCase("Noise");
  c.problem.seeds = {{{2.3, 3.6, 4.2}, 0}, {{30.7, 20.5, 15.1}, 1}, {{10.4, 25.4, 2.8}, -1}};
  Options options = onHost();
  options.seedIds = true;
  for (const SourceFactoring factoring :
       {SourceFactoring::Off, SourceFactoring::Additive, SourceFactoring::Multiplicative})
    for (const int order : {1, 2}) {
      options.factoring = factoring, options.order = order;
      for (const std::int32_t seed : solve(c.problem, options).seed) ASSERT_GE(seed, 0) << order;
    }
}

TEST(ImageTravelTimeRuns, AnEarlySeedDoesNotHideTheRegionOfALateOne) {
  Problem problem;
  problem.grid = {200, 5, 1, 10, 10, 1};
  problem.seeds = {{{0, 20, 0}, -1000}, {{1990, 20, 0}, 0.001}};
  Options options = onHost();
  options.seedIds = true;
  const Result result = solve(problem, options);
  EXPECT_EQ(result.seed[0], 0);
  EXPECT_EQ(result.seed[199 + 2 * 200], 1);
  EXPECT_EQ(std::count(result.seed.begin(), result.seed.end(), -1), 0);
}

TEST(ImageTravelTimeRuns, UnreachableTipsDoNotStopTheRun) {
  const Case c = small();
  Options options = onHost();
  options.stopAt = {{-100, 0, 0}};
  EXPECT_EQ(solve(c.problem, options).travelTime, solve(c.problem).travelTime);
}

TEST(ImageTravelTimeRuns, UnreachedPointsHaveNoSeed) {
  const Case c = makeCase("NoSpeedHoles");
  Options options = onHost();
  options.seedIds = true;
  const Result result = solve(c.problem, options);
  for (std::size_t p = 0; p < result.travelTime.size(); ++p)
    ASSERT_EQ(result.seed[p], std::isfinite(result.travelTime[p]) ? 0 : -1);
}

TEST(ImageTravelTimeRuns, RegionsKeepTheirIndices) {
  const Case c = makeCase("Regions");
  Options options = onHost();
  options.seedIds = true;
  const Result result = solve(c.problem, options);
  for (std::size_t p = 0; p < result.travelTime.size(); ++p)
    if (c.regions[p] == 0) EXPECT_EQ(result.seed[p], 0);
}

TEST(ImageTravelTimeRuns, RefusesARegionOfAPointSeed) {
  Case c;
  c.problem.grid = {20, 1, 1, 1, 1, 1};
  c.regions.assign(20, -1);
  c.regions[19] = 0;
  c.problem.seedRegions = c.regions;
  c.problem.seeds = {{{0, 0, 0}, 0, true}};
  EXPECT_EQ(solve(c.problem).travelTime[0], 19);
  c.problem.seeds[0].isRegion = false;
  expectError([&] { solve(c.problem); }, {"seed 0", "region"});
}

TEST(ImageTravelTimeRuns, NothingPassesADiagonalWall) {
  const Case c = makeCase("Diagonal"); // from the left of a wall of touching corners, with a passage above it
  const Result result = solve(c.problem);
  const Grid& g = c.problem.grid;
  // Straight through the wall at (13, 10) would take less than 25; the path around its end takes more.
  EXPECT_GT(result.travelTime[g.index(20, 10, 0)], 30);
}

TEST(ImageTravelTimeRuns, ProgressNeverFallsAndAbortIsHonoured) {
  const Case c = makeCase("Noise");
  double last = 0;
  int calls = 0;
  const Result full = solveImageTravelTime(c.problem, onHost(), {[&](double share) {
                                             EXPECT_GE(share, last);
                                             EXPECT_LE(share, 1);
                                             last = share, ++calls;
                                             return true;
                                           }});
  EXPECT_EQ(last, 1);
  EXPECT_GE(calls, 2);
  EXPECT_FALSE(full.aborted);
  const Result aborted = solveImageTravelTime(c.problem, onHost(), {[](double) { return false; }});
  EXPECT_TRUE(aborted.aborted);
  EXPECT_TRUE(aborted.travelTime.empty());
}

TEST(ImageTravelTimeRuns, UsesAtMostTenBytesPerPoint) {
  Case c = small();
  c.problem.grid = {128, 128, 128, 1, 1, 1};
  c.speed.assign(c.problem.grid.points(), 1.f);
  c.problem.speed = c.speed;
  const Result result = solve(c.problem);
  EXPECT_LE(double(result.workBytes) / double(c.problem.grid.points()), 10);
  EXPECT_GE(double(result.workBytes) / double(c.problem.grid.points()), 5);
}

TEST(ImageTravelTimeRuns, UpdateCountsArePerTileAndAddUp) {
  Case c = small(); // 9 x 7 x 5 points: two tiles along the first axis, the second with one layer of points
  Options options = onHost();
  options.updateCounts = true;
  const Result result = solve(c.problem, options);
  ASSERT_EQ(result.updates.size(), std::size_t(c.problem.grid.points()));
  EXPECT_GE(result.updates[0], 2); // once to compute, once to detect that nothing changes
  EXPECT_GE(result.updates[8], 1);
  for (std::int64_t p = 0; p < c.problem.grid.points(); ++p)
    ASSERT_EQ(result.updates[p], result.updates[p % 9 < 8 ? 0 : 8]) << p;
  const double computed = 512. * (result.updates[0] + result.updates[8]); // including padding of the tiles
  EXPECT_DOUBLE_EQ(result.updatesPerPoint, computed / double(c.problem.grid.points()));
  EXPECT_TRUE(solve(c.problem).updates.empty());
}

TEST(ImageTravelTimeBadInput, RefusesNegativeSpeedByPoint) {
  Case c = small();
  c.speed[c.problem.grid.index(1, 2, 3)] = -2;
  expectError([&] { solve(c.problem); }, {"speed", "-2", "(1, 2, 3)"});
}

TEST(ImageTravelTimeBadInput, RefusesInfiniteSpeed) {
  Case c = small();
  c.speed[0] = infinite;
  expectError([&] { solve(c.problem); }, {"speed", "inf", "(0, 0, 0)"});
}

TEST(ImageTravelTimeBadInput, RefusesZeroSlowness) {
  Case c = small();
  c.problem.speedType = SpeedType::Slowness;
  c.speed[8] = 0;
  expectError([&] { solve(c.problem); }, {"slowness", "0", "(8, 0, 0)"});
}

TEST(ImageTravelTimeBadInput, AcceptsAnySpeedInABarrier) {
  Case c = small();
  c.barriers.assign(c.speed.size(), 0);
  c.speed[5] = -1, c.barriers[5] = 1;
  c.problem.barriers = c.barriers;
  EXPECT_TRUE(std::isinf(solve(c.problem).travelTime[5]));
}

TEST(ImageTravelTimeBadInput, RefusesSpeedRatiosBeyondSinglePrecision) {
  Case c = small();
  c.speed[3] = 1e-20f;
  expectError([&] { solve(c.problem); }, {"speed", "barrier"});
}

TEST(ImageTravelTimeBadInput, RefusesMissingOutsideAndBlockedSeeds) {
  Case c = small();
  c.problem.seeds.clear();
  expectError([&] { solve(c.problem); }, {"no seeds"});
  c.problem.seeds = {{{-3, 0, 0}, 0}, {{notANumber, 0, 0}, 0}};
  expectError([&] { solve(c.problem); }, {"no seed", "2 of 2", "outside"});
  std::fill(c.speed.begin(), c.speed.end(), 0.f);
  c.problem.seeds = {{{4, 3, 2}, 0}};
  expectError([&] { solve(c.problem); }, {"no seed", "barriers"});
}

TEST(ImageTravelTimeBadInput, AcceptsOneUsableSeed) {
  Case c = small();
  c.problem.seeds.insert(c.problem.seeds.begin(), {{100, 0, 0}, 0});
  const Result result = solve(c.problem);
  EXPECT_EQ(result.seeds[0].status, Placement::Status::Outside);
  EXPECT_EQ(result.seeds[1].status, Placement::Status::Inside);
  EXPECT_EQ(result.travelTime[c.problem.grid.index(4, 3, 2)], 0);
}

TEST(ImageTravelTimeBadInput, RefusesWrongSizesSpacingsAndStartValues) {
  Case c = small();
  const Problem good = c.problem;
  c.problem.speed = c.problem.speed.first(10);
  expectError([&] { solve(c.problem); }, {"speed", "315", "10"});
  c.problem = good;
  c.problem.grid.hy = 0;
  expectError([&] { solve(c.problem); }, {"spacing", "0"});
  c.problem = good;
  c.problem.seeds[0].startValue = infinite;
  expectError([&] { solve(c.problem); }, {"start value", "seed 0"});
  c.problem = good;
  c.problem.speed = {};
  c.problem.constantSpeed = 0;
  expectError([&] { solve(c.problem); }, {"speed", "positive"});
  Options options = onHost();
  options.stoppingTime = -1;
  expectError([&] { solve(good, options); }, {"stopping time"});
}

TEST(ImageTravelTimeBadInput, RefusesImagesLargerThanMemoryBeforeAnyAllocation) {
  Case c = small();
  c.problem.speed = {};
  c.problem.grid = {100000, 100000, 1000, 1, 1, 1};
  expectError([&] { solve(c.problem); }, {"100000 x 100000 x 1000", "memory"});
}

TEST(ImageTravelTimeBadInput, RefusesUnitsBeyondSinglePrecision) {
  for (const double spacing : {1e-200, 1e160, 1e-310}) {
    Case c = small();
    c.problem.grid.hx = c.problem.grid.hy = c.problem.grid.hz = spacing;
    for (Seed& seed : c.problem.seeds)
      for (double& x : seed.at) x *= spacing;
    expectError([&] { solve(c.problem); }, {"spacing", "between 1e-100 and 1e+100", "unit of length"});
  }
  Case c = small();
  c.problem.grid.hy = 1e13;
  expectError([&] { solve(c.problem); }, {"spacings", "factor of 1e+12", "1e+13"});

  for (const auto type : {SpeedType::Speed, SpeedType::Slowness})
    for (const double speed : {1e-60, 1e60, 1e-300, 1e300, 1e-36, 1e36}) {
      Case constant = small();
      constant.problem.speed = {};
      constant.problem.speedType = type, constant.problem.constantSpeed = speed;
      expectError([&] { solve(constant.problem); }, {"must be between 1e-35 and 1e+35", "units"});
    }
  for (const float speed : {1e-40f, 1e37f}) {
    Case array = small();
    for (float& f : array.speed) f = speed;
    expectError([&] { solve(array.problem); }, {"speed must be between 1e-35 and 1e+35", "units"});
  }
  for (const double spacing : {1e-32, 1e32}) {
    Case step = small();
    step.problem.grid = {9, 7, 5, spacing, spacing, spacing};
    step.problem.seeds = {{}};
    expectError([&] { solve(step.problem); }, {"a step of the grid takes a time of", "1e-30 to 1e+30"});
    Case tensors = small();
    tensors.problem.grid = step.problem.grid;
    tensors.problem.seeds = {{}};
    tensors.problem.speedType = SpeedType::MetricTensor;
    tensors.speed.assign(6 * tensors.problem.grid.points(), 0);
    for (std::size_t n = 0; n < tensors.speed.size(); ++n) tensors.speed[n] = n % 6 < 3;
    tensors.problem.speed = tensors.speed;
    expectError([&] { solve(tensors.problem); }, {"a step of the grid takes a time of", "1e-30 to 1e+30"});
  }
}

/// An update in a barrier reads an infinite slowness, and squares of differences that overflow.
TEST(ImageTravelTimeRuns, BarriersStayUnreachedWhereSpacingsDifferMost) {
  for (const Position& h :
       {Position{1, 1, 1e12}, {1, 1e12, 1}, {1e12, 1, 1}, {1, 1e12, 1e12}, {1, 1e6, 1e12}})
    for (const auto factoring :
         {SourceFactoring::Off, SourceFactoring::Additive, SourceFactoring::Multiplicative})
      for (const int order : {1, 2})
        for (const std::int64_t nz : {1, 9}) {
          if (nz == 1 && h[0] == h[1]) continue;
          Case c;
          c.problem.grid = {13, 11, nz, h[0], h[1], h[2]};
          for (std::int64_t n = 0; n < c.problem.grid.points(); ++n)
            c.barriers.push_back(noise(std::uint64_t(n)) < 0.3);
          const std::int64_t seed = c.problem.grid.index(6, 5, nz / 2);
          c.barriers[std::size_t(seed)] = 0;
          c.problem.barriers = c.barriers;
          c.problem.seeds = {{{6 * h[0], 5 * h[1], double(nz / 2) * h[2]}, 0}};
          Options options = onHost();
          options.factoring = factoring, options.order = order;
          const Values<float> u = solve(c.problem, options).travelTime;
          int reached = 0;
          for (std::size_t p = 0; p < u.size(); ++p) {
            if (c.barriers[p]) ASSERT_EQ(u[p], infinite) << h[0] << ' ' << h[1] << ' ' << h[2] << ' ' << p;
            ASSERT_TRUE(u[p] >= 0) << h[0] << ' ' << h[1] << ' ' << h[2] << ' ' << p;
            reached += std::isfinite(u[p]);
          }
          EXPECT_GT(reached, 40);
          if (factoring == SourceFactoring::Off && order == 1)
            EXPECT_LT(residual(c.problem, u, 1), 1e-5) << h[0] << ' ' << h[1] << ' ' << h[2] << ' ' << nz;
        }
}

TEST(ImageTravelTimeRuns, ConstantSpeedsAreExactOverTheAcceptedRange) {
  const Values<float> one = solve(small().problem).travelTime;
  for (const auto type : {SpeedType::Speed, SpeedType::Slowness})
    for (const auto factoring : {SourceFactoring::Off, SourceFactoring::Multiplicative})
      for (const double speed : {1e-29, 1e-12, 3., 1e12, 1e29}) {
        Case c = small();
        c.problem.speed = {};
        c.problem.speedType = type, c.problem.constantSpeed = speed;
        Options options = onHost();
        const double scale = type == SpeedType::Speed ? 1 / speed : speed;
        const Values<float> u = solve(c.problem, options).travelTime;
        for (std::size_t p = 0; p < u.size(); ++p) ASSERT_NEAR(u[p] / scale, one[p], 3e-7 * one[p]) << speed;
        options.factoring = factoring;
        for (const float t : solve(c.problem, options).travelTime) ASSERT_TRUE(t >= 0 && t < 20 * scale);
      }
}

TEST(ImageTravelTimeRuns, ReportsStartValuesTooLargeForSinglePrecision) {
  Case c = small();
  EXPECT_EQ(solve(c.problem).blurredSeed, -1);
  for (const double start : {1e3, -1e3}) {
    c.problem.seeds[0].startValue = start;
    EXPECT_EQ(solve(c.problem).blurredSeed, -1) << start;
  }
  for (const double start : {1.7e9, -1.7e9, 1e30}) {
    c.problem.seeds[0].startValue = start;
    EXPECT_EQ(solve(c.problem).blurredSeed, 0) << start;
  }
  c.problem.seeds = {{{4, 3, 2}, 0}, {{1, 1, 1}, 1.7e9}};
  EXPECT_EQ(solve(c.problem).blurredSeed, -1); // the first front arrives earlier
  c.problem.seeds[0].startValue = 1e39;
  expectError([&] { solve(c.problem); }, {"start value must be within 1e+30", "1e+39 at seed 0"});
}

TEST(ImageTravelTimeRuns, SecondOrderAndSeedsCallTheMonitor) {
  Case c = makeCase("SeveralSeeds");
  for (const double stopAt : {0.949, 0.969}) {
    Options options = onHost();
    options.order = 2, options.seedIds = true;
    int calls = 0;
    const Monitor monitor{[&](double share) { return ++calls, share < stopAt; }};
    const Result result = solveImageTravelTime(c.problem, options, monitor);
    EXPECT_TRUE(result.aborted);
    EXPECT_TRUE(result.travelTime.empty() && result.seed.empty());
    EXPECT_GT(calls, 1);
  }
}
