// Runs of the seeds one by one, and the table of travel times.
#include "Common/FilterMonitor.h"
#include "Common/Ranks.h"
#include "Error.h"
#include "MeshTravelTime/Internals.h"

#include <utility>

/// Checks that seeds can be run one by one on every rank.
void vtkIsochroneMeshTravelTime::Internals::requireWholeMesh(const Ranks& ranks, const Inputs& in) const {
  const bool together = static_cast<filters::SeedRuns>(filter->SeedRuns) == filters::SeedRuns::Together;
  if (together && !filter->ComputeTravelTimeTable) return;
  if (!in.onsets.empty() && filter->SeedType != OnsetTimes)
    throw Error("onset times belong to no seed that can run alone: choose no Onset Time Array, or Seed Runs "
                "Together without the travel time table");
  if (filter->SeedType == OnsetTimes)
    throw Error("onset times are no seeds that can run alone: choose Seed Runs Together and no travel time "
                "table, or other seeds");
  if (ranks.count() > 1 && (isSeparate() || filter->ComputeTravelTimeTable))
    throw Error("runs of separate seeds need the whole mesh on every rank, and each has a part of it: choose "
                "Seed Runs Together or Time Steps without the travel time table, or one rank");
}

/// Runs each group of seeds unless the runs are known; traces the paths of known fields to other tips.
/// Returns false after an abort.
bool vtkIsochroneMeshTravelTime::Internals::runSeeds(const mesh::Problem& problem, const Placed& placed,
                                                     int threads, double begin, double end) {
  MeshSeedRequest wanted{
      {placed.seedGroups, placed.tipGroups, isSeparate(), isSeparate() && filter->CheckResidual},
      options(placed, threads),
      placed.allSeedPoints,
      placed.allSeedPlaces,
      placed.tipPoints,
      placed.tipPlaces};
  if (each && answers(*each, problem, wanted)) return true;
  const bool isSolved = each && each->request.keepsFields && solves(*each, problem, wanted);
  if (!isSolved) each.reset(); // frees its memory
  if (isSeparate() && !isSolved) forget();
  each = runEachSeed(problem, std::move(wanted), std::exchange(each, {}), monitorOf(filter, begin, end));
  if (!each) return false;
  if (!isSolved) filter->SolveCount += int(each->results.size());
  return true;
}
