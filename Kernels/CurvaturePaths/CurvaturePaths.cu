#include "CurvaturePaths/CurvaturePathsCuda.h"

#include "CurvaturePaths/CurvaturePathsSolver.h"
#include "Execution/CudaDevice.h"

namespace isochrone::curvature {

std::size_t cudaBytes(const Problem& problem) { return tileBytes(problem); }

void solveOnCuda(const Problem& problem, const std::vector<Placement>& seeds, const Monitor& monitor,
                 Result& result) {
  execution::CudaDevice device;
  solveTiles(device, problem, seeds, monitor, result);
}

} // namespace isochrone::curvature
