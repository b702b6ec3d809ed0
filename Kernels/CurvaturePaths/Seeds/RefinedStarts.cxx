#include "CurvaturePaths/Seeds/RefinedStarts.h"

#include "CurvaturePaths/Host/SectorSolver.h"
#include "CurvaturePaths/Seeds/NearSeedStarts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::curvature {

namespace {

constexpr int middle = SeedFrame::halfWidth;

/// For Dubins only start values up to this many half widths of the grid are used. Later ones have turned a
/// loop, which the relaxed scheme shortens, increasingly so on finer grids.
constexpr double dubinsTimes = 1.5;

double latestTime(const Problem& fine) {
  if (fine.model != Model::Dubins) return std::numeric_limits<double>::infinity();
  const auto values = fine.cost.values;
  const double minimum =
      values.empty() ? fine.cost.constant : *std::min_element(values.begin(), values.end());
  return dubinsTimes * SeedFrame::halfWidth * std::min(fine.grid.hx, fine.grid.hy) * minimum;
}

} // namespace

RefinedStarts::RefinedStarts(const Problem& problem, const Walls& walls, std::int32_t seedIndex,
                             StartCache* cache, int threads, const Monitor& monitor)
    : seed(clampedToGrid(problem.grid, problem.seeds[seedIndex].state)), seedFrame(problem, walls, seed),
      coarseGrid(seedFrame.fine(2)), fineGrid(seedFrame.fine(4)) {
  for (SeedFrame::Fine* grid : {&coarseGrid, &fineGrid}) {
    grid->problem.accuracy = Accuracy::SecondOrder;
    grid->problem.stopsLeaks = false; // near its seed every state is next to a jump
    if (grid->problem.cost.values.empty()) perTime = problem.cost.constant, grid->problem.cost.constant = 1;
  }
  std::vector<double> dependencies = cache ? key() : std::vector<double>{};
  if (cache) solved = cache->find(dependencies);
  if (solved) return;
  auto both = std::make_shared<RefinedSolutions>();
  both->fine = solve(fineGrid, seedFrame.heading(4), nullptr, threads, monitor.part(0, 0.5));
  if (both->fine.aborted) return;
  both->coarse = solve(coarseGrid, seedFrame.heading(2), &both->fine, threads, monitor.part(0.5, 0.5));
  if (both->coarse.aborted) return;
  solved = std::move(both);
  if (cache) cache->keep(std::move(dependencies), solved);
}

std::int64_t RefinedStarts::stateOfFiner(std::int64_t state) const {
  const StateGrid &g = coarseGrid.problem.grid, &finer = fineGrid.problem.grid;
  const std::int64_t point = state % g.planePoints(), k = 2 * (state / g.planePoints());
  const std::int64_t i = middle + 2 * (point % g.nx - middle), j = middle + 2 * (point / g.nx - middle);
  return i >= 0 && j >= 0 && i < finer.nx && j < finer.ny ? finer.index(i, j, int(k)) : -1;
}

Result RefinedStarts::solve(const SeedFrame::Fine& grid, int heading, const Result* finer, int threads,
                            const Monitor& monitor) const {
  const StateGrid& g = grid.problem.grid;
  std::vector<StartState> starts;
  for (int k = 0; k < g.headings; ++k)
    if (seed.anyHeading || k == heading) starts.push_back({g.index(middle, middle, k), 0, 0});
  const double latest = latestTime(fineGrid.problem);
  for (std::int64_t state = 0; finer && state < g.points(); ++state) {
    const std::int64_t from = stateOfFiner(state);
    if (from < 0) continue;
    const float time = finer->travelTime[from];
    if (std::isfinite(time) && time <= latest) starts.push_back({state, 0, time});
  }
  keepMinimum(starts);
  Result result;
  for (const StartState& start : starts) result.balls.push_back({start.state, 0, float(start.travelTime)});
  solveBySectors(grid.problem, Discretisation(grid.problem), starts, {}, threads, monitor, result);
  return result;
}

/// Returns everything that the solutions depend on.
std::vector<double> RefinedStarts::key() const {
  const Problem& p = coarseGrid.problem;
  std::vector<double> key{double(p.model),
                          p.relaxation,
                          p.balancedRadius,
                          double(p.grid.headings),
                          p.grid.hx,
                          p.grid.hy,
                          double(seedFrame.heading(2)),
                          double(seed.anyHeading)};
  for (const Field* field : {&p.cost, &p.turningRadius, &p.curvatureShift}) key.push_back(field->constant);
  for (const SeedFrame::Fine* grid : {&coarseGrid, &fineGrid}) {
    for (const auto& values : grid->fields) {
      key.push_back(double(values.size()));
      key.insert(key.end(), values.begin(), values.end());
    }
    key.insert(key.end(), grid->walls.begin(), grid->walls.end());
  }
  return key;
}

std::vector<StartState> refinedStarts(const Problem& problem, const Walls& walls, std::int32_t seedIndex,
                                      StartCache* cache, int threads, const Monitor& monitor) {
  const RefinedStarts refined(problem, walls, seedIndex, cache, threads, monitor);
  if (refined.aborted()) return {};
  const StateGrid &g = problem.grid, &small = refined.coarse().problem.grid;
  const Values<float>& times = refined.solutions().coarse.travelTime;
  const Seed& seed = problem.seeds[seedIndex];
  const State at = clampedToGrid(g, seed.state);
  const double reach = middle * std::hypot(small.hx, small.hy);
  const auto [i0, i1] = pointsWithin(reach, at.x, g.hx, g.nx);
  const auto [j0, j1] = pointsWithin(reach, at.y, g.hy, g.ny);
  const double latest = latestTime(refined.coarse().problem);
  std::vector<StartState> starts;
  for (int k = 0; k < g.headings; ++k)
    for (std::int64_t j = j0; j <= j1; ++j)
      for (std::int64_t i = i0; i <= i1; ++i) {
        const SeedFrame::Mixture mixture = refined.frame().at(small, times, i, j, k);
        double time = 0;
        for (int n = 0; n < mixture.count; ++n)
          time += mixture.parts[n].share * times[mixture.parts[n].state];
        if (mixture.count > 0 && time <= latest)
          starts.push_back({g.index(i, j, k), seedIndex, seed.startValue + refined.scale() * time});
      }
  return starts;
}

} // namespace isochrone::curvature
