#include "RayTracing/Tiles/CudaSolver.h"

#include "Execution/CudaDevice.h"
#include "RayTracing/Tiles/CudaTiltedSolver.h"
#include "RayTracing/Tiles/PlainRelaxation.h"
#include "RayTracing/Tiles/TileSolver.h"

namespace isochrone::rays {

std::size_t cudaBytes(const Problem& problem, const Options& options) {
  const bool plain = options.method == Method::PlainRelaxation;
  return plain ? plainBytes(problem, options) : kernelBytes(problem, options);
}

void solveOnCuda(const Problem& problem, const Options& options, const Monitor& monitor, Result& result) {
  if (problem.tilted) return solveTiltedOnCuda(problem, options, monitor, result);
  execution::CudaDevice device;
  if (options.method == Method::PlainRelaxation)
    relaxPlainlyIn<false>(device, problem, options, monitor, result);
  else
    solveByTilesIn<false>(device, problem, options, {}, monitor, result);
}

} // namespace isochrone::rays
