// Claims about the segments from tips to their nearest sites: the minimum over all sites, in every image.
#include "DistanceTransform/DistanceTransform.h"
#include "Error.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace isochrone;
using namespace isochrone::distance;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using Status = Segment::Status;

/// A mask with the memory of its span.
struct Image {
  std::vector<std::uint8_t> sites;
  Problem problem;

  Image(const Grid& grid, const std::vector<std::int64_t>& siteIndices) : sites(grid.points()) {
    for (const std::int64_t site : siteIndices) sites[site] = 1;
    problem = {grid, sites};
  }
};

Image randomImage(const Grid& grid, double share, std::mt19937_64& random) {
  Image image(grid, {});
  for (std::uint8_t& site : image.sites) site = double(random() >> 11) * 0x1p-53 < share ? 255 : 0;
  return image;
}

/// Returns a point in the image or slightly outside, in eighths of a step. Many are then equally near to
/// several points, and the arithmetic is exact if the spacing's is.
Position randomTip(const Grid& g, std::mt19937_64& random) {
  const auto along = [&](std::int64_t n, double h) {
    if (n == 1) return double(random() % 64) - 32;
    return h * (double(random() % (8 * n + 1)) / 8 - 0.5);
  };
  return {along(g.nx, g.hx), along(g.ny, g.hy), along(g.nz, g.hz)};
}

Options hostOptions(Region region = Region::Outside, double maximumDistance = 0) {
  Options options;
  options.backend = Backend::Host;
  options.region = region;
  options.maximumDistance = maximumDistance;
  return options;
}

Segment nearestOf(const Image& image, const Options& options, const Position& tip) {
  const Result result = solveDistanceTransform(image.problem, options, {});
  return nearestSites(image.problem, options, result, std::vector{tip}).front();
}

double distanceTo(const Grid& g, const Position& tip, std::int64_t point) {
  const double x = g.nx > 1 ? tip[0] - double(point % g.nx) * g.hx : 0;
  const double y = g.ny > 1 ? tip[1] - double(point / g.nx % g.ny) * g.hy : 0;
  const double z = g.nz > 1 ? tip[2] - double(point / (g.nx * g.ny)) * g.hz : 0;
  return std::sqrt(x * x + y * y + z * z);
}

/// Compares with all points in turn; among equally near ones the first is chosen.
Segment bruteForce(const Image& image, const Options& options, const Position& tip) {
  const Grid& g = image.problem.grid;
  const auto of = [](double at, double h, std::int64_t n) {
    return n == 1 ? 0 : std::clamp<std::int64_t>(std::int64_t(std::ceil(at / h - 0.5)), 0, n - 1);
  };
  const std::int64_t nearest =
      g.index(of(tip[0], g.hx, g.nx), of(tip[1], g.hy, g.ny), of(tip[2], g.hz, g.nz));
  bool wanted = options.region == Region::Outside;
  if (options.region == Region::Both || options.region == Region::Signed) wanted = !image.sites[nearest];
  Segment best{Status::NoSite, -1, infinity};
  for (std::int64_t p = 0; p < g.points(); ++p) {
    if (bool(image.sites[p]) != wanted) continue;
    const double d = distanceTo(g, tip, p);
    if (d < best.distance && (options.maximumDistance == 0 || d <= options.maximumDistance))
      best = {Status::Found, p, d};
  }
  return best;
}

const std::vector<Region> regions{Region::Outside, Region::Inside, Region::Both, Region::Signed};

/// @param exact  without rounding, the site itself must match
void expectMinimum(const Image& image, const Options& options, std::mt19937_64& random, bool exact) {
  const Grid& g = image.problem.grid;
  std::vector<Position> tips;
  for (int t = 0; t < 60; ++t) tips.push_back(randomTip(g, random));
  if (!exact)
    for (Position& tip : tips)
      for (double& x : tip) x *= 0.999;
  const Result result = solveDistanceTransform(image.problem, options, {});
  const std::vector<Segment> found = nearestSites(image.problem, options, result, tips);
  ASSERT_EQ(found.size(), tips.size());
  for (std::size_t t = 0; t < tips.size(); ++t) {
    SCOPED_TRACE("tip " + std::to_string(t));
    const Segment minimum = bruteForce(image, options, tips[t]);
    ASSERT_EQ(found[t].status, minimum.status);
    if (exact || minimum.site < 0) {
      ASSERT_EQ(found[t].site, minimum.site);
    } else {
      ASSERT_NEAR(distanceTo(g, tips[t], found[t].site), minimum.distance, 1e-14 * minimum.distance);
    }
    if (minimum.site >= 0) {
      ASSERT_NEAR(found[t].distance, minimum.distance, 1e-14 * minimum.distance);
    }
  }
}

} // namespace

TEST(NearestSites, AreTheNearestOfAllSites) {
  std::mt19937_64 random(4);
  for (const Grid& grid : {Grid{17, 13, 1, 1, 1, 1}, Grid{9, 8, 11, 1, 1, 1}, Grid{12, 7, 6, 0.25, 2, 0.5},
                           Grid{23, 1, 1, 0.5, 1, 1}, Grid{1, 14, 9, 1, 0.125, 4}, Grid{2, 2, 2, 1, 1, 1},
                           Grid{1, 1, 1, 1, 1, 1}})
    for (const double share : {0.0, 0.02, 0.3, 0.9, 1.0})
      for (const Region region : regions)
        for (const double maximumDistance : {0.0, 2.125}) {
          const Image image = randomImage(grid, share, random);
          SCOPED_TRACE(std::to_string(grid.nx) + " x " + std::to_string(grid.ny) + " x " +
                       std::to_string(grid.nz) + ", " + std::to_string(share) + ", region " +
                       std::to_string(int(region)) + ", maximum " + std::to_string(maximumDistance));
          expectMinimum(image, hostOptions(region, maximumDistance), random, true);
          if (HasFatalFailure()) return;
        }
}

TEST(NearestSites, AreTheNearestForAnySpacing) {
  std::mt19937_64 random(5);
  for (const Grid& grid : {Grid{11, 12, 7, 0.3, 0.7, 1.9}, Grid{15, 13, 1, 1e-3, 1, 1},
                           Grid{8, 9, 7, 1e-15, 1e-15, 3e-15}, Grid{8, 9, 7, 0.1, 0.1, 0.1}})
    for (const Region region : regions)
      for (const bool precise : {false, true}) {
        const Image image = randomImage(grid, 0.05, random);
        Options options = hostOptions(region);
        options.doublePrecision = precise;
        SCOPED_TRACE(std::to_string(grid.hx) + ", " + std::to_string(grid.hy) + ", " +
                     std::to_string(grid.hz) + ", region " + std::to_string(int(region)));
        expectMinimum(image, options, random, false);
        if (HasFatalFailure()) return;
      }
}

TEST(NearestSites, MayDifferFromThoseOfTheSurroundingGridPoints) {
  const Grid grid{6, 6, 1, 1, 1, 1};
  const std::int64_t wedge = grid.index(5, 2, 0);
  const Image image(grid, {wedge, grid.index(4, 5, 0), grid.index(4, 0, 0)});
  Options options = hostOptions();
  options.nearestSite = true;
  const Result result = solveDistanceTransform(image.problem, options, {});

  const Segment s =
      nearestSites(image.problem, options, result, std::vector{Position{1.875, 2.5, 0}}).front();

  for (const std::int64_t j : {2, 3})
    for (const std::int64_t i : {1, 2}) EXPECT_NE(result.nearestSite[grid.index(i, j, 0)], wedge);
  EXPECT_EQ(s.site, wedge);
  EXPECT_DOUBLE_EQ(s.distance, std::hypot(3.125, 0.5));
}

TEST(NearestSites, OfGridPointsAgreeWithTheImage) {
  std::mt19937_64 random(6);
  const Grid grid{14, 11, 9, 0.7, 0.7, 0.7};
  const Image image = randomImage(grid, 0.1, random);
  std::vector<Position> tips;
  for (std::int64_t p = 0; p < grid.points(); ++p)
    tips.push_back({double(p % 14) * 0.7, double(p / 14 % 11) * 0.7, double(p / 154) * 0.7});
  Options options = hostOptions();
  options.doublePrecision = options.nearestSite = true;
  const Result result = solveDistanceTransform(image.problem, options, {});
  const std::vector<Segment> found = nearestSites(image.problem, options, result, tips);
  for (std::int64_t p = 0; p < grid.points(); ++p) {
    EXPECT_EQ(found[p].site, result.nearestSite[p]);
    EXPECT_NEAR(found[p].distance, result.preciseDistance[p], 1e-14);
  }
}

TEST(NearestSites, HaveTheLowestIndexAmongEquallyNear) {
  const Grid grid{5, 5, 1, 0.1, 0.1, 1};
  const Image image(grid, {grid.index(1, 2, 0), grid.index(4, 2, 0), grid.index(2, 1, 0)});

  EXPECT_EQ(nearestOf(image, hostOptions(), {0.25, 0.2, 0}).site, grid.index(2, 1, 0));
  EXPECT_EQ(nearestOf(image, hostOptions(), {0.25, 0.4, 0}).site, grid.index(1, 2, 0));
  EXPECT_EQ(nearestOf(image, hostOptions(), {0.1, 0.1, 0}).site, grid.index(2, 1, 0));
}

TEST(NearestSites, OfTipsMoreThanHalfASpacingOutsideDoNotExist) {
  const Grid grid{4, 3, 1, 2, 1, 1};
  const Image image(grid, {0});
  const auto status = [&](double x, double y) { return nearestOf(image, hostOptions(), {x, y, 0}).status; };

  EXPECT_EQ(status(-1, 0), Status::Found);
  EXPECT_EQ(status(7, 2.5), Status::Found);
  EXPECT_EQ(status(-1.01, 0), Status::Outside);
  EXPECT_EQ(status(7.01, 0), Status::Outside);
  EXPECT_EQ(status(0, 2.51), Status::Outside);
  EXPECT_EQ(status(0, -0.51), Status::Outside);
  EXPECT_EQ(status(std::nan(""), 0), Status::Outside);
  EXPECT_EQ(status(infinity, 0), Status::Outside);
}

TEST(NearestSites, OfTipsBesideAFlatImageAreThoseOfItsPlane) {
  const Grid grid{6, 1, 5, 1, 1, 1};
  const Image image(grid, {grid.index(5, 0, 4)});

  const Segment s = nearestOf(image, hostOptions(), {2, 1000, 0});

  EXPECT_EQ(s.site, grid.index(5, 0, 4));
  EXPECT_EQ(s.distance, 5);
}

TEST(NearestSites, OfTipsBeyondTheMaximumDistanceDoNotExist) {
  const Grid grid{10, 1, 1, 1, 1, 1};
  const Image image(grid, {0});

  const Segment within = nearestOf(image, hostOptions(Region::Outside, 2.75), {2.75, 0, 0});
  const Segment beyond = nearestOf(image, hostOptions(Region::Outside, 2.75), {2.875, 0, 0});

  EXPECT_EQ(within.status, Status::Found); // although its nearest grid point is beyond the limit
  EXPECT_EQ(within.distance, 2.75);
  EXPECT_EQ(beyond.status, Status::NoSite);
  EXPECT_EQ(beyond.site, -1);
}

TEST(NearestSites, AreTheSameForAnyNumberOfThreads) {
  std::mt19937_64 random(7);
  const Grid grid{40, 30, 20, 1, 1, 1};
  const Image image = randomImage(grid, 0.01, random);
  std::vector<Position> tips;
  for (int t = 0; t < 200; ++t) tips.push_back(randomTip(grid, random));
  Options options = hostOptions();
  const Result result = solveDistanceTransform(image.problem, options, {});
  options.threads = 1;
  const std::vector<Segment> one = nearestSites(image.problem, options, result, tips);
  for (const int threads : {2, 7}) {
    options.threads = threads;
    const std::vector<Segment> many = nearestSites(image.problem, options, result, tips);
    for (std::size_t t = 0; t < tips.size(); ++t) {
      EXPECT_EQ(many[t].site, one[t].site);
      EXPECT_EQ(many[t].distance, one[t].distance);
    }
  }
}

TEST(NearestSites, RequireTheDistances) {
  const Image image({3, 3, 1, 1, 1, 1}, {0});
  Options options = hostOptions();
  options.distance = false;
  EXPECT_THROW(nearestOf(image, options, {1, 1, 0}), Error);
}
