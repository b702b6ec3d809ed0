// Validation.h - what is required of a problem, and said to the user where it is not met.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

namespace isochrone::image {

struct Extremes {
  double least, largest;
};

/// Extremes of the speed over the points that are no barriers; 1 and 1 if all are.
/// @throws Error where a speed is negative or infinite, or the range is too wide for float
Extremes extremesOfSpeed(const Problem& problem, int threads);

/// @throws Error on anything else that cannot be solved
void validate(const Problem& problem, const Options& options);

/// @throws Error unless at least one seed or seed region lies on a point that the front can leave
void requireUsableSeed(const Problem& problem, const std::vector<Placement>& seeds);

} // namespace isochrone::image
