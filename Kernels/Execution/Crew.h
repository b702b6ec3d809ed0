// Crew.h - threads for many short rounds of work.
//
// A solver that goes round by round, each of less than a millisecond, must not wait for all its threads at
// the end of each: where the machine has other work, one of them is always asleep. With a barrier, as at the
// end of an OpenMP loop, 128^3 points took 2 to 37 times longer on two threads than on one while compilers
// ran on both cores. Here the calling thread does what nobody else has begun, and waits only for what has
// been begun.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace isochrone::execution {

class Crew {
public:
  /// @param threads  number of threads, the caller included; fewer if the system refuses to create one
  explicit Crew(int threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int size() const { return int(helpers.size()) + 1; }

  /// job(i, thread) for i = 0, ..., count - 1, on any of the threads 0, ..., size() - 1, and in any order.
  /// Returns when all are done. After an exception of a job no more are begun, and it is thrown here.
  void run(int count, const std::function<void(int, int)>& job);

private:
  /// A round, how many jobs it has, and how many of them are taken: one word, so that a job can only be taken
  /// from the round it belongs to.
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
  void help(int thread);

  std::atomic<std::uint64_t> round{0};
  std::atomic<int> left{0}; ///< jobs of the round that are not done
  std::atomic<const std::function<void(int, int)>*> work{nullptr};
  std::atomic<bool> leaving{false};
  std::vector<std::thread> helpers;
};

} // namespace isochrone::execution
