#include "CurvaturePaths/SeedBalls.h"

#include "CurvaturePaths/HeadingStencils.h"
#include "CurvaturePaths/Walls.h"

#include <algorithm>
#include <cmath>

namespace isochrone::curvature {

namespace {

/// Drops the states that do not see the seed: a path of finer grids can lead to them around a corner, where
/// no path of the problem's grid could follow.
void dropHidden(const Problem& problem, const Walls& walls, const State& seed,
                std::vector<StartState>& ball) {
  if (!walls.any()) return;
  const StateGrid& g = problem.grid;
  std::erase_if(ball, [&](const StartState& start) {
    const std::int64_t point = start.state % g.planePoints();
    return !walls.freeSegment(seed.x / g.hx, seed.y / g.hy, double(point % g.nx), double(point / g.nx));
  });
}

} // namespace

State clampedToGrid(const StateGrid& grid, State state) {
  state.x = std::clamp(state.x, 0., double(grid.nx - 1) * grid.hx);
  state.y = std::clamp(state.y, 0., double(grid.ny - 1) * grid.hy);
  return state;
}

std::vector<StartState> startsOf(const Problem& problem, std::vector<Placement>& placements, int threads) {
  if (problem.accuracy == Accuracy::FirstOrder) return seedStarts(problem);
  const Range radius = rangeOf(problem, problem.turningRadius),
              shift = rangeOf(problem, problem.curvatureShift);
  const bool words = problem.model == Model::Dubins && !radius.varies() && !shift.varies() && shift.lo == 0;
  const Walls walls(problem.grid.nx, problem.grid.ny, problem.walls);
  std::vector<StartState> starts;
  std::vector<char> hasBall(placements.size(), 0);
  for (std::size_t s = 0; s < placements.size(); ++s) {
    if (placements[s].status != Placement::Status::Inside) continue;
    const State& state = problem.seeds[s].state;
    std::vector<StartState> ball = words && !state.anyHeading
                                       ? dubinsBall(problem, std::int32_t(s), radius.lo)
                                       : nestedBall(problem, std::int32_t(s), threads);
    const State at = clampedToGrid(problem.grid, state);
    dropHidden(problem, walls, at, ball);
    if (ball.empty()) continue;
    hasBall[s] = 1;
    placements[s].moved = std::hypot(at.x - state.x, at.y - state.y);
    starts.insert(starts.end(), ball.begin(), ball.end());
  }
  for (const StartState& start : seedStarts(problem))
    if (!hasBall[start.seed]) starts.push_back(start);
  keepLeast(starts);
  return starts;
}

} // namespace isochrone::curvature
