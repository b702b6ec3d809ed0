#include "DistanceTransform/Tiles/CudaSolver.h"

#include "DistanceTransform/Tiles/SurfaceSearch.h"
#include "DistanceTransform/Tiles/TileSolver.h"
#include "Execution/CudaDevice.h"

namespace isochrone::distance {

std::size_t cudaBytes(const Problem& problem, const Options& options) {
  if (problem.surface) return surface::searchBytes(searchedBox(problem), problem.surface->pieces.size());
  return transformBytes(problem, options);
}

void solveOnCuda(const Problem& problem, const Options& options, const Monitor& monitor, Result& result) {
  execution::CudaDevice device;
  if (problem.surface) return solveSurface(device, problem, options, monitor, result);
  solveTransform(device, problem, options, {}, monitor, result);
}

} // namespace isochrone::distance
