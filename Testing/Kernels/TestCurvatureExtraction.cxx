// Paths: what every path of every problem must satisfy, and how good they are where the answer is known.
#include "CurvatureCases.h"
#include "Reference/DubinsLength.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

Values<float> solve(const Problem& problem) {
  Options options;
  options.backend = Backend::Host;
  return solveCurvaturePaths(problem, options, {}).travelTime;
}

/// Does the segment from a to b touch the closed pixel around (i, j)? Liang-Barsky clipping against the
/// square.
bool touches(double ax, double ay, double bx, double by, double i, double j) {
  double enter = 0, leave = 1;
  const auto clip = [&](double from, double step, double low, double high) {
    if (step == 0) return from >= low && from <= high;
    const double t0 = (low - from) / step, t1 = (high - from) / step;
    enter = std::max(enter, std::min(t0, t1));
    leave = std::min(leave, std::max(t0, t1));
    return enter <= leave;
  };
  return clip(ax, bx - ax, i - 0.5, i + 0.5) && clip(ay, by - ay, j - 0.5, j + 0.5);
}

bool touchesWall(const Problem& problem, double ax, double ay, double bx, double by) {
  const StateGrid& g = problem.grid;
  for (std::int64_t p = 0; p < std::int64_t(problem.walls.size()); ++p) {
    const double i = double(p % g.nx), j = double(p / g.nx);
    if (problem.walls[p] && std::abs(i - ax) < 30 && std::abs(j - ay) < 30 && touches(ax, ay, bx, by, i, j))
      return true;
  }
  return false;
}

float valueOf(const Problem& problem, std::span<const float> u, const Placement& at) {
  if (at.heading >= 0) return u[problem.grid.index(at.i, at.j, at.heading)];
  float least = std::numeric_limits<float>::infinity();
  for (int k = 0; k < problem.grid.headings; ++k)
    least = std::min(least, u[problem.grid.index(at.i, at.j, k)]);
  return least;
}

std::vector<State> randomTips(const StateGrid& g, int count) {
  Random random(11);
  std::vector<State> tips;
  for (int t = 0; t < count; ++t) {
    const double x = random() * double(g.nx - 1) * g.hx, y = random() * double(g.ny - 1) * g.hy;
    tips.push_back({x, y, random() * 2 * std::numbers::pi, t % 4 == 3});
  }
  return tips;
}

/// Is the last point at the tip, the first one at its seed? The ends of a path may stop short of them by less
/// than a pixel only where a wall or the border of the grid lies between.
void expectEndsAt(const Path& path, const Problem& problem, const State& tip) {
  const State& seed = problem.seeds[path.seed].state;
  const StateGrid& g = problem.grid;
  const auto inGrid = [](double v, double step, std::int64_t n) {
    return std::clamp(v, 0., double(n - 1) * step);
  };
  EXPECT_NEAR(path.x.front(), inGrid(seed.x, g.hx, g.nx), 1e-12);
  EXPECT_NEAR(path.y.front(), inGrid(seed.y, g.hy, g.ny), 1e-12);
  EXPECT_NEAR(path.x.back(), inGrid(tip.x, g.hx, g.nx), 1e-12);
  EXPECT_NEAR(path.y.back(), inGrid(tip.y, g.hy, g.ny), 1e-12);
  const auto apart = [](double a, double b) { return std::abs(std::remainder(a - b, 2 * std::numbers::pi)); };
  if (!seed.anyHeading) EXPECT_LE(apart(path.heading.front(), seed.heading), 1e-9);
  if (!tip.anyHeading) EXPECT_LE(apart(path.heading.back(), tip.heading), 1e-9);
}

void expectSound(const Path& path, const Problem& problem) {
  const StateGrid& g = problem.grid;
  const bool turnsOnTheSpot = problem.model == Model::ReedsShepp || problem.model == Model::ReedsSheppForward;
  const std::size_t n = path.size();
  ASSERT_GE(n, 2u);
  ASSERT_EQ(path.y.size(), n);
  ASSERT_EQ(path.heading.size(), n);
  ASSERT_EQ(path.curvature.size(), n);
  ASSERT_EQ(path.travelTime.size(), n);
  ASSERT_EQ(path.gear.size(), turnsOnTheSpot ? n : 0u);
  ASSERT_TRUE(path.z.empty());
  double length = 0;
  for (std::size_t p = 0; p < n; ++p) {
    ASSERT_TRUE(std::isfinite(path.curvature[p]));
    ASSERT_GE(path.x[p], 0);
    ASSERT_GE(path.y[p], 0);
    ASSERT_LE(path.x[p], double(g.nx - 1) * g.hx);
    ASSERT_LE(path.y[p], double(g.ny - 1) * g.hy);
    if (turnsOnTheSpot) ASSERT_GE(path.gear[p], problem.model == Model::ReedsShepp ? -1 : 0);
    if (p == 0) continue;
    ASSERT_GE(path.travelTime[p], path.travelTime[p - 1]);
    ASSERT_LE(std::abs(path.heading[p] - path.heading[p - 1]), 1.5 * g.headingStep());
    const double dx = (path.x[p] - path.x[p - 1]) / g.hx, dy = (path.y[p] - path.y[p - 1]) / g.hy;
    ASSERT_LE(std::hypot(dx, dy), 1.5);
    length += std::hypot(dx * g.hx, dy * g.hy);
    ASSERT_FALSE(
        touchesWall(problem, path.x[p - 1] / g.hx, path.y[p - 1] / g.hy, path.x[p] / g.hx, path.y[p] / g.hy))
        << "point " << p << " of " << n;
  }
  EXPECT_NEAR(path.length, length, 1e-9 * (1 + length));
}

class CurvatureExtraction : public testing::TestWithParam<std::tuple<Model, std::string>> {
protected:
  Case c = makeCase(std::get<0>(GetParam()), std::get<1>(GetParam()));
  const Values<float> u = solve(c.problem);
};

} // namespace

TEST_P(CurvatureExtraction, GivesASoundPathToEveryTipThatIsReached) {
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
      ASSERT_EQ(path.status, PathStatus::Complete);
      const double least =
          valueOf(problem, u, at); // of two headings that cost the same up to rounding, either
      EXPECT_NEAR(path.travelTime.back(), least, at.heading < 0 ? 1e-6 * std::abs(least) : 0);
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

namespace {

/// A seed near the left side of a 201 x 201 square with 96 headings, and 16 tips on grid points at least five
/// turning radii away: nearer to the seed the first-order travel time exceeds the energy of the true path by
/// more than the bounds (elastica straight ahead on a 101 x 101 grid: 36 % at 2.5 radii, 25 % at 5).
struct FarTips {
  Case c;
  Values<float> u;
  std::vector<State> tips;
  std::vector<Path> paths;

  explicit FarTips(Model model) : c(square(model, 201, 96)) {
    const StateGrid& g = c.problem.grid;
    c.problem.seeds = {{{0.2, 1, 0, false}, 0}};
    u = solve(c.problem);
    Random random(16);
    while (tips.size() < 16) {
      const State tip{std::round(200 * random()) * g.hx, std::round(200 * random()) * g.hy,
                      std::floor(96 * random()) * g.headingStep(), false};
      if (std::hypot(tip.x - 0.2, tip.y - 1) >= 1 && std::isfinite(value(tip))) tips.push_back(tip);
    }
    paths = extractPaths(c.problem, u, tips, 2);
  }

  double value(const State& tip) const { return valueOf(c.problem, u, place(c.problem, tip)); }
};

class CurvatureEnergy : public testing::TestWithParam<Model> {};

} // namespace

TEST_P(CurvatureEnergy, MatchesTheTravelTimeOfFarTips) {
  const FarTips far(GetParam());
  const bool elastica = GetParam() == Model::Elastica;

  double sum = 0;
  for (std::size_t t = 0; t < 16; ++t) {
    const double ratio = far.paths[t].energy / far.value(far.tips[t]);
    sum += ratio;
    EXPECT_GE(ratio, elastica ? 0.85 : 0.90) << "tip " << t;
    EXPECT_LE(ratio, 1.05) << "tip " << t;
    EXPECT_EQ(far.paths[t].x.front(), 0.2);
    EXPECT_EQ(far.paths[t].y.front(), 1);
  }
  RecordProperty("MeanRatio", std::to_string(sum / 16));
}

INSTANTIATE_TEST_SUITE_P(, CurvatureEnergy, testing::ValuesIn(allModels),
                         [](const auto& info) { return nameOf(info.param); });

TEST(CurvatureExtractedPath, DubinsPathsTurnNoTighterThanTheirRadius) {
  const FarTips far(Model::Dubins);

  double all = 0, tight = 0;
  for (const Path& path : far.paths)
    for (std::size_t n = 1; n < path.size(); ++n) {
      const double length = std::hypot(path.x[n] - path.x[n - 1], path.y[n] - path.y[n - 1]);
      all += length;
      if (std::max(std::abs(path.curvature[n]), std::abs(path.curvature[n - 1])) * 0.2 > 1 / 0.9)
        tight += length;
    }

  EXPECT_LE(tight / all, 0.05);
}

TEST(CurvatureExtractedPath, DubinsPathsAreAsLongAsTheShortestOnes) {
  const FarTips far(Model::Dubins);

  std::vector<double> errors;
  for (std::size_t t = 0; t < 16; ++t) {
    const State& tip = far.tips[t];
    const double exact =
        0.2 * reference::shortestDubinsWord({(tip.x - 0.2) / 0.2, (tip.y - 1) / 0.2, tip.heading}).total();
    if (exact <
        1.05 * far.value(tip)) // else the shortest word leaves the square, or jumps between grid points
      errors.push_back(std::abs(far.paths[t].energy / exact - 1));
  }
  std::sort(errors.begin(), errors.end());

  ASSERT_GE(errors.size(), 12u);
  EXPECT_LE(errors[errors.size() / 2], 0.02);
  EXPECT_LE(errors.back(), 0.08);
}

TEST(CurvatureExtractedPath, GoesStraightAheadOnAStraightLine) {
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

TEST(CurvatureExtractedPath, ReversesAndTurnsOnTheSpot) {
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

TEST(CurvatureExtractedPath, DrivesForwardWhereBothWaysCostTheSame) {
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

TEST(CurvatureExtractedPath, MirrorsMirroredTips) {
  for (const Model model : {Model::ReedsSheppForward, Model::Elastica, Model::Dubins}) {
    Case c = square(model, 51, 32);
    const double up = 5 * c.problem.grid.headingStep();
    const std::vector<State> tips{{1.64, 1.48, up, false}, {1.64, 0.52, -up, false}};

    const std::vector<Path> paths = extractPaths(c.problem, solve(c.problem), tips, 1);

    EXPECT_NEAR(paths[0].energy, paths[1].energy, 0.01 * paths[0].energy) << nameOf(model);
    ASSERT_GT(paths[1].size(), 0u);
    for (double share = 0; share <= 1; share += 0.125) {
      const std::size_t a = std::size_t(share * double(paths[0].size() - 1)),
                        b = std::size_t(share * double(paths[1].size() - 1));
      EXPECT_NEAR(paths[0].x[a], paths[1].x[b], 0.02) << nameOf(model);
      EXPECT_NEAR(paths[0].y[a] - 1, 1 - paths[1].y[b], 0.02) << nameOf(model);
    }
  }
}

TEST(CurvatureExtractedPath, ScalesWithTheCost) {
  Case one = makeCase(Model::Elastica, "RoughCost"), three = makeCase(Model::Elastica, "RoughCost");
  for (float& cost : three.cost) cost *= 4;
  const std::vector<State> tips = randomTips(one.problem.grid, 8);

  const auto a = extractPaths(one.problem, solve(one.problem), tips, 1);
  const auto b = extractPaths(three.problem, solve(three.problem), tips, 1);

  for (std::size_t t = 0; t < tips.size(); ++t) EXPECT_NEAR(b[t].energy / a[t].energy, 4, 0.01);
}

TEST(CurvatureExtractedPath, EndsAtSeedAndTipBetweenGridPoints) {
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

TEST(CurvatureExtractedPath, StaysAtTheSeedWhereTheTipIsTheSeed) {
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

TEST(CurvatureExtractedPath, SaysWhyThereIsNoPath) {
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

TEST(CurvatureExtractedPath, NeverSqueezesThroughADiagonalWall) {
  for (const Model model : allModels) {
    Case c = square(model, 41, 24);
    c.problem.seeds = {{{0.5, 1.5, 0, true}, 0}};
    c.walls.assign(41 * 41, 0);
    for (int q = 0; q < 41; ++q) c.walls[q + 41 * q] = 1; // pixels that touch at corners, from side to side
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

TEST(CurvatureExtractedPath, TakesTheSeedOfLeastTime) {
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
