// SeedSlowness.h - derivatives with respect to the slowness at a seed.
#pragma once

#include "ImageTravelTime/Scheme/Medium.h"
#include "Values.h"

#include <cstdint>

namespace isochrone::image {

/// Returns dslowness/dspeed at a point, or 1 if the problem has slownesses.
inline double slownessPerSpeed(const Problem& p, std::int64_t point) {
  if (p.speedType == SpeedType::Slowness) return 1;
  const double slowness = slownessAt(p, point);
  return -slowness * slowness;
}

/// Adds a derivative with respect to the slowness at a seed, which is the mean of its nearest points, to
/// those with respect to speeds.
void addAtSeed(const Problem& problem, std::int32_t seed, double derivative, Values<double>& perSpeed);

} // namespace isochrone::image
