#include "RayTracing/Tiles/CudaSolver.h"

#include "Execution/CudaDevice.h"
#include "RayTracing/Tiles/TileSolver.h"

namespace isochrone::rays {

std::size_t cudaBytes(const Problem& problem, const Options& options) {
  return kernelBytes(problem, options);
}

void solveOnCuda(const Problem& problem, const Options& options, const Monitor& monitor, Result& result) {
  execution::CudaDevice device;
  solveByTiles(device, problem, options, {}, monitor, result);
}

} // namespace isochrone::rays
