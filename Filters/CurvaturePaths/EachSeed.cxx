#include "CurvaturePaths/EachSeed.h"

#include "CurvaturePaths/Solution.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <sstream>
#include <utility>

namespace isochrone::filters {

namespace {

using Status = curvature::Placement::Status;

bool isUsable(const curvature::Placement& seed) { return seed.status == Status::Inside; }

/// Returns the earliest start value of the usable seeds of a group; +infinity if there are none.
double startOf(const curvature::Problem& problem, const std::vector<std::size_t>& group) {
  double start = std::numeric_limits<double>::infinity();
  for (const std::size_t seed : group)
    if (isUsable(curvature::place(problem, problem.seeds[seed].state)))
      start = std::min(start, problem.seeds[seed].startValue);
  return start;
}

/// Returns the problem of one group, whose earliest seed starts at time 0. It views the arrays of the problem
/// of all.
CurvatureProblem problemOf(const CurvatureProblem& all, const std::vector<std::size_t>& group, double start) {
  CurvatureProblem one;
  one.problem = all.problem;
  one.problem.seeds.clear();
  for (const std::size_t seed : group) {
    one.problem.seeds.push_back(all.problem.seeds[seed]);
    one.problem.seeds.back().startValue -= start;
  }
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
      p.turningRadius.isPerState(p.grid) || !request.isSquare())
    return false;
  const auto same = [](const curvature::Seed& seed, const curvature::State& tip) {
    return seed.startValue == 0 && seed.state.anyHeading && seed.state == tip;
  };
  return std::ranges::equal(p.seeds, request.tips, same);
}

SeedRunNeeds needsOf(const CurvatureSeedRequest& request) {
  const curvature::StateGrid& grid = request.input.problem.grid;
  std::ostringstream name;
  name << "the travel times of " << grid.nx << " x " << grid.ny << " points";
  constexpr double perPoint = 16; // bytes
  return {request.options.backend, request.options.threads, bytesOfRun(request),
          perPoint * double(grid.planePoints()), name.str()};
}

} // namespace

double bytesOfRun(const CurvatureSeedRequest& request) {
  constexpr double perState = 26;
  return perState * double(request.input.problem.grid.points());
}

TimeOrigin CurvatureSeedRuns::originOf(std::size_t run) const {
  const double start = startOf(request.input.problem, request.seedGroups.points[run]);
  const double starts[] = {request.input.origin.absolute(start)};
  return TimeOrigin(starts);
}

bool answers(const CurvatureSeedRuns& runs, const CurvatureSeedRequest& request) {
  const CurvatureSeedRequest& known = runs.request;
  return answers(known, request) && known.options.backend == request.options.backend &&
         same(known.options.stopAt, request.options.stopAt) && same(known.tips, request.tips) &&
         known.tipGroups.points == request.tipGroups.points &&
         known.input.origin.time() == request.input.origin.time() && same(known.input, request.input);
}

std::unique_ptr<CurvatureSeedRuns> runEachSeed(CurvatureSeedRequest wanted, const Monitor& monitor) {
  auto all = std::make_unique<CurvatureSeedRuns>();
  all->request = std::move(wanted);
  const CurvatureSeedRequest& request = all->request;
  const curvature::Problem& problem = request.input.problem;
  const std::size_t runs = request.seedGroups.size();
  for (const curvature::Seed& seed : problem.seeds)
    all->seeds.push_back(curvature::place(problem, seed.state));
  if (std::ranges::none_of(all->seeds, isUsable))
    curvature::solveCurvaturePaths(problem, request.options, monitor); // throws

  struct Facts {
    BackendChoice ranOn;
    int rounds = 0;
    double updates = 0, residual = 0;
    std::vector<curvature::VehiclePath> seen;
  };
  std::vector<Facts> facts(runs);
  all->planes.resize(runs);
  const auto runOne = [&](std::size_t number, std::size_t firstTip, int threads, const Monitor& own) {
    const std::vector<curvature::State> tips(request.tips.begin() + std::ptrdiff_t(firstTip),
                                             request.tips.end());
    const std::vector<std::size_t>& group = request.seedGroups.points[number];
    Facts& mine = facts[number];
    mine.seen.resize(request.keepsFields && request.input.vehicle ? tips.size() : 0);
    const double start = startOf(problem, group);
    if (!std::isfinite(start)) return SeedRun{std::vector<Path>(tips.size()), {}};
    curvature::Options options = request.options;
    options.threads = threads;
    const auto solved =
        CurvatureSolution::solve(problemOf(request.input, group, start), options, own.part(0, 0.65));
    if (!solved) return SeedRun();
    if (request.residual) mine.residual = solved->residual(threads, own.part(0.65, 0.05));
    if (std::isnan(mine.residual) || !solved->followTips(tips, threads, own.part(0.7, 0.3))) return SeedRun();
    mine.ranOn = solved->result().ranOn;
    mine.rounds = solved->rounds();
    mine.updates = solved->updatesPerPoint();
    std::vector<Path> paths = solved->paths();
    all->originOf(number).addTo(paths);
    for (Path& path : paths)
      if (path.seed >= 0) path.seed = std::int32_t(group[std::size_t(path.seed)]);
    if (request.keepsFields) {
      all->planes[number] = solved->plane();
      mine.seen = solved->seenFromVehicle();
    }
    return SeedRun{std::move(paths), mine.ranOn.backend};
  };
  auto found = runEachSeed(planOf(request, isSymmetric(request), needsOf(request)), monitor, runOne);
  if (!found) return nullptr;
  all->found = std::move(*found);
  if (!request.residual) all->residual = std::numeric_limits<double>::quiet_NaN();
  for (Facts& run : facts) {
    if (run.rounds > 0) all->ranOn = run.ranOn;
    all->rounds += run.rounds;
    all->updatesPerPoint += run.updates;
    if (request.residual) all->residual = std::max(all->residual, run.residual);
    std::ranges::move(run.seen, std::back_inserter(all->seen));
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
  for (std::size_t r = 0; r < runs.planes.size(); ++r) {
    const curvature::PlanarResult& plane = runs.planes[r];
    const std::vector<std::size_t>& group = runs.request.seedGroups.points[r];
    const auto start = float(startOf(problem, group));
    for (std::size_t p = 0; p < plane.travelTime.size(); ++p)
      if (const float time = start + plane.travelTime[p]; time < first.travelTime[p])
        first.travelTime[p] = time, first.heading[p] = plane.heading[p],
        first.seed[p] = std::int32_t(group[0]);
  }
  return first;
}

} // namespace isochrone::filters
