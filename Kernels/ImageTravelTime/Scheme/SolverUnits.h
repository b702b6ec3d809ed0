// SolverUnits.h - the units of the solvers.
#pragma once

#include "ImageTravelTime/Scheme/Limits.h"
#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Scheme/TileData.h"

namespace isochrone::image {

/// Units near the grid step and its travel time, so that float neither overflows nor underflows, whatever the
/// user's units are.
struct SolverUnits {
  double length = 1;      ///< minimum grid step; on an orthogonal grid a mean step
  double time = 1;        ///< a power of two
  float largestSpeed = 0; ///< lengths per time
  Spacing spacing{};      ///< not of an orthogonal grid
  SquaredSlowness squaredSlowness{};

  SolverUnits(const Problem& problem, const SpeedRange& speed);
};

} // namespace isochrone::image
