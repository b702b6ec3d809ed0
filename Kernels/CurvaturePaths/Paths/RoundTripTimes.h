// RoundTripTimes.h - the total travel times of round trips, per state.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

namespace isochrone::curvature {

class RoundTripTimes {
public:
  /// @throws Error if a travel time does not have one value per state of the grid
  RoundTripTimes(const Problem& problem, const RoundTrip& trip);

  /// Returns the total of the trip that passes (i, j) with heading k.
  float at(std::int64_t i, std::int64_t j, int k) const {
    return out[grid.index(i, j, k)] + back[grid.index(i, j, (k + grid.headings / 2) % grid.headings)];
  }

  /// Returns the first heading with the minimum total.
  int bestHeading(std::int64_t i, std::int64_t j) const;

private:
  const StateGrid& grid;
  std::span<const float> out, back;
};

} // namespace isochrone::curvature
