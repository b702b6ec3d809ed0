// SurfaceSolver.h - distances to a surface on the host.
#pragma once

#include "DistanceTransform/DistanceTransform.h"

namespace isochrone::distance {

/// Solves a validated problem with a surface. Sets all members of the result but ranOn.
/// @throws Error if memory is insufficient
void solveSurfaceOnHost(const Problem& problem, const Options& options, int threads, const Monitor& monitor,
                        Result& result);

} // namespace isochrone::distance
