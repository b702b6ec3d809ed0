// Claims about runs: walls, seeds and tips, early stop, progress, abort, reports.
#include "CurvatureCases.h"
#include "CurvaturePaths/Host/SectorSystem.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

constexpr double pi = std::numbers::pi;

bool reachedAt(const Case& c, std::span<const float> u, std::int64_t i, std::int64_t j) {
  for (int k = 0; k < c.problem.grid.headings; ++k)
    if (std::isfinite(u[c.problem.grid.index(i, j, k)])) return true;
  return false;
}

Options oneThread() {
  Options options;
  options.backend = Backend::Host;
  options.threads = 1;
  return options;
}

Values<float> solve(const Case& c) { return solveCurvaturePaths(c.problem, oneThread(), {}).travelTime; }

/// Returns a problem that takes many rounds.
Case slowCase(std::int64_t n) {
  Case c = square(Model::Elastica, n, 48);
  c.problem.turningRadius.constant = 2 * c.problem.grid.hx;
  addRoughCost(c, c.problem.grid.planePoints());
  return c;
}

} // namespace

TEST(CurvatureRuns, NothingIsReachedInsideWallsOrBoxes) {
  for (const Model model : allModels) {
    const Case c = makeCase(model, "Walls");
    const Values<float> u = solve(c);

    int reached = 0;
    for (std::int64_t j = 0; j < 41; ++j)
      for (std::int64_t i = 0; i < 41; ++i) {
        if (c.walls[i + 41 * j])
          EXPECT_FALSE(reachedAt(c, u, i, j)) << nameOf(model) << ' ' << i << ' ' << j;
        else
          reached += reachedAt(c, u, i, j);
      }
    EXPECT_GT(reached, 600) << nameOf(model);
    for (std::int64_t j = 21; j < 26; ++j) // the closed box of addWalls
      for (std::int64_t i = 28; i < 33; ++i)
        EXPECT_FALSE(reachedAt(c, u, i, j)) << nameOf(model) << ' ' << i << ' ' << j;
  }
}

TEST(CurvatureRuns, NoPathCrossesADiagonalWallOfOnePixel) {
  for (const Model model : allModels)
    for (const bool falling : {false, true}) {
      Case c = square(model, 33, 24);
      c.problem.seeds[0].state = {0.5, falling ? 0.5 : 1.5, 0, true};
      c.walls.assign(33 * 33, 0);
      for (std::int64_t i = 0; i < 33; ++i) c.walls[i + 33 * (falling ? 32 - i : i)] = 1;
      c.problem.walls = c.walls;

      const Values<float> u = solve(c);

      int reached = 0;
      for (std::int64_t j = 0; j < 33; ++j)
        for (std::int64_t i = 0; i < 33; ++i) {
          const bool seedSide = falling ? i + j < 32 : j > i;
          ASSERT_TRUE(seedSide || !reachedAt(c, u, i, j)) << nameOf(model) << ' ' << i << ' ' << j;
          reached += reachedAt(c, u, i, j);
        }
      EXPECT_GT(reached, 33 * 33 / 3) << nameOf(model);
    }
}

TEST(CurvatureRuns, WallsAwayFromPathsHaveNoEffect) {
  for (const Model model : allModels) {
    Case open = square(model, 41, 24), walled = square(model, 41, 24);
    walled.walls.assign(41 * 41, 0);
    walled.problem.walls = walled.walls; // an array without a wall

    EXPECT_EQ(solve(open), solve(walled)) << nameOf(model);
  }
}

TEST(CurvatureRuns, StopAtTipsGivesTheirFinalValues) {
  for (const Model model : allModels)
    for (const char* name : {"Constant", "RoughCost", "Walls"}) {
      const Case c = makeCase(model, name);
      const StateGrid& g = c.problem.grid;
      const Values<float> full = solve(c);
      Options options = oneThread();
      options.stopAt = {{1.2, 1.1, 0.4, false}, {0.9, 1.25, 3, true}};

      const Result stopped = solveCurvaturePaths(c.problem, options, {});

      for (const State& tip : options.stopAt) {
        const Placement at = place(c.problem, tip);
        ASSERT_EQ(at.status, Placement::Status::Inside);
        float expected = std::numeric_limits<float>::infinity(), got = expected;
        for (int k = 0; k < g.headings; ++k)
          if (tip.anyHeading || k == at.heading) {
            expected = std::min(expected, full[g.index(at.i, at.j, k)]);
            got = std::min(got, stopped.travelTime[g.index(at.i, at.j, k)]);
          }
        ASSERT_TRUE(std::isfinite(expected)) << nameOf(model) << ' ' << name;
        EXPECT_NEAR(got, expected, 1e-5 * expected) << nameOf(model) << ' ' << name;
      }
      EXPECT_LE(stopped.updatesPerPoint, solveCurvaturePaths(c.problem, oneThread(), {}).updatesPerPoint);
    }
}

TEST(CurvatureRuns, ATipNearTheSeedTakesAFractionOfTheWork) {
  for (const Model model : allModels) {
    const Case c = square(model, 101, 32);
    Options options = oneThread();
    const double all = solveCurvaturePaths(c.problem, options, {}).updatesPerPoint;
    options.stopAt = {{1.2, 1, 0, true}};

    EXPECT_LT(solveCurvaturePaths(c.problem, options, {}).updatesPerPoint, 0.5 * all) << nameOf(model);
  }
}

TEST(CurvatureRuns, AFastZigzagIsSweptBeforeTheSlowAreaBesideIt) {
  struct {
    Model model;
    double updates; // per state; 8.9 and 21.9 without a limit on the sweeps
  } const cases[] = {{Model::ReedsSheppForward, 7}, {Model::Elastica, 19}};
  for (const auto& [model, updates] : cases) {
    Case c = square(model, 121, 32);
    c.problem.turningRadius.constant = 3 * c.problem.grid.hx;
    c.cost.assign(121 * 121, 50);
    for (int y = 10; y < 120; y += 20)
      for (int x = 10; x < 111; ++x) c.cost[x + 121 * y] = 1;
    for (int y = 10; y < 110; ++y) c.cost[((y - 10) / 20 % 2 ? 10 : 110) + 121 * y] = 1;
    c.problem.cost.values = c.cost;
    c.problem.seeds = {{{10 * c.problem.grid.hx, 10 * c.problem.grid.hy, 0, true}, 0}};

    EXPECT_LT(solveCurvaturePaths(c.problem, oneThread(), {}).updatesPerPoint, updates) << nameOf(model);
  }
}

TEST(CurvatureRuns, TerminatesWithAnUnreachableTip) {
  const Case c = makeCase(Model::Dubins, "Walls");
  Options options = oneThread();
  options.stopAt = {{30 * c.problem.grid.hx, 23 * c.problem.grid.hy, 0, true}}; // inside the closed box

  EXPECT_EQ(solveCurvaturePaths(c.problem, options, {}).travelTime, solve(c));
}

TEST(CurvatureRuns, ProgressRisesFromZeroToOne) {
  const Case c = slowCase(201);
  std::vector<double> shares;
  const Monitor monitor{[&](double share) {
    shares.push_back(share);
    return true;
  }};

  const Result result = solveCurvaturePaths(c.problem, oneThread(), monitor);

  EXPECT_FALSE(result.aborted);
  ASSERT_GT(shares.size(), 2u);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_GE(shares.front(), 0);
  EXPECT_LE(shares.back(), 1);
  EXPECT_EQ(result.travelTime, solve(c)); // a monitor does not change the result
}

TEST(CurvatureRuns, AbortEndsTheSolveInAnyPhase) {
  for (const int threads : {1, 2})
    for (const int lastCall : {0, 2}) { // aborts at the first call, or during the sweeps
      const Case c = slowCase(801);
      int calls = 0;
      double last = 0;
      const Monitor monitor{[&](double share) {
        last = share;
        return calls++ < lastCall;
      }};
      Options options = oneThread();
      options.threads = threads;

      const Result result = solveCurvaturePaths(c.problem, options, monitor);

      EXPECT_TRUE(result.aborted);
      EXPECT_TRUE(result.travelTime.empty());
      EXPECT_EQ(calls, lastCall + 1); // no call after the abort
      EXPECT_LT(last, 0.9);           // and no further work
    }
}

TEST(CurvatureRuns, GiveTheSameBitsForAnyThreadCountWhereHeadingsReadAlongRows) {
  for (const Model model : {Model::Dubins, Model::Elastica}) {
    Case c = square(model, 101, 48);
    c.problem.turningRadius.constant = 2 * c.problem.grid.hx;
    addRoughCost(c, c.problem.grid.planePoints());
    const Discretisation discretisation(c.problem);
    execution::RoundPool pool(1);
    const SectorSystem system(c.problem, discretisation, c.problem.grid.headings, pool);
    EXPECT_GT(system.views()[0].borderReach, 0); // several strips read values of each other in the same row
    const Values<float> one = solve(c);

    for (const int threads : {2, 3, 7}) {
      Options options = oneThread();
      options.threads = threads;
      EXPECT_EQ(solveCurvaturePaths(c.problem, options, {}).travelTime, one)
          << nameOf(model) << ' ' << threads;
    }
  }
}

TEST(CurvatureRuns, SweepsMoreHeadingsThanAWordHasBits) {
  for (const Model model : {Model::ReedsShepp, Model::Dubins}) {
    Case c = square(model, 45, 300); // 75 headings in a sector, two columns of blocks
    addRoughCost(c, c.problem.grid.planePoints());
    const Result one = solveCurvaturePaths(c.problem, oneThread(), {});

    EXPECT_LE(residual(c.problem, one, 1), 1e-3) << nameOf(model);
    for (const int threads : {2, 3}) {
      Options options = oneThread();
      options.threads = threads;
      EXPECT_EQ(solveCurvaturePaths(c.problem, options, {}).travelTime, one.travelTime)
          << nameOf(model) << ' ' << threads;
    }
  }
}

TEST(CurvatureRuns, ReportsBackendAndResources) {
  const Case c = square(Model::Dubins, 101, 64);

  const Result result = solveCurvaturePaths(c.problem, oneThread(), {});

  EXPECT_EQ(result.ranOn.backend, Backend::Host);
  EXPECT_FALSE(result.ranOn.reason.empty());
  EXPECT_GT(result.rounds, 0);
  EXPECT_GE(result.updatesPerPoint, 1);
  EXPECT_LT(result.updatesPerPoint, 60);
  EXPECT_GT(result.workBytes,
            std::size_t(c.problem.grid.points())); // at least one byte per state
}

TEST(CurvatureRuns, SeedsLieAtTheNearestGridState) {
  Case c = square(Model::Dubins, 41, 24);
  const double step = pi / 12;
  const auto at = [&](double x, double y, double heading, bool any = false) {
    return place(c.problem, {x, y, heading, any});
  };

  EXPECT_EQ(at(0.99, 1.02, 0).i, 20);
  EXPECT_EQ(at(0.99, 1.02, 0).j, 20);
  EXPECT_NEAR(at(0.99, 1.02, 0).moved, std::hypot(0.01, 0.02), 1e-12);
  EXPECT_EQ(at(1, 1, 2.4 * step).heading, 2);
  EXPECT_EQ(at(1, 1, -0.4 * step).heading, 0);
  EXPECT_EQ(at(1, 1, -1.3 * step).heading, 23);
  EXPECT_EQ(at(1, 1, 2 * pi - 0.3 * step).heading, 0);
  EXPECT_EQ(at(1, 1, 20 * pi + 5 * step).heading, 5);
  EXPECT_EQ(at(1, 1, 1, true).heading, -1);
  EXPECT_EQ(at(0.5, 1.5, 0).status, Placement::Status::Inside);
  EXPECT_EQ(at(-0.2, 1, 0).status, Placement::Status::Outside);
  EXPECT_EQ(at(1, 2.2, 0).status, Placement::Status::Outside);
  EXPECT_EQ(at(std::nan(""), 1, 0).status, Placement::Status::Outside);
  EXPECT_EQ(at(1, std::numeric_limits<double>::infinity(), 0).status, Placement::Status::Outside);

  c.walls.assign(41 * 41, 0);
  c.walls[10 + 41 * 30] = 1;
  c.problem.walls = c.walls;
  EXPECT_EQ(at(0.5, 1.5, 0).status, Placement::Status::InWall);
}

TEST(CurvatureRuns, UnusableSeedsAreReportedAndIgnored) {
  Case c = square(Model::ReedsShepp, 41, 24);
  c.walls.assign(41 * 41, 0);
  c.walls[10 + 41 * 30] = 1;
  c.problem.walls = c.walls;
  c.problem.seeds = {{{-1, 0, 0, true}, 0}, {{1, 1, 0, false}, 0.5}, {{0.5, 1.5, 0, true}, 0}};

  const Result result = solveCurvaturePaths(c.problem, oneThread(), {});

  ASSERT_EQ(result.seeds.size(), 3u);
  EXPECT_EQ(result.seeds[0].status, Placement::Status::Outside);
  EXPECT_EQ(result.seeds[1].status, Placement::Status::Inside);
  EXPECT_EQ(result.seeds[2].status, Placement::Status::InWall);
  EXPECT_FLOAT_EQ(*std::min_element(result.travelTime.begin(), result.travelTime.end()), 0.5f);
}

TEST(CurvatureRuns, ASeedReachedEarlierIsReportedAsOverrun) {
  Case c = square(Model::ReedsSheppForward, 41, 24);
  c.problem.seeds = {{{0.5, 1, 0, false}, 0}, {{1, 1, 0, false}, 5}, {{1.5, 1, 0, false}, 0.25}};
  const Values<float> u = solve(c);

  EXPECT_NEAR(u[c.problem.grid.index(20, 20, 0)], 0.5, 2e-6);
  EXPECT_EQ(u[c.problem.grid.index(30, 20, 0)], 0.25f);
  EXPECT_NEAR(u[c.problem.grid.index(40, 20, 0)], 0.75, 2e-6);
}

TEST(CurvatureRuns, StartValuesShiftTravelTimes) {
  for (const Model model : allModels) {
    Case c = square(model, 31, 16), later = square(model, 31, 16);
    later.problem.seeds[0].startValue = -2;

    const Values<float> u = solve(c), v = solve(later);

    for (std::size_t p = 0; p < u.size(); ++p) {
      if (std::isinf(u[p]))
        EXPECT_EQ(v[p], u[p]);
      else
        ASSERT_NEAR(v[p], u[p] - 2, 1e-4) << nameOf(model) << " state " << p;
    }
  }
}
