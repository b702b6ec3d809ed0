#include "RayTracing/RayTracing.h"

#include "Error.h"
#include "Execution/HostDevice.h"
#ifdef ISOCHRONE_WITH_CUDA
#include "RayTracing/Tiles/CudaSolver.h"
#endif
#include "RayTracing/Host/HostSolver.h"
#include "RayTracing/Paths/Predecessors.h"
#include "RayTracing/Scheme/MinMax.h"
#include "RayTracing/Scheme/Precision.h"
#include "RayTracing/Scheme/WholeImage.h"
#include "RayTracing/Seeds/PeriodicProblem.h"
#include "RayTracing/Seeds/Starts.h"
#include "RayTracing/Tiles/PlainRelaxation.h"
#include "RayTracing/Validation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace isochrone::rays {

namespace {

#ifndef ISOCHRONE_WITH_CUDA // chooseBackend refuses Cuda in this case
std::size_t cudaBytes(const Problem&, const Options&) { return 0; }
void solveOnCuda(const Problem&, const Options&, const Monitor&, Result&) {}
#endif

/// Returns whether at most two binary digits of the shortest edge may remain when its time is added to the
/// latest time.
template <class Real>
bool mayLoseEdges(const grid::GridPart& part, double shortest, execution::RoundPool& pool,
                  std::span<const Field> fields) {
  double some = 0; // negative: true
  for (const Field& field : fields) {
    const auto times = extremesOf<Real>(timesOf<Real>(field), pool);
    const double latest = std::max(std::abs(double(times.minimum)), double(times.maximum));
    if (std::isfinite(latest) && shortest < 2 * latest * double(std::numeric_limits<Real>::epsilon()))
      some = -1;
  }
  part.allMin({&some, 1});
  return some < 0;
}

/// Returns the backend. Images that are divided among processes are solved on the host.
BackendChoice chooseFor(const Problem& problem, const Options& options) {
  if (problem.part.isDivided() && !problem.part.periodic) return chooseBackendForParts(options.backend);
  return chooseBackend(options.backend, cudaBytes(problem, options));
}

/// Fills the fields of a valid problem.
template <class Real>
void solveFields(const Problem& problem, const Options& options, const SlownessRange& range,
                 execution::HostDevice& host, const Monitor& monitor, Result& result) {
  // 1. Compute the travel times.
  TilePlan<Real> plan(problem, options, range);
  if (result.ranOn.backend == Backend::Cuda) {
    solveOnCuda(problem, options, monitor, result);
  } else if (options.method == Method::PlainRelaxation) {
    requireHostMemory(resultBytes(problem, options) + plainBytes(problem, options), nameOf(problem, options));
    relaxPlainly(host, problem, options, monitor, result);
  } else {
    solveOnHost(problem, options, range, plan, host.pool, monitor, result);
  }
  if (result.aborted) return;

  // 2. Derive the rounding risk, predecessors and sources from the times.
  result.roundingRisk = mayLoseEdges<Real>(problem.part, range.minimumTime, host.pool, result.fields);
  const auto runs = runsOf(problem, options);
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (run > 0 && !monitor.report(1)) {
      result.aborted = true;
      result.fields.clear();
      return;
    }
    describeWaves(problem, options, plan, runs[run], result.roundingRisk, host.pool, result.fields[run]);
  }
}

Result solveWhereChosen(const Problem& problem, const Options& options, const Monitor& monitor) {
  constexpr double time = 100; // ns for a point
  execution::HostDevice host{chooseThreads(options.threads, time * double(problem.grid.points()))};
  const SlownessRange range = validate(problem, options, host.pool);
  Result result;
  result.ranOn = chooseFor(problem, options);
  result.aborted = !monitor.report(0);
  if (result.aborted) return result;
  if (options.doublePrecision)
    solveFields<double>(problem, options, range, host, monitor, result);
  else
    solveFields<float>(problem, options, range, host, monitor, result);
  if (!result.aborted) monitor.report(1);
  return result;
}

/// Solves an image with periodic axes.
Result solvePeriodic(const Problem& given, const Options& options, const Monitor& monitor) {
  execution::RoundPool pool(1);
  validate(given, options, pool);
  const PeriodicProblem periodic(given, options);
  Result result = solveWithFallback(
      options, [&](const Options& o) { return solveWhereChosen(periodic.problem(), o, monitor); });
  for (Field& field : result.fields) periodic.crop(field);
  result.exchanges = 0, result.bytesTold = 0, result.criticalRelaxations = 0; // with itself
  return result;
}

} // namespace

Grid wholeGrid(const Problem& problem) {
  Grid whole = problem.grid;
  if (problem.part.isDivided())
    whole.nx = problem.part.whole[0], whole.ny = problem.part.whole[1], whole.nz = problem.part.whole[2];
  return whole;
}

GridIndex periodOf(const Problem& problem, WeightRule rule) {
  GridIndex period = problem.grid.sizes();
  for (int a = 0; a < 3; ++a)
    if (rule == WeightRule::Cells && problem.periodic[a] && period[a] > 1) --period[a];
  return period;
}

Result solveRayTracing(const Problem& problem, const Options& options, const Monitor& monitor) {
  if (isPeriodic(problem)) return solvePeriodic(problem, options, monitor);
  return solveWithFallback(options, [&](const Options& o) { return solveWhereChosen(problem, o, monitor); });
}

} // namespace isochrone::rays
