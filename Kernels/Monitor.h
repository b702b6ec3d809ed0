// Monitor.h - progress reports of a solver, and the request to stop it.
#pragma once

#include <functional>

namespace isochrone {

/// Called by a solver, on the thread that called the solver, at least every half second while it works.
struct Monitor {
  /// Receives the completed share of the work, 0 to 1 and never decreasing. Returns whether to continue. May
  /// be empty.
  std::function<bool(double)> progress;

  /// Reports the completed share. Returns whether to continue.
  bool report(double share) const { return !progress || progress(share); }

  /// Returns a monitor for a part of the work, which begins at the share `from` and makes up `share` of the
  /// whole. Refers to this monitor, which must outlive it.
  Monitor part(double from, double share) const {
    return {[this, from, share](double done) { return report(from + share * done); }};
  }
};

} // namespace isochrone
