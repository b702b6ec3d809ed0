// Sensitivity.cxx - differentiate(): masses pass from the tips to the seeds and contribute to the derivatives
// of the states on their path.
#include "CurvaturePaths/CurvaturePaths.h"

#include "CurvaturePaths/Seeds/NearSeedStarts.h"
#include "CurvaturePaths/Sensitivity/AdjointSolver.h"
#include "Execution/HostDevice.h"

namespace isochrone::curvature {

#ifndef ISOCHRONE_WITH_CUDA // chooseBackend then refuses Cuda
void spreadOnCuda(const Problem&, SensitivityTask&, bool, const Monitor&, Sensitivities&) {}
#endif

void spreadOnHost(const Problem& problem, SensitivityTask& task, bool radiusAndShift, int threads,
                  const Monitor& monitor, Sensitivities& result) {
  execution::HostDevice device{chooseThreads(threads, 20 * double(problem.grid.points()))}; // ns for a state
  spreadOnDevice(device, problem, task, radiusAndShift, monitor, result);
}

namespace {

Sensitivities solveWhereChosen(const Problem& problem, const Solution& solution,
                               std::span<const WeightedTip> tips, const SensitivityOptions& options,
                               const Monitor& monitor) {
  // 1. Check, place tips and seeds, choose where to run.
  SensitivityTask task = makeSensitivityTask(problem, solution, tips);
  const std::size_t bytes = sensitivityBytes(problem, options.radiusAndShift);
  Sensitivities result;
  result.tips = task.places;
  result.startValue.assign(problem.seeds.size(), 0);
  result.ranOn = chooseBackend(options.backend, bytes);
  if (result.ranOn.backend == Backend::Host) requireHostMemory(bytes, "the sensitivities");
  result.aborted = !monitor.report(0);
  if (result.aborted) return result;

  // 2. Spread the masses of the tips.
  if (task.masses.tips.empty()) {
    result.cost.assign(problem.grid.points(), 0);
    if (options.radiusAndShift) result.turningRadius = result.curvatureShift = result.cost;
    if (options.radiusAndShift && problem.balancedRadius > 0) result.balancedRadius = result.cost;
    return result;
  }
  if (result.ranOn.backend == Backend::Cuda)
    spreadOnCuda(problem, task, options.radiusAndShift, monitor, result);
  else
    spreadOnHost(problem, task, options.radiusAndShift, options.threads, monitor, result);
  if (result.aborted) return result;

  // 3. Masses that arrived at the seeds, and the contribution of near-seed start values.
  result.objective = task.objective + task.excess;
  std::int64_t lost = 0;
  for (const adjoint::TipMass& tip : task.masses.tips) lost += tip.mass;
  std::vector<NearSeedMass> atStarts;
  for (std::size_t s = 0; s < task.seeds.size(); ++s) {
    if (task.arrived[s] == 0) continue;
    lost -= task.arrived[s];
    const StartState& held = task.seeds[s];
    const double mass = double(task.arrived[s]) * task.masses.unit;
    const double startValue = problem.seeds[held.seed].startValue;
    result.startValue[held.seed] += mass;
    result.objective += mass * (startValue - double(task.travelTime[held.state]));
    if (!solution.balls.empty() && held.travelTime != float(startValue))
      atStarts.push_back({held.state, held.seed, mass});
  }
  result.lostWeight = double(lost) * task.masses.unit;
  result.objective +=
      differentiateNearSeedStarts(problem, *task.discretisation, std::move(atStarts),
                                  options.startCache.get(), chooseThreads(options.threads), result);
  monitor.report(1);
  return result;
}

} // namespace

Sensitivities differentiate(const Problem& problem, const Solution& solution,
                            std::span<const WeightedTip> tips, const SensitivityOptions& options,
                            const Monitor& monitor) {
  return solveWithFallback(options, [&](const SensitivityOptions& o) {
    return solveWhereChosen(problem, solution, tips, o, monitor);
  });
}

} // namespace isochrone::curvature
