#include "ImageTravelTime/Sensitivity/SecondOrderDependences.h"

#include "Adjoint/LevelRounds.h"
#include "Error.h"
#include "Execution/HostDevice.h"
#include "Execution/ReportedLoop.h"
#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Seeds/FactoringBalls.h"
#include "ImageTravelTime/Validation.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace isochrone::image {

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
  const std::span<const float> first = scheme.times();
  return execution::forEachReported(std::ssize(first), input.pool, monitor, [&](std::int64_t p) {
    if (first[std::size_t(p)] < std::numeric_limits<float>::infinity()) dependence[std::size_t(p)] = at(p);
  });
}

void SecondOrderDependences::sort() { timeRanks.emplace(scheme.times(), input.pool); }

SecondOrderView SecondOrderDependences::view() const {
  const GridIndex strides = problem.grid.strides();
  return {dependence.data(), {strides[0], strides[1], strides[2]}};
}

SecondOrderDependence SecondOrderDependences::at(std::int64_t point) const {
  SecondOrderDependence result{};
  result.isStart = true;
  if (std::isinf(scheme.times()[std::size_t(point)])) return result;
  const SecondOrderPoint solved = scheme.solve(point, travelTime);
  if (!solved.isRefined) return result;
  result.isStart = false;
  // The sum of weight * (slope * v - rest)^2 is 1, with weights proportional to slowness^-2.
  const double inverseSlope = 1 / slopeOfDifferences(solved.terms, solved.value);
  double remainder = 0; // of the seed's straight line, in the terms
  for (std::size_t a = 0; a < 3; ++a) {
    const Difference& d = solved.terms[a];
    const UpstreamNeighbour& up = solved.upstream[a];
    result.perRest[a] = d.weight * (d.slope * solved.value - d.rest) * inverseSlope;
    double ofValues = 0;
    if (d.near != 0) ofValues += d.near * double(travelTime[std::size_t(up.near)]);
    if (d.far != 0) ofValues += d.far * double(travelTime[std::size_t(up.far)]);
    if (d.near != 0) result.used[a] = std::int8_t(up.sign * (d.far != 0 ? 2 : 1));
    remainder += result.perRest[a] * (d.rest - ofValues);
  }
  result.perSlowness = inverseSlope / slownessAt(problem, point);
  result.seed = solved.seed;
  if (solved.seed >= 0) result.perSeedSlowness = remainder / seedSlowness[std::size_t(solved.seed)];
  result.rounding = float(solved.value - double(travelTime[std::size_t(point)]));
  return result;
}

std::optional<SecondOrderMasses> passSecondOrder(const SecondOrderDependences& dependences,
                                                 std::span<const PointMass> masses,
                                                 execution::RoundPool& pool, const Monitor& monitor) {
  // 1. Pass them on. Points use earlier ones, so all pass their masses.
  std::vector<adjoint::StateWeight> weights;
  for (const PointMass& m : masses) weights.push_back({int(m.point), 0, m.mass});
  const adjoint::TipMasses tips = adjoint::massesOf(weights, adjoint::signedMassBits);
  const std::size_t points = dependences.times().size();
  SecondOrderMasses passed;
  passed.mass.assign(points, 0);
  if (tips.tips.empty()) return passed;
  execution::HostDevice device(pool.size());
  adjoint::LevelRounds<execution::HostDevice> rounds(device, points, tips);
  if (!rounds.run(dependences.view(), monitor)) return std::nullopt;

  // 2. Convert them.
  const std::vector<std::int64_t> all = rounds.masses();
  constexpr std::int64_t maximum = std::int64_t(1) << adjoint::massBits;
  if (std::ranges::any_of(all, [](std::int64_t mass) { return std::abs(mass) > maximum; }))
    throw Error("the sensitivities of the second order are too large: use Order 1");
  pool.forEach(std::ssize(all), [&](std::int64_t p) {
    passed.mass[std::size_t(p)] = double(all[std::size_t(p)]) * tips.unit;
  });
  for (const int point : rounds.reached())
    if (dependences.of(point).isStart) passed.kept.push_back({point, passed.mass[std::size_t(point)]});
  std::ranges::sort(passed.kept, {}, &PointMass::point);
  return passed;
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
