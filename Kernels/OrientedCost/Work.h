// Work.h - loops over rows, shared by threads, with progress.
#pragma once

#include "Workers.h"

#include <algorithm>
#include <cstdint>

namespace isochrone::oriented {

class Work {
public:
  Work(int threads, const Monitor& monitor) : workers(threads, monitor) {}

  int threads() const { return workers.threads; }
  bool stopped() const { return stop; }

  /// Calls job(begin, end, thread) for bands of `band` rows that cover [0, rows), until the monitor requests
  /// a stop.
  /// @param share  share of the whole work
  template <class Job>
  void rows(std::int64_t rows, std::int64_t band, double share, const Job& job) {
    const std::int64_t bands = (rows + band - 1) / band;
    const double end = std::min(1.0, done + share);
    stop = stop || !workers.run(bands, done, end, [&](std::int64_t b, int thread) {
      job(b * band, std::min(rows, (b + 1) * band), thread);
    });
    done = end;
  }

private:
  Workers workers;
  double done = 0;
  bool stop = false;
};

} // namespace isochrone::oriented
