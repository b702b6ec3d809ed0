// CausalOrder.h - points in the order of their times.
#pragma once

#include "Execution/RoundPool.h"
#include "Monitor.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace isochrone::rays {

/// Returns points in the order of their times, those of equal times in the order of their indices. Returns
/// nothing if the monitor requested a stop.
/// @param points  ascending
/// @param timeOf  timeOf(point): finite
template <class TimeOf>
std::vector<std::int64_t> inCausalOrder(const std::vector<std::int64_t>& points, const TimeOf& timeOf,
                                        execution::RoundPool& pool, const Monitor& monitor) {
  if (points.empty()) return {};
  // Buckets of equal ranges of time are sorted one by one.
  const auto [first, last] = std::ranges::minmax_element(points, {}, timeOf);
  const double begin = timeOf(*first), end = timeOf(*last);
  const auto buckets = std::int64_t(points.size() / 1024 + 1);
  const auto bucketOf = [&](std::int64_t point) {
    const double position = end > begin ? (timeOf(point) - begin) / (end - begin) : 0; // 0 to 1
    return std::min(std::int64_t(position * double(buckets)), buckets - 1);
  };
  std::vector<std::int64_t> next(std::size_t(buckets) + 1), sorted(points.size());
  for (const std::int64_t point : points) ++next[std::size_t(bucketOf(point)) + 1];
  for (std::int64_t b = 0; b < buckets; ++b) next[b + 1] += next[b];
  for (const std::int64_t point : points) sorted[next[bucketOf(point)]++] = point; // now: ends of buckets

  constexpr std::int64_t share =
      4096; // buckets between two questions to the monitor: some tenths of a second
  for (std::int64_t from = 0; from < buckets; from += share) {
    if (!monitor.report(double(from) / double(buckets))) return {};
    pool.forEach(std::min(share, buckets - from), [&](std::int64_t b) {
      const std::int64_t bucket = from + b;
      std::sort(
          sorted.begin() + (bucket > 0 ? next[bucket - 1] : 0), sorted.begin() + next[bucket],
          [&](std::int64_t a, std::int64_t c) { return std::pair(timeOf(a), a) < std::pair(timeOf(c), c); });
    });
  }
  return sorted;
}

} // namespace isochrone::rays
