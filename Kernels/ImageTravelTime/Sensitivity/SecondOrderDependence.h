// SecondOrderDependence.h - the partial derivatives of the time of second order of a point, on host and
// device.
//
// A time of second order depends on one or two points on each axis, by the equation in FactoredDifference.h.
// The points that keep their first order times are where the derivatives of these begin.
#pragma once

#include "ImageTravelTime/Seeds/SecondOrderScheme.h"

#include <cstdint>
#include <limits>

namespace isochrone::image {

struct SecondOrderDependence {
  double perRest[3];      ///< per axis, derivative with respect to the rest of its difference
  double perSlowness;     ///< derivative with respect to the slowness of the point, world length
  double perSeedSlowness; ///< and with respect to that at the seed from which it is factored
  std::int32_t seed;      ///< number of that seed; -1: none
  float rounding;         ///< exact minus rounded time
  /// Per axis, the number of points that are used: negative if they are above the point.
  std::int8_t used[3];
  bool isStart; ///< the point keeps its first order time; nothing else is set then but `used`, to 0
};

/// The points that points use.
struct SecondOrderUses {
  const SecondOrderDependence* dependence; ///< per point
  std::int64_t stride[3];
  const FactoringSeed* seeds; ///< per seed of the problem; null unless factoring is multiplicative

  /// Calls f(used, share) for the points that a point uses. Without multiplicative factoring their shares add
  /// up to 1; those of the farther ones are negative.
  template <class Index, class F>
  TEAM_FN void forUsed(Index point, F&& f) const {
    const SecondOrderDependence& d = dependence[point];
    const FactoredQuantity quantity = quantityAt(point, d.seed);
    for (int a = 0; a < 3; ++a) {
      if (d.used[a] == 0) continue;
      int offset[3] = {};
      offset[a] = d.used[a] > 0 ? -1 : 1;
      const auto step = Index(offset[a] * stride[a]);
      const bool three = d.used[a] == 2 || d.used[a] == -2;
      const Coefficients c = coefficientsOf(three);
      f(point + step, d.perRest[a] * c.nearest * quantity.perTime(offset, 1));
      if (three) f(point + 2 * step, d.perRest[a] * c.farther * quantity.perTime(offset, 2));
    }
  }

private:
  TEAM_FN FactoredQuantity quantityAt(std::int64_t point, std::int32_t seed) const {
    if (!seeds || seed < 0) return {nullptr, SourceFactoring::Off, {}};
    const std::int64_t k = point / stride[2], j = (point - k * stride[2]) / stride[1];
    const double x[3] = {double(point - k * stride[2] - j * stride[1]), double(j), double(k)};
    return {seeds + seed, SourceFactoring::Multiplicative, x};
  }
};

/// Returns the derivatives of a point with a first order time.
/// @param seedSlowness  per seed of the problem
TEAM_FN SecondOrderDependence dependenceAt(const SecondOrderView& equations, const double* seedSlowness,
                                           std::int64_t point) {
  SecondOrderDependence result{};
  result.isStart = true;
  if (equations.first[point] == -std::numeric_limits<float>::infinity()) return result;
  const SecondOrderPoint solved = equations.solve(point);
  if (!solved.isRefined || !isResolved(solved.value, solved.terms, 3)) return result;
  result.isStart = false;
  // The sum of weight * (slope * v - rest)^2 is 1, with weights proportional to slowness^-2.
  const double inverseSlope = 1 / slopeOfDifferences(solved.terms, 3, solved.value);
  double remainder = 0; // of the seed's straight line, in the terms
  for (int a = 0; a < 3; ++a) {
    const Difference& d = solved.terms[a];
    result.perRest[a] = d.weight * (d.slope * solved.value - d.rest) * inverseSlope;
    result.used[a] = std::int8_t(solved.upstream[a].sign * d.points);
    remainder += result.perRest[a] * d.remainder;
  }
  result.perSlowness = inverseSlope / equations.slowness(point);
  result.seed = solved.seed;
  if (solved.seed >= 0) result.perSeedSlowness = remainder / seedSlowness[solved.seed];
  result.rounding = float(solved.value - double(equations.value[point]));
  return result;
}

} // namespace isochrone::image
