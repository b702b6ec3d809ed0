#include "RayTracing/Tiles/PlainRelaxation.h"

#include "Execution/HostDevice.h"
#include "RayTracing/Tiles/TileSolver.h"
#include "RayTracing/Validation.h"

namespace isochrone::rays {

void relaxPlainlyOnHost(const Problem& problem, const Options& options, int threads, const Monitor& monitor,
                        Result& result) {
  requireHostMemory(resultBytes(problem, options) + kernelBytes(problem, options), nameOf(problem, options));
  execution::HostDevice device{threads};
  solvePlainly(device, problem, options, nullptr, monitor, result);
}

} // namespace isochrone::rays
