// Claims about predecessors: the edge that gave a point its time, including plateaus of equal times caused by
// rounding.
#include "RayTracingRayCases.h"

#include "RayTracing/Scheme/EdgeWeights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace isochrone::rays {
namespace {

template <class Real>
void expectFirstEarlierNeighbours(const RayCase& c, const Field& field) {
  const EdgeWeights<Real> edges(c.problem, c.options);
  int found = 0;
  for (std::int64_t p = 0; p < c.problem.grid.points(); ++p) {
    const auto time = Real(valueAt(field, p));
    int first = noOffset;
    for (int o = edges.count() - 1; o >= 0; --o) { // the lowest offset is kept
      const std::int64_t from = edges.neighbour(p, o);
      if (from >= 0 && valueAt(field, from) < time &&
          Real(Real(valueAt(field, from)) + edges.weight(p, o)) == time)
        first = o;
    }
    if (field.predecessor[p] == noOffset) continue; // a start or unreached, distinguished below
    EXPECT_EQ(field.predecessor[p], first);
    ++found;
  }
  EXPECT_GT(found, c.problem.grid.points() / 2);
}

TEST(RayTracingPredecessors, AreTheFirstNeighboursThatGiveTheTime) {
  for (RayCase& c : roughCases()) {
    SCOPED_TRACE(c.name);
    c.options.predecessors = true;
    const Field field = std::move(solve(c).fields[0]);
    if (c.options.doublePrecision)
      expectFirstEarlierNeighbours<double>(c, field);
    else
      expectFirstEarlierNeighbours<float>(c, field);
  }
}

/// Returns the points from a start along the predecessors of a field.
std::vector<std::int64_t> follow(const Grid& grid, const ForwardStar& t, const Field& field,
                                 std::int64_t point) {
  std::vector<std::int64_t> points{point};
  while (field.predecessor[point] != noOffset && std::int64_t(points.size()) <= grid.points()) {
    const Offset& o = t.offsets[field.predecessor[point]];
    points.push_back(point += grid.index(o[0], o[1], o[2]));
  }
  std::reverse(points.begin(), points.end());
  return points;
}

TEST(RayTracingPredecessors, AreFollowedByRays) {
  for (RayCase& c : roughCases()) {
    SCOPED_TRACE(c.name);
    c.options.predecessors = true;
    const Field field = std::move(solve(c).fields[0]);
    const Grid& g = c.problem.grid;
    const ForwardStar t = makeForwardStar(g, c.options.neighbours, c.options.radius);
    for (const Ray& ray : trace(c, field, everyPoint(g, 5)))
      if (ray.status == PathStatus::Complete) {
        EXPECT_EQ(ray.points, follow(g, t, field, ray.points.back()));
      }
  }
}

/// Returns the expected predecessors, with levels by rounds over all points until nothing changes.
template <class Real>
std::vector<int> expectedPredecessors(const RayCase& c, const Field& field) {
  const EdgeWeights<Real> edges(c.problem, c.options);
  const std::int64_t points = c.problem.grid.points();
  const auto time = [&](std::int64_t p) { return Real(valueAt(field, p)); };
  const auto gives = [&](std::int64_t p, int o, bool same) {
    const std::int64_t from = edges.neighbour(p, o);
    return from >= 0 && (same ? time(from) == time(p) : time(from) < time(p)) &&
           Real(time(from) + edges.weight(p, o)) == time(p);
  };
  std::vector<int> first(points, noOffset), level(points, 1 << 30);
  for (std::int64_t p = 0; p < points; ++p) {
    for (int o = edges.count() - 1; o >= 0; --o)
      if (gives(p, o, false)) first[p] = o;
    for (const Source& source : c.problem.sources)
      if (placeOf(c.problem.grid, p) == source.at && time(p) == Real(source.startTime))
        first[p] = noOffset, level[p] = 0;
    if (first[p] != noOffset) level[p] = 0;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::int64_t p = 0; p < points; ++p)
      for (int o = 0; o < edges.count(); ++o)
        if (gives(p, o, true) && level[edges.neighbour(p, o)] + 1 < level[p])
          level[p] = level[edges.neighbour(p, o)] + 1, changed = true;
  }
  for (std::int64_t p = 0; p < points; ++p)
    if (level[p] > 0)
      for (int o = edges.count() - 1; o >= 0; --o)
        if (gives(p, o, true) && level[edges.neighbour(p, o)] + 1 == level[p]) first[p] = o;
  return first;
}

/// Edges up to 4 are lost when added to 2^26. The fast blocks have such edges, the slow ones do not.
TEST(RayTracingPredecessors, CrossPlateausByTheFewestEdgesFromTheRim) {
  for (const bool space : {false, true}) {
    const Grid grid = space ? Grid{9, 8, 7} : Grid{31, 23, 1};
    Options options;
    options.predecessors = true;
    options.radius = {2, 2, 2};
    RayCase c = makeRayCase("late start", grid, options, [](auto i, auto j, auto k) {
      const bool slow = (i / 5 + j / 4 + k / 4) % 2 == 1;
      return (slow ? 10 : 1) * (0.5 + noise(std::uint64_t(i + 100 * (j + 100 * k))));
    });
    c.problem.sources = {{placeOf(grid, 3), 0x1p26}};
    const Result result = solve(c);
    const Field& field = result.fields[0];
    EXPECT_TRUE(result.roundingRisk);
    const std::vector<int> expected = expectedPredecessors<float>(c, field);
    int onPlateaus = 0;
    for (const Ray& ray : trace(c, field, everyPoint(grid, 1))) {
      ASSERT_EQ(ray.status, PathStatus::Complete);
      EXPECT_EQ(ray.points.front(), 3);
      EXPECT_EQ(field.predecessor[ray.points.back()], expected[ray.points.back()]);
      EXPECT_EQ(std::set(ray.points.begin(), ray.points.end()).size(), ray.points.size());
      const ForwardStar t = makeForwardStar(grid, options.neighbours, options.radius);
      EXPECT_EQ(ray.points, follow(grid, t, field, ray.points.back()));
      onPlateaus += ray.points.size() > 1 && ray.times[ray.times.size() - 2] == ray.times.back();
    }
    EXPECT_GT(onPlateaus, grid.points() / 4);
    EXPECT_LT(onPlateaus, grid.points() - grid.points() / 20);
  }
}

/// A slow part of 34 million, then steps of one, which single precision cannot add.
TEST(RayTracingPredecessors, CrossAContrastOfAThousand) {
  Options options;
  options.predecessors = true;
  options.radius = {1, 1, 1};
  RayCase c = makeRayCase("contrast", {34600, 3, 1}, options,
                          [](auto i, auto, auto) { return i < 34000 ? 1000.0 : 1.0; });
  c.problem.sources = {{{0, 1, 0}, 0}};
  const Result result = solve(c);
  EXPECT_TRUE(result.roundingRisk);
  const Ray ray = trace(c, result.fields[0], {{34599, 1, 0}})[0];
  ASSERT_EQ(ray.status, PathStatus::Complete);
  EXPECT_EQ(ray.points.size(), 34600u);
  EXPECT_EQ(ray.times[34100], ray.times[34599]);
  EXPECT_EQ(ray.points,
            follow(c.problem.grid, makeForwardStar(c.problem.grid, options.neighbours, options.radius),
                   result.fields[0], ray.points.back()));
}

} // namespace
} // namespace isochrone::rays
