// TensorFront.h - the points whose new values have not been passed on yet, in the order of these values.
//
// Buckets of equal width follow each other; the first one that holds points is worked on until it is empty.
// Values behind it will not change any more.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::image {

class TensorFront {
public:
  /// @param bucketWidth  in the unit of the values
  /// @param threads      that push at the same time
  TensorFront(float bucketWidth, int threads) : width(bucketWidth), of(threads) {}

  /// A point may be in several buckets: the later ones are out of date.
  void push(std::int64_t point, float value, int thread);

  /// Moves the points of the first bucket that holds any to `points`; false if there are none at all.
  bool take(std::span<const float> values, std::vector<std::int64_t>& points);

  /// No value below it will change any more.
  double least() const { return base + current * double(width); }

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
  std::vector<Buckets> of; ///< each thread
};

} // namespace isochrone::image
