#include "ImageTravelTime/Paths/OrthogonalUpwind.h"

#include "Execution/Scalar.h"
#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Scheme/SidedUpdate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace isochrone::image {

namespace {

/// Calls f(axis, side, neighbour, length) for the neighbours of a point in another place.
template <class F>
void forEachNeighbour(const grid::OrthogonalGrid& g, const GridIndex& point, F&& f) {
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1}) {
      const std::optional<GridIndex> next = g.neighbour(point, axis, side);
      if (!next) continue;
      // The step lies above the lower of the two, which is not always this one across the first meridian.
      GridIndex low = side < 0 ? *next : point;
      if (side > 0 && point[std::size_t(axis)] + 1 == g.size(axis)) low[std::size_t(axis)] = 0;
      GridIndex here = point;
      here[std::size_t(axis)] = low[std::size_t(axis)];
      const double length = g.stepAbove(here, axis);
      if (g.factor(point, axis) > 0) f(axis, side, *next, length);
    }
}

OrthogonalSources sourcesOf(const Problem& p, std::span<const float> u, std::span<const GridIndex> place) {
  const grid::OrthogonalGrid& g = *p.orthogonal;
  std::array<std::optional<OrthogonalSource>, 3> best;
  for (const GridIndex& from : place) {
    const double here = u[std::size_t(p.grid.index(from))];
    forEachNeighbour(g, from, [&](int axis, int side, const GridIndex& next, double length) {
      const std::int64_t to = p.grid.index(next);
      const double fall = here - u[std::size_t(to)];
      if (!(fall > 0)) return;
      std::optional<OrthogonalSource>& steepest = best[std::size_t(g.isCentre(from) ? 0 : axis)];
      if (!steepest || fall / length > steepest->fall / steepest->length)
        steepest = OrthogonalSource{p.grid.index(from), to, axis, side, fall, length};
    });
  }
  OrthogonalSources sources;
  for (const auto& source : best)
    if (source) sources.source[std::size_t(sources.count++)] = *source;
  return sources;
}

} // namespace

OrthogonalUpwind::OrthogonalUpwind(const Problem& p, std::span<const float> travelTime)
    : problem(p), u(travelTime) {
  if (u.empty()) return;
  for (std::vector<GridIndex>& place : p.orthogonal->places()) {
    if (!p.orthogonal->isPole(place[0])) continue;
    const std::int64_t first = p.grid.index(place[0]);
    std::erase_if(place, [&](const GridIndex& point) { return isBarrier(p, p.grid.index(point)); });
    ofPlaces.emplace(first, sourcesOf(p, u, place));
  }
}

OrthogonalSources OrthogonalUpwind::sources(std::int64_t point) const {
  const GridIndex at = problem.grid.indices(point);
  if (problem.orthogonal->isPole(at)) {
    const auto place = ofPlaces.find(problem.grid.index(problem.orthogonal->first(at)));
    if (place != ofPlaces.end()) return place->second;
  }
  return sourcesOf(problem, u, {&at, 1});
}

grid::Vector3 OrthogonalUpwind::gradient(std::int64_t point) const {
  grid::Vector3 gradient{};
  if (!std::isfinite(u[std::size_t(point)])) return gradient;
  for (const OrthogonalSource& source : sources(point)) {
    const auto [i, j, k] = problem.grid.indices(source.from);
    const grid::Vector3 along =
        problem.orthogonal->frame({double(i), double(j), double(k)})[std::size_t(source.axis)];
    for (std::size_t c = 0; c < 3; ++c) gradient[c] -= source.side * source.fall / source.length * along[c];
  }
  return gradient;
}

double orthogonalUpdate(const Problem& p, std::span<const float> u, std::int64_t point) {
  using Number = execution::ScalarOf<double>;
  const grid::OrthogonalGrid& g = *p.orthogonal;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double minimum = infinity;
  for (const GridIndex& same : g.samePlace(p.grid.indices(point))) {
    if (isBarrier(p, p.grid.index(same))) continue;
    const double unit = g.typicalStep() * slownessAt(p, p.grid.index(same));
    double value[3][2], inverse[3][2], earliest = infinity;
    for (auto& axis : value) axis[0] = axis[1] = infinity;
    for (auto& axis : inverse) axis[0] = axis[1] = 1;
    forEachNeighbour(g, same, [&](int axis, int side, const GridIndex& next, double length) {
      // Beyond the first meridian lie the neighbours of its copy, which has a speed of its own.
      if (next[std::size_t(axis)] - same[std::size_t(axis)] != side) return;
      value[axis][side > 0] = u[std::size_t(p.grid.index(next))];
      inverse[axis][side > 0] = g.typicalStep() / length;
      earliest = std::min(earliest, value[axis][side > 0]);
    });
    if (std::isinf(earliest)) continue;
    for (auto& axis : value)
      for (double& v : axis) v = std::isinf(v) ? unreached : (v - earliest) / unit;
    minimum = std::min(minimum, earliest + unit * sided<Number, 3>(value, inverse, 1.));
  }
  return minimum;
}

} // namespace isochrone::image
