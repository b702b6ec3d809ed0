#pragma once

#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Scheme/VertexStars.h"
#include "MeshTravelTime/Seeds/Starts.h"

#include <cstddef>
#include <vector>

namespace isochrone::mesh {

/// Computes the same as solveOnHost, by the kernels of the paper's two decompositions, for comparison with
/// CUDA.
Values<float> solveDecomposedOnHost(const VertexStars& stars, const std::vector<Start>& starts,
                                    const Sharing& sharing, const Options& options, int threads,
                                    const Monitor& monitor, Result& result);

/// Returns the number of bytes that it needs.
std::size_t decomposedBytes(const Problem& problem);

} // namespace isochrone::mesh
