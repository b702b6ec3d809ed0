#include "ImageTravelTime/Scheme/TimeKeys.h"

#include <algorithm>
#include <bit>

namespace isochrone::image {

std::uint64_t timeKey(float time, std::size_t point) {
  const auto bits = std::bit_cast<std::uint32_t>(time);
  const std::uint32_t ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return std::uint64_t(ordered) << 32 | point;
}

/// Sorts ranges first, then merges pairs of sorted ranges.
void sortKeys(std::vector<std::uint64_t>& keys, execution::RoundPool& pool) {
  const std::int64_t count = std::int64_t(keys.size()), length = count / pool.size() + 1;
  const auto at = [&](std::int64_t i) { return keys.begin() + std::min(i, count); };
  pool.forRanges(count, length,
                 [&](std::int64_t begin, std::int64_t end, int) { std::sort(at(begin), at(end)); });
  for (std::int64_t half = length; half < count; half *= 2)
    pool.forRanges(count, 2 * half, [&](std::int64_t begin, std::int64_t end, int) {
      std::inplace_merge(at(begin), at(begin + half), at(end));
    });
}

} // namespace isochrone::image
