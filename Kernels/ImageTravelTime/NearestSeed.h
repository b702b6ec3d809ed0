// NearestSeed.h - from which seed the first arrival comes.
#pragma once

#include "ImageTravelTime/Seeding.h"
#include "Values.h"

#include <span>

namespace isochrone::image {

/// Number of the seed that arrives first, -1 where none does: every point has the seed of its earliest
/// neighbour, with tensors of the one from which most of its value comes.
Values<std::int32_t> nearestSeeds(const Problem& problem, const std::vector<SeedPoint>& seeds,
                                  std::span<const float> travelTime, int threads);

} // namespace isochrone::image
