// Distances to a surface between the points.
#include "DistanceTransform/DistanceTransform.h"
#include "Error.h"
#include "Median.h"
#include "Reference/SurfaceReference.h"
#include "Surface/SurfaceCases.h"

#include <gtest/gtest.h>

#include <limits>

namespace isochrone::distance {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A ball in a small image.
struct BallProblem {
  surface::Case ball{{23, 21, 19, 1, 1, 1}, surface::ball({11.2, 10.1, 9.3}, 6.4)};
  surface::Surface surface = surface::extractLevelSet(ball.levelSet, 1);
  Values<std::uint8_t> inside;
  Problem problem;

  BallProblem() {
    std::int64_t count = 0;
    inside = surface::insideOf(ball.levelSet, 1, count);
    problem.grid = ball.levelSet.grid;
    problem.sites = inside;
    problem.surface = &surface;
  }
  double exact(std::int64_t point) const {
    return reference::distanceTo(surface.pieces, surface::positionOf(problem.grid, point));
  }
};

Options precise(Region region) {
  Options options;
  options.backend = Backend::Host;
  options.threads = 1;
  options.region = region;
  options.doublePrecision = true;
  options.squaredDistance = options.nearestSite = true;
  return options;
}

TEST(DistanceToSurface, HasTheSignAndTheZerosOfTheRegion) {
  const BallProblem p;
  const auto solve = [&](Region region) { return solveDistanceTransform(p.problem, precise(region), {}); };
  const Result both = solve(Region::Both), sign = solve(Region::Signed), outside = solve(Region::Outside),
               inside = solve(Region::Inside);
  for (std::int64_t i = 0; i < p.problem.grid.points(); ++i) {
    const auto n = std::size_t(i);
    const double d = both.preciseDistance[n];
    const bool in = p.inside[n] != 0;
    if (i % 7 == 0) {
      EXPECT_NEAR(d, p.exact(i), 1e-12);
    }
    EXPECT_EQ(sign.preciseDistance[n], in ? -d : d);
    EXPECT_EQ(outside.preciseDistance[n], in ? 0 : d);
    EXPECT_EQ(inside.preciseDistance[n], in ? d : 0);
    EXPECT_EQ(outside.squaredDistance[n], in ? 0 : both.squaredDistance[n]);
    EXPECT_EQ(outside.nearestSite[n], both.nearestSite[n]);
    EXPECT_NEAR(std::sqrt(both.squaredDistance[n]), d, 1e-15 * (1 + d));
  }
}

TEST(DistanceToSurface, InSinglePrecisionIsTheRoundedDistance) {
  const BallProblem p;
  Options options = precise(Region::Signed);
  const Result doubles = solveDistanceTransform(p.problem, options, {});
  options.doublePrecision = false;
  const Result floats = solveDistanceTransform(p.problem, options, {});
  for (std::size_t i = 0; i < doubles.preciseDistance.size(); ++i)
    EXPECT_EQ(floats.distance[i], float(doubles.preciseDistance[i]));
}

TEST(DistanceToSurface, BeyondTheMaximumIsNotReached) {
  const BallProblem p;
  Options options = precise(Region::Both);
  const Result all = solveDistanceTransform(p.problem, options, {});
  options.maximumDistance = 3.25;
  const Result some = solveDistanceTransform(p.problem, options, {});
  for (std::size_t i = 0; i < all.preciseDistance.size(); ++i) {
    const bool reached = all.preciseDistance[i] <= 3.25;
    EXPECT_EQ(some.preciseDistance[i], reached ? all.preciseDistance[i] : infinity);
    EXPECT_EQ(some.nearestSite[i], reached ? all.nearestSite[i] : -1);
  }
}

TEST(DistanceToSurface, IsTheSameForTheParts) {
  const BallProblem p;
  const Options options = precise(Region::Signed);
  const Result whole = solveDistanceTransform(p.problem, options, {});
  Problem part = p.problem;
  part.sharing.owned = {{{0, 0, 0}, {23, 21, 9}}, {{0, 0, 9}, {23, 21, 19}}};
  part.sharing.solved = part.sharing.owned;
  for (int process = 0; process < 2; ++process) {
    part.sharing.process = process;
    const std::int64_t first = process * 9 * 23 * 21;
    part.sites = std::span(p.inside).subspan(std::size_t(first), std::size_t(part.box().points()));
    const Result mine = solveDistanceTransform(part, options, {});
    for (std::size_t i = 0; i < mine.preciseDistance.size(); ++i) {
      EXPECT_EQ(mine.preciseDistance[i], whole.preciseDistance[i + std::size_t(first)]);
      EXPECT_EQ(mine.nearestSite[i], whole.nearestSite[i + std::size_t(first)]);
    }
  }
}

TEST(DistanceToSurface, SegmentsLeadFromTipsToIt) {
  const BallProblem p;
  const Options options = precise(Region::Outside);
  const Result result = solveDistanceTransform(p.problem, options, {});
  const std::vector<Position> tips{{11.2, 10.1, 4}, {1.5, 2.25, 3.125}, {11, 10, 9}, {-3, 2, 2}};
  const std::vector<Segment> segments = nearestSites(p.problem, options, result, tips);
  for (std::size_t t = 0; t < 3; ++t) {
    ASSERT_EQ(segments[t].status, Segment::Status::Found);
    const Position& end = segments[t].end;
    EXPECT_NEAR(segments[t].distance, reference::distanceTo(p.surface.pieces, tips[t]), 1e-12);
    EXPECT_NEAR(reference::distanceTo(p.surface.pieces[std::size_t(segments[t].site)], end), 0, 1e-12);
    EXPECT_NEAR(std::hypot(end[0] - tips[t][0], end[1] - tips[t][1], end[2] - tips[t][2]),
                segments[t].distance, 1e-12);
  }
  EXPECT_EQ(segments[3].status, Segment::Status::Outside);
}

TEST(DistanceToSurface, ExtendsValuesAlongTheSegments) {
  BallProblem p;
  // A linear function of the position: extended, it has the value of the foot.
  const auto value = [](const Position& at) { return 3 * at[0] - at[1] + 0.5 * at[2]; };
  sample(
      p.ball.levelSet, 1,
      [&](std::int64_t point, int) { return value(surface::positionOf(p.problem.grid, point)); }, 1,
      p.surface);
  Options options = precise(Region::Signed);
  options.maximumDistance = 4;
  const Result result = solveDistanceTransform(p.problem, options, {});

  const std::vector<double> extended = extendValues(p.problem, result, 1);

  std::int64_t reached = 0;
  for (std::int64_t i = 0; i < p.problem.grid.points(); ++i) {
    const std::int64_t piece = result.nearestSite[std::size_t(i)];
    if (piece < 0) {
      EXPECT_TRUE(std::isnan(extended[std::size_t(i)]));
      continue;
    }
    ++reached;
    const surface::Foot foot =
        surface::footOn(p.surface.pieces[std::size_t(piece)], surface::positionOf(p.problem.grid, i));
    EXPECT_NEAR(extended[std::size_t(i)], value(foot.at), 1e-11);
  }
  EXPECT_GT(reached, 1000);
}

/// Returns how far from the surface the zeros of its signed distances lie on the edges of the grid, by linear
/// interpolation.
std::vector<double> offsetsOfZero(const surface::Case& c) {
  const surface::Surface s = surface::extractLevelSet(c.levelSet, 1);
  std::int64_t count = 0;
  const Values<std::uint8_t> inside = surface::insideOf(c.levelSet, 1, count);
  Problem problem;
  problem.grid = c.levelSet.grid;
  problem.sites = inside;
  problem.surface = &s;
  Options options = precise(Region::Signed);
  options.maximumDistance = 3;
  const Result result = solveDistanceTransform(problem, options, {});
  std::vector<double> offsets;
  std::int64_t edge = 0; // of which every seventh is measured
  for (std::int64_t i = 0; i < problem.grid.points(); ++i)
    for (int a = 0; a < 3; ++a) {
      if (problem.grid.indices(i)[a] + 1 == problem.grid.sizes()[a]) continue;
      const auto from = std::size_t(i), to = std::size_t(i + problem.grid.strides()[a]);
      const auto isNearBorder = [&](int b) {
        const std::int64_t at = problem.grid.indices(i)[b];
        return at < 3 || at + 4 >= problem.grid.sizes()[b]; // the surface ends there
      };
      if (inside[from] == inside[to] || isNearBorder(0) || isNearBorder(1) || isNearBorder(2)) continue;
      if (edge++ % 7) continue;
      Position zero = surface::positionOf(problem.grid, i);
      zero[std::size_t(a)] +=
          result.preciseDistance[from] / (result.preciseDistance[from] - result.preciseDistance[to]);
      offsets.push_back(surface::nearestFoot(s.pieces, zero).distance);
    }
  return offsets;
}

TEST(DistanceToSurface, ZeroStaysWhereItWas) {
  const surface::Case c({53, 51, 49, 1, 1, 1}, surface::ball({26.2, 25.1, 24.3}, 20.4)),
      plane({13, 12, 11, 1, 1, 1}, [](const Position&p) { return p[0] + 2 * p[1] + 3 * p[2] - 35.3; });
  const std::vector<double> offsets = offsetsOfZero(c);
  EXPECT_GT(offsets.size(), 1000u);
  EXPECT_LT(median(offsets),
            0.004); // the linear interpolation of exact distances errs by h^2 / (8 R) = 0.006
  EXPECT_LT(*std::ranges::max_element(offsets), 0.01);
  for (const double offset : offsetsOfZero(plane)) EXPECT_LT(offset, 1e-14);
}

TEST(DistanceToSurface, RefusesCornersThatAreNotNumbers) {
  BallProblem p;
  p.surface.pieces[7][1][2] = std::numeric_limits<double>::quiet_NaN();
  try {
    solveDistanceTransform(p.problem, precise(Region::Both), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("got nan in piece 7"), std::string::npos) << error.what();
  }
}

TEST(DistanceToSurface, RefusesValuesOfTheWrongNumber) {
  BallProblem p;
  p.surface.components = 2;
  EXPECT_THROW(solveDistanceTransform(p.problem, precise(Region::Both), {}), Error);
}

} // namespace
} // namespace isochrone::distance
