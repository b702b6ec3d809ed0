// GroupMarching.h - Kim: An O(N) level set method for eikonal equations, SIAM J. Sci. Comput. 22 (2001).
#pragma once

#include "UpwindGrid.h"

#include <algorithm>

namespace isochrone::benchmark {

/// Accepts the points of the front up to a bound together; the bound increases by a fixed step. No point
/// beyond the bound can change one of the group, since a value exceeds the minimum of its neighbours by at
/// least the step, which is minimum slowness / sqrt(axes). Points of the group can change each other and are
/// updated twice, in both directions. This does not settle all of them, so the result is slightly late in
/// places.
inline image::Result groupMarching(const image::Problem& problem) {
  using Point = UpwindGrid::Point;
  UpwindGrid grid(problem);
  enum State : std::uint8_t { Far, Front, Done };
  Values<std::uint8_t> state(grid.time.size(), Far);
  std::vector<Point> front, group;
  float bound = UpwindGrid::infinite;
  for (const Point p : grid.seeds) {
    bound = std::min(bound, grid.time[p]);
    if (state[p] == Far) front.push_back(p);
    state[p] = Front;
  }
  const auto update = [&](Point p) {
    if (state[p] == Done) return;
    grid.time[p] = std::min(grid.time[p], grid.update(p));
    if (state[p] == Far) state[p] = Front, front.push_back(p);
  };
  const double step = grid.minSlowness() / std::sqrt(double(grid.axes));
  const double first = bound;
  int rounds = 0;
  for (; !front.empty(); ++rounds) {
    bound = float(first + step * rounds);
    const auto later =
        std::partition(front.begin(), front.end(), [&](Point p) { return grid.time[p] > bound; });
    group.assign(later, front.end());
    front.erase(later, front.end());
    for (auto p = group.rbegin(); p != group.rend(); ++p) grid.eachNeighbour(*p, update);
    for (const Point p : group) grid.eachNeighbour(p, update), state[p] = Done;
  }
  return grid.result(rounds, grid.bytes(state) + grid.bytes(front) + grid.bytes(group));
}

} // namespace isochrone::benchmark
