// CurvaturePathsCuda.h - the entry to the CUDA solver. Built only with ISOCHRONE_WITH_CUDA.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

#include <cstddef>
#include <span>

namespace isochrone::curvature {

/// A state where a path starts, and its start value.
struct SeedState {
  std::int64_t state;
  float value;
};

/// Device memory that solveOnCuda needs.
std::size_t cudaBytes(const Problem& problem);

/// Solves a valid problem on the current CUDA device. Sets travelTime, rounds, updatesPerPoint, workBytes and aborted of
/// the result. `stopAt` is not used: all values are final.
/// @param seeds  every state at most once
/// @throws Error if the device fails
Result solveOnCuda(const Problem& problem, std::span<const SeedState> seeds, const Monitor& monitor);

} // namespace isochrone::curvature
