// Work.h - rows of work, shared by threads, with progress.
#pragma once

#include "FirstException.h"
#include "Monitor.h"

#include <algorithm>
#include <cstdint>

#include <omp.h>

namespace isochrone::oriented {

class Work {
public:
  Work(int threadsWanted, const Monitor& listener) : count(threadsWanted), monitor(&listener) {}

  int threads() const { return count; }
  bool stopped() const { return stop; }

  /// job(begin, end, thread) for the rows [0, rows) in bands of `band` rows, until the monitor says stop.
  /// @param share  of the whole work
  template <class Job>
  void rows(std::int64_t rows, std::int64_t band, double share, const Job& job) {
    const std::int64_t bands = (rows + band - 1) / band, atATime = 4 * std::int64_t(count);
    for (std::int64_t first = 0; first < bands && !stop; first += atATime) {
      const std::int64_t end = std::min(bands, first + atATime);
      FirstException failure;
#pragma omp parallel for schedule(dynamic) num_threads(count)
      for (std::int64_t b = first; b < end; ++b)
        failure.guard([&] { job(b * band, std::min(rows, (b + 1) * band), omp_get_thread_num()); });
      failure.rethrow();
      stop = !monitor->goOn(std::min(1.0, done + share * double(end) / double(bands)));
    }
    done += share;
  }

private:
  int count;
  const Monitor* monitor;
  double done = 0;
  bool stop = false;
};

} // namespace isochrone::oriented
