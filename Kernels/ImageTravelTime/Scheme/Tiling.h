// Tiling.h - the tiles that cover an image.
#pragma once

#include "Execution/RoundPool.h"
#include "ImageTravelTime/ImageTravelTime.h"

#include <array>
#include <cstdint>
#include <span>

namespace isochrone::image {

/// Returns the number of points per tile on each axis, for isotropic speeds.
std::array<int, 3> tileShape(const Grid& grid);

struct Tiling {
  /// Number of tiles with own points along a periodic axis, if it may be: Even for a solver that gives the
  /// tiles of one colour turns and couples the first tile with the last one after each round.
  enum class Ring { Any, Even };
  /// @param shapeOfTile  number of points per tile on each axis
  Tiling(const Problem& problem, const std::array<int, 3>& shapeOfTile, Ring ring = Ring::Any);

  std::array<int, 3> shape;    ///< points per tile on each axis
  std::array<int, 3> number{}; ///< tiles on each axis
  /// Grid index of the first point of the first tile: 0 unless the image is divided. The tiles of a part are
  /// those of the whole image that contain own points or their neighbours, so the first point may lie outside
  /// the grid. Along periodic axes the first and the last tile with own points have as many of them; with
  /// tensors the grid begins with the first tile.
  GridIndex first{};

  grid::Box covered; ///< the points from the first tile to the last one, up to the end of the grid

  int count() const { return number[0] * number[1] * number[2]; } // 2^31 tiles would take terabytes
  int tileOf(const GridIndex& point) const {
    const GridIndex p = fromFirst(point);
    return int(p[0] / shape[0] + number[0] * (p[1] / shape[1] + number[1] * (p[2] / shape[2])));
  }
  grid::Box boxOf(int tile) const; ///< the points of a tile, also those outside the grid
  GridIndex fromFirst(const GridIndex& p) const {
    return {p[0] - first[0], p[1] - first[1], p[2] - first[2]};
  }
};

/// Fills result.updatesPerPoint, and result.updates if the options request it. All points of a tile have the
/// same number of updates. Collective.
/// @param perTile  number of sweeps or passes per tile, x fastest
void countUpdates(const Problem& problem, const Tiling& tiling, std::span<const std::int32_t> perTile,
                  const Options& options, execution::RoundPool& pool, Result& result);

} // namespace isochrone::image
