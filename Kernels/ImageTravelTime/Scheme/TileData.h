// TileData.h - the grid, its tiles, and a point seed relative to a tile. Plain data, shared by sources
// compiled for different instruction sets.
#pragma once

#include "Execution/Team.h"

namespace isochrone::image {

/// Stands for +infinity during sweeps: its difference to itself is 0, not NaN.
inline constexpr float unreached = 1e30f;

inline constexpr int tileFaces = 6; ///< -x, +x, -y, +y, -z, +z

/// Tiles of 8x8x8 nodes in space, and of 16x16 in the plane.
using SpaceTile = execution::Box<8, 8, 8>;
using PlaneTile = execution::Box<16, 16, 1>;

/// The spacing of the grid, in units of length.
struct Spacing {
  float step[3];   ///< h on each axis
  float weight[3]; ///< 1 / h^2
  bool cubic;      ///< all of them are 1
};

/// Removal of the kink at a point seed from the differences.
enum class TileFactoring { Off, Additive, Multiplicative };

/// A point seed relative to a tile.
struct SeedOfTile {
  float away[3];    ///< first node of the tile minus the seed, in grid steps: exact for a seed on a point
  float slowness;   ///< at the seed, time per unit of length
  float startValue; ///< relative to the earliest seed, in units of time
  float radius; ///< radius of the ball around it in which the speed varies little; 0: the tile meets no ball
};

} // namespace isochrone::image
