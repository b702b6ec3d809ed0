#include "ImageTravelTime/ImageTravelTime.h"

#include "Error.h"
#include "ImageTravelTime/Host/HostSolver.h"
#ifdef ISOCHRONE_WITH_CUDA
#include "ImageTravelTime/Tiles/CudaSolver.h"
#endif
#include "ImageTravelTime/Host/SecondOrder.h"
#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Paths/NearestSeed.h"
#include "ImageTravelTime/Reuse.h"
#include "ImageTravelTime/Seeds/ClosedProblem.h"
#include "ImageTravelTime/Seeds/FactoringBalls.h"
#include "ImageTravelTime/Seeds/PeriodicProblem.h"
#include "ImageTravelTime/Tensors/TensorRefinement.h"
#include "ImageTravelTime/Tensors/TensorSolver.h"
#include "ImageTravelTime/Tiles/TensorTerms.h"
#include "ImageTravelTime/Validation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace isochrone::image {

namespace {

#ifndef ISOCHRONE_WITH_CUDA // chooseBackend then rejects Cuda
std::size_t cudaBytes(const SolverInput&) { return 0; }
std::size_t cudaTensorBytes(const SolverInput&) { return 0; }
void solveOnCuda(const SolverInput&, const Monitor&, Result&) {}
void solveOrthogonalOnCuda(const SolverInput&, const Monitor&, Result&) {}
void solveTensorsOnCuda(SolverInput&, const Monitor&, Result&) {}
#endif

/// Returns the backend. Images that are divided among processes are solved on the host.
BackendChoice chooseFor(const SolverInput& input) {
  const Backend requested = input.options.backend;
  if (requested == Backend::Host) return chooseBackend(Backend::Host, 0);
  const grid::GridPart& part = input.problem.part;
  if (part.isDivided() && !part.periodic) return chooseBackendForParts(requested);
  return chooseBackend(requested, hasTensors(input.problem) ? cudaTensorBytes(input) : cudaBytes(input));
}

/// Checks the memory before the host allocates any.
void requireMemory(const Problem& problem, SourceFactoring factoring, Backend backend) {
  const Grid& g = problem.grid;
  const bool tensors = hasTensors(problem);
  requireHostMemory(!tensors                   ? hostBytes(problem)
                    : backend == Backend::Host ? tensorBytes(problem, factoring)
                                               : tensorTermsBytes(problem, factoring),
                    "the travel times of " + std::to_string(g.nx) + " x " + std::to_string(g.ny) + " x " +
                        std::to_string(g.nz) + " points" + (tensors ? " with tensors" : ""));
}

/// Returns Result::blurredSeed. A seed that another front passed earlier has no arrivals to blur.
std::int32_t findBlurredSeed(const SolverInput& input, std::span<const float> travelTime) {
  const Problem& p = input.problem;
  constexpr double maximum = 1. / 16, rounding = std::numeric_limits<float>::epsilon() / 2;
  const Position h = p.grid.spacing();
  const GridIndex size = p.grid.sizes();
  for (const SeedPoint& seed : input.starts) {
    const double blur = rounding * std::abs(seed.value);
    if (travelTime[seed.point] < seed.value - 2 * blur) continue;
    double step = std::numeric_limits<double>::infinity(); // time of the shortest step
    if (p.orthogonal) step = p.orthogonal->typicalStep() * slownessAt(p, seed.point);
    for (int axis = 0; axis < 3; ++axis)
      for (const double sign : {1., -1.}) {
        Position along{};
        along[axis] = sign * h[axis];
        if (size[axis] > 1 && !p.orthogonal) step = std::min(step, timeAlong(p, seed.point, along));
      }
    if (blur > maximum * step) return seed.seed;
  }
  return -1;
}

Result solveWhereChosen(const Problem& problem, const Options& options, const Monitor& monitor) {
  // 1. Check the problem, place the seeds, and choose where to run.
  SolverInput input(problem, options);
  Result result;
  result.seeds = input.placements;
  result.ranOn = chooseFor(input);
  result.largestDrift = input.speed.drift;
  if (!monitor.report(0)) {
    result.aborted = true;
    return result;
  }

  // 2. Solve.
  const bool tensors = hasTensors(problem);
  const Backend backend = result.ranOn.backend;
  if (tensors || backend == Backend::Host) requireMemory(problem, options.factoring, backend);
  if (backend == Backend::Cuda) {
    if (tensors)
      solveTensorsOnCuda(input, monitor, result);
    else if (problem.orthogonal)
      solveOrthogonalOnCuda(input, monitor, result);
    else
      solveOnCuda(input, monitor, result);
  } else {
    tensors ? solveTensorsOnHost(input, monitor, result) : solveOnHost(input, monitor, result);
  }
  if (result.aborted) return result;

  // 3. Refine to second order, find the first seeds, and flag results of limited use.
  const bool isTensorRefinement = refinesTensors(problem, options);
  if (isTensorRefinement || options.order == 2) {
    if (options.keepFirstOrder && hasHostMemory(result.travelTime.size() * sizeof(float)))
      result.firstOrder = result.travelTime;
    const auto refine = isTensorRefinement ? refineTensors : refineToSecondOrder;
    result.aborted = !refine(input, monitor, result.travelTime);
  }
  if (!result.aborted && options.seedIds) {
    result.seed = nearestSeeds(input, result.travelTime, monitor);
    result.aborted = result.seed.empty();
  }
  if (result.aborted) {
    result.travelTime.clear(), result.updates.clear(), result.firstOrder.clear();
    return result;
  }
  result.blurredSeed = findBlurredSeed(input, result.travelTime);
  result.roughSpeed = options.factoring == SourceFactoring::Multiplicative && !hasTensors(problem) &&
                      isRough(problem, input.pool);
  monitor.report(1);
  return result;
}

/// @throws Error unless the values may be travel times from the seeds of the problem. The schemes agree on
/// the point that the front reaches first, and on the order of others up to their errors.
void requireTimesFromSeeds(const SolverInput& input, std::span<const float> u) {
  const Problem& p = input.problem;
  double largest = 0;
  for (const float t : u)
    if (std::isfinite(t)) largest = std::max(largest, double(std::abs(t)));
  for (const SeedPoint& start : input.starts)
    if (std::isfinite(u[start.point])) largest = std::max(largest, std::abs(start.value));
  const double rounding = 1e-5 * largest;
  double earliest = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < p.seeds.size(); ++s)
    if (input.placements[s].status != Placement::Status::Outside)
      earliest = std::min(earliest, p.seeds[s].startValue);
  for (std::int64_t n = 0; n < std::int64_t(u.size()); ++n) {
    if (std::isnan(u[n]) || u[n] < earliest - rounding)
      fail("a travel time must not be earlier than the first start value, ", earliest, ", got ", u[n], " at ",
           nameOf(p, n), ": give the times that were computed for these seeds");
    if (std::isfinite(u[n]) && isBarrier(p, n))
      fail("there is a travel time, ", u[n], ", in a barrier, ", nameOf(p, n),
           ": give the barriers with which the times were computed");
  }
  const auto first = std::ranges::min_element(input.starts, {}, &SeedPoint::value);
  if (first == input.starts.end() || std::isinf(u[first->point]))
    return; // none in this part, or it had stopped
  if (u[first->point] > first->value + rounding)
    fail("the travel time ", u[first->point], " at ", nameOf(p, first->point), " is later than that of seed ",
         first->seed, " next to it, ", first->value,
         ": give the speed, barriers and seeds with which the times were computed");
}

/// Makes a result from given times.
Result takeWhole(const Problem& problem, const Options& options, std::span<const float> travelTime,
                 const Monitor& monitor) {
  const SolverInput input(problem, options);
  requireTimesFromSeeds(input, travelTime);
  Result result;
  result.seeds = input.placements;
  result.ranOn.reason = "the travel time was given";
  result.largestDrift = input.speed.drift;
  if (options.seedIds) result.seed = nearestSeeds(input, travelTime, monitor);
  result.aborted = (options.seedIds && result.seed.empty()) || !monitor.report(1);
  return result;
}

} // namespace

namespace {

/// Solves an image with periodic axes, or takes its travel times.
/// @param known  travel times; empty: solve
Result solvePeriodic(const Problem& given, Options options, std::span<const float> known,
                     const Monitor& monitor) {
  {
    execution::RoundPool pool(chooseThreads(options.threads, 50 * double(given.grid.points())));
    validate(given, options, pool);
  }
  const std::optional<GridIndex> reach = stencilReach(given, options.threads, monitor);
  if (!reach) {
    Result stopped;
    stopped.aborted = true;
    return stopped;
  }
  const bool mayUseDevice = chooseBackend(options.backend, 0).backend == Backend::Cuda;
  const PeriodicProblem periodic(given, *reach, mayUseDevice);
  for (Position& tip : options.stopAt) tip = periodic.inGrid(tip);
  Result result =
      known.empty()
          ? solveWithFallback(
                options, [&](const Options& o) { return solveWhereChosen(periodic.problem(), o, monitor); })
          : takeWhole(periodic.problem(), options, periodic.part().extend(known), monitor);
  result.reach = *reach;
  periodic.part().crop(result.travelTime);
  periodic.part().crop(result.seed);
  periodic.part().crop(result.updates);
  result.seeds.resize(given.seeds.size());
  std::size_t usable = 0;
  for (Placement& seed : result.seeds) {
    usable += seed.status == Placement::Status::Inside;
    if (seed.point >= 0)
      seed.point = given.grid.index(periodic.part().inImage(periodic.problem().grid.indices(seed.point)));
  }
  result.ballRadius.resize(std::min(usable, result.ballRadius.size()));
  result.exchanges = 0, result.bytesTold = 0; // with itself
  return result;
}

/// Solves a spherical grid that goes around without a copy of its first meridian, or takes its travel times.
/// @param known  travel times; empty: solve
Result solveClosed(const Problem& given, const Options& options, std::span<const float> known,
                   const Monitor& monitor) {
  const ClosedProblem closed(given);
  Result result = known.empty() ? solveWithFallback(options,
                                                    [&](const Options& o) {
                                                      return solveWhereChosen(closed.problem(), o, monitor);
                                                    })
                                : takeWhole(closed.problem(), options, closed.extend(known), monitor);
  closed.crop(result.travelTime);
  closed.crop(result.seed);
  closed.crop(result.updates);
  for (Placement& seed : result.seeds)
    if (seed.point >= 0) seed.point = closed.inGrid(seed.point);
  return result;
}

} // namespace

Result solveImageTravelTime(const Problem& problem, const Options& options, const Monitor& monitor) {
  requireDriftSize(problem);
  if (problem.orthogonal) requireOrthogonal(problem);
  if (isOpenCircle(problem)) return solveClosed(problem, options, {}, monitor);
  const Problem effective = withoutZeroDrift(problem);
  if (isPeriodic(problem)) return solvePeriodic(effective, options, {}, monitor);
  return solveWithFallback(options,
                           [&](const Options& o) { return solveWhereChosen(effective, o, monitor); });
}

Result takeTravelTime(const Problem& problem, const Options& options, Values<float> travelTime,
                      const Monitor& monitor) {
  requireTravelTime(problem.grid, travelTime);
  requireDriftSize(problem);
  if (problem.orthogonal) requireOrthogonal(problem);
  const Problem effective = withoutZeroDrift(problem);
  Result result = isOpenCircle(problem)   ? solveClosed(problem, options, travelTime, monitor)
                  : isPeriodic(effective) ? solvePeriodic(effective, options, travelTime, monitor)
                                          : takeWhole(effective, options, travelTime, monitor);
  if (!result.aborted) result.travelTime = std::move(travelTime);
  return result;
}

} // namespace isochrone::image
