// StateLayout.h - where states lie in the arrays of the tile kernels, on host and device.
#pragma once

#include "Execution/Team.h"

#include <cstdint>

namespace isochrone::curvature {

/// Planes of rows with a border of points that stay +infinity, so wide that no step from a state leaves its
/// plane: neighbours are read without a look at where the grid ends.
struct StateLayout {
  int border = 0;
  int row = 0;            ///< points, borders included
  std::int64_t plane = 0; ///< the same
  int headings = 0;

  StateLayout() = default;
  StateLayout(std::int64_t nx, std::int64_t ny, int headingCount, int borderPoints)
      : border(borderPoints), row(int(nx) + 2 * borderPoints), plane(row * (ny + 2 * borderPoints)),
        headings(headingCount) {}

  std::int64_t size() const { return plane * headings; }
  TEAM_FN std::int64_t at(int x, int y, int heading) const {
    return heading * plane + std::int64_t(y + border) * row + (x + border);
  }
  TEAM_FN int wrapped(int heading) const {
    return heading < 0 ? heading + headings : heading >= headings ? heading - headings : heading;
  }
  /// From a state with this heading to one that is (x, y) away and has heading `to`.
  TEAM_FN std::int64_t step(int x, int y, int heading, int to) const {
    return (to - heading) * plane + std::int64_t(y) * row + x;
  }
};

} // namespace isochrone::curvature
