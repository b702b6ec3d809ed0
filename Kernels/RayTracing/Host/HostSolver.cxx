// Travel times on the host: tiles in the order of their times, each swept until none of its times changes.
#include "RayTracing/Host/HostSolver.h"

#include "Execution/Progress.h"
#include "FirstException.h"
#include "RayTracing/Host/RelaxTileDispatch.h"
#include "RayTracing/Host/TileQueue.h"
#include "RayTracing/Host/TileWorkspace.h"
#include "RayTracing/Scheme/Precision.h"
#include "RayTracing/Scheme/WeightFormulas.h"
#include "RayTracing/Seeds/Starts.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <span>
#include <vector>

#include <omp.h>

namespace isochrone::rays {

namespace {

/// Returns the number of threads worth using. Adjacent tiles exclude one another, and waking a thread pays
/// off only for a millisecond of work.
template <class Real>
int usefulThreads(const TilePlan<Real>& plan, int threads) {
  constexpr std::int64_t worthwhile = 1 << 22; // edges
  const std::int64_t edges = plan.image.points() * plan.stencil.all.count;
  return int(std::min<std::int64_t>({threads, 1 + edges / worthwhile, (plan.tileCount() + 1) / 2}));
}

/// One run: from its starts to the times of all points.
template <class Real>
class Run {
public:
  Run(const TilePlan<Real>& p, Values<Real>& t, int threadCount, const Monitor& monitor)
      : plan(p), times(t), threads(usefulThreads(p, threadCount)), queue(p.tiles, p.window),
        pending(p.rowCount()), seen(std::size_t(queue.count())), progress(monitor) {}

  /// Returns false if the monitor requests a stop.
  bool solve(std::span<const Start<Real>> starts) {
    const std::int64_t points = std::int64_t(times.size());
    constexpr std::int64_t share = 1 << 16;
#pragma omp parallel for num_threads(threads) if (points > share)
    for (std::int64_t first = 0; first < points; first += share)
      std::fill_n(times.data() + first, std::min(share, points - first), unreached<Real>);
    for (const auto& start : starts) markStart(start);
    FirstException failure;
#pragma omp parallel num_threads(threads) if (threads > 1)
    if (!failure.guard([&] { work(omp_get_thread_num() == 0); })) finish();
    failure.rethrow();
    return !stopped;
  }

  std::int64_t relaxations = 0;
  std::size_t bytes() const { return queue.bytes() + pending.size() * sizeof(pending[0]) + workBytes; }

private:
  const TilePlan<Real>& plan;
  Values<Real>& times;
  int threads;
  TileQueue queue;
  std::vector<std::uint16_t> pending; ///< per row of each tile: pending bits, see RelaxTileDispatch.h
  std::size_t workBytes = 0;
  std::vector<std::uint8_t> seen; ///< per tile: has been visited
  int seenCount = 0;

  std::mutex mutex; ///< guards all members below, the queue and the pending bits
  std::condition_variable wake;
  bool finished = false, stopped = false;
  execution::Progress progress;

  /// Stores a start time, and marks it as pending in the rows and tiles within reach.
  void markStart(const Start<Real>& start) {
    if (!(start.time < times[start.point])) return;
    times[start.point] = start.time;
    const GridIndex at = plan.image.indices(start.point);
    for (const RowReach& reach : plan.reaches)
      for (int side = -1; side <= 1; ++side) {
        const std::int64_t point = indexAt(plan.image, at, {side * reach.x, reach.y, reach.z});
        if (point < 0) continue;
        const auto [x, y, z] = plan.image.indices(point);
        const unsigned block = unsigned(x % tileColumns) / blockColumns;
        const int tile = plan.tileOf(x, y, z);
        pending[plan.rowOf(tile, y, z)] |= 1u << (block + pendingFrom(reach));
        queue.offer(tile, start.time);
      }
  }

  /// Relaxes tiles until none is left.
  /// @param reports  whether on the calling thread, which calls the monitor
  void work(bool reports) {
    TileWorkspace<Real> space(plan);
    std::unique_lock lock(mutex);
    while (!finished) {
      const int tile = queue.take();
      if (tile >= 0) {
        lock.unlock();
        space.visit(plan.tiles.indices(tile), times.data(), pending.data() + plan.firstRow(tile));
        lock.lock();
        if (!seen[tile]) seen[tile] = 1, ++seenCount;
        publish(tile, space);
        queue.done(tile);
        wake.notify_all();
      } else if (queue.idle()) {
        finished = true;
      } else {
        wake.wait_for(lock, std::chrono::milliseconds(100));
      }
      if (reports && !finished) report();
    }
    wake.notify_all();
    relaxations += space.relaxations();
    workBytes += space.bytes();
  }

  /// Ends the work of all threads.
  void finish() {
    const std::lock_guard lock(mutex);
    finished = true;
    wake.notify_all();
  }

  /// Marks changes as pending in the adjacent tiles and queues these tiles.
  void publish(int tile, const TileWorkspace<Real>& space) {
    const GridIndex at = plan.tiles.indices(tile);
    for (int side = 0; side < 27; ++side) {
      if (!(space.minimum(side) < unreached<Real>)) continue;
      const int to = int(indexAt(plan.tiles, at, {side % 3 - 1, side / 3 % 3 - 1, side / 9 - 1}));
      if (to < 0) continue;
      space.addPending(side, plan.tiles.indices(to), pending.data() + plan.firstRow(to));
      queue.offer(to, space.minimum(side));
    }
  }

  void report() {
    // Only a part of the work, but it never decreases.
    if (!progress.report([&] { return double(seenCount) / queue.count(); })) finished = stopped = true;
  }
};

/// Solves all runs of a problem. If there are at least as many runs as threads, each thread solves whole
/// runs: it then wastes no work on tiles begun too early.
template <class Real>
void solveRuns(const Problem& problem, const Options& options, const SlownessRange& range, int threads,
               const Monitor& monitor, Result& result) {
  const TilePlan<Real> plan(problem, options, range);
  const auto sources = runsOf(problem, options);
  const int count = int(sources.size());
  const bool apart = count >= threads;
  result.fields.resize(count);
  for (Field& field : result.fields) timesOf<Real>(field).resize(problem.grid.points());
  std::atomic<bool> stopped{false};
  std::atomic<int> done{0};
  std::atomic<std::int64_t> relaxations{0};
  std::atomic<std::size_t> workBytes{plan.bytes()};
  const auto solveRun = [&](int r) {
    const bool reports = omp_get_thread_num() == 0; // true on the calling thread
    const Monitor monitorOfRun{[&](double share) {
      if (reports && !monitor.report(std::min((double(done) + share) / double(count), 1.0))) stopped = true;
      return !stopped;
    }};
    Run<Real> run(plan, timesOf<Real>(result.fields[r]), apart ? 1 : threads, monitorOfRun);
    if (!run.solve(startsOf<Real>(problem, options, sources[r]))) stopped = true;
    ++done;
    relaxations += run.relaxations;
    workBytes += run.bytes();
  };

  FirstException failure;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (apart && threads > 1)
  for (int r = 0; r < count; ++r)
    if (!stopped && !failure.guard([&] { solveRun(r); })) stopped = true;
  failure.rethrow();
  if (stopped) {
    result.aborted = true;
    result.fields.clear();
  }
  result.workBytes = workBytes;
  const auto edges = double(problem.grid.points()) * double(plan.stencil.all.count);
  result.relaxationsPerPoint = double(relaxations) / (edges * double(count));
}

} // namespace

void solveOnHost(const Problem& problem, const Options& options, const SlownessRange& range, int threads,
                 const Monitor& monitor, Result& result) {
  const auto pendingBits = std::size_t(problem.grid.points()) / 8; // of the tiles: 0.1 byte per point
  requireHostMemory(resultBytes(problem, options) + pendingBits, nameOf(problem, options));
  if (options.doublePrecision)
    solveRuns<double>(problem, options, range, threads, monitor, result);
  else
    solveRuns<float>(problem, options, range, threads, monitor, result);
}

} // namespace isochrone::rays
