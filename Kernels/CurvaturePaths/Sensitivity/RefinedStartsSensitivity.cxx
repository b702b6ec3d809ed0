// RefinedStartsSensitivity.cxx - passes masses from near-seed states down both refined grids to the seed.
#include "CurvaturePaths/Seeds/NearSeedStarts.h"
#include "CurvaturePaths/Seeds/RefinedStarts.h"
#include "CurvaturePaths/Sensitivity/AdjointTask.h"

namespace isochrone::curvature {

namespace {

/// Masses at states of a fine grid.
using Masses = std::vector<std::pair<std::int64_t, double>>;

/// The results of passing masses down a fine grid: its derivatives, the masses that arrive at its start
/// states, and the sum of mass * travel time minus the start values.
struct Descended {
  Sensitivities derivatives;
  Masses arrived;
  double objective = 0;
};

Descended descend(const SeedFrame::Fine& grid, const Result& solved, const Masses& masses,
                  bool radiusAndShift, int threads) {
  const StateGrid& g = grid.problem.grid;
  std::vector<WeightedTip> tips;
  for (const auto& [state, mass] : masses) {
    const std::int64_t point = state % g.planePoints();
    tips.push_back({{double(point % g.nx) * g.hx, double(point / g.nx) * g.hy,
                     double(state / g.planePoints()) * g.headingStep(), false},
                    mass});
  }
  SensitivityTask task = makeSensitivityTask(grid.problem, solved, tips);
  Descended down;
  if (task.masses.tips.empty()) return down;
  spreadOnHost(grid.problem, task, radiusAndShift, threads, {}, down.derivatives);
  down.objective = task.objective + task.excess;
  for (std::size_t s = 0; s < task.seeds.size(); ++s) {
    if (task.arrived[s] == 0) continue;
    const double mass = double(task.arrived[s]) * task.masses.unit;
    down.arrived.emplace_back(task.seeds[s].state, mass);
    down.objective -= mass * double(task.travelTime[task.seeds[s].state]);
  }
  return down;
}

} // namespace

double differentiateRefinedStarts(const Problem& problem, const Walls& walls, std::int32_t seed,
                                  std::span<const NearSeedMass> masses, StartCache* cache, int threads,
                                  Sensitivities& sum) {
  const RefinedStarts refined(problem, walls, seed, cache, threads, {});
  const bool radiusAndShift = !sum.turningRadius.empty();
  const StateGrid& g = problem.grid;
  Masses onGrid;
  for (const NearSeedMass& start : masses) {
    const std::int64_t point = start.state % g.planePoints();
    const SeedFrame::Mixture at =
        refined.frame().at(refined.coarse().problem.grid, refined.solutions().coarse.travelTime, point % g.nx,
                           point / g.nx, int(start.state / g.planePoints()));
    for (int n = 0; n < at.count; ++n) onGrid.emplace_back(at.parts[n].state, at.parts[n].share * start.mass);
  }

  double objective = 0;
  const auto add = [&](const SeedFrame::Fine& grid, const Result& solved) {
    const Descended down = descend(grid, solved, onGrid, radiusAndShift, threads);
    onGrid = down.arrived;
    if (down.derivatives.cost.empty()) return;
    const StateGrid& fine = grid.problem.grid;
    objective += refined.scale() * down.objective;
    refined.frame().spread(fine, down.derivatives.cost, 1, sum.cost); // per cost: the same in either unit
    if (!radiusAndShift) return;
    refined.frame().spread(fine, down.derivatives.turningRadius, refined.scale(), sum.turningRadius);
    refined.frame().spread(fine, down.derivatives.curvatureShift, refined.scale(), sum.curvatureShift);
    if (sum.balancedRadius.empty()) return;
    refined.frame().spread(fine, down.derivatives.balancedRadius, refined.scale(), sum.balancedRadius);
  };
  add(refined.coarse(), refined.solutions().coarse);
  for (auto& [state, mass] : onGrid) state = refined.stateOfFiner(state);
  add(refined.fine(), refined.solutions().fine);
  return objective;
}

} // namespace isochrone::curvature
