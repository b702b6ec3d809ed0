// CurvatureTori.h - planes with periodic axes for the tests of the curvature solver, on the host and by
// tiles.
#pragma once

#include "CurvatureCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
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

/// Expects the times of the host up to rounding, as on a plane without periodic axes (TestCurvatureCuda.cxx).
inline void expectAgree(const Problem& problem, const Values<float>& host, const Values<float>& device) {
  ASSERT_EQ(host.size(), device.size());
  if (host.empty()) return;
  double earliest = std::numeric_limits<double>::infinity();
  for (const Seed& seed : problem.seeds) earliest = std::min(earliest, seed.startValue);
  std::vector<double> error;
  for (std::size_t s = 0; s < host.size(); ++s) {
    const double a = host[s], b = device[s];
    ASSERT_EQ(std::isinf(a), std::isinf(b)) << "state " << s;
    if (!std::isinf(a)) error.push_back(std::abs(a - b) / std::max(0.02, a - earliest));
  }
  std::sort(error.begin(), error.end());
  const bool jumps = problem.model == Model::Dubins || problem.model == Model::Elastica;
  EXPECT_LT(error[std::size_t(double(error.size() - 1) * (jumps ? 0.999 : 1.))], 1e-5);
}

} // namespace isochrone::curvature
