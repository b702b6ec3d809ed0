// TileSweep.h - the interface of the sweeps over tiles. Plain data, shared by sources compiled for different
// instruction sets.
//
// Each lane of a vector works on one tile. All lanes visit the nodes of their tile in the same order.
#pragma once

#include "ImageTravelTime/Scheme/TileData.h"

#include <cstdint>

namespace isochrone::image {

inline constexpr int batchTiles = 16; ///< tiles swept together; lanes of the widest vector
inline constexpr int maxSweeps = 5;   ///< per turn; a tile that still changes then waits for its next turn

/// The values of a grid, tile after tile, x fastest within a tile.
struct TileField {
  float* value;          ///< travel times in sweep units, `unreached` where not yet known
  float* side;           ///< copy of the two faces across x, each in one piece, tile after tile
  const float* slowness; ///< squares of slowness (time per unit of length), +infinity in barriers
  Spacing spacing;
  bool isPlane; ///< PlaneTiles, not SpaceTiles
};

struct TileBatch {
  int count; ///< number of tiles, 1 to batchTiles
  TileFactoring factoring;
  SeedOfTile seed[batchTiles]; ///< not read without factoring
  std::int32_t tile[batchTiles];
  /// Tile behind each face; at the border a tile without values.
  std::int32_t neighbour[tileFaces][batchTiles];
  unsigned corner; ///< start of the first sweep; bit a set: at the far end of axis a

  // Results.
  /// Per face, the minimum new value that may lower what lies behind, or `unreached`.
  float key[tileFaces][batchTiles];
  float minimum[batchTiles]; ///< minimum value on the faces
  std::uint32_t unfinished;  ///< tiles that changed in the last sweep
  int sweeps;
};

/// Number of floats of work memory per thread.
inline constexpr int sweepScratch = (10 * 10 * 10 + 8 * 8 * 8 + 6 * 8 * 8) * batchTiles;

using SweepTiles = void (*)(const TileField& field, TileBatch& batch, float* scratch);

/// Returns the sweeps for the best instruction set of this processor.
SweepTiles chooseTileSweep();

} // namespace isochrone::image
