// Travel times on the host: all runs of a problem.
#include "RayTracing/Host/HostSolver.h"

#include "Execution/Progress.h"
#include "RayTracing/Host/PartLinks.h"
#include "RayTracing/Host/TileRun.h"
#include "RayTracing/Scheme/EdgeSlowness.h"
#include "RayTracing/Scheme/Precision.h"
#include "RayTracing/Scheme/WeightFormulas.h"
#include "RayTracing/Seeds/Starts.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace isochrone::rays {

namespace {

/// Several messages to one process.
void append(grid::Message& all, const grid::Message& message) {
  const std::size_t size = message.size(), end = all.size();
  all.resize(end + sizeof size + size);
  std::memcpy(all.data() + end, &size, sizeof size);
  std::copy(message.begin(), message.end(), all.begin() + std::ptrdiff_t(end + sizeof size));
}
/// Returns the next message, and removes it.
std::span<const char> takeFirst(std::span<const char>& all) {
  std::size_t size = 0;
  std::memcpy(&size, all.data(), sizeof size);
  const auto message = all.subspan(sizeof size, size);
  all = all.subspan(sizeof size + size);
  return message;
}

template <class Real>
class HostSolver {
public:
  HostSolver(const Problem& p, const Options& o, const SlownessRange& range, const TilePlan<Real>& tilePlan,
             execution::RoundPool& threads, const Monitor& m, Result& r)
      : problem(p), options(o), pool(threads), monitor(m), result(r), plan(tilePlan),
        minimumSlowness(range.minimum), sources(runsOf(problem, options)) {
    result.fields.resize(sources.size());
    for (Field& field : result.fields) timesOf<Real>(field).resize(std::size_t(problem.grid.points()));
    spaces.reserve(std::size_t(pool.size()));
    for (int thread = 0; thread < pool.size(); ++thread) spaces.emplace_back(plan);
  }

  void solve() {
    if (!(problem.part.isDivided() ? solveWithOthers() : solveAlone())) {
      result.aborted = true;
      result.fields.clear();
    }
    result.workBytes += plan.bytes();
    for (const TileWorkspace<Real>& space : spaces) result.workBytes += space.bytes();
    const double edges = double(plan.own.points()) * double(plan.stencil.all.count);
    if (edges > 0) result.relaxationsPerPoint = double(relaxations()) / (edges * double(sources.size()));
  }

private:
  const Problem& problem;
  const Options& options;
  execution::RoundPool& pool;
  const Monitor& monitor;
  Result& result;
  const TilePlan<Real>& plan;
  double minimumSlowness;
  std::vector<std::vector<std::int32_t>> sources; ///< of each run
  std::vector<TileWorkspace<Real>> spaces;        ///< one per thread

  std::int64_t relaxations() const {
    std::int64_t sum = 0;
    for (const TileWorkspace<Real>& space : spaces) sum += space.relaxations();
    return sum;
  }

  Values<Real>& timesOfRun(int run) { return timesOf<Real>(result.fields[std::size_t(run)]); }

  void start(TileRun<Real>& run, int number) const {
    for (const Start<Real>& s : startsOf<Real>(problem, options, sources[std::size_t(number)]))
      run.lower(s.point, s.time);
  }

  /// Calls solveRun(number, pool, spaces, reports) for some runs; `reports` on the calling thread. If there
  /// are at least as many runs as threads, each thread solves whole runs: it then wastes no work on tiles
  /// begun too early.
  template <class SolveRun>
  void forEach(std::span<const int> runs, SolveRun&& solveRun) {
    const std::span<TileWorkspace<Real>> all(spaces);
    if (int(runs.size()) < pool.size()) {
      for (const int run : runs) solveRun(run, pool, all, true);
      return;
    }
    pool.run(int(runs.size()), [&](int n, int thread) {
      execution::RoundPool alone(1);
      solveRun(runs[std::size_t(n)], alone, all.subspan(std::size_t(thread), 1), thread == 0);
    });
  }

  /// Returns false if the monitor requested a stop.
  bool solveAlone() {
    std::vector<int> runs(sources.size());
    for (std::size_t n = 0; n < runs.size(); ++n) runs[n] = int(n);
    std::atomic<bool> stopped = false;
    std::atomic<int> done = 0;
    std::atomic<std::size_t> bytes = 0;
    forEach(runs, [&](int number, execution::RoundPool& threads, auto own, bool reports) {
      const Monitor monitorOfRun{[&](double share) {
        if (reports && !monitor.report(std::min((double(done) + share) / double(runs.size()), 1.0)))
          stopped = true;
        return !stopped;
      }};
      if (stopped) return;
      TileRun<Real> run(plan, timesOfRun(number), threads);
      start(run, number);
      std::atomic<std::int64_t> unlimited = std::numeric_limits<std::int64_t>::max();
      if (!run.advance(unreached<double>, unlimited, threads, own, monitorOfRun)) stopped = true;
      ++done;
      bytes += run.bytes();
    });
    result.workBytes += bytes;
    return !stopped;
  }

  /// Works together with the processes that have the other parts of the image. Between two exchanges each
  /// works on a run up to the same limit: the minimum time that can still change anywhere, and the minimum
  /// time that a wave takes through the smallest part. All runs advance at once, the first ones first, so
  /// that processes without a wave of one run work on another. They do about the same work between two
  /// exchanges, so that no one waits long. Returns false if the monitor requested a stop.
  bool solveWithOthers() {
    constexpr double widths = 1, share = 0.2; // ../DESIGN.md
    const grid::GridPart& part = problem.part;
    const double width = widths * part.minimumWidth(problem.grid.spacing()) * minimumSlowness;
    const auto effort = 1 + std::int64_t(share * double(plan.own.points()) * double(plan.stencil.all.count));
    const int count = int(sources.size());
    std::deque<TileRun<Real>> runs;
    std::deque<PartLinks<Real>> links;
    for (int r = 0; r < count; ++r) {
      TileRun<Real>& run = runs.emplace_back(plan, timesOfRun(r), pool);
      links.emplace_back(problem, plan, run);
      start(run, r);
    }
    std::atomic<bool> stopped = false;
    const auto visited = [&] {
      double sum = 0;
      for (const TileRun<Real>& run : runs) sum += run.share();
      return sum / count;
    };
    execution::Progress progress(monitor);
    std::vector<int> active;
    std::int64_t relaxedBefore = 0;
    for (;; ++result.exchanges) {
      // 1. Tell and hear.
      std::vector<double> pending;
      std::vector<grid::Message> told(part.links.size());
      for (int r = 0; r < count; ++r) {
        pending.push_back(runs[r].pending());
        for (std::size_t l = 0; l < told.size(); ++l) append(told[l], links[r].tell(l, pending.back()));
      }
      for (const grid::Message& message : told) result.bytesTold += std::int64_t(message.size());
      const std::int64_t relaxed = relaxations();
      pending.push_back(-double(relaxed - std::exchange(relaxedBefore, relaxed))); // the least is of the most
      const std::vector<grid::Message> heard = part.exchange(pending, told);
      result.criticalRelaxations -= pending.back();
      pending.pop_back();
      for (std::size_t l = 0; l < heard.size(); ++l) {
        std::span<const char> message = heard[l];
        for (PartLinks<Real>& link : links) link.hear(l, takeFirst(message));
      }

      // 2. Advance the runs that have work here.
      if (std::ranges::all_of(pending, [](double time) { return time == unreached<double>; })) break;
      active.clear();
      for (int r = 0; r < count; ++r)
        if (const double now = runs[r].pending(); now < unreached<double> && now <= pending[r] + width)
          active.push_back(r);
      std::atomic<std::int64_t> left = effort * pool.size();
      forEach(active, [&](int r, execution::RoundPool& threads, auto own, bool reports) {
        const Monitor monitorOfRun{[&](double) {
          if (reports && !monitor.report(visited())) stopped = true;
          return !stopped;
        }};
        if (!stopped && left > 0 && !runs[r].advance(pending[r] + width, left, threads, own, monitorOfRun))
          stopped = true;
      });
      if (stopped || !progress.report(visited)) return false;
    }
    for (int r = 0; r < count; ++r) {
      result.workBytes += runs[r].bytes() + links[r].bytes();
      grid::fillMargin<Real>(problem.grid, part, timesOfRun(r));
    }
    return true;
  }
};

} // namespace

namespace {

/// Returns the memory for a solve, bytes.
template <class Real>
std::size_t hostBytes(const Problem& problem, const Options& options, const TilePlan<Real>& plan,
                      std::size_t threads) {
  const auto points = std::size_t(problem.grid.points());
  const std::size_t runs = runsOf(problem, options).size();
  const std::size_t atOnce = problem.part.isDivided() ? runs : std::min(runs, threads);
  const std::size_t pendingBits = points / 8; // of the tiles: 0.1 byte per point
  const bool stepsMeanwhile = options.sourceIds && !options.predecessors;
  return resultBytes(problem, options) + atOnce * pendingBits +
         (stepsMeanwhile ? points * sizeof(std::uint16_t) : 0) + plan.slowness.bytes() +
         threads * TileWorkspace<Real>::bytesFor(plan);
}

} // namespace

template <class Real>
void solveOnHost(const Problem& problem, const Options& options, const SlownessRange& range,
                 TilePlan<Real>& plan, execution::RoundPool& pool, const Monitor& monitor, Result& result) {
  requireHostMemory(hostBytes(problem, options, plan, std::size_t(pool.size())), nameOf(problem, options));
  result.aborted = !plan.slowness.compute(pool, monitor);
  if (!result.aborted) HostSolver<Real>(problem, options, range, plan, pool, monitor, result).solve();
}
template void solveOnHost(const Problem&, const Options&, const SlownessRange&, TilePlan<float>&,
                          execution::RoundPool&, const Monitor&, Result&);
template void solveOnHost(const Problem&, const Options&, const SlownessRange&, TilePlan<double>&,
                          execution::RoundPool&, const Monitor&, Result&);

} // namespace isochrone::rays
