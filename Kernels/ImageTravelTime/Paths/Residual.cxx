// Residual.cxx - the deviation of a travel time from the upwind scheme and from the start values, measured by
// one more update in double precision.
#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Paths/OrthogonalUpwind.h"
#include "ImageTravelTime/Paths/TensorUpwind.h"
#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Seeds/ClosedProblem.h"
#include "ImageTravelTime/Seeds/LineOfSight.h"
#include "ImageTravelTime/Seeds/PeriodicProblem.h"
#include "ImageTravelTime/Seeds/Seeding.h"
#include "ImageTravelTime/Seeds/SurfaceStarts.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <vector>

namespace isochrone::image {

namespace {

/// Returns the minimum v with sum w (v - m)^2 = s^2 over the axes with m < v, where m is the earlier
/// neighbour and w = 1 / h^2.
double updated(const Grid& grid, const Upwind& upwind, double slowness) {
  struct Axis {
    double value, weight;
  };
  Axis axes[3] = {{upwind.value[0], 1 / (grid.hx * grid.hx)},
                  {upwind.value[1], 1 / (grid.hy * grid.hy)},
                  {upwind.value[2], 1 / (grid.hz * grid.hz)}};
  std::sort(axes, axes + 3, [](const Axis& a, const Axis& b) { return a.value < b.value; });
  const double minimum = axes[0].value;
  if (!std::isfinite(minimum)) return minimum;
  // Sums of w, w m and w m^2 - s^2, with m relative to the minimum.
  double sum = 0, first = 0, second = -slowness * slowness;
  for (const Axis& axis : axes) {
    const double m = axis.value - minimum;
    // The sum of squares at v = m shows whether v lies beyond m, without a root.
    if (!(m * (sum * m - 2 * first) + second < 0)) break;
    sum += axis.weight, first += axis.weight * m, second += axis.weight * m * m;
  }
  return minimum + (first + std::sqrt(std::max(0., first * first - sum * second))) / sum;
}

/// Returns the earliest start value of each point that has one, computed from the positions of the seeds. A
/// seed starts the points that it sees and that are less than a step away on every axis.
std::unordered_map<std::int64_t, double> startValues(const Problem& p) {
  const Grid& g = p.grid;
  const GridIndex size = g.sizes();
  const Position h = g.spacing();
  std::unordered_map<std::int64_t, double> starts;
  const auto lowerOne = [&](std::int64_t point, double value) {
    const auto [at, isNew] = starts.try_emplace(point, value);
    if (!isNew) at->second = std::min(at->second, value);
  };
  const auto lower = [&](std::int64_t point, double value) {
    if (!p.orthogonal) return lowerOne(point, value);
    for (const GridIndex& same : p.orthogonal->samePlace(g.indices(point))) lowerOne(g.index(same), value);
  };
  for (const Seed& seed : p.seeds) {
    const Placement placed = seed.isRegion ? Placement{} : place(p, seed.at);
    if (placed.status != Placement::Status::Inside) continue;
    const Position at = seedPosition(g, seed.at);
    GridCoordinates from;
    for (int a = 0; a < 3; ++a) from[a] = std::clamp(at[a] / h[a], 0., double(size[a] - 1));
    for (int n = 0; n < 27; ++n) {
      const int move[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
      GridCoordinates to = gridCoordinates(g.indices(placed.point));
      Position offset;
      bool isCorner = true;
      for (int a = 0; a < 3; ++a) {
        to[a] += move[a], offset[a] = to[a] * h[a] - at[a];
        isCorner &= to[a] >= 0 && to[a] < double(size[a]) && std::abs(offset[a]) < (1 - 1e-9) * h[a];
      }
      if (!isCorner) continue;
      const std::int64_t point = g.index(std::int64_t(to[0]), std::int64_t(to[1]), std::int64_t(to[2]));
      if (isBarrier(p, point) || (point != placed.point && !isClear(p, from, to))) continue;
      lower(point, seed.startValue + (p.orthogonal ? timeFrom(p, at, point) : timeAlong(p, point, offset)));
    }
  }
  for (std::size_t n = 0; n < p.seedRegions.size(); ++n)
    if (const std::int32_t s = p.seedRegions[n]; s >= 0 && !isBarrier(p, std::int64_t(n)))
      lower(std::int64_t(n), p.seeds[s].startValue);
  for (const SeedPoint& start : SurfaceStarts(p).starts(0)) lower(start.point, start.value);
  return starts;
}

/// The values that the neighbours of a point support.
struct Support {
  double update;   ///< update of the plain scheme
  double earliest; ///< earliest neighbour that an update may use
};

Support supportOf(const Problem& p, std::span<const float> u, std::int64_t point) {
  Support support;
  if (p.orthogonal) {
    support.update = orthogonalUpdate(p, u, point);
    support.earliest = std::numeric_limits<double>::infinity();
    for (const GridIndex& same : p.orthogonal->samePlace(p.grid.indices(point)))
      for (int axis = 0; axis < 3; ++axis)
        for (const int side : {-1, 1})
          if (const auto next = p.orthogonal->neighbour(same, axis, side))
            support.earliest = std::min(support.earliest, double(u[std::size_t(p.grid.index(*next))]));
    return support;
  }
  if (!hasTensors(p)) {
    const Upwind upwind = upwindNeighbours(p.grid, u, point);
    support.update = updated(p.grid, upwind, slownessAt(p, point));
    support.earliest = *std::min_element(upwind.value.begin(), upwind.value.end());
    return support;
  }
  const TensorUpwind upwind = tensorUpwind(p, u, point);
  support.update = tensorUpdate(p, upwind, u, point);
  support.earliest = std::min(upwind.viaFace, earliestNeighbour(p, u, point));
  return support;
}

} // namespace

double residual(const Problem& given, std::span<const float> travelTime, int threads, bool plain,
                const Monitor& monitor) {
  if (isOpenCircle(given)) {
    requireTravelTime(given.grid, travelTime);
    const ClosedProblem closed(given);
    return residual(closed.problem(), closed.extend(travelTime), threads, plain, monitor);
  }
  if (isPeriodic(given)) {
    requireTravelTime(given.grid, travelTime);
    const std::optional<GridIndex> reach = stencilReach(given, threads, monitor);
    if (!reach) return std::numeric_limits<double>::quiet_NaN();
    const PeriodicProblem periodic(given, *reach);
    return residual(periodic.problem(), periodic.part().extend(travelTime), threads, plain, monitor);
  }
  const Problem problem = withoutZeroDrift(given);
  requireTravelTime(problem.grid, travelTime);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const std::int64_t points = problem.grid.points();
  const auto starts = startValues(problem);
  double earliest = infinite;
  for (const auto& [point, value] : starts) earliest = std::min(earliest, value);
  for (const float time : travelTime) earliest = std::min(earliest, double(time));
  problem.part.allMin({&earliest, 1});
  const auto check = [&](std::int64_t p, double& worst) {
    const double u = travelTime[p];
    if (u == infinite || !problem.part.owns(problem.grid.indices(p))) return; // unreached, or not to check
    if (!std::isfinite(u) || isBarrier(problem, p)) {
      worst = infinite;
      return;
    }
    if (problem.orthogonal) { // the points of a place have one value, which is checked once
      const std::int64_t first = problem.grid.index(problem.orthogonal->first(problem.grid.indices(p)));
      if (first != p && !isBarrier(problem, first)) {
        if (travelTime[first] != travelTime[p]) worst = infinite;
        return;
      }
    }
    const auto start = starts.find(p);
    // Rounds to single precision: a start value may be as small as the spacing of its numbers.
    const double started = start == starts.end() ? infinite : double(float(start->second));
    const Support support = supportOf(problem, travelTime, p);
    const double maximum = std::min(support.update, started);
    const double minimum = plain ? maximum : std::min(support.earliest, started);
    const double off = std::max(u - maximum, minimum - u);
    // Start values may be negative, so the time since the earliest value is used, too.
    constexpr double least = std::numeric_limits<float>::min(); // smaller floats have fewer digits
    const double size = std::max({std::abs(u), u - earliest, minimum - earliest, least});
    if (off > 0) worst = std::max(worst, minimum == infinite ? 1 : off / size);
  };
  threads = chooseThreads(threads, 100 * double(points));
  std::vector<double> worst(threads, 0); // maximum per thread
  const bool done = Workers(threads, monitor).runInBlocks(points, [&](std::int64_t p, int thread) {
    check(p, worst[thread]);
  });
  if (!done) return std::numeric_limits<double>::quiet_NaN();
  double all = -*std::max_element(worst.begin(), worst.end());
  problem.part.allMin({&all, 1});
  return -all;
}

} // namespace isochrone::image
