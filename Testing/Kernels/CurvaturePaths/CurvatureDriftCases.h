// CurvatureDriftCases.h - vehicles in a drift, and an independent computation of their motion.
#pragma once

#include "CurvatureCases.h"

#include <array>
#include <functional>

namespace isochrone::curvature {

using Drift = std::function<std::array<double, 2>(double x, double y)>;

/// A vehicle in a drift sampled on the grid of a problem, and the problem of its paths over ground. Moving it
/// keeps the views valid; copying it would not.
struct DriftingCase {
  Case c;
  std::vector<float> driftX, driftY;
  Vehicle vehicle;
  GroundFields fields;

  DriftingCase(Case plain, const Drift& drift, double speed, double leftRadius, double rightRadius)
      : c(std::move(plain)) {
    const StateGrid& g = c.problem.grid;
    for (std::int64_t j = 0; j < g.ny; ++j)
      for (std::int64_t i = 0; i < g.nx; ++i) {
        const auto [x, y] = drift(double(i) * g.hx, double(j) * g.hy);
        driftX.push_back(float(x)), driftY.push_back(float(y));
      }
    vehicle = {speed, leftRadius, rightRadius, driftX, driftY};
  }
  DriftingCase(DriftingCase&&) = default;

  /// Returns the problem over ground.
  Problem ground() {
    fields = groundFields(c.problem, vehicle, 2);
    Problem problem = c.problem;
    problem.cost = {1, fields.cost};
    problem.turningRadius = {1, fields.turningRadius};
    problem.curvatureShift = {0, fields.curvatureShift};
    problem.balancedRadius = fields.balancedRadius;
    return problem;
  }
};

/// Position and heading of a vehicle, and their change while it turns with `curvature` in the medium.
struct Pose {
  double x, y, heading;

  Pose after(double time, const Drift& drift, double speed, double curvature) const {
    constexpr int steps = 20;
    Pose p = *this;
    const auto rate = [&](const Pose& q) {
      const auto [vx, vy] = drift(q.x, q.y);
      return Pose{speed * std::cos(q.heading) + vx, speed * std::sin(q.heading) + vy, speed * curvature};
    };
    for (int n = 0; n < steps; ++n) { // midpoint rule
      const double dt = time / steps;
      const Pose a = rate(p),
                 b = rate({p.x + a.x * dt / 2, p.y + a.y * dt / 2, p.heading + a.heading * dt / 2});
      p = {p.x + b.x * dt, p.y + b.y * dt, p.heading + b.heading * dt};
    }
    return p;
  }

  /// Returns the direction and speed over ground.
  std::array<double, 2> track(const Drift& drift, double speed) const {
    const auto [vx, vy] = drift(x, y);
    const double wx = speed * std::cos(heading) + vx, wy = speed * std::sin(heading) + vy;
    return {std::atan2(wy, wx), std::hypot(wx, wy)};
  }
};

/// Returns the drift of the paper's boat (section 3.4) on the square [0, 2]^2, centre at (1, 1); its maximum,
/// `strength`, is at (0.5, 0.5) and three more points.
inline Drift boatDrift(double strength) {
  return [strength](double x, double y) {
    const double r = std::hypot(x - 1, y - 1);
    const double v = strength * std::sin(std::numbers::pi * (x - 1)) * std::sin(std::numbers::pi * (y - 1));
    return r > 0 ? std::array{v * (x - 1) / r, v * (y - 1) / r} : std::array{0., 0.};
  };
}

inline Drift constantDrift(double x, double y) {
  return [=](double, double) { return std::array{x, y}; };
}

} // namespace isochrone::curvature
