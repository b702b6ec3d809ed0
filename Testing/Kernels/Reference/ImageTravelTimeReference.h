// ImageTravelTimeReference.h - heap fast marching in double: slow, plain, and without a line of the solver's.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <vector>

namespace isochrone::reference {

/// First order travel times, +infinity where nothing arrives. Seeds and regions as in the problem; isotropic
/// speeds only.
std::vector<double> march(const image::Problem& problem);

/// The largest share of itself by which one more upwind update in double would lower a value.
double largestDecrease(const image::Problem& problem, std::span<const float> travelTime);

/// The largest difference of a reached value from what its neighbours and the seeds give it, as a share of
/// the greater one; for times that are not negative.
double largestDeparture(const image::Problem& problem, std::span<const float> travelTime);

} // namespace isochrone::reference
