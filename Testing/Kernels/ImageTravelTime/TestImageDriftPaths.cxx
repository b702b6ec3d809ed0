// Claims about paths in a medium that drifts: the times along them, the ground tracks of Zermelo's
// navigation, straight lines in a constant drift, barriers; and about gradients.
#include "ImageDriftCases.h"
#include "ImageTravelTimePathChecks.h"
#include "Median.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace isochrone;
using namespace isochrone::image;

namespace {

Values<float> factoredTimes(const Problem& problem) {
  Options options;
  options.backend = Backend::Host;
  options.factoring = SourceFactoring::Additive;
  return solveImageTravelTime(problem, options, {}).travelTime;
}

using Flow = Position (*)(double x, double y);

/// A vortex in an image of 1 x 1 length, up to 0.75 of the speed.
Position vortex(double x, double y) {
  const double dx = (x - 0.45) / 0.25, dy = (y - 0.55) / 0.25;
  const double size = 0.75 * std::exp(0.5 - (dx * dx + dy * dy) / 2);
  return {-size * dy, size * dx, 0};
}

DriftCase flowCase(std::int64_t n, Flow flow, const Position& seed) {
  DriftCase c;
  const double h = 1. / double(n - 1);
  c.problem.grid = {n, n, 1, h, h, 1};
  setDrift(c, [&](double i, double j, double) { return flow(h * i, h * j); });
  c.problem.seeds = {{seed, 0}};
  return c;
}

/// Returns the time that a vehicle of speed 1 takes along a polyline through the flow, from its first point.
double timeAlongPath(const Path& path, Flow flow) {
  double sum = 0;
  for (std::size_t n = 1; n < path.size(); ++n) {
    const Position a = pointOf(path, n - 1), b = pointOf(path, n);
    constexpr int pieces = 8;
    for (int k = 0; k < pieces; ++k) {
      const double share = (k + 0.5) / pieces;
      const Position v = flow(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]));
      const double dx = (b[0] - a[0]) / pieces, dy = (b[1] - a[1]) / pieces;
      const double along = dx * v[0] + dy * v[1], s = 1 - v[0] * v[0] - v[1] * v[1];
      sum += (std::sqrt(along * along + (dx * dx + dy * dy) * s) - along) / s;
    }
  }
  return sum;
}

} // namespace

TEST(ImageDriftPaths, AreSoundInEveryImage) {
  for (const std::string& name : driftCaseNames()) {
    if (name.find("Tensor") != std::string::npos || name == "SpaceMetric" || name == "PlaneLand") continue;
    const DriftCase c = makeDriftCase(name);
    const Values<float> u = travelTimeOf(c.problem);
    for (const Position& tip : randomTips(c.problem.grid, 40)) {
      const Placement at = place(c.problem, tip);
      if (at.status != Placement::Status::Inside || std::isinf(u[std::size_t(at.point)])) continue;
      const Path path = extractPaths(c.problem, u, {&tip, 1}, 1)[0];
      SCOPED_TRACE(name);
      expectSound(path, c.problem, tip);
      expectStartsAtSeed(path, c.problem);
    }
  }
}

TEST(ImageDriftPaths, TakeTheTravelTimesOfTheirTips) {
  const DriftCase c = flowCase(257, vortex, {0.2, 0.3, 0});
  const Values<float> u = factoredTimes(c.problem);
  std::vector<Position> tips;
  for (int t = 0; t < 300; ++t) tips.push_back({noise(2 * t), noise(2 * t + 1), 0});
  std::vector<double> errors, energies;
  for (const Path& path : extractPaths(c.problem, u, tips, 2)) {
    ASSERT_EQ(path.status, PathStatus::Complete);
    const double time = timeAlongPath(path, vortex);
    errors.push_back((path.travelTime.back() - time) / time);
    energies.push_back(std::abs(path.energy - time) / time);
  }
  const auto [least, largest] = std::ranges::minmax_element(errors);
  EXPECT_LT(std::abs(median(errors)), 0.007);
  EXPECT_GT(*least, -0.02); // all 300 tips
  EXPECT_LT(*largest, 0.03);
  EXPECT_LT(*std::ranges::max_element(energies), 0.02);
}

TEST(ImageDriftPaths, AreTheTracksOfZermelosNavigation) {
  // The heading of a fastest path turns by
  // sin^2 v_x + sin cos (u_x - v_y) - cos^2 u_y per time (Zermelo 1931), in the flow (u, v).
  const Position seed{0.2, 0.3, 0};
  const DriftCase c = flowCase(257, vortex, seed);
  const Values<float> u = factoredTimes(c.problem);
  std::vector<double> apart;
  int fastest = 0, slower = 0;
  for (int ray = 0; ray < 48; ++ray) {
    std::vector<Position> track{seed};
    double heading = 2 * std::numbers::pi * ray / 48, time = 0;
    std::array<double, 3> s{seed[0], seed[1], heading};
    const auto rate = [](const std::array<double, 3>& q) -> std::array<double, 3> {
      constexpr double e = 1e-5;
      const Position v = vortex(q[0], q[1]), right = vortex(q[0] + e, q[1]), left = vortex(q[0] - e, q[1]),
                     up = vortex(q[0], q[1] + e), down = vortex(q[0], q[1] - e);
      const auto slope = [&](const Position& a, const Position& b, int n) { return (a[n] - b[n]) / (2 * e); };
      const double cosine = std::cos(q[2]), sine = std::sin(q[2]);
      return {cosine + v[0], sine + v[1],
              sine * sine * slope(right, left, 1) +
                  sine * cosine * (slope(right, left, 0) - slope(up, down, 1)) -
                  cosine * cosine * slope(up, down, 0)};
    };
    for (; time < 1.2; time += 0.002) { // Runge-Kutta; some tracks never leave the vortex
      const auto moved = [&](const std::array<double, 3>& d, double by) -> std::array<double, 3> {
        return {s[0] + by * d[0], s[1] + by * d[1], s[2] + by * d[2]};
      };
      const auto k1 = rate(s), k2 = rate(moved(k1, 0.001)), k3 = rate(moved(k2, 0.001)),
                 k4 = rate(moved(k3, 0.002));
      auto next = s;
      for (int a = 0; a < 3; ++a) next[a] += 0.002 / 6 * (k1[a] + 2 * k2[a] + 2 * k3[a] + k4[a]);
      if (!(next[0] > 0.02 && next[0] < 0.98 && next[1] > 0.02 && next[1] < 0.98)) break;
      s = next;
      track.push_back({s[0], s[1], 0});
    }
    const Position tip = track.back();
    const Path path = extractPaths(c.problem, u, {&tip, 1}, 1)[0];
    ASSERT_EQ(path.status, PathStatus::Complete);
    // Beyond its cut point a track of the equation is slower than another path.
    if (path.travelTime.back() < 0.99 * time) {
      ++slower;
      continue;
    }
    ++fastest;
    EXPECT_LT(path.travelTime.back(), 1.01 * time);
    for (std::size_t n = 0; n < path.size(); ++n) {
      double nearest = 1;
      for (const Position& p : track)
        nearest = std::min(nearest, std::hypot(p[0] - path.x[n], p[1] - path.y[n]));
      apart.push_back(nearest);
    }
  }
  EXPECT_GE(fastest, 30) << slower << " tracks are not fastest paths";
  EXPECT_LT(median(apart), 0.004); // one point
  EXPECT_LT(*std::ranges::max_element(apart), 0.02);
}

TEST(ImageDriftPaths, LeadAroundPointsWhoseDriftIsNotANumber) {
  DriftCase c = constantDrift({41, 31, 1, 1, 1, 1}, {0.3, 0.1, 0});
  c.problem.seeds = {{{5, 15, 0}, 0}};
  for (std::int64_t j = 8; j < 31; ++j) c.drift[std::size_t(2 * (20 + 41 * j))] = NAN;
  const Values<float> u = travelTimeOf(c.problem);
  EXPECT_LE(residual(c.problem, u, 2), 32 * 0x1p-23);
  const std::vector<Position> tips{{35, 25, 0}, {21, 30, 0}, {30, 10, 0}};
  for (const Path& path : extractPaths(c.problem, u, tips, 1)) {
    ASSERT_EQ(path.status, PathStatus::Complete);
    for (std::size_t n = 1; n < path.size(); ++n)
      for (std::int64_t j = 8; j < 31; ++j)
        ASSERT_FALSE(touchesCell(pointOf(path, n - 1), pointOf(path, n), {20, j, 0})) << n;
  }
}

TEST(ImageDriftPaths, AreStraightInAConstantDrift) {
  const DriftCase c = constantDrift({81, 81, 1, 1, 1, 1}, {0.5, 0.4, 0});
  const Values<float> u = factoredTimes(c.problem);
  std::vector<Position> tips;
  for (int t = 0; t < 60; ++t) tips.push_back({40 + 30 * std::cos(0.1 * t), 40 + 30 * std::sin(0.1 * t), 0});
  for (const Path& path : extractPaths(c.problem, u, tips, 1)) {
    ASSERT_EQ(path.status, PathStatus::Complete);
    EXPECT_NEAR(path.length, 30, 0.05);
  }
}

TEST(ImageDriftGradients, SolveTheEquation) {
  // |grad u| + <grad u, V> = 1 at speed 1, at points with differences of both kinds.
  const DriftCase c = flowCase(129, vortex, {0.2, 0.3, 0});
  const Values<float> g = gradient(c.problem, travelTimeOf(c.problem), 2);
  std::vector<double> errors;
  for (std::int64_t n = 0; n < c.problem.grid.points(); ++n) {
    const double x = g[std::size_t(3 * n)], y = g[std::size_t(3 * n + 1)];
    if (x == 0 && y == 0) continue; // the seed
    const double left =
        std::hypot(x, y) + x * c.drift[std::size_t(2 * n)] + y * c.drift[std::size_t(2 * n + 1)];
    errors.push_back(std::abs(left - 1));
  }
  EXPECT_EQ(std::ssize(errors), c.problem.grid.points() - 1);
  EXPECT_LT(median(errors), 1e-4);
}

TEST(ImageDriftPaths, FromBothSidesMeetInOnePath) {
  DriftCase c = flowCase(129, vortex, {0.1, 0.2, 0});
  const Position tip{0.9, 0.85, 0};
  const Values<float> forward = factoredTimes(c.problem);
  Problem back = c.problem;
  back.towardsSeeds = true;
  back.seeds = {{tip, 0}};
  const Values<float> backward = factoredTimes(back);
  const TwoWay both = combine(c.problem, forward, backward, 2);
  const double one = extractPaths(c.problem, forward, {&tip, 1}, 1)[0].travelTime.back();
  ASSERT_TRUE(both.meeting);
  const Path joined = join(extractPaths(c.problem, forward, {&*both.meeting, 1}, 1)[0],
                           extractPaths(back, backward, {&*both.meeting, 1}, 1)[0]);
  EXPECT_NEAR(joined.travelTime.back(), one, 0.01 * one);
  EXPECT_NEAR(timeAlongPath(joined, vortex), one, 0.02 * one);
}
