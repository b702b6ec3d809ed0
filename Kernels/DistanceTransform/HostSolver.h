// HostSolver.h - the distance transform on the threads and vectors of the host.
#pragma once

#include "DistanceTransform/Measure.h"

namespace isochrone::distance {

/// Solves a validated problem. Sets everything in the result but ranOn.
void solveOnHost(const Problem& problem, const Options& options, const Measure& measure, int threads,
                 const Monitor& monitor, Result& result);

} // namespace isochrone::distance
