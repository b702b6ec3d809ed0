// OrthogonalUpdate.h - the update of a node of a rectilinear or spherical grid, plain and near a point seed.
// DESIGN.md has the equation, OrthogonalTerms.h the numbers of the axes.
//
// Number is the number type, as in GodunovUpdate.h. Node gives access to the terms of a node:
//
//   steps(axis), shape(axis), fromSeed(axis): AxisSteps<Number> etc. of the index of the node on an axis
//   seed(): OrthogonalSeed<Number>
//   roleOf(axis), axisOf(role): of a spherical grid
#pragma once

#include "ImageTravelTime/Scheme/OrthogonalTerms.h"
#include "ImageTravelTime/Scheme/SeedGeometry.h"
#include "ImageTravelTime/Scheme/SidedUpdate.h"

namespace isochrone::image {

/// The neighbours of a node: their values and 1 / length, below and above on each axis.
template <class Number, int Dimensions>
struct OrthogonalSides {
  typename Number::Vec value[Dimensions][2], inverse[Dimensions][2];
};

/// A node as seen from the seed of its tile.
template <class Number, int Dimensions>
struct SeenNode {
  using Vec = typename Number::Vec;
  Vec distance;
  Vec along[Dimensions]; ///< component of x - seed along each axis
  SeenNeighbour<Number> side[Dimensions][2];
  Vec least[Dimensions]; ///< lower limit of the derivative of T along the axis, see `setLeast`
};

/// @tparam curved  a spherical grid
template <class Number, int Dimensions, bool curved, class Node>
class OrthogonalUpdate {
public:
  using Vec = typename Number::Vec;

  TEAM_FN explicit OrthogonalUpdate(const Node& of) : node(of) {}

  /// Returns the update without source factoring.
  /// @param s          squared slowness
  /// @param neighbour  neighbour(axis, up): the value on the lower (0) or upper (1) side of an axis
  template <class Neighbour>
  TEAM_FN Vec plain(Vec s, Neighbour&& neighbour) const {
    const Sides sides = loadSides(neighbour);
    return open(s, sided<Number, Dimensions>(sides.value, sides.inverse, s));
  }

  /// Returns the update near the seed.
  template <class Neighbour>
  TEAM_FN Vec near(Vec s, Neighbour&& neighbour) const {
    const Sides sides = loadSides(neighbour);
    const OrthogonalSeed<Number> seed = node.seed();
    Seen seen;
    if constexpr (curved)
      seeCurved(seed, seen);
    else
      seeStraight(seen);
    const Vec zero = Number::broadcast(0);
    const auto inBall =
        Number::both(Number::greater(seed.ball, seen.distance), Number::greater(seen.distance, zero));
    setLeast(seed.slowness, inBall, s, seen);
    FactoredSide<Number> side[Dimensions][2];
    for (int d = 0; d < Dimensions; ++d)
      for (int up = 0; up < 2; ++up) {
        const Vec correction = Number::select(inBall, seed.slowness * seen.side[d][up].remainder, zero);
        side[d][up] = {sides.value[d][up] + correction, sides.value[d][up], sides.inverse[d][up]};
      }
    return open(s, factoredSides<Number, Dimensions>(side, seen.least, s));
  }

private:
  using Sides = OrthogonalSides<Number, Dimensions>;
  using Seen = SeenNode<Number, Dimensions>;
  const Node& node;

  /// Returns the component of an axis with a role. Components are chosen, not indexed: on a device they lie
  /// in registers.
  TEAM_FN static Vec ofRole(const Vec (&part)[3], int role) {
    return role == ofRadius ? part[ofRadius] : role == ofColatitude ? part[ofColatitude] : part[ofLongitude];
  }

  /// Returns 1 / length for a coordinate's difference of 1 along an axis; 0 where the axis has no length.
  TEAM_FN Vec inverseFactor(int axis) const {
    if (!curved || node.roleOf(axis) == ofRadius) return Number::broadcast(1);
    const Vec byRadius = node.steps(node.axisOf(ofRadius)).inverseFactor;
    if (node.roleOf(axis) == ofColatitude) return byRadius;
    return byRadius * node.steps(node.axisOf(ofColatitude)).inverseFactor;
  }

  template <class Neighbour>
  TEAM_FN Sides loadSides(Neighbour&& neighbour) const {
    const Vec zero = Number::broadcast(0), none = Number::broadcast(unreached), one = Number::broadcast(1);
    Sides sides;
    for (int d = 0; d < Dimensions; ++d) {
      const Vec factor = inverseFactor(d);
      const AxisSteps<Number> steps = node.steps(d);
      for (int up = 0; up < 2; ++up) {
        sides.value[d][up] = neighbour(d, up);
        sides.inverse[d][up] = steps.inverse[up];
        if constexpr (curved) {
          const auto exists = Number::greater(factor, zero);
          sides.value[d][up] = Number::select(exists, sides.value[d][up], none);
          sides.inverse[d][up] = Number::select(exists, sides.inverse[d][up] * factor, one);
        }
      }
    }
    return sides;
  }

  /// Returns an update, `unreached` in barriers, where the infinite slowness may give NaN.
  TEAM_FN static Vec open(Vec s, Vec updated) {
    const Vec none = Number::broadcast(unreached);
    return Number::select(Number::greater(none, s), updated, none);
  }

  /// Sees a node of a rectilinear grid.
  TEAM_FN void seeStraight(Seen& seen) const {
    Vec squared = Number::broadcast(0);
    for (int d = 0; d < Dimensions; ++d) {
      seen.along[d] = node.fromSeed(d).away;
      squared += seen.along[d] * seen.along[d];
    }
    seen.distance = Number::sqrt(squared);
    for (int d = 0; d < Dimensions; ++d) {
      Vec across = Number::broadcast(0);
      for (int other = 0; other < Dimensions; ++other)
        if (other != d) across += seen.along[other] * seen.along[other];
      const AxisShape<Number> shape = node.shape(d);
      for (int up = 0; up < 2; ++up)
        seen.side[d][up] =
            seenAlongLine<Number>(up ? -seen.along[d] : seen.along[d], across, seen.distance, shape.step[up]);
    }
  }

  /// Sees a node of a spherical grid.
  TEAM_FN void seeCurved(const OrthogonalSeed<Number>& seed, Seen& seen) const {
    const AxisShape<Number> theta = node.shape(node.axisOf(ofColatitude));
    const AxisFromSeed<Number> awayTheta = node.fromSeed(node.axisOf(ofColatitude)),
                               awayPhi = node.fromSeed(node.axisOf(ofLongitude));
    const Vec r = node.shape(node.axisOf(ofRadius)).value, sine = theta.value, cosine = theta.cosine;
    const Vec turned = seed.sine * awayPhi.versine; // moves the seed to the meridian of the node
    Vec part[3];
    part[ofRadius] =
        node.fromSeed(node.axisOf(ofRadius)).away + seed.radius * (awayTheta.versine + sine * turned);
    part[ofColatitude] = seed.radius * (awayTheta.away + cosine * turned);
    part[ofLongitude] = seed.radius * seed.sine * awayPhi.away;
    seen.distance = Number::sqrt(part[0] * part[0] + part[1] * part[1] + part[2] * part[2]);
    for (int d = 0; d < Dimensions; ++d) {
      const int role = node.roleOf(d);
      const AxisShape<Number> shape = node.shape(d);
      seen.along[d] = ofRole(part, role);
      for (int up = 0; up < 2; ++up) {
        const Vec along = up ? -seen.along[d] : seen.along[d];
        if (role == ofRadius) {
          const Vec across = part[ofColatitude] * part[ofColatitude] + part[ofLongitude] * part[ofLongitude];
          seen.side[d][up] = seenAlongLine<Number>(along, across, seen.distance, shape.step[up]);
          continue;
        }
        Arc<Number> arc;
        arc.angle = shape.step[up], arc.lack = shape.lack[up], arc.versine = shape.versine[up];
        if (role == ofColatitude) {
          arc.radius = r, arc.outward = part[ofRadius], arc.across = part[ofLongitude];
        } else {
          arc.radius = r * sine;
          arc.outward = sine * part[ofRadius] + cosine * part[ofColatitude];
          arc.across = cosine * part[ofRadius] - sine * part[ofColatitude];
        }
        arc.fromAxis = arc.radius - arc.outward;
        seen.side[d][up] = seenAlongArc<Number>(arc, along, seen.distance);
      }
    }
    // Where an axis has no length, the nodes of one place take the direction that is nearest to theirs.
    for (int d = 0; d < Dimensions; ++d) {
      const int role = node.roleOf(d);
      const Vec zero = Number::broadcast(0), size = Number::max(seen.along[d], -seen.along[d]);
      seen.least[d] = zero;
      if (role == ofRadius) continue;
      Vec ahead = Number::max(part[ofRadius], -part[ofRadius]), half = node.shape(d).halfStep;
      if (role == ofLongitude) {
        const auto offCentre = Number::greater(node.steps(node.axisOf(ofRadius)).inverseFactor, zero);
        ahead = Number::select(offCentre, Number::max(part[ofColatitude], -part[ofColatitude]), ahead);
        half = Number::select(offCentre, half, half * sine);
      }
      const auto near = Number::greater(ahead * half * 1.1f, size);
      const auto lengthless = Number::greater(Number::broadcast(1e-30f), inverseFactor(d));
      seen.least[d] = Number::select(Number::both(near, lengthless), size, zero);
    }
  }

  /// Sets the lower limits of the derivatives: where the straight line from the seed passes closest to the
  /// axis between a node and its neighbour, the neighbour is later than the node, and the derivative along
  /// the axis is that of T. The front cannot come from there, and without the limit the node would be too
  /// late.
  TEAM_FN void setLeast(Vec slowness, typename Number::Mask inBall, Vec s, Seen& seen) const {
    const Vec zero = Number::broadcast(0), scale = slowness / seen.distance;
    Vec squares = zero;
    for (int d = 0; d < Dimensions; ++d) {
      Vec least = zero;
      if constexpr (curved) least = seen.least[d];
      const Vec factor = inverseFactor(d);
      const AxisShape<Number> shape = node.shape(d);
      for (int up = 0; up < 2; ++up) {
        const Vec along = up ? -seen.along[d] : seen.along[d];
        const Vec h = shape.step[up] / factor; // infinite without a length
        auto passes = Number::both(Number::greater(along, zero), Number::greater(factor, zero));
        passes = Number::both(passes, Number::greater(h * h * 1e-3f, seen.side[d][up].nearer));
        least = Number::select(passes, along, least);
      }
      seen.least[d] = Number::select(inBall, least * scale, zero);
      squares += seen.least[d] * seen.least[d];
    }
    // Some of the slowness is left for a neighbour.
    const Vec most = s * 0.99f;
    const Vec shrink = Number::sqrt(most / squares);
    for (int d = 0; d < Dimensions; ++d)
      seen.least[d] = Number::select(Number::greater(squares, most), seen.least[d] * shrink, seen.least[d]);
  }
};

} // namespace isochrone::image
