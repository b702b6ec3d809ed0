#include "DistanceTransform/DistanceTransform.h"

#ifdef ISOCHRONE_WITH_CUDA
#include "DistanceTransform/Tiles/CudaSolver.h"
#endif
#include "DistanceTransform/Host/HostSolver.h"
#include "DistanceTransform/Host/PartSolver.h"
#include "DistanceTransform/Host/SurfaceSolver.h"
#include "DistanceTransform/Scheme/Tiling.h"
#include "DistanceTransform/Validation.h"

namespace isochrone::distance {

namespace {

#ifndef ISOCHRONE_WITH_CUDA // chooseBackend refuses Cuda in this case
std::size_t cudaBytes(const Problem&, const Options&) { return 0; }
void solveOnCuda(const Problem&, const Options&, const Monitor&, Result&) {}
#endif

/// Returns an image with periodic axes, or a rectilinear grid, as an image that is divided into one part.
Problem asOnePart(const Problem& problem) {
  Problem one = problem;
  one.sharing.owned = one.sharing.solved = {problem.box()};
  return one;
}

Result solveWhereChosen(const Problem& problem, const Options& options, const Monitor& monitor) {
  // 1. Check the problem and choose the backend.
  validate(problem, options);
  Result result;
  const bool special = isPeriodic(problem) || problem.rectilinear;
  if (problem.isShared())
    result.ranOn = {Backend::Host, "the image is divided among processes"};
  else
    result.ranOn = chooseBackend(options.backend, cudaBytes(problem, options));
  const double time = problem.surface ? 300 : 1; // ns for a point
  const int threads = chooseThreads(options.threads, time * double(problem.box().points()));
  if (!monitor.report(0)) {
    result.aborted = true;
    return result;
  }

  // 2. Solve.
  if (result.ranOn.backend == Backend::Cuda) {
    requireHostMemory(resultBytes(problem, options), nameOf(problem));
    solveOnCuda(problem, options, monitor, result);
  } else if (problem.surface) {
    solveSurfaceOnHost(problem, options, threads, monitor, result);
  } else if (special) {
    solvePartOnHost(asOnePart(problem), options, threads, monitor, result);
  } else if (problem.isShared()) {
    solvePartOnHost(problem, options, threads, monitor, result);
  } else {
    solveOnHost(problem, options, threads, monitor, result);
  }
  if (!result.aborted) {
    monitor.report(1);
    return result;
  }

  // 3. A stopped solve has no results.
  Result stopped;
  stopped.ranOn = result.ranOn;
  stopped.aborted = true;
  return stopped;
}

} // namespace

Result solveDistanceTransform(const Problem& problem, const Options& options, const Monitor& monitor) {
  return solveWithFallback(options, [&](const Options& o) { return solveWhereChosen(problem, o, monitor); });
}

} // namespace isochrone::distance
