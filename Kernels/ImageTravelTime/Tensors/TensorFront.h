// TensorFront.h - the points whose new values have not been propagated yet, ordered by these values.
//
// Buckets of equal width follow each other. The first bucket that holds points is processed until it is
// empty. Values before it are then final, except in a drift.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace isochrone::image {

class TensorFront {
public:
  /// @param bucketWidth  in the unit of the values
  /// @param threads      number of threads that push concurrently
  TensorFront(float bucketWidth, int threads);

  /// Returns the bucket of a value, at most `count`: beyond all buckets.
  int bucketOf(float value) const {
    const double at = (value - base) / width;
    return at < count ? std::max(current, int(at)) : count;
  }
  /// Adds a point to a bucket. A point may be in several buckets; the later entries are out of date.
  void push(std::uint32_t point, int bucket, int thread) { of[thread].push(point, bucket); }

  /// Moves the points of the first bucket that holds any to `points`. Returns false if all buckets are empty.
  /// @param isPending  isPending(p): whether an entry of p is up to date
  template <class IsPending>
  bool take(std::span<const float> values, std::vector<std::uint32_t>& points, const IsPending& isPending) {
    points.clear();
    while (points.empty()) {
      for (; current < count && points.empty(); current += points.empty()) takeBucket(current, points);
      if (!points.empty()) continue;
      if (!startOver(values, points)) return false;
      for (const std::uint32_t p : points)
        if (isPending(p)) push(p, bucketOf(values[p]), 0);
      points.clear();
    }
    return true;
  }

  /// Returns the value below which all values are final, except in a drift.
  double minimum() const { return base + current * double(width); }
  std::size_t bytes() const;

private:
  static constexpr int count = 128;
  static constexpr std::uint32_t none = 0xffffffff;
  /// A piece of a bucket, so that buckets share the memory of a thread.
  struct Piece {
    std::uint32_t next, size, points[62];
  };
  struct Buckets {
    std::array<std::uint32_t, count + 1> first; ///< piece of each bucket, or none
    std::uint32_t unused = none;
    std::deque<Piece> piece;

    Buckets() { first.fill(none); }
    void push(std::uint32_t point, int bucket);
    void take(int bucket, std::vector<std::uint32_t>& points);
  };

  void takeBucket(int bucket, std::vector<std::uint32_t>& points) {
    for (Buckets& buckets : of) buckets.take(bucket, points);
  }
  bool startOver(std::span<const float> values, std::vector<std::uint32_t>& points);

  float width;
  double base = 0;
  int current = 0;
  std::vector<Buckets> of; ///< per thread
};

} // namespace isochrone::image
