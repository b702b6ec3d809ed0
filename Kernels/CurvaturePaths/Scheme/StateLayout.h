// StateLayout.h - where states lie in the arrays of the tile kernels, on host and device.
#pragma once

#include "Execution/Team.h"

#include <cstddef>
#include <cstdint>

namespace isochrone::curvature {

/// Planes of rows with a border of points that stay +infinity, so wide that no step from a state leaves it:
/// neighbours are read without a look at where the grid ends. What lies behind the end of a row is the border
/// before the next one, and the same holds for planes. Rows begin where sectors of 32 bytes do.
struct StateLayout {
  int border = 0;          ///< rows before a plane
  int before = 0;          ///< points before a row: the border, rounded up
  int row = 0;             ///< points from one row to the next
  std::uint32_t plane = 0; ///< the same of planes
  int headings = 0;
  std::int64_t places = 0; ///< of all states and borders; the tile kernels count them in 31 bits

  StateLayout() = default;
  StateLayout(std::int64_t nx, std::int64_t ny, int headingCount, int longestStep)
      : border(longestStep), before(wholeSectors(longestStep)), row(before + wholeSectors(nx)),
        plane(std::uint32_t(row * (ny + border))), headings(headingCount),
        places(row * (ny + border) * headings + std::int64_t(border) * row + before) {}

  TEAM_FN std::int64_t at(int x, int y, int heading) const {
    const std::uint32_t inPlane = std::uint32_t((y + border) * row) + std::uint32_t(x + before);
    return std::int64_t(execution::wholeProduct(std::uint32_t(heading), plane) + inPlane);
  }
  TEAM_FN int wrapped(int heading) const {
    return heading < 0 ? heading + headings : heading >= headings ? heading - headings : heading;
  }
  /// From a state with this heading to the one that is (x, y) away and has heading `to`.
  TEAM_FN int stepTo(int x, int y, int heading, int to) const {
    return int((to - heading) * std::int64_t(plane) + y * row + x);
  }

private:
  static int wholeSectors(std::int64_t points) { return int((points + 7) / 8 * 8); }
};

} // namespace isochrone::curvature
