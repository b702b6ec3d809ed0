#include "CurvaturePaths/Scheme/PartProblem.h"

#include "CurvaturePaths/Validation.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace isochrone::curvature {

namespace {

/// Returns the distance from a seed, in grid steps, up to which states have start values: the fine grids
/// reach 8 steps along each axis, and their axes are rotated (Seeds/RefinedGrid.h). Dubins' words reach no
/// further than 12 steps.
double nearSeedReach(const StateGrid& g) {
  return std::max(12., std::ceil(8 * std::hypot(g.hx, g.hy) / std::min(g.hx, g.hy)));
}

} // namespace

std::int64_t marginOf(const Problem& problem, const HeadingStencils& stencils) {
  int reach = 0;
  for (const std::vector<Offset>& offsets : stencils.offsets)
    for (const Offset& e : offsets) reach = std::max({reach, std::abs(e[0]), std::abs(e[1])});
  if (problem.accuracy == Accuracy::SecondOrder) reach *= 2; // corrections read two steps ahead
  const std::int64_t size = isPeriodic(problem) ? std::numeric_limits<std::int32_t>::max()
                                                : std::max(problem.grid.nx, problem.grid.ny);
  if (problem.accuracy == Accuracy::FirstOrder) return sharedPoints + reach;
  return sharedPoints +
         std::max<std::int64_t>(reach, std::int64_t(std::min(double(size), nearSeedReach(problem.grid))));
}

std::int64_t marginOf(const Problem& problem) {
  validate(problem);
  return marginOf(problem, makeHeadingStencils(problem, rangeOf(problem, problem.turningRadius),
                                               rangeOf(problem, problem.curvatureShift)));
}

void requireMargin(const Problem& problem, const HeadingStencils& stencils) {
  const std::int64_t margin = marginOf(problem, stencils);
  if (problem.margin < margin)
    fail("the margin of a part of the plane must have at least ", margin, " points, got ", problem.margin,
         ": take it from marginOf");
}

grid::Box ownPointsOf(const Problem& problem) {
  if (!problem.part.isDivided()) return {{0, 0, 0}, {problem.grid.nx, problem.grid.ny, 1}};
  grid::Box own = problem.part.own;
  for (int axis = 0; axis < 2; ++axis) {
    own.low[axis] += problem.part.first[axis];
    own.high[axis] += problem.part.first[axis];
  }
  return own;
}

grid::Box windowOf(const Problem& problem) {
  return grid::grown(ownPointsOf(problem), problem.margin, {problem.grid.nx, problem.grid.ny, 1});
}

namespace {

/// Returns the values of each plane of an array in the window; nothing of an empty array.
template <class T>
std::vector<T> cropped(std::span<const T> values, const StateGrid& plane, const grid::Box& window) {
  std::vector<T> part;
  const std::int64_t width = window.size(0);
  part.reserve(values.size() / std::size_t(plane.planePoints()) * std::size_t(window.points()));
  for (std::size_t start = 0; start < values.size(); start += std::size_t(plane.planePoints()))
    for (std::int64_t j = window.low[1]; j < window.high[1]; ++j) {
      const auto row = values.begin() + std::ptrdiff_t(start) + plane.nx * j + window.low[0];
      part.insert(part.end(), row, row + width);
    }
  return part;
}

} // namespace

PartProblem::PartProblem(const Problem& whole) : plane(whole.grid), window(windowOf(whole)), part(whole) {
  part.grid.nx = window.size(0), part.grid.ny = window.size(1);
  part.part.first = {};
  part.seeds.clear();
  part.pointName = nullptr;
  Field* const views[] = {&part.cost, &part.turningRadius, &part.curvatureShift};
  for (std::size_t f = 0; f < fields.size(); ++f) {
    fields[f] = cropped(views[f]->values, plane, window);
    views[f]->values = fields[f];
  }
  walls = cropped(whole.walls, plane, window);
  part.walls = walls;
}

std::vector<StartState> PartProblem::inWindow(const std::vector<StartState>& starts) const {
  std::vector<StartState> inside;
  for (const StartState& s : starts) {
    const std::int64_t point = s.state % plane.planePoints();
    const GridIndex at{point % plane.nx, point / plane.nx, 0};
    if (!window.contains(at)) continue;
    const int heading = int(s.state / plane.planePoints());
    inside.push_back(
        {part.grid.index(at[0] - window.low[0], at[1] - window.low[1], heading), s.seed, s.travelTime});
  }
  return inside;
}

std::vector<Placement> PartProblem::inWindow(std::vector<Placement> places) const {
  for (Placement& place : places) {
    place.i -= window.low[0], place.j -= window.low[1];
    if (!part.part.own.contains({place.i, place.j, 0})) place.status = Placement::Status::Outside;
  }
  return places;
}

} // namespace isochrone::curvature
