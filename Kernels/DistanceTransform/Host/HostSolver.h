// HostSolver.h - the distance transform by threads and SIMD on the host.
#pragma once

#include "DistanceTransform/DistanceTransform.h"
#include "DistanceTransform/Host/Passes.h"

namespace isochrone::distance {

/// Solves a validated problem. Sets all members of the result but ranOn.
/// @param windowSteps  0: solves all lines by envelopes; large: by windows wherever possible. Does not change
///                     the result
/// @throws Error if memory is insufficient
void solveOnHost(const Problem& problem, const Options& options, int threads, const Monitor& monitor,
                 Result& result, int windowSteps = payingSteps);

} // namespace isochrone::distance
