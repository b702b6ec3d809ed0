#include "MeshTravelTime/VertexStars.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace isochrone::mesh {

double residual(const Problem& problem, std::span<const float> travelTime, int threads) {
  const VertexStars stars = makeVertexStars(problem, chooseThreads(threads));
  std::vector<float> times(travelTime.size() + 1, unreached);
  double latest = 0;
  for (std::size_t v = 0; v < travelTime.size(); ++v) {
    if (std::isinf(travelTime[v])) continue;
    times[stars.number[v]] = float((travelTime[v] - problem.timeOrigin) / stars.unit);
    latest = std::max(latest, double(times[stars.number[v]]));
  }
  double most = 0;
  for (std::int32_t v = 0; v < stars.vertexCount; ++v) {
    if (!(times[v] < unreached)) continue;
    double least = times[v];
    for (const Corner corner : stars.star(v))
      least =
          lesser(least, update(opposite(stars.tetrahedra[corner / 4], int(corner % 4), times.data()), least));
    if (const double scale = std::max(std::abs(least), 1e-3 * latest); scale > 0)
      most = std::max(most, (times[v] - least) / scale);
  }
  return most;
}

} // namespace isochrone::mesh
