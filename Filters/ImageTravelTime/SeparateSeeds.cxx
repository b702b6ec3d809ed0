// Runs of the seeds one by one, and the table of travel times.
#include "Common/FilterMonitor.h"
#include "Common/PathsToPolyData.h"
#include "ImageTravelTime/Internals.h"

#include <optional>
#include <string>
#include <utility>

/// Solves for each group of seeds alone, keeps all times and paths, and sets `fromSeeds` to the first
/// arrivals, unless they are known. `fromSeeds` is empty after an abort.
/// @return false if they were already known; other tips then have new paths
bool vtkIsochroneImageTravelTime::Internals::runSeeds(ImageTravelTimeProblem input,
                                                      const image::Options& options, const Placed& placed,
                                                      PartExchange& ranks) {
  ImageSeedRequest request{{placed.seedGroups, placed.tipGroups, true, filter->CheckResidual},
                           std::move(input),
                           options,
                           placed.tips.positions};
  const bool known = separate && fromSeeds && each && solves(*each, request);
  if (!ranks.any(!known) && answers(*each, request)) return false;
  if (!known) forget(); // frees its memory before the solves
  if (!findEach(std::move(request), 0, 0.9)) {
    forget();
    return true;
  }
  paths = each->found.paths;
  tips = placed.tips.positions;
  seen.reset();
  filter->Warnings.push_back(missingPaths(paths, placed.tips, "barrier"));
  if (known) return false;
  fromSeeds = ImageTravelTimeRun{each->request.input, options, firstArrivals(*each)};
  fromSeeds->input.problem.reach = fromSeeds->result.reach;
  const image::Result& result = fromSeeds->result;
  separate = true;
  filter->SetRanOn(result.ranOn);
  filter->Rounds = result.rounds;
  filter->UpdatesPerPoint = result.updatesPerPoint;
  filter->Exchanges = 0, filter->BytesTold = 0;
  if (result.roughSpeed)
    filter->Warnings.push_back(
        "the speed is rough, so multiplicative source factoring gains nothing: choose Additive or Off");
  filter->Warnings.push_back(strongDrift(result));
  filter->Warnings.push_back(blurredStart(fromSeeds->input.problem, result.blurredSeed, ranks));
  return true;
}

/// Runs each group of seeds, or traces the paths of known runs to other tips. Returns false, and `each` is
/// empty, after an abort.
bool vtkIsochroneImageTravelTime::Internals::findEach(ImageSeedRequest request, double begin, double end) {
  std::optional<ImageSeedRuns> known = std::exchange(each, {});
  if (known && !(known->request.keepsFields && solves(*known, request))) known.reset(); // frees its memory
  const bool isSolved = known.has_value();
  each = runEachSeed(std::move(request), std::move(known), monitorOf(filter, begin, end));
  if (!each) return false;
  if (!isSolved) filter->SolveCount += int(each->results.size());
  ++filter->ExtractionCount;
  return true;
}

/// Fills the table of all pairs unless it is known. Returns false after an abort.
bool vtkIsochroneImageTravelTime::Internals::tabulate(const Placed& placed) {
  if (!filter->ComputeTravelTimeTable || isSeparate()) return true;
  ImageSeedRequest request{{placed.seedGroups, placed.tipGroups, false, false},
                           fromSeeds->input,
                           fromSeeds->options,
                           placed.tips.positions};
  if (placed.allSeeds.size() != placed.seeds.size()) setSeeds(placed.allSeeds, request.input);
  if (const double stop = filter->StoppingTime; request.options.stoppingTime > 0)
    request.options.stoppingTime = request.input.origin.stoppingTime(stop);
  if (each && answers(*each, request)) return true;
  return findEach(std::move(request), 0.995, 0.999);
}
