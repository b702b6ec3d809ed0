#include "RayTracing/Host/TileRun.h"

#include "Bytes.h"
#include "Execution/Progress.h"
#include "RayTracing/Scheme/WeightFormulas.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace isochrone::rays {

namespace {

/// Returns the number of threads worth using. Adjacent tiles exclude one another, and waking a thread pays
/// off only for a millisecond of work.
template <class Real>
int usefulThreads(const TilePlan<Real>& plan, std::size_t threads) {
  constexpr std::int64_t worthwhile = 1 << 22; // edges
  const std::int64_t edges = plan.own.points() * plan.stencil.all.count;
  return int(
      std::min<std::int64_t>({std::int64_t(threads), 1 + edges / worthwhile, (plan.tileCount() + 1) / 2}));
}

} // namespace

template <class Real>
TileRun<Real>::TileRun(const TilePlan<Real>& p, Values<Real>& t, execution::RoundPool& pool)
    : plan(p), times(t), queue(p.tiles, p.window), pendingBits(p.rowCount()),
      visited(std::size_t(queue.count())) {
  pool.forRanges(std::int64_t(times.size()), [&](std::int64_t begin, std::int64_t end, int) {
    std::fill(times.begin() + begin, times.begin() + end, unreached<Real>);
  });
}

template <class Real>
void TileRun<Real>::lower(std::int64_t point, Real time) {
  if (!(time < times[std::size_t(point)])) return;
  times[std::size_t(point)] = time;
  GridIndex at = plan.image.indices(point); // relative to the first tile
  for (int a = 0; a < 3; ++a) at[a] -= plan.low[a];
  for (const RowReach& reach : plan.reaches) {
    const std::int64_t y = at[1] + reach.y, z = at[2] + reach.z;
    if (y < 0 || z < 0 || y >= plan.own.ny || z >= plan.own.nz) continue;
    const std::int64_t first = std::max<std::int64_t>(at[0] - reach.x, 0),
                       last = std::min(at[0] + reach.x, plan.own.nx - 1);
    if (first > last) continue;
    for (std::int64_t block = first / blockColumns; block <= last / blockColumns; ++block) {
      const int tile = plan.tileOf(block * blockColumns, y, z);
      pendingBits[plan.rowOf(tile, y, z)] |= 1u << (unsigned(block % blocks) + pendingFrom(reach));
      queue.offer(tile, time);
    }
  }
}

/// The threads of one advance.
template <class Real>
class TileRun<Real>::Team {
public:
  Team(TileRun& tileRun, double keyLimit, std::atomic<std::int64_t>& relaxationsLeft, const Monitor& monitor)
      : run(tileRun), limit(keyLimit), left(relaxationsLeft), progress(monitor) {}

  /// Returns false if the monitor requests a stop.
  bool work(execution::RoundPool& pool, std::span<TileWorkspace<Real>> spaces) {
    const int threads = usefulThreads(run.plan, spaces.size());
    if (execution::SimulatedWorkers* simulated = pool.simulation(); simulated && threads > 1) {
      simulate(*simulated, spaces.first(std::size_t(threads)));
      return true;
    }
    pool.run(threads, [&](int, int thread) {
      try {
        work(spaces[std::size_t(thread)], thread == 0);
      } catch (...) {
        finish();
        throw;
      }
    });
    return !stopped;
  }

private:
  TileRun& run;
  double limit;
  std::atomic<std::int64_t>& left;
  std::mutex mutex; ///< guards all members below and those of the run
  std::condition_variable wake;
  bool finished = false, stopped = false;
  execution::Progress progress;

  /// Relaxes tiles until none is left.
  /// @param reports  whether on the calling thread, which calls the monitor
  void work(TileWorkspace<Real>& space, bool reports) {
    std::unique_lock lock(mutex);
    while (!finished) {
      const int tile = run.queue.take(limit);
      if (tile >= 0) {
        lock.unlock();
        const std::int64_t relaxed = visit(tile, space);
        lock.lock();
        finish(tile, space);
        if ((left -= relaxed) <= 0) finished = true;
        wake.notify_all();
      } else if (run.queue.idle()) {
        finished = true;
      } else {
        wake.wait_for(lock, std::chrono::milliseconds(100));
      }
      if (reports && !finished && !progress.report([&] { return run.share(); })) finished = stopped = true;
    }
    wake.notify_all();
  }

  /// Relaxes a tile. Returns the number of relaxations.
  std::int64_t visit(int tile, TileWorkspace<Real>& space) {
    const std::int64_t before = space.relaxations();
    space.visit(run.plan.tiles.indices(tile), run.times.data(),
                run.pendingBits.data() + run.plan.firstRow(tile));
    return space.relaxations() - before;
  }

  /// Queues the tiles that a relaxed tile changes.
  void finish(int tile, const TileWorkspace<Real>& space) {
    run.reached += run.visited[std::size_t(tile)]++ == 0;
    run.publish(tile, space);
    run.queue.done(tile);
  }

  /// Relaxes tiles until none is left, by simulated workers.
  void simulate(execution::SimulatedWorkers& workers, std::span<TileWorkspace<Real>> spaces) {
    std::vector<int> tiles(spaces.size(), -1); // of each worker
    workers.runWhenReady(
        int(spaces.size()),
        [&](int worker) {
          int& tile = tiles[std::size_t(worker)];
          tile = left > 0 ? run.queue.take(limit) : -1;
          if (tile < 0) return false;
          const std::int64_t relaxed = visit(tile, spaces[std::size_t(worker)]);
          left -= relaxed;
          execution::SimulatedWorkers::countWork(double(relaxed));
          return true;
        },
        [&](int worker) { finish(tiles[std::size_t(worker)], spaces[std::size_t(worker)]); });
  }

  /// Ends the work of all threads.
  void finish() {
    const std::lock_guard lock(mutex);
    finished = true;
    wake.notify_all();
  }
};

template <class Real>
bool TileRun<Real>::advance(double limit, std::atomic<std::int64_t>& relaxations, execution::RoundPool& pool,
                            std::span<TileWorkspace<Real>> spaces, const Monitor& monitor) {
  if (!(queue.pending() <= limit)) return true;
  return Team(*this, limit, relaxations, monitor).work(pool, spaces);
}

/// Marks changes as pending in the adjacent tiles and queues these tiles.
template <class Real>
void TileRun<Real>::publish(int tile, const TileWorkspace<Real>& space) {
  const GridIndex at = plan.tiles.indices(tile);
  for (int side = 0; side < 27; ++side) {
    if (!(space.minimum(side) < unreached<Real>)) continue;
    const int to = int(indexAt(plan.tiles, at, {side % 3 - 1, side / 3 % 3 - 1, side / 9 - 1}));
    if (to < 0) continue;
    space.addPending(side, plan.tiles.indices(to), pendingBits.data() + plan.firstRow(to));
    queue.offer(to, space.minimum(side));
  }
}

template <class Real>
std::size_t TileRun<Real>::bytes() const {
  return queue.bytes() + bytesOf(pendingBits, visited);
}

template class TileRun<float>;
template class TileRun<double>;

} // namespace isochrone::rays
