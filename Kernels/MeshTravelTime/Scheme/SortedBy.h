// SortedBy.h - counting sort of indices by their keys, by several threads.
#pragma once

#include "FirstException.h"
#include "Values.h"

#include <algorithm>
#include <cstdint>

#include <omp.h>

namespace isochrone::mesh {

/// Runs f(first, last) on each thread for its share of 0 ... count.
template <class F>
void inShares(std::uint32_t count, int threads, F&& f) {
  FirstException failure;
#pragma omp parallel num_threads(threads)
  {
    const std::uint64_t share = std::uint64_t(omp_get_thread_num()),
                        all = std::uint64_t(omp_get_num_threads());
    failure.guard([&] { f(std::uint32_t(count * share / all), std::uint32_t(count * (share + 1) / all)); });
  }
  failure.rethrow();
}

/// Sorts 0 ... keys.size() - 1 by their keys, equal keys by index. Each thread reads all keys and places the
/// keys of its share.
inline Values<std::int32_t> sortedBy(const Values<std::uint32_t>& keys, std::uint32_t keyCount, int threads) {
  Values<std::uint32_t> begin(std::size_t(keyCount) + 1);
  begin[0] = 0;
  inShares(keyCount, threads, [&](std::uint32_t first, std::uint32_t last) {
    std::fill(begin.begin() + first + 1, begin.begin() + last + 1, 0u);
    for (const std::uint32_t key : keys)
      if (key - first < last - first) ++begin[key + 1];
  });
  for (std::uint32_t k = 0; k < keyCount; ++k) begin[k + 1] += begin[k];
  Values<std::int32_t> order(keys.size());
  inShares(keyCount, threads, [&](std::uint32_t first, std::uint32_t last) {
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (keys[i] - first < last - first) order[begin[keys[i]]++] = std::int32_t(i);
  });
  return order;
}

} // namespace isochrone::mesh
