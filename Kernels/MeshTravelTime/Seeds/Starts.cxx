#include "MeshTravelTime/Seeds/Starts.h"

#include "Error.h"
#include "MeshTravelTime/Scheme/CellMetric.h"
#include "MeshTravelTime/Seeds/ExactBalls.h"
#include "MeshTravelTime/Validation.h"

#include <cmath>

namespace isochrone::mesh {

namespace {

constexpr double latestStart = 1e28; ///< in solver units; `unreached` is 1e30

} // namespace

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

std::vector<Start> startsOf(const Problem& p, const VertexStars& stars, Result& result) {
  std::vector<Start> starts;
  result.usable.assign(p.seeds.size(), false);
  for (const SeedStart& start : seedStarts(p, p.ballRadius > 0 ? makeVertexCells(p) : VertexCells{})) {
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
