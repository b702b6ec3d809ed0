// CurvatureTurningChecks.h - measures how tightly a path turns, from its positions alone.
#pragma once

#include "CurvatureCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace isochrone::curvature {

/// Allowed turning rates are exceeded by at most this factor.
inline constexpr double turningTolerance = 1.02;

/// Turning rates that a model allows.
struct TurningRates {
  double low = 1e300, high = -1e300;

  void include(const TurningRates& r) { low = std::min(low, r.low), high = std::max(high, r.high); }

  /// Returns 1 if `rate` is at a bound; beyond it, adds the excess relative to the tightest turn.
  double tightness(double rate) const {
    const double middle = (high + low) / 2, reach = (high - low) / 2,
                 beyond = std::abs(rate - middle) - reach;
    return 1 + beyond / std::max(std::abs(low), std::abs(high));
  }
};

/// Returns the widest bounds of the states around a point (world units) and heading (radians).
inline TurningRates allowedAround(const Problem& p, double x, double y, double heading) {
  const StateGrid& g = p.grid;
  const auto value = [&](const Field& field, std::int64_t i, std::int64_t j, int k) {
    if (field.values.empty()) return field.constant;
    const bool planar = std::int64_t(field.values.size()) == g.planePoints();
    return double(field.values[g.index(i, j, planar ? 0 : (k % g.headings + g.headings) % g.headings)]);
  };
  TurningRates rates;
  const std::int64_t i0 = std::int64_t(std::floor(x / g.hx)), j0 = std::int64_t(std::floor(y / g.hy));
  const int k0 = int(std::floor(heading / g.headingStep()));
  for (int c = 0; c < 8; ++c) {
    const std::int64_t i = i0 + (c & 1), j = j0 + (c >> 1 & 1);
    const int k = k0 + (c >> 2);
    if (i < 0 || j < 0 || i >= g.nx || j >= g.ny) continue;
    if (!p.walls.empty() && p.walls[i + g.nx * j]) continue;
    const double xi = value(p.turningRadius, i, j, k), phi = value(p.curvatureShift, i, j, k);
    rates.include({phi - 1 / xi, phi + 1 / xi});
  }
  return rates;
}

/// Returns the path resampled at about one grid step.
inline Path atGridSteps(const Path& path, const StateGrid& g) {
  Path even;
  const int count = int(path.length / std::min(g.hx, g.hy));
  double before = 0;
  std::size_t n = 0;
  const auto segment = [&] { return std::hypot(path.x[n + 1] - path.x[n], path.y[n + 1] - path.y[n]); };
  for (int m = 0; m <= count; ++m) {
    const double at = count > 0 ? path.length * m / count : 0;
    while (n + 2 < path.size() && before + segment() < at) before += segment(), ++n;
    const double t = segment() > 0 ? std::min(1., (at - before) / segment()) : 0;
    even.x.push_back(path.x[n] + t * (path.x[n + 1] - path.x[n]));
    even.y.push_back(path.y[n] + t * (path.y[n + 1] - path.y[n]));
    even.heading.push_back(path.heading[n] + t * (path.heading[n + 1] - path.heading[n]));
  }
  return even;
}

/// Returns the maximum ratio of the turning rate to the allowed one, from the circles through three
/// neighbouring vertices. 1 is as tight as allowed.
inline double tightestCircle(const Problem& problem, const Path& path) {
  double worst = 0;
  for (std::size_t n = 1; n + 1 < path.size(); ++n) {
    const double ax = path.x[n] - path.x[n - 1], ay = path.y[n] - path.y[n - 1],
                 bx = path.x[n + 1] - path.x[n], by = path.y[n + 1] - path.y[n];
    const double product = std::hypot(ax, ay) * std::hypot(bx, by) * std::hypot(ax + bx, ay + by);
    const double curvature = 2 * (ax * by - ay * bx) / product;
    TurningRates allowed;
    for (const std::size_t m : {n - 1, n, n + 1})
      allowed.include(allowedAround(problem, path.x[m], path.y[m], path.heading[m]));
    worst = std::max(worst, allowed.tightness(curvature));
    if (!(ax * bx + ay * by > 0) || !(product > 0)) worst = 1e9; // turns back
  }
  return worst;
}

/// Returns the angle between the heading at an end and the chord there, relative to the angle allowed over
/// half of the chord.
inline double tightestEnd(const Problem& problem, const Path& path, bool atFirst) {
  const std::size_t last = path.size() - 1, a = atFirst ? 0 : last - 1, b = atFirst ? 1 : last,
                    end = atFirst ? 0 : last;
  const double dx = path.x[b] - path.x[a], dy = path.y[b] - path.y[a], run = std::hypot(dx, dy) / 2;
  const double turned = std::remainder(std::atan2(dy, dx) - path.heading[end], 2 * std::numbers::pi);
  const TurningRates allowed = allowedAround(problem, path.x[end], path.y[end], path.heading[end]);
  return allowed.tightness((atFirst ? turned : -turned) / run);
}

inline void expectKeepsTheTurningRadius(const Problem& problem, const Path& path) {
  if (path.length == 0) return;
  EXPECT_LE(tightestCircle(problem, path), turningTolerance);
  EXPECT_LE(tightestCircle(problem, atGridSteps(path, problem.grid)), turningTolerance);
  EXPECT_LE(tightestEnd(problem, path, true), turningTolerance);
  EXPECT_LE(tightestEnd(problem, path, false), turningTolerance);
}

/// Expects a path to the tip. For a model that bounds the curvature, the status may report a violation
/// instead.
inline void expectLeadsToTheTip(const Path& path, const Problem& problem) {
  const bool remarked =
      path.status == PathStatus::TurnsTooTightly || path.status == PathStatus::ExceedsTravelTime;
  EXPECT_TRUE(path.status == PathStatus::Complete || (remarked && problem.model == Model::Dubins))
      << int(path.status);
}

} // namespace isochrone::curvature
