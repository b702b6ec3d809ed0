// TileShares.h - the derivatives of the updates of a tile. Plain data, shared by sources compiled for
// different instruction sets.
#pragma once

#include "ImageTravelTime/Sensitivity/PointShares.h"

namespace isochrone::image {

inline constexpr int maxTilePoints = 8 * 8 * 8, maxPaddedPoints = 10 * 10 * 10;

/// Set in `TileShares::sides` where other sides may explain the time of a point (DependenceScheme::at).
inline constexpr int otherSidesBit = 1 << 15;

/// A tile, x fastest, the times with a margin of one point. Times and slownesses are in the solver's units.
struct TileShares {
  int shape[3];
  double time[maxPaddedPoints];   ///< +infinity where unreached
  double slowness[maxTilePoints]; ///< NaN in barriers and where unreached
  Spacing spacing;
  double unitLength, unitTime; ///< in world units
  double earliest;             ///< absolute value of the earliest start

  TileFactoring factoring; ///< Off: `seed` is not read
  BallSeed seed;

  // Results, in world units.
  double sides[maxTilePoints];    ///< that are used: a whole number, bits as in Sides
  double* share[3];               ///< of each side that is used on an axis
  double* perSlowness;            ///< derivative with respect to the slowness of the point
  double* perSeedSlowness;        ///< and with respect to that at the seed; only if factored
  double rounding[maxTilePoints]; ///< time that the equation gives a point minus its rounded time
};

using FindTileShares = void (*)(TileShares& tile);

/// Returns the function for the best instruction set of this processor.
FindTileShares chooseTileShares();

} // namespace isochrone::image
