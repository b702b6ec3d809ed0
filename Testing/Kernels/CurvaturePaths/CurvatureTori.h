// CurvatureTori.h - planes with periodic axes for the tests of the curvature solver, on the host and by
// tiles.
#pragma once

#include "CurvatureCases.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace isochrone::curvature {

/// A plane with periodic axes, with a seed near the border.
inline Case torus(Model model, const std::string& name, const std::array<bool, 2>& periodic,
                  Accuracy accuracy) {
  Case c = makeCase(model, name, 25, 16);
  c.problem.periodic = periodic;
  c.problem.accuracy = accuracy;
  const StateGrid& g = c.problem.grid;
  State& seed = c.problem.seeds[0].state;
  seed.x = periodic[0] ? 2 * g.hx : seed.x;
  seed.y = periodic[1] ? (double(g.ny) - 0.75) * g.hy : seed.y;
  if (!c.walls.empty()) // no wall beside the seed
    for (int step = 0; step < 49; ++step) {
      const std::int64_t i = (std::llround(seed.x / g.hx) + step % 7 - 3 + g.nx) % g.nx,
                         j = (std::llround(seed.y / g.hy) + step / 7 - 3 + g.ny) % g.ny;
      c.walls[std::size_t(i + g.nx * j)] = 0;
    }
  return c;
}

struct Named {
  const char* name;
  Model model;
  Accuracy accuracy;
  std::array<bool, 2> periodic;
};

inline const std::vector<Named>& tori() {
  using enum Model;
  using enum Accuracy;
  static const std::vector<Named> all{{"RoughCost", ReedsShepp, FirstOrder, {true, true}},
                                      {"WallsAndRoughCost", ReedsShepp, SeedBall, {true, false}},
                                      {"OrientedCost", ReedsSheppForward, SecondOrder, {true, true}},
                                      {"SeveralSeeds", ReedsSheppForward, SeedBall, {false, true}},
                                      {"Constant", Elastica, SeedBall, {true, false}},
                                      {"ShiftVaries", Elastica, FirstOrder, {true, false}},
                                      {"NotSquare", Dubins, FirstOrder, {false, true}},
                                      {"SeveralSeeds", Dubins, SeedBall, {true, false}},
                                      {"WallsAndRoughCost", Dubins, SecondOrder, {true, true}},
                                      {"RadiusVaries", Dubins, FirstOrder, {true, true}}};
  return all;
}

/// A plane with a wall across it beside the seed: the other side of the wall is reached across the border
/// only.
/// @param axis   that the wall crosses
/// @param steps  from the wall to the seed
inline Case behindAWall(Model model, int axis, std::int64_t length, std::int64_t steps) {
  Case c = square(model, length, 12);
  StateGrid& g = c.problem.grid;
  (axis == 0 ? g.ny : g.nx) = 9;
  const std::int64_t wall = length / 2, at[2] = {axis == 0 ? wall + steps : 4, axis == 1 ? wall + steps : 4};
  c.problem.seeds[0].state = {double(at[0]) * g.hx, double(at[1]) * g.hy, 0, true};
  c.problem.periodic = {axis == 0, axis == 1};
  for (std::int64_t j = 0; j < g.ny; ++j)
    for (std::int64_t i = 0; i < g.nx; ++i) c.walls.push_back((axis == 0 ? i : j) == wall);
  c.problem.walls = c.walls;
  return c;
}

} // namespace isochrone::curvature
