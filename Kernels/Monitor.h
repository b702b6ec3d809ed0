// Monitor.h - how a solver reports progress and learns that it should stop.
#pragma once

#include <functional>

namespace isochrone {

/// Called by a solver from the thread that called it, at least every half second while it works.
struct Monitor {
  /// Receives the share of the work done, never decreasing, 0 to 1; returns whether to go on. May be empty.
  std::function<bool(double)> progress;

  bool goOn(double share) const { return !progress || progress(share); }

  /// For a piece of the work that makes `share` of the progress, beginning at `from`. Views this one.
  Monitor part(double from, double share) const {
    return {[this, from, share](double done) { return goOn(from + share * done); }};
  }
};

} // namespace isochrone
