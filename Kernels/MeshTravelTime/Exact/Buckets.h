// Buckets.h - a queue of numbers in the rough order of their distance.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

namespace isochrone::mesh {

/// A queue whose buckets hold a range of distances each, in the order of arrival. A heap would keep the exact
/// order, in which fewer windows are made, but takes longer.
class Buckets {
public:
  explicit Buckets(double range) : width(range) {}

  /// Adds a number; to the bucket that is worked on if the distance lies before it.
  void push(std::int32_t value, double distance) {
    // As a double: start times may be any number of ranges apart.
    const double number = std::max(std::floor(distance / width), current);
    Known& entry = known[std::size_t(std::fmod(std::abs(number), double(known.size())))];
    if (!entry.bucket || entry.number != number) entry = {number, &buckets[number]};
    entry.bucket->push_back(value);
  }

  bool empty() const { return buckets.empty(); }
  /// Returns the first bucket to work on. It may receive more meanwhile.
  std::vector<std::int32_t>& first() {
    current = buckets.begin()->first;
    return buckets.begin()->second;
  }
  /// Returns the minimum distance of the first bucket, infinity without one.
  double start() const { return buckets.empty() ? HUGE_VAL : buckets.begin()->first * width; }
  void removeFirst() {
    known = {};
    buckets.erase(buckets.begin());
  }

private:
  struct Known {
    double number = 0;
    std::vector<std::int32_t>* bucket = nullptr;
  };
  double width;
  double current = -HUGE_VAL; ///< number of the bucket that is worked on
  std::map<double, std::vector<std::int32_t>> buckets;
  std::array<Known, 16> known; ///< buckets found before
};

} // namespace isochrone::mesh
