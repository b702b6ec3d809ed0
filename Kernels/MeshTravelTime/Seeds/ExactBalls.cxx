#include "MeshTravelTime/Seeds/ExactBalls.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace isochrone::mesh {

namespace {

/// Returns whether the bounds of a cell come within a distance of a position.
bool comesNear(const Problem& p, std::int64_t cell, const Position& at, double distance) {
  const Bounds bounds = boundsOf(p, cell);
  double squared = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    const double apart = std::max({0.0, bounds.low[a] - at[a], at[a] - bounds.high[a]});
    squared += apart * apart;
  }
  return squared <= distance * distance;
}

} // namespace

std::vector<std::pair<std::int64_t, double>> ballAround(const Problem& p, const VertexCells& cells,
                                                        const Seed& seed, double radius) {
  std::vector<std::pair<std::int64_t, double>> ball;
  const SeedSight sight(p, cells, seed);
  const Position centre = sight.position();
  std::vector<std::int64_t> queue;
  std::unordered_set<std::int64_t> known, knownVertices;
  const auto visit = [&](std::int64_t cell) {
    grid::Symmetric3 metric;
    if (known.insert(cell).second && comesNear(p, cell, centre, radius) &&
        metricAt(p, cell, metric) == Passage::Open)
      queue.push_back(cell);
  };
  if (seed.vertex < 0)
    visit(seed.cell);
  else
    for (const std::int32_t cell : cells.around(seed.vertex)) visit(cell);
  for (std::size_t next = 0; next < queue.size(); ++next)
    for (const std::int64_t v : verticesOf(p, queue[next])) {
      if (!knownVertices.insert(v).second) continue;
      for (const std::int32_t cell : cells.around(v)) visit(cell);
      const Position x = pointAt(p, v);
      if (std::hypot(x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]) > radius) continue;
      if (const double time = sight.timeFrom(placeAt(v)); std::isfinite(time)) ball.emplace_back(v, time);
    }
  return ball;
}

} // namespace isochrone::mesh
