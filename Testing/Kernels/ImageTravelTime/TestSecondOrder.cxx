// Claims about travel times of second order.
#include "Error.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTimeCases.h"

#include <gtest/gtest.h>

using namespace isochrone;
using namespace isochrone::image;

namespace {

Result solve(const Problem& problem, SourceFactoring factoring, int order, int threads = 0) {
  Options options;
  options.backend = Backend::Host;
  options.factoring = factoring;
  options.order = order;
  options.threads = threads;
  return solveImageTravelTime(problem, options, {});
}

double meanError(const Cube& cube, SourceFactoring factoring, int order) {
  return cube.meanError(solve(cube.problem, factoring, order).travelTime);
}

} // namespace

struct Bound {
  SourceFactoring factoring;
  double error;
};
class SecondOrderBounds : public testing::TestWithParam<Bound> {};

/// Mean relative errors. Another second-order scheme has 1.2e-5; without factoring the error is 7e-3.
TEST_P(SecondOrderBounds, HoldInAGradient) {
  EXPECT_LT(meanError(gradientCube(128), GetParam().factoring, 2), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(Cube128, SecondOrderBounds,
                         testing::Values(Bound{SourceFactoring::Off, 8e-3},
                                         Bound{SourceFactoring::Additive, 2e-4},
                                         Bound{SourceFactoring::Multiplicative, 5e-5}));

TEST(SecondOrder, HalvingTheStepDividesTheFactoredErrorByMoreThanTwo) {
  for (const auto factoring : {SourceFactoring::Additive, SourceFactoring::Multiplicative}) {
    const double coarse = meanError(gradientCube(32), factoring, 2),
                 fine = meanError(gradientCube(64), factoring, 2);
    EXPECT_GT(coarse / fine, 3);
  }
}

TEST(SecondOrder, IsExactAtConstantSpeed) {
  const Cube cube(41, 0, {3.25, 30.5, 11.75});
  EXPECT_LT(meanError(cube, SourceFactoring::Multiplicative, 2), 1e-6);
  EXPECT_LT(meanError(cube, SourceFactoring::Additive, 2), 1e-6);
}

TEST(SecondOrder, ReachesTheSamePointsAndKeepsTheSeeds) {
  for (const char* name :
       {"Noise", "Maze", "SeveralSeeds", "OffGrid", "NoSpeedHoles", "PlaneUnequal", "Diagonal"}) {
    const Case c = makeCase(name);
    for (const auto factoring :
         {SourceFactoring::Off, SourceFactoring::Additive, SourceFactoring::Multiplicative}) {
      const Result first = solve(c.problem, factoring, 1), second = solve(c.problem, factoring, 2);
      for (std::size_t p = 0; p < first.travelTime.size(); ++p)
        ASSERT_EQ(std::isfinite(first.travelTime[p]), std::isfinite(second.travelTime[p]))
            << name << ' ' << p;
      for (std::size_t i = 0; i < second.seeds.size(); ++i) {
        if (second.seeds[i].status != Placement::Status::Inside) continue;
        const std::int64_t point = second.seeds[i].point;
        if (first.travelTime[point] == float(c.problem.seeds[i].startValue)) // no other front arrived earlier
          EXPECT_EQ(second.travelTime[point], first.travelTime[point]) << name;
      }
    }
  }
}

TEST(SecondOrder, HasTheSameBitsForAnyNumberOfThreads) {
  const Case c = makeCase("Noise");
  EXPECT_EQ(solve(c.problem, SourceFactoring::Additive, 2, 1).travelTime,
            solve(c.problem, SourceFactoring::Additive, 2, 3).travelTime);
}

TEST(SecondOrder, RefusesOtherOrders) {
  const Case c = makeCase("Line");
  EXPECT_THROW(solve(c.problem, SourceFactoring::Off, 3), Error);
}

TEST(SecondOrder, ImprovesOnFirstOrderAroundASeedBetweenPoints) {
  const Cube cube(41, 0, {20.3, 20.4, 19.8});
  EXPECT_LT(meanError(cube, SourceFactoring::Off, 2), meanError(cube, SourceFactoring::Off, 1) / 2);
}
