// PathSeeds.h - where paths end: at which grid points the value of a seed stands.
#pragma once

#include "ImageTravelTime/Seeds/LineOfSight.h"
#include "ImageTravelTime/Seeds/Seeding.h"

#include <optional>
#include <span>
#include <vector>

namespace isochrone::image {

class PathSeeds {
public:
  PathSeeds(const Problem& problem, std::span<const float> travelTime);

  struct Seed {
    std::int32_t number;
    Position at;           ///< world units
    std::int64_t cell;     ///< the grid point in whose cell it lies
    double startValue = 0; ///< travel time
  };

  /// The seed from which the front came to `point` first, if it started there.
  std::optional<Seed> heldBy(std::int64_t point) const;

private:
  std::optional<SeedPoint> earliestAt(std::int64_t point) const;

  const Problem& problem;
  std::span<const float> u;
  std::vector<Placement> placements;
  std::vector<SeedPoint> pointSeeds; ///< by point, then value; the regions are looked up where they are
};

} // namespace isochrone::image
