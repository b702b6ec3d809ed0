// TensorRefinement.h - second order and multiplicative factoring with tensors.
#pragma once

#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Seeds/SolverInput.h"

#include <span>

namespace isochrone::image {

/// Returns whether a problem has tensors and options that take a refinement.
inline bool refinesTensors(const Problem& problem, const Options& options) {
  return hasTensors(problem) && (options.order == 2 || options.factoring == SourceFactoring::Multiplicative);
}

/// Replaces first order travel times by the solution with one-sided differences over two or, in the second
/// order, three points. Visits the points in the order of the first order times, which also determine the
/// side of each pair of neighbours. Seed points keep their values.
/// @return false if the monitor requested a stop
bool refineTensors(const SolverInput& input, const Monitor& monitor, std::span<float> travelTime);

} // namespace isochrone::image
