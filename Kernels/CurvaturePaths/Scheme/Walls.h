// Walls.h - which grid steps and straight segments are free of walls.
//
// A wall is a set of closed pixels centred on grid points. A segment is free if it touches none of them, so
// it can neither cross a wall nor squeeze between two wall pixels that touch at a corner.
#pragma once

#include "Grid/Supercover.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::curvature {

/// Steps of the grid from a pixel to another one, as tables for devices hold them.
struct Pixel {
  std::int16_t x, y;
};

/// Pixels other than (0, 0) that the segment from (0, 0) to (ex, ey) touches, its end included.
std::vector<std::array<int, 2>> supercover(int ex, int ey);

class Walls {
public:
  Walls() = default;
  /// @param walls  nx*ny values, nonzero is wall; empty: no walls
  Walls(std::int64_t nx, std::int64_t ny, std::span<const std::uint8_t> walls);

  bool any() const { return !distances.empty(); }
  bool isWall(std::int64_t i, std::int64_t j) const { return any() && distances[i + nx * j] == 0; }

  /// Manhattan distance, in pixels, to the nearest wall; a large number without walls.
  int distance(std::int64_t i, std::int64_t j) const { return any() ? distances[i + nx * j] : 1 << 20; }

  /// Is the grid step from (i, j) by (ex, ey) free? Pixels outside the grid are no walls.
  bool free(std::int64_t i, std::int64_t j, int ex, int ey) const;

  /// Is the segment between two points (index coordinates) free?
  bool freeSegment(double x0, double y0, double x1, double y1) const;

private:
  std::int64_t nx = 0, ny = 0;
  std::vector<std::int32_t> distances;
};

} // namespace isochrone::curvature
