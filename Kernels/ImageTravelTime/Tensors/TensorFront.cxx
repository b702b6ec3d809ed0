#include "ImageTravelTime/Tensors/TensorFront.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace isochrone::image {

void TensorFront::push(std::int64_t point, float value, int thread) {
  const double at = (value - base) / width;
  if (at < count)
    of[thread].bucket[std::max(current, int(at))].push_back(point);
  else
    of[thread].beyond.push_back(point);
}

/// Restarts the buckets at the minimum of the values beyond them. Returns false if no points are left.
bool TensorFront::startOver(std::span<const float> values) {
  double least = std::numeric_limits<double>::infinity();
  for (const Buckets& mine : of)
    for (const std::int64_t p : mine.beyond) least = std::min(least, double(values[p]));
  if (least == std::numeric_limits<double>::infinity()) return false;
  base = std::max(least, base + count * double(width)), current = 0;
  for (std::size_t t = 0; t < of.size(); ++t)
    for (const std::int64_t p : std::exchange(of[t].beyond, {})) push(p, values[p], int(t));
  return true;
}

bool TensorFront::take(std::span<const float> values, std::vector<std::int64_t>& points) {
  points.clear();
  while (points.empty()) {
    for (; current < count && points.empty(); current += points.empty())
      for (Buckets& mine : of) {
        points.insert(points.end(), mine.bucket[current].begin(), mine.bucket[current].end());
        mine.bucket[current].clear();
      }
    if (points.empty() && !startOver(values)) return false;
  }
  return true;
}

} // namespace isochrone::image
