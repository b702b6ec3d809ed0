// SecondOrder.h - second order travel times from first order ones.
#pragma once

#include "ImageTravelTime/Seeds/SolverInput.h"

#include <span>

namespace isochrone::image {

/// Replaces first order travel times by the solution with one-sided differences over three points. Visits the
/// points in the order of the first order times, which also determine the side of each axis. An axis stays at
/// first order if only one point of its side is earlier. Seed points keep their values.
/// @return false if the monitor requested a stop
bool refineToSecondOrder(const SolverInput& input, const Monitor& monitor, std::span<float> travelTime);

} // namespace isochrone::image
