#include "ImageTravelTime/ImageTravelTime.h"

#include "ImageTravelTime/HostSolver.h"
#include "ImageTravelTime/NearestSeed.h"
#include "ImageTravelTime/SecondOrder.h"
#include "ImageTravelTime/Seeding.h"
#include "ImageTravelTime/Validation.h"

namespace isochrone::image {

Result solveImageTravelTime(const Problem& problem, const Options& options, const Monitor& monitor) {
  // 1. Check the problem and place the seeds.
  validate(problem, options);
  Result result;
  for (const Seed& seed : problem.seeds) result.seeds.push_back(place(problem, seed.at));
  requireUsableSeed(problem, result.seeds);
  const std::vector<SeedPoint> seeds = seedPoints(problem, result.seeds);

  // 2. Choose where to run.
  result.ranOn = chooseBackend(options.backend, 0);
  const int threads = chooseThreads(options.threads);
  if (!monitor.goOn(0)) {
    result.aborted = true;
    return result;
  }

  // 3. Solve.
  solveOnHost(problem, seeds, options, threads, monitor, result);
  if (result.aborted) return result;

  if (options.order == 2)
    refineToSecondOrder(problem, seeds, seedBalls(problem, result.seeds, 0), options.factoring,
                        result.travelTime);

  result.roughSpeed = options.factoring == SourceFactoring::Multiplicative && isRough(problem, threads);

  // 4. Say whose front came first.
  if (options.seedIds) result.seed = nearestSeeds(problem, seeds, result.travelTime, threads);
  monitor.goOn(1);
  return result;
}

} // namespace isochrone::image
