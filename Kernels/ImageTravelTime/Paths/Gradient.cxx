#include "ImageTravelTime/Paths/Gradient.h"

#include "Error.h"
#include "ImageTravelTime/Paths/OrthogonalUpwind.h"
#include "ImageTravelTime/Paths/TensorUpwind.h"
#include "ImageTravelTime/Reuse.h"
#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Seeds/ClosedProblem.h"
#include "ImageTravelTime/Seeds/FactoringBalls.h"
#include "ImageTravelTime/Seeds/PeriodicProblem.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace isochrone::image {

Upwind upwindNeighbours(const Grid& grid, std::span<const float> u, std::int64_t point) {
  const GridIndex sizes = grid.sizes(), steps = grid.strides();
  Upwind upwind;
  std::int64_t rest = point;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t at = rest % sizes[axis];
    rest /= sizes[axis];
    double& value = upwind.value[axis] = std::numeric_limits<double>::infinity();
    upwind.side[axis] = -1;
    if (at > 0 && u[point - steps[axis]] < value) value = u[point - steps[axis]];
    if (at + 1 < sizes[axis] && u[point + steps[axis]] < value)
      value = u[point + steps[axis]], upwind.side[axis] = 1;
  }
  return upwind;
}

std::array<double, 3> upwindGradient(const Problem& problem, std::span<const float> u, std::int64_t point) {
  if (hasTensors(problem)) return tensorGradient(problem, u, point);
  const Grid& grid = problem.grid;
  std::array<double, 3> gradient{};
  if (!std::isfinite(u[point])) return gradient;
  const Position spacing = grid.spacing();
  const Upwind upwind = upwindNeighbours(grid, u, point);
  for (int axis = 0; axis < 3; ++axis)
    if (const double rise = u[point] - upwind.value[axis]; rise > 0)
      gradient[axis] = -upwind.side[axis] * rise / spacing[axis];
  return gradient;
}

bool isLowest(const Problem& problem, std::span<const float> u, std::int64_t point) {
  if (hasTensors(problem)) return earlierPoint(problem, u, point) == point;
  if (problem.orthogonal) return OrthogonalUpwind(problem, u).sources(point).count == 0;
  const Upwind next = upwindNeighbours(problem.grid, u, point);
  return u[point] < *std::min_element(next.value.begin(), next.value.end());
}

void requireTravelTime(const Grid& grid, std::span<const float> travelTime) {
  if (std::int64_t(travelTime.size()) != grid.points())
    throw Error("the travel time must have a value for each of " + std::to_string(grid.points()) +
                " points, got " + std::to_string(travelTime.size()));
}

/// Returns the components of a vector in space along the axes of an orthogonal grid at a point.
static grid::Vector3 alongAxes(const Problem& problem, std::int64_t point, const grid::Vector3& inSpace) {
  const auto [i, j, k] = problem.grid.indices(point);
  const auto frame = problem.orthogonal->frame({double(i), double(j), double(k)});
  return {grid::dot(inSpace, frame[0]), grid::dot(inSpace, frame[1]), grid::dot(inSpace, frame[2])};
}

/// Returns the gradient of T plus the difference of u - T to the neighbour that is earlier for the scheme
/// (FactoredUpdate.h), on each axis on which there is one.
static std::array<double, 3> gradientInBall(const Grid& grid, std::span<const float> u, std::int64_t point,
                                            const FactoringBall& ball) {
  const GridIndex sizes = grid.sizes(), steps = grid.strides(), at = grid.indices(point);
  const Position spacing = grid.spacing();
  Position away; // from the seed
  for (int a = 0; a < 3; ++a) away[a] = double(at[a]) * spacing[a] - ball.at[a];
  const double distance = std::hypot(away[0], away[1], away[2]);
  std::array<double, 3> gradient{};
  for (int axis = 0; axis < 3; ++axis) {
    double earliest = u[point];
    for (const int side : {-1, 1}) {
      if (at[axis] + side < 0 || at[axis] + side >= sizes[axis]) continue;
      const double step = side * spacing[axis];
      Position there = away;
      there[axis] += step;
      const double change = std::hypot(there[0], there[1], there[2]) - distance; // of the distance
      const double value =
          u[point + side * steps[axis]] - ball.slowness * (change - step * away[axis] / distance);
      if (value < earliest) earliest = value, gradient[axis] = (value - u[point]) / step;
    }
  }
  return gradient;
}

Values<float> gradient(const Problem& given, const Result& result, std::span<const FactoringBall> balls,
                       int threads, const Monitor& monitor) {
  Values<float> values = gradient(given, result.travelTime, threads, monitor);
  const auto isUsed = [](const FactoringBall& b) { return b.radius > 0 && !std::isnan(b.slowness); };
  if (values.empty() || std::ranges::none_of(balls, isUsed)) return values;
  const Grid& grid = given.grid;
  const Position spacing = grid.spacing();
  const auto improve = [&](std::int64_t point, int) {
    const std::int32_t seed = result.seed.empty() ? 0 : result.seed[point];
    if (seed < 0 || !std::isfinite(result.travelTime[point]) || !isUsed(balls[std::size_t(seed)])) return;
    const FactoringBall& ball = balls[std::size_t(seed)];
    const GridIndex at = grid.indices(point);
    double squared = 0;
    for (int a = 0; a < 3; ++a) squared += std::pow(double(at[a]) * spacing[a] - ball.at[a], 2);
    if (squared == 0 || std::sqrt(squared) >= withoutSurface * ball.radius) return;
    const std::array<double, 3> g = gradientInBall(grid, result.travelTime, point, ball);
    for (int axis = 0; axis < 3; ++axis) values[3 * point + axis] = float(g[axis]);
  };
  Workers workers(chooseThreads(threads, 50 * double(grid.points())), monitor);
  if (!workers.runInBlocks(grid.points(), improve)) return {};
  return values;
}

Values<float> gradient(const Problem& given, std::span<const float> travelTime, int threads,
                       const Monitor& monitor) {
  if (isOpenCircle(given)) {
    requireTravelTime(given.grid, travelTime);
    const ClosedProblem closed(given);
    Values<float> result = gradient(closed.problem(), closed.extend(travelTime), threads, monitor);
    closed.crop(result, 3);
    return result;
  }
  if (isPeriodic(given)) {
    requireTravelTime(given.grid, travelTime);
    const std::optional<GridIndex> reach = stencilReach(given, threads, monitor);
    if (!reach) return {};
    const PeriodicProblem periodic(given, *reach);
    Values<float> result = gradient(periodic.problem(), periodic.part().extend(travelTime), threads, monitor);
    periodic.part().crop(result, 3);
    return result;
  }
  const Problem problem = withoutZeroDrift(given);
  requireTravelTime(problem.grid, travelTime);
  const std::int64_t points = problem.grid.points();
  Values<float> result(3 * points);
  std::optional<OrthogonalUpwind> upwind;
  if (problem.orthogonal) upwind.emplace(problem, travelTime);
  const auto differentiate = [&](std::int64_t point, int) {
    const std::array<double, 3> g = upwind ? alongAxes(problem, point, upwind->gradient(point))
                                           : upwindGradient(problem, travelTime, point);
    for (int axis = 0; axis < 3; ++axis) result[3 * point + axis] = float(g[axis]);
  };
  if (!Workers(chooseThreads(threads, 50 * double(points)), monitor).runInBlocks(points, differentiate))
    return {};
  return result;
}

} // namespace isochrone::image
