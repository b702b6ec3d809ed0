#include "RayTracing/RayTracing.h"

#ifdef ISOCHRONE_WITH_CUDA
#include "RayTracing/RayTracingCuda.h"
#endif
#include "RayTracing/HostSolver.h"
#include "RayTracing/Validation.h"

namespace isochrone::rays {

namespace {

#ifndef ISOCHRONE_WITH_CUDA // chooseBackend refuses Cuda then
std::size_t cudaBytes(const Problem&, const Options&) { return 0; }
void solveOnCuda(const Problem&, const Options&, const Monitor&, Result&) {}
#endif

} // namespace

Result solveRayTracing(const Problem& problem, const Options& options, const Monitor& monitor) {
  // 1. Check the problem and choose where to run.
  validate(problem, options);
  Result result;
  result.ranOn = chooseBackend(options.backend, cudaBytes(problem, options));
  const int threads = chooseThreads(options.threads);
  if (!monitor.goOn(0)) {
    result.aborted = true;
    return result;
  }

  // 2. Travel times.
  if (result.ranOn.backend == Backend::Cuda)
    solveOnCuda(problem, options, monitor, result);
  else
    solveOnHost(problem, options, threads, monitor, result);
  if (!result.aborted) monitor.goOn(1);
  return result;
}

} // namespace isochrone::rays
