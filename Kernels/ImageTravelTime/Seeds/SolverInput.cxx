#include "ImageTravelTime/Seeds/SolverInput.h"

#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Seeds/SurfaceStarts.h"
#include "ImageTravelTime/Validation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

namespace {

/// Replaces the placements in this part by those in the whole image, and returns the minimum start value of
/// all parts; +infinity: no process has a start. Collective.
double agree(const Problem& p, const std::vector<SeedPoint>& starts, std::vector<Placement>& placements) {
  std::vector<double> minima{std::numeric_limits<double>::infinity()};
  for (const SeedPoint& start : starts) minima[0] = std::min(minima[0], start.value);
  if (!p.part.isDivided()) return minima[0];
  using Status = Placement::Status;
  constexpr Status order[] = {Status::Region, Status::Inside, Status::InBarrier, Status::Outside};
  for (Placement& seed : placements) {
    if (!p.part.periodic && seed.point >= 0 && !p.part.owns(p.grid.indices(seed.point))) seed = {};
    minima.push_back(double(std::ranges::find(order, seed.status) - order));
  }
  p.part.allMin(minima);
  for (std::size_t s = 0; s < placements.size(); ++s) placements[s].status = order[int(minima[s + 1])];
  return minima[0];
}

/// Estimates the time of a solve on one thread.
double nanosecondsOf(const Problem& p) { return (hasTensors(p) ? 300 : 50) * double(p.grid.points()); }

} // namespace

SolverInput::SolverInput(const Problem& p, const Options& o)
    : problem(p), options(o), pool(chooseThreads(o.threads, nanosecondsOf(p))), speed(validate(p, o, pool)),
      placements(placeSeeds(p)), starts(startsOfSeeds(p, placements)) {
  const std::vector<SeedPoint> fromSurface = SurfaceStarts(p).starts(o.threads);
  starts.insert(starts.end(), fromSurface.begin(), fromSurface.end());
  if (p.distinctSeeds > 0)
    for (SeedPoint& start : starts) start.seed %= p.distinctSeeds;
  earliest = agree(p, starts, placements);
  if (std::isinf(earliest)) rejectSeeds(problem, placements);
  if (hasDrift(problem)) return;
  for (const Position& tip : options.stopAt)
    if (const Placement at = place(problem, tip);
        at.status == Placement::Status::Inside && p.part.owns(p.grid.indices(at.point)))
      tips.push_back(at.point);
}

} // namespace isochrone::image
