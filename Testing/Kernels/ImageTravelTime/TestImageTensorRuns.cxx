// Claims about runs with tensors: threads, paths, seeds, early stop, gradients, refusals.
#include "Error.h"
#include "ImageHostSolves.h"
#include "ImageTensorCases.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTimePathChecks.h"
#include "SingleSeedRuns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

using namespace isochrone;
using namespace isochrone::image;

namespace {

std::string messageOf(const Problem& problem, const Options& options = {}) {
  try {
    solveImageTravelTime(problem, options, {});
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

void expectInMessage(const std::string& message, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
}

/// Returns an image with walls, 20:1, in which rounds are long enough for several threads.
Case largeCase(const Grid& g) {
  Case c = tensorCase(g, [&](double i, double j, double k) {
    const double x = i / double(g.nx), y = j / double(g.ny), z = k / double(g.nz);
    return fastAlong(direction(0.3 + 2 * x + 1.5 * y + z, g.nz == 1 ? 0 : std::sin(3 * (y - z + 0.2))), 20);
  });
  c.barriers.assign(g.points(), 0);
  for (std::int64_t n = 0; n < g.points(); ++n) c.barriers[n] = noise(n + 5) < 0.001;
  c.barriers[g.index(g.nx / 2, g.ny / 2, g.nz / 2)] = 0;
  c.problem.speed = c.speed, c.problem.barriers = c.barriers;
  return c;
}

} // namespace

TEST(ImageTensorThreads, GiveTheSameBitsInLargeRounds) {
  for (const Grid& g : {Grid{701, 673, 1, 1, 1, 1}, Grid{47, 51, 43, 1, 1, 1}})
    for (const auto factoring : {SourceFactoring::Off, SourceFactoring::Additive}) {
      const Case c = largeCase(g);
      Options options;
      options.factoring = factoring, options.threads = 1, options.updateCounts = true;
      const Result one = solve(c.problem, options);
      for (const int threads : {2, 3, 7}) {
        options.threads = threads;
        const Result result = solve(c.problem, options);
        EXPECT_EQ(result.travelTime, one.travelTime) << g.nz << ": " << threads << " threads";
        EXPECT_EQ(result.updates, one.updates) << g.nz << ": " << threads << " threads";
        EXPECT_EQ(result.rounds, one.rounds) << g.nz << ": " << threads << " threads";
      }
    }
}

TEST(ImageTensorThreads, LeaveNoResidualInLargeRounds) {
  for (const Grid& g : {Grid{701, 673, 1, 1, 1, 1}, Grid{47, 51, 43, 1, 1, 1}}) {
    const Case c = largeCase(g);
    EXPECT_LE(residual(c.problem, solve(c.problem).travelTime, 2), 8 * 0x1p-23);
  }
}

TEST(ImageTensorRuns, AStoppedRunEqualsTheFullRunUpToTheStoppingTime) {
  const Case c = makeTensorCase("Plane");
  const Result full = solve(c.problem);
  Options options;
  options.stoppingTime = 60;
  const Result stopped = solve(c.problem, options);
  std::int64_t reached = 0;
  for (std::size_t n = 0; n < full.travelTime.size(); ++n) {
    ASSERT_EQ(stopped.travelTime[n],
              full.travelTime[n] <= 60 ? full.travelTime[n] : std::numeric_limits<float>::infinity())
        << n;
    reached += std::isfinite(stopped.travelTime[n]);
  }
  EXPECT_GT(reached, 100);
  EXPECT_LT(reached, std::int64_t(full.travelTime.size()) - 100);
}

TEST(ImageTensorRuns, StopOnceAllTipsAreFinal) {
  const Case c = makeTensorCase("Plane");
  const Result full = solve(c.problem);
  Options options;
  options.stopAt = {{20, 18, 0}, {25, 20, 0}};
  const Result stopped = solve(c.problem, options);
  EXPECT_LT(stopped.updatesPerPoint, full.updatesPerPoint / 2);
  for (const Position& tip : options.stopAt) {
    const auto n = std::size_t(tip[0] + 45 * tip[1]);
    EXPECT_EQ(stopped.travelTime[n], full.travelTime[n]);
  }
  for (std::size_t n = 0; n < full.travelTime.size(); ++n)
    if (std::isfinite(stopped.travelTime[n])) ASSERT_EQ(stopped.travelTime[n], full.travelTime[n]);
}

TEST(ImageTensorRuns, EveryPointReachedHasASeed) {
  for (const double ratio : {5., 20.}) // ratio of the speeds along two axes
    for (int turn = 0; turn < 6; ++turn) {
      const double angle = 0.2 + 0.5 * turn, c = std::cos(angle), s = std::sin(angle), fast = ratio * ratio;
      const float tensor[3] = {float(fast * c * c + s * s), float(fast * s * s + c * c),
                               float((fast - 1) * c * s)};
      std::vector<float> tensors;
      for (int n = 0; n < 64 * 64; ++n) tensors.insert(tensors.end(), tensor, tensor + 3);
      Problem problem;
      problem.grid = {64, 64, 1, 1, 1, 1};
      problem.speedType = SpeedType::SquaredVelocityTensor;
      problem.speed = tensors;
      problem.seeds = {{{20.3, 30.6, 0}, 0}, {{45.7, 18.2, 0}, 0}};
      Options options;
      options.factoring = SourceFactoring::Additive, options.seedIds = true;
      const Result result = solve(problem, options);
      EXPECT_EQ(std::count(result.seed.begin(), result.seed.end(), -1), 0) << ratio << " at " << angle;
    }
}

TEST(ImageTensorRuns, TheSeedOfAPointIsTheOneOfTheFirstArrival) {
  for (const char* name : {"Plane", "Space"}) {
    Case c = makeTensorCase(name);
    const Grid& g = c.problem.grid;
    c.problem.seeds = {{{2, 3, 0}, 0},
                       {{double(g.nx - 4), double(g.ny - 3), double(g.nz / 2)}, 1},
                       {{double(g.nx / 2), 10, double(g.nz - 1)}, -1}};
    const SeedDifference difference = differenceToSingleSeeds(c.problem);
    EXPECT_LT(difference.share, 0.02) << name; // where two fronts arrive at nearly the same time
    EXPECT_LT(difference.delay, 1.5) << name;
  }
}

TEST(ImageTensorRuns, UpdatesOfThePointsAddUpToTheTotal) {
  const Case c = makeTensorCase("Plane");
  Options options;
  options.updateCounts = true;
  const Result result = solve(c.problem, options);
  ASSERT_EQ(std::int64_t(result.updates.size()), c.problem.grid.points());
  const double sum = std::accumulate(result.updates.begin(), result.updates.end(), 0.);
  EXPECT_NEAR(sum, result.updatesPerPoint * double(c.problem.grid.points()), 0.5);
  EXPECT_TRUE(solve(c.problem).updates.empty());
}

TEST(ImageTensorRuns, RegionsAndPointsStartTogether) {
  Case c = makeTensorCase("Plane");
  c.regions.assign(c.problem.grid.points(), -1);
  for (std::int64_t j = 0; j < c.problem.grid.ny; ++j) c.regions[c.problem.grid.nx * j] = 1;
  c.problem.seeds.push_back({{}, 5, true});
  c.problem.seedRegions = c.regions;
  Options options;
  options.seedIds = true;
  options.factoring = SourceFactoring::Additive;
  const Result result = solve(c.problem, options);
  for (std::int64_t n = 0; n < c.problem.grid.points(); ++n) {
    if (c.regions[n] == 1) EXPECT_LE(result.travelTime[n], 5);
    EXPECT_GE(result.seed[n], 0);
  }
}

TEST(ImageTensorRuns, ProgressNeverFallsAndAbortIsHonoured) {
  const Case c = makeTensorCase("Space");
  Monitor monitor{[](double) { return false; }};
  const Result result = solveImageTravelTime(c.problem, {}, monitor);
  EXPECT_TRUE(result.aborted);
  EXPECT_TRUE(result.travelTime.empty());
}

TEST(ImageTensorRuns, GradientHasUnitLengthInTheMetric) {
  for (const char* name : {"Plane", "Space", "SpaceUnequal"}) {
    const Case c = makeTensorCase(name);
    const bool plane = c.problem.grid.nz == 1;
    const Result result = solve(c.problem);
    const Values<float> gradients = gradient(c.problem, result.travelTime, 2);
    std::int64_t near = 0, points = 0;
    for (std::int64_t n = 0; n < c.problem.grid.points(); ++n) {
      if (result.travelTime[n] == 0) continue;
      const float *g = &gradients[3 * n], *t = &c.speed[(plane ? 3 : 6) * n];
      const double square = plane ? t[0] * g[0] * g[0] + t[1] * g[1] * g[1] + 2 * t[2] * g[0] * g[1]
                                  : t[0] * g[0] * g[0] + t[1] * g[1] * g[1] + t[2] * g[2] * g[2] +
                                        2 * (t[3] * g[0] * g[1] + t[4] * g[1] * g[2] + t[5] * g[0] * g[2]);
      ++points, near += std::abs(std::sqrt(square) - 1) < 0.2;
    }
    EXPECT_GT(near, points * 8 / 10) << name;
  }
}

TEST(ImageTensorRuns, TwoWayTimesMeetOnThePath) {
  Case c = makeTensorCase("Plane");
  c.problem.seeds = {{{4, 5, 0}, 0}};
  const Values<float> from = solve(c.problem).travelTime;
  Problem back = c.problem;
  back.seeds = {{{40, 30, 0}, 0}};
  const Values<float> to = solve(back).travelTime;
  const TwoWay both = combine(c.problem, from, to, 2);
  const float whole = from[40 + 45 * 30];
  EXPECT_NEAR(to[4 + 45 * 5], whole, 0.1f * whole); // both directions have first-order errors
  ASSERT_TRUE(both.meeting);
  const std::int64_t meeting = place(c.problem, *both.meeting).point;
  EXPECT_LE(both.time[meeting], std::min(whole, to[4 + 45 * 5]) * 1.000001f);
  EXPECT_GE(both.time[meeting], 0.8f * whole);
}

TEST(ImageTensorPaths, AreValidForTipsAnywhere) {
  for (const std::string& name : tensorCaseNames()) {
    const Case c = makeTensorCase(name);
    Problem withMask = c.problem; // the checks read barriers only from a mask
    std::vector<std::uint8_t> mask(c.problem.grid.points(), 0);
    const bool rubble = name.ends_with("Rubble");
    for (std::size_t n = 0; n < mask.size(); ++n) mask[n] = rubble && (n == 0 || c.barriers[n]);
    withMask.barriers = mask, withMask.speed = {};
    for (const auto factoring : {SourceFactoring::Off, SourceFactoring::Additive}) {
      Options options;
      options.factoring = factoring;
      const Result result = solve(c.problem, options);
      const std::vector<Position> tips = randomTips(c.problem.grid, 60);
      const std::vector<Path> paths = extractPaths(c.problem, result.travelTime, tips, 2);
      int complete = 0;
      for (std::size_t t = 0; t < tips.size(); ++t) {
        const Placement at = place(c.problem, tips[t]);
        if (at.status != Placement::Status::Inside || std::isinf(result.travelTime[at.point])) continue;
        SCOPED_TRACE(name + " tip " + std::to_string(t));
        ASSERT_NO_FATAL_FAILURE(expectSound(paths[t], withMask, tips[t]));
        expectStartsAtSeed(paths[t], c.problem);
        ++complete;
      }
      EXPECT_GT(complete, 20) << name;
    }
  }
}

TEST(ImageTensorPaths, TakeTheMetricDistanceWhereTensorsAreConstant) {
  for (const double ratio : {3., 10.}) {
    Case c = constantTensors({81, 81, 1, 1, 1, 1}, 0.4, 0, ratio);
    c.problem.seeds[0].at = {40.3, 39.8, 0};
    Options options;
    options.factoring = SourceFactoring::Additive;
    const Result result = solve(c.problem, options);
    std::vector<Position> tips;
    for (int t = 0; t < 40; ++t) tips.push_back({15 + 50 * noise(2 * t), 15 + 50 * noise(2 * t + 1), 0});
    const std::vector<Path> paths = extractPaths(c.problem, result.travelTime, tips, 2);
    for (std::size_t t = 0; t < tips.size(); ++t) {
      const double exact = metricDistance(c.problem, {tips[t][0] - 40.3, tips[t][1] - 39.8, 0});
      EXPECT_LT(paths[t].energy, 1.01 * exact) << ratio << ' ' << t;
      EXPECT_GT(paths[t].energy, 0.9999 * exact) << ratio << ' ' << t;
    }
  }
}

TEST(ImageTensorPaths, TakeTheTravelTimeOfTheirTipsWhereTensorsVarySmoothly) {
  const auto field = [](std::int64_t n) {
    const double h = 1. / double(n - 1);
    return tensorCase({n, n, 1, h, h, 1}, [=](double i, double j, double) {
      return fastAlong(direction(0.3 + 0.8 * i * h + 0.5 * j * h, 0), 4);
    });
  };
  const Case c = field(257);
  Options options;
  options.factoring = SourceFactoring::Additive;
  const Result result = solve(c.problem, options);
  const std::vector<Position> tips = randomTips(c.problem.grid, 80, 5);
  const std::vector<Path> paths = extractPaths(c.problem, result.travelTime, tips, 2);
  for (std::size_t t = 0; t < tips.size(); ++t)
    EXPECT_NEAR(paths[t].energy, paths[t].travelTime.back(), 0.01 * paths[t].travelTime.back()) << t;
}

TEST(ImageTensorPaths, AreTheSameForAnyNumberOfThreads) {
  const Case c = makeTensorCase("SpaceRubble");
  const Result result = solve(c.problem);
  const std::vector<Position> tips = randomTips(c.problem.grid, 30);
  const std::vector<Path> one = extractPaths(c.problem, result.travelTime, tips, 1);
  const std::vector<Path> four = extractPaths(c.problem, result.travelTime, tips, 4);
  for (std::size_t t = 0; t < tips.size(); ++t) EXPECT_EQ(one[t].x, four[t].x);
}

TEST(ImageTensorBadInput, TensorsThatAreNotPositiveDefiniteAreCountedAndTheFirstIsNamed) {
  Case c = makeTensorCase("Space");
  c.speed[6 * 20] = -1;     // point (5, 1, 0)
  c.speed[6 * 300 + 3] = 2; // xy too large
  c.speed[6 * 301] = std::numeric_limits<float>::infinity();
  expectInMessage(messageOf(c.problem), {"3 tensors are not positive definite", "(5, 1, 0)", "barriers"});
  c.barriers.assign(c.problem.grid.points(), 0);
  for (const int n : {20, 300, 301}) c.barriers[n] = 1;
  c.problem.barriers = c.barriers; // barriers make them irrelevant
  EXPECT_EQ(messageOf(c.problem), "no error");
}

TEST(ImageTensorBadInput, RefuseAWrongNumberOfComponents) {
  Case c = makeTensorCase("Space");
  c.problem.speed = std::span(c.speed).first(c.speed.size() / 2);
  expectInMessage(messageOf(c.problem), {"6 values", "2340 points"});
  c.problem.speed = {};
  expectInMessage(messageOf(c.problem), {"6 values", "got 0"});
}

TEST(ImageTensorBadInput, RefuseAnisotropyBeyondSinglePrecision) {
  Case c = constantTensors({20, 20, 1, 1, 1, 1}, 0.4, 0, 1000);
  expectInMessage(messageOf(c.problem), {"too anisotropic", "(0, 0, 0)", "200"});
  EXPECT_EQ(messageOf(constantTensors({20, 20, 1, 1, 1, 1}, 0.4, 0, 100).problem), "no error");
}
