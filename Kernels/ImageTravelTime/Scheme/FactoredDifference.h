// FactoredDifference.h - one-sided differences over two or three points, with source factoring: the terms of
// the equation that a refinement of first order times solves at a point.
//
// The equation is the sum of weight * (derivative along e)^2 = 1 over whole-number offsets e, the axes or
// those of a tensor's stencil. Each derivative is slope * u - rest, with u at the point.
#pragma once

#include "Execution/Team.h"
#include "ImageTravelTime/ImageTravelTime.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace isochrone::image {

/// A term of the equation.
struct Difference {
  double weight = 0, slope = 0, rest = 0;
  double used = -std::numeric_limits<double>::infinity(); ///< latest travel time that it uses
  double remainder = 0; ///< part of `rest` that is proportional to the slowness at the seed
  int points = 0;       ///< number of the other points
};

/// The coefficients of a one-sided difference over two or three points: own u - nearest u_1 - farther u_2.
struct Coefficients {
  double own, nearest, farther;
};
TEAM_FN Coefficients coefficientsOf(bool threePoints) {
  return threePoints ? Coefficients{1.5, 2, -0.5} : Coefficients{1, 1, 0};
}

/// The seed from which a point is reached.
struct FactoringSeed {
  double at[3];     ///< grid steps
  double metric[6]; ///< as Symmetric3, time^2 per product of grid steps
  double startValue;
  std::int32_t number; ///< of the seed in the problem

  /// Returns the product <a, G b> by the metric.
  TEAM_FN double product(const double (&a)[3], const double (&b)[3]) const {
    const double(&g)[6] = metric;
    return a[0] * (g[0] * b[0] + g[3] * b[1] + g[5] * b[2]) +
           a[1] * (g[3] * b[0] + g[1] * b[1] + g[4] * b[2]) +
           a[2] * (g[5] * b[0] + g[4] * b[1] + g[2] * b[2]);
  }
  /// Returns the time along the straight line from the seed to a point, grid steps.
  TEAM_FN double time(double x, double y, double z) const {
    const double away[3] = {x - at[0], y - at[1], z - at[2]};
    return std::sqrt(product(away, away));
  }
};

/// The differenced quantity at a point x: u, u - T or u / T, with T(x) the time along the straight line from
/// the seed.
class FactoredQuantity {
public:
  /// @param factoring  Off: u itself, without a seed
  /// @param point      grid steps
  TEAM_FN FactoredQuantity(const FactoringSeed* nearSeed, SourceFactoring factoring, const double (&point)[3])
      : seed(nearSeed), kind(factoring), x{point[0], point[1], point[2]} {
    if (kind == SourceFactoring::Off) return;
    time = seed->time(x[0], x[1], x[2]);
    if (time == 0) kind = SourceFactoring::Off;
  }

  TEAM_FN bool isFactored() const { return kind != SourceFactoring::Off; }
  /// Returns the number of the seed from which the point is factored.
  TEAM_FN std::int32_t seedNumber() const { return seed->number; }

  /// Returns the derivative against the offset to a neighbour, from x + offset to x.
  /// @tparam Offset     three whole numbers
  /// @param near, far  travel times at x + offset and x + 2 * offset; the second is used if it is finite
  template <class Offset>
  TEAM_FN Difference difference(const Offset& offset, double weight, double near, double far) const {
    const bool second = far < std::numeric_limits<double>::infinity();
    const Coefficients c = coefficientsOf(second);
    const auto others = [&](double a, double b) { return second ? c.nearest * a + c.farther * b : a; };
    Difference d{weight, c.own, others(near, far), second && far > near ? far : near, 0, second ? 2 : 1};
    if (kind == SourceFactoring::Additive) {
      const double nearest = timeAt(offset, 1), farther = timeAt(offset, 2);
      d.rest = c.own * time + others(near - nearest, far - farther) - growth(offset);
      d.remainder = c.own * time - others(nearest, farther) - growth(offset);
    } else if (kind == SourceFactoring::Multiplicative) {
      const auto ratio = [&](double u, int steps) {
        const double t = timeAt(offset, steps);
        return isAtSeed(t) ? 1 : (u - seed->startValue) / t;
      };
      const auto straight = [&](int steps) { return isAtSeed(timeAt(offset, steps)) ? time : 0; };
      d.slope = c.own + growth(offset) / time;
      d.rest = d.slope * seed->startValue + time * others(ratio(near, 1), second ? ratio(far, 2) : 0);
      d.remainder = others(straight(1), second ? straight(2) : 0);
    }
    return d;
  }

  /// Returns the derivative of a difference with respect to the travel time at x + steps * offset, per
  /// coefficient of that point.
  template <class Offset>
  TEAM_FN double perTime(const Offset& offset, int steps) const {
    if (kind != SourceFactoring::Multiplicative) return 1;
    const double t = timeAt(offset, steps);
    return isAtSeed(t) ? 0 : time / t;
  }

  /// Returns the derivative if no neighbour along an offset is earlier: the differenced quantity is constant
  /// along it.
  template <class Offset>
  TEAM_FN Difference without(const Offset& offset, double weight) const {
    if (kind == SourceFactoring::Off) return {};
    if (kind == SourceFactoring::Additive) {
      Difference d{weight, 0, -growth(offset)};
      d.remainder = d.rest;
      return d;
    }
    const double slope = growth(offset) / time;
    return {weight, slope, slope * seed->startValue};
  }

private:
  const FactoringSeed* seed;
  SourceFactoring kind;
  double x[3];
  double time = 0; ///< T(x)

  /// Returns whether a point at that time is the seed itself, where u / T is 1.
  TEAM_FN bool isAtSeed(double t) const { return !(t > 1e-9 * time); }

  template <class Offset>
  TEAM_FN double timeAt(const Offset& offset, int steps) const {
    return seed->time(x[0] + steps * offset[0], x[1] + steps * offset[1], x[2] + steps * offset[2]);
  }

  /// Returns the derivative of T at x against the offset.
  template <class Offset>
  TEAM_FN double growth(const Offset& offset) const {
    const double away[3] = {x[0] - seed->at[0], x[1] - seed->at[1], x[2] - seed->at[2]},
                 along[3] = {double(offset[0]), double(offset[1]), double(offset[2])};
    return -seed->product(away, along) / time;
  }
};

/// Returns the maximum u that solves the equation; NaN if none exists.
TEAM_FN double solveDifferences(const Difference* terms, int count) {
  double a = 0, b = 0, c = -1;
  for (int n = 0; n < count; ++n) {
    const Difference& d = terms[n];
    a += d.weight * d.slope * d.slope;
    b += d.weight * d.slope * d.rest;
    c += d.weight * d.rest * d.rest;
  }
  return a > 0 ? (b + std::sqrt(b * b - a * c)) / a : std::numeric_limits<double>::quiet_NaN();
}

/// Returns the derivative of the left-hand side of the equation with respect to u, divided by 2.
TEAM_FN double slopeOfDifferences(const Difference* terms, int count, double u) {
  double slope = 0;
  for (int n = 0; n < count; ++n)
    slope += terms[n].weight * terms[n].slope * (terms[n].slope * u - terms[n].rest);
  return slope;
}

/// Returns whether u is a single root of the equation, and solves it not only up to the rounding of u.
TEAM_FN bool isResolved(double u, const Difference* terms, int count) {
  double sum = 0;
  for (int n = 0; n < count; ++n)
    sum += terms[n].weight * (terms[n].slope * u - terms[n].rest) * (terms[n].slope * u - terms[n].rest);
  return sum > 0.9 && sum < 1.1 && slopeOfDifferences(terms, count, u) > 0;
}

/// Returns whether no term uses a later time. False for NaN.
TEAM_FN bool isCausal(double u, const Difference* terms, int count) {
  for (int n = 0; n < count; ++n)
    if (!(u >= terms[n].used)) return false;
  return true;
}

/// A value, and the terms whose equation it solves; null if it is the first order value.
struct RefinedValue {
  double value;
  const Difference* terms;
};

/// Returns the value of a point from its differences over three points. If these give no causal solution,
/// those over two points may. Otherwise a factored point keeps its first order value, which is near enough.
/// For a point without factoring, the term with the latest neighbour is dropped, as in the first order
/// scheme. A point without an earlier neighbour, where single precision does not resolve a step, keeps its
/// first order value.
/// @param count          number of terms
/// @param overTwoPoints  returns the differences over two points; called only if needed
template <class OverTwoPoints>
TEAM_FN RefinedValue refinedValue(Difference* threePoints, int count, const OverTwoPoints& overTwoPoints,
                                  double firstOrder, bool isFactored) {
  bool hasEarlier = false;
  for (int n = 0; n < count; ++n) hasEarlier = hasEarlier || threePoints[n].points > 0;
  if (!hasEarlier) return {firstOrder, nullptr};
  if (const double u = solveDifferences(threePoints, count); isCausal(u, threePoints, count))
    return {u, threePoints};
  const Difference* const twoPoints = overTwoPoints();
  if (const double u = solveDifferences(twoPoints, count); isCausal(u, twoPoints, count))
    return {u, twoPoints};
  for (int left = isFactored ? 1 : count; left > 1; --left) {
    int latest = 0; // the first of equal ones
    for (int n = 1; n < count; ++n)
      if (threePoints[latest].used < threePoints[n].used) latest = n;
    threePoints[latest] = Difference{};
    if (const double u = solveDifferences(threePoints, count); isCausal(u, threePoints, count))
      return {u, threePoints};
  }
  return {firstOrder, nullptr};
}

} // namespace isochrone::image
