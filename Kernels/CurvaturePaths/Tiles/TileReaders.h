// TileReaders.h - the tiles that read the values of a tile, to be relaxed after it changed.
#pragma once

#include "CurvaturePaths/Tiles/TilePlan.h"

namespace isochrone::curvature {

/// A step from a tile to another tile that reads it.
struct TileStep {
  std::int16_t x, y;    ///< in tiles
  std::int16_t heading; ///< -1, 0 or 1
  std::uint32_t lanes;  ///< states that it reads: bit x + nx y
};

struct TileReaders {
  std::vector<TileStep> steps;
  std::vector<TableRange> ofHeading; ///< steps of a tile with that heading, without the step to itself
};

/// Returns the readers of tiles of nx x ny = 32 points and one heading, by the stencils of a plan. No other
/// tile depends on a tile.
/// @param symmetric  number of symmetric terms of a sum; they come first
TileReaders tileReaders(const TilePlan& plan, int nx, int ny, int symmetric);

} // namespace isochrone::curvature
