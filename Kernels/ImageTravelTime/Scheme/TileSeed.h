// TileSeed.h - tiles, and a point seed as the nodes of a tile see it: plain data, so that it crosses the
// border between sources compiled for different instruction sets.
#pragma once

namespace isochrone::image {

/// Stands for +infinity while sweeping: its difference to itself is 0, not NaN.
inline constexpr float unreached = 1e30f;

inline constexpr int tileFaces = 6; ///< -x, +x, -y, +y, -z, +z

/// How the kink at a point seed is taken out of the differences.
enum class TileFactoring { Off, Additive, Multiplicative };

/// The seed as a tile sees it.
struct SeedOfTile {
  float away[3];    ///< first node of the tile less the seed, in grid steps: exact for a seed on a point
  float slowness;   ///< at the seed, time per unit of length
  float startValue; ///< of the seed
  float radius;     ///< of the ball around it in which the speed varies little; 0: the tile meets none
};

} // namespace isochrone::image
