#include "CurvaturePaths/Scheme/Starts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace isochrone::curvature {

std::vector<Placement> placementsOf(const Problem& problem) {
  std::vector<Placement> placements;
  for (const Seed& seed : problem.seeds) placements.push_back(place(problem, seed.state));
  return placements;
}

std::vector<StartState> seedStarts(const Problem& problem, const std::vector<Placement>& seeds) {
  std::vector<StartState> starts;
  for (std::size_t s = 0; s < seeds.size(); ++s) {
    const Placement& at = seeds[s];
    if (at.status != Placement::Status::Inside) continue;
    for (int k = 0; k < problem.grid.headings; ++k)
      if (at.heading < 0 || at.heading == k)
        starts.push_back({problem.grid.index(at.i, at.j, k), std::int32_t(s), problem.seeds[s].startValue});
  }
  keepMinimum(starts);
  return starts;
}

State clampedToGrid(const StateGrid& grid, State state) {
  state.x = std::clamp(state.x, 0., double(grid.nx - 1) * grid.hx);
  state.y = std::clamp(state.y, 0., double(grid.ny - 1) * grid.hy);
  return state;
}

std::array<std::int64_t, 2> pointsWithin(double reach, double middle, double h, std::int64_t n) {
  return {std::max<std::int64_t>(0, std::int64_t(std::ceil((middle - reach) / h))),
          std::min<std::int64_t>(n - 1, std::int64_t(std::floor((middle + reach) / h)))};
}

void keepMinimum(std::vector<StartState>& starts) {
  std::sort(starts.begin(), starts.end(), [](const StartState& a, const StartState& b) {
    return std::tie(a.state, a.travelTime, a.seed) < std::tie(b.state, b.travelTime, b.seed);
  });
  const auto same = [](const StartState& a, const StartState& b) { return a.state == b.state; };
  starts.erase(std::unique(starts.begin(), starts.end(), same), starts.end());
}

double earliestOf(const std::vector<StartState>& starts) {
  double earliest = std::numeric_limits<double>::infinity();
  for (const StartState& start : starts) earliest = std::min(earliest, start.travelTime);
  return earliest;
}

} // namespace isochrone::curvature
