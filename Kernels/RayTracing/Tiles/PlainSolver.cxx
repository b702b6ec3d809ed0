#include "RayTracing/Tiles/PlainSolver.h"

#include "Execution/HostDevice.h"
#include "RayTracing/Tiles/PlainRelaxation.h"
#include "RayTracing/Validation.h"

namespace isochrone::rays {

#ifndef ISOCHRONE_WITH_CUDA // chooseBackend refuses Cuda in this case
void solvePlainlyOnCuda(const Problem&, const Options&, const Monitor&, Result&) {}
#endif

std::size_t plainBytes(const Problem& problem, const Options& options) {
  return withTypes(options, [&](auto, auto real) {
    using Real = decltype(real);
    const PaddedImage image =
        paddedImage(problem.grid, makeForwardStar(problem.grid, options.neighbours, options.radius), noTiles);
    return modelBytes<Real>(problem, options, image) + 2 * std::size_t(image.size) * sizeof(Real) +
           std::size_t(problem.grid.points()) / PointBlocks::Lanes::size * 5;
  });
}

void solvePlainly(const Problem& problem, const Options& options, Backend backend, int threads,
                  const Monitor& monitor, Result& result) {
  if (backend == Backend::Cuda) return solvePlainlyOnCuda(problem, options, monitor, result);
  requireHostMemory(resultBytes(problem, options) + plainBytes(problem, options), nameOf(problem, options));
  execution::HostDevice device{threads};
  relaxPlainly(device, problem, options, monitor, result);
}

} // namespace isochrone::rays
