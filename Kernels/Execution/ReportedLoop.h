// ReportedLoop.h - a loop on all threads that reports to a monitor.
#pragma once

#include "Execution/Progress.h"
#include "Execution/RoundPool.h"

#include <algorithm>
#include <cstdint>

namespace isochrone::execution {

/// Calls task(i) for i = 0 ... count - 1, in any order. Returns false if the monitor requested a stop.
/// @param slice  number of tasks between two reports
template <class Task>
bool forEachReported(std::int64_t count, RoundPool& pool, const Monitor& monitor, const Task& task,
                     std::int64_t slice = 1 << 18) {
  Progress progress(monitor);
  for (std::int64_t first = 0; first < count; first += slice) {
    pool.forEach(std::min(slice, count - first), [&](std::int64_t i) { task(first + i); });
    if (!progress.report([&] { return double(first) / double(count); })) return false;
  }
  return true;
}

} // namespace isochrone::execution
