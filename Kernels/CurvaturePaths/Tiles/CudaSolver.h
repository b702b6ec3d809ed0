// CudaSolver.h - the entry to the CUDA solver. Built only with ISOCHRONE_WITH_CUDA.
#pragma once

#include "CurvaturePaths/Scheme/Starts.h"

#include <cstddef>
#include <vector>

namespace isochrone::curvature {

/// Returns the device memory that solveOnCuda needs.
std::size_t cudaBytes(const Problem& problem, const Discretisation& discretisation);

/// Solves a validated problem on the current CUDA device. Sets travelTime, uncorrected, rounds,
/// updatesPerPoint, workBytes and aborted of the result.
/// @param starts  each state once
/// @param tips    placements of options.stopAt; ignored with corrected differences, where all values are made
///         final
/// @throws Error if the device fails
void solveOnCuda(const Problem& problem, const Discretisation& discretisation,
                 const std::vector<StartState>& starts, const std::vector<Placement>& tips,
                 const Monitor& monitor, Result& result);

} // namespace isochrone::curvature
