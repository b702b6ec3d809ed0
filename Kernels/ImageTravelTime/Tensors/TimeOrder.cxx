#include "ImageTravelTime/Tensors/TimeOrder.h"

#include "Execution/Progress.h"
#include "ImageTravelTime/Scheme/TimeKeys.h"

#include <cmath>
#include <thread>

namespace isochrone::image {

TimeOrder::TimeOrder(std::span<const float> times, execution::RoundPool& threads)
    : pool(threads), done(times.size(), 1) {
  for (std::size_t p = 0; p < times.size(); ++p)
    if (std::isfinite(times[p])) sorted.push_back(timeKey(times[p], p)), done[p] = 0;
  sortKeys(sorted, pool);
}

bool TimeOrder::run(const Monitor& monitor, const std::function<void(std::int64_t)>& visit) {
  constexpr std::int64_t length = 256; // points
  execution::Progress progress(monitor, true);
  pool.forRanges(std::int64_t(sorted.size()), length, [&](std::int64_t begin, std::int64_t end, int thread) {
    try {
      for (std::int64_t n = begin; n < end && !stopped; ++n) {
        const std::int64_t point = pointOfKey(sorted[std::size_t(n)]);
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
