#include "CurvaturePaths/CurvaturePathsCuda.h"

#include "CurvaturePaths/CurvaturePathsSolver.h"
#include "Execution/CudaDevice.h"

namespace isochrone::curvature {

std::size_t cudaBytes(const Problem& problem) { return tileBytes(problem); }

Result solveOnCuda(const Problem& problem, std::span<const SeedState> seeds, const Monitor& monitor) {
  execution::CudaDevice device;
  return solveTiles(device, problem, seeds, monitor);
}

} // namespace isochrone::curvature
