// Claims about the ray matrix: the derivatives of travel times by the slowness of points or cells.
#include "RayTracingRayCases.h"

#include <gtest/gtest.h>

#include <map>

namespace isochrone::rays {
namespace {

double slownessAt(const RayCase& c, std::int64_t element) {
  return c.options.doublePrecision ? c.precise[element] : double(c.slowness[element]);
}

std::map<std::int64_t, double> rowOf(const RayMatrix& m, std::size_t ray) {
  std::map<std::int64_t, double> row;
  for (std::int64_t e = m.row[ray]; e < m.row[ray + 1]; ++e) row[m.element[e]] = m.weight[e];
  return row;
}

/// Returns receivers on points, on lines between them and within cells.
std::vector<Position> receiversOf(const Grid& g) {
  std::vector<Position> places = everyPoint(g, 13);
  for (std::uint64_t n = 0; n < 60; ++n) {
    const auto place = [&](std::int64_t points, double h, std::uint64_t axis) {
      const double steps = noise(3 * n + axis) * double(points - 1);
      return h * (noise(1000 + 3 * n + axis) < 0.3 ? std::round(steps) : steps);
    };
    places.push_back({place(g.nx, g.hx, 0), place(g.ny, g.hy, 1), place(g.nz, g.hz, 2)});
  }
  return places;
}

TEST(RayMatrix, TimesSlownessIsTravelTime) {
  for (const RayCase& c : roughCases()) {
    SCOPED_TRACE(c.name);
    const auto rays = trace(c, solve(c).fields[0], receiversOf(c.problem.grid));
    const RayMatrix m = rayMatrix(c.problem, c.options, rays);
    ASSERT_EQ(m.row.size(), rays.size() + 1);
    ASSERT_EQ(m.row.back(), std::int64_t(m.element.size()));
    ASSERT_EQ(m.element.size(), m.weight.size());
    int complete = 0;
    for (std::size_t r = 0; r < rays.size(); ++r) {
      double time = 0;
      for (std::int64_t e = m.row[r]; e < m.row[r + 1]; ++e) {
        time += m.weight[e] * slownessAt(c, m.element[e]);
        EXPECT_GT(m.weight[e], 0);
        if (e > m.row[r]) EXPECT_GT(m.element[e], m.element[e - 1]);
      }
      if (rays[r].status != PathStatus::Complete) {
        EXPECT_EQ(m.row[r], m.row[r + 1]);
        continue;
      }
      ++complete;
      const double expected = rays[r].travelTime - rays[r].startTime;
      EXPECT_NEAR(time, expected,
                  (c.options.doublePrecision ? 1e-12 : 1e-6) * (expected + rays[r].startTime));
    }
    EXPECT_GT(complete, 60);
  }
}

/// Over 130 edges rounding alone changes times by three millionths.
TEST(RayMatrix, TimesSlownessIsTravelTimeOfLongRays) {
  for (const bool late : {false, true})
    for (const auto rule : {WeightRule::Accurate, WeightRule::Fast, WeightRule::Cells}) {
      Options options;
      options.rule = rule;
      RayCase c = makeRayCase("gradient", {200, 200, 1}, options,
                              [](auto, auto j, auto) { return 1 / (0.5 + 3.5 * double(j) / 199); });
      c.problem.sources = {{{0.3, 0.6, 0}, late ? 1e7 : 0}};
      const auto rays = trace(c, solve(c).fields[0], {{199, 199, 0}, {150, 199, 0}, {198.4, 30.2, 0}});
      const RayMatrix m = rayMatrix(c.problem, options, rays);
      for (std::size_t r = 0; r < rays.size(); ++r) {
        double time = 0, length = 0;
        for (const auto& [element, weight] : rowOf(m, r))
          time += weight * slownessAt(c, element), length += weight;
        if (!late) EXPECT_NEAR(time, rays[r].travelTime, 1e-12 * time);
        EXPECT_NEAR(length, pathOf(c.problem, rays[r], true).length, 1e-5 * length);
      }
    }
}

/// A small change of one slowness changes the travel time by the element's entry.
TEST(RayMatrix, IsTheDerivativeOfTravelTime) {
  for (RayCase& c : roughCases()) {
    if (!c.options.doublePrecision) continue;
    SCOPED_TRACE(c.name);
    const auto receivers = receiversOf(c.problem.grid);
    const auto rays = trace(c, solve(c).fields[0], receivers);
    const RayMatrix m = rayMatrix(c.problem, c.options, rays);
    std::size_t last = rays.size() - 1;
    while (rays[last].status != PathStatus::Complete) --last;
    const auto row = rowOf(m, last);
    std::vector<std::int64_t> elements;
    for (const auto& [element, weight] : row) elements.push_back(element);
    for (std::int64_t e = 0; e < std::int64_t(c.precise.size()); e += 97)
      if (std::isfinite(c.precise[e])) elements.push_back(e);
    for (std::size_t n = 0; n < elements.size(); n += 3) {
      const double change = 1e-7, before = c.precise[elements[n]];
      c.precise[elements[n]] += change;
      const double time = trace(c, solve(c).fields[0], {receivers[last]})[0].travelTime;
      c.precise[elements[n]] = before;
      const double entry = row.contains(elements[n]) ? row.at(elements[n]) : 0;
      EXPECT_NEAR((time - rays[last].travelTime) / change, entry, 1e-6) << elements[n];
    }
  }
}

TEST(RayMatrix, LengthsAddUpToTheLengthOfTheRay) {
  for (const RayCase& c : roughCases()) {
    SCOPED_TRACE(c.name);
    const auto rays = trace(c, solve(c).fields[0], receiversOf(c.problem.grid));
    const RayMatrix m = rayMatrix(c.problem, c.options, rays);
    for (std::size_t r = 0; r < rays.size(); ++r) {
      double length = 0;
      for (const auto& [element, weight] : rowOf(m, r)) length += weight;
      const double rounding = c.options.doublePrecision ? 1e-12 : 1e-5;
      EXPECT_NEAR(length, pathOf(c.problem, rays[r], false).length, rounding * (1 + length));
    }
  }
}

/// The only edge of a cell's diagonal, by hand: the integrals of (1-u)^2, u(1-u) twice, and u^2.
TEST(RayMatrix, OfADiagonalIsSharedByTheCornersOfItsCell) {
  Options options;
  options.radius = {1, 1, 1};
  for (const auto rule : {WeightRule::Accurate, WeightRule::Fast}) {
    options.rule = rule;
    RayCase c = makeRayCase("cell", {2, 2, 1, 3, 4, 1}, options, [](auto, auto, auto) { return 2.0; });
    c.problem.sources = {{{0, 0, 0}, 0}};
    const auto row = rowOf(rayMatrix(c.problem, options, trace(c, solve(c).fields[0], {{3, 4, 0}})), 0);
    if (rule == WeightRule::Fast) {
      EXPECT_EQ(row, (std::map<std::int64_t, double>{{0, 2.5}, {3, 2.5}}));
      continue;
    }
    for (const auto& [point, weight] : row) EXPECT_NEAR(weight, point % 3 == 0 ? 5.0 / 3 : 5.0 / 6, 1e-14);
    EXPECT_EQ(row.size(), 4u);
  }
}

/// Between two rows of cells the wave takes the faster one, on either side.
TEST(RayMatrix, BetweenCellsContainsTheFasterOne) {
  Options options;
  options.rule = WeightRule::Cells;
  for (const int fast : {0, 1}) {
    RayCase c =
        makeRayCase("rows", {11, 3, 1}, options, [&](auto, auto j, auto) { return j == fast ? 1.0 : 3.0; });
    c.problem.sources = {{{0, 1, 0}, 0}};
    const auto rays = trace(c, solve(c).fields[0], {{10, 1, 0}});
    EXPECT_EQ(rays[0].travelTime, 10);
    const auto row = rowOf(rayMatrix(c.problem, options, rays), 0);
    EXPECT_EQ(row.size(), 10u);
    for (const auto& [cell, weight] : row) EXPECT_EQ(cell / 10, fast);
  }
}

TEST(RayMatrix, OfAStraightSegmentWithinACell) {
  Options options;
  options.rule = WeightRule::Cells;
  RayCase c = makeRayCase("constant", {5, 5, 1}, options, [](auto, auto, auto) { return 2.0; });
  c.problem.sources = {{{2.1, 2.1, 0}, 0}};
  const auto rays = trace(c, solve(c).fields[0], {{2.9, 2.7, 0}});
  ASSERT_TRUE(rays[0].points.empty());
  const auto row = rowOf(rayMatrix(c.problem, options, rays), 0);
  ASSERT_EQ(row.size(), 1u);
  EXPECT_EQ(row.begin()->first, 10); // cell (2, 2) of 4 x 4
  EXPECT_NEAR(row.begin()->second, 1, 1e-14);
}

TEST(RayMatrix, OfNoRaysIsEmpty) {
  const RayCase c = makeRayCase("constant", {5, 5, 1}, {}, [](auto, auto, auto) { return 1.0; });
  EXPECT_EQ(rayMatrix(c.problem, c.options, {}).row, (std::vector<std::int64_t>{0}));
}

} // namespace
} // namespace isochrone::rays
