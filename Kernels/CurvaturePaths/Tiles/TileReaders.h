// TileReaders.h - which tiles read the values of a tile: those to relax after it changed.
#pragma once

#include "CurvaturePaths/Tiles/TilePlan.h"

namespace isochrone::curvature {

/// From a tile to another one that reads it.
struct TileStep {
  std::int16_t x, y;    ///< in tiles
  std::int16_t heading; ///< -1, 0 or 1
  std::uint32_t lanes;  ///< which states it reads: bit x + nx y
};

struct TileReaders {
  std::vector<TileStep> steps;
  std::vector<TableRange> ofHeading; ///< steps of a tile with that heading; its step to itself is left out
};

/// The readers of tiles of nx x ny = 32 points and one heading, by the stencils of a plan: no other tile
/// depends on a tile.
/// @param symmetric  how many terms of a sum are symmetric, the first ones
TileReaders tileReaders(const TilePlan& plan, int nx, int ny, int symmetric);

} // namespace isochrone::curvature
