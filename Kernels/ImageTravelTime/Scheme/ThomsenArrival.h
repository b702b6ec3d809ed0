// ThomsenArrival.h - arrivals of a seed at the points around it, for source factoring in a tilted
// transversely isotropic medium. Plain data, shared by sources compiled for different instruction sets and by
// tile kernels.
#pragma once

#include "ImageTravelTime/Scheme/TensorFactoring.h"

#include <cstdint>

namespace isochrone::image {

/// Time and slowness from a seed to a point.
struct ThomsenArrival {
  double time;
  float slowness[3]; ///< time per grid step
};

/// A seed as seen from a point in its ball.
struct ThomsenSeed {
  TensorSeed place;              ///< with the elliptic metric
  const ThomsenArrival* arrival; ///< at the point; a step (x, y, z) leads to that with <step, (x, y, z)> more
  std::int64_t step[3];
};

/// The box of points around a seed's ball whose arrivals are known, x fastest.
struct ThomsenBall {
  std::int64_t low[3];  ///< its first point
  std::int64_t step[3]; ///< from an arrival to the next one along each axis
  std::int64_t first;   ///< its first arrival

  TEAM_FN ThomsenSeed seenFrom(std::int64_t i, std::int64_t j, std::int64_t k, const TensorSeed& place,
                               const ThomsenArrival* arrivals) const {
    const std::int64_t at = first + (i - low[0]) * step[0] + (j - low[1]) * step[1] + (k - low[2]) * step[2];
    return {place, arrivals + at, {step[0], step[1], step[2]}};
  }
};

/// The change of the time T from x to x + e.
struct ThomsenChange {
  float later;     ///< T(x + e) - T(x)
  float remainder; ///< T(x + e) - T(x) - <grad T(x), e>
};
TEAM_FN ThomsenChange changeAlong(const ThomsenSeed& seed, float ex, float ey, float ez) {
  const ThomsenArrival& here = *seed.arrival;
  const std::int64_t step =
      std::int64_t(ex) * seed.step[0] + std::int64_t(ey) * seed.step[1] + std::int64_t(ez) * seed.step[2];
  const float slope = here.slowness[0] * ex + here.slowness[1] * ey + here.slowness[2] * ez;
  const float later = float(seed.arrival[step].time - here.time);
  return {later, later - slope};
}

/// Corrects the neighbours x + e (sign 1) or x - e (sign -1) by the remainder of T, for differences of u - T.
/// The plane through the seed and the line along e are those of the elliptic metric.
/// @param later, remainder  per neighbour, as in ThomsenChange
/// @param time              T(x)
template <int sign, class Number, class Vec = typename Number::Vec>
TEAM_FN TensorSide<Number> corrected(const SeedLine<Number>& line, Vec value, Vec later, Vec remainder,
                                     float time) {
  TensorSide<Number> side;
  side.value = value - remainder;
  const auto isLater = Number::greater(later, Number::broadcast(-0.001f * time));
  side.bound = Number::select(liesBeyond<sign>(line, isLater), side.value, value);
  return side;
}

} // namespace isochrone::image
