#include "ImageTravelTime/Host/SecondOrder.h"

#include "ImageTravelTime/Host/CausalOrder.h"
#include "ImageTravelTime/Seeds/FactoringBalls.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace isochrone::image {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// The derivative along an axis: slope * u - rest, with u at the point.
struct Difference {
  double slope = 0, rest = 0;
  double used = -infinite; ///< latest travel time that it uses
};

/// The differenced quantity: u itself, u - T or u / T, with T(x) = |x - seed|, times the seed's slowness if
/// additive.
class Factor {
public:
  Factor(const SeedBall* seedBall, SourceFactoring factoring, const Position& point) : ball(seedBall) {
    if (!ball) return;
    for (int a = 0; a < 3; ++a) away[a] = point[a] - ball->at[a];
    distance = std::hypot(away[0], away[1], away[2]);
    kind = distance == 0 ? SourceFactoring::Off
           : factoring == SourceFactoring::Additive && distance >= withoutSurface * ball->radius
               ? SourceFactoring::Off
               : factoring;
  }

  bool isFactored() const { return kind != SourceFactoring::Off; }

  /// Returns the difference to the neighbours at `sign` * h and twice as far. Uses the second only if its
  /// time is finite.
  Difference difference(int axis, double h, int sign, double near, double far) const {
    const bool second = std::isfinite(far);
    const double own = sign * (second ? 1.5 : 1.) / h;
    const auto others = [&](double a, double b) { return sign * (second ? (4 * a - b) / 2 : a) / h; };
    Difference d;
    d.used = std::max(near, second ? far : near);
    if (kind == SourceFactoring::Off) {
      d.slope = own, d.rest = others(near, far);
    } else if (kind == SourceFactoring::Additive) {
      const double s = ball->slowness;
      d.slope = own;
      d.rest = own * s * distance + others(near - s * at(axis, h, sign), far - s * at(axis, h, 2 * sign)) -
               s * away[axis] / distance;
    } else {
      const auto ratio = [&](double u, int steps) {
        const double r = at(axis, h, steps);
        return r > 1e-9 * h ? (u - ball->startValue) / r : ball->slowness;
      };
      d.slope = away[axis] / (distance * distance) + own;
      d.rest = d.slope * ball->startValue +
               distance * others(ratio(near, sign), second ? ratio(far, 2 * sign) : 0);
    }
    return d;
  }

  /// Returns the difference for an axis without an earlier neighbour: the differenced quantity is constant
  /// along it.
  Difference without(int axis) const {
    if (kind == SourceFactoring::Off) return {};
    if (kind == SourceFactoring::Additive) return {0, -ball->slowness * away[axis] / distance};
    const double slope = away[axis] / (distance * distance);
    return {slope, slope * ball->startValue};
  }

private:
  const SeedBall* ball;
  SourceFactoring kind = SourceFactoring::Off;
  double away[3] = {}, distance = 0;

  /// Returns the distance from the seed to the point `steps` steps back along the axis.
  double at(int axis, double h, int steps) const {
    double at[3] = {away[0], away[1], away[2]};
    at[axis] -= steps * h;
    return std::hypot(at[0], at[1], at[2]);
  }
};

/// Returns the maximum u with sum of (slope * u - rest)^2 = s^2; NaN if none exists.
double solve(const std::array<Difference, 3>& axes, double s) {
  double a = 0, b = 0, c = -s * s;
  for (const Difference& d : axes) a += d.slope * d.slope, b += d.slope * d.rest, c += d.rest * d.rest;
  return a > 0 ? (b + std::sqrt(b * b - a * c)) / a : std::numeric_limits<double>::quiet_NaN();
}

class Refinement {
public:
  Refinement(const SolverInput& input, std::span<float> u)
      : problem(input.problem), factoring(input.options.factoring), first(u.begin(), u.end()), value(u),
        order(problem.grid, first) {
    if (factoring == SourceFactoring::Off) return;
    balls = seedBalls(input, 0);
    if (factoring == SourceFactoring::Additive) std::erase_if(balls, isEmpty);
  }

  void keep(std::int64_t point) { first[point] = -std::numeric_limits<float>::infinity(); }

  bool run(execution::RoundPool& pool, const Monitor& monitor) {
    return order.run(pool, monitor, [this](std::int64_t p) { refine(p); });
  }

private:
  const Problem& problem;
  SourceFactoring factoring;
  std::vector<SeedBall> balls; ///< none without factoring
  std::vector<float> first;    ///< first order times
  std::span<float> value;
  CausalOrder order;

  void refine(std::int64_t p) {
    const Grid& g = problem.grid;
    const Position h = g.spacing();
    const GridIndex at = g.indices(p);
    const Position x{double(at[0]) * h[0], double(at[1]) * h[1], double(at[2]) * h[2]};
    const Factor factor(earliestBall(balls, x, infinite), factoring, x);
    const double s = slownessAt(problem, p);
    std::array<Difference, 3> threePoints, twoPoints;
    for (int a = 0; a < 3; ++a) {
      threePoints[a] = twoPoints[a] = factor.without(a);
      const UpstreamNeighbour up = order.upstream(p, a, at[a]);
      if (up.near < 0) continue;
      twoPoints[a] = factor.difference(a, h[a], up.sign, value[up.near], infinite);
      threePoints[a] =
          factor.difference(a, h[a], up.sign, value[up.near], up.far < 0 ? infinite : value[up.far]);
    }
    // If three points give no causal solution, two points may. Otherwise a factored point keeps its first
    // order value, which is near enough. For a point without factoring, the axis with the latest neighbour is
    // dropped, as in the first order scheme.
    if (take(p, threePoints, s) || take(p, twoPoints, s) || factor.isFactored()) return;
    for (int left = 2; left > 0; --left) {
      const auto latest = std::ranges::max_element(threePoints, {}, &Difference::used);
      *latest = factor.without(int(latest - threePoints.begin()));
      if (take(p, threePoints, s)) return;
    }
  }

  /// Sets the value, unless the solution is earlier than a neighbour that it uses. Returns whether the value
  /// was set.
  bool take(std::int64_t p, const std::array<Difference, 3>& axes, double s) {
    const double u = solve(axes, s);
    const bool causal = u >= std::max({axes[0].used, axes[1].used, axes[2].used});
    if (causal) value[p] = float(u);
    return causal;
  }
};

} // namespace

bool refineToSecondOrder(const SolverInput& input, const Monitor& monitor, std::span<float> travelTime) {
  Refinement refinement(input, travelTime);
  for (const SeedPoint& seed : input.starts)
    if (std::abs(travelTime[seed.point] - float(seed.value)) <= 1e-6f * std::abs(travelTime[seed.point]))
      refinement.keep(seed.point);
  return refinement.run(input.pool, monitor);
}

} // namespace isochrone::image
