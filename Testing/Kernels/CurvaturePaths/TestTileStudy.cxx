// Claims about the paper's tiles, which only the benchmark uses, on host teams: every shape and setting
// reaches the fixed point of the solver; isotropic tiles; stencils stored per point.
#include "Benchmarks/CurvatureProblems.h"
#include "Benchmarks/TileStudy.h"
#include "CurvatureCases.h"
#include "Execution/HostDevice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace isochrone;
using namespace isochrone::curvature;
using benchmark::IsotropicScheme;
using execution::HostDevice;

namespace {

using Device = HostDevice;

template <int dimensions, class Shape>
auto isotropicTimes(const Problem& problem) {
  Device device{1};
  const TilePlan plan = benchmark::isotropicPlan(problem, dimensions);
  DeviceProblem<Device> data(device, problem, plan);
  const SharedStencils stencils = data.stencils(SharedStencils{});
  return benchmark::measure<IsotropicScheme<dimensions>, Shape>(device, problem, plan, data, stencils, {8})
      .result.travelTime;
}

/// Returns first-order upwind times in the plane, in double, by sweeping until nothing changes.
std::vector<double> sweptTimes(const Problem& problem, std::int64_t seed) {
  const std::int64_t nx = problem.grid.nx, ny = problem.grid.ny;
  std::vector<double> u(nx * ny, std::numeric_limits<double>::infinity());
  u[seed] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::int64_t p = 0; p < nx * ny; ++p) {
      const std::int64_t x = p % nx, y = p / nx;
      const double a = std::min(x > 0 ? u[p - 1] : INFINITY, x + 1 < nx ? u[p + 1] : INFINITY);
      const double b = std::min(y > 0 ? u[p - nx] : INFINITY, y + 1 < ny ? u[p + nx] : INFINITY);
      const double c = problem.cost.values[p], low = std::min(a, b), gap = std::abs(a - b);
      const double t = gap >= c ? low + c : (a + b + std::sqrt(2 * c * c - gap * gap)) / 2;
      if (t < u[p]) u[p] = t, changed = true;
    }
  }
  return u;
}

using Settings = benchmark::TileSettings;
using benchmark::Tagging;

template <class Scheme, class Shape, class Stencils = SharedStencils>
Result solveWith(const Problem& problem, const Settings& settings) {
  Device device{1};
  const TilePlan plan = makeTilePlan(problem, Discretisation(problem));
  DeviceProblem<Device> data(device, problem, plan);
  return benchmark::measure<Scheme, Shape>(device, problem, plan, data, data.stencils(Stencils{}), settings,
                                           1)
      .result;
}

void expectTimesOfTheSolver(const Problem& problem, const Values<float>& times) {
  Options options;
  options.backend = Backend::Host;
  const Values<float> expected = solveCurvaturePaths(problem, options, {}).travelTime;
  ASSERT_EQ(times.size(), expected.size());
  for (std::size_t p = 0; p < times.size(); ++p) {
    ASSERT_EQ(std::isinf(times[p]), std::isinf(expected[p])) << p;
    if (std::isinf(times[p])) continue;
    ASSERT_NEAR(times[p], expected[p], 1e-5 * std::max(0.02f, expected[p])) << p;
  }
}

/// Returns a problem with walls, rough cost and several seeds, on tiles that do not divide the grid.
Case smallCase(Model model) {
  Case c = square(model, 17, 6);
  c.problem.grid.nx = 13;
  c.problem.accuracy = Accuracy::FirstOrder;
  addSeeds(c), addWalls(c), addRoughCost(c, c.problem.grid.planePoints());
  return c;
}

} // namespace

TEST(TileStudy, AnyIterationsTaggingAndPlaceReachTheFixedPointOfTheSolver) {
  const Case c = smallCase(Model::ReedsSheppForward);
  for (const int iterations : {1, 4, 8})
    for (const Tagging tagging : {Tagging::Agsi, Tagging::Fim})
      for (const bool inPlace : {false, true}) {
        SCOPED_TRACE("R = " + std::to_string(iterations) + (tagging == Tagging::Fim ? ", FIM" : ", AGSI") +
                     (inPlace ? ", in place" : ""));
        const Settings settings{iterations, tagging, inPlace};
        expectTimesOfTheSolver(
            c.problem, solveWith<SchemeShape<1, 4, 1, true>, Box<4, 4, 4>>(c.problem, settings).travelTime);
      }
}

TEST(TileStudy, AnyShapeAndModelReachTheFixedPointOfTheSolver) {
  const Case forward = smallCase(Model::ReedsSheppForward), dubins = smallCase(Model::Dubins);
  using Scheme = SchemeShape<1, 4, 1, true>;
  const auto times = [](const Result& result) { return result.travelTime; };
  expectTimesOfTheSolver(forward.problem, times(solveWith<Scheme, Box<8, 4, 1>>(forward.problem, {3})));
  expectTimesOfTheSolver(forward.problem, // divides no axis
                         times(solveWith<Scheme, Box<3, 5, 7>>(forward.problem, {2, Tagging::Fim, true})));
  expectTimesOfTheSolver(dubins.problem,
                         times(solveWith<SchemeShape<2, 6, 0, false>, Box<4, 4, 2>>(dubins.problem, {1})));
}

TEST(TileStudy, FimTagsFewerTilesThanAgsi) {
  const Case c = smallCase(Model::ReedsSheppForward);
  using Scheme = SchemeShape<1, 4, 1, true>;

  const Result agsi = solveWith<Scheme, Box<4, 4, 4>>(c.problem, {6, Tagging::Agsi}),
               fim = solveWith<Scheme, Box<4, 4, 4>>(c.problem, {6, Tagging::Fim});

  EXPECT_LT(fim.updatesPerPoint / fim.rounds, agsi.updatesPerPoint / agsi.rounds);
}

TEST(TileStudy, IsotropicTilesAgreeWithSweeping) {
  const benchmark::Case c = benchmark::makeCase(Model::Dubins, 61, 43, 1, 1, "rough");
  const std::vector<double> expected = sweptTimes(c.problem, 30 + 61 * 21);

  const auto times = isotropicTimes<2, Box<8, 8, 1>>(c.problem);

  ASSERT_EQ(times.size(), expected.size());
  for (std::size_t p = 0; p < times.size(); ++p)
    ASSERT_NEAR(times[p], expected[p], 1e-5 * (1 + expected[p])) << p;
}

TEST(TileStudy, IsotropicTimesInSpaceAreExactOnTheAxes) {
  const benchmark::Case c = benchmark::makeCase(Model::Dubins, 21, 21, 16, 1, "constant");
  const StateGrid& grid = c.problem.grid;

  const auto times = isotropicTimes<3, Box<4, 4, 4>>(c.problem);

  for (int i = 0; i < 21; ++i) {
    EXPECT_EQ(times[grid.index(i, 10, 0)], std::abs(i - 10));
    EXPECT_EQ(times[grid.index(10, i, 0)], std::abs(i - 10));
  }
  for (int k = 0; k < 16; ++k) EXPECT_EQ(times[grid.index(10, 10, k)], std::min(k, 16 - k));
  EXPECT_GT(times[grid.index(13, 14, 0)], 5); // upwind times are late off the axes
}

TEST(TileStudy, StoredStencilsGiveTheBitsOfRecomputedOnes) {
  const benchmark::Case c = benchmark::makeCase(Model::Dubins, 31, 29, 16, 6, "radius");
  using Scheme = SchemeShape<2, 6, 0, false>;
  using Shape = Box<4, 4, 2>;
  Device device{1};
  const TilePlan plan = makeTilePlan(c.problem, Discretisation(c.problem));
  DeviceProblem<Device> data(device, c.problem, plan);
  const VaryingStencils varying = data.stencils(VaryingStencils{});
  const std::int64_t points = c.problem.grid.points();
  auto slots = device.array<Slot>(points * Scheme::all, Slot{});
  using Store = benchmark::StoreStencils<Scheme, VaryingStencils>;

  device.run(Store{tileGrid<Shape>(c.problem.grid), varying, slots.data()}, blocksOf<Store>(points));
  const benchmark::StoredStencils stored{slots.data(), points};

  EXPECT_EQ(
      (benchmark::measure<Scheme, Shape>(device, c.problem, plan, data, stored, {1}).result.travelTime),
      (benchmark::measure<Scheme, Shape>(device, c.problem, plan, data, varying, {1}).result.travelTime));
}
