// CudaSolver.h - the entry to the CUDA solver. Built only with ISOCHRONE_WITH_CUDA.
#pragma once

#include "RayTracing/RayTracing.h"

#include <cstddef>

namespace isochrone::rays {

/// Device memory that solveOnCuda needs.
std::size_t cudaBytes(const Problem& problem, const Options& options);

/// Solves a validated problem on the current CUDA device. Sets the fields' times, and predecessors where
/// waves are to be described, as far as they are earlier; relaxationsPerPoint, workBytes and aborted.
/// @throws Error if the device fails
void solveOnCuda(const Problem& problem, const Options& options, const Monitor& monitor, Result& result);

} // namespace isochrone::rays
