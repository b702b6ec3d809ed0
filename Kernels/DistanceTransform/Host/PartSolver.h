// PartSolver.h - the distance transform of an image that is divided among processes, on the host.
#pragma once

#include "DistanceTransform/DistanceTransform.h"

namespace isochrone::distance {

/// Solves the piece of this process of a validated, shared problem. Sets all members of the result but ranOn.
/// @throws Error if memory is insufficient; the caller then stops the other processes (Sharing)
void solvePartOnHost(const Problem& problem, const Options& options, int threads, const Monitor& monitor,
                     Result& result);

} // namespace isochrone::distance
