#include "ManyRuns.h"

#include "Error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

using namespace isochrone;

namespace {

void rest(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

} // namespace

TEST(ManyRuns, EachRunTakesPlaceOnce) {
  for (const int atOnce : {1, 2, 5})
    for (const int count : {0, 1, 4, 100}) {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
      EXPECT_TRUE(forEachRun(count, atOnce, {}, [&](std::int64_t i, const Monitor& own) {
        EXPECT_TRUE(own.report(0.5));
        ++calls[std::size_t(i)];
      }));
      for (const std::atomic<int>& number : calls) EXPECT_EQ(number, 1);
    }
}

TEST(ManyRuns, AtMostTheChosenNumberTakePlaceAtTheSameTime) {
  std::atomic<int> now{0}, most{0};
  forEachRun(12, 3, {}, [&](std::int64_t, const Monitor&) {
    const int present = ++now;
    for (int old = most; old < present && !most.compare_exchange_weak(old, present);) {
    }
    rest(5);
    --now;
  });
  EXPECT_LE(most, 3);
  EXPECT_GE(most, 2);
}

TEST(ManyRuns, ProgressComesFromTheCallerAndNeverDecreases) {
  for (const int atOnce : {1, 2}) {
    std::vector<double> reported;
    const std::thread::id caller = std::this_thread::get_id();
    const Monitor monitor{[&](double share) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      reported.push_back(share);
      return true;
    }};
    EXPECT_TRUE(forEachRun(4, atOnce, monitor, [](std::int64_t, const Monitor& own) {
      for (int step = 0; step <= 10; ++step) own.report(step / 10.), rest(12);
    }));
    EXPECT_TRUE(std::ranges::is_sorted(reported));
    EXPECT_GE(reported.size(), 4u); // ten times a second
    EXPECT_EQ(reported.front(), 0);
    EXPECT_EQ(reported.back(), 1);
  }
}

TEST(ManyRuns, AStopReachesTheRunsAndStartsNoMore) {
  for (const int atOnce : {1, 2, 3}) {
    std::atomic<int> started{0};
    const auto begin = std::chrono::steady_clock::now();
    const Monitor monitor{
        [&](double) { return std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(150); }};
    EXPECT_FALSE(forEachRun(1000, atOnce, monitor, [&](std::int64_t, const Monitor& own) {
      ++started;
      while (own.report(0.5)) rest(1);
    }));
    EXPECT_LE(started, atOnce);
  }
}

TEST(ManyRuns, NothingStartsIfTheMonitorStopsAtOnce) {
  bool ran = false;
  EXPECT_FALSE(
      forEachRun(3, 2, {[](double) { return false; }}, [&](std::int64_t, const Monitor&) { ran = true; }));
  EXPECT_FALSE(ran);
}

TEST(ManyRuns, AnExceptionOfARunLeavesAndEndsTheOthers) {
  for (const int atOnce : {1, 2, 4}) {
    std::atomic<int> started{0};
    EXPECT_THROW(forEachRun(1000, atOnce, {},
                            [&](std::int64_t i, const Monitor& own) {
                              ++started;
                              if (i == 3) throw Error("three");
                              while (i > 3 && own.report(0.1)) rest(1);
                            }),
                 Error);
    EXPECT_LE(started, 3 + atOnce);
  }
}

TEST(ManyRuns, AnExceptionOfTheMonitorEndsTheRuns) {
  for (const int atOnce : {1, 3}) {
    std::atomic<int> started{0}, calls{0};
    const Monitor monitor{[&](double) {
      if (++calls > 1) throw Error("monitor");
      return true;
    }};
    EXPECT_THROW(forEachRun(1000, atOnce, monitor,
                            [&](std::int64_t, const Monitor& own) {
                              ++started;
                              while (own.report(0.1)) rest(1);
                            }),
                 Error);
    EXPECT_LE(started, atOnce);
  }
}

TEST(ManyRuns, OneRunPerThreadAsFarAsMemoryAllows) {
  const auto chosen = [](std::int64_t count, int threads, double bytes) {
    const RunsAtOnce at = chooseRunsAtOnce(count, threads, bytes, 0);
    return std::pair(at.runs, at.threads);
  };
  EXPECT_EQ(chosen(100, 4, 1), std::pair(4, 1));
  EXPECT_EQ(chosen(2, 5, 1), std::pair(2, 2));
  EXPECT_EQ(chosen(1, 4, 1), std::pair(1, 4));
  EXPECT_EQ(chosen(0, 4, 1), std::pair(1, 4));
  const auto share = double(freeHostMemory()) / 2.5;
  EXPECT_EQ(chosen(100, 4, share), std::pair(2, 2));
  EXPECT_EQ(chooseRunsAtOnce(100, 4, share, share).runs, 1); // beside results of that size
  EXPECT_EQ(chosen(100, 4, 1e30), std::pair(1, 4));          // the solver then says so
}

TEST(ManyRuns, RunsOnADeviceFollowEachOtherUntilOneTakesTheHost) {
  using Where = std::optional<Backend>;
  const auto threadsOf = [](bool mayUseDevice, const std::vector<Where>& where) {
    std::vector<std::atomic<int>> threads(where.size()); // of each run
    double last = 0;
    const Monitor monitor{[&](double share) {
      EXPECT_GE(share, last);
      last = share;
      return true;
    }};
    EXPECT_TRUE(forEachRun(std::int64_t(where.size()), {2, 1}, mayUseDevice, 3, monitor,
                           [&](std::int64_t i, int some, const Monitor&) {
                             threads[std::size_t(i)] += some;
                             return where[std::size_t(i)];
                           }));
    EXPECT_EQ(last, 1);
    return std::vector<int>(threads.begin(), threads.end());
  };
  constexpr Where host = Backend::Host, device = Backend::Cuda, nowhere = std::nullopt;
  EXPECT_EQ(threadsOf(false, {host, nowhere, host}), (std::vector{1, 1, 1}));
  EXPECT_EQ(threadsOf(true, {device, nowhere, device}), (std::vector{3, 3, 3}));
  EXPECT_EQ(threadsOf(true, {nowhere, host, host, host}), (std::vector{3, 3, 1, 1}));
  EXPECT_EQ(threadsOf(true, {}), std::vector<int>());
}

TEST(ManyRuns, AStopEndsRunsOnADevice) {
  int started = 0;
  EXPECT_FALSE(forEachRun(5, {2, 1}, true, 2, {[&](double) { return started == 0; }},
                          [&](std::int64_t, int, const Monitor& own) {
                            ++started;
                            own.report(0.5);
                            return std::optional(Backend::Cuda);
                          }));
  EXPECT_EQ(started, 1);
}
