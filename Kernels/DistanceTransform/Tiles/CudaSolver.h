// CudaSolver.h - the entry to the CUDA solver. Built only with ISOCHRONE_WITH_CUDA.
#pragma once

#include "DistanceTransform/DistanceTransform.h"

#include <cstddef>

namespace isochrone::distance {

/// Returns the number of bytes of device memory that solveOnCuda needs.
std::size_t cudaBytes(const Problem& problem, const Options& options);

/// Solves a validated problem on the current CUDA device. Sets all members of the result but ranOn.
/// @throws Error if the device fails
void solveOnCuda(const Problem& problem, const Options& options, const Monitor& monitor, Result& result);

} // namespace isochrone::distance
