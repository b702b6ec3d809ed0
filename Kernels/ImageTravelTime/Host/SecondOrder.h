// SecondOrder.h - second order travel times from first order ones.
#pragma once

#include "ImageTravelTime/Seeds/SolverInput.h"

#include <span>

namespace isochrone::image {

/// Replaces first order travel times by those of the SecondOrderScheme, in the order of the first order
/// times.
/// @return false if the monitor requested a stop
bool refineToSecondOrder(const SolverInput& input, const Monitor& monitor, std::span<float> travelTime);

} // namespace isochrone::image
