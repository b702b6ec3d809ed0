// TileShape.h - the shape of tiles, their numbers, and their points along an axis, on host and device.
#pragma once

#include "RayTracing/Tiles/PaddedImage.h"

#include <cstdint>

namespace isochrone::rays {

using execution::Cell;

/// Position of a point along an axis, relative to a tile or to an image.
enum Zone : int { Before = -1, Inside = 0, Behind = 1 };

/// Points of a tile, and the reach of its edges: no further than into the next tile.
/// @tparam Parts  lanes that share the edges of a point
template <int NX, int NY, int NZ, int Reach, int Parts>
struct TileShape {
  static constexpr int nx = NX, ny = NY, nz = NZ, rows = NY * NZ, parts = Parts;
  static constexpr int reach = Reach, reachZ = NZ > 1 ? Reach : 0;
  // A tile with its surroundings, x fastest.
  static constexpr int pitch = NX + 2 * Reach, slab = pitch * (NY + 2 * Reach),
                       sizeAround = slab * (NZ + 2 * reachZ);
  static constexpr int directions = NZ > 1 ? 27 : 9; ///< adjacent tiles and the tile itself
  static_assert(Reach <= NX && Reach <= NY && reachZ <= NZ);

  /// Returns the zone along an axis of the tile in a direction.
  TEAM_FN static Zone zoneOf(int direction, int axis) {
    if (axis == 0) return Zone(direction % 3 - 1);
    if (axis == 1) return Zone(direction / 3 % 3 - 1);
    return NZ > 1 ? Zone(direction / 9 - 1) : Inside;
  }
};

/// Positions and indices of tiles, numbered run by run.
struct TileNumbers {
  int tiles[3];
  execution::Divisor byRow, byPlane, byRun; ///< tiles in a row, in a plane, in a run

  explicit TileNumbers(const PaddedImage& image)
      : tiles{image.tiles[0], image.tiles[1], image.tiles[2]}, byRow(tiles[0]), byPlane(tiles[0] * tiles[1]),
        byRun(count()) {}
  TEAM_FN int count() const { return tiles[0] * tiles[1] * tiles[2]; }
  TEAM_FN int run(int id) const { return byRun.quotient(id); }
  TEAM_FN Cell place(int id) const {
    const int tile = id - run(id) * count(), z = byPlane.quotient(tile),
              inPlane = tile - z * tiles[0] * tiles[1], y = byRow.quotient(inPlane);
    return {inPlane - y * tiles[0], y, z, id};
  }
  /// Returns the index of a neighbour, -1 at the border.
  TEAM_FN int neighbour(const Cell& tile, int dx, int dy, int dz) const {
    const bool inside = unsigned(tile.x + dx) < unsigned(tiles[0]) &&
                        unsigned(tile.y + dy) < unsigned(tiles[1]) &&
                        unsigned(tile.z + dz) < unsigned(tiles[2]);
    return inside ? tile.index + steps(dx, dy, dz) : -1;
  }
  TEAM_FN int steps(int dx, int dy, int dz) const { return dx + tiles[0] * (dy + tiles[1] * dz); }
};

/// An interval of the points along an axis of a tile, whose first point is 0.
struct Span {
  int first, end;
  TEAM_FN bool has(int i) const { return i >= first && i < end; }
};

/// Returns the points of a zone to which edges lead from a tile of n points.
TEAM_FN Span rangeOf(Zone zone, int n, int reach) {
  if (zone == Before) return {-reach, 0};
  if (zone == Behind) return {n, n + reach};
  return {0, n};
}
/// Returns the points of the tile from which edges lead to that zone.
TEAM_FN Span sendersTo(Zone zone, int n, int reach) {
  return {zone == Behind ? n - reach : 0, zone == Before ? reach : n};
}

} // namespace isochrone::rays
