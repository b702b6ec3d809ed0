// ImageTravelTimePathCases.h - images for the tests of paths, and the paths through them.
#pragma once

#include "ImageTravelTimePathChecks.h"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace isochrone::image {

inline std::vector<Path> pathsTo(const Problem& problem, const std::vector<Position>& tips, int threads = 0) {
  return extractPaths(problem, travelTimeOf(problem), tips, threads);
}

/// Returns a problem on a grid whose speed is a function of the position.
inline Case speedCase(const Grid& grid, const Position& seed,
                      const std::function<double(const Position&)>& speed) {
  Case c;
  c.problem.grid = grid;
  for (std::int64_t n = 0; n < grid.points(); ++n)
    c.speed.push_back(float(speed({double(n % grid.nx) * grid.hx, double(n / grid.nx % grid.ny) * grid.hy,
                                   double(n / (grid.nx * grid.ny)) * grid.hz})));
  c.problem.seeds = {{seed, 0}};
  c.problem.speed = c.speed;
  return c;
}

/// Returns a plane of constant speed with walls drawn as rows of text ('#'); the first row is j = 0.
inline Case wallCase(const std::vector<std::string>& rows, const Position& seed) {
  Case c;
  c.problem.grid = {std::int64_t(rows[0].size()), std::int64_t(rows.size()), 1, 1, 1, 1};
  for (const std::string& row : rows)
    for (const char cell : row) c.barriers.push_back(cell == '#');
  c.problem.seeds = {{seed, 0}};
  c.problem.barriers = c.barriers;
  return c;
}

inline Grid plane(std::int64_t n) { return {n, n, 1, 1, 1, 1}; }
inline Grid cube(std::int64_t n) { return {n, n, n, 1, 1, 1}; }
inline double away(const Position& a, const Position& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

} // namespace isochrone::image
