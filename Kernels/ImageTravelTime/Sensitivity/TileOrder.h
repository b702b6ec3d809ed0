// TileOrder.h - numbers the points of an image tile by tile, and names their neighbours along the axes.
#pragma once

#include "ImageTravelTime/Scheme/Tiling.h"

#include <bit>

namespace isochrone::image {

/// A neighbour: 2 * axis for the lower one, plus 1 for the upper one. The opposite direction differs in the
/// last bit.
using Direction = int;
inline constexpr int directions = 6;
inline constexpr Direction directionOf(int axis, int up) { return 2 * axis + up; }

/// A set of directions, one bit each.
using Sides = std::uint8_t;
inline bool uses(Sides sides, Direction d) { return sides >> d & 1; }

/// Calls f(direction) for the members of a set, ascending.
template <class F>
inline void forEachSide(unsigned sides, const F& f) {
  for (; sides != 0; sides &= sides - 1) f(Direction(std::countr_zero(sides)));
}

/// The numbers of the points of a tile follow each other, x fastest. Tiles at the end of an axis have numbers
/// outside the grid, too.
class TileOrder {
public:
  explicit TileOrder(const Problem& problem) : tiling(problem, tileShape(problem.grid)), grid(problem.grid) {
    int shift = 0;
    for (int a = 0; a < 3; ++a) {
      shifts[a] = shift;
      shift += std::countr_zero(unsigned(tiling.shape[std::size_t(a)])); // a power of two
    }
    tileShift = shift;
    const std::int64_t tileStride[] = {1, tiling.number[0],
                                       std::int64_t(tiling.number[0]) * tiling.number[1]};
    for (Direction d = 0; d < directions; ++d) {
      const int axis = d / 2, length = tiling.shape[std::size_t(axis)], move = d & 1 ? 1 : -1;
      for (int at = 0; at < length; ++at) {
        const int to = at + move, wrapped = to < 0 ? to + length : to >= length ? to - length : to;
        const std::int64_t tiles = to < 0 ? -1 : to >= length ? 1 : 0;
        steps[d][at] = (tiles * tileStride[axis] << tileShift) + (std::int64_t(wrapped - at) << shifts[axis]);
      }
    }
  }

  int tiles() const { return tiling.count(); }
  int tileSize() const { return 1 << tileShift; } ///< points
  std::int64_t size() const { return std::int64_t(tiles()) << tileShift; }
  int tileOf(std::int64_t number) const { return int(number >> tileShift); }
  std::int64_t firstOf(int tile) const { return std::int64_t(tile) << tileShift; }
  grid::Box boxOf(int tile) const { return tiling.boxOf(tile); }
  const std::array<int, 3>& shape() const { return tiling.shape; }
  const std::array<int, 3>& tilesAlong() const { return tiling.number; }
  /// Returns the colour of a tile on the checkerboard: those of one colour do not share a face.
  int colourOf(int tile) const {
    const auto [nx, ny, nz] = tiling.number;
    return (tile % nx + tile / nx % ny + tile / nx / ny) & 1;
  }

  std::int64_t numberOf(std::int64_t point) const {
    const GridIndex at = grid.indices(point);
    std::int64_t number = firstOf(tiling.tileOf(at));
    for (int a = 0; a < 3; ++a) number += (at[a] & (tiling.shape[std::size_t(a)] - 1)) << shifts[a];
    return number;
  }
  std::int64_t pointOf(std::int64_t number) const {
    GridIndex at = boxOf(tileOf(number)).low;
    for (int a = 0; a < 3; ++a) at[a] += along(number, a);
    return grid.index(at);
  }
  /// Returns the neighbour of a point, which must be in the grid.
  std::int64_t neighbour(std::int64_t number, Direction d) const {
    return number + steps[d][along(number, d >> 1)];
  }

private:
  Tiling tiling;
  Grid grid;
  int shifts[3], tileShift = 0;
  std::int64_t steps[directions][16]{};

  int along(std::int64_t number, int axis) const {
    return int(number >> shifts[axis]) & (tiling.shape[std::size_t(axis)] - 1);
  }
};

} // namespace isochrone::image
