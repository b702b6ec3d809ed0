#include "MeshTravelTime/Seeds/Starts.h"

#include "Error.h"
#include "MeshTravelTime/Seeds/LineOfSight.h"
#include "MeshTravelTime/Validation.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace isochrone::mesh {

namespace {

constexpr double latestStart = 1e28; ///< in solver units; `unreached` is 1e30

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
    for (const std::int64_t cell : cells.around(seed.vertex)) visit(cell);
  for (std::size_t next = 0; next < queue.size(); ++next)
    for (const std::int64_t v : verticesOf(p, queue[next])) {
      if (!knownVertices.insert(v).second) continue;
      for (const std::int64_t cell : cells.around(v)) visit(cell);
      const Position x = pointAt(p, v);
      if (std::hypot(x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]) > radius) continue;
      if (const double time = sight.timeFrom(placeAt(v)); std::isfinite(time)) ball.emplace_back(v, time);
    }
  return ball;
}

std::vector<SeedStart> seedStarts(const Problem& p, const VertexCells& cells) {
  std::vector<SeedStart> starts;
  for (std::size_t s = 0; s < p.seeds.size(); ++s) {
    const Seed& seed = p.seeds[s];
    const auto number = std::int32_t(s);
    if (seed.vertex < 0 && seed.cell < 0) continue; // in another part of the mesh
    if (seed.vertex >= 0) {
      starts.push_back({seed.vertex, seed.startTime, number, false});
    } else {
      grid::Symmetric3 metric;
      if (metricAt(p, seed.cell, metric) != Passage::Open) continue;
      for (const std::int64_t v : verticesOf(p, seed.cell)) {
        const double time = std::sqrt(grid::square(metric, grid::difference(pointAt(p, v), seed.at)));
        starts.push_back({v, seed.startTime + time, number, false});
      }
    }
    if (p.ballRadius > 0)
      for (const auto& [v, time] : ballAround(p, cells, seed, p.ballRadius))
        starts.push_back({v, seed.startTime + time, number, true});
  }
  return starts;
}

std::vector<Start> startsOf(const Problem& p, const VertexStars& stars, Result& result,
                            const VertexCells* cells) {
  std::vector<Start> starts;
  result.usable.assign(p.seeds.size(), false);
  const VertexCells own = !cells && p.ballRadius > 0 ? makeVertexCells(p) : VertexCells();
  for (const SeedStart& start : seedStarts(p, cells ? *cells : own)) {
    const std::int32_t v = stars.number[start.vertex];
    if (stars.star(v).empty()) continue;
    const double time = (start.time - p.timeOrigin) / stars.unit;
    if (!(std::abs(time) < latestStart))
      fail(nameOfStart(p, std::size_t(start.seed)), " is ", text(start.time - p.timeOrigin),
           " later than the earliest one, more than single precision can combine with times of ",
           text(stars.unit), " along edges: give start times closer together");
    starts.push_back({v, time, start.seed});
    result.usable[start.seed] = true;
    result.ballVertices += start.ofBall;
  }
  return starts;
}

} // namespace isochrone::mesh
