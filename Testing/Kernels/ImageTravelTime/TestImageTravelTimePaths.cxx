// Claims about paths through images: they run from their seed to their tip and touch no barrier, in every
// image.
#include "Error.h"
#include "ImageTravelTimePathCases.h"

#include <algorithm>

using namespace isochrone;
using namespace isochrone::image;

namespace {

class ImagePaths : public testing::TestWithParam<std::string> {};

} // namespace

TEST_P(ImagePaths, AreValidForTipsAnywhere) {
  const Case c = makeCase(GetParam());
  const Values<float> u = travelTimeOf(c.problem);
  const std::vector<Position> tips = randomTips(c.problem.grid, 200);
  const std::vector<Path> paths = extractPaths(c.problem, u, tips, 0);
  ASSERT_EQ(paths.size(), tips.size());
  int complete = 0;
  for (std::size_t t = 0; t < tips.size(); ++t) {
    SCOPED_TRACE("tip " + std::to_string(t));
    const Placement at = place(c.problem, tips[t]);
    ASSERT_NE(at.status, Placement::Status::Outside);
    if (at.status == Placement::Status::InBarrier) {
      EXPECT_EQ(paths[t].status, PathStatus::TipInWall);
      EXPECT_EQ(paths[t].size(), 0u);
    } else if (std::isinf(u[at.point])) {
      EXPECT_EQ(paths[t].status, PathStatus::Unreachable);
      EXPECT_EQ(paths[t].size(), 0u);
    } else {
      expectSound(paths[t], c.problem, tips[t]);
      expectStartsAtSeed(paths[t], c.problem);
      ++complete;
    }
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(complete, 50);
}

TEST_P(ImagePaths, AreValidForTheTimesOfEveryScheme) {
  const Case c = makeCase(GetParam());
  const std::vector<Position> tips = randomTips(c.problem.grid, 60);
  Options options;
  options.backend = Backend::Host;
  for (const int order : {1, 2})
    for (const SourceFactoring factoring : {SourceFactoring::Additive, SourceFactoring::Multiplicative}) {
      options.order = order, options.factoring = factoring;
      const Values<float> u = solveImageTravelTime(c.problem, options, {}).travelTime;
      const std::vector<Path> paths = extractPaths(c.problem, u, tips, 0);
      for (std::size_t t = 0; t < tips.size(); ++t) {
        const Placement at = place(c.problem, tips[t]);
        if (at.status != Placement::Status::Inside || std::isinf(u[at.point])) continue;
        SCOPED_TRACE("tip " + std::to_string(t));
        expectSound(paths[t], c.problem, tips[t]);
        expectStartsAtSeed(paths[t], c.problem);
      }
    }
}

TEST_P(ImagePaths, AreTheSameForAnyNumberOfThreads) {
  const Case c = makeCase(GetParam());
  const Values<float> u = travelTimeOf(c.problem);
  const std::vector<Position> tips = randomTips(c.problem.grid, 50);
  const std::vector<Path> one = extractPaths(c.problem, u, tips, 1);
  for (const int threads : {2, 3}) {
    const std::vector<Path> many = extractPaths(c.problem, u, tips, threads);
    for (std::size_t t = 0; t < tips.size(); ++t) {
      EXPECT_EQ(many[t].x, one[t].x);
      EXPECT_EQ(many[t].y, one[t].y);
      EXPECT_EQ(many[t].z, one[t].z);
      EXPECT_EQ(many[t].travelTime, one[t].travelTime);
      EXPECT_EQ(many[t].energy, one[t].energy);
      EXPECT_EQ(many[t].seed, one[t].seed);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Images, ImagePaths, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

TEST(ImagePathTips, ThatCannotBeReachedReportTheReason) {
  const Case c = wallCase({"...#.", //
                           "...##", //
                           "....."},
                          {0, 0, 0});
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const std::vector<Position> tips{{4, 0, 0},   {3, 0, 0},    {-0.6, 0, 0}, {0, 2.6, 0},
                                   {nan, 0, 0}, {0, 0, -inf}, {1e300, 0, 0}};
  const PathStatus expected[] = {PathStatus::Unreachable, PathStatus::TipInWall,  PathStatus::TipOutside,
                                 PathStatus::TipOutside,  PathStatus::TipOutside, PathStatus::TipOutside,
                                 PathStatus::TipOutside};
  const std::vector<Path> paths = pathsTo(c.problem, tips);
  ASSERT_EQ(paths.size(), tips.size());
  for (std::size_t t = 0; t < tips.size(); ++t) {
    EXPECT_EQ(paths[t].status, expected[t]) << t;
    EXPECT_EQ(paths[t].size(), 0u) << t;
    EXPECT_EQ(paths[t].seed, -1) << t;
  }
  EXPECT_TRUE(pathsTo(c.problem, {}).empty());
}

TEST(ImagePathTips, BeyondTheStoppingTimeHaveNoPathAndOthersAreUnchanged) {
  const Case c = makeCase("Layers");
  Options options;
  options.backend = Backend::Host;
  const Values<float> full = solveImageTravelTime(c.problem, options, {}).travelTime;
  options.stoppingTime = 0.5 * *std::max_element(full.begin(), full.end());
  const Values<float> stopped = solveImageTravelTime(c.problem, options, {}).travelTime;
  const std::vector<Position> tips = randomTips(c.problem.grid, 100);
  const std::vector<Path> all = extractPaths(c.problem, full, tips, 0),
                          some = extractPaths(c.problem, stopped, tips, 0);
  int complete = 0;
  for (std::size_t t = 0; t < tips.size(); ++t) {
    const std::int64_t point = place(c.problem, tips[t]).point;
    ASSERT_EQ(some[t].status, std::isinf(stopped[point]) ? PathStatus::Unreachable : PathStatus::Complete);
    if (some[t].status == PathStatus::Complete)
      EXPECT_LE(some[t].travelTime.back(), options.stoppingTime + 1);
    if (all[t].travelTime.back() > options.stoppingTime - 3) continue; // corners next to it may be unreached
    EXPECT_EQ(some[t].x, all[t].x);
    EXPECT_EQ(some[t].energy, all[t].energy);
    ++complete;
  }
  EXPECT_GT(complete, 20);
}

TEST(ImagePathInput, RefusesATravelTimeOfAnotherImage) {
  const Case c = makeCase("Plane");
  const std::vector<float> u(7, 0.f);
  const std::vector<Position> tips{{1, 1, 0}};
  try {
    extractPaths(c.problem, u, tips, 1);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "the travel time must have a value for each of 5063 points, got 7");
  }
}
