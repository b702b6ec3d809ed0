// FactoredUpdate.h - updates near a point seed, with the kink of the travel time removed from the
// differences.
//
// The scheme differences u - T, with T = |x - seed| * slowness at the seed (additive), or u / T, with T = |x
// - seed| (multiplicative), instead of u. In both cases a neighbour only has another value and another weight
// in the same quadratic equation. Number is the number type, as in GodunovUpdate.h.
#pragma once

#include "Execution/Team.h"
#include "ImageTravelTime/Scheme/TileData.h"

namespace isochrone::image {

/// The side of an axis that an update uses.
template <class Number>
struct Upstream {
  using Vec = typename Number::Vec;
  Vec value;  ///< value in the equation
  Vec time;   ///< travel time of the neighbour
  Vec bound;  ///< lower bound of a solution that uses this side
  Vec weight; ///< weight in the equation: 1 / h^2, if multiplicative times a factor
};

template <class Number>
TEAM_FN Upstream<Number> select(typename Number::Mask m, const Upstream<Number>& a,
                                const Upstream<Number>& b) {
  return {Number::select(m, a.value, b.value), Number::select(m, a.time, b.time),
          Number::select(m, a.bound, b.bound), Number::select(m, a.weight, b.weight)};
}

template <class Number>
TEAM_FN void order(Upstream<Number>& a, Upstream<Number>& b) {
  const auto swap = Number::greater(a.value, b.value);
  const Upstream<Number> low = select(swap, b, a);
  b = select(swap, a, b), a = low;
}

/// A point relative to the seed.
template <class Number>
struct FromSeed {
  using Vec = typename Number::Vec;
  Vec along[3]; ///< x - seed, in units of length; for the first node of a tile in grid steps
  Vec distance;
  Vec slowness; ///< time per unit of length at the seed
  Vec startValue;
  Vec radius; ///< radius of the ball around the seed in which the speed varies little
  Vec own;    ///< squared slowness at the point
  Vec reach;  ///< maximum of |along| in grid steps: below 1 at the corners of the seed's cell
};

/// Returns the distance of the neighbour on an axis from the seed. Avoids differences of squares, since the
/// neighbour may be the seed.
/// @param sign  +1 for the neighbour on the lower side
template <class Number, int Dimensions, class Vec = typename Number::Vec>
TEAM_FN Vec distanceOfNeighbour(const FromSeed<Number>& at, int axis, float sign, float step) {
  const Vec moved = at.along[axis] - sign * step;
  Vec squared = moved * moved;
  for (int other = 0; other < Dimensions; ++other)
    squared += other == axis ? Number::broadcast(0) : at.along[other] * at.along[other];
  return Number::sqrt(squared);
}

/// Returns the lower bound of a solution that uses a neighbour. A solution is not earlier than a neighbour
/// that it uses; otherwise two points could lower each other forever. An exception is the neighbour beyond
/// the plane through the seed, which is farther from the seed than the point itself, and later. If this is
/// safe (DESIGN.md), the bound is then the neighbour's value in the equation, but not less than half the time
/// of the straight line from the seed.
/// @param alongStep  step times the distance from the plane, positive if the neighbour lies towards it
template <class Number, class Vec = typename Number::Vec>
TEAM_FN Vec boundFor(const FromSeed<Number>& at, int axis, float step, Vec alongStep, Vec distance, Vec value,
                     Vec neighbour) {
  const Vec squared = at.distance * at.distance, along = at.along[axis] * at.along[axis];
  // Two points at the same distance use each other.
  auto beyond = Number::both(Number::greater(alongStep, Number::broadcast(0)),
                             Number::greater(distance, at.distance * 0.999f));
  beyond = Number::both(beyond, Number::greater(at.radius, distance));
  // Far: a step or more from the axis through the seed. Steady: a point without a start value that is not
  // faster along the axis than the front of the seed, and has enough of its value from other neighbours.
  const auto far = Number::greater(squared - along, Number::broadcast(0.999f * step * step));
  auto steady = Number::both(Number::greater(at.reach, Number::broadcast(0.999f)),
                             Number::greater(squared * 0.9f, along));
  steady =
      Number::both(steady, Number::greater(at.own * squared, at.slowness * at.slowness * along * 0.998f));
  const Vec earliest = Number::max(value, at.startValue + at.slowness * at.distance * 0.5f);
  const Vec bound = Number::select(far, earliest, Number::select(steady, earliest, neighbour));
  return Number::select(beyond, Number::min(bound, neighbour), neighbour);
}

/// Returns the side for differences of u - T. The neighbour is corrected by the remainder of T's Taylor
/// series, which is not positive.
/// @param sign  +1 for the neighbour on the lower side
template <class Number, int Dimensions, class Vec = typename Number::Vec>
TEAM_FN Upstream<Number> additive(const FromSeed<Number>& at, int axis, float sign, float step, float weight,
                                  Vec neighbour) {
  const Vec alongStep = at.along[axis] * (sign * step), zero = Number::broadcast(0);
  const Vec twice =
      alongStep + alongStep - step * step; // squared distance of the point minus the neighbour's
  const Vec distance = distanceOfNeighbour<Number, Dimensions>(at, axis, sign, step),
            sum = at.distance + distance;
  const Vec remainder =
      at.slowness * (alongStep * twice - at.distance * sum * (step * step)) / (at.distance * sum * sum);
  const Vec value = neighbour + Number::select(Number::greater(at.radius, at.distance), remainder, zero);
  return {value, neighbour, boundFor(at, axis, step, alongStep, distance, value, neighbour),
          Number::broadcast(weight)};
}

/// Returns the factor of (v - value) / h in differences of u / T, from d(T tau) = T dtau + tau dT. If it is
/// not positive, the neighbour lies on the far side of the seed.
/// @param sign  +1 for the neighbour on the lower side
template <class Number, class Vec = typename Number::Vec>
TEAM_FN Vec productFactor(const FromSeed<Number>& at, int axis, float sign, float step) {
  return at.along[axis] * (sign * step) / (at.distance * at.distance) + 1.f;
}

/// Returns the side for differences of u / T. A neighbour on the far side of the seed, from which no
/// information comes, is not used.
template <class Number, int Dimensions, class Vec = typename Number::Vec>
TEAM_FN Upstream<Number> multiplicative(const FromSeed<Number>& at, int axis, float sign, float step,
                                        float weight, Vec neighbour) {
  const Vec tiny = Number::broadcast(1e-6f), unused = Number::broadcast(unreached);
  const Vec alongStep = at.along[axis] * (sign * step), factor = productFactor(at, axis, sign, step);
  const Vec distance = distanceOfNeighbour<Number, Dimensions>(at, axis, sign, step);
  // At the seed itself u / T is the slowness there.
  const Vec ratio = Number::select(Number::greater(distance, tiny),
                                   (neighbour - at.startValue) / Number::max(distance, tiny), at.slowness);
  const auto counts = Number::both(Number::greater(factor, tiny), Number::greater(unused, neighbour));
  const Vec safe = Number::max(factor, tiny);
  const Vec value = Number::select(counts, ratio * at.distance / safe + at.startValue, unused),
            time = Number::select(counts, neighbour, unused);
  return {value, time, boundFor(at, axis, step, alongStep, distance, value, time), safe * safe * weight};
}

/// Returns the derivative of the value of such a side with respect to the time of its neighbour: 0 at the
/// seed itself, where u / T is the slowness.
template <class Number, int Dimensions, class Vec = typename Number::Vec>
TEAM_FN Vec multiplicativePerTime(const FromSeed<Number>& at, int axis, float sign, float step) {
  const Vec tiny = Number::broadcast(1e-6f), zero = Number::broadcast(0);
  const Vec factor = productFactor(at, axis, sign, step),
            distance = distanceOfNeighbour<Number, Dimensions>(at, axis, sign, step);
  const auto counts = Number::both(Number::greater(factor, tiny), Number::greater(distance, tiny));
  return Number::select(counts, at.distance / Number::max(distance * factor, tiny * tiny), zero);
}

/// A solution, and the latest bound of the sides that it uses.
template <class Number>
struct Solution {
  typename Number::Vec value, latest;
};

/// Solves sum of weight * max(0, v - value)^2 = slowness over the axes for v, without the bounds.
/// @param axis  sorted by value on return
template <class Number, int Dimensions, class Vec = typename Number::Vec>
TEAM_FN Solution<Number> solveFreely(Upstream<Number> (&axis)[Dimensions], Vec slowness) {
  order(axis[0], axis[1]);
  if constexpr (Dimensions == 3) order(axis[1], axis[2]), order(axis[0], axis[1]);
  const Vec zero = Number::broadcast(0), base = axis[0].value;
  // Sums of weights and of weights * d, and the term subtracted under the root.
  Vec sum = axis[0].weight, moment = zero, below = zero;
  Solution<Number> best{base + Number::sqrt(slowness / sum), axis[0].bound};
  auto counts = Number::greater(Number::broadcast(unreached), base);
  for (int n = 1; n < Dimensions; ++n) {
    Vec pressure = zero; // left-hand side at the value of the next axis
    for (int m = 0; m < n; ++m) {
      const Vec d = axis[n].value - axis[m].value;
      pressure += axis[m].weight * d * d;
    }
    counts = Number::both(counts, Number::greater(slowness, pressure));
    const Vec d = Number::select(counts, axis[n].value - base, zero),
              w = Number::select(counts, axis[n].weight, zero);
    below += w * Number::select(counts, pressure, zero);
    sum += w, moment += w * d;
    const Vec root = base + (moment + Number::sqrt(Number::max(sum * slowness - below, zero))) / sum;
    best.value = Number::select(counts, root, best.value);
    best.latest = Number::select(counts, Number::max(best.latest, axis[n].bound), best.latest);
  }
  return best;
}

/// Returns the minimum solution that is not below a bound of the sides that it uses. A side applies from its
/// bound on. The solution therefore either uses all sides whose bounds are not later than some bound, or
/// equals that bound. It never rises where a neighbour falls.
/// @param sides  the lower and the upper side on each axis
/// @param axis   the better of them, whatever its bound
template <class Number, int Dimensions, class Vec = typename Number::Vec>
TEAM_FN Vec solve(const Upstream<Number> (&sides)[Dimensions][2], const Upstream<Number> (&axis)[Dimensions],
                  Vec slowness) {
  Upstream<Number> chosen[Dimensions];
  for (int a = 0; a < Dimensions; ++a) chosen[a] = axis[a];
  const Solution<Number> free = solveFreely(chosen, slowness);
  const auto late = Number::greater(free.latest, free.value);
  if (!Number::any(late)) return free.value;
  Vec best = Number::broadcast(unreached);
  execution::unroll<2 * Dimensions>([&](auto n) {
    const Vec bound = sides[n / 2][n % 2].bound;
    for (int a = 0; a < Dimensions; ++a) {
      Upstream<Number> side[2] = {sides[a][0], sides[a][1]};
      for (Upstream<Number>& each : side)
        each.value =
            Number::select(Number::greater(each.bound, bound), Number::broadcast(unreached), each.value);
      chosen[a] = select(Number::greater(side[0].value, side[1].value), side[1], side[0]);
    }
    best = Number::min(best, Number::max(solveFreely(chosen, slowness).value, bound));
  });
  return Number::select(late, best, free.value);
}

/// Returns the update of node (i, j, k) of a tile.
/// @param seed       along: for the first node of the tile, in grid steps; distance, own and reach: not read
/// @param step       h on each axis; weight: 1 / h^2
/// @param slowness   squared
/// @param neighbour  neighbour(axis, side): the value on the lower (-1) or upper (+1) side of an axis
template <class Number, int Dimensions, TileFactoring kind, class Neighbour, class Vec = typename Number::Vec>
TEAM_FN Vec factored(const FromSeed<Number>& seed, const int (&node)[3], const float* step,
                     const float* weight, Vec slowness, Neighbour&& neighbour) {
  FromSeed<Number> at = seed;
  at.own = slowness;
  Vec squared = Number::broadcast(0);
  at.reach = Number::broadcast(0);
  for (int axis = 0; axis < Dimensions; ++axis) {
    const Vec steps = at.along[axis] + float(node[axis]);
    at.reach = Number::max(at.reach, Number::max(steps, Number::broadcast(0) - steps));
    at.along[axis] = steps * step[axis];
    squared += at.along[axis] * at.along[axis];
  }
  at.distance = Number::max(Number::sqrt(squared), Number::broadcast(1e-6f));
  Upstream<Number> sides[Dimensions][2], axes[Dimensions];
  for (int axis = 0; axis < Dimensions; ++axis) {
    const auto side = [&](int sign) {
      const Vec u = neighbour(axis, -sign);
      return kind == TileFactoring::Additive
                 ? additive<Number, Dimensions>(at, axis, float(sign), step[axis], weight[axis], u)
                 : multiplicative<Number, Dimensions>(at, axis, float(sign), step[axis], weight[axis], u);
    };
    sides[axis][0] = side(1), sides[axis][1] = side(-1);
    const Upstream<Number>&low = sides[axis][0], &high = sides[axis][1];
    // Multiplicative factoring compares the travel times: its values in the equation also differ by the
    // factor.
    constexpr bool byTime = kind == TileFactoring::Multiplicative;
    axes[axis] =
        select(Number::greater(byTime ? low.time : low.value, byTime ? high.time : high.value), high, low);
    if constexpr (byTime) sides[axis][0] = sides[axis][1] = axes[axis];
  }
  return solve(sides, axes, slowness);
}

} // namespace isochrone::image
