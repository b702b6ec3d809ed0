// PlaceTiltedSlowness.h - the slowness along all edges of a tilted medium, on any device.
#pragma once

#include "Grid/ThomsenRay.h"
#include "RayTracing/Tiles/PointKernels.h"

#include <cstdint>

namespace isochrone::rays {

/// The medium of a point or cell, for kernels.
struct TiltedElement {
  ThomsenCurve<double> curve;
  double speed;   ///< along the axis, as a multiple of 1 / slowness
  double axis[3]; ///< unit vector
};

/// A direction of edges.
struct EdgeVector {
  double along[3]; ///< world units
  double length;
};

/// Computes the slowness of some points or cells along each direction, and the minimum of all directions,
/// with the bits of EdgeSlowness::compute. Both are +infinity where the element is blanked.
template <class Real>
struct PlaceTiltedSlowness {
  using Lanes = Box<256, 1, 1>;
  struct Shared {};
  PaddedImage image;
  std::int64_t elements[3];   ///< along each axis
  std::int64_t first;         ///< of the elements
  int count;                  ///< of elements
  const Real* given;          ///< slowness along the axis, per element of the image
  const TiltedElement* media; ///< of the elements from `first` on
  const EdgeVector* vectors;  ///< the directions
  int vectorCount;
  Real* minimum; ///< padded
  Real* along;   ///< padded, direction by direction

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int i = position * Lanes::size + c.index;
      if (i < count) place(media[i], first + i);
    });
  }

private:
  TEAM_FN void place(const TiltedElement& medium, std::int64_t element) const {
    const Real own = given[element];
    const std::int64_t row = element / elements[0],
                       to = image.index(element % elements[0], row % elements[1], row / elements[1]);
    Real least = unreached<Real>;
    for (int v = 0; v < vectorCount && own != unreached<Real>; ++v) {
      const double time = timeAlong(medium.curve, medium.axis, vectors[v].along) / medium.speed;
      const Real slowness = Real(double(own) * (time / vectors[v].length));
      along[v * image.size + to] = slowness;
      least = minOf(slowness, least);
    }
    minimum[to] = least;
  }
};

} // namespace isochrone::rays
