// Claims about travel times on images: the fixed point of the upwind scheme on any image, for any number of
// threads and every instruction set.
#include "Error.h"
#include "ImageHostSolves.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTimeCases.h"
#include "InstructionSets.h"
#include "Reference/ImageTravelTimeReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

using namespace isochrone;
using namespace isochrone::image;

namespace {

class ImageTravelTime : public testing::TestWithParam<std::string> {};

} // namespace

TEST_P(ImageTravelTime, EqualsFastMarching) {
  const Case c = makeCase(GetParam());
  const Result result = solve(c.problem);
  const std::vector<double> expected = reference::march(c.problem);
  const double earliest = *std::min_element(expected.begin(), expected.end());
  double latest = earliest;
  for (const double time : expected)
    if (std::isfinite(time)) latest = std::max(latest, time);
  // The position of a seed on a point is rounded. With fused multiply-add, as compilers generate for AArch64,
  // the reference gives that point the time of the rounding error instead of 0.
  const double rounding = 1e-14 * (latest - earliest);
  for (std::int64_t n = 0; n < c.problem.grid.points(); ++n) {
    ASSERT_EQ(std::isinf(expected[n]), std::isinf(result.travelTime[n])) << n;
    if (std::isinf(expected[n])) continue;
    // With negative start values, relative to the time since the earliest one.
    const double size = std::max(std::abs(expected[n]), expected[n] - earliest);
    ASSERT_NEAR(result.travelTime[n], expected[n], 1e-6 * size + rounding) << n;
  }
}

TEST_P(ImageTravelTime, IsAFixedPoint) {
  const Case c = makeCase(GetParam());
  // 4 units in the last place, for negative start values of the time since the earliest one.
  const double maximum = 4 * 0x1p-23 * (GetParam() == "SeveralSeeds" || GetParam() == "OffGrid" ? 20 : 1);
  EXPECT_LE(reference::largestDecrease(c.problem, solve(c.problem).travelTime), maximum);
}

TEST_P(ImageTravelTime, HasTheSameBitsForAnyNumberOfThreads) {
  const Case c = makeCase(GetParam());
  Options options;
  options.threads = 1;
  const Result one = solve(c.problem, options);
  for (const int threads : {2, 3, 5}) {
    options.threads = threads;
    EXPECT_EQ(solve(c.problem, options).travelTime, one.travelTime) << threads << " threads";
  }
}

TEST_P(ImageTravelTime, HasTheSameBitsOnEveryInstructionSet) {
  const Case c = makeCase(GetParam());
  const Result best = solve(c.problem);
  onEachInstructionSet(
      [&](const char* isa) { EXPECT_EQ(solve(c.problem).travelTime, best.travelTime) << isa; });
}

INSTANTIATE_TEST_SUITE_P(Images, ImageTravelTime, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });
