// Travel times on the host.
#include "MeshTravelTime/HostSolver.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::mesh {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class Run {
public:
  Run(const VertexStars& s, Result& r)
      : stars(s), result(r), times(std::size_t(s.vertexCount) + 1), listed(times.size()) {
    std::fill(times.begin(), times.end(), unreached);
  }

  void lower(std::int32_t vertex, float time) {
    if (!(time < times[vertex])) return;
    times[vertex] = time;
    for (const Corner corner : stars.star(vertex)) {
      const Tetrahedron& t = stars.tetrahedra[corner / 4];
      const int k = int(corner % 4);
      for (int i = 0; i < 3; ++i) {
        const int j = otherVertex(k, i);
        const std::int32_t other = t.vertex[j];
        if (!listed[other] && mayLower(t, k, j, time, times[other]))
          listed[other] = 1, active.push_back(other);
      }
    }
  }

  bool round(const Monitor& monitor) {
    std::vector<std::int32_t> now;
    now.swap(active);
    for (const std::int32_t v : now) {
      listed[v] = 0;
      double least = times[v];
      for (const Corner corner : stars.star(v))
        least = lesser(least,
                       update(opposite(stars.tetrahedra[corner / 4], int(corner % 4), times.data()), least));
      lower(v, float(least));
    }
    updates += std::int64_t(now.size());
    ++result.rounds;
    return monitor.goOn(0.5);
  }

  const VertexStars& stars;
  Result& result;
  Values<float> times;
  std::vector<std::uint8_t> listed;
  std::vector<std::int32_t> active;
  std::int64_t updates = 0;
};

} // namespace

Values<float> solveOnHost(const VertexStars& stars, const std::vector<Start>& starts, const Sharing& sharing,
                          double, int, const Monitor& monitor, Result& result) {
  Run run(stars, result);
  for (const Start& start : starts) run.lower(start.vertex, float(start.time));
  std::vector<double> shared(sharing.vertices.size());
  while (true) {
    while (!run.active.empty() && !result.aborted) result.aborted = !run.round(monitor);
    if (!sharing.exchange) break;
    for (std::size_t i = 0; i < shared.size(); ++i) {
      const float time = run.times[stars.number[sharing.vertices[i]]];
      shared[i] = time < unreached ? time * stars.unit : infinity;
    }
    const double pending = result.aborted ? std::numeric_limits<double>::quiet_NaN() : infinity;
    if (std::isnan(sharing.exchange(shared, pending, stars.longEdge * stars.unit))) break;
    for (std::size_t i = 0; i < shared.size(); ++i)
      if (shared[i] < infinity) run.lower(stars.number[sharing.vertices[i]], float(shared[i] / stars.unit));
  }
  result.updatesPerVertex = double(run.updates) / std::max(1, stars.vertexCount);
  if (result.aborted) return {};
  return std::move(run.times);
}

} // namespace isochrone::mesh
