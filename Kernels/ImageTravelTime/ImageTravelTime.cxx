#include "ImageTravelTime/ImageTravelTime.h"

#include "Error.h"
#include "ImageTravelTime/HostSolver.h"
#ifdef ISOCHRONE_WITH_CUDA
#include "ImageTravelTime/ImageTravelTimeCuda.h"
#endif
#include "ImageTravelTime/NearestSeed.h"
#include "ImageTravelTime/SecondOrder.h"
#include "ImageTravelTime/Seeding.h"
#include "ImageTravelTime/TensorSolver.h"
#include "ImageTravelTime/Tensors.h"
#include "ImageTravelTime/Validation.h"

namespace isochrone::image {

namespace {

#ifndef ISOCHRONE_WITH_CUDA // chooseBackend refuses Cuda then
std::size_t cudaBytes(const Problem&, const std::vector<SeedPoint>&) { return 0; }
void solveOnCuda(const Problem&, const std::vector<SeedPoint>&, const Options&, const Monitor&, Result&) {}
#endif

/// The device knows no tensors.
BackendChoice chooseFor(const Problem& problem, const std::vector<SeedPoint>& seeds, const Options& options) {
  if (options.backend == Backend::Host) return chooseBackend(Backend::Host, 0);
  if (!hasTensors(problem)) return chooseBackend(options.backend, cudaBytes(problem, seeds));
  if (options.backend == Backend::Cuda)
    throw Error("cannot run on CUDA: tensors have no CUDA kernel; choose the Host or the Automatic backend");
  return {Backend::Host, "tensors have no CUDA kernel"};
}

} // namespace

Result solveImageTravelTime(const Problem& problem, const Options& options, const Monitor& monitor) {
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

  // 4. Improve it, say where that may not be worth much, and whose front came first.
  if (options.order == 2)
    refineToSecondOrder(problem, seeds, seedBalls(problem, result.seeds, 0, threads), options.factoring,
                        threads, result.travelTime);
  result.roughSpeed = options.factoring == SourceFactoring::Multiplicative && isRough(problem, threads);
  if (options.seedIds) result.seed = nearestSeeds(problem, seeds, result.travelTime, threads);
  monitor.goOn(1);
  return result;
}

} // namespace isochrone::image
