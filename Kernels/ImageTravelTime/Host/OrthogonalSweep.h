// OrthogonalSweep.h - the interface of the sweeps over tiles of rectilinear and spherical grids. Plain data,
// shared by sources compiled for different instruction sets.
#pragma once

#include "ImageTravelTime/Host/TileSweep.h"

namespace isochrone::image {

inline constexpr int longestTileEdge = 16;

/// One number per index of a tile along an axis, for each tile of a batch.
using AlongEdge = float[longestTileEdge][batchTiles];

/// The terms of an axis of the tiles of a batch: OrthogonalTerms.h describes them.
struct AxisOfTiles {
  AlongEdge inverse[2];
  AlongEdge inverseFactor; ///< only if spherical

  // Only for batches with a seed.
  AlongEdge step[2], away;
  AlongEdge value, cosine, lack[2], versine[2], halfStep, awayVersine; ///< only if spherical
};

/// The seeds of the tiles of a batch: OrthogonalSeed.
struct SeedsOfBatch {
  float slowness[batchTiles], ball[batchTiles], radius[batchTiles], sine[batchTiles];
};

struct OrthogonalBatch {
  bool curved; ///< spherical
  int axis[3]; ///< spherical: the axes of radius, colatitude and longitude
  AxisOfTiles edges[3];
  SeedsOfBatch seeds; ///< not read without factoring
};

using SweepOrthogonalTiles = void (*)(const TileField& field, TileBatch& batch,
                                      const OrthogonalBatch& orthogonal, float* scratch);

/// Returns the sweeps for the best instruction set of this processor. `TileField::spacing` is not read.
SweepOrthogonalTiles chooseOrthogonalSweep();

} // namespace isochrone::image
