// Claims about the derivatives of the travel times of single tips, row by row.
#include "Backend.h"
#include "Error.h"
#include "ImageSensitivityCases.h"
#include "ImageTravelTimeCases.h"
#include "Noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace isochrone;
using namespace isochrone::image;

namespace {

Jacobian rowsOf(const Problem& problem, std::span<const float> travelTime, std::span<const Position> tips,
                SourceFactoring factoring, int threads = 0) {
  SensitivityOptions options;
  options.factoring = factoring;
  options.threads = threads;
  return differentiateEach(problem, travelTime, tips, options);
}

std::vector<Position> positionsOf(std::span<const WeightedTip> tips) {
  std::vector<Position> positions;
  for (const WeightedTip& tip : tips) positions.push_back(tip.at);
  return positions;
}

/// Returns a problem with the slownesses of a case.
Problem withSlowness(const Case& c, std::vector<float>& slowness) {
  Problem p = c.problem;
  if (p.speedType != SpeedType::Speed) return p;
  p.speedType = SpeedType::Slowness;
  p.constantSpeed = 1 / p.constantSpeed;
  for (const float speed : p.speed) slowness.push_back(1 / speed);
  p.speed = slowness;
  return p;
}

double largest(const Values<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

constexpr const char* cases[] = {"Plane", "OffGrid",        "SeveralSeeds", "Constant",
                                 "Noise", "MazeFromTheEnd", "Regions"};

} // namespace

TEST(ImageJacobian, RowsAreTheSensitivitiesOfSingleTips) {
  for (const char* name : cases)
    for (const SourceFactoring factoring : factorings) {
      const Case c = makeCase(name);
      std::vector<float> slowness;
      const Problem p = withSlowness(c, slowness);
      const Result solved = solve(p, factoring);
      const std::vector<WeightedTip> tips = someTips(p.grid, 12);
      const Jacobian all = rowsOf(p, solved.travelTime, positionsOf(tips), factoring);
      ASSERT_EQ(all.matrix.row.size(), tips.size() + 1);
      for (std::size_t t = 0; t < tips.size(); ++t) {
        const WeightedTip only[] = {{tips[t].at, 1}};
        Values<double> rest = derive(p, solved.travelTime, only, factoring).speed;
        const double scale = largest(rest);
        for (std::int64_t n = all.matrix.row[t]; n < all.matrix.row[t + 1]; ++n)
          rest[std::size_t(all.matrix.element[std::size_t(n)])] -= all.matrix.weight[std::size_t(n)];
        EXPECT_LE(largest(rest), 1e-12 * scale) << name << ", tip " << t;
      }
    }
}

TEST(ImageJacobian, RowsAddUpToTheSensitivity) {
  for (const char* name : cases)
    for (const SourceFactoring factoring : factorings) {
      const Case c = makeCase(name);
      std::vector<float> slowness;
      const Problem p = withSlowness(c, slowness);
      const Result solved = solve(p, factoring);
      const std::vector<WeightedTip> tips = someTips(p.grid, 40);
      const Jacobian all = rowsOf(p, solved.travelTime, positionsOf(tips), factoring);
      Values<double> rest = derive(p, solved.travelTime, tips, factoring).speed;
      const double scale = largest(rest);
      for (std::size_t t = 0; t < tips.size(); ++t)
        for (std::int64_t n = all.matrix.row[t]; n < all.matrix.row[t + 1]; ++n)
          rest[std::size_t(all.matrix.element[std::size_t(n)])] -=
              tips[t].weight * all.matrix.weight[std::size_t(n)];
      EXPECT_LE(largest(rest), 1e-11 * scale) << name;
    }
}

TEST(ImageJacobian, WeightsTimesSlownessAddUpToTheTime) {
  for (const char* name : {"Plane", "Constant", "Noise", "MazeFromTheEnd"}) // one seed
    for (const SourceFactoring factoring : factorings) {
      const Case c = makeCase(name);
      std::vector<float> slowness;
      const Problem p = withSlowness(c, slowness);
      const Result solved = solve(p, factoring);
      const Jacobian all = rowsOf(p, solved.travelTime, positionsOf(someTips(p.grid, 30)), factoring);
      int rows = 0;
      for (std::size_t t = 0; t < all.tips.size(); ++t) {
        if (all.tips[t].point < 0) {
          EXPECT_EQ(all.matrix.row[t], all.matrix.row[t + 1]);
          continue;
        }
        ++rows;
        double sum = p.seeds[0].startValue;
        for (std::int64_t n = all.matrix.row[t]; n < all.matrix.row[t + 1]; ++n) {
          const auto point = std::size_t(all.matrix.element[std::size_t(n)]);
          EXPECT_TRUE(n == all.matrix.row[t] ||
                      all.matrix.element[std::size_t(n)] > all.matrix.element[std::size_t(n - 1)]);
          sum += all.matrix.weight[std::size_t(n)] *
                 (p.speed.empty() ? p.constantSpeed : double(p.speed[point]));
        }
        const double time = double(solved.travelTime[std::size_t(all.tips[t].point)]);
        EXPECT_NEAR(sum, time, roundingOf(factoring) * std::abs(time)) << name << ", tip " << t;
      }
      EXPECT_GE(rows, 10) << name;
    }
}

/// Near a plane through the seed, points depend on each other. Some of them have no other users.
TEST(ImageJacobian, RowsPassThroughPointsThatDependOnEachOther) {
  constexpr double n = 24;
  Problem p;
  p.grid = {24, 24, 24, 1, 1, 1};
  std::vector<float> speed;
  for (std::int64_t q = 0; q < p.grid.points(); ++q) {
    const auto [i, j, k] = p.grid.indices(q);
    speed.push_back(
        float(1.5 + 0.5 * std::sin(9 * double(i) / n) * std::cos((7 * double(j) + 5 * double(k)) / n)));
  }
  p.speed = speed;
  p.seeds = {{{2, 5, 7}, 0}};
  const Result solved = solve(p, SourceFactoring::Additive);
  std::vector<Position> tips;
  for (int t = 0; t < 20; ++t)
    tips.push_back({23, std::round(noise(2 * t) * 23), std::round(noise(2 * t + 1) * 23)});
  const Jacobian all = rowsOf(p, solved.travelTime, tips, SourceFactoring::Additive);
  for (std::size_t t = 0; t < tips.size(); ++t) {
    double sum = 0;
    for (std::int64_t e = all.matrix.row[t]; e < all.matrix.row[t + 1]; ++e)
      sum +=
          all.matrix.weight[std::size_t(e)] / double(speed[std::size_t(all.matrix.element[std::size_t(e)])]);
    const double time = double(solved.travelTime[std::size_t(all.tips[t].point)]);
    EXPECT_NEAR(sum, time, 1e-6 * time) << t;
  }
}

TEST(ImageJacobian, RowOfALineIsItsLength) {
  const Case line = makeLine(12);
  const Result solved = solve(line.problem, SourceFactoring::Off);
  const Position tips[] = {tipAt(line.problem.grid, 11).at, tipAt(line.problem.grid, 5).at};
  const Jacobian all = rowsOf(line.problem, solved.travelTime, tips, SourceFactoring::Off);
  for (int t : {0, 1}) {
    double length = 0;
    for (std::int64_t n = all.matrix.row[std::size_t(t)]; n < all.matrix.row[std::size_t(t) + 1]; ++n)
      length += all.matrix.weight[std::size_t(n)];
    const double exact =
        std::hypot(tips[t][0] - line.problem.seeds[0].at[0], tips[t][1] - line.problem.seeds[0].at[1]);
    EXPECT_NEAR(length, exact, 1e-6 * exact) << t;
  }
}

TEST(ImageJacobian, HasTheSameBitsForAnyThreadCount) {
  for (const char* name : {"OffGrid", "Constant", "MazeFromTheEnd"})
    for (const SourceFactoring factoring : factorings) {
      const Case c = makeCase(name);
      const Result solved = solve(c.problem, factoring);
      const std::vector<Position> tips = positionsOf(someTips(c.problem.grid, 60));
      const TimeMatrix one = rowsOf(c.problem, solved.travelTime, tips, factoring, 1).matrix;
      for (const int threads : {2, 3, 7}) {
        const TimeMatrix more = rowsOf(c.problem, solved.travelTime, tips, factoring, threads).matrix;
        EXPECT_EQ(one.row, more.row);
        EXPECT_EQ(one.element, more.element);
        EXPECT_EQ(one.weight, more.weight);
      }
    }
}

/// The dependences take 26 MB, the masses of eight tips 34 MB, and each thread 2 MB more.
TEST(ImageJacobian, NeedsTheMemoryOfOneThreadOnly) {
  Problem p;
  p.grid = {256, 256, 8, 1, 1, 1};
  p.seeds = {{{0, 0, 0}, 0}};
  const Result solved = solve(p, SourceFactoring::Off);
  std::vector<Position> tips = {{255, 254, 0}, {255, 255, 0}}; // the end of group 65, and group 66
  for (int t = 0; t < 64 * 8 + 7; ++t) tips.push_back({double(t % 26), double(t / 26), 0});
  const TimeMatrix free = rowsOf(p, solved.travelTime, tips, SourceFactoring::Off, 8).matrix;
  for (const int threads : {1, 64}) {
    shareHostMemory({2, 0.5, 145'000'000});
    TimeMatrix limited;
    EXPECT_NO_THROW(limited = rowsOf(p, solved.travelTime, tips, SourceFactoring::Off, threads).matrix);
    shareHostMemory({});
    EXPECT_EQ(free.row, limited.row) << threads;
    EXPECT_EQ(free.element, limited.element);
    EXPECT_EQ(free.weight, limited.weight);
  }
}

TEST(ImageJacobian, TipsThatContributeNothingHaveEmptyRows) {
  const Case c = makeCase("Plane");
  const Result solved = solve(c.problem, SourceFactoring::Off);
  const Position tips[] = {{-3, 0, 0}, {std::nan(""), 0, 0}, {1, 1, 0}, {1, 1, 0}};
  const Jacobian all = rowsOf(c.problem, solved.travelTime, tips, SourceFactoring::Off);
  ASSERT_EQ(all.matrix.row.size(), 5U);
  EXPECT_EQ(all.matrix.row[2], 0);
  EXPECT_GT(all.matrix.row[3], 0);
  EXPECT_EQ(all.matrix.row[4], 2 * all.matrix.row[3]); // the same tip again
  EXPECT_EQ(rowsOf(c.problem, solved.travelTime, {}, SourceFactoring::Off).matrix.row.size(), 1U);
}

TEST(ImageJacobian, StopsWhenTheMonitorDoes) {
  const Case c = makeCase("Noise");
  const Result solved = solve(c.problem, SourceFactoring::Off);
  const std::vector<Position> tips = positionsOf(someTips(c.problem.grid, 20));
  const Jacobian stopped =
      differentiateEach(c.problem, solved.travelTime, tips, {}, Monitor{[](double) { return false; }});
  EXPECT_TRUE(stopped.aborted);
  EXPECT_TRUE(stopped.matrix.row.empty());
  double last = 0;
  const auto late = [&](double share) {
    EXPECT_GE(share, last);
    last = share;
    return share < 0.5;
  };
  EXPECT_TRUE(differentiateEach(c.problem, solved.travelTime, tips, {}, Monitor{late}).aborted);
}

TEST(ImageJacobian, RefusesWhatHasNoDerivatives) {
  const Case c = makeCase("Plane");
  const Result solved = solve(c.problem, SourceFactoring::Off);
  const Position tips[] = {{1, 1, 0}};
  Problem periodic = c.problem;
  periodic.periodic[0] = true;
  EXPECT_THROW(differentiateEach(periodic, solved.travelTime, tips, {}), Error);
  EXPECT_THROW(requireDifferentiable(periodic, {}), Error);
  EXPECT_NO_THROW(requireDifferentiable(c.problem, {}));
  EXPECT_THROW(differentiateEach(c.problem, std::span(solved.travelTime).first(7), tips, {}), Error);
}
