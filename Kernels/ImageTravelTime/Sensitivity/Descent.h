// Descent.h - the derivatives of the update of a point in device memory, one lane per point.
//
// The host has the same in PointDependence. Few points need its decisions: those with a start value, those
// with a time from the bound of a side, and those without an earlier side. Their derivatives are found on the
// host (AdjointTask.h) and looked up here.
#pragma once

#include "Execution/Scalar.h"
#include "ImageTravelTime/Scheme/Limits.h"
#include "ImageTravelTime/Sensitivity/AdjointTask.h"
#include "ImageTravelTime/Sensitivity/PointShares.h"
#include "ImageTravelTime/Sensitivity/TileOrder.h"

#include <cstdint>
#include <limits>

namespace isochrone::image {

/// The derivatives of the time of a point, in world units.
struct Descent {
  int sides = 0; ///< as in Sides
  double share[3] = {};
  double perSlowness = 0, perSeedSlowness = 0, rounding = 0;
  bool isSpecial = false; ///< the host decides
};

/// A solved image.
struct DescentView {
  int size[3];
  int tilesAlong[3], tileShift[3]; ///< number of tiles, binary logarithm of their points, on each axis
  Spacing spacing;
  double earliest, unitLength, unitTime; ///< of the solver, in world units
  double constantSpeed;
  const float* speed; ///< null: constantSpeed
  bool isSlowness;
  const std::uint8_t* barriers; ///< null: none
  const float* u;               ///< travel times
  const int* ballOf;            ///< per tile, -1: none; null: no balls
  const BallSeed* balls;        ///< relative to the first point of the image
  const std::uint8_t* isSpecial;
  const SpecialPoint* special; ///< by point; not yet known: none
  int specials;

  /// Returns the time per world length at a point.
  TEAM_FN double slowness(int point) const {
    return slownessOf(speed ? double(speed[point]) : constantSpeed, isSlowness);
  }
  /// Returns dslowness/dspeed, or 1 if the problem has slownesses.
  TEAM_FN double perSpeed(int point) const {
    const double s = slowness(point);
    return isSlowness ? 1 : -s * s;
  }
  TEAM_FN bool isReached(int point) const { return u[point] <= std::numeric_limits<float>::max(); }
  TEAM_FN int neighbour(int point, Direction d) const {
    const int axis = d >> 1, stride = axis == 0 ? 1 : axis == 1 ? size[0] : size[0] * size[1];
    return d & 1 ? point + stride : point - stride;
  }

  /// Returns the derivatives of a reached point that is not a barrier.
  TEAM_FN Descent at(int point) const {
    if (specials > 0 && isSpecial[point]) return ofSpecial(point);
    const int row = point / size[0];
    const int at[3] = {point - row * size[0], row % size[1], row / size[1]};
    int ball = -1;
    if (ballOf)
      ball = ballOf[(at[0] >> tileShift[0]) +
                    tilesAlong[0] * ((at[1] >> tileShift[1]) + tilesAlong[1] * (at[2] >> tileShift[2]))];
    return ball < 0 ? evaluate<TileFactoring::Off>(point, at, BallSeed{})
                    : evaluate<TileFactoring::Additive>(point, at, balls[ball]);
  }

private:
  using Number = execution::ScalarOf<double>;

  TEAM_FN double time(int point) const {
    return isReached(point) ? (double(u[point]) - earliest) / unitTime // a power of two
                            : std::numeric_limits<double>::infinity();
  }

  template <TileFactoring kind>
  TEAM_FN Descent evaluate(int point, const int (&at)[3], const BallSeed& ball) const {
    const double s = slowness(point) * unitLength / unitTime, own = time(point);
    FromSeed<Number> fromBall;
    if constexpr (kind != TileFactoring::Off) {
      const double steps[3] = {ball.away[0] + at[0], ball.away[1] + at[1], ball.away[2] + at[2]};
      fromBall = fromSeed<Number>(ball, steps, s);
    }
    const PointShares<Number> p = pointShares<Number, kind>(own, s, fromBall, spacing, [&](int axis, int up) {
      const bool has = up ? at[axis] + 1 < size[axis] : at[axis] > 0;
      return has ? time(neighbour(point, 2 * axis + up)) : std::numeric_limits<double>::infinity();
    });
    Descent d;
    d.sides = int(p.sides);
    bool descends = false;
    for (Direction side = 0; side < directions; ++side)
      if (d.sides >> side & 1) descends = descends || u[neighbour(point, side)] < u[point];
    d.isSpecial = p.mayBeBound || !descends;
    for (int axis = 0; axis < 3; ++axis) d.share[axis] = p.share[axis];
    d.perSlowness = p.perSlowness * unitLength;
    if constexpr (kind != TileFactoring::Off) d.perSeedSlowness = p.remainder * ball.lengthPerRemainder;
    d.rounding = p.rounding * unitTime;
    return d;
  }

  TEAM_FN Descent ofSpecial(int point) const {
    int first = 0, last = specials - 1;
    while (first < last) {
      const int middle = first + (last - first) / 2;
      if (special[middle].point < point)
        first = middle + 1;
      else
        last = middle;
    }
    const SpecialPoint& s = special[first];
    return {s.sides, {s.share[0], s.share[1], s.share[2]}, s.perSlowness, s.perSeedSlowness, s.rounding,
            true};
  }
};

} // namespace isochrone::image
