// OrthogonalSweep.h - the interface of the sweeps over tiles of rectilinear and spherical grids. Plain data,
// shared by sources compiled for different instruction sets.
#pragma once

#include "ImageTravelTime/Host/TileSweep.h"

namespace isochrone::image {

inline constexpr int longestTileEdge = 16;

/// One number per index of a tile along an axis, for each tile of a batch.
using AlongEdge = float[longestTileEdge][batchTiles];

/// The axes of the tiles of a batch. Lengths are in the solver's unit, angles in radians.
struct EdgesOfTiles {
  AlongEdge inverse[3][2];              ///< 1 / difference of the coordinates, below and above
  AlongEdge inverseRadius, inverseSine; ///< spherical; 0 at the centre and the poles

  // Only for tiles with a seed. Below and above the grid, steps are those on the other side.
  AlongEdge step[3][2];           ///< difference of the coordinates
  AlongEdge away;                 ///< spherical: radius minus that of the seed
  AlongEdge offset[3];            ///< rectilinear: coordinate minus that of the seed
  AlongEdge radius, sine, cosine; ///< spherical: of the radius, and of the colatitude
  AlongEdge awaySine[2],
      awayVersine[2]; ///< sin a and 1 - cos a of the angle a from the seed: colatitude, longitude
  AlongEdge lack[2][2], versine[2][2]; ///< a - sin a and 1 - cos a of the steps; colatitude, longitude
  AlongEdge halfStep[2];               ///< tangent of half the larger step; colatitude, longitude
};

/// The seeds of the tiles of a batch.
struct SeedsOfBatch {
  float slowness[batchTiles]; ///< time per length at the seed
  float ball[batchTiles];     ///< radius of the ball in which the speed varies little; 0: no seed
  float radius[batchTiles], sine[batchTiles]; ///< spherical: of its position
};

struct OrthogonalBatch {
  bool spherical;
  int axis[3]; ///< spherical: the axes of radius, colatitude and longitude
  EdgesOfTiles edges;
  SeedsOfBatch seeds; ///< not read without factoring
};

using SweepOrthogonalTiles = void (*)(const TileField& field, TileBatch& batch,
                                      const OrthogonalBatch& orthogonal, float* scratch);

/// Returns the sweeps for the best instruction set of this processor. `TileField::spacing` is not read.
SweepOrthogonalTiles chooseOrthogonalSweep();

} // namespace isochrone::image
