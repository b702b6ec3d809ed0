// Supercover.h - the cells that a grid step touches, and distances to barriers.
//
// Barriers are closed cells (pixels, voxels) centred on grid points. A step is clear if its segment touches
// none of them, so it can neither cross a barrier nor squeeze between two cells that share an edge or a
// corner.
#pragma once

#include "Grid/Selling.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

namespace isochrone::grid {

/// Returns whether the segment from (0, 0, 0) to `step` touches a cell of its bounding box, in integer
/// arithmetic. The segment has a part between the two faces of each axis, and touches the cell if every two
/// of these parts meet.
inline bool touches(const Offset& step, const Offset& cell) {
  const auto inner = [&](int a) { return 2 * std::abs(cell[a]) - 1; };
  const auto outer = [&](int a) { return 2 * std::abs(cell[a]) + 1; };
  const auto meet = [&](int a, int b) { // part a does not begin after part b ends
    return inner(a) * std::abs(step[b]) <= outer(b) * std::abs(step[a]);
  };
  return meet(0, 1) && meet(1, 0) && meet(0, 2) && meet(2, 0) && meet(1, 2) && meet(2, 1);
}

/// Returns the cells other than (0, 0, 0) that the segment from (0, 0, 0) to `step` touches, its end
/// included.
std::vector<Offset> supercover(const Offset& step);

/// Returns the Manhattan distance, in cells, from each point to the nearest barrier (a nonzero value), x
/// fastest. Empty without barriers.
std::vector<std::int32_t> distancesToBarriers(const std::array<std::int64_t, 3>& sizes,
                                              std::span<const std::uint8_t> barriers);

} // namespace isochrone::grid
