// PlanarReduction.cxx - minimum travel time over headings, with its heading and seed, for single paths and
// round trips.
#include "CurvaturePaths/Paths/DescentFlow.h"
#include "CurvaturePaths/Paths/RoundTripTimes.h"
#include "CurvaturePaths/Paths/SeedLabels.h"
#include "CurvaturePaths/Scheme/FieldSample.h"
#include "CurvaturePaths/Scheme/PartProblem.h"
#include "CurvaturePaths/Scheme/Starts.h"
#include "CurvaturePaths/Seeds/PeriodicProblem.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace isochrone::curvature {

namespace {

/// Sets the seeds of the points that are reached. Collective where the plane is divided.
void findSeeds(const DescentFlow& flow, int threads, PlanarResult& plane) {
  const grid::Box own = ownPointsOf(flow.input());
  SeedLabels labels(flow);
  std::vector<SeedLabels::Scratch> scratch(threads);
  do {
    Workers(threads, {}).run(own.size(1), [&](std::int64_t row, int thread) {
      const std::int64_t j = own.low[1] + row;
      for (std::int64_t i = own.low[0]; i < own.high[0]; ++i) {
        const std::int64_t point = flow.window().point(i, j);
        if (std::isinf(plane.travelTime[point]) || plane.seed[point] != SeedLabels::unknown) continue;
        const int k = int(std::lround(plane.heading[point] / flow.grid().headingStep()));
        plane.seed[point] = labels.at({i, j, k}, scratch[thread]);
      }
    });
  } while (!labels.exchange(scratch));
  for (std::size_t point = 0; point < plane.seed.size(); ++point)
    if (std::isinf(plane.travelTime[point])) plane.seed[point] = -1;
}

/// @param timeAt  the total at (i, j, k)
template <class TimeAt>
PlanarResult reduce(const DescentFlow& flow, int threads, TimeAt&& timeAt) {
  const StateGrid& g = flow.grid();
  const StateWindow& window = flow.window();
  const grid::Box own = ownPointsOf(flow.input());
  PlanarResult plane;
  plane.travelTime.assign(window.points().points(), std::numeric_limits<float>::infinity());
  plane.heading.assign(window.points().points(), 0);
  plane.seed.assign(window.points().points(), SeedLabels::unknown);

  threads = chooseThreads(threads, 2 * double(g.points()));
  Workers(threads, {}).run(own.size(1), [&](std::int64_t row, int) {
    const std::int64_t j = own.low[1] + row;
    for (int k = 0; k < g.headings; ++k) // plane by plane, to read memory in order
      for (std::int64_t i = own.low[0], point = window.point(i, j); i < own.high[0]; ++i, ++point) {
        const float u = timeAt(i, j, k);
        if (!(u < plane.travelTime[point])) continue;
        plane.travelTime[point] = u;
        plane.heading[point] = float(k * g.headingStep());
      }
  });
  findSeeds(flow, threads, plane);

  const ImageGrid points{window.points().size(0), window.points().size(1)};
  const grid::GridPart& part = flow.input().part;
  grid::fillMargin<float>(points, part, plane.travelTime);
  grid::fillMargin<float>(points, part, plane.heading);
  grid::fillMargin<std::int32_t>(points, part, plane.seed);
  return plane;
}

constexpr double straightSteps = 3; ///< farther from a seed, grid headings are dense enough
constexpr double rounding = 1e-3;   ///< grid steps; rounding of positions and spacings in files

/// Returns the distance, in grid steps, up to which the straight-line time is the minimum time to a point.
/// Where the curvature shift bends the path by half a radian, the path is longer by a hundredth.
double straightReach(const StateGrid& grid, const Range& shift) {
  const double bend = std::max(std::abs(shift.lo), std::abs(shift.hi)) * std::max(grid.hx, grid.hy);
  return bend > 0 ? std::clamp(0.5 / bend, rounding, straightSteps) : straightSteps;
}

/// Returns the travel time along a straight line from (x, y) to a point, with the cost taken in the middle of
/// each step.
double straightTime(const Problem& problem, const Walls& walls, double x, double y, std::int64_t i,
                    std::int64_t j) {
  const StateGrid& g = problem.grid;
  const double dx = double(i) - x, dy = double(j) - y;
  const double heading = std::atan2(dy * g.hy, dx * g.hx) / g.headingStep();
  const int samples = std::max(1, int(std::ceil(std::hypot(dx, dy))));
  double cost = 0;
  for (int n = 0; n < samples; ++n) {
    const double share = (n + 0.5) / samples;
    cost += sampleField(problem, walls, problem.cost, x + share * dx, y + share * dy, heading);
  }
  return cost / samples * std::hypot(dx * g.hx, dy * g.hy);
}

/// Returns the heading of the straight line from a seed to point (i, j), in [0, 2 pi). At the seed's own
/// place, returns the seed's heading if it has one, else `atSeed`.
double headingFrom(const StateGrid& g, const State& seed, std::int64_t i, std::int64_t j, double atSeed) {
  const double dx = double(i) * g.hx - seed.x, dy = double(j) * g.hy - seed.y;
  const bool isSeed = std::hypot(dx / g.hx, dy / g.hy) <= rounding;
  const double heading = !isSeed ? std::atan2(dy, dx) : seed.anyHeading ? atSeed : seed.heading;
  const double turns = heading / (2 * std::numbers::pi);
  return (turns - std::floor(turns)) * 2 * std::numbers::pi;
}

/// Lowers the minimum over headings next to seeds that keep their place, to values that the grid headings
/// miss: the start value at a seed's own place, and the straight-line time around a seed with any heading. On
/// a round trip the straight line holds for Reeds-Shepp only, the model that can reverse.
void correctNextToSeeds(const DescentFlow& flow, bool back, PlanarResult& plane) {
  const Problem& problem = flow.input();
  if (problem.accuracy == Accuracy::FirstOrder) return;
  const StateGrid& g = problem.grid;
  const Walls& walls = flow.walls();
  const bool straight = !back || problem.model == Model::ReedsShepp;
  const double reachStraight = straightReach(g, flow.discretisation()->curvatureShift);
  for (std::size_t s = 0; s < problem.seeds.size(); ++s) {
    const Seed& seed = problem.seeds[s];
    if (flow.discretisation()->seeds[s].status != Placement::Status::Inside) continue;
    const State at = clampedToGrid(g, seed.state);
    const double x = at.x / g.hx, y = at.y / g.hy;
    const double reach = at.anyHeading && straight ? reachStraight : rounding;
    const auto [i0, i1] = pointsWithin(reach, x, 1, g.nx);
    const auto [j0, j1] = pointsWithin(reach, y, 1, g.ny);
    for (std::int64_t j = j0; j <= j1; ++j)
      for (std::int64_t i = i0; i <= i1; ++i) {
        if (!flow.window().has(i, j) || std::hypot(double(i) - x, double(j) - y) > reach ||
            walls.isWall(i, j) || !walls.freeSegment(x, y, double(i), double(j)))
          continue;
        const float time = float(seed.startValue + (back ? 2 : 1) * straightTime(problem, walls, x, y, i, j));
        const std::int64_t point = flow.window().point(i, j);
        if (!(time < plane.travelTime[point])) continue;
        plane.travelTime[point] = time;
        plane.heading[point] = float(headingFrom(g, at, i, j, plane.heading[point]));
        plane.seed[point] = std::int32_t(s);
      }
  }
}

} // namespace

PlanarResult reduceToPlane(const Problem& problem, const Solution& solution, int threads) {
  if (isPeriodic(problem)) {
    const PeriodicProblem periodic(problem, discretisationOfImage(problem, solution));
    const PeriodicSolution extended(periodic, solution);
    PlanarResult plane = reduceToPlane(periodic.problem(), extended.solution, threads);
    periodic.crop(plane.travelTime, 1);
    periodic.crop(plane.heading, 1);
    periodic.crop(plane.seed, 1);
    for (std::int32_t& seed : plane.seed)
      if (seed >= 0) seed %= periodic.distinctSeeds();
    return plane;
  }
  const DescentFlow flow(problem, solution);
  PlanarResult plane = reduce(flow, threads, [&](std::int64_t i, std::int64_t j, int k) {
    return flow.value({i, j, k});
  });
  correctNextToSeeds(flow, false, plane);
  return plane;
}

PlanarResult reduceToPlane(const Problem& problem, const RoundTrip& trip, int threads) {
  const RoundTripTimes times(problem, trip);
  const DescentFlow flow(problem, trip.out);
  PlanarResult plane =
      reduce(flow, threads, [&](std::int64_t i, std::int64_t j, int k) { return times.at(i, j, k); });
  correctNextToSeeds(flow, true, plane);
  return plane;
}

} // namespace isochrone::curvature
