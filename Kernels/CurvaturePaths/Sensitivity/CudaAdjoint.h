// CudaAdjoint.h - the entry to the discrete adjoint on CUDA. Built only with ISOCHRONE_WITH_CUDA.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

namespace isochrone::curvature {

struct SensitivityTask;

/// Runs spreadOnDevice of AdjointSolver.h on the current CUDA device.
/// @throws Error if the device fails
void spreadOnCuda(const Problem& problem, SensitivityTask& task, bool radiusAndShift, const Monitor& monitor,
                  Sensitivities& result);

} // namespace isochrone::curvature
