#include "ImageTravelTime/Seeds/PeriodicProblem.h"

#include "ImageTravelTime/Validation.h"

#include <limits>

namespace isochrone::image {

PeriodicProblem::PeriodicProblem(const Problem& given)
    : periodic((requirePeriodic(given), given.grid), given.periodic, periodicMargin),
      speed(periodic.extend(given.speed)), barriers(periodic.extend(given.barriers)),
      regions(periodic.extend(given.seedRegions)), inParts(given) {
  inParts.periodic = {};
  inParts.grid = periodic.grid(), inParts.part = periodic.part();
  inParts.speed = speed, inParts.barriers = barriers, inParts.seedRegions = regions;
  inParts.pointName = [given, part = periodic](std::int64_t i, std::int64_t j, std::int64_t k) {
    return nameOf(given, given.grid.index(part.inImage({i, j, k})));
  };
  // The seeds, then their copies in the margin, in the same order each time; those outside lie nowhere.
  constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
  inParts.distinctSeeds = int(given.seeds.size());
  std::vector<std::vector<Position>> copies;
  std::size_t most = 1;
  for (const Seed& seed : given.seeds) {
    copies.push_back(seed.isRegion ? std::vector<Position>{seed.at} : periodic.copies(seed.at));
    most = std::max(most, copies.back().size());
  }
  inParts.seeds.clear();
  for (std::size_t c = 0; c < most; ++c)
    for (std::size_t s = 0; s < given.seeds.size(); ++s) {
      Seed seed = given.seeds[s];
      if (c > 0) seed.isRegion = false;
      seed.at = c < copies[s].size() ? copies[s][c] : Position{nowhere, nowhere, nowhere};
      inParts.seeds.push_back(seed);
    }
}

void PeriodicProblem::toImage(Position& at) const {
  const Position h = inParts.grid.spacing();
  for (int a = 0; a < 3; ++a) at[a] -= double(periodic.first()[a]) * h[a];
}

} // namespace isochrone::image
