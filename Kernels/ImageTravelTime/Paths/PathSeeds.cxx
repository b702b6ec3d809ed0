#include "ImageTravelTime/Paths/PathSeeds.h"

#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Scheme/Medium.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

namespace {

/// Maximum difference between schemes, as a share of the time from a seed to a corner of its cell. The
/// schemes agree on the point that the front reaches first.
constexpr double schemeShare = 0.25;

} // namespace

PathSeeds::PathSeeds(const Problem& p, std::span<const float> travelTime)
    : problem(p), u(travelTime), placements(placeSeeds(p)), surface(p) {
  std::vector<SeedPoint> starts = startsOfPointSeeds(p, placements);
  const std::vector<SeedPoint> fromSurface = surface.starts(0);
  starts.insert(starts.end(), fromSurface.begin(), fromSurface.end());
  pointSeeds = earliestStarts(std::move(starts));
}

std::optional<SeedPoint> PathSeeds::earliestAt(std::int64_t point) const {
  std::optional<SeedPoint> earliest;
  const auto found = std::ranges::lower_bound(pointSeeds, point, {}, &SeedPoint::point);
  if (found != pointSeeds.end() && found->point == point) earliest = *found;
  const std::int32_t region = problem.seedRegions.empty() ? -1 : problem.seedRegions[point];
  if (region >= 0 && !isBarrier(problem, point))
    if (const double start = problem.seeds[region].startValue; !earliest || start <= earliest->value)
      earliest = SeedPoint{point, start, region};
  return earliest;
}

std::optional<PathSeeds::Seed> PathSeeds::heldBy(std::int64_t point) const {
  const std::optional<SeedPoint> earliest = earliestAt(point);
  if (!earliest) return {};
  const image::Seed& seed = problem.seeds[earliest->seed];
  const double rounding = 1e-6 * std::max(std::abs(double(u[point])), std::abs(earliest->value));
  const double slack = rounding + schemeShare * (earliest->value - seed.startValue);
  if (u[point] < earliest->value - slack && !isLowest(problem, u, point))
    return {}; // another front arrived earlier
  if (problem.seedSurface) {
    const Position foot = surface.footOf(point);
    return Seed{earliest->seed, foot, image::place(problem, foot).point, seed.startValue};
  }
  const bool isRegion = !problem.seedRegions.empty() && problem.seedRegions[point] == earliest->seed;
  if (!isRegion) return Seed{earliest->seed, seed.at, placements[earliest->seed].point, seed.startValue};
  const Grid& g = problem.grid;
  const GridCoordinates q = gridCoordinates(g.indices(point));
  const Position at{q[0] * g.hx, q[1] * g.hy, q[2] * g.hz};
  return Seed{earliest->seed, at, point, seed.startValue};
}

} // namespace isochrone::image
