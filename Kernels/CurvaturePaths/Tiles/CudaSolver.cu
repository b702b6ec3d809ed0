#include "CurvaturePaths/Tiles/CudaSolver.h"

#include "CurvaturePaths/Tiles/TileSolver.h"
#include "Execution/CudaDevice.h"

namespace isochrone::curvature {

std::size_t cudaBytes(const Problem& problem, const Discretisation& discretisation) {
  return tileBytes(problem, discretisation);
}

void solveOnCuda(const Problem& problem, const Discretisation& discretisation,
                 const std::vector<StartState>& starts, const std::vector<Placement>& tips,
                 const Monitor& monitor, Result& result) {
  execution::CudaDevice device;
  solveTiles(device, problem, discretisation, starts, tips, monitor, result);
}

} // namespace isochrone::curvature
