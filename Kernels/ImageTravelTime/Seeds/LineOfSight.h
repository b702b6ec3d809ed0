// LineOfSight.h - straight segments that avoid the barriers.
//
// A barrier is a set of closed cells (pixels, voxels) centred on grid points. A segment is clear if it
// touches none of them, so it can neither cross a barrier nor squeeze between two cells that share an edge or
// a corner.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <array>

namespace isochrone::image {

/// A position in grid steps from point (0, 0, 0).
using GridCoordinates = std::array<double, 3>;

inline GridCoordinates gridCoordinates(const GridIndex& point) {
  return {double(point[0]), double(point[1]), double(point[2])};
}

/// Returns whether the segment from a to b touches no barrier cell.
bool isClear(const Problem& problem, const GridCoordinates& a, const GridCoordinates& b);

} // namespace isochrone::image
