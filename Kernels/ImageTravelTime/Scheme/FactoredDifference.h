// FactoredDifference.h - one-sided differences over two or three points, with source factoring: the terms of
// the equation that a refinement of first order times solves at a point.
//
// The equation is the sum of weight * (derivative along e)^2 = 1 over whole-number offsets e, the axes or
// those of a tensor's stencil. Each derivative is slope * u - rest, with u at the point.
#pragma once

#include "Grid/Selling.h"
#include "Grid/Symmetric3.h"
#include "ImageTravelTime/ImageTravelTime.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace isochrone::image {

/// A term of the equation.
struct Difference {
  double weight = 0, slope = 0, rest = 0;
  double used = -std::numeric_limits<double>::infinity(); ///< latest travel time that it uses
  double near = 0, far = 0; ///< coefficients of the differenced quantity at the other points in `rest`
};

/// The coefficients of a one-sided difference over two or three points: own u - nearest u_1 - farther u_2.
struct Coefficients {
  double own, nearest, farther;
};
inline constexpr Coefficients ofTwoPoints{1, 1, 0}, ofThreePoints{1.5, 2, -0.5};

/// The seed from which a point is reached.
struct FactoringSeed {
  grid::Vector3 at;        ///< grid steps
  grid::Symmetric3 metric; ///< time^2 per product of grid steps
  double startValue;
  std::int32_t number; ///< of the seed in the problem

  /// Returns the time along the straight line from the seed.
  double time(const grid::Vector3& point) const {
    return std::sqrt(grid::square(metric, {point[0] - at[0], point[1] - at[1], point[2] - at[2]}));
  }
};

/// The differenced quantity at a point x: u, u - T or u / T, with T(x) the time along the straight line from
/// the seed.
class FactoredQuantity {
public:
  /// @param factoring  Off: u itself, without a seed
  FactoredQuantity(const FactoringSeed* nearSeed, SourceFactoring factoring, const grid::Vector3& point)
      : seed(nearSeed), kind(factoring), x(point) {
    if (kind == SourceFactoring::Off) return;
    time = seed->time(x);
    if (time == 0) kind = SourceFactoring::Off;
  }

  bool isFactored() const { return kind != SourceFactoring::Off; }
  /// Returns the number of the seed from which the point is factored.
  std::int32_t seedNumber() const { return seed->number; }

  /// Returns the derivative against the offset to a neighbour, from x + offset to x.
  /// @param near, far  travel times at x + offset and x + 2 * offset; the second is used if it is finite
  Difference difference(const grid::Offset& offset, double weight, double near, double far) const {
    const bool second = std::isfinite(far);
    const auto [own, nearest, farther] = second ? ofThreePoints : ofTwoPoints;
    const auto others = [&](double a, double b) { return second ? nearest * a + farther * b : a; };
    Difference d{weight, own, others(near, far), std::max(near, second ? far : near), nearest, farther};
    if (kind == SourceFactoring::Additive) {
      d.rest = own * time + others(near - timeAt(offset, 1), far - timeAt(offset, 2)) - growth(offset);
    } else if (kind == SourceFactoring::Multiplicative) {
      const auto ratio = [&](double u, int steps) {
        const double t = timeAt(offset, steps);
        return t > 1e-9 * time ? (u - seed->startValue) / t : 1;
      };
      d.slope = own + growth(offset) / time;
      d.rest = d.slope * seed->startValue + time * others(ratio(near, 1), second ? ratio(far, 2) : 0);
    }
    return d;
  }

  /// Returns the derivative if no neighbour along an offset is earlier: the differenced quantity is constant
  /// along it.
  Difference without(const grid::Offset& offset, double weight) const {
    if (kind == SourceFactoring::Off) return {};
    if (kind == SourceFactoring::Additive) return {weight, 0, -growth(offset)};
    const double slope = growth(offset) / time;
    return {weight, slope, slope * seed->startValue};
  }

private:
  const FactoringSeed* seed;
  SourceFactoring kind;
  grid::Vector3 x;
  double time = 0; ///< T(x)

  double timeAt(const grid::Offset& offset, int steps) const {
    return seed->time({x[0] + steps * offset[0], x[1] + steps * offset[1], x[2] + steps * offset[2]});
  }

  /// Returns the derivative of T at x against the offset.
  double growth(const grid::Offset& offset) const {
    const grid::Vector3 away{x[0] - seed->at[0], x[1] - seed->at[1], x[2] - seed->at[2]},
        along{double(offset[0]), double(offset[1]), double(offset[2])};
    return -grid::dot(away, grid::times(seed->metric, along)) / time;
  }
};

/// Returns the maximum u that solves the equation; NaN if none exists.
inline double solveDifferences(std::span<const Difference> terms) {
  double a = 0, b = 0, c = -1;
  for (const Difference& d : terms) {
    a += d.weight * d.slope * d.slope;
    b += d.weight * d.slope * d.rest;
    c += d.weight * d.rest * d.rest;
  }
  return a > 0 ? (b + std::sqrt(b * b - a * c)) / a : std::numeric_limits<double>::quiet_NaN();
}

/// Returns the derivative of the left-hand side of the equation with respect to u, divided by 2.
inline double slopeOfDifferences(std::span<const Difference> terms, double u) {
  double slope = 0;
  for (const Difference& d : terms) slope += d.weight * d.slope * (d.slope * u - d.rest);
  return slope;
}

/// A value, and the terms whose equation it solves; none if it is the first order value.
struct RefinedValue {
  double value;
  std::span<const Difference> terms;
};

/// Returns the value of a point from its differences over three points. If these give no causal solution,
/// those over two points may. Otherwise a factored point keeps its first order value, which is near enough.
/// For a point without factoring, the term with the latest neighbour is dropped, as in the first order
/// scheme.
/// @param overTwoPoints  returns the differences over two points; called only if needed
template <class OverTwoPoints>
inline RefinedValue refinedValue(std::span<Difference> threePoints, const OverTwoPoints& overTwoPoints,
                                 double firstOrder, bool isFactored) {
  const auto isCausal = [](double u, std::span<const Difference> terms) {
    return std::ranges::all_of(terms, [u](const Difference& d) { return u >= d.used; });
  };
  if (const double u = solveDifferences(threePoints); isCausal(u, threePoints)) return {u, threePoints};
  const std::span<const Difference> twoPoints = overTwoPoints();
  if (const double u = solveDifferences(twoPoints); isCausal(u, twoPoints)) return {u, twoPoints};
  for (std::size_t left = isFactored ? 1 : threePoints.size(); left > 1; --left) {
    *std::ranges::max_element(threePoints, {}, &Difference::used) = {};
    if (const double u = solveDifferences(threePoints); isCausal(u, threePoints)) return {u, threePoints};
  }
  return {firstOrder, {}};
}

} // namespace isochrone::image
