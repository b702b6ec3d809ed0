// ImageTravelTimePathChecks.h - tips, and checks that a path through an image is valid, without code of the
// extraction.
#pragma once

#include "ImageTravelTimeCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace isochrone::image {

inline Values<float> travelTimeOf(const Problem& problem) {
  Options options;
  options.backend = Backend::Host;
  return solveImageTravelTime(problem, options, {}).travelTime;
}

inline bool isWall(const Problem& p, std::int64_t n) {
  if (!p.barriers.empty() && p.barriers[n]) return true;
  return !p.speed.empty() &&
         (!(p.speed[n] > 0) || (p.speedType == SpeedType::Slowness && std::isinf(p.speed[n])));
}

inline Position pointOf(const Path& path, std::size_t n) {
  return {path.x[n], path.y[n], path.z.empty() ? 0 : path.z[n]};
}

/// Returns whether the segment from a to b touches the closed unit box around c. Uses the separating axes of
/// the box and their cross products with the segment.
inline bool touchesCell(const Position& a, const Position& b, const std::array<std::int64_t, 3>& c) {
  Position middle, half;
  for (int x = 0; x < 3; ++x) middle[x] = (a[x] + b[x]) / 2 - double(c[x]), half[x] = (b[x] - a[x]) / 2;
  for (int x = 0; x < 3; ++x)
    if (std::abs(middle[x]) > 0.5 + std::abs(half[x])) return false;
  for (int x = 0; x < 3; ++x) {
    const int y = (x + 1) % 3, z = (x + 2) % 3;
    if (std::abs(middle[y] * half[z] - middle[z] * half[y]) > 0.5 * (std::abs(half[y]) + std::abs(half[z])))
      return false;
  }
  return true;
}

/// Returns the index of a wall cell that the segment touches, or -1.
inline std::int64_t wallTouched(const Problem& p, const Position& from, const Position& to) {
  const std::int64_t sizes[3] = {p.grid.nx, p.grid.ny, p.grid.nz};
  const double spacing[3] = {p.grid.hx, p.grid.hy, p.grid.hz};
  Position a, b;
  std::array<std::int64_t, 3> low, high, c;
  for (int x = 0; x < 3; ++x) {
    a[x] = from[x] / spacing[x], b[x] = to[x] / spacing[x];
    low[x] = std::max<std::int64_t>(0, std::int64_t(std::min(a[x], b[x])) - 1);
    high[x] = std::min<std::int64_t>(sizes[x] - 1, std::int64_t(std::max(a[x], b[x])) + 1);
  }
  for (c[2] = low[2]; c[2] <= high[2]; ++c[2])
    for (c[1] = low[1]; c[1] <= high[1]; ++c[1])
      for (c[0] = low[0]; c[0] <= high[0]; ++c[0]) {
        const std::int64_t n = p.grid.index(c[0], c[1], c[2]);
        if (isWall(p, n) && touchesCell(a, b, c)) return n;
      }
  return -1;
}

inline double smallestSpacing(const Grid& g) {
  double minimum = std::numeric_limits<double>::infinity();
  if (g.nx > 1) minimum = std::min(minimum, g.hx);
  if (g.ny > 1) minimum = std::min(minimum, g.hy);
  if (g.nz > 1) minimum = std::min(minimum, g.hz);
  return minimum;
}

/// Returns random tips in the image, up to half a step beyond its outer points; every fourth is on a point.
inline std::vector<Position> randomTips(const Grid& g, int count, std::uint64_t salt = 0) {
  const std::int64_t sizes[3] = {g.nx, g.ny, g.nz};
  const double spacing[3] = {g.hx, g.hy, g.hz};
  std::vector<Position> tips(count);
  for (int t = 0; t < count; ++t)
    for (int x = 0; x < 3; ++x) {
      const double q = noise(salt + 1000003 + 3 * t + x) * double(sizes[x]) - 0.5;
      tips[t][x] = (t % 4 == 3 || sizes[x] == 1 ? std::round(q) : q) * spacing[x];
    }
  return tips;
}

/// Expects a path from the seed to the tip, in short segments that touch no wall, with times that never
/// decrease.
inline void expectSound(const Path& path, const Problem& p, const Position& tip) {
  const std::size_t n = path.size();
  ASSERT_EQ(path.status, PathStatus::Complete);
  ASSERT_GE(path.seed, 0);
  ASSERT_LT(path.seed, std::int32_t(p.seeds.size()));
  ASSERT_GE(n, 2u);
  ASSERT_EQ(path.y.size(), n);
  ASSERT_EQ(path.z.size(), p.grid.nz > 1 ? n : 0u);
  ASSERT_EQ(path.travelTime.size(), n);
  EXPECT_TRUE(path.heading.empty() && path.curvature.empty() && path.gear.empty());
  EXPECT_EQ(path.travelTime.front(), p.seeds[path.seed].startValue);
  for (int x = 0; x < (p.grid.nz > 1 ? 3 : 2); ++x) EXPECT_EQ(pointOf(path, n - 1)[x], tip[x]);
  double length = 0;
  for (std::size_t s = 1; s < n; ++s) {
    const Position a = pointOf(path, s - 1), b = pointOf(path, s);
    ASSERT_GE(path.travelTime[s], path.travelTime[s - 1]);
    const double segment = std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const double steps =
        std::hypot((b[0] - a[0]) / p.grid.hx, (b[1] - a[1]) / p.grid.hy, (b[2] - a[2]) / p.grid.hz);
    if (segment > 0.5 * smallestSpacing(p.grid) * (1 + 1e-8)) ASSERT_LE(steps, (1 + 1e-8) / 16);
    length += segment;
    ASSERT_EQ(wallTouched(p, a, b), -1) << "segment " << s << " of " << n - 1;
  }
  EXPECT_NEAR(path.length, length, 1e-9 * length);
}

/// Expects the path to start exactly at its seed, or at a point of its region.
inline void expectStartsAtSeed(const Path& path, const Problem& p) {
  ASSERT_EQ(path.status, PathStatus::Complete);
  const Position start = pointOf(path, 0);
  if (p.seedRegions.empty()) {
    for (int x = 0; x < (p.grid.nz > 1 ? 3 : 2); ++x) EXPECT_EQ(start[x], p.seeds[path.seed].at[x]);
    return;
  }
  const std::int64_t i = std::llround(start[0] / p.grid.hx), j = std::llround(start[1] / p.grid.hy),
                     k = std::llround(start[2] / p.grid.hz);
  EXPECT_EQ(start, (Position{double(i) * p.grid.hx, double(j) * p.grid.hy, double(k) * p.grid.hz}));
  EXPECT_EQ(p.seedRegions[p.grid.index(i, j, k)], path.seed);
}

} // namespace isochrone::image
