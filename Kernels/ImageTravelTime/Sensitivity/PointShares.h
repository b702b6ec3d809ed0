// PointShares.h - the derivatives of the update of a point, where neither a start value nor the bound of a
// side gives the time. Number is the number type, as in GodunovUpdate.h: vectors of the host, or the doubles
// of a Team.
#pragma once

#include "ImageTravelTime/Scheme/FactoredUpdate.h"
#include "ImageTravelTime/Sensitivity/UpdateShares.h"

namespace isochrone::image {

/// The seed from which points are factored, in the solver's units.
struct BallSeed {
  double away[3];     ///< first point (of a tile or of the image) minus the seed, in grid steps
  double unitStep[3]; ///< grid step, as the solver rounds it
  double slowness, startValue, radius;
  double lengthPerRemainder; ///< world length per remainder of a value: the slowness at the seed divides it
};

/// Returns a point relative to the seed of a ball.
/// @param steps  point minus seed, in grid steps
template <class Number, class Vec = typename Number::Vec>
TEAM_FN FromSeed<Number> fromSeed(const BallSeed& seed, const Vec (&steps)[3], Vec slowness) {
  FromSeed<Number> at;
  const Vec zero = Number::broadcast(0);
  at.reach = zero;
  Vec squared = zero;
  for (int a = 0; a < 3; ++a) {
    at.reach = Number::max(at.reach, Number::max(steps[a], zero - steps[a]));
    at.along[a] = steps[a] * seed.unitStep[a];
    squared += at.along[a] * at.along[a];
  }
  at.distance = Number::max(Number::sqrt(squared), Number::broadcast(1e-6));
  at.slowness = Number::broadcast(seed.slowness);
  at.startValue = Number::broadcast(seed.startValue);
  at.radius = Number::broadcast(seed.radius);
  at.own = slowness * slowness;
  return at;
}

/// A side of a factored update, and the derivatives of its value in the equation, which is
///     perTime * time + (1 - perTime) * start value of the seed + remainder
/// with a remainder that is proportional to the slowness at the seed.
template <class Number>
struct DifferentiatedSide : Upstream<Number> {
  typename Number::Vec perTime, remainder;
};

/// @param weight  1 / h^2
/// @param time    of the neighbour; +infinity: none, so that the side never counts
template <class Number, TileFactoring kind, class Vec = typename Number::Vec>
TEAM_FN DifferentiatedSide<Number> differentiatedSide(const FromSeed<Number>& at, int axis, int up,
                                                      float step, float weight, Vec time) {
  const float sign = up ? -1.f : 1.f;
  DifferentiatedSide<Number> side;
  if constexpr (kind == TileFactoring::Multiplicative) {
    static_cast<Upstream<Number>&>(side) = multiplicative<Number, 3>(at, axis, sign, step, weight, time);
    const Vec zero = Number::broadcast(0), none = Number::broadcast(__builtin_inf());
    const auto counts = Number::less(side.time, Number::broadcast(unreached));
    side.value = Number::select(counts, side.value, none);
    side.time = Number::select(counts, side.time, none);
    side.bound = Number::select(counts, side.bound, none);
    side.perTime = multiplicativePerTime<Number, 3>(at, axis, sign, step);
    side.remainder = Number::select(Number::equal(side.perTime, zero), side.value - at.startValue, zero);
  } else {
    static_cast<Upstream<Number>&>(side) = additive<Number, 3>(at, axis, sign, step, weight, time);
    side.perTime = Number::broadcast(1);
    side.remainder = side.value - time;
  }
  return side;
}

/// Maximum departure of a time from its equation by rounding, as a share of both times and the earliest
/// start. With multiplicative factoring others may occur (DESIGN.md).
inline constexpr double roundingOfTimes = 1e-6;

template <class Number>
struct PointShares {
  using Vec = typename Number::Vec;
  using Mask = typename Number::Mask;
  Vec sides;    ///< that are used: a whole number, bits as in Sides
  Vec share[3]; ///< of each side that is used on an axis
  Vec perSlowness;
  Vec remainder;   ///< sum of the remainders of the sides in their shares of the equation; only if factored
  Vec rounding;    ///< time that the equation gives the point minus its rounded time
  Mask mayBeBound; ///< the bound of a side may give the time (DependenceScheme::applyBounds)
};

/// Returns whether the bound of a side comes before the time of the point.
template <class Number>
TEAM_FN typename Number::Mask countsBefore(const Upstream<Number>& side, typename Number::Vec own) {
  const auto beyond = Number::less(side.bound, side.time);
  return Number::either(Number::without(beyond, Number::greater(side.bound, own)),
                        Number::without(Number::less(side.time, own), beyond));
}

/// Returns whether the bound of a side may give the time: one that counts and is later than the solution, or
/// one that does not count and is earlier.
template <class Number>
TEAM_FN typename Number::Mask boundMayApply(const Upstream<Number>& side, typename Number::Vec own,
                                            typename Number::Vec solution) {
  const auto counted = countsBefore(side, own);
  const auto later = Number::both(Number::less(side.bound, side.time), Number::greater(side.bound, solution));
  const auto earlier = Number::less(side.bound, solution);
  return Number::both(Number::less(side.value, side.bound),
                      Number::either(Number::both(counted, later), Number::without(earlier, counted)));
}

/// Marks the side of an axis that a multiplicative update takes: the earlier one, or both if they are alike.
template <class Number>
TEAM_FN void chooseByTime(const Upstream<Number>& low, const Upstream<Number>& high,
                          typename Number::Mask (&chosen)[2]) {
  const auto isHighFirst = Number::greater(low.time, high.time);
  const auto areAlike =
      Number::both(Number::equal(low.time, high.time), Number::equal(low.value, high.value));
  chosen[0] = Number::without(chosen[0], isHighFirst);
  chosen[1] = Number::both(chosen[1], Number::either(isHighFirst, areAlike));
}

/// The sides of a point on an axis, the lower and the upper one.
template <class Number>
struct SidesOfAxis {
  using Vec = typename Number::Vec;
  DifferentiatedSide<Number> side[2]; ///< only the times without factoring
  typename Number::Mask chosen[2];    ///< the update looks at it
  Vec counted[2];                     ///< value, if it counts by what the rounded times say; else +infinity
  Vec value, weight;                  ///< of the axis in the equation
};

template <class Number, TileFactoring kind, class Vec = typename Number::Vec, class TimeAt>
TEAM_FN SidesOfAxis<Number> sidesOfAxis(Vec own, const FromSeed<Number>& at, const Spacing& spacing, int axis,
                                        TimeAt&& timeAt) {
  const Vec none = Number::broadcast(__builtin_inf());
  SidesOfAxis<Number> sides;
  sides.weight = Number::broadcast(spacing.weight[axis]);
  for (int up = 0; up < 2; ++up) {
    const Vec there = timeAt(axis, up);
    sides.chosen[up] = Number::less(Number::broadcast(0), Number::broadcast(1));
    if constexpr (kind == TileFactoring::Off) {
      sides.counted[up] = Number::select(Number::less(there, own), there, none);
    } else {
      sides.side[up] =
          differentiatedSide<Number, kind>(at, axis, up, spacing.step[axis], spacing.weight[axis], there);
      sides.counted[up] = Number::select(countsBefore(sides.side[up], own), sides.side[up].value, none);
    }
  }
  if constexpr (kind == TileFactoring::Multiplicative) {
    chooseByTime<Number>(sides.side[0], sides.side[1], sides.chosen);
    for (int up = 0; up < 2; ++up)
      sides.counted[up] = Number::select(sides.chosen[up], sides.counted[up], none);
    sides.weight = Number::select(sides.chosen[0], sides.side[0].weight, sides.side[1].weight);
  }
  sides.value = Number::min(sides.counted[0], sides.counted[1]);
  return sides;
}

/// @tparam kind     Off: `at` is not read. Additive: the point may lie in its ball
/// @param own       time of the point
/// @param slowness  of the point; NaN: no side is used
/// @param timeAt    timeAt(axis, up) is the time of a neighbour; +infinity: none
template <class Number, TileFactoring kind, class Vec = typename Number::Vec, class TimeAt>
TEAM_FN PointShares<Number> pointShares(Vec own, Vec slowness, const FromSeed<Number>& at,
                                        const Spacing& spacing, TimeAt&& timeAt) {
  constexpr bool isFactored = kind != TileFactoring::Off;
  const Vec zero = Number::broadcast(0);
  // 1. The solution.
  SidesOfAxis<Number> from[3];
  Vec value[3], weight[3];
  for (int axis = 0; axis < 3; ++axis) {
    from[axis] = sidesOfAxis<Number, kind>(own, at, spacing, axis, timeAt);
    value[axis] = from[axis].value, weight[axis] = from[axis].weight;
  }
  const UpdateShares<Number> update = updateShares<Number>(value, slowness, weight);

  // 2. The shares. Of two sides with one value, each has half.
  PointShares<Number> result;
  result.sides = result.remainder = zero;
  auto any = Number::less(zero, zero);
  for (int axis = 0; axis < 3; ++axis) {
    const DifferentiatedSide<Number>(&side)[2] = from[axis].side;
    const auto low = Number::both(update.used[axis], Number::equal(from[axis].counted[0], value[axis])),
               high = Number::both(update.used[axis], Number::equal(from[axis].counted[1], value[axis]));
    result.sides += Number::select(low, Number::broadcast(1 << 2 * axis), zero) +
                    Number::select(high, Number::broadcast(2 << 2 * axis), zero);
    any = Number::either(any, update.used[axis]);
    result.share[axis] = update.share[axis] * Number::select(Number::both(low, high), Number::broadcast(0.5),
                                                             Number::broadcast(1));
    if constexpr (isFactored)
      result.remainder += result.share[axis] * (Number::select(low, side[0].remainder, zero) +
                                                Number::select(high, side[1].remainder, zero));
    if constexpr (kind == TileFactoring::Multiplicative)
      result.share[axis] = result.share[axis] * Number::select(low, side[0].perTime, side[1].perTime);
  }
  result.perSlowness = slowness * update.inverseSlope;
  result.rounding = Number::select(any, update.update - own, zero);
  result.mayBeBound = Number::less(zero, zero);
  if constexpr (isFactored)
    for (int axis = 0; axis < 3; ++axis)
      for (int up = 0; up < 2; ++up) {
        const auto may = boundMayApply<Number>(from[axis].side[up], own, update.update);
        result.mayBeBound = Number::either(result.mayBeBound, Number::both(from[axis].chosen[up], may));
      }
  return result;
}

} // namespace isochrone::image
