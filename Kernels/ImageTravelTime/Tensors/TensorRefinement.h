// TensorRefinement.h - second order and multiplicative factoring with tensors.
#pragma once

#include "ImageTravelTime/Seeds/SolverInput.h"

#include <span>

namespace isochrone::image {

/// Replaces first order travel times by the solution with one-sided differences over two or, in the second
/// order, three points. Visits the points in the order of the first order times, which also determine the
/// side of each pair of neighbours. Seed points keep their values.
/// @return false if the monitor requested a stop
bool refineTensors(const SolverInput& input, const Monitor& monitor, std::span<float> travelTime);

} // namespace isochrone::image
