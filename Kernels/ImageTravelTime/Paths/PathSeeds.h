// PathSeeds.h - the ends of paths: the grid points that hold the value of a seed.
#pragma once

#include "ImageTravelTime/Seeds/LineOfSight.h"
#include "ImageTravelTime/Seeds/Seeding.h"
#include "ImageTravelTime/Seeds/SurfaceStarts.h"

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
    std::int64_t cell;     ///< grid point whose cell contains it
    double startValue = 0; ///< travel time
  };

  /// Returns the seed whose front started at `point` and was first there; nothing if another front was first.
  std::optional<Seed> heldBy(std::int64_t point) const;

private:
  std::optional<SeedPoint> earliestAt(std::int64_t point) const;

  const Problem& problem;
  std::span<const float> u;
  std::vector<Placement> placements;
  SurfaceStarts surface;
  std::vector<SeedPoint> pointSeeds; ///< earliest start per point, without the regions
};

} // namespace isochrone::image
