// NearestSeed.h - from which seed the first arrival comes.
#pragma once

#include "ImageTravelTime/Seeds/Seeding.h"
#include "Values.h"

#include <span>

namespace isochrone::image {

/// Number of the seed that arrives first, -1 where none does. A point takes the seed that has the greatest
/// share in its value: the shares of the points that the value comes from, with the weights of the scheme.
/// Empty if the monitor said stop.
Values<std::int32_t> nearestSeeds(const Problem& problem, const std::vector<SeedPoint>& seeds,
                                  std::span<const float> travelTime, int threads, const Monitor& monitor);

} // namespace isochrone::image
