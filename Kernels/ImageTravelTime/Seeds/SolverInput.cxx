#include "ImageTravelTime/Seeds/SolverInput.h"

#include "ImageTravelTime/Validation.h"

#include <algorithm>

namespace isochrone::image {

SolverInput::SolverInput(const Problem& p, const Options& o)
    : problem(p), options(o), threads(chooseThreads(o.threads)), speed(validate(p, o, threads)),
      placements(placeSeeds(p)), starts(seedPoints(p, placements)) {
  if (starts.empty()) rejectSeeds(problem, placements);
  const auto earlier = [](const SeedPoint& a, const SeedPoint& b) { return a.value < b.value; };
  earliest = std::min_element(starts.begin(), starts.end(), earlier)->value;
  for (const Position& tip : options.stopAt)
    if (const Placement at = place(problem, tip); at.status == Placement::Status::Inside)
      tips.push_back(at.point);
}

} // namespace isochrone::image
