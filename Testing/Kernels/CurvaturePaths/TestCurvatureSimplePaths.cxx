// Claims about paths with known answers: course, ends, seeds, reasons for missing paths.
#include "CurvaturePathChecks.h"

using namespace isochrone;
using namespace isochrone::curvature;

TEST(CurvatureSimplePaths, GoesStraightAheadOnAStraightLine) {
  for (const Model model : allModels) {
    Case c = square(model, 41, 24);
    const std::vector<State> tips{{1.8, 1, 0, false}};
    const double rounding = 1e-6;

    const Path path = extractPaths(c.problem, solve(c.problem), tips, 1)[0];

    EXPECT_NEAR(path.length, 0.8, rounding) << nameOf(model);
    EXPECT_NEAR(path.energy, 0.8, rounding) << nameOf(model);
    for (std::size_t n = 0; n < path.size(); ++n) {
      EXPECT_NEAR(path.y[n], 1, rounding) << nameOf(model); // steps are 0.05
      EXPECT_NEAR(path.heading[n], 0, rounding) << nameOf(model);
      if (!path.gear.empty()) EXPECT_EQ(path.gear[n], 1);
    }
  }
}

TEST(CurvatureSimplePaths, ReversesAndTurnsOnTheSpot) {
  Case c = square(Model::ReedsShepp, 41, 24);
  const std::vector<State> tips{{0.4, 1, 0, false}, {1, 1, 2, false}, {1, 1, -2, false}};

  const std::vector<Path> paths = extractPaths(c.problem, solve(c.problem), tips, 1);

  EXPECT_NEAR(paths[0].energy, 0.6, 1e-6);
  for (const std::int8_t gear : paths[0].gear) EXPECT_EQ(gear, -1);
  for (const int t : {1, 2}) {
    const Path& path = paths[t];
    EXPECT_EQ(path.length, 0);
    EXPECT_NEAR(path.energy, 0.2 * 2, 1e-9);
    EXPECT_NEAR(path.heading.back() - path.heading.front(), t == 1 ? 2 : -2, 1e-9);
    for (std::size_t n = 0; n < path.size(); ++n) {
      EXPECT_EQ(path.gear[n], 0);
      EXPECT_EQ(path.curvature[n], 0);
    }
  }
}

TEST(CurvatureSimplePaths, DrivesForwardIfReversingCostsTheSame) {
  Case c = square(Model::ReedsShepp, 41, 24);
  c.problem.seeds = {{{0.2, 1, 0, true}, 0}};
  std::vector<State> tips;
  for (int t = 0; t < 12; ++t) tips.push_back({1 + 0.6 * std::cos(t), 1 + 0.6 * std::sin(t), 0, true});

  const std::vector<Path> paths = extractPaths(c.problem, solve(c.problem), tips, 1);

  for (const Path& path : paths) {
    ASSERT_GT(path.size(), 0u);
    for (const std::int8_t gear : path.gear) EXPECT_EQ(gear, 1);
  }
}

TEST(CurvatureSimplePaths, EndsAtSeedAndTipBetweenGridPoints) {
  for (const Model model : allModels) {
    Case c = square(model, 41, 24);
    c.problem.seeds = {{{0.613, 0.787, 0.31, false}, 2}};
    const std::vector<State> tips{{1.511, 1.293, 0.7, false}, {1.234, 0.567, 0, true}};

    const std::vector<Path> paths = extractPaths(c.problem, solve(c.problem), tips, 1);

    for (std::size_t t = 0; t < tips.size(); ++t) {
      expectEndsAt(paths[t], c.problem, tips[t]);
      EXPECT_EQ(paths[t].travelTime.front(), 2);
    }
  }
}

TEST(CurvatureSimplePaths, StaysAtTheSeedWhereTheTipIsTheSeed) {
  for (const Model model : allModels) {
    const Case c = square(model, 21, 16);
    const std::vector<State> tips{{1, 1, 0, false}, {1, 1, 0, true}};

    for (const Path& path : extractPaths(c.problem, solve(c.problem), tips, 1)) {
      EXPECT_EQ(path.status, PathStatus::Complete);
      EXPECT_EQ(path.seed, 0);
      EXPECT_EQ(path.length, 0);
      EXPECT_EQ(path.energy, 0);
      for (std::size_t n = 0; n < path.size(); ++n) {
        EXPECT_EQ(path.x[n], 1);
        EXPECT_EQ(path.travelTime[n], 0);
      }
    }
  }
}

TEST(CurvatureSimplePaths, TakesTheSeedOfMinimumTime) {
  for (const Model model : allModels) {
    Case c = square(model, 41, 24);
    c.problem.seeds = {
        {{0.3, 1, 0, true}, 0}, {{9, 9, 0, true}, 0}, {{1.7, 1, 0, true}, 0}, {{1.7, 1, 0, true}, 5}};
    const std::vector<State> tips{{0.5, 0.8, 0, true}, {1.6, 1.3, 0, true}};

    const std::vector<Path> paths = extractPaths(c.problem, solve(c.problem), tips, 1);

    EXPECT_EQ(paths[0].seed, 0);
    EXPECT_EQ(paths[1].seed, 2);
  }
}

TEST(CurvatureSimplePaths, ReportsWhyThereIsNoPath) {
  Case c = square(Model::ReedsSheppForward, 21, 16);
  c.walls.assign(21 * 21, 0);
  for (int q = 0; q < 21; ++q) c.walls[15 + 21 * q] = 1; // a wall across the square at x = 1.5
  c.problem.walls = c.walls;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<State> tips{
      {2.5, 1, 0, true}, {nan, 1, 0, true}, {1.5, 1, 0, true}, {1.8, 1, 0, true}, {1.2, 1, 0, true}};

  const std::vector<Path> paths = extractPaths(c.problem, solve(c.problem), tips, 1);

  const PathStatus expected[] = {PathStatus::TipOutside, PathStatus::TipOutside, PathStatus::TipInWall,
                                 PathStatus::Unreachable, PathStatus::Complete};
  for (std::size_t t = 0; t < tips.size(); ++t) {
    EXPECT_EQ(paths[t].status, expected[t]) << t;
    EXPECT_EQ(paths[t].size() > 0, expected[t] == PathStatus::Complete);
  }
}
