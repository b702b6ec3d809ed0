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
  if (input.options.factoring == SourceFactoring::Off) return;
  for (const SeedBall& ball : seedBalls(input, 0)) seedSlowness[std::size_t(ball.seed)] = ball.slowness;
  if (input.options.factoring != SourceFactoring::Multiplicative) return;
  seeds.resize(problem.seeds.size());
  for (const RefinementBall& ball : scheme.balls()) seeds[std::size_t(ball.number)] = ball;
}

bool SecondOrderDependences::evaluate(const Monitor& monitor) {
  dependence.resize(travelTime.size());
  const SecondOrderView view = equations();
  return execution::forEachReported(std::ssize(dependence), input.pool, monitor, [&](std::int64_t p) {
    if (view.first[p] < std::numeric_limits<float>::infinity())
      dependence[std::size_t(p)] = dependenceAt(view, seedSlowness.data(), p);
  });
}

void SecondOrderDependences::sort() {
  if (!timeRanks) timeRanks.emplace(scheme.times(), input.pool);
}

SecondOrderUses SecondOrderDependences::uses() const {
  const GridIndex strides = problem.grid.strides();
  return {dependence.data(), {strides[0], strides[1], strides[2]}, seeds.empty() ? nullptr : seeds.data()};
}

namespace {

/// Passes masses on in doubles, in the order of the first order times, after `evaluate`. Whole numbers may be
/// too small for those on white noise, and beside a seed with multiplicative factoring. There part of the
/// masses ends at the start value.
bool passInOrder(SecondOrderDependences& dependences, std::span<const PointMass> masses,
                 SecondOrderMasses& passed, const Monitor& monitor) {
  dependences.sort();
  std::ranges::fill(passed.mass, 0);
  std::vector<OrderedPass<1>::Tip> tips;
  for (const PointMass& m : masses) tips.push_back({m.point, {m.mass}});
  const SecondOrderUses uses = dependences.uses();
  const auto visit = [&](std::int64_t point, const OrderedPass<1>::Mass& mass) {
    passed.mass[std::size_t(point)] = mass[0];
    const SecondOrderDependence& d = dependences.of(point);
    if (d.isStart) passed.kept.push_back({point, mass[0]});
    if (d.isStart || d.seed < 0 || !uses.seeds) return;
    double rest = 1; // all times move with the start values
    uses.forUsed(point, [&](std::int64_t, double share) { rest -= share; });
    passed.startValue[std::size_t(d.seed)] += mass[0] * rest;
  };
  if (!OrderedPass<1>(dependences.ranks()).run(tips, uses, visit, monitor)) return false;
  std::ranges::sort(passed.kept, {}, &PointMass::point);
  return true;
}

SecondOrderTask taskOf(std::span<const PointMass> masses) {
  std::vector<adjoint::StateWeight> weights;
  for (const PointMass& m : masses) weights.push_back({int(m.point), 0, m.mass});
  SecondOrderTask task;
  task.tips = adjoint::massesOf(weights, adjoint::signedMassBits);
  return task;
}

} // namespace

std::optional<SecondOrderMasses> passSecondOrder(SecondOrderDependences& dependences,
                                                 std::span<const PointMass> masses, Backend backend,
                                                 execution::RoundPool& pool, const Monitor& monitor) {
  const std::size_t points = dependences.times().size();
  SecondOrderMasses passed;
  passed.mass.resize(points);
  passed.startValue.assign(dependences.solvedProblem().seeds.size(), 0);
  if (dependences.uses().seeds) {
    if (!dependences.evaluate(monitor.part(0, 0.4)) ||
        !passInOrder(dependences, masses, passed, monitor.part(0.4, 0.6)))
      return std::nullopt;
    return passed;
  }

  // 1. Pass them on. Points use earlier ones, so all pass their masses.
  SecondOrderTask task = taskOf(masses);
  if (task.tips.tips.empty()) task.mass.assign(points, 0);
  const Monitor passing = monitor.part(0, 0.95);
  if (backend == Backend::Cuda && !task.tips.tips.empty()) {
    secondOrderOnCuda(dependences, task, passing);
  } else {
    if (!dependences.evaluate(passing.part(0, 0.4))) return std::nullopt;
    execution::HostDevice device(pool);
    if (!task.tips.tips.empty()) passMasses(device, dependences.uses(), points, task, passing.part(0.4, 0.6));
  }
  if (task.aborted) return std::nullopt;

  if (task.isTooLarge) {
    task = {}; // frees its memory
    if (!passInOrder(dependences, masses, passed, monitor.part(0.95, 0.05))) return std::nullopt;
    return passed;
  }

  // 2. Convert them.
  const auto convert = [&](std::int64_t p) {
    passed.mass[std::size_t(p)] = double(task.mass[std::size_t(p)]) * task.tips.unit;
  };
  if (!execution::forEachReported(std::int64_t(points), pool, monitor.part(0.95, 0.05), convert))
    return std::nullopt;
  for (const int point : task.reached)
    if (dependences.of(point).isStart) passed.kept.push_back({point, passed.mass[std::size_t(point)]});
  std::ranges::sort(passed.kept, {}, &PointMass::point);
  return passed;
}

std::size_t secondOrderDeviceBytes(const SolverInput& input) {
  const Problem& p = input.problem;
  const auto points = std::size_t(p.grid.points());
  if (points >= std::size_t(std::numeric_limits<int>::max())) return tooManyForDevice;
  const std::size_t evaluating = 2 * points * sizeof(float) + p.speed.size_bytes();
  return points * sizeof(SecondOrderDependence) + std::max(evaluating, adjoint::levelBytes(points)) +
         p.seeds.size() * (sizeof(RefinementBall) + sizeof(double));
}

bool FirstOrderTimes::find(const Problem& problem, const SensitivityOptions& options,
                           std::span<const PointMass> tips, const Monitor& monitor) {
  found = options.firstOrder;
  if (found.empty()) {
    Options first;
    first.backend = Backend::Host;
    const bool isRefined = hasTensorSpeeds(problem) && options.factoring == SourceFactoring::Multiplicative;
    first.factoring = isRefined ? SourceFactoring::Additive : options.factoring;
    first.threads = options.threads;
    const Position h = problem.grid.spacing();
    for (const PointMass& tip : tips) {
      const GridIndex at = problem.grid.indices(tip.point);
      first.stopAt.push_back({double(at[0]) * h[0], double(at[1]) * h[1], double(at[2]) * h[2]});
    }
    Result result = solveImageTravelTime(problem, first, monitor);
    if (result.aborted) return false;
    solved = std::move(result.travelTime);
    found = solved;
  }
  requireTravelTime(problem.grid, found);
  for (const PointMass& tip : tips)
    if (!std::isfinite(found[std::size_t(tip.point)]))
      fail("no front reaches a tip with a travel time, ", nameOf(problem, tip.point),
           ": give the speed, barriers and seeds with which the times were computed");
  return true;
}

} // namespace isochrone::image
