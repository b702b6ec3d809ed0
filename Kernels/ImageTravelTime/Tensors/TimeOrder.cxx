#include "ImageTravelTime/Tensors/TimeOrder.h"

#include "Execution/Progress.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <thread>

namespace isochrone::image {

namespace {

/// Returns a number that orders like a time, the point second.
std::uint64_t keyOf(float time, std::size_t point) {
  const auto bits = std::bit_cast<std::uint32_t>(time);
  const std::uint32_t ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return std::uint64_t(ordered) << 32 | point;
}

/// Sorts by all threads: ranges first, then pairs of sorted ranges.
void sort(std::vector<std::uint64_t>& keys, execution::RoundPool& pool) {
  const std::int64_t count = std::int64_t(keys.size()), length = count / pool.size() + 1;
  const auto at = [&](std::int64_t i) { return keys.begin() + std::min(i, count); };
  pool.forRanges(count, length,
                 [&](std::int64_t begin, std::int64_t end, int) { std::sort(at(begin), at(end)); });
  for (std::int64_t half = length; half < count; half *= 2)
    pool.forRanges(count, 2 * half, [&](std::int64_t begin, std::int64_t end, int) {
      std::inplace_merge(at(begin), at(begin + half), at(end));
    });
}

} // namespace

TimeOrder::TimeOrder(std::span<const float> times, execution::RoundPool& threads)
    : pool(threads), done(times.size(), 1) {
  for (std::size_t p = 0; p < times.size(); ++p)
    if (std::isfinite(times[p])) sorted.push_back(keyOf(times[p], p)), done[p] = 0;
  sort(sorted, pool);
}

bool TimeOrder::run(const Monitor& monitor, const std::function<void(std::int64_t)>& visit) {
  constexpr std::int64_t length = 256; // points
  execution::Progress progress(monitor, true);
  pool.forRanges(std::int64_t(sorted.size()), length, [&](std::int64_t begin, std::int64_t end, int thread) {
    try {
      for (std::int64_t n = begin; n < end && !stopped; ++n) {
        const auto point = std::int64_t(sorted[std::size_t(n)] & 0xffffffff);
        visit(point);
        std::atomic_ref(done[std::size_t(point)]).store(1, std::memory_order_release);
      }
    } catch (...) {
      stopped = true; // the threads that wait for this one end
      throw;
    }
    const auto share = [&] { return 0.95 + 0.05 * double(end) / double(sorted.size()); };
    if (thread == 0 && !progress.report(share)) stopped = true;
  });
  return !stopped;
}

void TimeOrder::waitFor(std::int64_t point) {
  constexpr int patience = 200; // tries, after which the thread offers its core to others
  for (int tries = 0; !std::atomic_ref(done[std::size_t(point)]).load(std::memory_order_acquire) && !stopped;
       ++tries)
    if (tries > patience) std::this_thread::yield();
}

} // namespace isochrone::image
