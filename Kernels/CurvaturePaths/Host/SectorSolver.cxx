#include "CurvaturePaths/Host/SectorSolver.h"

#include "CurvaturePaths/Host/PartMargin.h"
#include "CurvaturePaths/Host/SectorSystem.h"
#include "CurvaturePaths/Host/SweepSchedule.h"
#include "CurvaturePaths/Scheme/LocalSolver.h"
#include "CurvaturePaths/Scheme/OppositeHeadings.h"
#include "CurvaturePaths/Scheme/PartProblem.h"
#include "Execution/Progress.h"
#include "Execution/RoundPool.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace isochrone::curvature {

namespace {

/// Reports the progress of the sweeps.
class Reporter {
public:
  /// @param points  states of the grid
  Reporter(const Monitor& m, std::int64_t points) : progress(m), allBlocks(double(points) / blockWidth) {}

  /// @param blocks  updates before this phase
  void startPhase(std::int64_t blocks) { before = blocks; }
  /// Returns whether to go on.
  bool atRow(std::int64_t blocks) {
    if (stop) return false;
    stop = !progress.report([&] { // updates per state are not known: 2 to 14
      return 1 - std::exp2(-double(before + blocks) / (2 * allBlocks));
    });
    return !stop;
  }
  bool stopped() const { return stop; }

private:
  execution::Progress progress;
  const double allBlocks;
  std::int64_t before = 0;
  bool stop = false;
};

/// Sweeps a system until nothing changes, the tips are final or the monitor stops. Of a part of the plane,
/// together with the processes that have the other parts.
class Sweeps {
public:
  /// @param p         the problem of the system
  /// @param tipPlaces  none: all values are made final
  /// @param r          receives the counts
  Sweeps(SectorSystem& s, const Problem& p, const std::vector<Placement>& tipPlaces,
         execution::RoundPool& threads, const Monitor& monitor, Result& r)
      : system(s), problem(p), tips(tipPlaces), pool(threads), reporter(monitor, p.grid.points()), result(r) {
  }

  /// Returns whether the monitor stopped it.
  bool run() {
    std::optional<PartMargin> margin;
    if (problem.part.isDivided()) margin.emplace(problem, system);
    float limit = 0;
    do {
      sweepAll(limit);
      if (reporter.stopped()) return true;
      if (margin) exchange(*margin, limit);
      if (!tips.empty() && latest <= std::min(minChange, minPending)) break;
      limit = growth * (minPending < infinity ? std::max(limit, minPending) : limit);
    } while (changed || minPending < infinity);
    return false;
  }

  std::int64_t blocks() const { return updates; }

private:
  /// Values above a limit wait, so that early values are (nearly) final before later ones are computed from
  /// them. The limit grows by this factor.
  static constexpr float growth = 2;

  SectorSystem& system;
  const Problem& problem;
  const std::vector<Placement>& tips;
  execution::RoundPool& pool;
  Reporter reporter;
  Result& result;
  const SectorKernels host = chooseSectorKernels();
  std::int64_t updates = 0; ///< of blocks
  // The last round:
  bool changed = false;                              ///< it updated a block
  float minChange = infinity, minPending = infinity; ///< minimum values that it lowered or left pending
  float latest = -1;                                 ///< time of the latest tip; -1 without any

  float latestTip() const {
    float time = -1;
    for (const Placement& tip : tips) {
      if (tip.status != Placement::Status::Inside) continue;
      float u = infinity;
      for (int k = 0; k < problem.grid.headings; ++k)
        if (tip.heading < 0 || tip.heading == k) u = std::min(u, system.value(k, tip.i, tip.j));
      time = std::max(time, u);
    }
    return time;
  }

  /// Exchanges values with the processes that have the other parts of the plane, and makes the outcome of the
  /// round that of all of them. Collective.
  void exchange(PartMargin& margin, float limit) {
    const std::vector<grid::Message> messages = margin.send(limit, minChange, minPending);
    for (const grid::Message& message : messages) result.bytesSent += std::int64_t(message.size());
    const bool sent = std::ranges::any_of(messages, [](const auto& message) { return !message.empty(); });
    double minima[4] = {minChange, minPending, -latest, changed || sent ? 0. : 1.};
    margin.receive(problem.part.exchange(minima, messages));
    minChange = float(minima[0]), minPending = float(minima[1]), latest = -float(minima[2]);
    changed = minima[3] == 0;
    ++result.exchanges;
  }

  /// Sweeps each sector once. Changes above the limit stay pending.
  void sweepAll(float limit) {
    const std::int64_t before = updates;
    minChange = minPending = infinity;
    for (int first = 0; first < 2; ++first) sweepPair(first, limit);
    changed = updates != before;
    latest = latestTip();
    ++result.rounds;
  }

  /// Sweeps the sectors `first` and `first + 2`.
  void sweepPair(int first, float limit) {
    reporter.startPhase(updates);
    SweepSchedule schedule(system.views(), first, pool.size());
    takeChanges(schedule, limit);
    std::vector<SweepState> states(std::size_t(pool.size()));
    const SectorView* sectors = system.views();
    const int headings = std::max(sectors[first].headings, sectors[first + 2].headings);
    const std::size_t stride = (std::size_t(headings) / 8 + 2) * 8; // cache lines apart
    std::vector<std::uint64_t> dirtyBlocks(states.size() * stride);
    for (std::size_t t = 0; t < states.size(); ++t) {
      states[t].limit = limit, states[t].findMinimum = !tips.empty();
      states[t].dirtyBlocks = dirtyBlocks.data() + t * stride;
    }
    if (execution::SimulatedWorkers* simulated = pool.simulation())
      schedule.simulate(*simulated, [&](int worker, int sector, int step, int begin, int end) {
        SweepState& state = states[std::size_t(worker)];
        const std::int64_t before = state.blocks;
        host.sweepRow(system.views(), sector, step, begin, end, state);
        execution::SimulatedWorkers::countWork(double(1 + state.blocks - before));
      });
    else
      pool.run(pool.size(), [&](int, int thread) {
        SweepState& state = states[std::size_t(thread)];
        schedule.work(
            thread,
            [&](int sector, int step, int begin, int end) {
              host.sweepRow(system.views(), sector, step, begin, end, state);
            },
            [&] { return thread != 0 || reporter.atRow(state.blocks); }); // the monitor's thread reports
      });
    for (const SweepState& state : states) {
      updates += state.blocks;
      minChange = std::min(minChange, state.minChange);
    }
  }

  /// Marks what the other sectors have changed.
  void takeChanges(SweepSchedule& schedule, float limit) {
    std::mutex mutex;
    schedule.forEachGroup(pool, [&](int sector, int begin, int end) {
      const float pending = host.takeChanges(system.views()[sector], system.planes(), begin, end, limit);
      const std::scoped_lock lock(mutex);
      minPending = std::min(minPending, pending);
    });
  }
};

/// A solve of a plane, or of a part of it.
class Solve {
public:
  /// @param startStates  in the grid of the problem
  /// @param planes       headings to solve
  Solve(const Problem& p, const Discretisation& discretisation, std::vector<StartState> startStates,
        double earliestStart, int planes, int threads, Result& r)
      : problem(p), starts(std::move(startStates)), earliest(earliestStart),
        timeUnit(discretisation.units.time()), pool(threads), result(r),
        system(p, discretisation, planes, pool) {}

  void run(const std::vector<Placement>& tips, const Monitor& monitor) {
    const bool corrects = problem.accuracy == Accuracy::SecondOrder;
    constexpr double firstShare = 0.3; // share of the time, if differences are corrected afterwards
    result.aborted =
        sweep(corrects ? std::vector<Placement>{} : tips, monitor.part(0, corrects ? firstShare : 1));
    if (corrects && !result.aborted) {
      fetch(result.uncorrected);
      system.correctDifferences(pool);
      result.aborted = sweep({}, monitor.part(firstShare, 1 - firstShare));
    }
    result.workBytes = system.bytes() + result.uncorrected.size() * sizeof(float);
    result.updatesPerPoint = double(blocks) * blockWidth / double(computedStates());
    if (result.aborted)
      result.uncorrected.clear();
    else
      fetch(result.travelTime);
  }

private:
  const Problem& problem;
  const std::vector<StartState> starts;
  const double earliest, timeUnit;
  execution::RoundPool pool;
  Result& result;
  SectorSystem system;
  std::int64_t blocks = 0; ///< updates

  /// Returns whether the monitor stopped it.
  bool sweep(const std::vector<Placement>& tips, const Monitor& monitor) {
    const StateGrid& g = problem.grid;
    for (const StartState& s : starts) {
      const std::int64_t point = s.state % g.planePoints();
      system.lower(int(s.state / g.planePoints()), point % g.nx, point / g.nx,
                   float((s.travelTime - earliest) / timeUnit));
    }
    Sweeps sweeps(system, problem, tips, pool, monitor, result);
    const bool stopped = sweeps.run();
    blocks += sweeps.blocks();
    return stopped;
  }

  void fetch(Values<float>& values) {
    values.resize(problem.grid.points());
    system.gather(timeUnit, earliest, pool, values);
  }

  std::int64_t computedStates() const {
    return std::max<std::int64_t>(1, ownPointsOf(problem).points()) * problem.grid.headings;
  }
};

} // namespace

void solveBySectors(const Problem& problem, const Discretisation& discretisation,
                    const std::vector<StartState>& starts, const std::vector<Placement>& tips, int threads,
                    const Monitor& monitor, Result& result) {
  const double earliest = earliestOf(starts);
  const int planes = problem.grid.headings / (oppositeHeadingsAgree(problem, starts) ? 2 : 1);
  if (!problem.part.isDivided()) {
    Solve(problem, discretisation, starts, earliest, planes, threads, result).run(tips, monitor);
    return;
  }
  const PartProblem part(problem);
  const Discretisation partDiscretisation(part.problem(), discretisation);
  Solve(part.problem(), partDiscretisation, part.inWindow(starts), earliest, planes, threads, result)
      .run(part.inWindow(tips), monitor);
}

} // namespace isochrone::curvature
