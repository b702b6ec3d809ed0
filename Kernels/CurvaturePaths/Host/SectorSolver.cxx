#include "CurvaturePaths/Host/SectorSolver.h"

#include "CurvaturePaths/Host/SectorSystem.h"
#include "Execution/Progress.h"
#include "FirstException.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::curvature {

namespace {

/// Reports the progress of the sweeps and sets a flag when they must stop.
class Reporter {
public:
  /// @param points  states of the grid
  Reporter(const Monitor& m, int& stopFlag, std::int64_t points)
      : progress(m), stop(stopFlag), allBlocks(double(points) / blockWidth) {}

  /// @param blocks  updates before this phase
  void startPhase(std::int64_t blocks) { before = blocks; }
  void atRow(std::int64_t blocks) {
    const bool goesOn = progress.report([&] { // updates per state are not known: 2 to 14
      return 1 - std::exp2(-double(before + blocks) / (2 * allBlocks));
    });
    if (!goesOn) __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  }

private:
  execution::Progress progress;
  int& stop;
  const double allBlocks;
  std::int64_t before = 0;
};

/// Returns whether all tips are final: values still to come are at least `minChange`.
bool tipsAreFinal(const SectorSystem& system, int headings, const std::vector<Placement>& tips,
                  float minChange) {
  for (const Placement& tip : tips) {
    if (tip.status != Placement::Status::Inside) continue;
    float u = std::numeric_limits<float>::infinity();
    for (int k = 0; k < headings; ++k)
      if (tip.heading < 0 || tip.heading == k) u = std::min(u, system.value(k, tip.i, tip.j));
    if (u > minChange) return false;
  }
  return true;
}

/// Sweeps in rounds until nothing changes, the tips are final or the monitor stops. Returns whether the
/// monitor stopped it.
/// @param blocks  number of block updates, to add to
bool sweep(SectorSystem& system, const StateGrid& grid, const std::vector<Placement>& tips, int threads,
           const Monitor& monitor, Result& result, std::int64_t& blocks) {
  int stop = 0;
  Reporter reporter(monitor, stop, grid.points());
  const std::int64_t earlier = blocks;
  const SectorKernels host = chooseSectorKernels();
  const int team = std::min(threads, 2);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  // Values above the limit wait, so that early values are (nearly) final before later ones are computed from
  // them.
  constexpr float growth = 2;
  float limit = 0, minPending = 0;
  for (std::int64_t before = -1; (blocks != before || minPending < infinity) && !stop; ++result.rounds) {
    before = blocks;
    float minChange = infinity;
    minPending = infinity;
    for (int first = 0; first < 2; ++first) { // sectors 0 and 2, then 1 and 3
      reporter.startPhase(blocks - earlier);
      SweepState states[2];
      float pending[2];
      for (SweepState& state : states)
        state.limit = limit, state.stop = &stop, state.findMinimum = !tips.empty();
      states[0].context = &reporter; // the calling thread sweeps sector `first`
      states[0].atRow = [](void* r, std::int64_t n) { static_cast<Reporter*>(r)->atRow(n); };
#pragma omp parallel for schedule(static, 1) num_threads(team)
      for (int half = 0; half < 2; ++half)
        pending[half] = host.takeChanges(system.views()[first + 2 * half], grid.headings, limit);
      FirstException failure; // thrown by the monitor
#pragma omp parallel for schedule(static, 1) num_threads(team)
      for (int half = 0; half < 2; ++half)
        failure.guard([&] { host.sweep(system.views(), first + 2 * half, states[half]); });
      failure.rethrow();
      for (int half = 0; half < 2; ++half) {
        blocks += states[half].blocks;
        minChange = std::min(minChange, states[half].minChange);
        minPending = std::min(minPending, pending[half]);
      }
    }
    if (!tips.empty() && tipsAreFinal(system, grid.headings, tips, std::min(minChange, minPending))) break;
    limit = growth * (minPending < infinity ? std::max(limit, minPending) : limit);
  }
  return stop != 0;
}

} // namespace

void solveBySectors(const Problem& problem, const Discretisation& discretisation,
                    const std::vector<StartState>& starts, const std::vector<Placement>& tips, int threads,
                    const Monitor& monitor, Result& result) {
  const bool corrects = problem.accuracy == Accuracy::SecondOrder;
  SectorSystem system(problem, discretisation, threads);
  const double earliest = earliestOf(starts), timeUnit = discretisation.units.time();
  const auto start = [&] {
    for (const StartState& s : starts) system.start(s.state, float((s.travelTime - earliest) / timeUnit));
  };
  const auto fetch = [&](Values<float>& values) {
    values.resize(problem.grid.points());
    system.gather(timeUnit, earliest, threads, values);
  };

  std::int64_t blocks = 0;
  constexpr double firstShare = 0.3; // share of the time, if differences are corrected afterwards
  start();
  result.aborted = sweep(system, problem.grid, corrects ? std::vector<Placement>{} : tips, threads,
                         monitor.part(0, corrects ? firstShare : 1), result, blocks);
  if (corrects && !result.aborted) {
    fetch(result.uncorrected);
    system.correctDifferences(threads);
    start();
    result.aborted =
        sweep(system, problem.grid, {}, threads, monitor.part(firstShare, 1 - firstShare), result, blocks);
  }
  result.workBytes = system.bytes() + result.uncorrected.size() * sizeof(float);
  result.updatesPerPoint = double(blocks) * blockWidth / double(problem.grid.points());
  if (result.aborted)
    result.uncorrected.clear();
  else
    fetch(result.travelTime);
}

} // namespace isochrone::curvature
