// Walls.h - tests whether grid steps and straight segments are free of walls.
//
// A wall is a set of closed pixels centred on grid points. A segment is free if it touches none of them, so
// it can neither cross a wall nor pass between two wall pixels that touch at a corner.
#pragma once

#include "Grid/Supercover.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::curvature {

/// A step from one pixel to another, as device tables store it.
struct Pixel {
  std::int16_t x, y;
};

/// Consecutive entries of a table.
struct TableRange {
  int first = 0, count = 0;
};

/// Appends the pixels other than (0, 0) that the segment from (0, 0) to (ex, ey) touches, its end included.
TableRange appendSupercover(int ex, int ey, std::vector<Pixel>& cover);

class Walls {
public:
  Walls() = default;
  /// @param walls  nx*ny values, nonzero is wall; empty: no walls
  Walls(std::int64_t nx, std::int64_t ny, std::span<const std::uint8_t> walls);

  bool any() const { return !distances.empty(); }
  bool isWall(std::int64_t i, std::int64_t j) const { return any() && distances[i + nx * j] == 0; }

  /// Returns the Manhattan distance, in pixels, to the nearest wall; a large number without walls.
  int distance(std::int64_t i, std::int64_t j) const { return any() ? distances[i + nx * j] : 1 << 20; }

  /// Returns whether the grid step from (i, j) by (ex, ey) is free. Pixels outside the grid are not walls.
  bool free(std::int64_t i, std::int64_t j, int ex, int ey) const;

  /// Returns whether the segment between two points (index coordinates) is free.
  bool freeSegment(double x0, double y0, double x1, double y1) const;

private:
  std::int64_t nx = 0, ny = 0;
  std::vector<std::int32_t> distances;
};

} // namespace isochrone::curvature
