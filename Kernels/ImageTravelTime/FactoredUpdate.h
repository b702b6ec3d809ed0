// FactoredUpdate.h - the upwind update next to a point seed, where the travel time has a kink (spec A.7).
//
// With T(x) = |x - seed| * slowness at the seed, the differences of the scheme are taken of what is smooth:
// of u - T (additive) or of u / T (multiplicative). Either way a neighbour only gets another value and
// another weight in the same quadratic equation.
#pragma once

#include "Execution/Simd.h"
#include "ImageTravelTime/TileSweep.h"

namespace isochrone::image::ISOCHRONE_ISA {

namespace simd = isochrone::execution::ISOCHRONE_ISA;
using simd::Mask;
using simd::Vec;

/// The side of an axis that an update takes.
struct Upwind {
  Vec value;  ///< as the equation takes it
  Vec time;   ///< the travel time there
  Vec least;  ///< a solution that uses this side is not below it
  Vec weight; ///< 1 / h^2, or as the equation takes it
};

inline Upwind select(Mask m, const Upwind& a, const Upwind& b) {
  return {simd::select(m, a.value, b.value), simd::select(m, a.time, b.time),
          simd::select(m, a.least, b.least), simd::select(m, a.weight, b.weight)};
}

/// Of the two sides of an axis. Multiplicative factoring compares the travel times: their values differ by
/// more than the way that the front takes.
template <bool byTime>
inline Upwind lesser(const Upwind& a, const Upwind& b) {
  return select(simd::greater(byTime ? a.time : a.value, byTime ? b.time : b.value), b, a);
}

inline void order(Upwind& a, Upwind& b) {
  const Mask swap = simd::greater(a.value, b.value);
  const Upwind low = select(swap, b, a);
  b = select(swap, a, b), a = low;
}

/// A point seen from the seed.
struct FromSeed {
  Vec along[3]; ///< x - seed, in steps
  Vec distance;
  Vec slowness; ///< time per step at the seed
  Vec startValue;
  Vec radius; ///< of the ball around the seed in which the speed varies little
};

/// A solution is not earlier than a neighbour that it uses, or two points could lower each other for ever.
/// But the neighbour beyond the plane through the seed is farther from it than the point itself, and later:
/// it is used as it is where that is safe, a step or more away from the axis through the seed (DESIGN.md).
/// @param way  step times the distance from the plane, positive if the neighbour lies towards it
inline Vec leastFor(const FromSeed& at, int axis, float step, Vec way, Vec distance, Vec value,
                    Vec neighbour) {
  const Vec fromAxis = at.distance * at.distance - at.along[axis] * at.along[axis];
  // Of two points at the same distance each uses the other.
  Mask beyond = simd::both(simd::greater(way, Vec{}), simd::greater(distance, at.distance * 0.999f));
  beyond = simd::both(beyond, simd::greater(at.radius, distance));
  beyond = simd::both(beyond, simd::greater(fromAxis, simd::broadcast(0.999f * step * step)));
  return simd::select(beyond, value, neighbour);
}

/// u - T: the neighbour gets the remainder of Taylor's series of T, which is not positive.
/// @param sign  +1 for the neighbour on the lower side
inline Upwind additive(const FromSeed& at, int axis, float sign, float step, float weight, Vec neighbour) {
  const Vec way = at.along[axis] * (sign * step),
            squared = at.distance * at.distance - way - way + step * step;
  const Vec distance = simd::sqrt(simd::max(squared, Vec{})), sum = at.distance + distance;
  const Vec less = (way + way - step * step) / sum; // distance of the point less that of the neighbour
  const Vec remainder = at.slowness * (way * less - at.distance * (step * step)) / (at.distance * sum);
  const Vec value = neighbour + simd::select(simd::greater(at.radius, at.distance), remainder, Vec{});
  return {value, neighbour, leastFor(at, axis, step, way, distance, value, neighbour),
          simd::broadcast(weight)};
}

/// u / T. A neighbour on the far side of the seed from which no information comes gets no weight.
inline Upwind multiplicative(const FromSeed& at, int axis, float sign, float step, float weight,
                             Vec neighbour) {
  const Vec tiny = simd::broadcast(1e-6f), none = simd::broadcast(unreached);
  const Vec squared = at.distance * at.distance, way = at.along[axis] * (sign * step);
  const Vec factor = way / squared + 1.f; // d(T tau) = T dtau + tau dT
  const Vec distance = simd::sqrt(simd::max(squared - way - way + step * step, Vec{}));
  // At the seed itself u / T is the slowness there.
  const Vec ratio = simd::select(simd::greater(distance, tiny),
                                 (neighbour - at.startValue) / simd::max(distance, tiny), at.slowness);
  const Mask counts = simd::both(simd::greater(factor, tiny), simd::greater(none, neighbour));
  const Vec safe = simd::max(factor, tiny);
  const Vec value = simd::select(counts, ratio * at.distance / safe + at.startValue, none),
            time = simd::select(counts, neighbour, none);
  return {value, time, leastFor(at, axis, step, way, distance, value, time), safe * safe * weight};
}

/// Least solution over the first one, two or three axes in the order of their values, never below a travel
/// time that it uses.
template <int Dimensions>
inline Vec solve(Upwind (&axis)[Dimensions], Vec slowness) {
  order(axis[0], axis[1]);
  if constexpr (Dimensions == 3) order(axis[1], axis[2]), order(axis[0], axis[1]);
  const Vec base = axis[0].value;
  Vec sum = axis[0].weight, moment = Vec{},
      below = Vec{}; // of weights, of weights * d, and what leaves the square root
  Vec latest = axis[0].least, best = simd::max(base + simd::sqrt(slowness / sum), latest);
  Mask counts = simd::greater(simd::broadcast(unreached), base);
  for (int n = 1; n < Dimensions; ++n) {
    Vec pressure = Vec{}; // f at the value of the next axis
    for (int m = 0; m < n; ++m) {
      const Vec d = axis[n].value - axis[m].value;
      pressure += axis[m].weight * d * d;
    }
    counts = simd::both(counts, simd::greater(slowness, pressure));
    const Vec d = simd::select(counts, axis[n].value - base, Vec{}),
              w = simd::select(counts, axis[n].weight, Vec{});
    below += w * simd::select(counts, pressure, Vec{});
    sum += w, moment += w * d;
    latest = simd::select(counts, simd::max(latest, axis[n].least), latest);
    const Vec root = base + (moment + simd::sqrt(simd::max(sum * slowness - below, Vec{}))) / sum;
    best = simd::select(counts, simd::min(best, simd::max(root, latest)), best);
  }
  return best;
}

} // namespace isochrone::image::ISOCHRONE_ISA
