// Claims about planes with periodic axes: the travel times of the middle of a tiling, paths that go on beyond
// the image, bad input.
#include "CurvatureTori.h"
#include "Error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

Options onHost(int threads = 1) {
  Options options;
  options.backend = Backend::Host;
  options.threads = threads;
  return options;
}

/// As of a division into parts (TestCurvatureParts.cxx): a state is lowered only beyond two roundings.
constexpr double tolerance = 2e-5;

/// The plane repeated five times along its periodic axes, with all copies of the seeds. Where turns are wide,
/// fastest paths leave the middle three.
struct Tiling : Case {
  std::int64_t before[2] = {};
  StateGrid image;
  std::int32_t distinct;

  explicit Tiling(const Case& c) : image(c.problem.grid), distinct(std::int32_t(c.problem.seeds.size())) {
    problem = c.problem;
    problem.periodic = {};
    const StateGrid& g = image;
    std::int64_t times[2] = {1, 1};
    if (c.problem.periodic[0]) times[0] = 5, before[0] = 2 * g.nx;
    if (c.problem.periodic[1]) times[1] = 5, before[1] = 2 * g.ny;
    problem.grid.nx *= times[0], problem.grid.ny *= times[1];
    repeat(c.cost, cost, problem.cost);
    repeat(c.radius, radius, problem.turningRadius);
    repeat(c.shift, shift, problem.curvatureShift);
    Field unused;
    repeat(c.walls, walls, unused);
    problem.walls = walls;
    problem.seeds.clear();
    for (std::int64_t copy = 0; copy < times[0] * times[1]; ++copy)
      for (Seed seed : c.problem.seeds) {
        seed.state.x += double(copy % times[0] * g.nx) * g.hx;
        seed.state.y += double(copy / times[0] * g.ny) * g.hy;
        problem.seeds.push_back(seed);
      }
  }
  template <class T>
  void repeat(const std::vector<T>& from, std::vector<T>& to, Field& field) {
    for (std::size_t plane = 0; plane < from.size(); plane += std::size_t(image.planePoints()))
      for (std::int64_t j = 0; j < problem.grid.ny; ++j)
        for (std::int64_t i = 0; i < problem.grid.nx; ++i)
          to.push_back(from[plane + std::size_t(i % image.nx + image.nx * (j % image.ny))]);
    if constexpr (std::is_same_v<T, float>) field.values = to;
  }
  std::size_t middle(std::int64_t state) const {
    const std::int64_t point = state % image.planePoints();
    return std::size_t(problem.grid.index(point % image.nx + before[0], point / image.nx + before[1],
                                          int(state / image.planePoints())));
  }
};

class CurvaturePeriodic : public testing::TestWithParam<Named> {
protected:
  const Case c = torus(GetParam().model, GetParam().name, GetParam().periodic, GetParam().accuracy);
  const Problem& problem = c.problem;
};

} // namespace

TEST_P(CurvaturePeriodic, HasTheTimesOfTheMiddleOfATiling) {
  const Tiling tiling(c);
  const Result result = solveCurvaturePaths(problem, onHost(), {}),
               tiled = solveCurvaturePaths(tiling.problem, onHost(), {});
  ASSERT_EQ(std::int64_t(result.travelTime.size()), problem.grid.points());
  float earliest = std::numeric_limits<float>::infinity();
  for (const float u : result.travelTime) earliest = std::min(earliest, u);
  const double step = 0.5 * std::min(problem.grid.hx, problem.grid.hy);
  const auto apart = [&](float u, float expected) { // relative
    if (std::isinf(u) || std::isinf(expected)) return u == expected ? 0. : 1.;
    return std::abs(double(u) - expected) / std::max(step, double(expected) - earliest);
  };
  // Dubins times of states at jumps of the time around a seed depend on rounding: a few in a thousand.
  const bool jumps = problem.model == Model::Dubins && problem.accuracy != Accuracy::FirstOrder;
  std::int64_t others = 0;
  for (std::int64_t s = 0; s < problem.grid.points(); ++s) {
    const double difference = apart(result.travelTime[std::size_t(s)], tiled.travelTime[tiling.middle(s)]);
    others += difference > tolerance;
    ASSERT_LE(difference, jumps ? 2e-3 : tolerance) << s;
  }
  EXPECT_LE(others, problem.grid.points() / 500);
  const PlanarResult plane = reduceToPlane(problem, result, 1),
                     other = reduceToPlane(tiling.problem, tiled, 1);
  ASSERT_EQ(std::int64_t(plane.travelTime.size()), problem.grid.planePoints());
  std::int64_t seedsApart = 0;
  for (std::int64_t p = 0; p < problem.grid.planePoints(); ++p) {
    ASSERT_LE(apart(plane.travelTime[std::size_t(p)], other.travelTime[tiling.middle(p)]),
              jumps ? 2e-3 : tolerance)
        << p;
    const std::int32_t seed = other.seed[tiling.middle(p)];
    seedsApart += plane.seed[std::size_t(p)] != (seed < 0 ? seed : seed % tiling.distinct);
  }
  EXPECT_LE(seedsApart, problem.grid.planePoints() / 50); // where two arrive at once, rounding decides
  EXPECT_EQ(result.seeds.size(), problem.seeds.size());
  EXPECT_EQ(result.seeds[0].i, place(problem, problem.seeds[0].state).i);
  EXPECT_EQ(result.seeds[0].j, place(problem, problem.seeds[0].state).j);
}

TEST_P(CurvaturePeriodic, LeavesTheResidualOfADividedPlane) {
  EXPECT_LE(residual(problem, solveCurvaturePaths(problem, onHost(), {}), 1), 1e-3);
}

TEST_P(CurvaturePeriodic, HasPathsThatCrossTheBorderWithoutAJump) {
  const StateGrid& g = problem.grid;
  const Result result = solveCurvaturePaths(problem, onHost(), {});
  std::vector<State> tips, beyond;
  Random random(5);
  for (int t = 0; t < 30; ++t) {
    State tip{random() * double(g.nx - 1) * g.hx, random() * double(g.ny - 1) * g.hy, random() * 6,
              t % 2 == 0};
    tips.push_back(tip);
    if (problem.periodic[0]) tip.x -= 2 * double(g.nx) * g.hx;
    if (problem.periodic[1]) tip.y += double(g.ny) * g.hy;
    beyond.push_back(tip);
  }
  const std::vector<Path> paths = extractPaths(problem, result, tips, 2),
                          again = extractPaths(problem, result, beyond, 1);
  int drawn = 0, crossing = 0;
  for (std::size_t t = 0; t < tips.size(); ++t) {
    const Path& path = paths[t];
    ASSERT_EQ(path.status, again[t].status);
    if (path.size() == 0) continue;
    ++drawn;
    ASSERT_GE(path.seed, 0);
    ASSERT_LT(path.seed, std::int32_t(problem.seeds.size()));
    ASSERT_EQ(path.size(), again[t].size());
    bool outside = false;
    for (std::size_t n = 0; n < path.size(); ++n) {
      outside |= path.x[n] < -0.5 * g.hx || path.x[n] > (double(g.nx) - 0.5) * g.hx ||
                 path.y[n] < -0.5 * g.hy || path.y[n] > (double(g.ny) - 0.5) * g.hy;
      if (n > 0)
        ASSERT_LE(std::hypot(path.x[n] - path.x[n - 1], path.y[n] - path.y[n - 1]), 3 * std::max(g.hx, g.hy));
      ASSERT_NEAR(path.x[n] - again[t].x[n], problem.periodic[0] ? 2 * double(g.nx) * g.hx : 0, 1e-9);
      ASSERT_NEAR(path.y[n] - again[t].y[n], problem.periodic[1] ? -double(g.ny) * g.hy : 0, 1e-9);
    }
    crossing += outside;
    EXPECT_NEAR(path.x.back(), tips[t].x, 1e-9);
    EXPECT_NEAR(path.y.back(), tips[t].y, 1e-9);
    // The start is a copy of the seed.
    const State& seed = problem.seeds[std::size_t(path.seed)].state;
    const double x = (path.x[0] - seed.x) / (double(g.nx) * g.hx),
                 y = (path.y[0] - seed.y) / (double(g.ny) * g.hy);
    EXPECT_NEAR(x, problem.periodic[0] ? std::round(x) : 0, 1e-6);
    EXPECT_NEAR(y, problem.periodic[1] ? std::round(y) : 0, 1e-6);
  }
  EXPECT_GE(drawn, 15);
  EXPECT_GE(crossing, 2);
}

TEST_P(CurvaturePeriodic, GivesTheSameBitsWithTheDiscretisationOfTheSolveAndWithANewOne) {
  const Result result = solveCurvaturePaths(problem, onHost(), {});
  ASSERT_TRUE(result.discretisation);
  Solution anew = result;
  anew.discretisation = nullptr;
  const std::vector<State> tips{{7, 3}, {2, 9}};
  const std::vector<Path> paths = extractPaths(problem, result, tips, 1),
                          same = extractPaths(problem, anew, tips, 1);
  for (std::size_t t = 0; t < tips.size(); ++t) {
    EXPECT_EQ(paths[t].status, same[t].status);
    EXPECT_EQ(paths[t].x, same[t].x);
    EXPECT_EQ(paths[t].y, same[t].y);
    EXPECT_EQ(paths[t].travelTime, same[t].travelTime);
  }
  EXPECT_EQ(residual(problem, result, 1), residual(problem, anew, 1));
  EXPECT_EQ(reduceToPlane(problem, result, 1).travelTime, reduceToPlane(problem, anew, 1).travelTime);
}

INSTANTIATE_TEST_SUITE_P(Planes, CurvaturePeriodic, testing::ValuesIn(tori()),
                         [](const auto& info) { return nameOf(info.param.model) + "_" + info.param.name; });

TEST(CurvaturePeriodicRuns, ThreadsDoNotChangeTheBits) {
  const Case c = torus(Model::Dubins, "WallsAndRoughCost", {true, true}, Accuracy::SeedBall);
  const Result one = solveCurvaturePaths(c.problem, onHost(), {}),
               three = solveCurvaturePaths(c.problem, onHost(3), {});
  EXPECT_EQ(one.travelTime, three.travelTime);
}

TEST(CurvaturePeriodicRuns, StopsAtTheTips) {
  const Case c = torus(Model::ReedsShepp, "RoughCost", {true, true}, Accuracy::FirstOrder);
  Options options = onHost();
  options.stopAt = {{-0.1, 0, 0, true}};
  const Result stopped = solveCurvaturePaths(c.problem, options, {}),
               all = solveCurvaturePaths(c.problem, onHost(), {});
  const Placement at = place(c.problem, options.stopAt[0]);
  EXPECT_EQ(at.i, c.problem.grid.nx - 1);
  float first = std::numeric_limits<float>::infinity(), second = first;
  for (int k = 0; k < c.problem.grid.headings; ++k) {
    first = std::min(first, stopped.travelTime[std::size_t(c.problem.grid.index(at.i, at.j, k))]);
    second = std::min(second, all.travelTime[std::size_t(c.problem.grid.index(at.i, at.j, k))]);
  }
  EXPECT_EQ(first, second);
}

TEST(CurvaturePeriodicRuns, BadInputIsRefusedWithTheRemedy) {
  Case c = torus(Model::Dubins, "RoughCost", {true, false}, Accuracy::FirstOrder);
  const auto messageOf = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto expectMessage = [](const std::string& message, const char* part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expectMessage(messageOf([&] { solveRoundTrip(c.problem, onHost(), {}); }),
                "round trips cannot be computed with periodic axes: make no axis periodic");
  expectMessage(messageOf([&] { groundFields(c.problem, {}, 1); }),
                "drift cannot be computed with periodic axes");
  const Result result = solveCurvaturePaths(c.problem, onHost(), {});
  expectMessage(messageOf([&] { differentiate(c.problem, result, {}, {}, {}); }),
                "derivatives cannot be computed with periodic axes");
  Problem outside = c.problem;
  outside.seeds[0].state.y = 40; // beyond x it would be allowed
  expectMessage(messageOf([&] { solveCurvaturePaths(outside, onHost(), {}); }),
                "no seed can be used: of 1, 1 lie outside");
  Problem tiny;
  tiny.grid = {2, 2, 8, 1, 1};
  tiny.model = Model::Dubins, tiny.turningRadius.constant = 3, tiny.accuracy = Accuracy::SeedBall;
  tiny.seeds = {{{0, 0, 0, false}, 0}};
  tiny.periodic = {true, true};
  expectMessage(messageOf([&] { solveCurvaturePaths(tiny, onHost(), {}); }),
                "times for start values near seeds: choose the accuracy First Order, or a finer image");
  tiny.accuracy = Accuracy::FirstOrder;
  expectMessage(messageOf([&] { solveCurvaturePaths(tiny, onHost(), {}); }), "accepted");
  c.cost[28] = -1;
  expectMessage(messageOf([&] { solveCurvaturePaths(c.problem, onHost(), {}); }), "got -1 at point (3, 1)");
}
