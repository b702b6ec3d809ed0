// TensorSolver.h - the host solver for tensors: rounds over points in buckets of their values.
#pragma once

#include "ImageTravelTime/Seeds/SolverInput.h"

namespace isochrone::image {

/// Returns the memory that solveTensorsOnHost needs, bytes, without the lists of the front.
std::size_t tensorBytes(const Problem& problem, SourceFactoring factoring);

/// Sets the travel times, the counters and `aborted` of the result. If seeds are factored, adds the points
/// that start with the time along the straight line to the starts.
void solveTensorsOnHost(SolverInput& input, const Monitor& monitor, Result& result);

} // namespace isochrone::image
