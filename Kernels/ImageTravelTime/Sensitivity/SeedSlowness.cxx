#include "ImageTravelTime/Sensitivity/SeedSlowness.h"

#include "ImageTravelTime/Seeds/Seeding.h"

#include <vector>

namespace isochrone::image {

void addAtSeed(const Problem& p, std::int32_t seed, double derivative, Values<double>& perSpeed) {
  const std::vector<std::int64_t> nearest = nearestPoints(p, p.seeds[std::size_t(seed)].at);
  for (const std::int64_t point : nearest)
    perSpeed[std::size_t(point)] += derivative / double(nearest.size()) * slownessPerSpeed(p, point);
}

} // namespace isochrone::image
