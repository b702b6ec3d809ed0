// HostSolver.h - the distance transform on the threads and vectors of the host.
#pragma once

#include "DistanceTransform/Host/Passes.h"
#include "DistanceTransform/Scheme/Units.h"

namespace isochrone::distance {

/// Solves a validated problem. Sets everything in the result but ranOn.
/// @param windowSteps  0: by hulls alone; many: by windows wherever they can. Never changes the answer
/// @throws Error if there is not enough memory
void solveOnHost(const Problem& problem, const Options& options, const Measure& measure, int threads,
                 const Monitor& monitor, Result& result, int windowSteps = payingSteps);

} // namespace isochrone::distance
