#include "ImageTravelTime/Seeds/SolverInput.h"

#include "ImageTravelTime/Validation.h"

#include <algorithm>

namespace isochrone::image {

SolverInput::SolverInput(const Problem& p, const Options& o)
    : problem(p), options(o), threads(chooseThreads(o.threads)), speed(validate(p, o, threads)),
      placements(placeSeeds(p)), starts(startsOfSeeds(p, placements)) {
  if (starts.empty()) rejectSeeds(problem, placements);
  earliest = std::ranges::min(starts, {}, &SeedPoint::value).value;
  for (const Position& tip : options.stopAt)
    if (const Placement at = place(problem, tip); at.status == Placement::Status::Inside)
      tips.push_back(at.point);
}

} // namespace isochrone::image
