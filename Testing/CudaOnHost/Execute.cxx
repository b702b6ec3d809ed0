// Execute.cxx - runs the blocks of a launch one after another. A block that runs long yields to others, so
// that blocks may wait for each other.
#include "Block.h"
#include "Report.h"
#include "Trace.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace on_host {

namespace {

/// Returns the number of the launch; the records of Races.cxx have 14 bits for it.
u64 nextLaunch() {
  static u64 launches = 0;
  if (++launches == 1u << 14) {
    launches = 1;
    DeviceMemory::get().forgetTouches();
  }
  return launches;
}

/// Returns the block numbers in starting order.
std::vector<u32> orderOf(u64 count) {
  std::vector<u32> sequence(count);
  std::iota(sequence.begin(), sequence.end(), 0u);
  const long order = settings().order;
  static std::minstd_rand random{unsigned(order) + 7};
  if (order == 1) std::reverse(sequence.begin(), sequence.end());
  if (order > 1) std::shuffle(sequence.begin(), sequence.end(), random);
  return sequence;
}

std::unique_ptr<Block> takeBlock(Kernel& k) {
  if (k.idle.empty()) return std::make_unique<Block>();
  std::unique_ptr<Block> b = std::move(k.idle.back());
  k.idle.pop_back();
  return b;
}

/// @param launchNumber  for the race records
bool runBlocks(const Launch& launch, u64 launchNumber) {
  Kernel& k = *launch.kernel;
  const bool inOrder = settings().order == 0;
  const std::vector<u32> sequence = orderOf(u64(launch.grid[0]) * launch.grid[1] * launch.grid[2]);
  const std::size_t atOnce = 32;
  const long budget = inOrder ? 1000000 : 5000;     // instructions per turn of a block
  const long untilNextStarts = inOrder ? 1000 : 50; // turns: blocks may spin on one that has not started
  const long maximum = setting("LIMIT", inOrder ? 20000 : 2000000); // turns in which no block ends
  std::vector<std::unique_ptr<Block>> live;
  std::size_t next = 0;
  for (long stalled = 0; next < sequence.size() || !live.empty(); ++stalled) {
    if (next < sequence.size() && (live.size() < atOnce || stalled > untilNextStarts)) {
      live.push_back(takeBlock(k));
      live.back()->prepare(k, launch);
      live.back()->start(sequence[next++], launchNumber);
      stalled = 0;
    }
    for (std::size_t n = 0; n < live.size();) {
      const Block::Result r = live[n]->run(budget);
      if (r == Block::Result::Failed) return false;
      if (r == Block::Result::Yield) {
        ++n;
        continue;
      }
      stalled = 0;
      if (k.idle.size() < 4) k.idle.push_back(std::move(live[n]));
      live.erase(live.begin() + std::ptrdiff_t(n));
    }
    if (stalled > maximum) {
      Warp& w = live[0]->warps[0];
      w.finding("no end in sight", 0, "still runs");
      return false;
    }
  }
  return true;
}

} // namespace

bool execute(const Launch& launch) {
  launch.kernel->counts = {};
  ++launch.kernel->launches;
  const bool good = runBlocks(launch, nextLaunch());
  if (tracing()) traceLaunch(launch);
  return good;
}

} // namespace on_host
