// CudaSolver.h - the CUDA solver. Built only with ISOCHRONE_WITH_CUDA.
#pragma once

#include "ImageTravelTime/Seeds/Seeding.h"

#include <cstddef>
#include <vector>

namespace isochrone::image {

/// Returns the device memory that solveOnCuda needs, bytes.
std::size_t cudaBytes(const Problem& problem, const std::vector<SeedPoint>& seeds);

/// Solves a validated problem with isotropic speed on the current CUDA device. Sets travelTime, rounds,
/// updatesPerPoint, workBytes and aborted of the result.
/// @throws Error if the device fails
void solveOnCuda(const Problem& problem, const std::vector<SeedPoint>& seeds, const Options& options,
                 const Monitor& monitor, Result& result);

} // namespace isochrone::image
