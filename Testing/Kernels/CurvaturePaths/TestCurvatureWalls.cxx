// Claims about walls: which grid steps and segments are free, against clipping and brute force.
#include "CurvatureCases.h"
#include "CurvaturePaths/Scheme/Walls.h"
#include "Reference/CurvatureReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

using Pixels = std::vector<std::array<int, 2>>;

Pixels sorted(Pixels pixels) {
  std::sort(pixels.begin(), pixels.end());
  return pixels;
}

Pixels supercover(int ex, int ey) {
  std::vector<Pixel> cover(7); // appends
  const TableRange range = appendSupercover(ex, ey, cover);
  EXPECT_EQ(range.first, 7);
  EXPECT_EQ(range.first + range.count, int(cover.size()));
  Pixels pixels;
  for (std::size_t n = 7; n < cover.size(); ++n) pixels.push_back({cover[n].x, cover[n].y});
  return sorted(pixels);
}

std::vector<std::uint8_t> specks(std::int64_t n, double share, unsigned seed) {
  Random random(seed);
  std::vector<std::uint8_t> walls(n);
  for (auto& w : walls) w = random() < share;
  return walls;
}

/// Returns the length of the segment inside the open pixel (i, j), resized to the half width `half`.
double lengthInside(double x0, double y0, double x1, double y1, double i, double j, double half) {
  double first = 0, last = 1;
  const double from[] = {x0 - i, y0 - j}, by[] = {x1 - x0, y1 - y0};
  for (int a = 0; a < 2; ++a) {
    if (by[a] == 0 && std::abs(from[a]) >= half) return -1;
    if (by[a] == 0) continue;
    const double s = (-half - from[a]) / by[a], t = (half - from[a]) / by[a];
    first = std::max(first, std::min(s, t));
    last = std::min(last, std::max(s, t));
  }
  return last - first;
}

} // namespace

TEST(CurvatureWalls, SupercoverIsEveryPixelTouched) {
  EXPECT_EQ(supercover(1, 1), sorted({{1, 0}, {0, 1}, {1, 1}})); // both pixels beside the corner
  EXPECT_EQ(supercover(-3, 0), sorted({{-1, 0}, {-2, 0}, {-3, 0}}));
  for (int ey = -13; ey <= 13; ++ey)
    for (int ex = -13; ex <= 13; ++ex)
      ASSERT_EQ(supercover(ex, ey), sorted(reference::touchedPixels(ex, ey))) << ex << ' ' << ey;
}

TEST(CurvatureWalls, StepsAreFreeIfTheirSupercoverIs) {
  Problem p;
  p.grid = {23, 17, 8, 1, 1};
  const auto mask = specks(23 * 17, 0.04, 5);
  p.walls = mask;
  const Walls walls(23, 17, mask);
  reference::FreeSteps steps(p);
  int freeSteps = 0, blocked = 0;
  for (int ey = -12; ey <= 12; ++ey)
    for (int ex = -12; ex <= 12; ++ex)
      for (std::int64_t j = 0; j < 17; ++j)
        for (std::int64_t i = 0; i < 23; ++i) {
          if (mask[i + 23 * j] || (ex == 0 && ey == 0)) continue;
          if (i + ex < 0 || j + ey < 0 || i + ex >= 23 || j + ey >= 17) continue;
          const bool expected = steps.of(ex, ey)[i + 23 * j];

          ASSERT_EQ(walls.free(i, j, ex, ey), expected) << i << ' ' << j << " by " << ex << ' ' << ey;

          (expected ? freeSteps : blocked)++;
        }
  EXPECT_GT(freeSteps, 1000);
  EXPECT_GT(blocked, 1000);
}

TEST(CurvatureWalls, DistanceIsManhattan) {
  const auto mask = specks(31 * 19, 0.01, 6);
  const Walls walls(31, 19, mask);
  ASSERT_TRUE(walls.any());
  for (std::int64_t j = 0; j < 19; ++j)
    for (std::int64_t i = 0; i < 31; ++i) {
      int nearest = 1 << 20;
      for (std::int64_t b = 0; b < 19; ++b)
        for (std::int64_t a = 0; a < 31; ++a)
          if (mask[a + 31 * b]) nearest = std::min(nearest, int(std::abs(a - i) + std::abs(b - j)));

      EXPECT_EQ(walls.distance(i, j), nearest);
      EXPECT_EQ(walls.isWall(i, j), nearest == 0);
    }
}

TEST(CurvatureWalls, WithoutWallsEverythingIsFree) {
  for (const Walls& walls : {Walls(), Walls(4, 3, {}), Walls(4, 3, std::vector<std::uint8_t>(12, 0))}) {
    EXPECT_FALSE(walls.any());
    EXPECT_FALSE(walls.isWall(1, 1));
    EXPECT_TRUE(walls.free(0, 0, 3, 2));
    EXPECT_TRUE(walls.freeSegment(0, 0, 3, 2));
  }
}

TEST(CurvatureWalls, NothingPassesBetweenPixelsThatTouchAtACorner) {
  const std::vector<std::uint8_t> mask{0, 1, //
                                       1, 0};
  const Walls walls(2, 2, mask);

  EXPECT_FALSE(walls.free(0, 0, 1, 1));
  EXPECT_FALSE(walls.free(1, 1, -1, -1));
  EXPECT_FALSE(walls.freeSegment(0, 0, 1, 1));
  EXPECT_FALSE(walls.freeSegment(0.3, 0.4, 0.7, 0.6));
}

TEST(CurvatureWalls, SegmentsAreFreeIfClippingIsEmpty) {
  const auto mask = specks(15 * 12, 0.05, 8);
  const Walls walls(15, 12, mask);
  Random random(9);
  int freeSegments = 0, blocked = 0;
  for (int n = 0; n < 20000; ++n) {
    const double x0 = 17 * random() - 1, y0 = 14 * random() - 1;
    const double x1 = x0 + 5 * random() - 2.5, y1 = y0 + 5 * random() - 2.5;
    bool crosses = false, touches = false; // well inside a wall; within rounding of one
    for (int j = 0; j < 12; ++j)
      for (int i = 0; i < 15; ++i) {
        if (!mask[i + 15 * j]) continue;
        crosses |= lengthInside(x0, y0, x1, y1, i, j, 0.5 - 1e-7) > 0;
        touches |= lengthInside(x0, y0, x1, y1, i, j, 0.5 + 1e-7) >= 0;
      }

    const bool isFree = walls.freeSegment(x0, y0, x1, y1);

    ASSERT_FALSE(crosses && isFree) << x0 << ' ' << y0 << " to " << x1 << ' ' << y1;
    ASSERT_TRUE(touches || isFree) << x0 << ' ' << y0 << " to " << x1 << ' ' << y1;
    (isFree ? freeSegments : blocked)++;
  }
  EXPECT_GT(freeSegments, 1000);
  EXPECT_GT(blocked, 1000);
}
