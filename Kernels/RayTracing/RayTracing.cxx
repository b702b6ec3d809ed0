#include "RayTracing/RayTracing.h"

#ifdef ISOCHRONE_WITH_CUDA
#include "RayTracing/Tiles/CudaSolver.h"
#endif
#include "RayTracing/Host/HostSolver.h"
#include "RayTracing/Paths/Predecessors.h"
#include "RayTracing/Scheme/RoundingRisk.h"
#include "RayTracing/Seeds/Starts.h"
#include "RayTracing/Tiles/PlainSolver.h"
#include "RayTracing/Validation.h"

#include <vector>

namespace isochrone::rays {

namespace {

#ifndef ISOCHRONE_WITH_CUDA // chooseBackend refuses Cuda in this case
std::size_t cudaBytes(const Problem&, const Options&) { return 0; }
void solveOnCuda(const Problem&, const Options&, const Monitor&, Result&) {}
#endif

Result solveWhereChosen(const Problem& problem, const Options& options, const Monitor& monitor) {
  // 1. Check the problem and choose the backend.
  validate(problem, options);
  Result result;
  const bool plain = options.method == Method::PlainRelaxation;
  result.ranOn =
      chooseBackend(options.backend, plain ? plainBytes(problem, options) : cudaBytes(problem, options));
  const int threads = chooseThreads(options.threads);
  if (!monitor.report(0)) {
    result.aborted = true;
    return result;
  }

  // 2. Compute the travel times.
  if (plain)
    solvePlainly(problem, options, result.ranOn.backend, threads, monitor, result);
  else if (result.ranOn.backend == Backend::Cuda)
    solveOnCuda(problem, options, monitor, result);
  else
    solveOnHost(problem, options, threads, monitor, result);
  if (result.aborted) return result;

  // 3. Derive the rounding risk, predecessors and sources from the times.
  result.roundingRisk = hasRoundingRisk(problem, options, threads, result.fields);
  const auto runs = runsOf(problem, options);
  for (std::size_t run = 0; run < runs.size(); ++run)
    describeWaves(problem, options, runs[run], threads, result.fields[run]);
  monitor.report(1);
  return result;
}

} // namespace

Result solveRayTracing(const Problem& problem, const Options& options, const Monitor& monitor) {
  return solveWithFallback(options, [&](const Options& o) { return solveWhereChosen(problem, o, monitor); });
}

} // namespace isochrone::rays
