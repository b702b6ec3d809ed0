// Claims that every job runs once, for any number of threads, in each of many rounds.
#include "Execution/RoundPool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>

using isochrone::execution::RoundPool;

TEST(RoundPool, RunsEveryJobOfEveryRoundOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    RoundPool pool(threads);
    for (int round = 0; round < 2000; ++round) {
      const int count = round % 17;
      std::vector<int> done(count, 0); // not atomic: a job executed twice concurrently would be a race
      pool.run(count, [&](int i, int) { ++done[i]; });
      EXPECT_EQ(std::accumulate(done.begin(), done.end(), 0), count)
          << threads << " threads, round " << round;
    }
  }
}

TEST(RoundPool, MakesWritesOfARoundVisibleToTheNext) {
  RoundPool pool(3);
  std::vector<long> values(64, 1);
  for (int round = 0; round < 500; ++round) {
    std::vector<long> next(values.size());
    pool.run(int(values.size()),
             [&](int i, int) { next[i] = (values[i] + values[(i + 1) % values.size()]) % 1000003; });
    values = next;
  }
  std::vector<long> expected(64, 1);
  for (int round = 0; round < 500; ++round)
    for (long& v : expected) v = 2 * v % 1000003;
  EXPECT_EQ(values, expected);
}

TEST(RoundPool, NumbersItsThreads) {
  RoundPool pool(4);
  EXPECT_EQ(pool.size(), 4);
  std::atomic<int> wrong{0};
  std::atomic<int> busy[4] = {};
  pool.run(200, [&](int, int thread) {
    if (thread < 0 || thread > 3 || busy[thread].fetch_add(1) != 0) ++wrong; // one job at a time per thread
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    busy[thread].fetch_sub(1);
  });
  EXPECT_EQ(wrong, 0);
}

TEST(RoundPool, WorkersTakeJobsWhileTheCallerIsBusy) {
  RoundPool pool(2);
  std::atomic<bool> helped{false};
  pool.run(2, [&](int, int thread) {
    if (thread == 1) helped = true;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!helped && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  });
  EXPECT_TRUE(helped);
}

TEST(RoundPool, RethrowsExceptionsOfJobsAndStaysUsable) {
  for (const int threads : {1, 2, 4}) {
    RoundPool pool(threads);
    for (int round = 0; round < 200; ++round) {
      const int bad = round % 20;
      try {
        pool.run(20, [&](int i, int) {
          if (i == bad) throw std::runtime_error(std::to_string(i));
        });
        ADD_FAILURE() << threads << " threads, round " << round << ": nothing thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_EQ(error.what(), std::to_string(bad));
      }
      std::atomic<int> done{0};
      pool.run(20, [&](int, int) { ++done; });
      EXPECT_EQ(done, 20);
    }
  }
}
