// FirstException.h - carries an exception out of a parallel region.
#pragma once

#include <atomic>
#include <exception>
#include <utility>

namespace isochrone {

/// Keeps the first exception of the threads of a region. One that leaves an OpenMP region or the function of
/// a thread ends the process, and whatever allocates may throw; so such code runs in guard():
///
///     FirstException failure;
///     #pragma omp parallel for
///     for (int i = 0; i < n; ++i) failure.guard([&] { paths[i] = pathTo(tips[i]); });
///     failure.rethrow();
class FirstException {
public:
  /// Calls `work`, unless it failed elsewhere: a region that has failed ends soon.
  /// Returns whether `work` came to its end.
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

  /// Throws the exception, if there is one. For one thread, after the region.
  void rethrow() {
    if (first) std::rethrow_exception(std::move(first));
  }

private:
  std::atomic<bool> failed{false};
  std::exception_ptr first;
};

} // namespace isochrone
