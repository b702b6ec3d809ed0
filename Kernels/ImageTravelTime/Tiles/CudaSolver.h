// CudaSolver.h - the CUDA solver. Built only with ISOCHRONE_WITH_CUDA.
#pragma once

#include "ImageTravelTime/Seeds/SolverInput.h"

#include <cstddef>

namespace isochrone::image {

/// Returns the device memory that solveOnCuda or solveOrthogonalOnCuda needs, bytes.
std::size_t cudaBytes(const SolverInput& input);

/// Solves a problem with isotropic speed on the current CUDA device. Sets the travel times, the counters and
/// `aborted` of the result.
/// @throws Error if the device fails
void solveOnCuda(const SolverInput& input, const Monitor& monitor, Result& result);

/// The same on rectilinear and spherical grids.
void solveOrthogonalOnCuda(const SolverInput& input, const Monitor& monitor, Result& result);

/// The same for problems with tensors. If seeds are factored, adds the points that start with the time along
/// the straight line to the starts.
std::size_t cudaTensorBytes(const SolverInput& input);
void solveTensorsOnCuda(SolverInput& input, const Monitor& monitor, Result& result);

} // namespace isochrone::image
