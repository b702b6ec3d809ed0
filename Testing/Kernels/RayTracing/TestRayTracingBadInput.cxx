// Claims about refused input, and about messages with what, where and value.
#include "Error.h"
#include "RayTracingChecks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

using namespace isochrone;
using namespace isochrone::rays;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

void expectError(const Problem& problem, const Options& options, std::initializer_list<const char*> words) {
  try {
    solve(problem, options);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    for (const char* word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in: " << error.what();
  }
}

const Options accurate = onHost(WeightRule::Accurate);

/// Returns 9 x 7 points of slowness 1 with the source in the middle.
Case small(const Options& options = accurate) {
  return makeCase({"small", {9, 7, 1}, [](auto...) { return 1.; }, {{{4, 3, 0}}}, {}}, options);
}

} // namespace

TEST(RayTracingBadInput, RefusesWrongSizesAndSpacings) {
  Case c = small();
  const Problem good = c.problem;
  c.problem.slowness = c.problem.slowness.first(60);
  expectError(c.problem, accurate, {"slowness", "63", "60", "points"});
  expectError(good, onHost(WeightRule::Cells), {"slowness", "48", "63", "cells"});
  expectError(good, onHost(WeightRule::Accurate, StarKind::Coprime, {3, 3, 3}, true), {"slowness", "double"});
  for (const double bad : {0., -1., notANumber, blanked}) {
    c.problem = good;
    c.problem.grid.hy = bad;
    expectError(c.problem, accurate, {"spacing", "along y"});
  }
  c.problem = good;
  c.problem.grid.nz = 0;
  expectError(c.problem, accurate, {"points", "0", "along z"});
  c.problem.grid = {1, 1, 1};
  expectError(c.problem, accurate, {"more than one point"});
  c.problem.grid = {std::int64_t(1) << 31, 1, 1};
  expectError(c.problem, accurate, {"axis", "2147483648", "along x", "coarser"});
}

TEST(RayTracingBadInput, RefusesInvalidSlownessByPlace) {
  for (const double bad : {0., -2., notANumber, -blanked}) {
    Case c = small();
    c.slowness[9 * 5 + 3] = float(bad);
    expectError(c.problem, accurate, {"slowness", "positive", "point (3, 5, 0)"});
    c.problem.pointName = [](std::int64_t i, std::int64_t j, std::int64_t) {
      return "vertex " + std::to_string(i) + "/" + std::to_string(j);
    };
    expectError(c.problem, accurate, {"vertex 3/5"});
  }
  Case cells = small(onHost(WeightRule::Cells));
  cells.slowness[8 * 2 + 7] = -1;
  expectError(cells.problem, onHost(WeightRule::Cells), {"slowness", "-1", "cell (7, 2, 0)"});
}

TEST(RayTracingBadInput, RefusesImagesWithoutOpenPoints) {
  Case c = small();
  std::ranges::fill(c.slowness, float(blanked));
  expectError(c.problem, accurate, {"all points", "blanked", "velocity"});
}

TEST(RayTracingBadInput, RefusesInvalidSourcesByPlace) {
  Case c = small();
  const Problem good = c.problem;
  c.problem.sources.clear();
  expectError(c.problem, accurate, {"no source"});
  for (const Position& outside : {Position{20, 3, 0}, {4, -0.6, 0}, {notANumber, 3, 0}}) {
    c.problem.sources = {good.sources[0], {outside, 0}};
    expectError(c.problem, accurate, {"source 1", "outside"});
  }
  c.problem.sources = {{{4, 3, 0}, notANumber}};
  expectError(c.problem, accurate, {"start time", "source 0", "finite"});
  c.problem.sources = {{{4, 3, 0}, blanked}};
  expectError(c.problem, accurate, {"start time", "source 0", "finite"});
  c.problem = good;
  c.slowness[9 * 3 + 4] = float(blanked);
  expectError(c.problem, accurate, {"source 0", "(4, 3, 0)", "blanked"});
  c.slowness[9 * 3 + 5] = float(blanked);
  c.problem.sources = {{{4.5, 3, 0}}};
  expectError(c.problem, accurate, {"source 0", "(4.5, 3, 0)", "blanked"});
}

TEST(RayTracingBadInput, RefusesInvalidStartTimes) {
  Case c = small();
  std::vector<float> times(62, 0.f);
  c.problem.startTimes = times;
  expectError(c.problem, accurate, {"start times", "63", "62"});
  times.assign(63, float(blanked));
  times[11] = float(notANumber);
  c.problem.startTimes = times;
  expectError(c.problem, accurate, {"start times", "finite", "point (2, 1, 0)"});
  times[11] = 3;
  Options precise = accurate;
  precise.doublePrecision = true;
  Problem inDouble = c.problem;
  const std::vector<double> slowness(c.problem.slowness.begin(), c.problem.slowness.end());
  inDouble.slowness = {};
  inDouble.preciseSlowness = slowness;
  expectError(inDouble, precise, {"start times", "precision"});
  Options separate = accurate;
  separate.separateSources = true;
  expectError(c.problem, separate, {"start times", "together"});
}

TEST(RayTracingBadInput, RefusesFieldsOfSourcesThatAreNotNumberedInOrder) {
  Case c = small();
  c.problem.sources.assign(3, {{1, 1, 0}, 0});
  Options options = accurate;
  options.separateSources = true;
  const auto expectRefused = [&](std::vector<std::int32_t> fields, std::initializer_list<const char*> words) {
    options.fieldOfSource = std::move(fields);
    expectError(c.problem, options, words);
  };
  expectRefused({0, 1}, {"field", "3 sources", "got 2"});
  expectRefused({0, 0, 2}, {"0, 1, ... without gaps", "got 2"});
  expectRefused({1, 1, 2}, {"without gaps", "got 1"});
  expectRefused({-1, 0, 0}, {"without gaps", "got -1"});
  options.fieldOfSource = {1, 0, 1};
  EXPECT_EQ(solve(c.problem, options).fields.size(), 2u);
}

TEST(RayTracingBadInput, RefusesTemplatesOutOfRange) {
  const Case c = small();
  const auto coprime = [](const std::array<int, 3>& radius) {
    return onHost(WeightRule::Accurate, StarKind::Coprime, radius);
  };
  expectError(c.problem, coprime({0, 3, 3}), {"radius", "1 and 8", "0 along the first axis"});
  expectError(c.problem, coprime({3, 9, 3}), {"radius", "1 and 8", "9 along the second axis"});
  EXPECT_EQ(solve(c.problem, coprime({3, 3, 99})).fields.size(), 1u); // z has one point
  const Case volume =
      makeCase({"volume", {4, 4, 4}, [](auto...) { return 1.; }, {{{0, 0, 0}}}, {}}, accurate);
  expectError(volume.problem, coprime({3, 3, 5}), {"radius", "1 and 4", "5 along the third axis"});
  for (const StarKind kind : {StarKind::Balanced24, StarKind::Balanced48})
    expectError(volume.problem, onHost(WeightRule::Accurate, kind),
                {"balanced", "plane", "got 3", "coprime"});
}

TEST(RayTracingBadInput, RefusesTimesOutOfRange) {
  Case c = small();
  c.problem.grid.hx = c.problem.grid.hy = 1e-36;
  expectError(c.problem, accurate, {"1e-36", "single", "units"});
  c.problem.grid.hx = c.problem.grid.hy = 1e32;
  expectError(c.problem, accurate, {"single", "units"});
  const Options precise = onHost(WeightRule::Accurate, StarKind::Coprime, {3, 3, 3}, true);
  Case d = small(precise);
  d.problem.grid.hx = d.problem.grid.hy = 1e32;
  EXPECT_EQ(solve(d.problem, precise).fields[0].preciseTravelTime.size(), 63u);
  Case tiny = small();
  tiny.problem.grid.hx = tiny.problem.grid.hy = 1e-46;
  std::vector<float> slow(tiny.problem.slowness.size(), 1e38f);
  tiny.problem.slowness = slow;
  expectError(tiny.problem, accurate, {"1e-46", "long", "single", "units"});
  Case late = small();
  late.problem.sources[0].startTime = 1e39;
  expectError(late.problem, accurate, {"single", "start time", "source 0", "1e+39", "double"});
}

TEST(RayTracingBadInput, RefusesFieldsLargerThanMemoryBeforeAnyAllocation) {
  Options options = onHost(WeightRule::Fast, StarKind::Coprime, {1, 1, 1});
  options.separateSources = true;
  Case c = makeCase({"many", {1000, 1000, 1}, [](auto...) { return 1.; }, {}, {}}, options);
  c.problem.sources.assign(1000000, {{500, 500, 0}, 0});
  expectError(c.problem, options, {"1000 x 1000 x 1", "1000000 sources", "memory"});
}
