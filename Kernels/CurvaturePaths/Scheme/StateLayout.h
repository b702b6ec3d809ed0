// StateLayout.h - memory layout of the states in the tile kernels, on host and device.
#pragma once

#include "Execution/Team.h"

#include <cstddef>
#include <cstdint>

namespace isochrone::curvature {

/// Planes of rows with a border of points that stay +infinity. The border is so wide that no step from a
/// state leaves it, so neighbours are read without a test for the end of the grid. The space behind the end
/// of a row is the border before the next row; the same holds for planes. Rows begin at sectors of 32 bytes.
struct StateLayout {
  int border = 0;          ///< rows before a plane
  int before = 0;          ///< points before a row: the border, rounded up
  int row = 0;             ///< points from one row to the next
  std::uint32_t plane = 0; ///< points from one plane to the next
  int headings = 0;
  std::int64_t places = 0; ///< of states and borders together; the tile kernels index them in 31 bits

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
  /// Returns the index difference from a state with this heading to the state (x, y) away with heading `to`.
  TEAM_FN int stepTo(int x, int y, int heading, int to) const {
    return int((to - heading) * std::int64_t(plane) + y * row + x);
  }

private:
  static int wholeSectors(std::int64_t points) { return int((points + 7) / 8 * 8); }
};

} // namespace isochrone::curvature
