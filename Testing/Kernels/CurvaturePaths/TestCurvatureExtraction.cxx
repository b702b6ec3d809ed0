// Claims about every extracted path of every problem; none crosses a wall.
#include "CurvaturePathChecks.h"

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

class CurvatureExtraction : public testing::TestWithParam<std::tuple<Model, std::string>> {
protected:
  Case c = makeCase(std::get<0>(GetParam()), std::get<1>(GetParam()));
  const Values<float> u = solve(c.problem);
};

} // namespace

TEST_P(CurvatureExtraction, GivesAValidPathToEveryReachedTip) {
  const Problem& problem = c.problem;
  const std::vector<State> tips = randomTips(problem.grid, 60);

  const std::vector<Path> paths = extractPaths(problem, u, tips, 2);

  ASSERT_EQ(paths.size(), tips.size());
  for (std::size_t t = 0; t < tips.size(); ++t) {
    SCOPED_TRACE("tip " + std::to_string(t));
    const Path& path = paths[t];
    const Placement at = place(problem, tips[t]);
    if (at.status == Placement::Status::InWall) {
      EXPECT_EQ(path.status, PathStatus::TipInWall);
      EXPECT_EQ(path.size(), 0u);
    } else if (std::isinf(valueOf(problem, u, at))) {
      EXPECT_EQ(path.status, PathStatus::Unreachable);
      EXPECT_EQ(path.size(), 0u);
    } else {
      ASSERT_GT(path.size(), 0u);
      expectLeadsToTheTip(path, problem);
      const double minimum =
          valueOf(problem, u, at); // either of two headings with equal times up to rounding
      EXPECT_NEAR(path.travelTime.back(), minimum, at.heading < 0 ? 1e-6 * std::abs(minimum) : 0);
      EXPECT_NEAR(path.travelTime.front(), problem.seeds[path.seed].startValue, 1e-5);
      expectSound(path, problem);
      expectEndsAt(path, problem, tips[t]);
    }
  }
}

TEST_P(CurvatureExtraction, GivesTheSameBitsForAnyThreadCount) {
  const std::vector<State> tips = randomTips(c.problem.grid, 20);

  const std::vector<Path> one = extractPaths(c.problem, u, tips, 1),
                          many = extractPaths(c.problem, u, tips, 5);

  for (std::size_t t = 0; t < tips.size(); ++t) {
    EXPECT_EQ(one[t].x, many[t].x);
    EXPECT_EQ(one[t].y, many[t].y);
    EXPECT_EQ(one[t].heading, many[t].heading);
    EXPECT_EQ(one[t].travelTime, many[t].travelTime);
    EXPECT_EQ(one[t].energy, many[t].energy);
  }
}

INSTANTIATE_TEST_SUITE_P(, CurvatureExtraction,
                         testing::Combine(testing::ValuesIn(allModels), testing::ValuesIn(caseNames())),
                         [](const auto& info) {
                           return nameOf(std::get<0>(info.param)) + std::get<1>(info.param);
                         });

TEST(CurvatureExtractedPath, GoesThroughTheDoor) {
  for (const Model model : allModels) {
    Case c = square(model, 61, 36);
    c.problem.seeds = {{{0.4, 0.5, 0, true}, 0}};
    c.walls.assign(61 * 61, 0);
    for (int q = 0; q < 61; ++q)
      if (q < 44 || q > 48) c.walls[30 + 61 * q] = 1; // a door at 1.47 <= y <= 1.60
    c.problem.walls = c.walls;
    const std::vector<State> tips{{1.6, 0.5, 0, true}, {1.1, 0.4, 0, true}, {1.03, 1.9, 0, true}};

    const std::vector<Path> paths = extractPaths(c.problem, solve(c.problem), tips, 2);

    for (const Path& path : paths) {
      ASSERT_EQ(path.status, PathStatus::Complete) << nameOf(model);
      expectSound(path, c.problem);
      for (std::size_t n = 0; n < path.size(); ++n)
        if (std::abs(path.x[n] - 1) < 0.01) EXPECT_NEAR(path.y[n], 1.533, 0.084);
    }
  }
}

TEST(CurvatureExtractedPath, DoesNotCrossADiagonalWall) {
  for (const Model model : allModels) {
    Case c = square(model, 41, 24);
    c.problem.seeds = {{{0.5, 1.5, 0, true}, 0}};
    c.walls.assign(41 * 41, 0);
    for (int q = 0; q < 41; ++q) c.walls[q + 41 * q] = 1; // pixels that touch at corners, across the grid
    c.problem.walls = c.walls;
    const std::vector<State> tips{{1.5, 0.5, 0, true}, {0.9, 1.1, 0, true}, {1.7, 1.8, 0, true}};

    const std::vector<Path> paths = extractPaths(c.problem, solve(c.problem), tips, 1);

    EXPECT_EQ(paths[0].status, PathStatus::Unreachable) << nameOf(model);
    for (const int t : {1, 2}) {
      ASSERT_EQ(paths[t].status, PathStatus::Complete) << nameOf(model);
      expectSound(paths[t], c.problem);
    }
  }
}
