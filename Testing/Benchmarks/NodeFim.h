// NodeFim.h - the serial fast iterative method of Jeong and Whitaker (2008), algorithm 4.2.
#pragma once

#include "UpwindGrid.h"

namespace isochrone::benchmark {

/// Updates all points of a list from the values of the previous round (Jacobi). A point whose value does not
/// change leaves the list, and adds the neighbours whose values it lowers. No tolerance.
inline image::Result nodeFim(const image::Problem& problem) {
  using Point = UpwindGrid::Point;
  UpwindGrid grid(problem);
  Values<std::uint8_t> listed(grid.time.size(), 0);
  std::vector<Point> list, next, still;
  std::vector<float> fresh;
  for (const Point seed : grid.seeds)
    grid.eachNeighbour(seed, [&](Point p) {
      if (!listed[p]) listed[p] = 1, list.push_back(p);
    });
  int rounds = 0;
  for (; !list.empty(); ++rounds) {
    fresh.clear(), next.clear(), still.clear();
    for (const Point p : list) fresh.push_back(grid.update(p));
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Point p = list[i];
      if (fresh[i] < grid.time[p])
        grid.time[p] = fresh[i], next.push_back(p);
      else
        listed[p] = 0, still.push_back(p);
    }
    for (const Point p : still)
      grid.eachNeighbour(p, [&](Point neighbour) {
        if (listed[neighbour]) return;
        const float value = grid.update(neighbour);
        if (!(value < grid.time[neighbour])) return;
        grid.time[neighbour] = value, listed[neighbour] = 1, next.push_back(neighbour);
      });
    std::swap(list, next);
  }
  return grid.result(rounds, grid.bytes(listed) + grid.bytes(list) + grid.bytes(next) + grid.bytes(still) +
                                 grid.bytes(fresh));
}

} // namespace isochrone::benchmark
