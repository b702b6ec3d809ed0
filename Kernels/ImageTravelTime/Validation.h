// Validation.h - what is required of a problem, and said to the user where it is not met.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <string>

namespace isochrone::image {

struct Extremes {
  double least, largest;
};

/// How messages call a point.
std::string nameOf(const Problem& problem, std::int64_t point);

/// @throws Error where speeds are too far apart for float
void requireRange(const Problem& problem, double least, double largest);

/// @param least, largest  times that grid steps take
/// @throws Error where single precision cannot hold travel times made of them
void requireTimes(const Problem& problem, double least, double largest);

/// Extremes of the speed over the points that are no barriers; 1 and 1 if all are.
/// @throws Error where a speed is negative or infinite, or the range is too wide for float
Extremes extremesOfSpeed(const Problem& problem, int threads);

/// @throws Error on anything else that cannot be solved
void validate(const Problem& problem, const Options& options);

/// @throws Error unless at least one seed or seed region lies on a point that the front can leave
void requireUsableSeed(const Problem& problem, const std::vector<Placement>& seeds);

} // namespace isochrone::image
