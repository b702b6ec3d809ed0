#include "CurvaturePaths/Seeds/NearSeedStarts.h"

#include "CurvaturePaths/Seeds/RefinedGrid.h"
#include "CurvaturePaths/Validation.h"

#include <algorithm>
#include <cmath>
#include <set>

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

/// Returns whether the start values of a seed come from Dubins' words.
bool hasWords(const Problem& problem, const Discretisation& d, std::int32_t seed) {
  return problem.model == Model::Dubins && !d.varies() && d.curvatureShift.lo == 0 &&
         !problem.seeds[seed].state.anyHeading;
}

} // namespace

std::vector<StartState> startsOf(const Problem& problem, const Discretisation& discretisation,
                                 std::vector<Placement>& placements, StartCache* cache, int threads,
                                 const Monitor& monitor) {
  if (problem.accuracy == Accuracy::FirstOrder) return seedStarts(problem, discretisation.seeds);
  const Walls& walls = discretisation.walls;
  bool stopped = false; // the solve of a seed that was told to stop returns as one that has finished
  const Monitor untilStopped{[&](double share) { return !(stopped = stopped || !monitor.report(share)); }};
  std::vector<StartState> starts;
  std::vector<char> hasStarts(placements.size(), 0);
  for (std::int32_t s = 0; s < std::int32_t(placements.size()); ++s) {
    if (placements[s].status != Placement::Status::Inside) continue;
    const State& state = problem.seeds[s].state;
    const double share = 1 / double(placements.size());
    std::vector<StartState> near =
        hasWords(problem, discretisation, s)
            ? dubinsStarts(problem, walls, s, discretisation.turningRadius.lo)
            : refinedStarts(problem, walls, s, cache, threads, untilStopped.part(s * share, share));
    if (!untilStopped.report((s + 1) * share)) return {};
    const State at = clampedToGrid(problem.grid, state);
    dropHidden(problem, walls, at, near);
    if (near.empty()) continue;
    hasStarts[s] = 1;
    placements[s].moved = std::hypot(at.x - state.x, at.y - state.y);
    starts.insert(starts.end(), near.begin(), near.end());
  }
  for (const StartState& start : seedStarts(problem, discretisation.seeds))
    if (!hasStarts[start.seed]) starts.push_back(start);
  keepMinimum(starts);
  return starts;
}

std::int64_t refinedSolves(const Problem& problem) {
  if (problem.accuracy == Accuracy::FirstOrder) return 0;
  validate(problem);
  const Discretisation d(problem);
  const bool constant = problem.cost.values.empty() && problem.turningRadius.values.empty() &&
                        problem.curvatureShift.values.empty();
  std::set<int> shared; // headings of the seeds that share solutions
  std::int64_t own = 0;
  for (std::int32_t s = 0; s < std::int32_t(problem.seeds.size()); ++s) {
    if (d.seeds[s].status != Placement::Status::Inside || hasWords(problem, d, s)) continue;
    const State seed = clampedToGrid(problem.grid, problem.seeds[s].state);
    const SeedFrame frame(problem, d.walls, seed);
    if (constant && frame.fine(2).problem.walls.empty())
      shared.insert(seed.anyHeading ? -1 : frame.heading(1));
    else
      ++own;
  }
  return own + std::int64_t(shared.size());
}

double differentiateNearSeedStarts(const Problem& problem, const Discretisation& discretisation,
                                   std::vector<NearSeedMass> masses, StartCache* cache, int threads,
                                   Sensitivities& sum) {
  std::stable_sort(masses.begin(), masses.end(),
                   [](const NearSeedMass& a, const NearSeedMass& b) { return a.seed < b.seed; });
  const Walls& walls = discretisation.walls;
  double objective = 0;
  for (auto first = masses.begin(); first != masses.end();) {
    const std::int32_t seed = first->seed;
    const auto last =
        std::find_if(first, masses.end(), [&](const NearSeedMass& m) { return m.seed != seed; });
    objective += hasWords(problem, discretisation, seed)
                     ? differentiateDubinsStarts(problem, walls, seed, discretisation.turningRadius.lo,
                                                 {first, last}, sum)
                     : differentiateRefinedStarts(problem, walls, seed, {first, last}, cache, threads, sum);
    first = last;
  }
  return objective;
}

} // namespace isochrone::curvature
