// TiltedUpwind.h - the tangent that gives a point of a tilted medium its value, from a travel time.
#pragma once

#include "ImageTravelTime/Scheme/ThomsenStencil.h"

#include <span>

namespace isochrone::image {

/// Returns the point a step away, or -1 outside the image.
inline std::int64_t neighbourAt(const Grid& g, std::int64_t from, const grid::Offset& step) {
  const GridIndex sizes = g.sizes();
  GridIndex at = g.indices(from);
  for (int a = 0; a < 3; ++a) {
    at[a] += step[a];
    if (at[a] < 0 || at[a] >= sizes[a]) return -1;
  }
  return g.index(at);
}

/// The extremum over all pieces of a point.
struct TiltedUpwind {
  double value;          ///< the update of the plain scheme
  TensorStencil stencil; ///< of the tangent that gives it
  bool seesAll;          ///< whether the point sees the stencils of all pieces
};

TiltedUpwind tiltedUpwind(const Problem& problem, std::span<const float> travelTime, std::int64_t point);

/// Returns D, in grid steps, as the sum of the terms of a stencil; an axis with one point is not coupled.
grid::Symmetric3 sumOfTerms(const Grid& grid, const TensorStencil& stencil);

/// Returns the earliest travel time of the points that it sees.
double earliestOfPieces(const Problem& problem, std::span<const float> travelTime, std::int64_t point);

} // namespace isochrone::image
