// BoatProblem.h - the boat of the paper (section 3.4, Table 2): a Dubins vehicle in a current.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace isochrone::benchmark {

/// [-1, 1]^2 with a current up to 0.6 of the boat's speed, turning radius 0.3, a seed in the middle of the
/// left half. Moving it keeps the views valid; copying it would not.
struct BoatProblem {
  std::vector<float> driftX, driftY;
  curvature::GroundFields fields;
  curvature::Problem problem; ///< over ground
  curvature::Vehicle vehicle{1, 0.3, 0.3, {}, {}};

  BoatProblem(std::int64_t n, int headings) {
    problem.model = curvature::Model::Dubins;
    problem.grid = {n, n, headings, 2. / double(n - 1), 2. / double(n - 1)};
    problem.seeds = {{{0.5, 1, 0, false}, 0}};
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < n; ++i) {
        const double x = double(i) * problem.grid.hx - 1, y = double(j) * problem.grid.hy - 1;
        const double v = 0.6 * std::sin(std::numbers::pi * x) * std::sin(std::numbers::pi * y) /
                         std::max(std::hypot(x, y), 1e-9);
        driftX.push_back(float(v * x)), driftY.push_back(float(v * y));
      }
    vehicle.driftX = driftX, vehicle.driftY = driftY;
  }
  BoatProblem(BoatProblem&&) = default;

  /// Computes cost, turning radius and curvature shift over ground from the current.
  void setUp(int threads) {
    fields = curvature::groundFields(problem, vehicle, threads);
    problem.cost.values = fields.cost;
    problem.turningRadius.values = fields.turningRadius;
    problem.curvatureShift.values = fields.curvatureShift;
    problem.balancedRadius = fields.balancedRadius;
  }
};

} // namespace isochrone::benchmark
