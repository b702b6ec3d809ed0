#include "DistanceTransform/DistanceTransform.h"

#include "DistanceTransform/HostSolver.h"
#include "DistanceTransform/Validation.h"

namespace isochrone::distance {

Result solveDistanceTransform(const Problem& problem, const Options& options, const Monitor& monitor) {
  // 1. Check the problem and choose where to run.
  validate(problem, options);
  Result result;
  result.ranOn = chooseBackend(options.backend == Backend::Automatic ? Backend::Host : options.backend, 0);
  const int threads = chooseThreads(options.threads);
  if (!monitor.goOn(0)) {
    result.aborted = true;
    return result;
  }

  // 2. Solve.
  solveOnHost(problem, options, threads, monitor, result);
  if (!result.aborted) monitor.goOn(1);
  return result;
}

} // namespace isochrone::distance
