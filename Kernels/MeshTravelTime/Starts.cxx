#include "MeshTravelTime/Starts.h"

#include "MeshTravelTime/Balls.h"
#include "MeshTravelTime/CellMetric.h"

#include <cmath>

namespace isochrone::mesh {

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
      for (int k = 0; k < cornersOf(p, seed.cell); ++k) {
        const std::int64_t v = p.cells[std::size_t(4 * seed.cell + k)];
        const Position x = pointAt(p, v);
        const double time =
            std::sqrt(grid::square(metric, {x[0] - seed.at[0], x[1] - seed.at[1], x[2] - seed.at[2]}));
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
    starts.push_back({v, (start.time - p.timeOrigin) / stars.unit, start.seed});
    result.usable[start.seed] = true;
    result.ballVertices += start.ofBall;
  }
  return starts;
}

} // namespace isochrone::mesh
