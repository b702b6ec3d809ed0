// RoundPool.h - threads for loops and for many short rounds of work.
//
// Rounds of less than a millisecond must not wait for every thread: on a machine with other work one of them
// is often descheduled. With a barrier, as at the end of an OpenMP loop, 128^3 points took 2 to 37 times
// longer on two threads than on one while compilers ran on both cores. Here the caller runs every unclaimed
// job and then waits only for jobs already started, so a descheduled worker never delays a round.
#pragma once

#include "Execution/SimulatedWorkers.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace isochrone::execution {

class RoundPool {
public:
  /// @param threads  number of threads, the caller included; fewer if the system refuses to create one
  explicit RoundPool(int threads);
  ~RoundPool();
  RoundPool(const RoundPool&) = delete;
  RoundPool& operator=(const RoundPool&) = delete;

  int size() const { return simulated ? simulatedSize : helpers + 1; }
  /// Returns the workers that run the jobs in place of threads, or null.
  SimulatedWorkers* simulation() const { return simulated; }

  /// Calls task(i, thread) for i = 0, ..., count - 1, on any of the threads 0, ..., size() - 1, in any order.
  /// The caller is thread 0 and always runs task 0. Returns when all have returned. Throws the first
  /// exception of a task; no task starts after it. Tasks must not use the pool.
  void run(int count, const std::function<void(int, int)>& task);

  /// Calls task(begin, end, thread) for consecutive ranges of 0, ..., count - 1.
  /// @param length  of all ranges but the last one
  template <class Task>
  void forRanges(std::int64_t count, std::int64_t length, const Task& task) {
    run(int((count + length - 1) / length),
        [&](int range, int thread) { task(range * length, std::min(count, (range + 1) * length), thread); });
  }
  /// The same with a few long ranges per thread, for tasks that take about the same time per index.
  template <class Task>
  void forRanges(std::int64_t count, const Task& task) {
    forNumberedRanges(
        count, [&](int, std::int64_t begin, std::int64_t end, int thread) { task(begin, end, thread); });
  }
  /// Calls task(i) for i = 0, ..., count - 1, in such ranges.
  template <class Task>
  void forEach(std::int64_t count, const Task& task) {
    forRanges(count, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t i = begin; i < end; ++i) task(i);
    });
  }
  /// Returns task(begin, end, thread) combined over such ranges. If `add` is associative, the result does not
  /// depend on the threads.
  /// @param all  the result without any range
  /// @param add  add(all, part) adds the result of the next range
  template <class Result, class Task, class Add>
  Result reduce(std::int64_t count, Result all, const Task& task, const Add& add) {
    std::vector<Result> parts(rangesOf(count), all);
    forNumberedRanges(count, [&](int range, std::int64_t begin, std::int64_t end, int thread) {
      parts[range] = task(begin, end, thread);
    });
    for (const Result& part : parts) add(all, part);
    return all;
  }

private:
  /// A round, its number of jobs and the number of jobs taken: one word, so that a job can only be taken from
  /// a round that has it. Job 0 is the caller's.
  struct Round {
    std::uint64_t word;
    static constexpr int bits = 31;
    static constexpr std::uint64_t mask = (std::uint64_t(1) << bits) - 1, last = std::uint64_t(1) << 63;
    int taken() const { return int(word & mask); }
    int count() const { return int(word >> bits & mask); }
    bool isLast() const { return word & last; }
    Round next(int count) const {
      const std::uint64_t odd = ~word & std::uint64_t(1) << (2 * bits);
      return {odd | std::uint64_t(count) << bits | 1};
    }
  };

  /// Four per thread, so that other threads take over from one that other programs hold up.
  static constexpr int rangesPerThread = 4;
  int rangesOf(std::int64_t count) const {
    return int(std::min<std::int64_t>(count, rangesPerThread * size()));
  }
  template <class Task>
  void forNumberedRanges(std::int64_t count, const Task& task) {
    const int ranges = rangesOf(count);
    run(ranges, [&](int job, int thread) {
      // Threads write far apart: two that write to a new large page would both clear it.
      const std::int64_t range =
          ranges < rangesPerThread * size() ? job : job % size() * rangesPerThread + job / size();
      task(int(range), count * range / ranges, count * (range + 1) / ranges, thread);
    });
  }

  /// What the threads share. It exists until the last of them has left, which no one waits for.
  struct Shared {
    std::atomic<std::uint64_t> round{0};
    std::atomic<int> left{0}; ///< unfinished jobs of the round
    std::atomic<const std::function<void(int, int)>*> job{nullptr};

    bool takeOne(int thread);
    void runJob(int i, int thread);
    void work(int thread);
  };
  std::shared_ptr<Shared> shared;
  int helpers = 0; ///< threads apart from the caller
  SimulatedWorkers* simulated = nullptr;
  int simulatedSize = 1;
};

} // namespace isochrone::execution
