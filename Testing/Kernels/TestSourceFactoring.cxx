// Claims about source factoring: how near it comes to closed forms, and that it changes nothing else.
#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTimeCases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

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

/// A cube with speed 1 + gradient * z and a seed at `at`, in steps.
struct Cube {
  std::int64_t n;
  double gradient;
  Position at;
  std::vector<float> speed;
  Problem problem;

  Cube(std::int64_t size, double gradientOfSpeed, const Position& seed)
      : n(size), gradient(gradientOfSpeed), at(seed) {
    problem.grid = {n, n, n, 1, 1, 1};
    speed.resize(problem.grid.points());
    for (std::size_t p = 0; p < speed.size(); ++p)
      speed[p] = float(1 + gradient * double(std::int64_t(p) / (n * n)));
    problem.speed = speed;
    problem.seeds = {{at, 0}};
  }

  /// |x - seed| at constant speed; acosh(1 + g^2 |x - seed|^2 / (2 f f_seed)) / g in a gradient g.
  double exact(std::int64_t p) const {
    const double x = double(p % n) - at[0], y = double(p / n % n) - at[1], z = double(p / (n * n)) - at[2];
    const double squared = x * x + y * y + z * z, g = gradient;
    if (g == 0) return std::sqrt(squared);
    return std::acosh(1 + g * g * squared / (2 * (1 + g * at[2]) * (1 + g * (at[2] + z)))) / g;
  }

  double meanError(SourceFactoring factoring) const {
    const Result result = solve(problem, factoring);
    double sum = 0;
    for (std::int64_t p = 0; p < problem.grid.points(); ++p)
      if (const double t = exact(p); t > 0) sum += std::abs(result.travelTime[p] - t) / t;
    return sum / double(problem.grid.points());
  }
};

/// 3:1 from one end to the other, as in the specification's measurement.
Cube gradient(std::int64_t n) { return {n, 2. / double(n), {double(n / 2), double(n / 2), double(n / 2)}}; }

} // namespace

TEST(SourceFactoring, IsExactAtConstantSpeed) {
  for (const Position& seed : {Position{20, 20, 20}, Position{3.25, 30.5, 11.75}}) {
    const Cube cube(41, 0, seed);
    EXPECT_LT(cube.meanError(SourceFactoring::Additive), 1e-6);
    EXPECT_LT(cube.meanError(SourceFactoring::Multiplicative), 1e-6);
    EXPECT_GT(cube.meanError(SourceFactoring::Off), 1e-2);
  }
}

TEST(SourceFactoring, ErrorsInAGradientAreThoseOfTheSpecification) {
  const Cube cube = gradient(128);
  EXPECT_LT(cube.meanError(SourceFactoring::Off), 2.7e-2);
  EXPECT_LT(cube.meanError(SourceFactoring::Additive), 2.5e-3);
  EXPECT_LT(cube.meanError(SourceFactoring::Multiplicative), 4e-4);
}

TEST(SourceFactoring, MakesTheErrorFirstOrderInTheStep) {
  for (const auto factoring : {SourceFactoring::Additive, SourceFactoring::Multiplicative}) {
    const double coarse = gradient(32).meanError(factoring), fine = gradient(64).meanError(factoring);
    EXPECT_GT(coarse / fine, 1.9);
  }
  // Without it the error is of order h log h: it falls more slowly.
  const double coarse = gradient(32).meanError(SourceFactoring::Off),
               fine = gradient(64).meanError(SourceFactoring::Off);
  EXPECT_LT(coarse / fine, 1.8);
}

TEST(SourceFactoring, ReportsTheBallInWhichTheSpeedVariesLittle) {
  Cube cube(41, 0, {20, 20, 20});
  cube.speed[cube.problem.grid.index(20, 27, 20)] = 0.4f;
  const Result result = solve(cube.problem, SourceFactoring::Additive);
  ASSERT_EQ(result.ballRadius.size(), 1u);
  EXPECT_DOUBLE_EQ(result.ballRadius[0], 7);
}

TEST(SourceFactoring, NoTileMeetsTheBallsOfTwoSeeds) {
  Cube cube(61, 0, {20, 20, 20});
  cube.problem.seeds.push_back({{20, 20, 50}, 0});
  const Result result = solve(cube.problem, SourceFactoring::Additive);
  const double diagonal = 7 * std::sqrt(3.); // of a tile of 8x8x8 points
  ASSERT_EQ(result.ballRadius.size(), 2u);
  for (const double radius : result.ballRadius) EXPECT_NEAR(radius, (30 - diagonal) / 2, 1e-9);
}

TEST(SourceFactoring, ReachesTheSamePoints) {
  for (const std::string& name : caseNames()) {
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
      setenv("ISOCHRONE_HOST_ISA", "sse2", 1);
      EXPECT_EQ(solve(c.problem, factoring, 2).travelTime, one.travelTime) << name;
      unsetenv("ISOCHRONE_HOST_ISA");
    }
  }
}

TEST(SourceFactoring, KeepsStartValues) {
  Cube cube = gradient(32);
  const Result from0 = solve(cube.problem, SourceFactoring::Multiplicative);
  cube.problem.seeds[0].startValue = 1000;
  const Result from1000 = solve(cube.problem, SourceFactoring::Multiplicative);
  for (std::size_t p = 0; p < from0.travelTime.size(); ++p)
    ASSERT_NEAR(from1000.travelTime[p] - 1000, from0.travelTime[p], 1e-4);
}

TEST(SourceFactoring, EndsWhateverTheSpeedAndWhereverTheSeed) {
  for (int run = 0; run < 100; ++run) {
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
      // As many rounds as the plain scheme, to a small factor: no two points lower each other step by step.
      EXPECT_LT(result.rounds, 10 * solve(c.problem, SourceFactoring::Off, 1).rounds + 20) << run;
    }
  }
}
