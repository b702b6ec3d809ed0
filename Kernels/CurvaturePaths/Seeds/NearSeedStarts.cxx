#include "CurvaturePaths/Seeds/NearSeedStarts.h"

#include "CurvaturePaths/Scheme/HeadingStencils.h"
#include "CurvaturePaths/Scheme/Walls.h"

#include <algorithm>
#include <cmath>

namespace isochrone::curvature {

namespace {

/// Drops the states that do not see the seed. A path of finer grids can reach them around a corner where no
/// path of the problem's grid could follow.
void dropHidden(const Problem& problem, const Walls& walls, const State& seed,
                std::vector<StartState>& starts) {
  if (!walls.any()) return;
  const StateGrid& g = problem.grid;
  std::erase_if(starts, [&](const StartState& start) {
    const std::int64_t point = start.state % g.planePoints();
    return !walls.freeSegment(seed.x / g.hx, seed.y / g.hy, double(point % g.nx), double(point / g.nx));
  });
}

/// Returns the turning radius where the start values of seeds with a heading come from Dubins' words, else 0.
double radiusOfWords(const Problem& problem) {
  const Range radius = rangeOf(problem, problem.turningRadius),
              shift = rangeOf(problem, problem.curvatureShift);
  const bool words = problem.model == Model::Dubins && !radius.varies() && !shift.varies() && shift.lo == 0;
  return words ? radius.lo : 0;
}

} // namespace

State clampedToGrid(const StateGrid& grid, State state) {
  state.x = std::clamp(state.x, 0., double(grid.nx - 1) * grid.hx);
  state.y = std::clamp(state.y, 0., double(grid.ny - 1) * grid.hy);
  return state;
}

std::vector<StartState> startsOf(const Problem& problem, std::vector<Placement>& placements,
                                 StartCache* cache, int threads, const Monitor& monitor) {
  if (problem.accuracy == Accuracy::FirstOrder) return seedStarts(problem);
  const Walls walls(problem.grid.nx, problem.grid.ny, problem.walls);
  const double radius = radiusOfWords(problem);
  std::vector<StartState> starts;
  std::vector<char> hasStarts(placements.size(), 0);
  for (std::size_t s = 0; s < placements.size(); ++s) {
    if (placements[s].status != Placement::Status::Inside) continue;
    const State& state = problem.seeds[s].state;
    const double share = 1 / double(placements.size());
    std::vector<StartState> near =
        radius > 0 && !state.anyHeading
            ? dubinsStarts(problem, std::int32_t(s), radius)
            : refinedStarts(problem, std::int32_t(s), cache, threads, monitor.part(double(s) * share, share));
    if (!monitor.goOn(double(s + 1) * share)) return {};
    const State at = clampedToGrid(problem.grid, state);
    dropHidden(problem, walls, at, near);
    if (near.empty()) continue;
    hasStarts[s] = 1;
    placements[s].moved = std::hypot(at.x - state.x, at.y - state.y);
    starts.insert(starts.end(), near.begin(), near.end());
  }
  for (const StartState& start : seedStarts(problem))
    if (!hasStarts[start.seed]) starts.push_back(start);
  keepLeast(starts);
  return starts;
}

double differentiateNearSeedStarts(const Problem& problem, std::vector<NearSeedMass> masses,
                                   StartCache* cache, int threads, Sensitivities& sum) {
  std::stable_sort(masses.begin(), masses.end(),
                   [](const NearSeedMass& a, const NearSeedMass& b) { return a.seed < b.seed; });
  const double radius = radiusOfWords(problem);
  double objective = 0;
  for (auto first = masses.begin(); first != masses.end();) {
    const std::int32_t seed = first->seed;
    const auto last =
        std::find_if(first, masses.end(), [&](const NearSeedMass& m) { return m.seed != seed; });
    objective += radius > 0 && !problem.seeds[seed].state.anyHeading
                     ? differentiateDubinsStarts(problem, seed, radius, {first, last}, sum)
                     : differentiateRefinedStarts(problem, seed, {first, last}, cache, threads, sum);
    first = last;
  }
  return objective;
}

} // namespace isochrone::curvature
