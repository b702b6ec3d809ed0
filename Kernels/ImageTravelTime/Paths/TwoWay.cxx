#include "ImageTravelTime/ImageTravelTime.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

TwoWay combine(std::span<const float> fromSeeds, std::span<const float> fromTargets, int threads,
               double origin) {
  const auto points = std::int64_t(fromSeeds.size());
  threads = chooseThreads(threads);
  TwoWay both;
  both.time.resize(points);
  both.connectivity.resize(points);
  float minimum = std::numeric_limits<float>::infinity();
#pragma omp parallel for schedule(static) num_threads(threads) reduction(min : minimum)
  for (std::int64_t p = 0; p < points; ++p) {
    both.time[p] = fromSeeds[p] + fromTargets[p];
    minimum = std::min(minimum, both.time[p]);
  }
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t p = 0; p < points; ++p) {
    const float time = both.time[p];
    const double whole = origin + time, best = origin + minimum;
    both.connectivity[p] = std::isinf(time) ? 0 : time <= minimum ? 1 : best > 0 ? float(best / whole) : 0;
  }
  // If no sum is finite, `minimum` may be the largest finite number, from which a reduction may start: no
  // point has it.
  const auto meeting = std::find(both.time.begin(), both.time.end(), minimum);
  if (std::isfinite(minimum) && meeting != both.time.end()) both.meeting = meeting - both.time.begin();
  return both;
}

Path join(const Path& fromSeed, const Path& fromTarget) {
  if (fromSeed.size() == 0 || fromTarget.size() == 0) return {};
  Path path = fromSeed;
  const double total = fromSeed.travelTime.back() + fromTarget.travelTime.back();
  for (std::size_t p = fromTarget.size() - 1; p-- > 0;) { // both contain the point where they meet
    path.x.push_back(fromTarget.x[p]);
    path.y.push_back(fromTarget.y[p]);
    if (!path.z.empty()) path.z.push_back(fromTarget.z[p]);
    path.travelTime.push_back(total - fromTarget.travelTime[p]);
  }
  path.length += fromTarget.length;
  path.energy += fromTarget.energy;
  return path;
}

} // namespace isochrone::image
