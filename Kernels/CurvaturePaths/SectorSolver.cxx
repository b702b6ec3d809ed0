#include "CurvaturePaths/SectorSolver.h"

#include "CurvaturePaths/SectorSystem.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace isochrone::curvature {

namespace {

/// Tells the monitor how far the sweeps are, at most ten times a second, and passes on its wish to stop.
class Reporter {
public:
  Reporter(const Monitor& m, int& stopFlag) : monitor(m), stop(stopFlag) {}

  void startPhase(double roundsDone) { before = roundsDone; }
  void atRow(double share) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last < std::chrono::milliseconds(100)) return;
    last = now;
    // The number of rounds is not known; most of the work is in the first few.
    const double progress = 1 - std::pow(0.6, before + share / 2);
    if (!monitor.goOn(progress)) __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  }

private:
  const Monitor& monitor;
  int& stop;
  double before = 0;
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

/// Whether no value still to come, all of them at least `leastChange`, can lower a tip.
bool tipsAreFinal(const SectorSystem& system, int headings, const std::vector<Placement>& tips,
                  float leastChange) {
  for (const Placement& tip : tips) {
    if (tip.status != Placement::Status::Inside) continue;
    float u = std::numeric_limits<float>::infinity();
    for (int k = 0; k < headings; ++k)
      if (tip.heading < 0 || tip.heading == k) u = std::min(u, system.value(k, tip.i, tip.j));
    if (u > leastChange) return false;
  }
  return true;
}

} // namespace

void solveBySectors(const Problem& problem, const std::vector<Placement>& seeds,
                    const std::vector<Placement>& tips, int threads, const Monitor& monitor, Result& result) {
  SectorSystem system(problem, threads);
  double earliest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < seeds.size(); ++i)
    if (seeds[i].status == Placement::Status::Inside)
      earliest = std::min(earliest, problem.seeds[i].startValue);
  for (std::size_t i = 0; i < seeds.size(); ++i)
    if (seeds[i].status == Placement::Status::Inside)
      system.seed(seeds[i], float((problem.seeds[i].startValue - earliest) / system.units.time()));

  const HostSweep host = chooseHostSweep();
  const int team = std::min(threads, 2);
  const int planes = problem.grid.headings;
  int stop = 0;
  Reporter reporter(monitor, stop);
  std::int64_t blocks = 0, before = -1;
  for (; blocks != before && !stop; ++result.rounds) {
    before = blocks;
    float leastChange = std::numeric_limits<float>::infinity();
    for (int first = 0; first < 2; ++first) { // sectors 0 and 2, then 1 and 3
      reporter.startPhase(result.rounds + 0.5 * first);
      SweepState states[2];
      for (SweepState& state : states) state.stop = &stop, state.findLeast = !tips.empty();
      states[0].context = &reporter; // sector `first` is swept by the calling thread
      states[0].atRow = [](void* r, double share) { static_cast<Reporter*>(r)->atRow(share); };
#pragma omp parallel for schedule(static, 1) num_threads(team)
      for (int half = 0; half < 2; ++half) host.takeChanges(system.views()[first + 2 * half], planes);
#pragma omp parallel for schedule(static, 1) num_threads(team)
      for (int half = 0; half < 2; ++half) host.sweep(system.views(), first + 2 * half, states[half]);
      for (const SweepState& state : states) {
        blocks += state.blocks;
        leastChange = std::min(leastChange, state.leastChange);
      }
    }
    if (!tips.empty() && tipsAreFinal(system, planes, tips, leastChange)) break;
  }
  result.aborted = stop != 0;
  result.workBytes = system.bytes();
  result.updatesPerPoint = double(blocks) * blockWidth / double(problem.grid.points());
  if (result.aborted) return;
  result.travelTime.resize(problem.grid.points());
  gather(problem.grid, system.planes(0), system.planes(1), system.units.time(), earliest, threads,
         result.travelTime);
}

} // namespace isochrone::curvature
