#include "ImageTravelTime/Seeds/Seeding.h"

#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Seeds/LineOfSight.h"
#include "ImageTravelTime/Seeds/PeriodicProblem.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace isochrone::image {

namespace {

/// Distance, as a share of a step, within which a seed lies on a grid point, so that rounding cannot move it
/// off.
constexpr double onPoint = 1e-6;

/// A position in grid steps: the grid point below it, and the offset beyond that point. At the border it may
/// lie up to half a step outside.
struct GridPosition {
  GridIndex low;
  std::array<double, 3> beyond; ///< negative before the first point, 0 on a point, below 1

  /// Returns the nearest position between the points.
  GridCoordinates inside(const GridIndex& size) const {
    GridCoordinates q;
    for (int a = 0; a < 3; ++a) q[a] = std::clamp(double(low[a]) + beyond[a], 0., double(size[a] - 1));
    return q;
  }
};

GridPosition positionOf(const Grid& grid, const Position& at) {
  GridPosition p;
  for (int a = 0; a < 3; ++a) {
    double q = a == 2 && grid.nz == 1 ? 0 : at[a] / grid.spacing()[a]; // heights do not apply in the plane
    if (std::abs(q - std::round(q)) < onPoint) q = std::round(q);
    p.low[a] = std::clamp<std::int64_t>(std::int64_t(std::floor(q)), 0, grid.sizes()[a] - 1);
    p.beyond[a] = q - double(p.low[a]);
  }
  return p;
}

/// Returns the starts of all points of the places that have one.
std::vector<SeedPoint> ofWholePlaces(const Problem& p, const std::vector<SeedPoint>& starts) {
  std::vector<SeedPoint> all;
  for (const SeedPoint& start : starts)
    for (const GridIndex& same : p.orthogonal->samePlace(p.grid.indices(start.point)))
      if (const std::int64_t point = p.grid.index(same); !isBarrier(p, point))
        all.push_back({point, start.value, start.seed});
  return all;
}

/// Returns the position among the points of an image with periodic axes.
Position wrapped(const Problem& problem, const Position& at) {
  const grid::PeriodicPart part(problem.grid, problem.periodic, 1);
  Position own = part.copies(at)[0];
  for (int a = 0; a < 3; ++a) own[a] -= double(part.first()[a]) * problem.grid.spacing()[a];
  return own;
}

} // namespace

Position seedPosition(const Grid& grid, const Position& at) {
  const GridPosition p = positionOf(grid, at);
  Position position;
  for (int a = 0; a < 3; ++a) position[a] = (double(p.low[a]) + p.beyond[a]) * grid.spacing()[a];
  return position;
}

std::vector<std::int64_t> nearestPoints(const Problem& problem, const Position& at) {
  const Grid& grid = problem.grid;
  const GridPosition p = positionOf(grid, at);
  std::vector<std::int64_t> points;
  for (int corner = 0; corner < 8; ++corner) {
    GridIndex node = p.low;
    bool isNearest = true;
    for (int a = 0; a < 3; ++a) {
      const int side = corner >> a & 1;
      const bool last = p.low[a] + 1 == grid.sizes()[a];
      isNearest &= side == 0 ? last || p.beyond[a] < 0.5 + onPoint : !last && p.beyond[a] > 0.5 - onPoint;
      node[a] += side;
    }
    if (!isNearest) continue;
    const std::int64_t point = grid.index(node);
    if (!isBarrier(problem, point)) points.push_back(point);
  }
  return points;
}

Placement place(const Problem& problem, const Position& position) {
  const Grid& g = problem.grid;
  const Position at = isPeriodic(problem)  ? wrapped(problem, position)
                      : problem.orthogonal ? problem.orthogonal->inFirstTurn(position)
                                           : position;
  GridIndex nearest{};
  Placement placement;
  for (int a = 0; a < 3; ++a) {
    const double q = at[a] / g.spacing()[a];
    const bool inGap = problem.orthogonal && problem.orthogonal->roleOf(a) == grid::AxisRole::Longitude &&
                       problem.orthogonal->goesAround() && q > double(g.sizes()[a]) - 0.5;
    if (inGap) continue;                                                   // nearest to index 0
    if (!(q >= -0.5 && q <= double(g.sizes()[a]) - 0.5)) return placement; // also rejects NaN
    nearest[a] = std::clamp<std::int64_t>(std::llround(q), 0, g.sizes()[a] - 1);
  }
  placement.point = g.index(nearest);
  placement.status =
      isBarrier(problem, placement.point) ? Placement::Status::InBarrier : Placement::Status::Inside;
  return placement;
}

std::vector<Placement> placeSeeds(const Problem& problem) {
  std::vector<Placement> placements;
  for (const Seed& seed : problem.seeds)
    placements.push_back(seed.isRegion ? Placement{Placement::Status::Region, -1} : place(problem, seed.at));
  return placements;
}

std::vector<SeedPoint> startsOfPointSeeds(const Problem& problem, const std::vector<Placement>& placements) {
  const Grid& grid = problem.grid;
  std::vector<SeedPoint> points;
  for (std::size_t s = 0; s < placements.size(); ++s) {
    if (placements[s].status != Placement::Status::Inside) continue;
    const Seed& seed = problem.seeds[s];
    const GridPosition at = positionOf(grid, seed.at);
    for (int corner = 0; corner < 8; ++corner) {
      GridIndex node = at.low;
      Position offset{};
      bool exists = true;
      for (int a = 0; a < 3; ++a) {
        const int side = corner >> a & 1;
        // No corner exists beyond a point that the seed lies on, or beyond the border.
        exists &= side == 0 || (at.beyond[a] > 0 && at.low[a] + 1 < grid.sizes()[a]);
        node[a] += side;
        offset[a] = (side - at.beyond[a]) * grid.spacing()[a];
      }
      if (!exists) continue;
      const std::int64_t point = grid.index(node);
      const bool own = point == placements[s].point; // within one cell nothing blocks the line
      const GridCoordinates to = gridCoordinates(node);
      if (isBarrier(problem, point) || (!own && !isClear(problem, at.inside(grid.sizes()), to))) continue;
      const double time = problem.orthogonal ? timeFrom(problem, seedPosition(grid, seed.at), point)
                                             : timeAlong(problem, point, offset);
      points.push_back({point, seed.startValue + time, std::int32_t(s)});
    }
  }
  return problem.orthogonal ? ofWholePlaces(problem, points) : points;
}

std::vector<SeedPoint> startsOfSeeds(const Problem& problem, const std::vector<Placement>& placements) {
  std::vector<SeedPoint> points = startsOfPointSeeds(problem, placements);
  for (std::size_t i = 0; i < problem.seedRegions.size(); ++i)
    if (const std::int32_t s = problem.seedRegions[i]; s >= 0 && !isBarrier(problem, std::int64_t(i)))
      points.push_back({std::int64_t(i), problem.seeds[s].startValue, s});
  return points;
}

std::vector<SeedPoint> earliestStarts(std::vector<SeedPoint> starts) {
  std::ranges::stable_sort(starts, {},
                           [](const SeedPoint& start) { return std::pair(start.point, start.value); });
  const auto same = [](const SeedPoint& a, const SeedPoint& b) { return a.point == b.point; };
  starts.erase(std::unique(starts.begin(), starts.end(), same), starts.end());
  return starts;
}

} // namespace isochrone::image
