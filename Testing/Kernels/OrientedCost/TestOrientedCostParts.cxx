// Claims about images that several processes divide: the costs of the parts are those of the whole, bit for
// bit.
#include "Error.h"
#include "Noise.h"
#include "OrientedCost/Filters.h"
#include "OrientedCostCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <string>

using namespace isochrone;
using namespace isochrone::oriented;

namespace {

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

Picture noisy(std::int64_t nx, std::int64_t ny, double hx = 1, double hy = 1) {
  Picture c = picture(
      nx, ny, [n = 0](double, double) mutable { return noise(n++); }, hx, hy);
  c.problem.widths = {1, 1.6}, c.problem.length = 1.5, c.problem.headings = 12;
  return c;
}

/// Returns the part of a picture that gives the points around `own`.
Picture part(const Picture& whole, const Box& own) {
  const Problem& p = whole.problem;
  const Margin margin = marginOf(p);
  const Box given = around(own, margin.x, margin.y, p.nx, p.ny);
  Picture out;
  for (std::int64_t j = given.j0; j < given.j1; ++j)
    for (std::int64_t i = given.i0; i < given.i1; ++i) {
      out.intensity.push_back(whole.intensity[i + p.nx * j]);
      if (!whole.outside.empty()) out.outside.push_back(whole.outside[i + p.nx * j]);
    }
  out.problem = p;
  out.problem.part = {own, given};
  out.problem.intensity = out.intensity, out.problem.outside = out.outside;
  return out;
}

/// Solves parts like as many processes.
std::vector<Result> solveParts(const Picture& whole, const std::vector<Box>& boxes, int threads = 1) {
  const Monitor monitor;
  std::vector<Picture> pictures;
  for (const Box& own : boxes) pictures.push_back(part(whole, own));
  std::deque<PartSolver> solvers;
  IntensityRange range;
  for (const Picture& c : pictures) range.add(solvers.emplace_back(c.problem, threads, monitor).range());
  StrengthSums sums;
  for (std::size_t n = 0; n < boxes.size(); ++n) {
    solvers[n].computeStrengths(range);
    sums.add(solvers[n].sums({boxes.data(), n}));
  }
  std::vector<Result> results;
  for (PartSolver& solver : solvers) results.push_back(solver.costs(sums));
  return results;
}

/// Expects the results of parts to be those of the whole.
void expectWhole(const Picture& whole, const std::vector<Box>& boxes, int threads = 1) {
  const Problem& p = whole.problem;
  const Result expected = makeOrientedCost(p, 2, {});
  const std::vector<Result> found = solveParts(whole, boxes, threads);
  for (std::size_t n = 0; n < boxes.size(); ++n) {
    const Box& own = boxes[n];
    ASSERT_EQ(found[n].typicalStrength, expected.typicalStrength) << "part " << n;
    ASSERT_EQ(std::int64_t(found[n].cost.size()), own.points() * p.headings);
    for (std::int64_t j = own.j0; j < own.j1; ++j)
      for (std::int64_t i = own.i0; i < own.i1; ++i) {
        const std::int64_t here = own.index(i, j), there = i + p.nx * j;
        ASSERT_EQ(found[n].minCost[here], expected.minCost[there]) << i << ' ' << j << " in part " << n;
        ASSERT_EQ(found[n].heading[here], expected.heading[there]) << i << ' ' << j << " in part " << n;
        for (int k = 0; k < p.headings; ++k)
          ASSERT_EQ(found[n].cost[here + own.points() * k], expected.cost[there + p.points() * k])
              << i << ' ' << j << ' ' << k << " in part " << n;
      }
  }
}

/// Returns an image of nx * ny points in columns * rows parts that share their borders, as VTK's pieces do.
std::vector<Box> pieces(std::int64_t nx, std::int64_t ny, int columns, int rows) {
  std::vector<Box> out;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      out.push_back({nx * c / columns, std::min(nx * (c + 1) / columns + 1, nx), ny * r / rows,
                     std::min(ny * (r + 1) / rows + 1, ny)});
  return out;
}

} // namespace

TEST(OrientedCostParts, PartsHaveTheBitsOfTheWhole) {
  const Picture c = noisy(83, 71);
  for (const auto& [columns, rows] : {std::pair{1, 1}, {2, 1}, {1, 3}, {2, 2}, {5, 4}, {40, 1}})
    expectWhole(c, pieces(83, 71, columns, rows));
  expectWhole(c, pieces(83, 71, 2, 2), 3);
  expectWhole(c, {{0, 30, 0, 71}, {30, 83, 0, 20}, {30, 60, 20, 71}, {60, 83, 20, 71}}); // T-junctions
}

TEST(OrientedCostParts, APointOfSeveralPartsCountsOnce) {
  const Picture c = noisy(50, 40);
  const Box all{0, 50, 0, 40};
  expectWhole(c, {all, all, all});
  expectWhole(c, {{0, 30, 0, 40}, {10, 50, 0, 25}, {5, 50, 10, 40}, {0, 50, 12, 13}});
}

TEST(OrientedCostParts, PointsOutsideAreExtendedAcrossParts) {
  Picture c = noisy(83, 71);
  for (std::int64_t j = 0; j < 71; ++j)
    for (std::int64_t i = 0; i < 83; ++i) {
      c.outside.push_back(std::hypot(double(i) - 50, double(j) - 35) > 30); // all of some parts
      if ((i * 7 + j * 11) % 97 == 0) c.intensity[i + 83 * j] = notANumber;
    }
  c.problem.outside = c.outside;
  for (const auto& [columns, rows] : {std::pair{2, 2}, {5, 4}}) expectWhole(c, pieces(83, 71, columns, rows));
}

TEST(OrientedCostParts, PartsOfImagesSmallerThanTheFilters) {
  for (const double width : {1.5, 7.0}) {
    Picture c = noisy(17, 9);
    c.problem.widths = {1, width}, c.problem.length = 5;
    expectWhole(c, pieces(17, 9, 3, 2));
    c.outside.assign(17 * 9, 0);
    std::fill_n(c.outside.begin(), 40, 1);
    c.problem.outside = c.outside;
    expectWhole(c, pieces(17, 9, 3, 2));
  }
}

TEST(OrientedCostParts, UnequalSpacingsOddHeadingsAndDarkTubes) {
  Picture c = noisy(60, 90, 1, 0.4);
  c.problem.headings = 15;
  c.problem.polarity = Polarity::Dark;
  expectWhole(c, pieces(60, 90, 2, 3));
}

TEST(OrientedCostParts, AConstantPartUsesTheRangeOfTheImage) {
  Picture c = noisy(60, 40);
  for (std::int64_t n = 0; n < 60 * 40; ++n)
    if (n % 60 < 45) c.intensity[n] = 3;
  expectWhole(c, pieces(60, 40, 3, 1));
}

/// The Gaussian of width 1 reaches 4 points, the mean along a tube 3 lengths and a point for interpolation;
/// the Gaussian that extends the image outside reaches as far again.
TEST(OrientedCostParts, TheMarginIsTheReachOfTheFilters) {
  Picture c = noisy(100, 200);
  c.problem.widths = {1, 0.75}, c.problem.length = 2;
  EXPECT_EQ(marginOf(c.problem).x, 2 * (4 + 6 + 1));
  EXPECT_EQ(marginOf(c.problem).y, 2 * (4 + 6 + 1));
  c.problem.hx = 0.5;
  EXPECT_EQ(marginOf(c.problem).x, 8 + 12 + 1 + 22); // 11 points along y are 22 along x
}

TEST(OrientedCostParts, NoTapReachesBeyondTheReach) {
  std::vector<double> lengths{0, 1. / 3, 1, 2, 6, 7};
  for (int n = 0; n < 30; ++n) lengths.push_back(8 * noise(n));
  for (const int headings : {4, 7, 60, 97})
    for (const double length : lengths)
      for (const double hy : {1.0, 0.3, 2.0, 1e4})
        for (int k = 0; k < headings; ++k)
          for (const LineTap& tap : lineTaps(grid::headingDirection(k, headings), 1, hy, 2, length)) {
            ASSERT_LE(std::abs(tap.i), lineReach(length, 1, 1000)) << length << ' ' << hy << ' ' << k;
            ASSERT_LE(std::abs(tap.j), lineReach(length, hy, 1000)) << length << ' ' << hy << ' ' << k;
          }
}

TEST(OrientedCostParts, RefusesAPartWithoutItsMargin) {
  const Picture whole = noisy(83, 71);
  Picture c = part(whole, {20, 40, 30, 50});
  c.problem.part->given.i0 += 1;
  try {
    makeOrientedCost(c.problem, 1, {});
    ADD_FAILURE() << "a part without its margin was solved";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("points of the image around it"), std::string::npos)
        << error.what();
  }
}

TEST(OrientedCostParts, AllPartsRefuseAnImageWithoutAPointInside) {
  const Picture whole = noisy(40, 40), none = picture(40, 40, [](double, double) { return notANumber; });
  const Picture c = part(none, {0, 20, 0, 40});
  const Monitor monitor;
  PartSolver solver(c.problem, 1, monitor);
  EXPECT_TRUE(solver.range().empty());
  EXPECT_THROW(solver.computeStrengths(solver.range()), Error);
}

TEST(OrientedCostParts, AStoppedPartHasNoResult) {
  const Picture whole = noisy(83, 71), c = part(whole, {20, 40, 30, 50});
  const Monitor monitor{[](double share) { return share < 0.5; }};
  PartSolver solver(c.problem, 1, monitor);
  solver.computeStrengths(solver.range());
  EXPECT_TRUE(solver.stopped());
  const Result result = solver.costs(solver.sums({}));
  EXPECT_TRUE(result.aborted && result.cost.empty());
}

TEST(ExactSum, DoesNotDependOnTheOrder) {
  std::vector<double> values;
  for (int n = 0; n < 100000; ++n) values.push_back(7 * std::pow(noise(n), 12));
  const auto sum = [&] {
    ExactSum odd, even;
    for (std::size_t n = 0; n < values.size(); ++n) (n % 2 ? odd : even).add(values[n]);
    even.add(odd);
    return even.value();
  };
  const double first = sum(), plain = std::accumulate(values.begin(), values.end(), 0.);
  EXPECT_NEAR(first, plain, 1e-9);
  std::ranges::sort(values);
  EXPECT_EQ(sum(), first);
  EXPECT_NE(std::accumulate(values.begin(), values.end(), 0.), plain)
      << "the order must matter for plain sums";
}
