// CudaSolver.h - the entry to the CUDA solver. Built only with ISOCHRONE_WITH_CUDA.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Scheme/VertexStars.h"
#include "MeshTravelTime/Seeds/Starts.h"

#include <vector>

namespace isochrone::mesh {

/// Computes the same as solveOnHost, on the current CUDA device and with the method of the options.
/// @throws Error if the device fails
Values<float> solveOnCuda(const VertexStars& stars, const std::vector<Start>& starts, const Sharing& sharing,
                          const Options& options, const Monitor& monitor, Result& result);

} // namespace isochrone::mesh
