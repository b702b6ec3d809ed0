#include "RayTracing/Tiles/PlainSolver.h"

#include "Execution/CudaDevice.h"
#include "RayTracing/Tiles/PlainRelaxation.h"

namespace isochrone::rays {

void solvePlainlyOnCuda(const Problem& problem, const Options& options, const Monitor& monitor,
                        Result& result) {
  execution::CudaDevice device;
  relaxPlainly(device, problem, options, monitor, result);
}

} // namespace isochrone::rays
