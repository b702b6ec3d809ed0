#include "CurvaturePaths/Solution.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isochrone::filters {

CurvatureSolution::CurvatureSolution(CurvatureProblem input, curvature::Options with)
    : request(std::move(input)), options(std::move(with)), problem(request.problem) {
  if (!request.vehicle) return;
  ground = curvature::groundFields(request.problem, *request.vehicle, options.threads);
  problem.cost = {1, ground.cost};
  problem.turningRadius = {1, ground.turningRadius};
  problem.curvatureShift = {0, ground.curvatureShift};
  problem.balancedRadius = ground.balancedRadius;
  for (curvature::Seed& seed : problem.seeds) seed.state = overGround(seed.state);
}

/// Converts a heading of the vehicle to the direction of its track, as the problem over ground requires.
curvature::State CurvatureSolution::overGround(curvature::State state) const {
  if (request.vehicle && !state.anyHeading &&
      curvature::place(problem, state).status == curvature::Placement::Status::Inside)
    state.heading = curvature::trackDirection(problem, *request.vehicle, state.x, state.y, state.heading);
  return state;
}

std::unique_ptr<CurvatureSolution>
CurvatureSolution::solve(CurvatureProblem input, curvature::Options options, const Monitor& monitor) {
  std::unique_ptr<CurvatureSolution> s(new CurvatureSolution(std::move(input), std::move(options)));
  curvature::Options overGround = s->options;
  for (curvature::State& tip : overGround.stopAt) tip = s->overGround(tip);
  if (s->request.roundTrip) {
    s->roundTrip = curvature::solveRoundTrip(s->problem, overGround, monitor);
  } else {
    s->roundTrip.out = curvature::solveCurvaturePaths(s->problem, overGround, monitor);
    s->roundTrip.aborted = s->roundTrip.out.aborted;
  }
  if (s->roundTrip.aborted) return nullptr;
  s->minTime = s->request.roundTrip
                   ? curvature::reduceToPlane(s->problem, s->roundTrip, overGround.threads)
                   : curvature::reduceToPlane(s->problem, s->roundTrip.out, overGround.threads);
  return s;
}

bool CurvatureSolution::solves(const CurvatureProblem& other, const curvature::Options& others) const {
  return options.backend == others.backend && same(options.stopAt, others.stopAt) && same(request, other);
}

double CurvatureSolution::residual(int threads, const Monitor& monitor) const {
  const double outward = curvature::residual(problem, roundTrip.out, threads, monitor.part(0, 0.5));
  if (roundTrip.back.travelTime.empty() || std::isnan(outward)) return outward;
  const double back =
      curvature::residual(roundTrip.reversed.problem, roundTrip.back, threads, monitor.part(0.5, 0.5));
  return std::isnan(back) ? back : std::max(outward, back);
}

bool CurvatureSolution::hasPathsTo(const std::vector<curvature::State>& tips) const {
  return pathTips && same(*pathTips, tips);
}

bool CurvatureSolution::followTips(const std::vector<curvature::State>& tips, int threads,
                                   const Monitor& monitor) {
  pathTips.reset();
  std::vector<curvature::State> states = tips;
  for (curvature::State& tip : states) tip = overGround(tip);
  tipPaths = request.roundTrip ? curvature::extractPaths(problem, roundTrip, states, threads, monitor)
                               : curvature::extractPaths(problem, roundTrip.out, states, threads, monitor);
  if (tipPaths.size() < tips.size()) return false;
  vehiclePaths.clear();
  for (std::size_t n = 0; request.vehicle && n < tipPaths.size(); ++n)
    vehiclePaths.push_back(curvature::seenFromVehicle(problem, *request.vehicle, tipPaths[n]));
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
  const curvature::SensitivityOptions settings{options.backend, options.threads, radiusAndShift,
                                               options.startCache};
  curvature::Sensitivities found =
      request.roundTrip ? curvature::differentiate(problem, roundTrip, weighted, settings, monitor)
                        : curvature::differentiate(problem, roundTrip.out, weighted, settings, monitor);
  if (found.aborted) return false;
  if (request.vehicle)
    curvature::toVehicle(found, problem, request.problem.cost, *request.vehicle, request.rightRadius > 0);
  else if (request.rightRadius > 0)
    curvature::toSides(found, problem, request.rightRadius);
  derivatives = Derivatives{tips, weights, radiusAndShift, std::move(found)};
  return true;
}

} // namespace isochrone::filters
