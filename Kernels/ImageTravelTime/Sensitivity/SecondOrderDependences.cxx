#include "ImageTravelTime/Sensitivity/SecondOrderDependences.h"

#include "Error.h"
#include "Execution/HostDevice.h"
#include "Execution/ReportedLoop.h"
#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Seeds/FactoringBalls.h"
#include "ImageTravelTime/Sensitivity/SecondOrderSolver.h"
#include "ImageTravelTime/Validation.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace isochrone::image {

#ifndef ISOCHRONE_WITH_CUDA // chooseBackend then rejects Cuda
void secondOrderOnCuda(SecondOrderDependences&, SecondOrderTask&, const Monitor&) {}
#endif

SecondOrderDependences::SecondOrderDependences(const SolverInput& solverInput,
                                               std::span<const float> firstOrder, std::span<const float> u)
    : input(solverInput), problem(input.problem), travelTime(u), scheme(input, firstOrder),
      seedSlowness(problem.seeds.size(), 0) {
  if (u.size() > std::size_t(std::numeric_limits<int>::max()))
    fail("sensitivities of the second order are available for fewer than 2^31 points, got ", u.size(),
         ": use a smaller or a coarser image");
  if (input.options.factoring == SourceFactoring::Off) return;
  for (const SeedBall& ball : seedBalls(input, 0)) seedSlowness[std::size_t(ball.seed)] = ball.slowness;
}

bool SecondOrderDependences::evaluate(const Monitor& monitor) {
  dependence.resize(travelTime.size());
  const SecondOrderView view = equations();
  return execution::forEachReported(std::ssize(dependence), input.pool, monitor, [&](std::int64_t p) {
    if (view.first[p] < std::numeric_limits<float>::infinity())
      dependence[std::size_t(p)] = dependenceAt(view, seedSlowness.data(), p);
  });
}

void SecondOrderDependences::sort() { timeRanks.emplace(scheme.times(), input.pool); }

SecondOrderUses SecondOrderDependences::uses() const {
  const GridIndex strides = problem.grid.strides();
  return {dependence.data(), {strides[0], strides[1], strides[2]}};
}

std::optional<SecondOrderMasses> passSecondOrder(SecondOrderDependences& dependences,
                                                 std::span<const PointMass> masses, Backend backend,
                                                 execution::RoundPool& pool, const Monitor& monitor) {
  // 1. Pass them on. Points use earlier ones, so all pass their masses.
  std::vector<adjoint::StateWeight> weights;
  for (const PointMass& m : masses) weights.push_back({int(m.point), 0, m.mass});
  SecondOrderTask task{adjoint::massesOf(weights, adjoint::signedMassBits), {}, {}};
  const std::size_t points = dependences.times().size();
  SecondOrderMasses passed;
  passed.mass.assign(points, 0);
  if (task.tips.tips.empty()) return passed;
  if (backend == Backend::Cuda) {
    secondOrderOnCuda(dependences, task, monitor);
  } else {
    if (!dependences.evaluate(monitor.part(0, 0.4))) return std::nullopt;
    execution::HostDevice device(pool.size());
    passMasses(device, dependences.uses(), points, task, monitor.part(0.4, 0.6));
  }
  if (task.aborted) return std::nullopt;

  // 2. Convert them.
  constexpr std::int64_t maximum = std::int64_t(1) << adjoint::massBits;
  if (std::ranges::any_of(task.mass, [](std::int64_t mass) { return std::abs(mass) > maximum; }))
    throw Error("the sensitivities of the second order are too large: use Order 1");
  pool.forEach(std::ssize(task.mass), [&](std::int64_t p) {
    passed.mass[std::size_t(p)] = double(task.mass[std::size_t(p)]) * task.tips.unit;
  });
  for (const int point : task.reached)
    if (dependences.of(point).isStart) passed.kept.push_back({point, passed.mass[std::size_t(point)]});
  std::ranges::sort(passed.kept, {}, &PointMass::point);
  return passed;
}

std::size_t secondOrderDeviceBytes(const SolverInput& input) {
  const Problem& p = input.problem;
  const auto points = std::size_t(p.grid.points());
  if (points >= std::size_t(std::numeric_limits<int>::max())) return tooManyForDevice;
  const std::size_t evaluating = 2 * points * sizeof(float) + p.speed.size_bytes(),
                    passing = points * (3 * sizeof(int) + sizeof(std::int64_t) + sizeof(adjoint::TipMass));
  return points * sizeof(SecondOrderDependence) + std::max(evaluating, passing);
}

bool FirstOrderTimes::find(const Problem& problem, const SensitivityOptions& options,
                           std::span<const std::int64_t> tips, const Monitor& monitor) {
  found = options.firstOrder;
  if (found.empty()) {
    Options first;
    first.backend = Backend::Host;
    first.factoring = options.factoring;
    first.threads = options.threads;
    const Position h = problem.grid.spacing();
    for (const std::int64_t tip : tips) {
      const GridIndex at = problem.grid.indices(tip);
      first.stopAt.push_back({double(at[0]) * h[0], double(at[1]) * h[1], double(at[2]) * h[2]});
    }
    Result result = solveImageTravelTime(problem, first, monitor);
    if (result.aborted) return false;
    solved = std::move(result.travelTime);
    found = solved;
  }
  requireTravelTime(problem.grid, found);
  for (const std::int64_t tip : tips)
    if (!std::isfinite(found[std::size_t(tip)]))
      fail("no front reaches a tip with a travel time, ", nameOf(problem, tip),
           ": give the speed, barriers and seeds with which the times were computed");
  return true;
}

} // namespace isochrone::image
