// Claims about rays, from receivers back to sources along the edges that gave the travel times.
#include "RayTracingRayCases.h"

#include "Error.h"
#include "RayTracing/Scheme/EdgeWeights.h"

#include <gtest/gtest.h>

#include <set>

namespace isochrone::rays {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Returns the weight of the edge between two points, rounded as in the run; -1 if they are not neighbours.
template <class Real>
double weightBetween(const EdgeWeights<Real>& edges, std::int64_t from, std::int64_t to) {
  for (int o = 0; o < edges.count(); ++o)
    if (edges.neighbour(from, o) == to) return double(edges.weight(from, o));
  return -1;
}

template <class Real>
void expectEdgesThatGiveTheTimes(const RayCase& c, const Field& field) {
  const EdgeWeights<Real> edges(c.problem, c.options);
  int complete = 0;
  for (const Ray& ray : trace(c, field, everyPoint(c.problem.grid, 7))) {
    if (ray.status != PathStatus::Complete) continue;
    ++complete;
    ASSERT_EQ(ray.points.size(), ray.times.size());
    EXPECT_EQ(ray.travelTime, ray.times.back());
    for (std::size_t p = 0; p < ray.points.size(); ++p) {
      EXPECT_EQ(ray.times[p], valueAt(field, ray.points[p]));
      if (p == 0) continue;
      const double weight = weightBetween(edges, ray.points[p - 1], ray.points[p]);
      ASSERT_GT(weight, 0);
      ASSERT_LT(weight, infinity);
      EXPECT_EQ(double(Real(Real(ray.times[p - 1]) + Real(weight))), ray.times[p]);
    }
  }
  EXPECT_GT(complete, 50);
}

TEST(RayTracingRays, FollowEdgesThatGiveTheTimesOfPointsBitForBit) {
  for (const RayCase& c : roughCases()) {
    SCOPED_TRACE(c.name);
    const Result result = solve(c);
    if (c.options.doublePrecision)
      expectEdgesThatGiveTheTimes<double>(c, result.fields[0]);
    else
      expectEdgesThatGiveTheTimes<float>(c, result.fields[0]);
  }
}

/// A blanked wall with one gap; segments are sampled in steps of a hundredth.
TEST(RayTracingRays, CrossNoBlankedPoint) {
  for (const auto rule : {WeightRule::Accurate, WeightRule::Fast}) {
    Options options;
    options.rule = rule;
    options.radius = {6, 6, 1};
    const auto blanked = [](std::int64_t i, std::int64_t j) { return i == 20 && j != 30; };
    RayCase c = makeRayCase("wall", {40, 40, 1}, options,
                            [&](auto i, auto j, auto) { return blanked(i, j) ? infinity : 1.0; });
    c.problem.sources = {{{3, 3, 0}, 0}};
    const Ray ray = trace(c, solve(c).fields[0], {{36, 5, 0}})[0];
    ASSERT_EQ(ray.status, PathStatus::Complete);
    const Path path = pathOf(c.problem, ray, true);
    for (std::size_t p = 1; p < path.size(); ++p)
      for (int n = 0; n <= 100; ++n) {
        const double x = path.x[p - 1] + (path.x[p] - path.x[p - 1]) * n / 100;
        const double y = path.y[p - 1] + (path.y[p] - path.y[p - 1]) * n / 100;
        for (const double j : {std::floor(y), std::ceil(y)})
          EXPECT_FALSE(std::abs(x - 20) < 1 && blanked(20, std::int64_t(j)) && std::abs(y - j) < 1)
              << x << ", " << y;
      }
  }
}

TEST(RayTracingRays, HaveTheSourcesOfTheirPoints) {
  for (RayCase& c : roughCases()) {
    SCOPED_TRACE(c.name);
    c.options.sourceIds = true;
    const Field field = std::move(solve(c).fields[0]);
    std::set<std::int32_t> seen;
    const auto rays = trace(c, field, everyPoint(c.problem.grid, 1));
    for (std::size_t p = 0; p < rays.size(); ++p) {
      EXPECT_EQ(field.source[p], rays[p].source);
      seen.insert(field.source[p]);
    }
    EXPECT_EQ(seen, (std::set<std::int32_t>{-1, 0, 1}));
  }
}

TEST(RayTracingRays, FromAStartTimeHaveNoSource) {
  Options options;
  options.predecessors = options.sourceIds = true;
  RayCase c = makeRayCase("starts", {20, 20, 1}, options, smoothSlowness);
  c.problem.sources = {{{0, 0, 0}, 0}};
  std::vector<float> starts(400, float(infinity));
  starts[399] = 3;
  starts[210] = 100; // too late to have an effect
  c.problem.startTimes = starts;
  const Field field = std::move(solve(c).fields[0]);
  EXPECT_EQ(field.source[0], 0);
  EXPECT_EQ(field.source[399], -1);
  EXPECT_EQ(field.predecessor[399], noOffset);
  EXPECT_NE(field.predecessor[210], noOffset);
  const auto rays = trace(c, field, {{18, 18, 0}, {1, 2, 0}});
  EXPECT_EQ(rays[0].source, -1);
  EXPECT_EQ(rays[0].startTime, 3);
  EXPECT_EQ(rays[0].points.front(), 399);
  EXPECT_EQ(rays[1].source, 0);
}

/// By hand: times at the corners of the receiver's cell, or of the cells on both sides of it, plus the
/// straight segment from there.
TEST(RayTracingRays, FromAReceiverBetweenPointsTakeTheBestCorner) {
  Options options;
  options.doublePrecision = true;
  options.radius = {1, 1, 1};
  RayCase c = makeRayCase("constant", {10, 10, 1}, options, [](auto, auto, auto) { return 2.0; });
  c.problem.sources = {{{0, 0, 0}, 1}};
  const Field field = std::move(solve(c).fields[0]);
  const auto rays = trace(c, field, {{5.25, 3.5, 0}, {5, 3.5, 0}});
  EXPECT_EQ(rays[0].points.back(), 35); // (5, 3)
  EXPECT_NEAR(rays[0].travelTime, 1 + 2 * (3 * std::sqrt(2) + 2 + std::hypot(0.25, 0.5)), 1e-13);
  EXPECT_EQ(rays[1].points.back(), 34); // (4, 3)
  EXPECT_NEAR(rays[1].travelTime, 1 + 2 * (3 * std::sqrt(2) + 1 + std::hypot(1, 0.5)), 1e-13);
}

TEST(RayTracingRays, AreStraightWithinACell) {
  for (const auto rule : {WeightRule::Accurate, WeightRule::Fast, WeightRule::Cells}) {
    Options options;
    options.rule = rule;
    RayCase c = makeRayCase("constant", {10, 10, 1}, options, [](auto, auto, auto) { return 2.0; });
    c.problem.sources = {{{5.1, 5.1, 0}, 1}};
    const Field field = std::move(solve(c).fields[0]);
    const auto rays = trace(c, field, {{5.9, 5.3, 0}, {5.9, 5.3, 0.4}, {6.4, 5.3, 0}, {5.1, 5.1, 0}});
    for (const int r : {0, 1}) { // a plane image is as thick as necessary
      EXPECT_TRUE(rays[r].points.empty());
      EXPECT_EQ(rays[r].source, 0);
      EXPECT_NEAR(rays[r].travelTime, 1 + 2 * std::hypot(0.8, 0.2), 1e-12);
      const Path path = pathOf(c.problem, rays[r], false);
      EXPECT_EQ(path.x, (std::vector<double>{5.1, 5.9}));
      EXPECT_EQ(path.travelTime, (std::vector<double>{1, rays[r].travelTime}));
      EXPECT_NEAR(path.length, std::hypot(0.8, 0.2), 1e-12);
    }
    EXPECT_FALSE(rays[2].points.empty());
    EXPECT_EQ(rays[3].travelTime, 1); // the source itself
  }
}

TEST(RayTracingRays, ReachAReceiverAtTheirSource) {
  RayCase c = makeRayCase("constant", {10, 10, 1}, {}, [](auto, auto, auto) { return 2.0; });
  c.problem.sources = {{{5, 5, 0}, 1}};
  const Ray ray = trace(c, solve(c).fields[0], {{5, 5, 0}})[0];
  EXPECT_EQ(ray.travelTime, 1);
  const Path path = pathOf(c.problem, ray, true);
  EXPECT_EQ(path.x, (std::vector<double>{5, 5}));
  EXPECT_EQ(path.length, 0);
}

TEST(RayTracingRays, ReportWhyTheyCannotReachAReceiver) {
  RayCase c =
      makeRayCase("wall", {20, 10, 1}, {}, [](auto i, auto, auto) { return i == 10 ? infinity : 1.0; });
  c.problem.sources = {{{2, 2, 0}, 0}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto rays = trace(c, solve(c).fields[0],
                          {{30, 2, 0},
                           {nan, 2, 0},
                           {10, 4, 0},
                           {9.5, 4.5, 0},
                           {9, 4.5, 0},
                           {15, 4, 0},
                           {19.4, 9.4, 0},
                           {8, 4, 0}});
  using enum PathStatus;
  const PathStatus expected[] = {TipOutside, TipOutside,  TipInWall,   TipInWall,
                                 Complete,   Unreachable, Unreachable, Complete};
  for (std::size_t r = 0; r < rays.size(); ++r) {
    EXPECT_EQ(rays[r].status, expected[r]) << r;
    EXPECT_EQ(pathOf(c.problem, rays[r], false).status, expected[r]);
    EXPECT_EQ(pathOf(c.problem, rays[r], false).size() == 0, expected[r] != Complete);
  }
}

TEST(RayTracingRays, AreTheSameForAnyNumberOfThreads) {
  for (RayCase& c : roughCases()) {
    SCOPED_TRACE(c.name);
    c.options.predecessors = c.options.sourceIds = true;
    const auto receivers = everyPoint(c.problem.grid, 3);
    std::vector<Result> results;
    std::vector<std::vector<Ray>> rays;
    for (const int threads : {1, 2, 5}) {
      c.options.threads = threads;
      results.push_back(solve(c));
      rays.push_back(trace(c, results.back().fields[0], receivers));
    }
    for (const int n : {1, 2}) {
      EXPECT_EQ(results[n].fields[0].predecessor, results[0].fields[0].predecessor);
      EXPECT_EQ(results[n].fields[0].source, results[0].fields[0].source);
      for (std::size_t r = 0; r < receivers.size(); ++r) {
        EXPECT_EQ(rays[n][r].points, rays[0][r].points);
        EXPECT_EQ(rays[n][r].travelTime, rays[0][r].travelTime);
      }
    }
  }
}

TEST(RayTracingRays, OfSeparateSourcesBeginAtTheirOwn) {
  RayCase c = makeRayCase("smooth", {30, 20, 1}, {}, smoothSlowness);
  c.options.separateSources = c.options.sourceIds = true;
  c.problem.sources = {{{2, 2, 0}, 0}, {{25, 4, 0}, 5}, {{14.5, 17.5, 0}, 2}};
  const Result result = solve(c);
  for (std::int32_t s = 0; s < 3; ++s) {
    const auto rays =
        traceRays(c.problem, c.options, result.fields[s], std::span(&s, 1), everyPoint(c.problem.grid, 11));
    for (const Ray& ray : rays) {
      EXPECT_EQ(ray.source, s);
      EXPECT_EQ(ray.startTime, c.problem.sources[s].startTime);
      EXPECT_EQ(result.fields[s].source[ray.points.back()], s);
      EXPECT_EQ(pathOf(c.problem, ray, false).x.front(), c.problem.sources[s].at[0]);
    }
  }
}

TEST(RayTracingRays, MergedPolylinesKeepEndsCornersAndLength) {
  for (const auto kind : {StarKind::Coprime, StarKind::Full}) {
    RayCase c = makeRayCase("layers", {60, 40, 1, 1, 0.5, 1}, {},
                            [](auto, auto j, auto) { return j < 15 ? 1.0 : 0.3; });
    c.options.neighbours = kind;
    c.problem.sources = {{{3.25, 2.2, 0}, 0.5}};
    for (const Ray& ray : trace(c, solve(c).fields[0], {{50, 15, 0}, {55.5, 3.3, 0}, {20, 19.5, 0}})) {
      const Path all = pathOf(c.problem, ray, false), merged = pathOf(c.problem, ray, true);
      EXPECT_EQ(all.size(), ray.points.size() + 1 + (std::floor(ray.receiver[0]) != ray.receiver[0]));
      EXPECT_LT(merged.size(), all.size());
      EXPECT_NEAR(merged.length, all.length, 1e-12 * all.length);
      EXPECT_EQ(merged.travelTime.front(), 0.5);
      EXPECT_EQ(merged.travelTime.back(), ray.travelTime);
      EXPECT_EQ(merged.energy, ray.travelTime - 0.5);
      EXPECT_TRUE(merged.z.empty());
      std::size_t at = 0; // merged points are a subset, and none is collinear with its neighbours
      for (std::size_t p = 0; p < merged.size(); ++p) {
        while (at < all.size() && !(all.x[at] == merged.x[p] && all.y[at] == merged.y[p])) ++at;
        ASSERT_LT(at, all.size());
        EXPECT_EQ(all.travelTime[at], merged.travelTime[p]);
        if (p < 2) continue;
        const double ux = merged.x[p - 1] - merged.x[p - 2], uy = merged.y[p - 1] - merged.y[p - 2];
        const double vx = merged.x[p] - merged.x[p - 1], vy = merged.y[p] - merged.y[p - 1];
        EXPECT_GT(std::abs(ux * vy - uy * vx), 1e-6);
      }
    }
  }
}

TEST(RayTracingRays, ReportRoundingRiskOnlyWhereEdgesAreLost) {
  for (const bool precise : {false, true}) {
    Options options;
    options.doublePrecision = precise;
    RayCase c = makeRayCase("constant", {20, 20, 1}, options, [](auto, auto, auto) { return 1.0; });
    const double lost = precise ? 0x1p51 : 0x1p22; // an edge of one is then the second last digit
    for (const double sign : {1.0, -1.0}) {
      c.problem.sources = {{{0, 0, 0}, sign * lost * 1.1}};
      EXPECT_TRUE(solve(c).roundingRisk);
      c.problem.sources = {{{0, 0, 0}, sign * lost * 0.9}};
      EXPECT_FALSE(solve(c).roundingRisk);
    }
  }
}

TEST(RayTracingRays, RefuseTimesOfAnotherProblem) {
  RayCase c = makeRayCase("smooth", {20, 20, 1}, {}, smoothSlowness);
  c.problem.sources = {{{5, 5, 0}, 0}};
  const Field field = std::move(solve(c).fields[0]);
  RayCase other = makeRayCase("other", {20, 20, 1}, {}, [](auto, auto, auto) { return 1.0; });
  other.problem.sources = c.problem.sources;
  EXPECT_THROW(trace(other, field, {{15, 15, 0}}), Error);
  RayCase smaller = makeRayCase("smaller", {20, 19, 1}, {}, smoothSlowness);
  smaller.problem.sources = c.problem.sources;
  EXPECT_THROW(trace(smaller, field, {{15, 15, 0}}), Error);
  c.options.doublePrecision = true; // the field was solved in single precision
  EXPECT_THROW(trace(c, field, {{15, 15, 0}}), Error);
  c.options.doublePrecision = false;
  for (const std::int32_t s : {-1, 1})
    EXPECT_THROW(traceRays(c.problem, c.options, field, std::span(&s, 1), {}), Error);
}

} // namespace
} // namespace isochrone::rays
