// Progress.h - reports to a monitor at most ten times a second.
#pragma once

#include "Monitor.h"

#include <chrono>

namespace isochrone::execution {

/// Limits the rate of reports. For the thread that called the solver.
class Progress {
public:
  /// @param m       must outlive this
  /// @param atOnce  whether the first report is due at once, and not after 100 ms
  explicit Progress(const Monitor& m, bool atOnce = false)
      : monitor(m), last(atOnce ? Clock::time_point{} : Clock::now()) {}

  /// Calls share() and reports its value, 0 to 1, if the last report is 100 ms old. Returns whether to
  /// continue.
  template <class Share>
  bool report(Share&& share) {
    const Clock::time_point now = Clock::now();
    if (now - last < std::chrono::milliseconds(100)) return true;
    last = now;
    return monitor.report(share());
  }

private:
  using Clock = std::chrono::steady_clock;

  const Monitor& monitor;
  Clock::time_point last;
};

} // namespace isochrone::execution
