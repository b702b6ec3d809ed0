// TimeKeys.h - points sorted by time.
#pragma once

#include "Execution/RoundPool.h"

#include <cstdint>
#include <vector>

namespace isochrone::image {

/// Returns a number that orders like a time that is not NaN, the point second.
/// @param point  less than 2^32
std::uint64_t timeKey(float time, std::size_t point);

/// Returns the point of such a number.
inline std::int64_t pointOfKey(std::uint64_t key) { return std::int64_t(key & 0xffffffff); }

/// Sorts by all threads.
void sortKeys(std::vector<std::uint64_t>& keys, execution::RoundPool& pool);

} // namespace isochrone::image
