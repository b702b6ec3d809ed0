#include "CurvaturePaths/Solution.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isochrone::filters {

CurvatureSolution::CurvatureSolution(CurvatureProblem what, curvature::Options how)
    : asked(std::move(what)), options(std::move(how)), problem(asked.problem) {
  if (!asked.vehicle) return;
  ground = curvature::groundFields(asked.problem, *asked.vehicle, options.threads);
  problem.cost = {1, ground.cost};
  problem.turningRadius = {1, ground.turningRadius};
  problem.curvatureShift = {0, ground.curvatureShift};
  problem.balancedRadius = ground.balancedRadius;
  for (curvature::Seed& seed : problem.seeds) seed.state = overGround(seed.state);
}

/// Converts a heading of the vehicle to the direction of its track, as the problem over ground requires.
curvature::State CurvatureSolution::overGround(curvature::State state) const {
  if (asked.vehicle && !state.anyHeading &&
      curvature::place(problem, state).status == curvature::Placement::Status::Inside)
    state.heading = curvature::trackDirection(problem, *asked.vehicle, state.x, state.y, state.heading);
  return state;
}

std::unique_ptr<CurvatureSolution>
CurvatureSolution::solve(CurvatureProblem input, curvature::Options options, const Monitor& monitor) {
  std::unique_ptr<CurvatureSolution> s(new CurvatureSolution(std::move(input), std::move(options)));
  curvature::Options how = s->options;
  for (curvature::State& tip : how.stopAt) tip = s->overGround(tip);
  if (s->asked.roundTrip) {
    s->trip = curvature::solveRoundTrip(s->problem, how, monitor);
  } else {
    s->trip.out = curvature::solveCurvaturePaths(s->problem, how, monitor);
    s->trip.aborted = s->trip.out.aborted;
  }
  if (s->trip.aborted) return nullptr;
  s->leastTime = s->asked.roundTrip ? curvature::reduceToPlane(s->problem, s->trip, how.threads)
                                    : curvature::reduceToPlane(s->problem, s->trip.out, how.threads);
  return s;
}

bool CurvatureSolution::solves(const CurvatureProblem& other, const curvature::Options& how) const {
  return options.backend == how.backend && same(options.stopAt, how.stopAt) && same(asked, other);
}

double CurvatureSolution::residual(int threads, const Monitor& monitor) const {
  const double out = curvature::residual(problem, trip.out, threads, monitor.part(0, 0.5));
  if (trip.back.travelTime.empty() || std::isnan(out)) return out;
  const double back = curvature::residual(trip.reversed.problem, trip.back, threads, monitor.part(0.5, 0.5));
  return std::isnan(back) ? back : std::max(out, back);
}

bool CurvatureSolution::hasPathsTo(const std::vector<curvature::State>& tips) const {
  return pathTips && same(*pathTips, tips);
}

bool CurvatureSolution::followTips(const std::vector<curvature::State>& tips, int threads,
                                   const Monitor& monitor) {
  pathTips.reset();
  std::vector<curvature::State> states = tips;
  for (curvature::State& tip : states) tip = overGround(tip);
  tipPaths = asked.roundTrip ? curvature::extractPaths(problem, trip, states, threads, monitor)
                             : curvature::extractPaths(problem, trip.out, states, threads, monitor);
  if (tipPaths.size() < tips.size()) return false;
  vehiclePaths.clear();
  for (std::size_t n = 0; asked.vehicle && n < tipPaths.size(); ++n)
    vehiclePaths.push_back(curvature::seenFromVehicle(problem, *asked.vehicle, tipPaths[n]));
  pathTips = tips;
  return true;
}

bool CurvatureSolution::hasDerivativesOf(const std::vector<curvature::State>& tips,
                                         const std::vector<double>& weights, bool radiusAndShift) const {
  return derivatives && same(derivatives->tips, tips) && derivatives->weights == weights &&
         derivatives->radiusAndShift == radiusAndShift;
}

bool CurvatureSolution::differentiate(const std::vector<curvature::State>& tips,
                                      const std::vector<double>& weights, bool radiusAndShift,
                                      const Monitor& monitor) {
  derivatives.reset(); // frees their memory
  std::vector<curvature::WeightedTip> weighted;
  for (std::size_t t = 0; t < tips.size(); ++t) weighted.push_back({overGround(tips[t]), weights[t]});
  const curvature::SensitivityOptions how{options.backend, options.threads, radiusAndShift,
                                          options.startCache};
  curvature::Sensitivities found = asked.roundTrip
                                       ? curvature::differentiate(problem, trip, weighted, how, monitor)
                                       : curvature::differentiate(problem, trip.out, weighted, how, monitor);
  if (found.aborted) return false;
  if (asked.vehicle)
    curvature::toVehicle(found, problem, asked.problem.cost, *asked.vehicle, asked.rightRadius > 0);
  else if (asked.rightRadius > 0)
    curvature::toSides(found, problem, asked.rightRadius);
  derivatives = Derivatives{tips, weights, radiusAndShift, std::move(found)};
  return true;
}

} // namespace isochrone::filters
