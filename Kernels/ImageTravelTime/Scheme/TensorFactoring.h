// TensorFactoring.h - source factoring with tensors: the sides of the scheme's pairs for differences of u -
// T, with T the time of the straight line from the seed in the metric of the seed.
//
// Number is the number type: the pairs of a point in the lanes of a vector, or one pair.
#pragma once

#include "Execution/Team.h"

namespace isochrone::image {

/// A point seed relative to another point.
template <class Real>
struct TensorSeedOf {
  Real away[3];   ///< point - seed, in grid steps
  Real metric[6]; ///< at the seed, time^2 per product of steps: xx yy zz xy yz xz
  Real length[3]; ///< length of a grid step
  Real radius;    ///< radius of the ball around the seed in which the tensors vary little
};
using TensorSeed = TensorSeedOf<float>;

/// A point seed and the ball around it in which the tensors vary little.
struct TensorBall {
  double at[3];                       ///< in grid steps
  float metric[6], length[3], radius; ///< as in TensorSeed

  TEAM_FN TensorSeed seenFrom(int i, int j, int k) const {
    return {{float(i - at[0]), float(j - at[1]), float(k - at[2])},
            {metric[0], metric[1], metric[2], metric[3], metric[4], metric[5]},
            {length[0], length[1], length[2]},
            radius};
  }
};

/// One side of a pair in the equation.
template <class Number>
struct TensorSide {
  typename Number::Vec value; ///< the neighbour's value, corrected by the remainder of T's Taylor series
  typename Number::Vec bound; ///< minimum solution that may use the side
};

/// T of the point x and of its neighbours x + e and x - e. See "Seeds and source factoring" in DESIGN.md.
template <class Number>
struct SeedLine {
  using Vec = typename Number::Vec;
  Vec time;                 ///< T(x)
  Vec timeUp, timeDown;     ///< T of the neighbours
  Vec slope;                ///< <x - seed, M e>: T(x) times the derivative of T along e
  Vec offset;               ///< <e, M e>, the square of T along e
  Vec lengthUp, lengthDown; ///< squared world lengths from the seed to the neighbours
  Vec radius;               ///< squared radius of the factoring ball
  bool applies;             ///< whether the point is in the factoring ball, and not the seed itself

  /// @param ex, ey, ez  components of e, in grid steps
  template <class Real>
  TEAM_FN SeedLine(Vec ex, Vec ey, Vec ez, const TensorSeedOf<Real>& seed) {
    const Real x = seed.away[0], y = seed.away[1], z = seed.away[2];
    const Real* g = seed.metric;
    const Real gx = g[0] * x + g[3] * y + g[5] * z, gy = g[3] * x + g[1] * y + g[4] * z,
               gz = g[5] * x + g[4] * y + g[2] * z;
    const Real squaredTime = gx * x + gy * y + gz * z;
    const auto product = [&](auto dx, auto dy, auto dz) {
      return dx * (g[0] * dx + 2 * g[3] * dy) + dy * (g[1] * dy + 2 * g[4] * dz) +
             dz * (g[2] * dz + 2 * g[5] * dx);
    };
    const auto squaredLength = [&](auto dx, auto dy, auto dz) {
      dx = dx * seed.length[0], dy = dy * seed.length[1], dz = dz * seed.length[2];
      return dx * dx + dy * dy + dz * dz;
    };
    time = Number::sqrt(Number::broadcast(squaredTime));
    slope = gx * ex + gy * ey + gz * ez;
    offset = product(ex, ey, ez);
    // Not T(x)^2 +- 2 slope + offset: the sum would lose all digits where the neighbour is the seed.
    const Vec zero = Number::broadcast(0);
    timeUp = Number::sqrt(Number::max(product(x + ex, y + ey, z + ez), zero));
    timeDown = Number::sqrt(Number::max(product(x - ex, y - ey, z - ez), zero));
    lengthUp = squaredLength(x + ex, y + ey, z + ez);
    lengthDown = squaredLength(x - ex, y - ey, z - ez);
    const Real squaredRadius = seed.radius * seed.radius;
    radius = Number::broadcast(squaredRadius);
    applies = squaredLength(x, y, z) < squaredRadius && squaredTime > 0;
  }
};

/// Returns whether the neighbour x + e (sign 1) or x - e (sign -1) is used although it is later than the
/// point: beyond the plane through the seed, inside the ball, an offset or more from the line through the
/// seed along e.
/// @param isLater  whether T of the neighbour is later, up to rounding
template <int sign, class Number>
TEAM_FN typename Number::Mask liesBeyond(const SeedLine<Number>& line, typename Number::Mask isLater) {
  using Vec = typename Number::Vec;
  const Vec towards = -float(sign) * line.slope; // positive if the neighbour lies towards the seed
  const Vec fromAxis = line.time * line.time * line.offset - towards * towards;
  const Vec length = sign > 0 ? line.lengthUp : line.lengthDown;
  const auto inBall =
      Number::both(Number::greater(towards, Number::broadcast(0)), Number::greater(line.radius, length));
  return Number::both(Number::both(inBall, isLater),
                      Number::greater(fromAxis, 0.999f * line.offset * line.offset));
}

/// Corrects the neighbours x + e (sign 1) or x - e (sign -1), for differences of u - T.
template <int sign, class Number, class Vec = typename Number::Vec>
TEAM_FN TensorSide<Number> corrected(const SeedLine<Number>& line, Vec value) {
  const Vec towards = -float(sign) * line.slope; // positive if the neighbour lies towards the seed
  const Vec time = sign > 0 ? line.timeUp : line.timeDown, sum = line.time + time;
  const Vec decrease = (2.f * towards - line.offset) / sum; // T(x) - T(neighbour), without cancellation
  TensorSide<Number> side;
  side.value = value + (towards * decrease - line.time * line.offset) / (line.time * sum);
  const auto isLater = Number::greater(time, line.time * 0.999f);
  side.bound = Number::select(liesBeyond<sign>(line, isLater), side.value, value);
  return side;
}

} // namespace isochrone::image
