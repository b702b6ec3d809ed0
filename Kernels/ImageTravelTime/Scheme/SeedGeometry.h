// SeedGeometry.h - the time along straight lines from a point seed, and what its differences along the axes
// of an orthogonal grid leave over.
//
// With T = slowness * |x - seed|, the scheme takes differences of u - T. A neighbour n at the length h along
// an axis then has the value u(n) + T(x) - T(n) - h dT/ds, with the derivative at x from n to x. This
// remainder is of second order, so it is not computed as a difference of distances, which would lose its
// digits.
#pragma once

#include "Execution/Team.h"

namespace isochrone::image {

/// A neighbour as seen from the seed.
template <class Number>
struct SeenNeighbour {
  using Vec = typename Number::Vec;
  Vec remainder; ///< length: T(x) - T(n) - h dT/ds at unit slowness
  Vec nearer;    ///< squared distance of x minus that of n
};

/// Returns how a neighbour on a straight axis is seen.
/// @param along     x - seed, along the axis, positive if the neighbour lies on the side of the seed
/// @param across    squared distance of x from the line of the axis through the seed
/// @param distance  of x
template <class Number, class Vec = typename Number::Vec>
TEAM_FN SeenNeighbour<Number> seenAlongLine(Vec along, Vec across, Vec distance, Vec h) {
  const Vec moved = along - h, nearer = (along + along - h) * h;
  const Vec sum = distance + Number::sqrt(moved * moved + across);
  return {(along * h * nearer / sum - distance * h * h) / (distance * sum), nearer};
}

/// An arc from x to a neighbour.
template <class Number>
struct Arc {
  typename Number::Vec radius;   ///< of the circle
  typename Number::Vec angle;    ///< of the arc, radians
  typename Number::Vec lack;     ///< angle - sin(angle)
  typename Number::Vec versine;  ///< 1 - cos(angle)
  typename Number::Vec fromAxis; ///< component of the seed, from the centre of the circle, towards x
  typename Number::Vec outward;  ///< component of x - seed away from the centre
  typename Number::Vec across;   ///< component of x - seed across the plane of the circle
};

/// Returns how a neighbour on a circle is seen.
/// @param along  component of x - seed along the circle, positive if the neighbour lies on the side of the
/// seed
template <class Number, class Vec = typename Number::Vec>
TEAM_FN SeenNeighbour<Number> seenAlongArc(const Arc<Number>& arc, Vec along, Vec distance) {
  const Vec h = arc.radius * arc.angle, chord = h - arc.radius * arc.lack, sag = arc.radius * arc.versine;
  const Vec moved = along - chord, out = arc.outward - sag;
  const Vec sum = distance + Number::sqrt(moved * moved + out * out + arc.across * arc.across);
  const Vec bend = sag * arc.fromAxis, half = along * chord - bend, nearer = half + half;
  const Vec curved = distance * (bend + bend) + along * (distance + distance) * (arc.radius * arc.lack);
  return {(along * h * nearer / sum - curved) / (distance * sum), nearer};
}

} // namespace isochrone::image
