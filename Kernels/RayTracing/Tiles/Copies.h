// Copies.h - the points of an image with periodic axes that the margin of its grid repeats
// (Grid/PeriodicPart.h), on host and device.
#pragma once

#include "Grid/GridPart.h"
#include "RayTracing/Scheme/Axes.h"
#include "RayTracing/Tiles/TileShape.h"

#include <cstdint>

namespace isochrone::rays {

/// A point of the padded image.
struct Point {
  std::int64_t x, y, z;
};

/// Of an image without periodic axes: none.
struct NoCopies {
  static constexpr bool exist = false;
};

/// Along the axes of a padded image. A tile relaxes the points of the image. Where it lowers one, it lowers
/// the copies of that point in the margin, which no other tile writes.
struct Copies {
  static constexpr bool exist = true;
  std::int64_t low[3], high[3]; ///< the image within the grid
  std::int64_t size[3];         ///< of the grid; exceeds the image along periodic axes alone

  Copies(const Grid& grid, const grid::GridPart& part) : Copies(grid) {
    const std::array<int, 3> axes = axisOrder(grid);
    for (int a = 0; a < 3; ++a) low[a] = part.own.low[axes[a]], high[a] = part.own.high[axes[a]];
  }
  /// Of an image without periodic axes: none.
  explicit Copies(const Grid& grid) {
    const std::array<int, 3> axes = axisOrder(grid);
    for (int a = 0; a < 3; ++a) low[a] = 0, high[a] = size[a] = grid.sizes()[axes[a]];
  }

  TEAM_FN bool isInImage(const Point& p) const {
    return p.x >= low[0] && p.x < high[0] && p.y >= low[1] && p.y < high[1] && p.z >= low[2] && p.z < high[2];
  }
  /// Returns the number of steps along an axis to the copy in a zone.
  TEAM_FN std::int64_t stepsTo(Zone zone, int axis) const { return zone * (high[axis] - low[axis]); }
  /// Returns whether a point of the image has a copy in a zone of an axis.
  TEAM_FN bool exists(std::int64_t at, Zone zone, int axis) const {
    const std::int64_t copy = at + stepsTo(zone, axis);
    return zone == Inside || (low[axis] > 0 && copy >= 0 && copy < size[axis]);
  }

  /// Returns whether it has a copy in a direction, which is numbered as those from tile to tile.
  template <class Shape>
  TEAM_FN bool exists(const Point& p, int direction) const {
    return direction != Shape::directions / 2 && exists(p.x, Shape::zoneOf(direction, 0), 0) &&
           exists(p.y, Shape::zoneOf(direction, 1), 1) && exists(p.z, Shape::zoneOf(direction, 2), 2);
  }

  /// The points of a tile that lie in the image.
  struct Range {
    std::int64_t first, end;
  };
  TEAM_FN Range inTile(int place, int tileSize, int axis) const {
    const std::int64_t first = std::int64_t(place) * tileSize, end = first + tileSize;
    return {first < low[axis] ? low[axis] : first, end < high[axis] ? end : high[axis]};
  }
  /// Returns whether any of these points has a copy along the axis.
  TEAM_FN bool areRepeated(const Range& points, int axis) const {
    return points.first < points.end &&
           (exists(points.first, Behind, axis) || exists(points.end - 1, Before, axis));
  }

  /// Returns the tiles along an axis from whose points in the image edges lead to copies of the points of a
  /// tile.
  TEAM_FN Span readers(int at, int tileSize, Zone zone, int axis, int reach) const {
    const Range points = inTile(at, tileSize, axis);
    const std::int64_t steps = stepsTo(zone, axis), from = points.first + steps - reach,
                       to = points.end + steps + reach;
    const std::int64_t first = from < low[axis] ? low[axis] : from, end = to < high[axis] ? to : high[axis];
    return first < end ? Span{int(first / tileSize), int((end - 1) / tileSize) + 1} : Span{0, 0};
  }
};

} // namespace isochrone::rays
