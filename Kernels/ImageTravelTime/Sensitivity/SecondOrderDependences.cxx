#include "ImageTravelTime/Sensitivity/SecondOrderDependences.h"

#include "ImageTravelTime/Seeds/FactoringBalls.h"
#include "ImageTravelTime/Validation.h"

#include <cmath>

namespace isochrone::image {

SecondOrderDependences::SecondOrderDependences(const SolverInput& input, std::span<const float> firstOrder,
                                               std::span<const float> u)
    : problem(input.problem), travelTime(u), scheme(input, firstOrder), timeRanks(scheme.times(), input.pool),
      seedSlowness(problem.seeds.size(), 0) {
  if (input.options.factoring == SourceFactoring::Off) return;
  for (const SeedBall& ball : seedBalls(input, 0)) seedSlowness[std::size_t(ball.seed)] = ball.slowness;
}

SecondOrderDependence SecondOrderDependences::at(std::int64_t point) const {
  SecondOrderDependence result;
  if (std::isinf(scheme.times()[std::size_t(point)])) {
    result.isStart = true;
    return result;
  }
  const SecondOrderPoint solved = scheme.solve(point, travelTime);
  result.isStart = !solved.isRefined;
  if (result.isStart) return result;
  // The sum of weight * (slope * v - rest)^2 is 1, with weights proportional to slowness^-2.
  const double inverseSlope = 1 / slopeOfDifferences(solved.terms, solved.value);
  double remainder = 0; // of the seed's straight line, in the terms
  for (std::size_t a = 0; a < 3; ++a) {
    const Difference& d = solved.terms[a];
    const UpstreamNeighbour& up = solved.upstream[a];
    const double perRest = d.weight * (d.slope * solved.value - d.rest) * inverseSlope;
    double ofValues = 0;
    const auto use = [&](std::int64_t from, double coefficient) {
      if (coefficient == 0) return;
      result.add(from, perRest * coefficient);
      ofValues += coefficient * double(travelTime[std::size_t(from)]);
    };
    use(up.near, d.near);
    use(up.far, d.far);
    remainder += perRest * (d.rest - ofValues);
  }
  result.perSlowness = inverseSlope / slownessAt(problem, point);
  if (solved.seed >= 0) {
    result.seed = solved.seed;
    result.perSeedSlowness = remainder / seedSlowness[std::size_t(solved.seed)];
  }
  result.rounding = solved.value - double(travelTime[std::size_t(point)]);
  return result;
}

std::optional<std::vector<PointMass>>
passToFirstOrder(const SecondOrderDependences& dependences, std::span<const PointMass> masses,
                 execution::RoundPool& pool,
                 const std::function<void(std::int64_t, const SecondOrderDependence&, double)>& visit,
                 const Monitor& monitor) {
  std::vector<OrderedPass<1>::Tip> tips;
  for (const PointMass& m : masses) tips.push_back({m.point, {m.mass}});
  std::vector<PointMass> kept;
  OrderedPass<1> pass(dependences.ranks());
  const bool done = pass.run(
      tips, pool.size() > 1 ? &pool : nullptr, [&](std::int64_t point) { return dependences.at(point); },
      [&](std::int64_t point, const SecondOrderDependence& dependence, const OrderedPass<1>::Mass& mass) {
        if (dependence.isStart)
          kept.push_back({point, mass[0]});
        else
          visit(point, dependence, mass[0]);
      },
      monitor);
  if (!done) return std::nullopt;
  return kept;
}

Values<float> firstOrderTimes(const Problem& problem, const Options& options,
                              std::span<const std::int64_t> tips, const Monitor& monitor) {
  Options first = options;
  first.backend = Backend::Host;
  first.order = 1;
  const Position h = problem.grid.spacing();
  for (const std::int64_t tip : tips) {
    const GridIndex at = problem.grid.indices(tip);
    first.stopAt.push_back({double(at[0]) * h[0], double(at[1]) * h[1], double(at[2]) * h[2]});
  }
  Result result = solveImageTravelTime(problem, first, monitor);
  if (result.aborted) return {};
  for (const std::int64_t tip : tips)
    if (!std::isfinite(result.travelTime[std::size_t(tip)]))
      fail("no front reaches a tip with a travel time, ", nameOf(problem, tip),
           ": give the speed, barriers and seeds with which the times were computed");
  return std::move(result.travelTime);
}

} // namespace isochrone::image
