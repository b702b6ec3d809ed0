// SidedUpdate.h - the update of a node whose steps differ on the two sides of an axis.
//
// The update is the minimum u with sum over the axes of max(0, (u - a) / h_a, (u - b) / h_b)^2 = slowness^2,
// with the neighbours a and b on the two sides. Unlike with equal steps, the earlier neighbour is not always
// the one that counts: the nearer one may have the larger difference quotient. The sum is the maximum over
// the choices of one side per axis, so u is the minimum of their solutions. Each step of the iteration
// (Howard's) solves for one choice, then takes the side with the larger quotient on every axis. The solutions
// fall, so no choice comes twice, and the last one is exact: no tolerance, no limit.
#pragma once

#include "ImageTravelTime/Scheme/GodunovUpdate.h"
#include "ImageTravelTime/Scheme/TileData.h"

namespace isochrone::image {

/// Returns the solution with one value and one inverse step per axis.
template <class Number, int Dimensions, class Vec = typename Number::Vec>
TEAM_FN Vec solveSides(const Vec (&value)[Dimensions], const Vec (&inverse)[Dimensions], Vec slowness) {
  if constexpr (Dimensions == 2)
    return godunovOf<Number>(value[0], value[1], slowness, inverse[0] * inverse[0], inverse[1] * inverse[1]);
  else
    return godunovOf<Number>(value[0], value[1], value[2], slowness, inverse[0] * inverse[0],
                             inverse[1] * inverse[1], inverse[2] * inverse[2]);
}

/// Returns the update of a node.
/// @param value     of the lower and the upper neighbour on each axis
/// @param inverse   1 / h on each side, positive
/// @param slowness  squared
template <class Number, int Dimensions, class Vec = typename Number::Vec>
TEAM_FN Vec sided(const Vec (&value)[Dimensions][2], const Vec (&inverse)[Dimensions][2], Vec slowness) {
  // Where the front is smooth, the earlier neighbour is the one that counts.
  Vec used[Dimensions], usedInverse[Dimensions], other[Dimensions], otherInverse[Dimensions];
  for (int d = 0; d < Dimensions; ++d) {
    const auto swap = Number::greater(value[d][0], value[d][1]);
    used[d] = Number::min(value[d][0], value[d][1]), other[d] = Number::max(value[d][0], value[d][1]);
    usedInverse[d] = Number::select(swap, inverse[d][1], inverse[d][0]);
    otherInverse[d] = Number::select(swap, inverse[d][0], inverse[d][1]);
  }
  Vec u = solveSides<Number, Dimensions>(used, usedInverse, slowness);
  const Vec zero = Number::broadcast(0);
  for (;;) {
    const auto isBetter = [&](int d) {
      return Number::greater((u - other[d]) * otherInverse[d],
                             Number::max((u - used[d]) * usedInverse[d], zero));
    };
    auto better = isBetter(0);
    for (int d = 1; d < Dimensions; ++d) better = Number::either(better, isBetter(d));
    if (!Number::any(better)) return u;
    for (int d = 0; d < Dimensions; ++d) {
      const auto swap = isBetter(d);
      const Vec value0 = used[d], inverse0 = usedInverse[d];
      used[d] = Number::select(swap, other[d], value0), other[d] = Number::select(swap, value0, other[d]);
      usedInverse[d] = Number::select(swap, otherInverse[d], inverse0);
      otherInverse[d] = Number::select(swap, inverse0, otherInverse[d]);
    }
    const Vec next = solveSides<Number, Dimensions>(used, usedInverse, slowness);
    if (!Number::any(Number::greater(u, next))) return u; // only rounding is left
    u = Number::min(u, next);
  }
}

/// A side of an axis in the factored equation: (v - value) * inverse counts where v is later than `bound`.
template <class Number>
struct FactoredSide {
  typename Number::Vec value, bound, inverse;
};

/// Returns the minimum v, not before a bound of a side that it uses, with sum over the axes of max(least,
/// (v - value) * inverse)^2 = slowness^2. It never rises where a neighbour falls.
/// @param least     lower limit of the derivative along each axis; their squares add up to less than
/// `slowness`
/// @param slowness  squared
template <class Number, int Dimensions, class Vec = typename Number::Vec>
TEAM_FN Vec factoredSides(const FactoredSide<Number> (&side)[Dimensions][2], const Vec (&least)[Dimensions],
                          Vec slowness) {
  const Vec zero = Number::broadcast(0), none = Number::broadcast(unreached), s = Number::sqrt(slowness);
  // From a solution with one side on, solutions fall.
  Vec v = none;
  for (int d = 0; d < Dimensions; ++d)
    for (int up = 0; up < 2; ++up) {
      const Vec alone = Number::max(side[d][up].value + s / side[d][up].inverse, side[d][up].bound);
      v = Number::min(v, Number::select(Number::greater(none, side[d][up].bound), alone, none));
    }
  for (;;) {
    Vec value[Dimensions], inverse[Dimensions], left = slowness, sum = zero, latest = -none;
    for (int d = 0; d < Dimensions; ++d) {
      const auto slope = [&](int up) {
        const FactoredSide<Number>& from = side[d][up];
        return Number::select(Number::greater(v, from.bound), (v - from.value) * from.inverse, zero);
      };
      const Vec low = slope(0), high = slope(1), larger = Number::max(low, high);
      const auto up = Number::greater(high, low), counts = Number::greater(larger, least[d]);
      const Vec slopeHere = Number::max(larger, least[d]);
      sum += slopeHere * slopeHere;
      left -= Number::select(counts, zero, least[d] * least[d]);
      value[d] = Number::select(counts, Number::select(up, side[d][1].value, side[d][0].value), none);
      inverse[d] = Number::select(up, side[d][1].inverse, side[d][0].inverse);
      const Vec bound = Number::select(up, side[d][1].bound, side[d][0].bound);
      latest = Number::select(counts, Number::max(latest, bound), latest);
    }
    const Vec root = Number::max(solveSides<Number, Dimensions>(value, inverse, left), latest);
    const Vec next = Number::select(Number::greater(slowness, sum), v, root);
    if (!Number::any(Number::greater(v, next))) return v;
    v = Number::min(v, next);
  }
}

} // namespace isochrone::image
