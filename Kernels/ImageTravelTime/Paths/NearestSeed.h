// NearestSeed.h - the seed of the first arrival.
#pragma once

#include "ImageTravelTime/Seeds/SolverInput.h"
#include "Values.h"

#include <span>

namespace isochrone::image {

/// Returns, per point, the number of the seed that arrives first, -1 where unreached. A point takes the seed
/// with the largest share in its value. Shares come from the points that the value comes from, with the
/// weights of the scheme. Empty if the monitor requested a stop. Collective.
Values<std::int32_t> nearestSeeds(const SolverInput& input, std::span<const float> travelTime,
                                  const Monitor& monitor);

} // namespace isochrone::image
