// CurvatureCases.h - problems shared by the tests of the curvature solver.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace isochrone::curvature {

inline constexpr Model allModels[] = {Model::ReedsShepp, Model::ReedsSheppForward, Model::Elastica,
                                      Model::Dubins};

inline std::string nameOf(Model model) {
  constexpr const char* names[] = {"ReedsShepp", "ReedsSheppForward", "Elastica", "Dubins"};
  return names[int(model)];
}

/// A problem with the arrays that it views. Moving it keeps the views valid; copying it would not.
struct Case {
  Problem problem;
  std::vector<float> cost, radius, shift;
  std::vector<std::uint8_t> walls;

  Case() = default;
  Case(Case&&) = default;
  Case(const Case&) = delete;
};

/// Solves on one thread of the host.
inline Result solveWith(const Problem& problem, Accuracy accuracy) {
  Problem p = problem;
  p.accuracy = accuracy;
  Options options;
  options.backend = Backend::Host;
  options.threads = 1;
  return solveCurvaturePaths(p, options, {});
}

/// Random numbers in [0, 1), the same on every machine.
class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  double operator()() { return (engine() >> 8) * 0x1p-24; }

private:
  std::mt19937 engine;
};

/// Returns the square [-1, 1]^2 with n * n points, constant cost, turning radius 0.2, and a seed at the
/// centre with heading 0. Positions are relative to the first grid point, so the centre is at (1, 1).
inline Case square(Model model, std::int64_t n, int headings) {
  Case c;
  c.problem.model = model;
  c.problem.grid = {n, n, headings, 2. / (n - 1), 2. / (n - 1)};
  c.problem.turningRadius = {0.2, {}};
  c.problem.seeds = {{{1, 1, 0, false}, 0}};
  return c;
}

inline void addRoughCost(Case& c, std::int64_t values) {
  Random random(7);
  for (std::int64_t p = 0; p < values; ++p) c.cost.push_back(float(0.5 * std::pow(10, random())));
  c.problem.cost.values = c.cost;
}

/// Adds walls: a diagonal line one pixel wide with a gap, a closed box, a slanted line, and single pixels.
inline void addWalls(Case& c) {
  const auto nx = c.problem.grid.nx, ny = c.problem.grid.ny;
  c.walls.assign(nx * ny, 0);
  const auto wall = [&](std::int64_t i, std::int64_t j) {
    if (i >= 0 && j >= 0 && i < nx && j < ny) c.walls[i + nx * j] = 1;
  };
  for (std::int64_t i = 0; i < nx; ++i) {
    if (i < nx * 3 / 4 && i != nx / 4) wall(i, i * ny / nx + ny / 5); // diagonal where nx = ny
    if (i > nx / 2) wall(i, ny / 6 + (i - nx / 2) / 3);
  }
  for (std::int64_t q = 0; q < 7; ++q) {
    wall(nx * 3 / 4 - 3 + q, ny / 2), wall(nx * 3 / 4 - 3 + q, ny / 2 + 6);
    wall(nx * 3 / 4 - 3, ny / 2 + q), wall(nx * 3 / 4 + 3, ny / 2 + q);
  }
  Random random(3);
  for (std::int64_t p = 0; p < nx * ny / 60; ++p)
    wall(std::int64_t(random() * nx), std::int64_t(random() * ny));
  for (const Seed& seed : c.problem.seeds)
    c.walls[std::lround(seed.state.x / c.problem.grid.hx) +
            nx * std::lround(seed.state.y / c.problem.grid.hy)] = 0;
  c.problem.walls = c.walls;
}

inline void addVaryingRadius(Case& c) {
  const StateGrid& g = c.problem.grid;
  for (std::int64_t j = 0; j < g.ny; ++j)
    for (std::int64_t i = 0; i < g.nx; ++i)
      c.radius.push_back(float(0.25 + 0.13 * std::sin(5 * i * g.hx) * std::cos(4 * j * g.hy)));
  c.problem.turningRadius.values = c.radius;
}

/// Adds a curvature shift per state, larger than 1 / radius in places.
inline void addVaryingShift(Case& c) {
  const StateGrid& g = c.problem.grid;
  for (int k = 0; k < g.headings; ++k)
    for (std::int64_t j = 0; j < g.ny; ++j)
      for (std::int64_t i = 0; i < g.nx; ++i)
        c.shift.push_back(float(6 * std::sin(3 * i * g.hx + 2 * std::numbers::pi * k / g.headings) *
                                std::sin(4 * j * g.hy)));
  c.problem.curvatureShift.values = c.shift;
}

inline void addSeeds(Case& c) {
  c.problem.seeds = {{{1, 1, 0, false}, 0.3},
                     {{0.2, 0.4, 1.8, false}, 0},
                     {{1.6, 1.5, 0, true}, 0.25},
                     {{1.1, 1, 0, false}, 3}, // reached earlier from the other seeds
                     {{0.5, 1.6, 4, false}, -0.5}};
}

inline const std::vector<std::string>& caseNames() {
  static const std::vector<std::string> names{
      "Constant",     "AnyHeading",  "RoughCost",     "OrientedCost", "Walls",        "WallsAndRoughCost",
      "RadiusVaries", "ShiftVaries", "ConstantShift", "SeveralSeeds", "NarrowRadius", "TinyRadius",
      "UnequalSteps", "OddHeadings", "FewHeadings",   "NotSquare",    "Wide",         "OneRow",
      "OnePoint",     "Relaxed",     "Everything"};
  return names;
}

inline Case makeCase(Model model, const std::string& name, std::int64_t n = 41, int headings = 24) {
  Case c = square(model, n, headings);
  Problem& p = c.problem;
  StateGrid& g = p.grid;
  if (name == "AnyHeading") p.seeds = {{{0.3, 0.55, 0, true}, 0}};
  if (name == "RoughCost") addRoughCost(c, g.planePoints());
  if (name == "OrientedCost") addRoughCost(c, g.points());
  if (name == "Walls") addWalls(c);
  if (name == "WallsAndRoughCost") addWalls(c), addRoughCost(c, g.planePoints());
  if (name == "RadiusVaries") addVaryingRadius(c);
  if (name == "ShiftVaries") addVaryingShift(c);
  if (name == "ConstantShift") p.curvatureShift.constant = 2;
  if (name == "SeveralSeeds") addSeeds(c), addRoughCost(c, g.planePoints());
  if (name == "NarrowRadius") p.turningRadius.constant = 3 * g.hx;
  if (name == "TinyRadius") p.turningRadius.constant = g.hx;
  if (name == "UnequalSteps") g.hy = 1.24 / double(n - 1);
  if (name == "OddHeadings") g.headings = 25, addRoughCost(c, g.planePoints());
  if (name == "FewHeadings") g.headings = 4;
  if (name == "NotSquare") g.nx = 67, g.ny = 23, addRoughCost(c, g.planePoints());
  if (name == "Wide")
    g.nx = 2500, g.ny = 5, g.headings = 8,
    p.seeds = {{{12, 0.1, 0, true}, 0}, {{60, 0.1, 0, true}, 1}, {{115, 0.1, 2, true}, 3}};
  if (name == "OneRow") g.ny = 1, p.seeds[0].state.y = 0;
  if (name == "OnePoint") g.nx = g.ny = 1, p.seeds[0].state = {0, 0, 0, false};
  if (name == "Relaxed") p.relaxation = 0.25;
  if (name == "Everything") {
    g.nx = 37, g.hy = 1.6 / double(n - 1), g.headings = 22;
    addSeeds(c), addWalls(c), addRoughCost(c, g.points()), addVaryingRadius(c), addVaryingShift(c);
  }
  return c;
}

} // namespace isochrone::curvature
