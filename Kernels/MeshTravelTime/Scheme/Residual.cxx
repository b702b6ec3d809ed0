#include "MeshTravelTime/Scheme/VertexStars.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace isochrone::mesh {

double residual(const Problem& problem, std::span<const float> travelTime, int threads,
                const Monitor& monitor) {
  constexpr double stopped = std::numeric_limits<double>::quiet_NaN();
  threads = chooseThreads(threads, 1000 * double(problem.cellCount()));
  execution::RoundPool pool(threads);
  const VertexStars stars = makeVertexStars(problem, pool, monitor);
  if (stars.unfinished) return stopped;
  std::vector<float> times(travelTime.size() + 1, unreached);
  double latest = 0;
  for (std::size_t v = 0; v < travelTime.size(); ++v) {
    if (std::isinf(travelTime[v])) continue;
    times[stars.number[v]] = float((travelTime[v] - problem.timeOrigin) / stars.unit);
    latest = std::max(latest, double(times[stars.number[v]]));
  }
  std::vector<double> maximum(threads, 0); // maximum found by each thread
  const auto check = [&](std::int64_t v, int thread) {
    if (!(times[v] < unreached)) return;
    double minimum = times[v];
    for (const Corner corner : stars.star(std::int32_t(v)))
      minimum = Single::min(
          minimum, update(opposite(stars.tetrahedra[corner / 4], int(corner % 4), times.data()), minimum));
    if (const double scale = std::max(std::abs(minimum), 1e-3 * latest);
        times[v] - minimum > maximum[thread] * scale)
      maximum[thread] = (times[v] - minimum) / scale;
  };
  const bool done = Workers(threads, monitor).runInBlocks(stars.vertexCount, check);
  return done ? *std::max_element(maximum.begin(), maximum.end()) : stopped;
}

} // namespace isochrone::mesh
