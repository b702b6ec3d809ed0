#include "MeshTravelTime/Starts.h"

#include "MeshTravelTime/CellMetric.h"

#include <cmath>

namespace isochrone::mesh {

std::vector<Start> startsOf(const Problem& p, const VertexStars& stars, Result& result) {
  std::vector<Start> starts;
  result.usable.assign(p.seeds.size(), false);
  const auto begin = [&](std::size_t seed, std::int64_t vertex, double time) {
    const std::int32_t v = stars.number[vertex];
    if (stars.star(v).empty()) return;
    starts.push_back({v, (time - p.timeOrigin) / stars.unit, std::int32_t(seed)});
    result.usable[seed] = true;
  };
  for (std::size_t s = 0; s < p.seeds.size(); ++s) {
    const Seed& seed = p.seeds[s];
    if (seed.vertex >= 0) {
      begin(s, seed.vertex, seed.startTime);
      continue;
    }
    grid::Symmetric3 metric;
    if (seed.cell < 0) continue; // in another part of the mesh
    if (metricAt(p, seed.cell, metric) != Passage::Open) continue;
    for (int k = 0; k < cornersOf(p, seed.cell); ++k) {
      const std::int64_t v = p.cells[std::size_t(4 * seed.cell + k)];
      const Position x = pointAt(p, v);
      begin(s, v,
            seed.startTime +
                std::sqrt(grid::square(metric, {x[0] - seed.at[0], x[1] - seed.at[1], x[2] - seed.at[2]})));
    }
  }
  return starts;
}

} // namespace isochrone::mesh
