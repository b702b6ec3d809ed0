#include "ImageTravelTime/Tensors/TensorFront.h"

#include <algorithm>
#include <limits>

namespace isochrone::image {

TensorFront::TensorFront(float bucketWidth, int threads) : width(bucketWidth), of(threads) {}

void TensorFront::Buckets::push(std::uint32_t point, int bucket) {
  std::uint32_t at = first[bucket];
  if (at == none || piece[at].size == std::size(piece[at].points)) {
    const std::uint32_t full = at;
    at = unused;
    if (at != none)
      unused = piece[at].next;
    else
      at = std::uint32_t(piece.size()), piece.emplace_back();
    piece[at].next = full, piece[at].size = 0;
    first[bucket] = at;
  }
  Piece& last = piece[at];
  last.points[last.size++] = point;
}

void TensorFront::Buckets::take(int bucket, std::vector<std::uint32_t>& points) {
  while (first[bucket] != none) {
    const std::uint32_t at = first[bucket];
    points.insert(points.end(), piece[at].points, piece[at].points + piece[at].size);
    first[bucket] = piece[at].next;
    piece[at].next = unused, unused = at;
  }
}

/// Moves the points beyond the buckets to `points`, and restarts the buckets at the minimum of their values.
/// Returns false if no points are left.
bool TensorFront::startOver(std::span<const float> values, std::vector<std::uint32_t>& points) {
  takeBucket(count, points);
  double minimum = std::numeric_limits<double>::infinity();
  for (const std::uint32_t p : points) minimum = std::min(minimum, double(values[p]));
  if (points.empty()) return false;
  base = std::max(minimum, base + count * double(width)), current = 0;
  return true;
}

std::size_t TensorFront::bytes() const {
  std::size_t sum = 0;
  for (const Buckets& buckets : of) sum += sizeof(Buckets) + buckets.piece.size() * sizeof(Piece);
  return sum;
}

} // namespace isochrone::image
