// ThomsenArrival.h - arrivals of a seed at the points around it, for source factoring in a tilted
// transversely isotropic medium. Plain data, shared by sources compiled for different instruction sets.
#pragma once

#include "ImageTravelTime/Scheme/TensorFactoring.h"

#include <cstdint>

namespace isochrone::image {

/// Time and slowness from a seed to a point.
struct ThomsenArrival {
  double time;
  float slowness[3]; ///< time per grid step
};

/// A seed as seen from a point in its ball.
struct ThomsenSeed {
  TensorSeed place;              ///< with the elliptic metric
  const ThomsenArrival* arrival; ///< at the point; a step (x, y, z) leads to that with <step, (x, y, z)> more
  std::int64_t step[3];
};

} // namespace isochrone::image
