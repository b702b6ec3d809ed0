#include "CurvaturePaths/Paths/RoundTripTimes.h"

#include "Error.h"

namespace isochrone::curvature {

RoundTripTimes::RoundTripTimes(const Problem& problem, const RoundTrip& trip)
    : grid(problem.grid), out(trip.out.travelTime), back(trip.solutionBack().travelTime) {
  for (const std::span<const float> values : {out, back})
    if (std::int64_t(values.size()) != grid.points())
      fail("a leg of the round trip has ", values.size(), " travel times, the state grid ", grid.points(),
           ": pass the round trip solved on this grid");
}

int RoundTripTimes::bestHeading(std::int64_t i, std::int64_t j) const {
  int best = 0;
  for (int k = 1; k < grid.headings; ++k)
    if (at(i, j, k) < at(i, j, best)) best = k;
  return best;
}

} // namespace isochrone::curvature
