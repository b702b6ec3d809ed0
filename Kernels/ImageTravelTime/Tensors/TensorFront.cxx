#include "ImageTravelTime/Tensors/TensorFront.h"

#include "Bytes.h"

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
  double minimum = std::numeric_limits<double>::infinity();
  for (const Buckets& buckets : of)
    for (const std::int64_t p : buckets.beyond) minimum = std::min(minimum, double(values[p]));
  if (minimum == std::numeric_limits<double>::infinity()) return false;
  base = std::max(minimum, base + count * double(width)), current = 0;
  for (std::size_t t = 0; t < of.size(); ++t)
    for (const std::int64_t p : std::exchange(of[t].beyond, {})) push(p, values[p], int(t));
  return true;
}

bool TensorFront::take(std::span<const float> values, std::vector<std::int64_t>& points) {
  points.clear();
  while (points.empty()) {
    for (; current < count && points.empty(); current += points.empty())
      for (Buckets& buckets : of) {
        Bucket& bucket = buckets.bucket[current];
        points.insert(points.end(), bucket.begin(), bucket.end());
        bucket.clear();
      }
    if (points.empty() && !startOver(values)) return false;
  }
  return true;
}

std::size_t TensorFront::bytes() const {
  std::size_t sum = 0;
  for (const Buckets& buckets : of) {
    sum += bytesOf(buckets.beyond);
    for (const Bucket& bucket : buckets.bucket) sum += bytesOf(bucket);
  }
  return sum;
}

} // namespace isochrone::image
