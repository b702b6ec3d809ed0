// SweepSchedule.h - shares the sweep of two opposite sectors among threads.
//
// A row of a strip needs earlier rows only: of its own strip and of those beside it, since stencils reach
// less than a strip is wide. So strips advance row by row, each at most one row ahead of its neighbours, and
// no thread waits for the end of a row. Threads take the strips that may advance; the values do not depend on
// which thread takes which.
#pragma once

#include "CurvaturePaths/Host/SectorSweep.h"
#include "Execution/RoundPool.h"
#include "Execution/SimulatedWorkers.h"

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace isochrone::curvature {

class SweepSchedule {
public:
  /// @param first  the sectors are `first` and `first + 2`
  SweepSchedule(const SectorView* sectors, int first, int threads);

  /// Calls use(sector, first, end) for each group of blocks, on the thread that prefers it if that is free.
  /// The first and last group of a sector get the blocks beside those that are swept, too.
  template <class Use>
  void forEachGroup(execution::RoundPool& pool, Use&& use) {
    pool.run(int(groups.size()), [&](int, int thread) {
      findGroup(thread, [&](Group& g) {
        if (g.taken.exchange(true)) return false;
        use(g.sector, g.before ? g.first : 0, g.after ? g.end : g.blocks);
        return true;
      });
    });
    for (Group& g : groups) g.taken = false;
  }

  /// Sweeps rows until all are done or another thread stops. Each of the threads calls it once.
  /// @param sweepRow  sweepRow(sector, step, first, end) as SectorKernels::sweepRow
  /// @param goesOn    called after some rows and while waiting: false stops all threads, as does an exception
  template <class SweepRow, class GoesOn>
  void work(int thread, SweepRow&& sweepRow, GoesOn&& goesOn) {
    constexpr int patience = 200; // failed tries, after which a thread offers its core to others
    try {
      for (int tries = 0; unfinished > 0 && !stopped;) {
        tries = findGroup(thread, [&](Group& g) { return advance(g, sweepRow, goesOn); }) ? 0 : tries + 1;
        if (tries <= patience) continue;
        if (!goesOn()) stopped = true;
        std::this_thread::yield();
      }
    } catch (...) {
      stopped = true;
      throw;
    }
  }

  /// Sweeps all rows with simulated workers in place of the threads.
  /// @param sweepRow  sweepRow(worker, sector, step, first, end)
  template <class SweepRow>
  void simulate(execution::SimulatedWorkers& workers, SweepRow&& sweepRow) {
    std::vector<Group*> groupOf(std::size_t(threads), nullptr);
    workers.runWhenReady(
        threads,
        [&](int worker) {
          Group*& group = groupOf[std::size_t(worker)];
          const auto take = [&](Group& g) {
            if (!g.mayAdvance() || g.taken.exchange(true)) return false;
            group = &g;
            sweepRow(worker, g.sector, g.done.load(), g.first, g.end);
            return true;
          };
          return (group && take(*group)) || findGroup(worker, take);
        },
        [&](int worker) {
          Group& group = *groupOf[std::size_t(worker)];
          ++group.done;
          group.taken = false;
        });
  }

private:
  /// Adjacent strips of a sector, which advance together.
  struct alignas(64) Group {
    int sector = 0, blocks = 0; ///< blocks of the sector
    int first = 0, end = 0;     ///< blocks of the group
    int steps = 0;              ///< rows of the sweep
    const Group *before = nullptr, *after = nullptr;
    std::atomic<int> done{0};
    std::atomic<bool> taken{false};

    bool mayAdvance() const {
      const int now = done.load(std::memory_order_relaxed);
      const auto isBehind = [now](const Group* g) {
        return g && g->done.load(std::memory_order_acquire) < now;
      };
      return now < steps && !isBehind(before) && !isBehind(after);
    }
  };

  /// Tries the groups in turn until tryGroup(group) returns true. Returns whether one did.
  template <class Try>
  bool findGroup(int thread, Try&& tryGroup) {
    // A thread prefers the groups of its own share, whose values are in its cache. Then it helps others from
    // the end of their shares, which they reach last.
    const int count = int(groups.size()), home = count * thread / threads,
              share = count * (thread + 1) / threads - home;
    for (int i = 0; i < count; ++i)
      if (tryGroup(groups[std::size_t((i < share ? home + i : home + count + share - 1 - i) % count)]))
        return true;
    return false;
  }

  /// Sweeps the next rows of a group, as many as its neighbours allow. Returns whether it swept any.
  template <class SweepRow, class GoesOn>
  bool advance(Group& group, SweepRow& sweepRow, GoesOn& goesOn) {
    if (!group.mayAdvance() || group.taken.exchange(true, std::memory_order_acquire)) return false;
    bool any = false;
    for (; !stopped.load(std::memory_order_relaxed) && group.mayAdvance(); any = true) {
      const int step = group.done.load(std::memory_order_relaxed);
      sweepRow(group.sector, step, group.first, group.end);
      group.done.store(step + 1, std::memory_order_release);
      if (step + 1 == group.steps) --unfinished;
      if (step % 8 == 0 && !goesOn()) stopped = true;
    }
    group.taken.store(false, std::memory_order_release);
    return any;
  }

  const int threads;
  std::vector<Group> groups;
  std::atomic<int> unfinished{0}; ///< groups
  std::atomic<bool> stopped{false};
};

} // namespace isochrone::curvature
