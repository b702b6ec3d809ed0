// Images divided among processes: every division gives the times of the whole image.
#include "ImageTravelTimeParts.h"

#include "Error.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>

namespace isochrone::image {

namespace {

using grid::Boxes, grid::Division, grid::divisionsOf;

/// Maximum distance from the undivided times. Every update rounds, and the order of updates depends on the
/// parts. 3 floats were seen, in one of 294 runs.
constexpr std::int64_t roundings = 4; // floats

std::string differenceOf(const Values<float>& a, const Values<float>& b) {
  for (std::size_t p = 0; p < a.size(); ++p)
    if (std::isinf(a[p]) != std::isinf(b[p]) || floatsBetween(a[p], b[p]) > roundings)
      return "point " + std::to_string(p) + ": " + text(a[p]) + " and " + text(b[p]);
  return {};
}

class ImageParts : public testing::TestWithParam<std::string> {};

TEST_P(ImageParts, GiveTheTimesOfTheWhole) {
  const Case c = makeCase(GetParam());
  for (const SourceFactoring factoring : {SourceFactoring::Off, SourceFactoring::Additive}) {
    Options options;
    options.factoring = factoring;
    options.threads = 1;
    const Result whole = solveImageTravelTime(c.problem, options, {});
    for (const Division& division : divisionsOf(c.problem.grid.sizes())) {
      SCOPED_TRACE(division.name + (factoring == SourceFactoring::Off ? "" : ", factored"));
      const Result parts = solveInParts(c.problem, options, division.boxes).result;
      EXPECT_EQ(differenceOf(whole.travelTime, parts.travelTime), "");
      ASSERT_EQ(parts.ballRadius.size(), whole.ballRadius.size());
      for (std::size_t s = 0; s < whole.ballRadius.size(); ++s)
        EXPECT_NEAR(parts.ballRadius[s], whole.ballRadius[s], 1e-12 * whole.ballRadius[s]);
      for (std::size_t s = 0; s < whole.seeds.size(); ++s)
        EXPECT_EQ(parts.seeds[s].status, whole.seeds[s].status);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ImageParts, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

/// The seed with the largest share in the value of a point follows from the times. It may only differ where
/// rounding decides between two seeds.
TEST(ImagePartsRuns, SeedsAreThoseOfTheWhole) {
  for (const char* name : {"SeveralSeeds", "OffGrid", "Regions"}) {
    const Case c = makeCase(name);
    Options options;
    options.threads = 1;
    options.seedIds = true;
    const Result whole = solveImageTravelTime(c.problem, options, {});
    for (const Division& division : divisionsOf(c.problem.grid.sizes())) {
      SCOPED_TRACE(std::string(name) + ", " + division.name);
      const Result parts = solveInParts(c.problem, options, division.boxes).result;
      std::size_t differing = 0;
      for (std::size_t p = 0; p < whole.seed.size(); ++p) {
        ASSERT_EQ(parts.seed[p] >= 0, std::isfinite(parts.travelTime[p]));
        differing += parts.seed[p] != whole.seed[p];
      }
      const bool sameTimes = std::ranges::equal(whole.travelTime, parts.travelTime);
      EXPECT_LE(differing, sameTimes ? 0 : whole.seed.size() / 500);
    }
  }
}

/// At a constant time no front leads from one point to the next, and the parts wait for each other.
TEST(ImagePartsRuns, PointsOfEqualTimeGetASeed) {
  Case c;
  c.problem.grid = {40, 3, 1};
  c.speed.assign(120, 1e9f); // steps are lost beside the start values
  c.problem.speed = c.speed;
  c.problem.seeds = {{{0, 0, 0}, 1e6}, {{39, 2, 0}, 1e6}, {{20, 1, 0}, 2e6}};
  Options options;
  options.seedIds = true;
  const Result parts = solveInParts(c.problem, options, grid::boxesOf({40, 3, 1}, {4, 1, 1})).result;
  for (const std::int32_t seed : parts.seed) EXPECT_TRUE(seed == 0 || seed == 1) << seed;
}

/// Returns tips all over an image, on points and between them, and one outside.
std::vector<Position> tipsOf(const Grid& g) {
  std::vector<Position> tips;
  for (int n = 0; n < 40; ++n)
    tips.push_back({double(g.nx - 1) * g.hx * noise(3 * n), double(g.ny - 1) * g.hy * noise(3 * n + 1),
                    double(g.nz - 1) * g.hz * noise(3 * n + 2)});
  tips.push_back({0, 0, 0});
  tips.push_back({double(g.nx - 1) * g.hx, double(g.ny - 1) * g.hy, double(g.nz - 1) * g.hz});
  tips.push_back({-3 * g.hx, 0, 0});
  return tips;
}

/// Also where the times of the parts differ by rounding (20 of the 126 runs).
TEST_P(ImageParts, TraceThePathsOfTheWhole) {
  const Case c = makeCase(GetParam());
  const Grid& g = c.problem.grid;
  const std::vector<Position> tips = tipsOf(g);
  const Values<float> times = solveImageTravelTime(c.problem, {}, {}).travelTime;
  const std::vector<Path> whole = extractPaths(c.problem, times, tips, 1);
  for (const Division& division : divisionsOf(g.sizes())) {
    SCOPED_TRACE(division.name);
    const PartedSolution parts = solveInParts(c.problem, {}, division.boxes, pathMargin, tips);
    for (std::size_t t = 0; t < tips.size(); ++t) {
      SCOPED_TRACE("tip " + std::to_string(t));
      const Path* path = nullptr;
      for (const std::vector<Path>& some : parts.paths) {
        EXPECT_EQ(some[t].status, whole[t].status); // every part knows the status
        if (some[t].size() == 0) continue;
        EXPECT_EQ(path, nullptr) << "two parts have the path";
        path = &some[t];
      }
      ASSERT_EQ(path != nullptr, whole[t].status == PathStatus::Complete);
      if (!path) continue;
      EXPECT_NEAR(path->travelTime.back(), whole[t].travelTime.back(),
                  1e-6 * std::abs(whole[t].travelTime.back()));
      EXPECT_EQ(path->seed, whole[t].seed);
      EXPECT_NEAR(path->length, whole[t].length, 1e-6 * whole[t].length);
      EXPECT_NEAR(path->energy, whole[t].energy, 1e-6 * whole[t].energy);
      EXPECT_NEAR(double(path->size()), double(whole[t].size()), 1); // a last step of length 1e-16
      for (std::size_t n = 0; path->size() == whole[t].size() && n < path->size(); ++n) {
        EXPECT_NEAR(path->x[n], whole[t].x[n], 1e-6 * g.hx);
        EXPECT_NEAR(path->y[n], whole[t].y[n], 1e-6 * g.hy);
      }
    }
  }
}

TEST(ImagePartsRuns, TwoFrontsMeetInOnePart) {
  const Case c = makeCase("Noise");
  const Grid& g = c.problem.grid;
  Problem back = c.problem;
  back.seeds = {{{34, 27, 19}, 0}};
  const auto u = solveImageTravelTime(c.problem, {}, {}).travelTime,
             v = solveImageTravelTime(back, {}, {}).travelTime;
  const TwoWay whole = combine(c.problem, u, v, 1);
  const Boxes boxes = grid::boxesOf(g.sizes(), {2, 2, 2});
  grid::PartsInProcess parts(boxes, g.sizes(), 2);
  parts.run([&](int p) {
    const grid::Box box = grid::grown(boxes[std::size_t(p)], 2, g.sizes());
    const ProblemPart local = problemPart(c.problem, parts.part(p), box);
    const TwoWay both = combine(local.problem, cropped<float>(u, g, box), cropped<float>(v, g, box), 1);
    EXPECT_EQ(cropped<float>(whole.connectivity, g, box),
              std::vector<float>(both.connectivity.begin(), both.connectivity.end()));
    ASSERT_TRUE(both.meeting && whole.meeting);
    for (int a = 0; a < 3; ++a)
      EXPECT_EQ((*both.meeting)[a], (*whole.meeting)[a] - double(parts.part(p).first[a]));
  });
}

TEST(ImagePartsRuns, AMarginHoldsTheTimesOfTheOtherParts) {
  const Case c = makeCase("Noise");
  const GridIndex n = c.problem.grid.sizes();
  const Boxes boxes = grid::boxesOf(n, {2, 2, 2});
  constexpr std::int64_t margin = 5;
  const PartedSolution solved = solveInParts(c.problem, {}, boxes, margin);
  for (std::size_t p = 0; p < boxes.size(); ++p) {
    std::size_t next = 0;
    grid::forEachPoint(grid::grown(boxes[p], margin, n), [&](const GridIndex& at) {
      EXPECT_EQ(solved.parts[p].travelTime[next++],
                solved.result.travelTime[std::size_t(c.problem.grid.index(at))]);
    });
  }
}

TEST(ImagePartsRuns, AStoppingTimeHidesTheSamePoints) {
  const Case c = makeCase("SeveralSeeds");
  Options options;
  options.threads = 1;
  options.stoppingTime = 14;
  const Result whole = solveImageTravelTime(c.problem, options, {});
  const Result parts =
      solveInParts(c.problem, options, grid::boxesOf(c.problem.grid.sizes(), {3, 2, 2})).result;
  EXPECT_EQ(differenceOf(whole.travelTime, parts.travelTime), "");
  EXPECT_TRUE(std::ranges::any_of(parts.travelTime, [](float t) { return std::isinf(t); }));
}

TEST(ImagePartsRuns, TipsInSeveralPartsAreFinal) {
  const Case c = makeCase("Noise");
  const Grid& g = c.problem.grid;
  Options options;
  options.threads = 1;
  const Result all = solveImageTravelTime(c.problem, options, {});
  options.stopAt = {{18, 14, 16}, {10, 14, 10}, {18, 20, 4}, {500, 0, 0}}; // the last one lies outside
  const PartedSolution parts = solveInParts(c.problem, options, grid::boxesOf(g.sizes(), {2, 2, 2}));
  for (int tip = 0; tip < 3; ++tip) {
    const auto point =
        std::size_t(g.index(std::int64_t(options.stopAt[tip][0]), std::int64_t(options.stopAt[tip][1]),
                            std::int64_t(options.stopAt[tip][2])));
    EXPECT_LE(floatsBetween(parts.result.travelTime[point], all.travelTime[point]), roundings);
  }
  EXPECT_TRUE(std::ranges::any_of(parts.result.travelTime, [](float t) { return std::isinf(t); }));
  for (std::size_t p = 0; p < all.travelTime.size(); ++p) // nothing that is not final
    if (!std::isinf(parts.result.travelTime[p]))
      EXPECT_LE(floatsBetween(parts.result.travelTime[p], all.travelTime[p]), roundings);
}

TEST(ImagePartsRuns, UpdateCountsCoverTheImage) {
  const Case c = makeCase("Noise");
  Options options;
  options.updateCounts = true;
  const Result parts =
      solveInParts(c.problem, options, grid::boxesOf(c.problem.grid.sizes(), {2, 2, 1})).result;
  for (const std::int32_t updates : parts.updates) ASSERT_GT(updates, 0);
}

/// The counts of distributed.md, section 3: exchanges and bytes on random speeds.
TEST(ImagePartsRuns, PartsTellLittle) {
  Case c;
  c.problem.grid = {64, 64, 64};
  for (std::int64_t n = 0; n < c.problem.grid.points(); ++n) c.speed.push_back(float(0.1 + 0.9 * noise(n)));
  c.problem.speed = c.speed;
  c.problem.seeds = {{{32, 32, 32}, 0}};
  for (const int blocks : {2, 4}) {
    const PartedSolution solved =
        solveInParts(c.problem, {}, grid::boxesOf(c.problem.grid.sizes(), {blocks, blocks, blocks}));
    const double besideFaces = 2. * 3 * (blocks - 1) * 64 * 64;
    EXPECT_LE(solved.result.exchanges, 12 * blocks + 30);
    EXPECT_LE(double(solved.bytesTold), 15 * besideFaces);
  }
}

std::string errorOf(const Problem& problem, const Options& options = {}) {
  try {
    solveInParts(problem, options, grid::boxesOf(problem.grid.sizes(), {2, 2, 1}));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ImagePartsRuns, AnErrorInOnePartEndsAll) {
  Case c = makeCase("Noise");
  c.speed[5] = -1;
  EXPECT_NE(errorOf(c.problem).find("got -1 at point (5, 0, 0)"), std::string::npos);
}

TEST(ImagePartsRuns, SeedsInNoPartAreRejected) {
  Case c = makeCase("Noise");
  c.problem.seeds = {{{-50, 0, 0}, 0}};
  EXPECT_NE(errorOf(c.problem).find("1 of 1 lie outside"), std::string::npos);
  c.problem.seeds = {{{0, 0, 0}, 0}};
  c.speed[0] = 0;
  EXPECT_NE(errorOf(c.problem).find("0 of 1 lie outside"), std::string::npos);
}

TEST(ImagePartsRuns, TheRangeOfTheSpeedIsThatOfAllParts) {
  Case c = makeCase("Constant");
  c.speed.front() = 1e-9f, c.speed.back() = 1e9f; // in two parts
  EXPECT_NE(errorOf(c.problem).find("varies by more than a factor"), std::string::npos);
}

TEST(ImagePartsRuns, WhatNeedsTheWholeImageIsRefused) {
  const Case c = makeCase("Noise");
  Options second;
  second.order = 2;
  EXPECT_NE(errorOf(c.problem, second).find("the second order cannot be solved in parts"), std::string::npos);
  Options multiplicative;
  multiplicative.factoring = SourceFactoring::Multiplicative;
  EXPECT_NE(errorOf(c.problem, multiplicative).find("multiplicative factoring cannot"), std::string::npos);
}

TEST(ImagePartsRuns, AStopInOnePartEndsAll) {
  const Case c = makeCase("Noise");
  const GridIndex n = c.problem.grid.sizes();
  const Boxes boxes = grid::boxesOf(n, {2, 2, 1});
  grid::PartsInProcess parts(boxes, n, 2);
  std::atomic<int> aborted = 0, others = 0;
  parts.run([&](int p) {
    const ProblemPart local = problemPart(c.problem, parts.part(p), grid::grown(boxes[std::size_t(p)], 2, n));
    Problem problem = local.problem;
    problem.speed = local.speed, problem.barriers = local.barriers, problem.seedRegions = local.regions;
    try {
      aborted += solveImageTravelTime(problem, {}, {[p](double) { return p != 2; }}).aborted;
    } catch (const grid::OtherPartStopped&) {
      ++others;
    }
  });
  EXPECT_EQ(aborted, 1);
  EXPECT_EQ(others, 3);
}

} // namespace

} // namespace isochrone::image
