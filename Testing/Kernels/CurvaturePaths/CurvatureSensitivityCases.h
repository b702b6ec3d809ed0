// CurvatureSensitivityCases.h - problems and tips shared by the tests of the discrete adjoint.
#pragma once

#include "CurvatureCases.h"

#include <numeric>

namespace isochrone::curvature {

inline Values<float> solve(const Problem& problem) {
  Options options;
  options.backend = Backend::Host;
  return solveCurvaturePaths(problem, options, {}).travelTime;
}

inline Sensitivities differentiate(const Problem& problem, const Solution& solution,
                                   const std::vector<WeightedTip>& tips, bool radiusAndShift = false,
                                   int threads = 1, const Monitor& monitor = {}) {
  SensitivityOptions options;
  options.backend = Backend::Host;
  options.threads = threads;
  options.radiusAndShift = radiusAndShift;
  return curvature::differentiate(problem, solution, tips, options, monitor);
}

/// Returns tips all over the grid, with and without heading, one of them with a negative weight.
inline std::vector<WeightedTip> scatteredTips(const StateGrid& g) {
  Random random(5);
  std::vector<WeightedTip> tips;
  for (int t = 0; t < 5; ++t) {
    const double x = random() * double(g.nx - 1) * g.hx, y = random() * double(g.ny - 1) * g.hy;
    tips.push_back({{x, y, 6.28 * random(), t % 2 == 0}, t == 3 ? -0.5 : 1 + 0.3 * t});
  }
  return tips;
}

inline double total(const auto& values) { return std::accumulate(values.begin(), values.end(), 0.); }

/// Returns a problem with walls, several seeds, and smooth cost, radius and shift, small enough for a hundred
/// solves in double.
inline Case smoothCase(Model model) {
  Case c = square(model, 15, 12);
  c.problem.turningRadius.constant = 0.37;
  c.problem.curvatureShift.constant = 0.4;
  c.problem.seeds = {{{0.3, 0.41, 0.3, false}, 0.13}, {{1.6, 1.72, 4, true}, 0.1}};
  const StateGrid& g = c.problem.grid;
  for (int k = 0; k < g.headings; ++k)
    for (std::int64_t j = 0; j < g.ny; ++j)
      for (std::int64_t i = 0; i < g.nx; ++i)
        c.cost.push_back(float(1.3 + 0.5 * std::sin(3 * i * g.hx + k) * std::cos(4 * j * g.hy + 0.7)));
  c.problem.cost.values = c.cost;
  c.walls.assign(g.planePoints(), 0);
  for (int j = 3; j < 11; ++j) c.walls[8 + g.nx * j] = 1;
  c.problem.walls = c.walls;
  return c;
}

inline const std::vector<WeightedTip> smoothTips{{{1.72, 0.57, 5.2, false}, 1},
                                                 {{0.4, 1.5, 2.1, false}, 0.7}};

} // namespace isochrone::curvature
