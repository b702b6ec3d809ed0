// ImageTravelTimeReference.h - heap fast marching in double: simple, slow, and without code of the solver.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <vector>

namespace isochrone::reference {

/// Returns first-order travel times, +infinity if unreached. Seeds and regions as in the problem; isotropic
/// speeds only.
std::vector<double> march(const image::Problem& problem);

/// Returns the maximum relative decrease of a value by one more upwind update in double.
double largestDecrease(const image::Problem& problem, std::span<const float> travelTime);

/// Returns the maximum difference of a reached value from the one that its neighbours and the seeds give,
/// relative to the larger of the two; for nonnegative times.
double largestDeparture(const image::Problem& problem, std::span<const float> travelTime);

} // namespace isochrone::reference
