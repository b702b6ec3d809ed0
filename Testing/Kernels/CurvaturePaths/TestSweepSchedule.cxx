// Claims that the rows of two sectors are swept once each and after those that they need, by any number of
// threads.
#include "CurvaturePaths/Host/SweepSchedule.h"

#include "Execution/RoundPool.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

/// Two sectors of rows of numbers, each the sum of three numbers of the row before. Not atomic: two blocks
/// that must not be swept at the same time would be a race.
class Sums {
public:
  Sums(int rows, int blocks, bool bothWays = false) {
    for (const int s : {0, 2}) {
      sectors[s].endRow = rows, sectors[s].endBlock = blocks, sectors[s].bothWays = bothWays,
      sectors[s].headings = 1;
      values[s].assign(std::size_t(stepsOf(sectors[s]) + 1),
                       std::vector<unsigned>(std::size_t(blocks), s + 1u));
    }
  }

  void sweep(int s, int step, int first, int end) {
    for (int b = first; b < end; ++b) {
      const std::vector<unsigned>& before = values[s][std::size_t(step)];
      unsigned& value = values[s][std::size_t(step) + 1][std::size_t(b)];
      value += before[b] + (b > 0 ? before[b - 1] : 0) + (b + 1 < int(before.size()) ? before[b + 1] : 0);
    }
  }

  std::array<SectorView, 4> sectors{};
  std::array<std::vector<std::vector<unsigned>>, 4> values;
};

/// Sweeps with a number of threads.
/// @param goesOn  as in SweepSchedule::work, on the calling thread
template <class Sweep, class GoesOn>
void sweepAll(const Sums& sums, int threads, Sweep&& sweep, GoesOn&& goesOn) {
  execution::RoundPool pool(threads);
  SweepSchedule schedule(sums.sectors.data(), 0, pool.size());
  pool.run(pool.size(),
           [&](int, int thread) { schedule.work(thread, sweep, [&] { return thread != 0 || goesOn(); }); });
}

void sweepAll(Sums& sums, int threads) {
  sweepAll(
      sums, threads, [&](int s, int step, int first, int end) { sums.sweep(s, step, first, end); },
      [] { return true; });
}

} // namespace

TEST(SweepSchedule, SweepsEveryRowOnceAfterItsNeighbours) {
  for (const auto& [rows, blocks] : {std::pair{1, 1}, {1, 9}, {200, 1}, {150, 10}, {40, 150}})
    for (const bool bothWays : {false, true}) {
      Sums expected(rows, blocks, bothWays);
      for (const int s : {0, 2})
        for (int step = 0; step < stepsOf(expected.sectors[s]); ++step) expected.sweep(s, step, 0, blocks);
      for (const int threads : {1, 2, 3, 8}) {
        Sums sums(rows, blocks, bothWays);

        sweepAll(sums, threads);

        EXPECT_EQ(sums.values, expected.values) << rows << " x " << blocks << ", " << threads << " threads";
      }
    }
}

TEST(SweepSchedule, SweepsAtMost64BlocksAtATime) { // a bit each
  Sums sums(3, 200);
  int most = 0;

  sweepAll(
      sums, 1, [&](int, int, int first, int end) { most = std::max(most, end - first); },
      [] { return true; });

  EXPECT_GT(most, 32);
  EXPECT_LE(most, 64);
}

TEST(SweepSchedule, NeedsNoRows) {
  Sums sums(0, 4);

  sweepAll(sums, 2); // returns
}

TEST(SweepSchedule, StopsAllThreads) {
  for (const int threads : {1, 3}) {
    Sums sums(100000, 12);
    std::atomic<int> rows{0};

    sweepAll(
        sums, threads, [&](int, int, int, int) { ++rows; }, [&] { return rows < 50; });

    EXPECT_GE(rows, 50);
    EXPECT_LT(rows, 100000);
  }
}

TEST(SweepSchedule, AThreadThatWaitsIsAskedWhetherToGoOn) {
  constexpr int rows = 2;
  Sums sums(rows, 1); // a group in each of the two sectors
  std::atomic<bool> otherBegan{false}, asked{false};
  std::atomic<int> ownRows{0};
  const auto caller = std::this_thread::get_id();
  const auto waitFor = [](const std::atomic<bool>& flag) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!flag && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  };

  sweepAll(
      sums, 2,
      [&](int, int, int, int) {
        if (std::this_thread::get_id() == caller) {
          waitFor(otherBegan);
          ++ownRows;
        } else {
          otherBegan = true;
          waitFor(asked);
        }
      },
      [&] {
        if (ownRows == rows) asked = true;
        return true;
      });

  EXPECT_TRUE(asked);
}

TEST(SweepSchedule, AnExceptionStopsAllThreads) {
  for (const int threads : {1, 3}) {
    Sums sums(1000, 12);
    const auto sweep = [](int, int step, int, int) {
      if (step == 10) throw std::runtime_error("row 10");
    };

    EXPECT_THROW(sweepAll(sums, threads, sweep, [] { return true; }), std::runtime_error);
  }
}
