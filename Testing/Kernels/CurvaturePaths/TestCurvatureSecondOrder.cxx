// Claims about differences corrected to second order: equations, backends, determinism.
#include "CurvatureCases.h"
#include "CurvatureHostTiles.h"
#include "CurvaturePaths/Seeds/NearSeedStarts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

Result solve(const Problem& problem, int threads = 1) {
  Options options;
  options.backend = Backend::Host;
  options.threads = threads;
  return solveCurvaturePaths(problem, options, {});
}

std::vector<StartState> starts(const Problem& problem) {
  const Discretisation discretisation(problem);
  std::vector<Placement> placements = discretisation.seeds;
  return startsOf(problem, discretisation, placements, nullptr, 1, {});
}

/// Returns a problem with several seeds, walls and rough cost, on tiles that do not divide the grid; on
/// request with varying radius and shift.
Case roughCase(Model model, bool varying) {
  Case c = square(model, 21, 12);
  c.problem.grid.nx = 25;
  addSeeds(c), addWalls(c), addRoughCost(c, c.problem.grid.points());
  if (varying) c.problem.grid.hy *= 0.8, addVaryingRadius(c), addVaryingShift(c);
  c.problem.accuracy = Accuracy::SecondOrder;
  return c;
}

/// Returns the maximum difference, relative to the value or at least to `floor`. Fails if only one of the two
/// is reached.
double largestDifference(const auto& a, const auto& b, double floor = 0.02) {
  double largest = 0;
  for (std::size_t p = 0; p < a.size(); ++p) {
    EXPECT_EQ(std::isinf(a[p]), std::isinf(b[p])) << "state " << p;
    if (std::isfinite(a[p]) && std::isfinite(b[p]))
      largest = std::max(largest, double(std::abs(a[p] - b[p])) / std::max(floor, std::abs(double(b[p]))));
  }
  return largest;
}

class CurvatureSecondOrder : public testing::TestWithParam<Model> {};

} // namespace

TEST_P(CurvatureSecondOrder, SolvesTheCorrectedEquationsOnHostAndTiles) {
  for (const bool varying : {false, true}) {
    SCOPED_TRACE(varying ? "varying" : "uniform");
    const Case c = roughCase(GetParam(), varying);

    const Result result = solve(c.problem, 1);
    const Result tiles = solveOnHostTiles(c.problem, starts(c.problem), 1);

    // The residual reads both solutions rounded by their large start values.
    EXPECT_LE(residual(c.problem, result, 1), 3e-4);
    EXPECT_GE(residual(c.problem, Solution(result.travelTime), 1), 0.01); // not of the plain scheme
    // If radius or shift vary, a few states depend on a weight lost in single precision.
    EXPECT_LE(largestDifference(tiles.uncorrected, result.uncorrected), varying ? 1e-3 : 2e-5);
    EXPECT_LE(largestDifference(tiles.travelTime, result.travelTime), varying ? 2e-3 : 1e-4);
  }
}

TEST_P(CurvatureSecondOrder, GivesTheSameBitsForAnyThreadCount) {
  const Case c = roughCase(GetParam(), false);

  EXPECT_EQ(solveOnHostTiles(c.problem, starts(c.problem), 3).travelTime,
            solveOnHostTiles(c.problem, starts(c.problem), 1).travelTime);
  EXPECT_EQ(solve(c.problem, 1).travelTime, solve(c.problem, 3).travelTime);
}

INSTANTIATE_TEST_SUITE_P(, CurvatureSecondOrder, testing::ValuesIn(allModels),
                         [](const auto& info) { return nameOf(info.param); });
