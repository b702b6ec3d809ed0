// TileSeed.h - tiles, and a point seed relative to the nodes of a tile. Plain data, shared by sources
// compiled for different instruction sets.
#pragma once

namespace isochrone::image {

/// Stands for +infinity during sweeps: its difference to itself is 0, not NaN.
inline constexpr float unreached = 1e30f;

inline constexpr int tileFaces = 6; ///< -x, +x, -y, +y, -z, +z

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
