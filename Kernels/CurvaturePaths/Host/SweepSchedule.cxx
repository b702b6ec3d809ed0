#include "CurvaturePaths/Host/SweepSchedule.h"

#include <algorithm>
#include <thread>

namespace isochrone::curvature {

namespace {

/// Groups of a sector per thread: enough that a thread finds another one while its own must wait; more would
/// only be taken more often.
constexpr int groupsPerThread = 3;

int groupsOf(const SectorView& sector, int threads) {
  const int blocks = sector.endBlock - sector.firstBlock;
  if (stepsOf(sector) == 0) return 0;
  return std::max(threads == 1 ? 1 : std::min(blocks, groupsPerThread * threads), (blocks - 1) / 64 + 1);
}

} // namespace

SweepSchedule::SweepSchedule(const SectorView* sectors, int first, int threadCount)
    : threads(threadCount),
      groups(std::size_t(groupsOf(sectors[first], threads) + groupsOf(sectors[first + 2], threads))),
      unfinished(int(groups.size())) {
  Group* group = groups.data();
  for (const int sector : {first, first + 2}) {
    const SectorView& s = sectors[sector];
    const int count = groupsOf(s, threads), blocks = s.endBlock - s.firstBlock;
    for (int g = 0; g < count; ++g, ++group) {
      group->sector = sector;
      group->first = s.firstBlock + int(std::int64_t(blocks) * g / count);
      group->end = s.firstBlock + int(std::int64_t(blocks) * (g + 1) / count);
      group->steps = stepsOf(s);
      group->left = g > 0 ? group - 1 : nullptr;
      group->right = g + 1 < count ? group + 1 : nullptr;
    }
  }
}

bool SweepSchedule::Group::mayAdvance() const {
  const int now = done.load(std::memory_order_relaxed);
  const auto isBehind = [now](const Group* g) { return g && g->done.load(std::memory_order_acquire) < now; };
  return now < steps && !isBehind(left) && !isBehind(right);
}

/// Sweeps the next rows of a group, as many as its neighbours allow. Returns whether it swept any.
bool SweepSchedule::advance(Group& group, const SweepRow& sweepRow, const std::function<bool()>& goesOn) {
  if (!group.mayAdvance() || group.taken.exchange(true, std::memory_order_acquire)) return false;
  bool any = false;
  while (!stopped.load(std::memory_order_relaxed) && group.mayAdvance()) {
    const int step = group.done.load(std::memory_order_relaxed);
    sweepRow(group.sector, step, group.first, group.end);
    any = true;
    group.done.store(step + 1, std::memory_order_release);
    if (step + 1 == group.steps) --unfinished;
    if (!goesOn()) stopped = true;
  }
  group.taken.store(false, std::memory_order_release);
  return any;
}

void SweepSchedule::work(int thread, const SweepRow& sweepRow, const std::function<bool()>& goesOn) {
  // A thread prefers the groups of its own share, whose values are in its cache. Then it helps others from
  // the end of their shares, which they reach last.
  const std::size_t count = groups.size(), home = count * std::size_t(thread) / std::size_t(threads),
                    share = count * std::size_t(thread + 1) / std::size_t(threads) - home;
  const int patience = 200; // tries before another program gets the processor
  try {
    for (int tries = 0; unfinished > 0 && !stopped;) {
      bool any = false;
      for (std::size_t i = 0; i < count && !any; ++i)
        any =
            advance(groups[(i < share ? home + i : home + count + share - 1 - i) % count], sweepRow, goesOn);
      tries = any ? 0 : tries + 1;
      if (tries > patience) std::this_thread::yield();
    }
  } catch (...) {
    stopped = true;
    throw;
  }
}

} // namespace isochrone::curvature
