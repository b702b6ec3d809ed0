#include "CurvaturePaths/CurvaturePaths.h"

#ifdef ISOCHRONE_WITH_CUDA
#include "CurvaturePaths/Tiles/CudaSolver.h"
#endif
#include "CurvaturePaths/Host/SectorSolver.h"
#include "CurvaturePaths/Host/SectorSweep.h"
#include "CurvaturePaths/Scheme/Discretisation.h"
#include "CurvaturePaths/Scheme/PartProblem.h"
#include "CurvaturePaths/Scheme/Starts.h"
#include "CurvaturePaths/Seeds/NearSeedStarts.h"
#include "CurvaturePaths/Seeds/PeriodicProblem.h"
#include "CurvaturePaths/Validation.h"
#include "Error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace isochrone::curvature {

double StateGrid::headingStep() const { return 2 * std::numbers::pi / headings; }

bool isPeriodic(const Problem& p) {
  return (p.periodic[0] && p.grid.nx > 1) || (p.periodic[1] && p.grid.ny > 1);
}

Placement place(const Problem& problem, const State& state) {
  const StateGrid& grid = problem.grid;
  Placement at;
  // The nearest point of a periodic axis: from half a step before the first one on.
  const auto wrapped = [](double steps, bool periodic, std::int64_t n) {
    return periodic && n > 1 ? steps - std::floor((steps + 0.5) / double(n)) * double(n) : steps;
  };
  const double x = wrapped(state.x / grid.hx, problem.periodic[0], grid.nx),
               y = wrapped(state.y / grid.hy, problem.periodic[1], grid.ny);
  const bool isFar = (problem.periodic[0] && !(std::abs(state.x / grid.hx) <= grid::farthestSteps)) ||
                     (problem.periodic[1] && !(std::abs(state.y / grid.hy) <= grid::farthestSteps));
  const bool inside =
      !isFar && x >= -0.5 && y >= -0.5 && x <= double(grid.nx) - 0.5 && y <= double(grid.ny) - 0.5;
  if (!inside || (!state.anyHeading && !std::isfinite(state.heading))) return at; // false for NaN too
  at.i = std::clamp<std::int64_t>(std::llround(x), 0, grid.nx - 1);
  at.j = std::clamp<std::int64_t>(std::llround(y), 0, grid.ny - 1);
  at.moved = std::hypot((x - double(at.i)) * grid.hx, (y - double(at.j)) * grid.hy);
  if (!state.anyHeading) {
    const double turns = state.heading / (2 * std::numbers::pi);
    at.heading = int(std::llround((turns - std::floor(turns)) * grid.headings)) % grid.headings;
  }
  const bool wall = !problem.walls.empty() && problem.walls[at.i + grid.nx * at.j] != 0;
  at.status = wall ? Placement::Status::InWall : Placement::Status::Inside;
  return at;
}

namespace {

#ifndef ISOCHRONE_WITH_CUDA // chooseBackend then refuses Cuda
std::size_t cudaBytes(const Problem&, const Discretisation&) { return 0; }
void solveOnCuda(const Problem&, const Discretisation&, const std::vector<StartState>&,
                 const std::vector<Placement>&, const Monitor&, Result&) {}
#endif

BackendChoice chooseFor(const Problem& problem, const Discretisation& discretisation, Backend requested) {
  if (problem.part.isDivided() && !problem.part.periodic) return chooseBackendForParts(requested);
  return chooseBackend(requested, requested == Backend::Host ? 0 : cudaBytes(problem, discretisation));
}

Result solveWhereChosen(const Problem& problem, const std::shared_ptr<const Discretisation>& discretisation,
                        const Options& options, const Monitor& monitor) {
  Result result;
  result.discretisation = discretisation;
  result.seeds = discretisation->seeds;
  std::vector<Placement> tips;
  for (const State& tip : options.stopAt) tips.push_back(place(problem, tip));

  // 1. Choose where to run.
  result.ranOn = chooseFor(problem, *discretisation, options.backend);
  result.aborted = !monitor.report(0);
  if (result.aborted) return result;

  // 2. Solve.
  constexpr double time = 20; // ns for a state
  const int threads = chooseThreads(options.threads, time * double(problem.grid.points()));
  const double ballShare = problem.accuracy == Accuracy::FirstOrder ? 0 : 0.3; // share of the time
  const Monitor sweeps = monitor.part(ballShare, 1 - ballShare);
  const std::vector<StartState> starts = startsOf(
      problem, *discretisation, result.seeds, options.startCache.get(), threads, monitor.part(0, ballShare));
  result.aborted = starts.empty();
  if (result.aborted) return result;
  if (problem.accuracy != Accuracy::FirstOrder)
    for (const StartState& s : starts) result.balls.push_back({s.state, s.seed, float(s.travelTime)});
  if (result.ranOn.backend == Backend::Cuda)
    solveOnCuda(problem, *discretisation, starts, tips, sweeps, result);
  else {
    result.ranOn.reason += std::string(" (") + chooseSectorKernels().isa + ")";
    solveBySectors(problem, *discretisation, starts, tips, threads, sweeps, result);
  }
  if (!result.aborted) monitor.report(1);
  return result;
}

/// Solves a valid problem with its discretisation.
Result solveWith(const Problem& problem, const std::shared_ptr<const Discretisation>& discretisation,
                 const Options& options, const Monitor& monitor) {
  if (problem.part.isDivided()) requireMargin(problem, discretisation->stencils());
  return solveWithFallback(
      options, [&](const Options& o) { return solveWhereChosen(problem, discretisation, o, monitor); });
}

/// Solves a plane with periodic axes.
Result solvePeriodic(const Problem& given, Options options, const Monitor& monitor) {
  validate(given);
  requireUsableSeed(given, placementsOf(given));
  const auto discretisation = std::make_shared<const Discretisation>(given);
  const PeriodicProblem periodic(given, discretisation);
  validate(periodic.problem());
  requireMemory(periodic.problem());
  for (State& tip : options.stopAt) tip = periodic.inPlane(tip);
  if (!options.startCache) options.startCache = makeStartCache(); // shared by the copies of a seed
  Result result = solveWith(periodic.problem(), periodic.discretisation(), options, monitor);
  periodic.crop(result.travelTime, given.grid.headings);
  periodic.crop(result.uncorrected, given.grid.headings);
  result.seeds.resize(given.seeds.size());
  for (Placement& seed : result.seeds) seed = periodic.inImage(seed);
  result.exchanges = 0, result.bytesSent = 0; // with itself
  result.discretisation = discretisation;
  return result;
}

} // namespace

Result solveCurvaturePaths(const Problem& problem, const Options& options, const Monitor& monitor) {
  if (isPeriodic(problem)) return solvePeriodic(problem, options, monitor);
  validate(problem);
  requireMemory(problem);
  requireUsableSeed(problem, placementsOf(problem)); // before the discretisation, which takes time
  return solveWith(problem, std::make_shared<const Discretisation>(problem), options, monitor);
}

} // namespace isochrone::curvature
