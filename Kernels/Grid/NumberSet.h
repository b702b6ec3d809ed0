// NumberSet.h - a set of numbers in a known range, taken in ascending order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace isochrone::grid {

/// A set of numbers from 0 on, of which the smallest is taken first.
class NumberSet {
public:
  explicit NumberSet(std::int64_t size) : words(std::size_t(size + 63) / 64, 0) {}

  void add(std::int64_t number) {
    words[std::size_t(number >> 6)] |= std::uint64_t(1) << (number & 63);
    first = std::min(first, number >> 6);
    last = std::max(last, number >> 6);
  }
  void remove(std::int64_t number) {
    words[std::size_t(number >> 6)] &= ~(std::uint64_t(1) << (number & 63));
  }
  /// Returns whether nothing has been added since takeAll.
  bool isEmpty() const { return last < first; }
  /// Calls f(number) for all numbers, ascending, and removes them. `f` may add larger ones.
  template <class F>
  void takeAll(const F& f) {
    for (std::int64_t w = first; w <= last; ++w)
      while (const std::uint64_t word = words[std::size_t(w)]) {
        words[std::size_t(w)] = word & (word - 1);
        f(64 * w + std::countr_zero(word));
      }
    first = INT64_MAX, last = -1;
  }

private:
  std::vector<std::uint64_t> words;
  std::int64_t first = INT64_MAX, last = -1; ///< words that may have numbers
};

} // namespace isochrone::grid
