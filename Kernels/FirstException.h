// FirstException.h - carries an exception out of a thread.
#pragma once

#include <atomic>
#include <exception>
#include <utility>

namespace isochrone {

/// Keeps the first exception of work by several threads. An exception that leaves a thread's function ends
/// the process, and any allocation may throw. Such code therefore runs in guard():
///
///     FirstException failure;
///     std::thread other([&] { failure.guard([&] { paths[1] = pathTo(tips[1]); }); });
///     failure.guard([&] { paths[0] = pathTo(tips[0]); });
///     other.join();
///     failure.rethrow();
class FirstException {
public:
  /// Calls `work`, unless an earlier call failed, so that failed work ends soon. Returns whether `work`
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

  /// Throws the kept exception, if any. Called by one thread, after the work.
  void rethrow() {
    if (first) std::rethrow_exception(std::move(first));
  }

private:
  std::atomic<bool> failed{false};
  std::exception_ptr first;
};

} // namespace isochrone
