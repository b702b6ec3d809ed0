// Claims about reflected and converted waves: a second run starts at an interface with the times of the
// first.
#include "RayTracingRayCases.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace isochrone::rays {
namespace {

/// A source and receivers on one side of an interface along a row of points.
struct Stages {
  std::int64_t nx = 121, ny = 51, row = 40; ///< points, and the row of the interface
  double h = 0.25;
  Position source{5, 1.5, 0};
  double down = 0.5, up = 0.5; ///< slowness to the interface and back

  RayCase stage(double slowness, const Options& options) const {
    return makeRayCase("layer", {nx, ny, 1, h, h, 1}, options, [&](auto, auto j, auto) {
      return j < row + (options.rule == WeightRule::Cells ? 0 : 1) ? slowness
                                                                   : std::numeric_limits<double>::infinity();
    });
  }
  double depth() const { return double(row) * h; }
  /// Returns the time through a point of the interface.
  double time(double x, const Position& receiver) const {
    return down * std::hypot(x - source[0], depth() - source[1]) +
           up * std::hypot(x - receiver[0], depth() - receiver[1]);
  }
  /// Returns the minimum over the whole interface, by convexity.
  double exact(const Position& receiver) const {
    double low = 0, high = double(nx - 1) * h;
    for (int n = 0; n < 200; ++n) {
      const double a = low + (high - low) / 3, b = high - (high - low) / 3;
      (time(a, receiver) < time(b, receiver) ? high : low) = time(a, receiver) < time(b, receiver) ? b : a;
    }
    return time(low, receiver);
  }
  /// Returns the error of points with spacing h on the interface: half a step from the optimum, at the
  /// maximum curvature of the time.
  double sampling(const Position& receiver) const {
    const double curvature = down / (depth() - source[1]) + up / (depth() - receiver[1]);
    return curvature * h * h / 8;
  }
};

struct Reflected {
  RayCase first, second;
  std::vector<float> starts;
  std::vector<double> preciseStarts;
  Result toInterface, fromInterface;
};

Reflected reflect(const Stages& s, const Options& options) {
  Reflected r{s.stage(s.down, options), s.stage(s.up, options), {}, {}, {}, {}};
  r.first.problem.sources = {{s.source, 0}};
  r.toInterface = solve(r.first);
  const Field& field = r.toInterface.fields[0];
  for (std::int64_t p = 0; p < r.first.problem.grid.points(); ++p) {
    const bool there = p / s.nx == s.row;
    const double start = there ? valueAt(field, p) : std::numeric_limits<double>::infinity();
    options.doublePrecision ? r.preciseStarts.push_back(start) : r.starts.push_back(float(start));
  }
  r.second.problem.startTimes = r.starts;
  r.second.problem.preciseStartTimes = r.preciseStarts;
  r.fromInterface = solve(r.second);
  return r;
}

std::vector<Position> surface(const Stages& s) {
  std::vector<Position> places;
  for (std::int64_t i = 0; i < s.nx; i += 10) places.push_back({double(i) * s.h, 0, 0});
  return places;
}

void expectWithinTheBound(const Stages& s, const Options& options) {
  const Reflected r = reflect(s, options);
  const Grid& g = r.first.problem.grid;
  const double worst = makeForwardStar(g, options.neighbours, options.radius).worstAngularError;
  const double rounding = options.doublePrecision ? 1e-12 : 2e-6;
  const auto receivers = surface(s);
  const auto rays = traceRays(r.second.problem, options, r.fromInterface.fields[0], {}, receivers);
  for (std::size_t n = 0; n < rays.size(); ++n) {
    ASSERT_EQ(rays[n].status, PathStatus::Complete);
    EXPECT_EQ(rays[n].source, -1);
    const double exact = s.exact(receivers[n]);
    EXPECT_GE(rays[n].travelTime, exact * (1 - rounding));
    EXPECT_LE(rays[n].travelTime, (exact + s.sampling(receivers[n])) * (1 + worst + rounding));
  }
}

TEST(RayTracingReflections, TimesEqualThoseOfTheMirrorImage) {
  const Stages s;
  const Position receiver{20, 0, 0}; // the mirror image of the source is as far below the interface
  EXPECT_NEAR(s.exact(receiver), 0.5 * std::hypot(15, 2 * s.depth() - 1.5), 1e-9);
  for (const auto rule : {WeightRule::Accurate, WeightRule::Fast, WeightRule::Cells})
    for (const bool precise : {false, true})
      for (const int radius : {1, 3, 6}) {
        Options options;
        options.rule = rule;
        options.doublePrecision = precise;
        options.radius = {radius, radius, 1};
        expectWithinTheBound(s, options);
      }
}

TEST(RayTracingReflections, BlankedPointsDoNotReflect) {
  const float none = std::numeric_limits<float>::infinity();
  std::vector<float> slowness(16, 1), starts(16, none);
  slowness[5] = none;
  starts[5] = 1;
  starts[10] = 2;
  Problem problem;
  problem.grid = {4, 4, 1, 1, 1, 1};
  problem.slowness = slowness;
  problem.startTimes = starts;
  const Field field = solveRayTracing(problem, {}, {}).fields[0];
  EXPECT_EQ(field.travelTime[5], none);
  EXPECT_EQ(field.travelTime[9], 3);
  EXPECT_EQ(field.travelTime[11], 3);
}

TEST(RayTracingReflections, ConvertedWavesObeySnellsLaw) {
  Stages s;
  s.up = 0.9; // slower after the reflection
  for (const int radius : {1, 3, 6}) {
    Options options;
    options.radius = {radius, radius, 1};
    expectWithinTheBound(s, options);
  }
}

TEST(RayTracingReflections, JoinedRaysRunThroughTheInterface) {
  const Stages s;
  Options options;
  options.radius = {5, 5, 1};
  const Reflected r = reflect(s, options);
  const Grid& g = r.first.problem.grid;
  for (const Position& receiver : surface(s)) {
    const Ray up = traceRays(r.second.problem, options, r.fromInterface.fields[0], {}, {&receiver, 1})[0];
    ASSERT_EQ(up.points.front() / s.nx, s.row);
    const Ray down = trace(r.first, r.toInterface.fields[0], {placeOf(g, up.points.front())})[0];
    EXPECT_EQ(down.travelTime, up.startTime); // bit for bit
    const Path a = pathOf(r.first.problem, down, true), b = pathOf(r.second.problem, up, true);
    const Path path = join(a, b);
    EXPECT_EQ(path.status, PathStatus::Complete);
    EXPECT_EQ(path.seed, 0);
    EXPECT_EQ(path.size(), a.size() + b.size() - 1);
    EXPECT_EQ(path.x.front(), s.source[0]);
    EXPECT_EQ(path.y[a.size() - 1], s.depth());
    EXPECT_EQ(path.x.back(), receiver[0]);
    EXPECT_EQ(path.travelTime.back(), up.travelTime);
    EXPECT_TRUE(std::is_sorted(path.travelTime.begin(), path.travelTime.end()));
    EXPECT_EQ(path.length, a.length + b.length);
    EXPECT_NEAR(path.energy, up.travelTime, 1e-12);

    const std::vector<Ray> legs[] = {{down}, {up}}; // the rows of both legs add up to the time
    double time = 0;
    for (const double weight : rayMatrix(r.first.problem, options, legs[0]).weight) time += s.down * weight;
    for (const double weight : rayMatrix(r.second.problem, options, legs[1]).weight) time += s.up * weight;
    EXPECT_NEAR(time, up.travelTime, 2e-6 * up.travelTime);
  }
}

TEST(RayTracingReflections, JoinOfAnEmptyRayIsEmpty) {
  Path path;
  path.x = path.y = path.travelTime = {0, 1};
  path.status = PathStatus::Complete;
  EXPECT_EQ(join(path, {}).size(), 0u);
  EXPECT_EQ(join({}, path).size(), 0u);
  EXPECT_EQ(join({}, path).status, PathStatus::Unreachable);
}

} // namespace
} // namespace isochrone::rays
