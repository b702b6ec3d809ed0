#include "ImageTravelTime/ImageTravelTime.h"

#include "Error.h"
#include "ImageTravelTime/Host/HostSolver.h"
#ifdef ISOCHRONE_WITH_CUDA
#include "ImageTravelTime/Tiles/CudaSolver.h"
#endif
#include "ImageTravelTime/Host/SecondOrder.h"
#include "ImageTravelTime/Paths/NearestSeed.h"
#include "ImageTravelTime/Scheme/Tensors.h"
#include "ImageTravelTime/Seeds/Seeding.h"
#include "ImageTravelTime/Tensors/TensorSolver.h"
#include "ImageTravelTime/Validation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

namespace {

#ifndef ISOCHRONE_WITH_CUDA // chooseBackend then rejects Cuda
std::size_t cudaBytes(const Problem&, const std::vector<SeedPoint>&) { return 0; }
void solveOnCuda(const Problem&, const std::vector<SeedPoint>&, const Options&, const Monitor&, Result&) {}
#endif

/// Returns the backend. Tensors have no device kernels.
BackendChoice chooseFor(const Problem& problem, const std::vector<SeedPoint>& seeds, const Options& options) {
  if (options.backend == Backend::Host) return chooseBackend(Backend::Host, 0);
  if (!hasTensors(problem)) return chooseBackend(options.backend, cudaBytes(problem, seeds));
  if (options.backend == Backend::Cuda)
    throw Error("cannot run on CUDA: tensors have no CUDA kernel; choose the Host or the Automatic backend");
  return {Backend::Host, "tensors have no CUDA kernel"};
}

/// Returns Result::blurredSeed. A seed that another front passed earlier has no arrivals to blur.
std::int32_t findBlurredSeed(const Problem& p, const std::vector<SeedPoint>& seeds,
                             std::span<const float> travelTime) {
  constexpr double most = 1. / 16, rounding = std::numeric_limits<float>::epsilon() / 2;
  const double h[3] = {p.grid.hx, p.grid.hy, p.grid.hz};
  const std::int64_t size[3] = {p.grid.nx, p.grid.ny, p.grid.nz};
  for (const SeedPoint& seed : seeds) {
    const double blur = rounding * std::abs(seed.value);
    if (travelTime[seed.point] < seed.value - 2 * blur) continue;
    double step = std::numeric_limits<double>::infinity(); // time of the shortest step
    for (int axis = 0; axis < 3; ++axis) {
      Position along{};
      along[axis] = h[axis];
      if (size[axis] > 1) step = std::min(step, timeAlong(p, seed.point, along));
    }
    if (blur > most * step) return seed.seed;
  }
  return -1;
}

Result solveWhereChosen(const Problem& problem, const Options& options, const Monitor& monitor) {
  // 1. Check the problem and place the seeds.
  validate(problem, options);
  Result result;
  result.seeds = placeSeeds(problem);
  requireUsableSeed(problem, result.seeds);
  std::vector<SeedPoint> seeds = seedPoints(problem, result.seeds);

  // 2. Choose where to run.
  result.ranOn = chooseFor(problem, seeds, options);
  const int threads = chooseThreads(options.threads);
  if (!monitor.goOn(0)) {
    result.aborted = true;
    return result;
  }

  // 3. Solve.
  if (result.ranOn.backend == Backend::Cuda)
    solveOnCuda(problem, seeds, options, monitor, result);
  else if (hasTensors(problem))
    solveTensorsOnHost(problem, seeds, options, threads, monitor, result);
  else
    solveOnHost(problem, seeds, options, threads, monitor, result);
  if (result.aborted) return result;

  // 4. Refine to second order, find the first seeds, and flag results of limited use.
  if (options.order == 2)
    result.aborted = !refineToSecondOrder(problem, seeds, seedBalls(problem, result.seeds, 0, threads),
                                          options.factoring, threads, monitor, result.travelTime);
  if (!result.aborted && options.seedIds) {
    result.seed = nearestSeeds(problem, seeds, result.travelTime, threads, monitor);
    result.aborted = result.seed.empty();
  }
  if (result.aborted) {
    result.travelTime.clear(), result.updates.clear();
    return result;
  }
  result.blurredSeed = findBlurredSeed(problem, seeds, result.travelTime);
  result.roughSpeed = options.factoring == SourceFactoring::Multiplicative && isRough(problem, threads);
  monitor.goOn(1);
  return result;
}

} // namespace

Result solveImageTravelTime(const Problem& problem, const Options& options, const Monitor& monitor) {
  return solveWithFallback(options, [&](const Options& o) { return solveWhereChosen(problem, o, monitor); });
}

} // namespace isochrone::image
