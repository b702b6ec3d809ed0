// Claims that simulated workers run each task once, in the order of the real ones, and report the time that
// these would save.
#include "Execution/RoundPool.h"
#include "Execution/SimulatedWorkers.h"
#include "Workers.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

using namespace isochrone;
using isochrone::execution::RoundPool;
using isochrone::execution::SimulatedWorkers;

namespace {

using Order = std::vector<std::pair<int, int>>; ///< task, worker

void work(int units) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(2 * units);
  while (std::chrono::steady_clock::now() < end) {
  }
  SimulatedWorkers::countWork(units);
}

/// Returns the seconds that simulated workers would take.
template <class Solve>
double simulated(Solve&& solve) {
  const SimulatedWorkers workers;
  const auto start = std::chrono::steady_clock::now();
  solve();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() -
         workers.savedSeconds();
}

} // namespace

TEST(SimulatedWorkers, TakeTasksWhenTheyAreFree) {
  const std::vector<int> units{4, 1, 1, 1, 3};
  Order order;

  const double seconds = simulated([&] {
    RoundPool pool(2);
    EXPECT_EQ(pool.size(), 2);
    pool.run(5, [&](int i, int worker) {
      order.emplace_back(i, worker);
      work(units[std::size_t(i)]);
    });
  });

  EXPECT_EQ(order, (Order{{0, 0}, {1, 1}, {2, 1}, {3, 1}, {4, 1}}));
  // 6 of 10 units of work. The time that the clock shows is at least that of the work.
  EXPECT_GE(seconds, 0.012);
}

TEST(SimulatedWorkers, SaveTheShareOfTheOthers) {
  const SimulatedWorkers workers;
  const auto start = std::chrono::steady_clock::now();
  RoundPool(4).run(8, [](int, int) { work(1); });
  const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  EXPECT_GE(workers.savedSeconds(), 0.75 * 0.016);
  EXPECT_LE(workers.savedSeconds(), 0.75 * all);
}

TEST(SimulatedWorkers, RunSerialWorkInItsFullTime) {
  const SimulatedWorkers workers;
  work(2);
  RoundPool(1).run(4, [](int, int) { work(1); });
  RoundPool(4).run(1, [](int, int) { work(1); });

  EXPECT_EQ(workers.savedSeconds(), 0);
}

TEST(SimulatedWorkers, DoNotShareALoopWithinATask) {
  const SimulatedWorkers workers;
  RoundPool(2).run(2, [](int, int) { EXPECT_EQ(RoundPool(8).size(), 1); });
  EXPECT_EQ(RoundPool(8).size(), 8);
}

TEST(SimulatedWorkers, WaitForTasksThatAreNotDone) {
  // Task 1 needs task 0. Tasks of 3, 1, 2 and 2 units on two workers: 0 and 2, then 3, then 1.
  const SimulatedWorkers workers;
  SimulatedWorkers& two = *SimulatedWorkers::current();
  const std::vector<int> units{3, 1, 2, 2};
  std::vector<char> taken(4, 0), done(4, 0);
  std::vector<int> taskOf(2);
  Order order;

  two.runWhenReady(
      2,
      [&](int worker) {
        for (int i = 0; i < 4; ++i) {
          if (taken[std::size_t(i)] || (i == 1 && !done[0])) continue;
          taken[std::size_t(i)] = 1;
          taskOf[std::size_t(worker)] = i;
          order.emplace_back(i, worker);
          work(units[std::size_t(i)]);
          return true;
        }
        return false;
      },
      [&](int worker) { done[std::size_t(taskOf[std::size_t(worker)])] = 1; });

  EXPECT_EQ(order, (Order{{0, 0}, {2, 1}, {3, 1}, {1, 0}}));
  EXPECT_EQ(done, std::vector<char>(4, 1));
  EXPECT_GT(workers.savedSeconds(), 0); // 4 of 8 units
}

TEST(SimulatedWorkers, RunTheLoopsOfWorkers) {
  const SimulatedWorkers simulation;
  const Monitor monitor;
  std::vector<int> runs(20, 0);
  EXPECT_TRUE(Workers(3, monitor).run(20, [&](std::int64_t i, int worker) {
    ++runs[std::size_t(i)];
    EXPECT_EQ(worker, i % 3); // tasks of equal work
  }));
  EXPECT_EQ(runs, std::vector<int>(20, 1));
}

TEST(SimulatedWorkers, StayUsableAfterAnException) {
  const SimulatedWorkers workers;
  RoundPool pool(3);
  EXPECT_THROW(pool.run(3, [](int, int) { throw std::runtime_error("a task"); }), std::runtime_error);
  int runs = 0;
  pool.run(3, [&](int, int) { ++runs; });
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(RoundPool(2).simulation(), &workers);
}
