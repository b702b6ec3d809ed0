#include "RayTracing/Seeds/EndpointEdges.h"

#include "RayTracing/Scheme/EdgeWeights.h"
#include "RayTracing/Scheme/WholeImage.h"

#include <algorithm>
#include <cmath>

namespace isochrone::rays {

namespace {

/// Returns the time and the weights of a segment within a cell; nothing if it is closed.
std::optional<EndpointEdge> along(const Problem& problem, WeightRule rule, const Position& from,
                                  const Position& to) {
  const Grid elements = elementsOf(problem.grid, rule);
  const GridIndex first = problem.part.first, origin{-first[0], -first[1], -first[2]};
  const Position h = problem.grid.spacing(),
                 vector{(to[0] - from[0]) * h[0], (to[1] - from[1]) * h[1], (to[2] - from[2]) * h[2]};
  EndpointEdge edge;
  for (const Term& term : segmentTerms(wholeGrid(problem), rule, from, to)) {
    if (term.length == 0) continue;
    const SlowElement<double> fastest = minElement<double>(problem, elements, origin, term, vector);
    if (std::isinf(fastest.along.slowness)) return {};
    edge.time += term.length * fastest.along.slowness;
    edge.weights.emplace_back(fastest.element, term.length * fastest.along.ratio);
  }
  return edge;
}

/// Returns the first and last planes of points of the cells that contain a position.
std::pair<Offset, Offset> around(const Grid& grid, const Position& steps) {
  Offset first{}, last{};
  for (int a = 0; a < 3; ++a) {
    const int base = int(std::floor(steps[a]));
    const bool onPlane = steps[a] == base;
    first[a] = std::max(base - (onPlane ? 1 : 0), 0);
    last[a] = int(std::min<std::int64_t>(base + 1, grid.sizes()[a] - 1));
  }
  return {first, last};
}

} // namespace

std::optional<Position> stepsTo(const Problem& problem, const Position& place) {
  const Grid grid = wholeGrid(problem);
  const GridIndex n = grid.sizes();
  Position steps{};
  for (int a = 0; a < 3; ++a) {
    if (n[a] == 1) continue; // flat along this axis: any coordinate is accepted
    double s = place[a] / grid.spacing()[a];
    if (!std::isfinite(s) || (!problem.periodic[a] && !(s >= -0.5 && s <= double(n[a]) - 0.5))) return {};
    if (std::abs(s - std::round(s)) < 1e-6) s = std::round(s);
    steps[a] = problem.periodic[a] ? s : std::clamp(s, 0.0, double(n[a] - 1));
  }
  return steps;
}

bool ownsNearest(const Problem& problem, const Position& steps) {
  GridIndex nearest;
  for (int a = 0; a < 3; ++a) nearest[a] = std::llround(steps[a]) - problem.part.first[a];
  return problem.part.owns(nearest);
}

bool isPoint(const Position& p) {
  return p[0] == std::floor(p[0]) && p[1] == std::floor(p[1]) && p[2] == std::floor(p[2]);
}

bool isOpen(const Problem& problem, WeightRule rule, std::int64_t point) {
  const auto open = [&](std::int64_t element) { return std::isfinite(slownessAt(problem, element)); };
  if (rule != WeightRule::Cells) return open(point);
  const Grid cells = elementsOf(problem.grid, rule);
  for (int corner = 0; corner < 8; ++corner) {
    const Offset back{-(corner & 1), -(corner >> 1 & 1), -(corner >> 2)};
    const std::int64_t cell = indexAt(cells, problem.grid.indices(point), back);
    if (cell >= 0 && open(cell)) return true;
  }
  return false;
}

std::vector<EndpointEdge> endpointEdges(const Problem& problem, WeightRule rule, const Position& steps) {
  const ImageNumbers points = ImageNumbers::ofPoints(problem);
  std::vector<EndpointEdge> edges;
  if (isPoint(steps)) {
    const std::int64_t point =
        points.inPart({std::int64_t(steps[0]), std::int64_t(steps[1]), std::int64_t(steps[2])});
    if (point >= 0 && isOpen(problem, rule, point)) edges.push_back({point, 0, {}});
    return edges;
  }
  const auto [first, last] = around(wholeGrid(problem), steps);
  for (int z = first[2]; z <= last[2]; ++z)
    for (int y = first[1]; y <= last[1]; ++y)
      for (int x = first[0]; x <= last[0]; ++x) {
        const std::int64_t point = points.inPart(GridIndex{x, y, z});
        auto edge = point < 0 ? std::nullopt : along(problem, rule, steps, {double(x), double(y), double(z)});
        if (!edge) continue;
        edge->point = point;
        edges.push_back(std::move(*edge));
      }
  return edges;
}

std::optional<EndpointEdge> straightEdge(const Problem& problem, WeightRule rule, const Position& fromSteps,
                                         const Position& toSteps) {
  for (int a = 0; a < 3; ++a) {
    const double low = std::min(fromSteps[a], toSteps[a]), high = std::max(fromSteps[a], toSteps[a]);
    if (high > std::floor(low) + 1) return {}; // a plane of points lies between them
  }
  return along(problem, rule, fromSteps, toSteps);
}

} // namespace isochrone::rays
