#include "MeshTravelTime/Tiles/DecomposedSolver.h"

#include "Execution/HostDevice.h"
#include "MeshTravelTime/Tiles/Methods.h"

namespace isochrone::mesh {

Values<float> solveDecomposedOnHost(const VertexStars& stars, const std::vector<Start>& starts,
                                    const Sharing& sharing, const Options& options, int threads,
                                    const Monitor& monitor, Result& result) {
  execution::HostDevice device{threads};
  return solveByKernels(device, stars, starts, sharing, options, {}, monitor, result);
}

std::size_t decomposedBytes(const Problem& problem) { return kernelBytes(problem); }

} // namespace isochrone::mesh
