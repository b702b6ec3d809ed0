#include "ImageTravelTime/Validation.h"

#include "Error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

Extremes extremesOfSpeed(const Problem& p, int threads) {
  float least = std::numeric_limits<float>::infinity(), largest = 0;
  const std::int64_t n = std::int64_t(p.speed.size());
  if (n == 0) return {p.constantSpeed, p.constantSpeed};
#pragma omp parallel for schedule(static) num_threads(threads) reduction(min : least) reduction(max : largest)
  for (std::int64_t i = 0; i < n; ++i) {
    const float v = p.speed[i];
    const bool counts = v > 0;
    least = std::min(least, counts ? v : least);
    largest = std::max(largest, counts ? v : largest);
  }
  return {least, largest};
}

} // namespace isochrone::image
