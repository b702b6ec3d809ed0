// ReverseAdjacency.h - the points that use each point, as numbers of steps, in one array.
//
// It is built in two passes over the same pairs: count() each, allocate(), then fill() each. Threads may
// count and fill at the same time for different points.
#pragma once

#include "Bytes.h"
#include "Values.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::image {

class ReverseAdjacency {
public:
  explicit ReverseAdjacency(std::int64_t points = 0) : end(points + 2, 0) {}

  void count(std::int64_t point) { ++end[point + 2]; }
  void allocate() {
    for (std::size_t n = 2; n < end.size(); ++n)
      end[n] += end[n - 1]; // now end[p + 1] is where those of p begin
    number.resize(end.back());
  }
  void fill(std::int64_t point, std::uint16_t step) { number[end[point + 1]++] = step; }

  /// Returns the numbers of the steps from a point to its users, after all of them were filled in.
  std::span<const std::uint16_t> of(std::int64_t point) const {
    return {number.data() + end[point], number.data() + end[point + 1]};
  }
  void prefetch(std::int64_t point) const { __builtin_prefetch(&end[point]); }
  std::size_t bytes() const { return bytesOf(end, number); }

private:
  std::vector<std::uint32_t> end; ///< per point, at its index + 1: the end of its entries, filled in so far
  Values<std::uint16_t> number;
};

} // namespace isochrone::image
