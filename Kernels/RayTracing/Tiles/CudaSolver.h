// CudaSolver.h - the entry to the CUDA solver. Built only with ISOCHRONE_WITH_CUDA.
#pragma once

#include "RayTracing/RayTracing.h"

#include <cstddef>

namespace isochrone::rays {

/// Returns the number of bytes of device memory that solveOnCuda needs.
std::size_t cudaBytes(const Problem& problem, const Options& options);

/// Solves a validated problem on the current CUDA device. Sets the fields' times, relaxationsPerPoint,
/// workBytes and aborted. If predecessors or source ids are requested, also sets the predecessors that are
/// earlier neighbours.
/// @throws Error if the device fails
void solveOnCuda(const Problem& problem, const Options& options, const Monitor& monitor, Result& result);

} // namespace isochrone::rays
