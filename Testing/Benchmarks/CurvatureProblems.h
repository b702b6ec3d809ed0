// CurvatureProblems.h - the problems of the benchmark: synthetic costs, floor plan and radii.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace isochrone::benchmark {

using curvature::Model;
using curvature::Problem;

inline constexpr Model models[] = {Model::ReedsSheppForward, Model::ReedsShepp, Model::Dubins,
                                   Model::Elastica};
inline const char* shortName(Model model) {
  constexpr const char* names[] = {"RS", "RSF", "Elastica", "Dubins"};
  return names[int(model)];
}

/// A problem with the arrays that it views.
struct Case {
  std::string name;
  Problem problem;
  std::vector<float> cost, radius;
  std::vector<std::uint8_t> walls;

  Case() = default;
  Case(Case&&) = default;
  Case(const Case&) = delete;
};

/// Returns random numbers in [0, 1), the same on every machine.
inline std::vector<float> uniformNumbers(std::size_t n) {
  std::mt19937 engine(12345);
  std::vector<float> values(n);
  for (float& v : values) v = float(engine() >> 8) * 0x1p-24f;
  return values;
}

/// Returns the mean over the square of (2 reach + 1)^2 pixels around each pixel, clipped at the border.
inline std::vector<float> smoothed(const std::vector<float>& values, int nx, int ny, int reach) {
  std::vector<float> means(values.size());
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      double sum = 0;
      int count = 0;
      for (int j = std::max(0, y - reach); j <= std::min(ny - 1, y + reach); ++j)
        for (int i = std::max(0, x - reach); i <= std::min(nx - 1, x + reach); ++i, ++count)
          sum += values[i + std::size_t(nx) * j];
      means[x + std::size_t(nx) * y] = float(sum / count);
    }
  return means;
}

/// Adds a smooth random cost with a factor of 10 between its quantiles.
inline void addSmoothCost(Case& c) {
  const int nx = int(c.problem.grid.nx), ny = int(c.problem.grid.ny);
  c.cost = smoothed(uniformNumbers(std::size_t(nx) * ny), nx, ny, 6);
  for (float& v : c.cost) v = std::exp((v - 0.5f) * 12);
  c.problem.cost.values = c.cost;
}

/// Adds patches of a few pixels with cost 1 or 10.
inline void addRoughCost(Case& c) {
  const int nx = int(c.problem.grid.nx), ny = int(c.problem.grid.ny);
  c.cost = smoothed(uniformNumbers(std::size_t(nx) * ny), nx, ny, 1);
  for (float& v : c.cost) v = v > 0.55f ? 10.f : 1.f;
  c.problem.cost.values = c.cost;
}

/// Adds a turning radius between 0.5 and 1.5 times the constant one.
inline void addVaryingRadius(Case& c) {
  const int nx = int(c.problem.grid.nx), ny = int(c.problem.grid.ny);
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x)
      c.radius.push_back(float(c.problem.turningRadius.constant *
                               (1 + 0.5 * std::sin(9. * x / nx) * std::cos(7. * y / ny))));
  c.problem.turningRadius.values = c.radius;
}

/// Adds a building: 8 x 5 rooms with walls of one pixel, a door in each, a corridor, slanted walls in some
/// rooms.
inline void addFloorPlan(Case& c) {
  const int nx = int(c.problem.grid.nx), ny = int(c.problem.grid.ny), columns = 8, rows = 5;
  const int door = std::max(5, std::min(nx, ny) / 25);
  c.walls.assign(std::size_t(nx) * ny, 0);
  const auto set = [&](int x, int y, bool wall) {
    const bool border = x <= 0 || y <= 0 || x >= nx - 1 || y >= ny - 1;
    if (wall || !border) c.walls[x + std::size_t(nx) * y] = wall;
  };
  for (int i = 0; i <= columns; ++i)
    for (int y = 0; y < ny; ++y) set(i * (nx - 1) / columns, y, true);
  for (int j = 0; j <= rows; ++j)
    for (int x = 0; x < nx; ++x) set(x, j * (ny - 1) / rows, true);
  std::mt19937 engine(7);
  const auto doorAt = [&](int first, int last) {
    return first + 2 + int(engine() % unsigned(last - first - door - 3));
  };
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < rows; ++j) {
      const int x = i * (nx - 1) / columns, right = (i + 1) * (nx - 1) / columns;
      const int y = j * (ny - 1) / rows, top = (j + 1) * (ny - 1) / rows;
      const int a = j == 2 ? y + 1 : doorAt(y, top), b = j == 2 ? top : a + door; // row 2 is a corridor
      for (int q = a; q < b; ++q) set(x, q, false);
      const int d = doorAt(x, right);
      for (int q = d; q < d + door; ++q) set(q, y, false);
      if ((3 * i + j) % 5 == 0)
        for (int q = 0; q < std::min(right - x, top - y) / 2; ++q)
          set(x + (right - x) / 4 + q, y + (top - y) / 4 + q, true);
    }
  c.problem.walls = c.walls;
}

/// Returns a problem with lengths in pixels and one seed with heading 0 near the centre.
/// @param kind  constant, smooth, rough, radius, floor
inline Case makeCase(Model model, int nx, int ny, int headings, double radius, const std::string& kind) {
  Case c;
  c.name = kind;
  c.problem.grid = {nx, ny, headings, 1, 1};
  c.problem.model = model;
  c.problem.turningRadius.constant = radius;
  c.problem.seeds = {{{double(nx / 2), double(ny / 2), 0, false}, 0}};
  if (kind == "smooth") addSmoothCost(c);
  if (kind == "rough") addRoughCost(c);
  if (kind == "radius") addVaryingRadius(c);
  if (kind == "floor") {
    addFloorPlan(c);
    c.problem.seeds = {{{3, double(ny / 2), 0, true}, 0}, {{double(nx - 4), double(ny / 2), 0, true}, 0}};
  }
  return c;
}

} // namespace isochrone::benchmark
