// Claims about fronts from two sets of seeds: the two-way time, and the path that joins the sets.
#include "ImageTravelTime/ImageTravelTime.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

using namespace isochrone;
using namespace isochrone::image;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

Path line(std::vector<double> x, std::vector<double> time) {
  Path path;
  path.status = PathStatus::Complete;
  path.x = std::move(x);
  path.y.assign(path.x.size(), 0);
  path.z.assign(path.x.size(), 2);
  path.travelTime = std::move(time);
  path.length = std::abs(path.x.back() - path.x.front());
  return path;
}

Problem row(std::int64_t points) {
  Problem problem;
  problem.grid = {points, 1, 1, 0.5, 1, 1};
  return problem;
}

} // namespace

TEST(ImageTwoWay, TimeIsTheSumAndConnectivityItsMinimumOverIt) {
  const std::vector<float> there{0, 1, 2, 5}, back{4, 2, 2, 3};
  const TwoWay both = combine(row(4), there, back, 1);
  EXPECT_EQ(both.time, (Values<float>{4, 3, 4, 8}));
  EXPECT_EQ(both.connectivity, (Values<float>{0.75f, 1, 0.75f, 0.375f}));
  EXPECT_EQ(both.meeting, (Position{0.5, 0, 0}));
}

TEST(ImageTwoWay, DoesNotDependOnTheOrderOfTheSetsOrOnThreads) {
  Problem problem;
  problem.grid = {31, 20, 11, 1, 0.5, 2};
  problem.seeds = {{{3, 4, 5}, 1}};
  Problem backward = problem;
  backward.seeds = {{{28, 7, 18}, -0.5}, {{20, 1, 3}, 2}};
  Options options;
  options.backend = Backend::Host;
  const auto u = solveImageTravelTime(problem, options, {}).travelTime;
  const auto v = solveImageTravelTime(backward, options, {}).travelTime;
  const TwoWay one = combine(problem, u, v, 1), other = combine(problem, v, u, 3);
  EXPECT_EQ(one.time, other.time);
  EXPECT_EQ(one.connectivity, other.connectivity);
  EXPECT_EQ(one.meeting, other.meeting);
  ASSERT_TRUE(one.meeting);
  EXPECT_EQ(one.time[place(problem, *one.meeting).point],
            *std::min_element(one.time.begin(), one.time.end()));
  for (const float c : one.connectivity) EXPECT_TRUE(c > 0 && c <= 1) << c;
}

TEST(ImageTwoWay, HasNoConnectivityBetweenSeparatedSets) {
  const std::vector<float> there{0, 1, infinity}, back{infinity, 1, 0};
  const TwoWay both = combine(row(3), there, back, 1);
  EXPECT_EQ(both.connectivity, (Values<float>{0, 1, 0}));
  EXPECT_EQ(both.meeting, (Position{0.5, 0, 0}));
  EXPECT_FALSE(combine(row(3), there, std::vector<float>{infinity, infinity, 0}, 1).meeting);
}

TEST(ImageTwoWay, ConnectivityIsInUnitRangeForMeetingSetsAndNegativeStarts) {
  const std::vector<float> there{0, 1, -3}, back{0, 1, 2};
  EXPECT_EQ(combine(row(3), there, back, 1).connectivity, (Values<float>{0, 0, 1}));
  EXPECT_EQ(combine(row(3), back, back, 1).connectivity, (Values<float>{1, 0, 0}));
}

TEST(ImageTwoWay, JoinedPathRunsFromSeedToSeed) {
  const Path path = join(line({0, 1, 3}, {0.5, 1, 2}), line({7, 4, 3}, {0, 2, 3}));
  EXPECT_EQ(path.x, (std::vector<double>{0, 1, 3, 4, 7}));
  EXPECT_EQ(path.z, std::vector<double>(5, 2));
  EXPECT_EQ(path.travelTime, (std::vector<double>{0.5, 1, 2, 3, 5}));
  EXPECT_EQ(path.length, 7);
  EXPECT_EQ(path.status, PathStatus::Complete);
}

TEST(ImageTwoWay, NoPathJoinsSeparatedSets) {
  EXPECT_EQ(join(line({0, 1}, {0, 1}), Path{}).size(), 0u);
  EXPECT_EQ(join(Path{}, line({0, 1}, {0, 1})).size(), 0u);
}
