// TensorFront.h - the points whose new values have not been propagated yet, ordered by these values.
//
// Buckets of equal width follow each other. The first bucket that holds points is processed until it is
// empty. Values before it are final.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::image {

class TensorFront {
public:
  /// @param bucketWidth  in the unit of the values
  /// @param threads      number of threads that push concurrently
  TensorFront(float bucketWidth, int threads) : width(bucketWidth), of(threads) {}

  /// Adds a point to the bucket of its value. A point may be in several buckets; the later entries are out of
  /// date.
  void push(std::int64_t point, float value, int thread);

  /// Moves the points of the first bucket that holds any to `points`. Returns false if all buckets are empty.
  bool take(std::span<const float> values, std::vector<std::int64_t>& points);

  /// Returns the value below which all values are final.
  double minimum() const { return base + current * double(width); }
  std::size_t bytes() const;

private:
  static constexpr int count = 128;
  using Bucket = std::vector<std::int64_t>;
  struct Buckets {
    std::array<Bucket, count> bucket;
    Bucket beyond;
  };

  bool startOver(std::span<const float> values);

  float width;
  double base = 0;
  int current = 0;
  std::vector<Buckets> of; ///< per thread
};

} // namespace isochrone::image
