// Workers.h - threads that share the tasks of a loop until the monitor requests a stop.
#pragma once

#include "Execution/Progress.h"
#include "Execution/RoundPool.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>

namespace isochrone {

/// Shares the tasks of a loop among threads. The calling thread reports after its first task, then at most
/// ten times a second, and at the end of the loop.
class Workers {
public:
  const int threads; ///< maximum number

  /// @param m  must outlive this
  Workers(int maximum, const Monitor& m) : threads(maximum), monitor(m), progress(m, true) {}

  /// Calls task(i, worker) for i = 0 ... count - 1, in any order; one task of a worker at a time. The workers
  /// are numbered from 0 and not more than tasks. Returns false if the monitor requested a stop. Throws the
  /// first exception of a task.
  /// @param begin, end  completed share of the work before and after the loop
  template <class Task>
  bool run(std::int64_t count, double begin, double end, const Task& task) {
    std::atomic<std::int64_t> next{1};
    std::atomic<bool> stop{false};
    const auto work = [&](int job, int thread) {
      try {
        // The calling thread has job 0 and thus a task, however fast the others are, and soon reports.
        for (std::int64_t i = job == 0 ? 0 : next++; !stop && i < count; i = next++) {
          task(i, job);
          if (thread == 0 && // the calling thread
              !progress.report([&] { return begin + (end - begin) * double(i + 1) / double(count); }))
            stop = true;
        }
      } catch (...) {
        stop = true;
        throw;
      }
    };
    if (const int team = int(std::clamp<std::int64_t>(count, 1, threads)); team == 1) {
      work(0, 0);
    } else {
      if (!pool) pool.emplace(threads);
      if (execution::SimulatedWorkers* simulated = pool->simulation())
        simulated->run(team, count, [&](std::int64_t i, int worker) { task(i, worker); });
      else
        pool->run(team, work);
    }
    return !stop && monitor.report(end);
  }

  /// Runs a loop that makes up the whole work.
  template <class Task>
  bool run(std::int64_t count, const Task& task) {
    return run(count, 0, 1, task);
  }

  /// Runs such a loop in blocks, for tasks too small to be distributed one by one.
  template <class Task>
  bool runInBlocks(std::int64_t count, const Task& task) {
    constexpr std::int64_t block = 4096;
    return run((count + block - 1) / block, [&](std::int64_t b, int thread) {
      for (std::int64_t i = b * block; i < std::min(count, (b + 1) * block); ++i) task(i, thread);
    });
  }

private:
  const Monitor& monitor;
  execution::Progress progress;
  std::optional<execution::RoundPool> pool; ///< from the first loop on that needs it
};

} // namespace isochrone
