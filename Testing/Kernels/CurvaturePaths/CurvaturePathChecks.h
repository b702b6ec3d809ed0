// CurvaturePathChecks.h - tips for the tests of extracted paths, and checks that a path is valid.
#pragma once

#include "CurvatureCases.h"
#include "CurvatureTurningChecks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace isochrone::curvature {

inline Values<float> solve(const Problem& problem) {
  Options options;
  options.backend = Backend::Host;
  return solveCurvaturePaths(problem, options, {}).travelTime;
}

/// Returns whether the segment from a to b touches the closed pixel around (i, j), by Liang-Barsky clipping
/// against the square.
inline bool touches(double ax, double ay, double bx, double by, double i, double j) {
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

inline bool touchesWall(const Problem& problem, double ax, double ay, double bx, double by) {
  const StateGrid& g = problem.grid;
  for (std::int64_t p = 0; p < std::int64_t(problem.walls.size()); ++p) {
    const double i = double(p % g.nx), j = double(p / g.nx);
    if (problem.walls[p] && std::abs(i - ax) < 30 && std::abs(j - ay) < 30 && touches(ax, ay, bx, by, i, j))
      return true;
  }
  return false;
}

inline float valueOf(const Problem& problem, std::span<const float> u, const Placement& at) {
  if (at.heading >= 0) return u[problem.grid.index(at.i, at.j, at.heading)];
  float minimum = std::numeric_limits<float>::infinity();
  for (int k = 0; k < problem.grid.headings; ++k)
    minimum = std::min(minimum, u[problem.grid.index(at.i, at.j, k)]);
  return minimum;
}

inline std::vector<State> randomTips(const StateGrid& g, int count) {
  Random random(11);
  std::vector<State> tips;
  for (int t = 0; t < count; ++t) {
    const double x = random() * double(g.nx - 1) * g.hx, y = random() * double(g.ny - 1) * g.hy;
    tips.push_back({x, y, random() * 2 * std::numbers::pi, t % 4 == 3});
  }
  return tips;
}

/// Expects the last point at the tip and the first one at its seed. An end may stop up to a pixel short only
/// where a wall or the border of the grid is in between.
inline void expectEndsAt(const Path& path, const Problem& problem, const State& tip) {
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

inline void expectSound(const Path& path, const Problem& problem) {
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
  if (problem.model == Model::Dubins && path.status != PathStatus::TurnsTooTightly)
    expectKeepsTheTurningRadius(problem, path);
}

} // namespace isochrone::curvature
