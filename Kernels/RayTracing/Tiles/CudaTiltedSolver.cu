#include "RayTracing/Tiles/CudaTiltedSolver.h"

#include "Execution/CudaDevice.h"
#include "RayTracing/Tiles/PlainRelaxation.h"
#include "RayTracing/Tiles/TileSolver.h"

namespace isochrone::rays {

void solveTiltedOnCuda(const Problem& problem, const Options& options, const Monitor& monitor,
                       Result& result) {
  execution::CudaDevice device;
  if (options.method == Method::PlainRelaxation)
    relaxPlainlyIn<true>(device, problem, options, monitor, result);
  else
    solveByTilesIn<true>(device, problem, options, {}, monitor, result);
}

} // namespace isochrone::rays
