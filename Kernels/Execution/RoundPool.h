// RoundPool.h - threads for many short rounds of work.
//
// Rounds of less than a millisecond must not wait for every thread: on a machine with other work one of them
// is often descheduled. With a barrier, as at the end of an OpenMP loop, 128^3 points took 2 to 37 times
// longer on two threads than on one while compilers ran on both cores. Here the caller runs every unclaimed
// job and then waits only for jobs already started, so a descheduled worker never delays a round.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace isochrone::execution {

class RoundPool {
public:
  /// @param threads  number of threads, the caller included; fewer if the system refuses to create one
  explicit RoundPool(int threads);
  ~RoundPool();
  RoundPool(const RoundPool&) = delete;
  RoundPool& operator=(const RoundPool&) = delete;

  int size() const { return int(workers.size()) + 1; }

  /// Calls task(i, thread) for i = 0, ..., count - 1, on any of the threads 0, ..., size() - 1, in any order.
  /// Returns when all have returned. Throws the first exception of a task; no task starts after it.
  void run(int count, const std::function<void(int, int)>& task);

private:
  /// A round, its number of jobs and the number of jobs taken: one word, so that a job can only be taken from
  /// its own round.
  struct Round {
    std::uint64_t word;
    static constexpr int bits = 20;
    static constexpr std::uint64_t mask = (std::uint64_t(1) << bits) - 1;
    int taken() const { return int(word & mask); }
    int count() const { return int(word >> bits & mask); }
    Round next(int count) const {
      return {((word >> (2 * bits)) + 1) << (2 * bits) | std::uint64_t(count) << bits};
    }
  };

  bool takeOne(int thread);
  void work(int thread);

  std::atomic<std::uint64_t> round{0};
  std::atomic<int> left{0}; ///< unfinished jobs of the round
  std::atomic<const std::function<void(int, int)>*> job{nullptr};
  std::atomic<bool> stopping{false};
  std::vector<std::thread> workers;
};

} // namespace isochrone::execution
