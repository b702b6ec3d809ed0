// SortedBy.h - counting sort of indices by their keys, by several threads.
#pragma once

#include "Execution/RoundPool.h"
#include "Values.h"

#include <algorithm>
#include <cstdint>

namespace isochrone::mesh {

struct SortedIndices {
  Values<std::uint32_t> first; ///< per key, and one more: place of its first index
  Values<std::uint32_t> order;
};

/// Sorts indices by their keys, equal keys in the given order. Each job reads all keys, and counts or places
/// those of its share.
/// @param maximum   number of indices, or more
/// @param keyCount  indices with keys from here on are left out
/// @param forEach   forEach(visit) calls visit(index, key) for all indices
template <class ForEach>
SortedIndices sortedBy(std::size_t maximum, std::uint32_t keyCount, execution::RoundPool& pool,
                       const ForEach& forEach) {
  // One ahead, so that placing the indices moves each begin to its place.
  SortedIndices sorted{Values<std::uint32_t>(std::size_t(keyCount) + 2), Values<std::uint32_t>(maximum)};
  std::uint32_t *first = sorted.first.data(), *order = sorted.order.data();
  first[0] = first[1] = 0;
  const std::int64_t share = keyCount / pool.size() + 1;
  pool.forRanges(keyCount, share, [&](std::int64_t low, std::int64_t end, int) {
    const auto begin = std::uint32_t(low), size = std::uint32_t(end - low);
    std::fill_n(first + begin + 2, size, 0u);
    forEach([=](std::uint32_t, std::uint32_t key) {
      if (key - begin < size) ++first[key + 2];
    });
  });
  for (std::uint32_t key = 0; key < keyCount; ++key) first[key + 2] += first[key + 1];
  pool.forRanges(keyCount, share, [&](std::int64_t low, std::int64_t end, int) {
    const auto begin = std::uint32_t(low), size = std::uint32_t(end - low);
    forEach([=](std::uint32_t index, std::uint32_t key) {
      if (key - begin < size) order[first[key + 1]++] = index;
    });
  });
  sorted.first.resize(std::size_t(keyCount) + 1);
  sorted.order.resize(sorted.first.back());
  return sorted;
}

/// Sorts 0 ... keys.size() - 1 by their keys, without those whose key is keyCount or more.
inline SortedIndices sortedBy(const Values<std::uint32_t>& keys, std::uint32_t keyCount,
                              execution::RoundPool& pool) {
  return sortedBy(keys.size(), keyCount, pool, [&](const auto& visit) {
    for (std::size_t i = 0; i < keys.size(); ++i) visit(std::uint32_t(i), keys[i]);
  });
}

} // namespace isochrone::mesh
