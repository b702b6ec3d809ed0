// Claims about source factoring: its accuracy against closed forms, and that it changes nothing else.
#include "Error.h"
#include "ImageTravelTime/Reuse.h"
#include "ImageTravelTimeCases.h"
#include "InstructionSets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

using namespace isochrone;
using namespace isochrone::image;

namespace {

Result solve(const Problem& problem, SourceFactoring factoring, int threads = 0) {
  Options options;
  options.backend = Backend::Host;
  options.factoring = factoring;
  options.threads = threads;
  return solveImageTravelTime(problem, options, {});
}

double meanError(const Cube& cube, SourceFactoring factoring) {
  return cube.meanError(solve(cube.problem, factoring).travelTime);
}

} // namespace

TEST(SourceFactoring, IsExactAtConstantSpeed) {
  for (const Position& seed : {Position{20, 20, 20}, Position{3.25, 30.5, 11.75}}) {
    const Cube cube(41, 0, seed);
    EXPECT_LT(meanError(cube, SourceFactoring::Additive), 1e-6);
    EXPECT_LT(meanError(cube, SourceFactoring::Multiplicative), 1e-6);
    EXPECT_GT(meanError(cube, SourceFactoring::Off), 1e-2);
  }
}

struct Bound {
  SourceFactoring factoring;
  double error;
};
class FactoringBounds : public testing::TestWithParam<Bound> {};

/// Mean relative errors.
TEST_P(FactoringBounds, HoldInAGradient) {
  EXPECT_LT(meanError(gradientCube(128), GetParam().factoring), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(Cube128, FactoringBounds,
                         testing::Values(Bound{SourceFactoring::Off, 2.7e-2},
                                         Bound{SourceFactoring::Additive, 2.5e-3},
                                         Bound{SourceFactoring::Multiplicative, 4e-4}));

TEST(SourceFactoring, MakesTheErrorFirstOrderInTheStep) {
  for (const auto factoring : {SourceFactoring::Additive, SourceFactoring::Multiplicative}) {
    const double coarse = meanError(gradientCube(32), factoring),
                 fine = meanError(gradientCube(64), factoring);
    EXPECT_GT(coarse / fine, 1.9);
  }
  // Without it the error is of order h log h and decreases more slowly.
  const double coarse = meanError(gradientCube(32), SourceFactoring::Off),
               fine = meanError(gradientCube(64), SourceFactoring::Off);
  EXPECT_LT(coarse / fine, 1.8);
}

namespace {

/// Errors of gradients at up to six spacings from a seed, the seed excepted, sorted.
std::vector<double> gradientErrors(const Cube& cube, const Values<float>& gradient) {
  const double g = cube.gradient;
  std::vector<double> errors;
  for (std::int64_t p = 0; p < cube.problem.grid.points(); ++p) {
    const GridIndex at = cube.problem.grid.indices(p);
    const Position away{double(at[0]) - cube.at[0], double(at[1]) - cube.at[1], double(at[2]) - cube.at[2]};
    const double squared = away[0] * away[0] + away[1] * away[1] + away[2] * away[2];
    if (squared == 0 || squared > 36) continue;
    // The derivatives of Cube::exact: acosh(1 + q) / g with q = g^2 squared / (2 f f_seed).
    const double seed = 1 + g * cube.at[2], here = 1 + g * double(at[2]), slope = 1 / (seed * here);
    const double q = g * g * squared * slope / 2;
    const double factor = g == 0 ? 1 / std::sqrt(squared) : g * slope / std::sqrt(q * (q + 2));
    double error = 0;
    for (int a = 0; a < 3; ++a) {
      const double exact = factor * (away[a] - (a == 2 ? g * squared / (2 * here) : 0));
      error += std::pow(gradient[3 * p + a] - exact, 2);
    }
    errors.push_back(std::sqrt(error));
  }
  std::ranges::sort(errors);
  return errors;
}

} // namespace

TEST(FactoringBalls, MakeTheGradientExactAtConstantSpeed) {
  for (const Position& seed : {Position{8, 8, 8}, Position{7.5, 8.25, 9.75}}) {
    const Cube cube(17, 0, seed);
    const Result result = solve(cube.problem, SourceFactoring::Additive);
    const std::vector<FactoringBall> balls = factoringBalls(cube.problem, result);
    ASSERT_EQ(balls.size(), 1u);
    EXPECT_EQ(balls[0].slowness, 1);
    EXPECT_EQ(balls[0].radius, result.ballRadius[0]);
    const auto plain = gradientErrors(cube, gradient(cube.problem, result.travelTime, 1));
    EXPECT_GT(plain[plain.size() / 2], 0.08);
    EXPECT_LT(gradientErrors(cube, gradient(cube.problem, result, balls, 1)).back(), 2e-5);
    EXPECT_EQ(gradient(cube.problem, result, balls, 3), gradient(cube.problem, result, balls, 1));
  }
}

TEST(FactoringBalls, ReduceTheErrorOfTheGradientWhereTheSpeedVaries) {
  const Cube cube(33, 2. / 32, {16, 16, 16});
  const Result result = solve(cube.problem, SourceFactoring::Additive);
  const auto plain = gradientErrors(cube, gradient(cube.problem, result.travelTime, 1)),
             factored = gradientErrors(
                 cube, gradient(cube.problem, result, factoringBalls(cube.problem, result), 1));
  EXPECT_LT(factored[factored.size() / 2], plain[plain.size() / 2] / 4);
  EXPECT_LT(factored.back(), plain.back() / 4);
}

TEST(FactoringBalls, ChangeNoGradientWithoutFactoringOrOutside) {
  Cube cube(33, 0, {16, 16, 16});
  cube.speed[cube.problem.grid.index(20, 16, 16)] = 0.4f;
  const Result off = solve(cube.problem, SourceFactoring::Off),
               additive = solve(cube.problem, SourceFactoring::Additive);
  EXPECT_EQ(gradient(cube.problem, off, factoringBalls(cube.problem, off), 1),
            gradient(cube.problem, off.travelTime, 1));
  const Values<float> plain = gradient(cube.problem, additive.travelTime, 1),
                      factored = gradient(cube.problem, additive, factoringBalls(cube.problem, additive), 1);
  for (std::int64_t p = 0; p < cube.problem.grid.points(); ++p)
    if (cube.exact(p) >= 4)
      for (int a = 0; a < 3; ++a) ASSERT_EQ(factored[3 * p + a], plain[3 * p + a]) << p;
}

TEST(FactoringBalls, AreUnknownWithoutAStraightLineOfOneSlowness) {
  const Cube cube(9, 0, {4, 4, 4});
  Problem p = cube.problem;
  p.seeds.push_back({{-5, 0, 0}, 1});
  const auto plain = factoringBalls(p, solve(p, SourceFactoring::Additive));
  EXPECT_EQ(plain[0].slowness, 1);
  EXPECT_TRUE(std::isnan(plain[1].slowness)); // outside
  EXPECT_EQ(plain[1].radius, 0);
  p.periodic = {true, false, false};
  EXPECT_TRUE(std::isnan(factoringBalls(p, solve(p, SourceFactoring::Additive))[0].slowness));
}

TEST(RoundFront, PutsPointsAndMiddlesOnTheCircle) {
  const Grid grid{3, 3, 1, 1, 1, 1};
  const auto distance = [](std::int64_t p) { return std::hypot(double(p % 3) - 1, double(p / 3) - 1); };
  const std::vector<FactoringBall> balls{{{1, 1, 0}, 0, 1, 10}};
  // A square through the values on the axes, of which one is not exact, and diagonals.
  Front front{{{1.9, 1, 0}, {1, 1.95, 0}, {0.05, 1, 0}, {1, 0, 0}},
              {0.95, 0.95, 0.95, 0.95},
              {{0, 1, -1}, {1, 2, -1}, {2, 3, -1}, {3, 0, -1}},
              {}};
  front.points[3] = {1, 0.05, 0};
  roundFront(grid, distance, balls, front);
  EXPECT_GE(front.points.size(), 16u);
  EXPECT_EQ(front.points.size(), 4 + front.between.size());
  EXPECT_EQ(front.pieces.size(), front.points.size()); // closed
  const auto fromSeed = [&](const Position& at) { return std::hypot(at[0] - 1, at[1] - 1); };
  for (const Position& at : front.points) EXPECT_NEAR(fromSeed(at), 0.95, 1e-8);
  for (const auto& [a, b, end] : front.pieces) {
    const Position &from = front.points[std::size_t(a)], &to = front.points[std::size_t(b)];
    EXPECT_NEAR(fromSeed({(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, 0}), 0.95, 0.01);
    EXPECT_EQ(end, -1);
  }
}

TEST(RoundFront, KeepsASurfaceClosed) {
  const Grid grid{5, 5, 5, 1, 1, 1};
  const auto distance = [&](std::int64_t p) {
    const GridIndex at = grid.indices(p);
    return std::hypot(double(at[0]) - 2, double(at[1]) - 2, double(at[2]) - 2);
  };
  Front front{{{3.25, 2, 2}, {0.75, 2, 2}, {2, 3.25, 2}, {2, 0.75, 2}, {2, 2, 3.25}, {2, 2, 0.75}},
              std::vector<double>(6, 1.25),
              {},
              {}};
  for (const int x : {0, 1})
    for (const int y : {2, 3})
      for (const int z : {4, 5}) front.pieces.push_back({x, y, z});
  roundFront(grid, distance, std::vector<FactoringBall>{{{2, 2, 2}, 0, 1, 1.75}}, front); // beside its border
  EXPECT_GT(front.pieces.size(), 100u);
  std::map<std::array<std::int64_t, 2>, int> sides;
  double nearest = 2;
  for (const Front::Piece& p : front.pieces) {
    Position middle{};
    for (int n = 0; n < 3; ++n) {
      const auto [a, b] = std::minmax(p[n], p[(n + 1) % 3]);
      ++sides[{a, b}];
      for (int axis = 0; axis < 3; ++axis) middle[axis] += (front.points[std::size_t(p[n])][axis] - 2) / 3;
    }
    nearest = std::min(nearest, std::hypot(middle[0], middle[1], middle[2]));
  }
  for (const auto& [edge, count] : sides) EXPECT_EQ(count, 2);
  for (const Position& at : front.points)
    EXPECT_NEAR(std::hypot(at[0] - 2, at[1] - 2, at[2] - 2), 1.25, 1e-8);
  EXPECT_GT(nearest, 1.25 - 0.02);
}

TEST(RoundFront, LeavesWhatLiesOutsideTheBalls) {
  const Grid grid{5, 5, 1, 1, 1, 1};
  const Front before{{{3.5, 2, 0}, {2, 3.5, 0}}, {1.4, 1.4}, {{0, 1, -1}}, {}};
  Front front = before;
  const std::vector<FactoringBall> balls{{{2, 2, 0}, 0, 1, 1}, {{2, 2, 0}, 0, std::nan(""), 9}};
  roundFront(
      grid, [](std::int64_t) { return 0; }, balls, front);
  EXPECT_EQ(front.points, before.points);
  EXPECT_EQ(front.pieces, before.pieces);
}

TEST(TakenTravelTimes, GiveTheResultOfTheirSolve) {
  for (const char* name : {"SeveralSeeds", "OffGrid", "Maze", "Regions", "PlaneUnequal"}) {
    const Case c = makeCase(name);
    Options options;
    options.backend = Backend::Host;
    options.factoring = SourceFactoring::Additive;
    options.seedIds = true;
    const Result solved = solveImageTravelTime(c.problem, options, {}),
                 taken = takeTravelTime(c.problem, options, solved.travelTime, {});
    EXPECT_EQ(taken.travelTime, solved.travelTime) << name;
    EXPECT_EQ(taken.seed, solved.seed) << name;
    ASSERT_EQ(taken.seeds.size(), solved.seeds.size());
    for (std::size_t s = 0; s < taken.seeds.size(); ++s)
      EXPECT_EQ(taken.seeds[s].point, solved.seeds[s].point);
  }
}

TEST(TakenTravelTimes, AreRefusedIfTheyAreNotThoseOfTheProblem) {
  const Cube cube(5, 0, {2, 2, 2.5});
  const Values<float> times = solve(cube.problem, SourceFactoring::Additive).travelTime;
  const auto message = [&](const Problem& problem, const Values<float>& given) -> std::string {
    try {
      takeTravelTime(problem, {}, given, {});
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message(cube.problem, times), "accepted");
  EXPECT_NE(message(cube.problem, Values<float>(4)).find("a value for each of 125 points"),
            std::string::npos);
  Values<float> bad = times;
  bad[7] = std::nanf("");
  EXPECT_NE(message(cube.problem, bad).find("got nan at point (2, 1, 0)"), std::string::npos);
  bad[7] = -1;
  EXPECT_NE(message(cube.problem, bad).find("earlier than the first start value, 0, got -1"),
            std::string::npos);
  Problem faster = cube.problem;
  faster.speed = {}, faster.constantSpeed = 3;
  EXPECT_NE(message(faster, times).find("later than that of seed 0 next to it"), std::string::npos);
  Problem walled = cube.problem;
  std::vector<std::uint8_t> one(125, 0);
  one[7] = 1;
  walled.barriers = one;
  EXPECT_NE(message(walled, times).find("in a barrier, point (2, 1, 0)"), std::string::npos);
}

TEST(SourceFactoring, ReportsTheRadiusOfNearlyConstantSpeed) {
  Cube cube(41, 0, {20, 20, 20});
  cube.speed[cube.problem.grid.index(20, 27, 20)] = 0.4f;
  const Result result = solve(cube.problem, SourceFactoring::Additive);
  ASSERT_EQ(result.ballRadius.size(), 1u);
  EXPECT_DOUBLE_EQ(result.ballRadius[0], 7);
}

TEST(SourceFactoring, NoTileIsWithinTheRadiiOfTwoSeeds) {
  Cube cube(61, 0, {20, 20, 20});
  cube.problem.seeds.push_back({{20, 20, 50}, 0});
  const Result result = solve(cube.problem, SourceFactoring::Additive);
  const double diagonal = 7 * std::sqrt(3.); // diagonal of a tile of 8x8x8 points
  ASSERT_EQ(result.ballRadius.size(), 2u);
  for (const double radius : result.ballRadius) EXPECT_NEAR(radius, (30 - diagonal) / 2, 1e-9);
}

TEST(SourceFactoring, ReachesTheSamePoints) {
  for (const char* name :
       {"Noise", "Maze", "SeveralSeeds", "OffGrid", "NoSpeedHoles", "PlaneUnequal", "Diagonal"}) {
    const Case c = makeCase(name);
    const Result plain = solve(c.problem, SourceFactoring::Off);
    for (const auto factoring : {SourceFactoring::Additive, SourceFactoring::Multiplicative}) {
      const Result factored = solve(c.problem, factoring);
      for (std::size_t p = 0; p < plain.travelTime.size(); ++p)
        ASSERT_EQ(std::isinf(plain.travelTime[p]), std::isinf(factored.travelTime[p])) << name << ' ' << p;
    }
  }
}

TEST(SourceFactoring, HasTheSameBitsForThreadsAndInstructionSets) {
  for (const char* name : {"Noise", "SeveralSeeds", "OffGrid", "Plane", "UnequalSpacing"}) {
    const Case c = makeCase(name);
    for (const auto factoring : {SourceFactoring::Additive, SourceFactoring::Multiplicative}) {
      const Result one = solve(c.problem, factoring, 1);
      EXPECT_EQ(solve(c.problem, factoring, 3).travelTime, one.travelTime) << name;
      onEachInstructionSet([&](const char* isa) {
        EXPECT_EQ(solve(c.problem, factoring, 2).travelTime, one.travelTime) << name << ", " << isa;
      });
    }
  }
}

TEST(SourceFactoring, KeepsStartValues) {
  Cube cube = gradientCube(32);
  const Result from0 = solve(cube.problem, SourceFactoring::Multiplicative);
  cube.problem.seeds[0].startValue = 1000;
  const Result from1000 = solve(cube.problem, SourceFactoring::Multiplicative);
  for (std::size_t p = 0; p < from0.travelTime.size(); ++p)
    ASSERT_NEAR(from1000.travelTime[p] - 1000, from0.travelTime[p], 1e-4);
}

TEST(SourceFactoring, ReportsWhereTheSpeedIsTooRough) {
  EXPECT_TRUE(solve(makeCase("Noise").problem, SourceFactoring::Multiplicative).roughSpeed);
  EXPECT_FALSE(solve(makeCase("Noise").problem, SourceFactoring::Additive).roughSpeed);
  EXPECT_FALSE(solve(gradientCube(32).problem, SourceFactoring::Multiplicative).roughSpeed);
}

TEST(SourceFactoring, TerminatesForAnySpeedAndSeed) {
  for (int run = 0; run < 50; ++run) {
    Case c;
    c.problem.grid = {17, 15, run % 2 ? 1 : 13, 1, run % 3 ? 1. : 0.4, 1};
    const double range = run % 5 ? 1 : 3; // decades
    for (std::int64_t p = 0; p < c.problem.grid.points(); ++p)
      c.speed.push_back(float(std::pow(10, -range * noise(1000 * run + p))));
    c.problem.speed = c.speed;
    const auto place = [&](int axis, double size) { return size * noise(7 * run + axis); };
    c.problem.seeds = {{{place(0, 16), place(1, 14 * c.problem.grid.hy), run % 2 ? 0 : place(2, 12)}, 0}};
    for (const auto factoring : {SourceFactoring::Additive, SourceFactoring::Multiplicative}) {
      const Result result = solve(c.problem, factoring, 1);
      // Nearly as many rounds as the plain scheme: no two points lower each other step by step.
      EXPECT_LT(result.rounds, 10 * solve(c.problem, SourceFactoring::Off, 1).rounds + 20) << run;
    }
  }
}
