// OrthogonalTerms.h - the numbers that the update of a node of a rectilinear or spherical grid reads. Each
// belongs to one index of one axis, so no node needs numbers of its own. Plain data, shared by sources
// compiled for different instruction sets. Lengths are in the solver's unit, angles in radians.
//
// Number is the number type: vectors of an instruction set, with a tile per lane, or single floats.
#pragma once

namespace isochrone::image {

/// The axes of a spherical grid.
enum OrthogonalRole : int { ofRadius, ofColatitude, ofLongitude };

/// The numbers of every update.
template <class Number>
struct AxisSteps {
  typename Number::Vec inverse[2];    ///< 1 / difference of the coordinates, below and above
  typename Number::Vec inverseFactor; ///< spherical: 1 / radius, 1 / sin(colatitude); 0 at centre and poles
};

/// The numbers of updates near a seed. Below and above the grid, steps are those on the other side.
template <class Number>
struct AxisShape {
  typename Number::Vec step[2];             ///< difference of the coordinates
  typename Number::Vec value, cosine;       ///< spherical: the radius; sine and cosine of the colatitude
  typename Number::Vec lack[2], versine[2]; ///< a - sin(a) and 1 - cos(a) of the steps of an angle
  typename Number::Vec halfStep;            ///< tangent of half the larger step of an angle
};

/// The place of an index relative to a seed.
template <class Number>
struct AxisFromSeed {
  typename Number::Vec away; ///< coordinate minus that of the seed; of an angle the sine of this difference
  typename Number::Vec versine; ///< 1 - cos(difference) of an angle
};

/// A seed near a tile.
template <class Number>
struct OrthogonalSeed {
  typename Number::Vec slowness;     ///< time per length at the seed
  typename Number::Vec ball;         ///< radius of the ball in which the speed varies little; 0: no seed
  typename Number::Vec radius, sine; ///< spherical: its radius, and the sine of its colatitude
};

} // namespace isochrone::image
