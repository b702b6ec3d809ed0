// TileSweep.h - what the sweeps over tiles work on: plain data, so that it crosses the border between sources
// compiled for different instruction sets.
//
// One tile is worked on in each lane of a vector: all lanes visit the nodes of their tile in the same order.
#pragma once

#include "ImageTravelTime/Scheme/TileSeed.h"

#include <cstdint>

namespace isochrone::image {

inline constexpr int batchTiles = 16; ///< tiles swept together; the widest vector has as many lanes
inline constexpr int mostSweeps = 5;  ///< a tile that still changes then waits for its next turn

/// Tiles of 8x8x8 nodes in space, of 16x16 in the plane.
template <int Dimensions>
struct TileShape;
template <>
struct TileShape<2> {
  static constexpr int nx = 16, ny = 16, nz = 1, nodes = nx * ny * nz;
};
template <>
struct TileShape<3> {
  static constexpr int nx = 8, ny = 8, nz = 8, nodes = nx * ny * nz;
};

/// The values of a grid, tile after tile, x fastest within a tile.
struct TileField {
  float* value;          ///< travel times in sweep units, `unreached` where there is none yet
  float* side;           ///< again the values of the two faces across x, each in one piece, tile after tile
  const float* slowness; ///< squares of slowness (time per unit of length), +infinity in barriers
  float weight[3];       ///< 1 / h^2 on each axis
  float step[3];         ///< h on each axis
  bool cubic;            ///< spacing 1 on all axes
};

struct TileBatch {
  int count; ///< tiles, 1 to batchTiles
  TileFactoring factoring;
  SeedOfTile seed[batchTiles]; ///< where there is factoring
  std::int32_t tile[batchTiles];
  std::int32_t neighbour[tileFaces][batchTiles]; ///< number of the tile behind each face; of a tile without
                                                 ///< values at the border
  unsigned corner; ///< where the first sweep starts: bit a set: at the far end of axis a

  // what came out
  float key[tileFaces]
           [batchTiles];    ///< least new value on a face that may lower what is behind it, or `unreached`
  float least[batchTiles];  ///< least value on the faces
  std::uint32_t unfinished; ///< tiles that changed in the last sweep
  int sweeps;
};

/// Floats of memory for one thread's sweeps.
inline constexpr int sweepScratch = (10 * 10 * 10 + 8 * 8 * 8 + 6 * 8 * 8) * batchTiles;

using SweepTiles = void (*)(const TileField& field, TileBatch& batch, float* scratch);

/// The sweeps for the best instruction set of this processor, and its name; ISOCHRONE_HOST_ISA (sse2, avx2,
/// avx512) in the environment asks for a lesser one.
struct TileSweepKernels {
  SweepTiles plane, space;
  const char* isa;
};
TileSweepKernels chooseTileSweepKernels();

} // namespace isochrone::image
