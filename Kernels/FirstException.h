// FirstException.h - carries an exception out of a parallel region.
#pragma once

#include <atomic>
#include <exception>
#include <utility>

namespace isochrone {

/// Keeps the first exception of the threads of a parallel region. An exception that leaves an OpenMP region
/// or a thread's function ends the process, and any allocation may throw. Such code therefore runs in
/// guard():
///
///     FirstException failure;
///     #pragma omp parallel for
///     for (int i = 0; i < n; ++i) failure.guard([&] { paths[i] = pathTo(tips[i]); });
///     failure.rethrow();
class FirstException {
public:
  /// Calls `work`, unless an earlier call failed, so that a failed region ends soon. Returns whether `work`
  /// completed.
  template <class Work>
  bool guard(Work&& work) noexcept {
    if (failed.load(std::memory_order_relaxed)) return false;
    try {
      work();
      return true;
    } catch (...) {
      if (!failed.exchange(true)) first = std::current_exception();
      return false;
    }
  }

  /// Throws the kept exception, if any. Called by one thread, after the region.
  void rethrow() {
    if (first) std::rethrow_exception(std::move(first));
  }

private:
  std::atomic<bool> failed{false};
  std::exception_ptr first;
};

} // namespace isochrone
