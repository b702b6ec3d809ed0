// HostSolver.h - the host solver: rounds over tiles, one tile per lane.
#pragma once

#include "ImageTravelTime/Seeds/SolverInput.h"

namespace isochrone::image {

/// Returns the memory that solveOnHost needs, bytes.
std::size_t hostBytes(const Problem& problem);

/// Solves a problem with isotropic speed. Sets the travel times, the counters and `aborted` of the result.
void solveOnHost(const SolverInput& input, const Monitor& monitor, Result& result);

} // namespace isochrone::image
