// Claims that every job and index runs once, for any number of threads, in each of many rounds.
#include "Execution/RoundPool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

using isochrone::execution::RoundPool;

namespace {

/// Numbers of indices around powers of two, and few.
std::vector<std::int64_t> counts() {
  std::vector<std::int64_t> all{0};
  for (const int bits : {0, 1, 2, 3, 4, 5, 6, 12})
    for (const int more : {-1, 0, 1}) all.push_back((std::int64_t(1) << bits) + more);
  return all;
}

/// @param run  run(visit) calls visit(i) for all indices
template <class Run>
void expectEachOnce(std::int64_t count, const Run& run) {
  std::vector<int> done(std::size_t(count),
                        0); // not atomic: an index visited twice concurrently would be a race
  run([&](std::int64_t i) { ++done.at(std::size_t(i)); });
  EXPECT_EQ(std::count(done.begin(), done.end(), 1), count);
}

} // namespace

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

TEST(RoundPool, RunsMoreThanAMillionJobsOnce) {
  RoundPool pool(3);
  const int count = (1 << 20) + 1;
  expectEachOnce(count, [&](const auto& visit) { pool.run(count, [&](int i, int) { visit(i); }); });
}

TEST(RoundPool, VisitsEachIndexOnceInRanges) {
  for (const int threads : {1, 2, 3, 8}) {
    RoundPool pool(threads);
    for (const std::int64_t count : counts()) {
      SCOPED_TRACE(testing::Message() << count << " indices, " << threads << " threads");
      const auto inRange = [&](const auto& visit) {
        return [&, visit](std::int64_t begin, std::int64_t end, int thread) {
          EXPECT_LT(begin, end);
          EXPECT_LT(thread, threads);
          for (std::int64_t i = begin; i < end; ++i) visit(i);
        };
      };
      expectEachOnce(count, [&](const auto& visit) { pool.forEach(count, visit); });
      expectEachOnce(count, [&](const auto& visit) { pool.forRanges(count, inRange(visit)); });
      for (const std::int64_t length : {1, 7, 64})
        expectEachOnce(count, [&](const auto& visit) { pool.forRanges(count, length, inRange(visit)); });
    }
  }
}

TEST(RoundPool, ReducesAsOneThreadInTheOrderOfTheRanges) {
  for (const int threads : {1, 2, 3, 8}) {
    RoundPool pool(threads);
    for (const std::int64_t count : counts()) {
      std::vector<std::int64_t> expected(static_cast<std::size_t>(count));
      std::iota(expected.begin(), expected.end(), 0);
      const auto indicesIn = [](std::int64_t begin, std::int64_t end, int) {
        std::vector<std::int64_t> own;
        for (std::int64_t i = begin; i < end; ++i) own.push_back(i);
        return own;
      };
      EXPECT_EQ(
          pool.reduce(count, std::vector<std::int64_t>(), indicesIn,
                      [](auto& all, const auto& own) { all.insert(all.end(), own.begin(), own.end()); }),
          expected)
          << count << " indices, " << threads << " threads";
    }
    const auto minimumIn = [](std::int64_t begin, std::int64_t end, int) {
      double minimum = std::numeric_limits<double>::infinity();
      for (std::int64_t i = begin; i < end; ++i) minimum = std::min(minimum, double((i - 700) * (i - 700)));
      return minimum;
    };
    const auto add = [](double& all, double part) { all = std::min(all, part); };
    EXPECT_EQ(pool.reduce(1000, 5., minimumIn, add), 0);
    EXPECT_EQ(pool.reduce(600, 5., minimumIn, add), 5);
  }
}

TEST(RoundPool, RunsTheFirstJobOnTheCallerWhichIsThreadZero) {
  RoundPool pool(4);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> wrong{0};
  for (int round = 0; round < 2000; ++round)
    pool.run(1 + round % 5, [&](int i, int thread) {
      const bool here = std::this_thread::get_id() == caller;
      if ((i == 0 && !here) || here != (thread == 0)) ++wrong;
    });
  EXPECT_EQ(wrong, 0);
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
    const auto fail = [](std::int64_t begin, std::int64_t end, int) -> int {
      if (begin <= 700 && 700 < end) throw std::runtime_error("700");
      return 0;
    };
    EXPECT_THROW(pool.forRanges(1000, fail), std::runtime_error);
    EXPECT_THROW(pool.reduce(1000, 0, fail, [](int&, int) {}), std::runtime_error);
  }
}
