// Claims about near-seed start values, and about the paths from these states to the seed.
#include "CurvaturePathChecks.h"
#include "CurvaturePaths/Scheme/Discretisation.h"
#include "CurvaturePaths/Seeds/RefinedGrid.h"
#include "CurvaturePaths/Seeds/RefinedStarts.h"
#include "CurvaturePaths/Seeds/StartCache.h"
#include "Reference/DubinsLength.h"

#include <algorithm>
#include <set>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

constexpr double pi = std::numbers::pi;
constexpr double radius = 0.2; ///< as in square()

/// Returns the shortest Dubins path between two states without obstacles.
reference::DubinsWord wordBetween(const State& from, const State& to) {
  const double c = std::cos(from.heading), s = std::sin(from.heading);
  const double x = (to.x - from.x) / radius, y = (to.y - from.y) / radius;
  return reference::shortestDubinsWord({c * x + s * y, c * y - s * x, to.heading - from.heading});
}

State stateOf(const StateGrid& g, std::int64_t index) {
  const std::int64_t point = index % g.planePoints();
  return {double(point % g.nx) * g.hx, double(point / g.nx) * g.hy,
          double(index / g.planePoints()) * g.headingStep(), false};
}

/// Returns a problem with a seed between states, walls, rough cost and, on request, a varying radius.
Case betweenStates(Model model, bool varying) {
  Case c = square(model, 41, 24);
  addWalls(c), addRoughCost(c, c.problem.grid.planePoints());
  if (varying) addVaryingRadius(c);
  c.problem.seeds = {{{1.017, 0.988, 0.35, false}, 0.5}, {{0.31, 0.54, 0, true}, 0.7}};
  return c;
}

class CurvatureBalls : public testing::TestWithParam<Model> {};

} // namespace

TEST(CurvatureBall, IsSolvedWithTheStencilsOfTheProblem) {
  Case c = square(Model::Elastica, 41, 24);
  c.problem.relaxation = 0.2, c.problem.balancedRadius = 0.4;
  const Problem fine = SeedFrame(c.problem, Walls(), c.problem.seeds[0].state).fine(2).problem;
  EXPECT_EQ(fine.model, Model::Elastica);
  EXPECT_EQ(fine.relaxation, 0.2);
  EXPECT_EQ(fine.balancedRadius, 0.4);

  const std::vector<BallState> balanced = solveWith(c.problem, Accuracy::SeedBall).balls;
  c.problem.balancedRadius = 0;
  const std::vector<BallState> plain = solveWith(c.problem, Accuracy::SeedBall).balls;
  ASSERT_EQ(balanced.size(), plain.size());
  EXPECT_NE(balanced.back().travelTime, plain.back().travelTime);
}

TEST_P(CurvatureBalls, AreStraightFromASeedWithAnyHeading) {
  Case c = square(GetParam(), 41, 24);
  const StateGrid& g = c.problem.grid;
  const State seed{1.017, 0.988, 0, true};
  c.problem.seeds = {{seed, 0.5}};
  c.problem.cost.constant = 3;
  c.problem.accuracy = Accuracy::SeedBall;
  const PlanarResult plane = reduceToPlane(c.problem, solveWith(c.problem, Accuracy::SeedBall), 1);
  int near = 0;
  for (std::int64_t j = 0; j < g.ny; ++j)
    for (std::int64_t i = 0; i < g.nx; ++i) {
      const double dx = double(i) * g.hx - seed.x, dy = double(j) * g.hy - seed.y,
                   distance = std::hypot(dx, dy);
      if (distance > 3 * g.hx) continue;
      const std::int64_t point = i + g.nx * j;
      EXPECT_NEAR(plane.travelTime[point], 0.5 + 3 * distance, 1e-5) << i << ", " << j;
      EXPECT_NEAR(std::remainder(plane.heading[point] - std::atan2(dy, dx), 2 * pi), 0, 1e-5)
          << i << ", " << j;
      ++near;
    }
  EXPECT_GT(near, 20);
}

/// The minimum time to a point is attained along an arc with the curvature of the shift.
TEST_P(CurvatureBalls, FollowAnArcWhereTheShiftIsLarge) {
  Case c = square(GetParam(), 41, 24);
  const StateGrid& g = c.problem.grid;
  const State seed{1.017, 0.988, 0, true};
  c.problem.seeds = {{seed, 0}};
  c.problem.curvatureShift.constant = 6; // 0.3 radians per step
  c.problem.accuracy = Accuracy::SeedBall;
  const Result solved = solveWith(c.problem, Accuracy::SeedBall);
  const PlanarResult plane = reduceToPlane(c.problem, solved, 1);
  int corrected = 0;
  for (std::int64_t j = 17; j <= 23; ++j)
    for (std::int64_t i = 17; i <= 23; ++i) {
      const double chord = std::hypot(double(i) * g.hx - seed.x, double(j) * g.hy - seed.y),
                   arc = 2 / 6. * std::asin(6 * chord / 2);
      float minimum = solved.travelTime[g.index(i, j, 0)];
      for (int k = 1; k < g.headings; ++k) minimum = std::min(minimum, solved.travelTime[g.index(i, j, k)]);
      const float time = plane.travelTime[i + g.nx * j];
      corrected += time < minimum;
      EXPECT_GE(time, std::min(double(minimum), 0.988 * arc)) << i << ", " << j;
    }
  EXPECT_GT(corrected, 0);
}

TEST_P(CurvatureBalls, HaveTheStartValueOfASeedBetweenHeadings) {
  Case c = square(GetParam(), 41, 24);
  c.problem.seeds = {{{1, 1, 0.1, false}, 0.5}};
  c.problem.accuracy = Accuracy::SeedBall;
  const std::int64_t middle = 20 + 41 * 20;
  const PlanarResult there = reduceToPlane(c.problem, solveWith(c.problem, Accuracy::SeedBall), 1);
  EXPECT_EQ(there.travelTime[middle], 0.5f);
  EXPECT_NEAR(there.heading[middle], 0.1, 1e-6);
  const RoundTrip trip = solveRoundTrip(c.problem, {Backend::Host, 1, {}}, {});
  EXPECT_EQ(reduceToPlane(c.problem, trip, 1).travelTime[middle], 0.5f);
}

/// Each seed takes a tenth of the work. Solves that last more than a tenth of a second report in between,
/// too.
TEST_P(CurvatureBalls, StopBetweenSeedsOnRequest) {
  Case c = square(GetParam(), 41, 24);
  c.problem.seeds = {{{1, 1, 0, true}}, {{1.2, 1, 0, true}}, {{1.4, 1, 0, true}}};
  c.problem.accuracy = Accuracy::SeedBall;
  std::vector<double> shares;
  const Monitor monitor{[&](double share) {
    shares.push_back(share);
    return share < 0.15; // the second seed
  }};
  const Result result = solveCurvaturePaths(c.problem, {Backend::Host, 1, {}}, monitor);
  EXPECT_TRUE(result.aborted);
  EXPECT_TRUE(result.travelTime.empty());
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_GT(shares.size(), 2u); // at the start and after the first seed
  EXPECT_GE(shares.back(), 0.15);
  EXPECT_LT(shares.back(), 0.2 + 1e-9); // the third seed was not solved
  EXPECT_EQ(std::count_if(shares.begin(), shares.end(), [](double s) { return s >= 0.15; }), 1);
}

TEST_P(CurvatureBalls, DoNotCrossAWall) {
  Case c = square(GetParam(), 41, 24);
  std::vector<std::uint8_t> walls(41 * 41, 0);
  for (int j = 0; j < 40; ++j) walls[21 + 41 * j] = 1;
  c.problem.walls = walls;
  c.problem.seeds = {{{1, 1, 0, true}}};
  c.problem.accuracy = Accuracy::SeedBall;
  const PlanarResult plane = reduceToPlane(c.problem, solveWith(c.problem, Accuracy::SeedBall), 1);
  EXPECT_GT(plane.travelTime[22 + 41 * 20], 1.f); // around the end of the wall
}

TEST(CurvatureBall, OfDubinsHasTheSixWordsOfTheSeed) {
  for (const State& seed : {State{1, 1, 0, false}, State{1.0137, 0.9871, 2.345, false}}) {
    Case c = square(Model::Dubins, 101, 60);
    c.problem.seeds = {{seed, 4}};
    c.problem.cost.constant = 3;

    const Result result = solveWith(c.problem, Accuracy::SeedBall);

    EXPECT_GE(result.balls.size(), 200u);
    for (const BallState& ball : result.balls) {
      const double length = radius * wordBetween(seed, stateOf(c.problem.grid, ball.state)).total();
      EXPECT_NEAR(ball.travelTime, 4 + 3 * length, 2e-6 * (4 + 3 * length)) << "state " << ball.state;
    }
  }
}

TEST(CurvatureBall, OfDubinsIntegratesTheCostAlongTheWords) {
  Case c = square(Model::Dubins, 101, 60);
  const StateGrid& g = c.problem.grid;
  for (std::int64_t p = 0; p < g.planePoints(); ++p) c.cost.push_back(float(1 + 2 * double(p % g.nx) * g.hx));
  c.problem.cost.values = c.cost;

  const Result result = solveWith(c.problem, Accuracy::SeedBall);

  for (const BallState& ball : result.balls) {
    const reference::DubinsWord word = wordBetween({1, 1, 0, false}, stateOf(g, ball.state));
    double sum = 0; // of the cost at 1000 points
    for (int n = 0; n < 1000; ++n)
      sum += 1 + 2 * (1 + radius * reference::follow(word, word.total() * (n + 0.5) / 1000).x);
    EXPECT_NEAR(ball.travelTime, radius * word.total() * sum / 1000, 1e-4 * ball.travelTime);
  }
}

TEST_P(CurvatureBalls, ContainEachStateOnceAndBoundIt) {
  for (const bool varying : {false, true}) {
    const Case c = betweenStates(GetParam(), varying);

    const Result result = solveWith(c.problem, Accuracy::SeedBall);

    std::set<std::int32_t> seeds;
    for (std::size_t b = 0; b < result.balls.size(); ++b) {
      const BallState& ball = result.balls[b];
      const std::int64_t point = ball.state % c.problem.grid.planePoints();
      if (b > 0) ASSERT_LT(result.balls[b - 1].state, ball.state);
      ASSERT_FALSE(c.walls[point]);
      ASSERT_LE(result.travelTime[ball.state], ball.travelTime * (1 + 1e-6));
      ASSERT_GE(ball.travelTime, c.problem.seeds[ball.seed].startValue);
      seeds.insert(ball.seed);
    }
    EXPECT_EQ(seeds.size(), 2u);
  }
}

TEST_P(CurvatureBalls, AreTheSameWithACache) {
  Case c = betweenStates(GetParam(), false);
  c.problem.accuracy = Accuracy::SeedBall;
  for (Seed& seed : c.problem.seeds) seed.startValue = 0;
  Options options{Backend::Host, 1, {}, makeStartCache()};
  const Result alone = solveWith(c.problem, Accuracy::SeedBall),
               once = solveCurvaturePaths(c.problem, options, {}),
               again = solveCurvaturePaths(c.problem, options, {});
  EXPECT_EQ(once.travelTime, alone.travelTime);
  EXPECT_EQ(once.travelTime, again.travelTime);

  for (float& cost : c.cost) cost *= 2; // near the seeds as well
  const Result dear = solveCurvaturePaths(c.problem, options, {});
  for (const BallState& ball : dear.balls) {
    ASSERT_NEAR(dear.travelTime[ball.state], 2 * once.travelTime[ball.state], 1e-4);
  }
}

TEST(CurvatureBall, TakeOneSolveForEachHeadingWhereSeedsHaveTheSameSurroundings) {
  Case c = square(Model::ReedsShepp, 61, 16);
  const double h = c.problem.grid.hx, quarter = pi / 2;
  c.problem.accuracy = Accuracy::SeedBall;
  c.problem.seeds.clear();
  for (int s = 0; s < 9; ++s) // between points, far from the border
    c.problem.seeds.push_back(
        {{(20 + 2.3 * s) * h, (40 - 2.1 * s) * h, quarter * (s % 3), s % 2 == 0}, 0.1 * s});
  const auto solves = [&] {
    StartCache cache;
    const Discretisation d(c.problem);
    std::set<const RefinedSolutions*> different;
    for (std::int32_t s = 0; s < std::int32_t(c.problem.seeds.size()); ++s)
      different.insert(&RefinedStarts(c.problem, d.walls, s, &cache, 1, {}).solutions());
    return std::int64_t(different.size());
  };
  EXPECT_EQ(refinedSolves(c.problem), 4); // three headings, and any heading
  EXPECT_EQ(solves(), 4);

  c.walls.assign(c.problem.grid.planePoints(), 0);
  c.walls[20 + 61 * 34] = 1; // near the first two seeds
  c.problem.walls = c.walls;
  EXPECT_EQ(refinedSolves(c.problem), solves());

  addRoughCost(c, c.problem.grid.planePoints());
  EXPECT_EQ(refinedSolves(c.problem), 9);
  EXPECT_EQ(solves(), 9);

  c.problem.seeds.push_back({{-1, 0, 0, true}, 0}); // outside
  EXPECT_EQ(refinedSolves(c.problem), 9);
  c.problem.model = Model::Dubins; // only seeds with any heading
  EXPECT_EQ(refinedSolves(c.problem), 5);
  c.problem.accuracy = Accuracy::FirstOrder;
  EXPECT_EQ(refinedSolves(c.problem), 0);
}

TEST(CurvatureStartCache, StaysWithinItsLimit) {
  const auto solutionsOf = [](std::size_t values) {
    RefinedSolutions solved;
    solved.fine.travelTime.resize(values);
    return std::make_shared<const RefinedSolutions>(std::move(solved));
  };
  StartCache cache(1000); // bytes
  cache.keep({1}, solutionsOf(100)), cache.keep({2}, solutionsOf(100));
  cache.keep({3}, solutionsOf(250)); // larger than the cache: leaves it as it is
  EXPECT_TRUE(cache.find({2}));
  EXPECT_TRUE(cache.find({1}));
  EXPECT_FALSE(cache.find({3}));

  cache.keep({4}, solutionsOf(100)); // replaces the least recently used one
  EXPECT_FALSE(cache.find({2}));
  EXPECT_TRUE(cache.find({1}));
  EXPECT_TRUE(cache.find({4}));
}

TEST_P(CurvatureBalls, NextToAWallAreNotEarlierThanWithoutIt) {
  Case open = square(GetParam(), 61, 40), closed = square(GetParam(), 61, 40);
  const StateGrid& g = open.problem.grid;
  closed.walls.assign(g.planePoints(), 0);
  for (int j = 22; j < 36; ++j)
    for (int i = 34; i < 40; ++i) closed.walls[i + 61 * j] = 1;
  closed.problem.walls = closed.walls;

  const Result without = solveWith(open.problem, Accuracy::SecondOrder),
               with = solveWith(closed.problem, Accuracy::SecondOrder);

  double minimum = 1;
  for (std::size_t p = 0; p < with.travelTime.size(); ++p)
    if (with.travelTime[p] > g.hx && std::isfinite(with.travelTime[p]))
      minimum = std::min(minimum, double(with.travelTime[p]) / without.travelTime[p]);
  EXPECT_GE(minimum, 0.97);
}

TEST_P(CurvatureBalls, LeadPathsToTheExactPositionOfTheirSeed) {
  for (const bool varying : {false, true}) {
    const Accuracy accuracy = varying ? Accuracy::SecondOrder : Accuracy::SeedBall;
    const Case c = betweenStates(GetParam(), varying);
    const Result result = solveWith(c.problem, accuracy);
    const std::vector<State> tips = randomTips(c.problem.grid, 24);

    const std::vector<Path> paths = extractPaths(c.problem, result, tips, 1);

    std::size_t complete = 0;
    for (std::size_t t = 0; t < tips.size(); ++t) {
      SCOPED_TRACE("tip " + std::to_string(t));
      const Placement at = place(c.problem, tips[t]);
      if (at.status != Placement::Status::Inside) continue;
      if (!std::isfinite(valueOf(c.problem, result.travelTime, at))) continue;
      EXPECT_GT(paths[t].size(), 0u);
      if (paths[t].size() == 0) continue;
      expectLeadsToTheTip(paths[t], c.problem);
      ++complete;
      expectSound(paths[t], c.problem);
      EXPECT_NEAR(paths[t].travelTime.front(), c.problem.seeds[paths[t].seed].startValue, 1e-6);
      const State& seed = c.problem.seeds[paths[t].seed].state;
      EXPECT_NEAR(paths[t].x.front(), seed.x, 1e-9);
      EXPECT_NEAR(paths[t].y.front(), seed.y, 1e-9);
    }
    EXPECT_GE(complete, 12u);
  }
}

INSTANTIATE_TEST_SUITE_P(, CurvatureBalls, testing::ValuesIn(allModels),
                         [](const auto& info) { return nameOf(info.param); });

TEST_P(CurvatureBalls, OfSeveralSeedsHaveTheSeedsNumbers) {
  Case c = square(GetParam(), 61, 40);
  c.problem.seeds = {{{0.9, 1, pi, false}, 0}, {{1.08, 1.05, 0.4, false}, 0}};

  const Result result = solveWith(c.problem, Accuracy::SecondOrder);
  Problem second = c.problem;
  second.accuracy = Accuracy::SecondOrder;
  const PlanarResult plane = reduceToPlane(second, result, 1);

  EXPECT_EQ(plane.seed[10 + 61 * 30], 0);
  EXPECT_EQ(plane.seed[50 + 61 * 40], 1);
  for (const std::int32_t seed : plane.seed) EXPECT_GE(seed, 0);
}

TEST(CurvatureBall, OfDubinsGivesPathsNearTheShortest) {
  Case c = square(Model::Dubins, 101, 60);
  const StateGrid& g = c.problem.grid;
  Random random(9);
  std::vector<State> tips;
  while (tips.size() < 120) {
    const State tip{std::floor(101 * random()) * g.hx, std::floor(101 * random()) * g.hy,
                    std::floor(60 * random()) * g.headingStep(), false};
    const double r = std::hypot(tip.x - 1, tip.y - 1);
    if (r > 0.3 && r < 0.8) tips.push_back(tip);
  }
  const auto medianDistance = [&](Accuracy accuracy) { // between the paths, in grid steps
    const std::vector<Path> paths = extractPaths(c.problem, solveWith(c.problem, accuracy), tips, 1);
    std::vector<double> distances;
    for (std::size_t t = 0; t < tips.size(); ++t) {
      const reference::DubinsWord word = wordBetween({1, 1, 0, false}, tips[t]);
      if (std::abs(paths[t].length / (radius * word.total()) - 1) > 0.3) continue; // another homotopy class
      double sum = 0;
      for (int n = 0; n < 20; ++n) {
        const reference::Pose at = reference::follow(word, word.total() * (n + 0.5) / 20);
        double nearest = 1;
        for (std::size_t p = 0; p < paths[t].size(); ++p)
          nearest = std::min(
              nearest, std::hypot(paths[t].x[p] - 1 - radius * at.x, paths[t].y[p] - 1 - radius * at.y));
        sum += nearest / 20;
      }
      distances.push_back(sum / g.hx);
    }
    EXPECT_GE(distances.size(), 100u);
    std::sort(distances.begin(), distances.end());
    return distances[distances.size() / 2];
  };

  const double plain = medianDistance(Accuracy::FirstOrder), second = medianDistance(Accuracy::SecondOrder);

  EXPECT_LE(plain, 0.4);
  EXPECT_LE(second, 0.5); // 0.37 without limits on the differences
}
