// CudaTiltedSolver.h - the part of CudaSolver.cu for tilted media, compiled at the same time.
#pragma once

#include "RayTracing/RayTracing.h"

namespace isochrone::rays {

/// solveOnCuda (CudaSolver.h) for a tilted medium.
void solveTiltedOnCuda(const Problem& problem, const Options& options, const Monitor& monitor,
                       Result& result);

} // namespace isochrone::rays
