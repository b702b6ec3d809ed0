#include "CurvaturePaths/EachSeed.h"

#include "CurvaturePaths/Solution.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <sstream>
#include <utility>

namespace isochrone::filters {

namespace {

using Status = curvature::Placement::Status;

/// Returns the problem of one seed, which starts at time 0. It views the arrays of the problem of all.
CurvatureProblem problemOf(const CurvatureProblem& all, std::size_t seed) {
  CurvatureProblem one;
  one.problem = all.problem;
  one.problem.seeds = {all.problem.seeds[seed]};
  one.problem.seeds[0].startValue = 0;
  one.rightRadius = all.rightRadius;
  one.vehicle = all.vehicle;
  one.roundTrip = all.roundTrip;
  return one;
}

/// Returns whether seeds and tips are the same points with any heading, and a path driven backwards costs the
/// same.
bool isSymmetric(const CurvatureSeedRequest& request) {
  const CurvatureProblem& input = request.input;
  const curvature::Problem& p = input.problem;
  if (input.vehicle || input.roundTrip || input.rightRadius > 0 || input.origin.time() != 0 ||
      p.curvatureShift.constant != 0 || !p.curvatureShift.values.empty() || p.cost.isPerState(p.grid) ||
      p.turningRadius.isPerState(p.grid))
    return false;
  const auto same = [](const curvature::Seed& seed, const curvature::State& tip) {
    return seed.startValue == 0 && seed.state.anyHeading && seed.state == tip;
  };
  return std::ranges::equal(p.seeds, request.tips, same);
}

/// Checks the memory of all runs before they start, and plans them.
SeedRunPlan planOf(const CurvatureSeedRequest& request) {
  const curvature::StateGrid& grid = request.input.problem.grid;
  const std::size_t seeds = request.input.problem.seeds.size();
  constexpr double perState = 26, perPoint = 16; // bytes
  const double run = perState * double(grid.points());
  double kept = 0;
  if (request.keepsFields) {
    std::ostringstream what;
    what << "the travel times of " << grid.nx << " x " << grid.ny << " points from each of " << seeds
         << " seeds";
    kept = perPoint * double(grid.planePoints()) * double(seeds);
    requireHostMemory(std::size_t(std::min(run + kept, 9e18)), what.str());
  }
  return {seeds, request.tips.size(), isSymmetric(request), request.keepsFields,
          chooseRunsAtOnce(std::int64_t(seeds), request.options.backend, request.options.threads, run, kept)};
}

} // namespace

TimeOrigin CurvatureSeedRuns::originOf(std::size_t seed) const {
  const CurvatureProblem& input = request.input;
  const double start[] = {input.origin.absolute(input.problem.seeds[seed].startValue)};
  return TimeOrigin(start);
}

bool answers(const CurvatureSeedRuns& runs, const CurvatureSeedRequest& request) {
  const CurvatureSeedRequest& known = runs.request;
  return known.options.backend == request.options.backend &&
         same(known.options.stopAt, request.options.stopAt) && same(known.tips, request.tips) &&
         (known.keepsFields || !request.keepsFields) && (known.residual || !request.residual) &&
         known.input.origin.time() == request.input.origin.time() && same(known.input, request.input);
}

std::unique_ptr<CurvatureSeedRuns> runEachSeed(CurvatureSeedRequest wanted, const Monitor& monitor) {
  auto all = std::make_unique<CurvatureSeedRuns>();
  all->request = std::move(wanted);
  const CurvatureSeedRequest& request = all->request;
  const curvature::Problem& problem = request.input.problem;
  const std::size_t seeds = problem.seeds.size();
  for (const curvature::Seed& seed : problem.seeds)
    all->seeds.push_back(curvature::place(problem, seed.state));
  const auto isUsable = [](const curvature::Placement& seed) { return seed.status == Status::Inside; };
  if (std::ranges::none_of(all->seeds, isUsable))
    curvature::solveCurvaturePaths(problem, request.options, monitor); // throws

  struct Run {
    BackendChoice ranOn;
    int rounds = 0;
    double updates = 0, residual = 0;
    std::vector<curvature::VehiclePath> seen;
  };
  std::vector<Run> facts(seeds);
  all->planes.resize(seeds);
  const auto run = [&](std::size_t seed, std::size_t firstTip, int threads, const Monitor& own) {
    const std::vector<curvature::State> tips(request.tips.begin() + std::ptrdiff_t(firstTip),
                                             request.tips.end());
    Run& mine = facts[seed];
    mine.seen.resize(request.keepsFields && request.input.vehicle ? tips.size() : 0);
    if (!isUsable(all->seeds[seed])) return std::vector<Path>(tips.size());
    curvature::Options options = request.options;
    options.threads = threads;
    const auto solved = CurvatureSolution::solve(problemOf(request.input, seed), options, own.part(0, 0.7));
    if (!solved) return std::vector<Path>();
    if (request.residual) mine.residual = solved->residual(threads, {});
    if (!solved->followTips(tips, threads, own.part(0.7, 0.3))) return std::vector<Path>();
    mine.ranOn = solved->result().ranOn;
    mine.rounds = solved->rounds();
    mine.updates = solved->updatesPerPoint();
    std::vector<Path> paths = solved->paths();
    all->originOf(seed).addTo(paths);
    for (Path& path : paths)
      if (path.seed >= 0) path.seed = std::int32_t(seed);
    if (request.keepsFields) {
      all->planes[seed] = solved->plane();
      mine.seen = solved->seenFromVehicle();
    }
    return paths;
  };
  auto found = runEachSeed(planOf(request), monitor, run);
  if (!found) return nullptr;
  all->found = std::move(*found);
  if (!request.residual) all->residual = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t s = 0; s < seeds; ++s) {
    if (isUsable(all->seeds[s])) all->ranOn = facts[s].ranOn;
    all->rounds += facts[s].rounds;
    all->updatesPerPoint += facts[s].updates;
    if (request.residual) all->residual = std::max(all->residual, facts[s].residual);
    std::ranges::move(facts[s].seen, std::back_inserter(all->seen));
  }
  return all;
}

curvature::PlanarResult firstArrivals(const CurvatureSeedRuns& runs) {
  const curvature::Problem& problem = runs.request.input.problem;
  const auto points = std::size_t(problem.grid.planePoints());
  curvature::PlanarResult first;
  first.travelTime.assign(points, std::numeric_limits<float>::infinity());
  first.heading.assign(points, 0);
  first.seed.assign(points, -1);
  for (std::size_t s = 0; s < runs.planes.size(); ++s) {
    const curvature::PlanarResult& plane = runs.planes[s];
    const auto start = float(problem.seeds[s].startValue);
    for (std::size_t p = 0; p < plane.travelTime.size(); ++p)
      if (const float time = start + plane.travelTime[p]; time < first.travelTime[p])
        first.travelTime[p] = time, first.heading[p] = plane.heading[p], first.seed[p] = std::int32_t(s);
  }
  return first;
}

} // namespace isochrone::filters
