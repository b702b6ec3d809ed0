// Validation.h - requirements on a problem, and the messages to the user if it does not meet them.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <string>

namespace isochrone::image {

struct Extremes {
  double least, largest;
};

/// Returns the name of a point in messages.
std::string nameOf(const Problem& problem, std::int64_t point);

/// @throws Error if the speeds are too far apart for float
void requireRange(const Problem& problem, double least, double largest);

/// @param least, largest  times of grid steps
/// @throws Error if single precision cannot hold travel times composed of them
void requireTimes(const Problem& problem, double least, double largest);

/// Returns the extremes of the speed over the points that are not barriers; 1 and 1 if all points are
/// barriers.
/// @throws Error if a speed is negative or infinite, or the range is too wide for float
Extremes extremesOfSpeed(const Problem& problem, int threads);

/// @throws Error on any other problem or options that cannot be solved
void validate(const Problem& problem, const Options& options);

/// @throws Error unless at least one seed or seed region lies on a point that the front can leave
void requireUsableSeed(const Problem& problem, const std::vector<Placement>& seeds);

} // namespace isochrone::image
