// CurvatureGeodesics.h - fastest paths of the models without a closed form, as solutions of Hamilton's
// equations.
//
// With cost 1 and no shift, the costate (px, py) of the position is constant and determines that of the
// heading. A fastest path is therefore given by three numbers: its costate at the start (two) and its
// duration. The paths of the table end at grid states, which verifies the table independently of the search
// that found them. They are fastest in the whole plane; if one leaves a domain, it only bounds the travel
// time there from below.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

namespace isochrone::reference {

struct Geodesic {
  std::array<int, 3> end; ///< x, y, heading in grid steps from the seed
  double time;            ///< travel time
  /// Initial condition. Elastica: curvature times radius. Other models: angle of (a, b), the speed along the
  /// heading and the turning speed; beyond a right angle the path begins with a turn on the spot.
  double start;
  double py, duration; ///< costate; length of the elastica, else time; 0: both and the start unknown
};

#include "Reference/CurvatureGeodesics.inc"

/// A state on a path and the travel time so far.
struct GeodesicPoint {
  double x = 0, y = 0, heading = 0, turning = 0, time = 0;
};

/// Follows a geodesic to its end by the Runge-Kutta method; calls visit(point) after each step.
template <class Visit>
GeodesicPoint follow(curvature::Model model, const Geodesic& g, double radius, Visit&& visit,
                     int steps = 4000) {
  using curvature::Model;
  const double right = std::numbers::pi / 2;
  const bool elastica = model == Model::Elastica, forward = model == Model::ReedsSheppForward;
  const bool turnsFirst = forward && std::abs(g.start) > right;
  GeodesicPoint p;
  p.turning = elastica ? g.start : turnsFirst ? (g.start > 0 ? 1 : -1) : std::sin(g.start);
  const double px = elastica     ? 1 - g.start * g.start
                    : turnsFirst ? right - std::abs(g.start)
                                 : std::cos(g.start);
  const auto rate = [&](const GeodesicPoint& q) {
    const double c = std::cos(q.heading), s = std::sin(q.heading), cross = g.py * c - px * s;
    if (elastica)
      return GeodesicPoint{c, s, q.turning / radius, -cross / (2 * radius), 1 + q.turning * q.turning};
    double speed = px * c + g.py * s;
    if (forward) speed = std::max(0., speed);
    return GeodesicPoint{speed * c, speed * s, q.turning / radius, -speed * cross / radius, 1};
  };
  const auto moved = [](const GeodesicPoint& q, const GeodesicPoint& r, double t) {
    return GeodesicPoint{q.x + t * r.x, q.y + t * r.y, q.heading + t * r.heading, q.turning + t * r.turning,
                         q.time + t * r.time};
  };
  const double t = g.duration / steps;
  for (int n = 0; n < steps; ++n) {
    const GeodesicPoint a = rate(p), b = rate(moved(p, a, t / 2)), c = rate(moved(p, b, t / 2)),
                        d = rate(moved(p, c, t));
    p = moved(moved(moved(moved(p, a, t / 6), b, t / 3), c, t / 3), d, t / 6);
    visit(p);
  }
  return p;
}

} // namespace isochrone::reference
