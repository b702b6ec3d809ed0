// Claims about source factoring: its accuracy against closed forms, and that it changes nothing else.
#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTimeCases.h"
#include "InstructionSets.h"

#include <gtest/gtest.h>

#include <cmath>

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
