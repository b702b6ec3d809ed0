// How near the travel times come to the exact ones, with Seed Ball and with Second Order.
#include "CurvatureCases.h"
#include "Reference/CurvatureGeodesics.h"
#include "Reference/DubinsLength.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

constexpr double radius = 0.2; ///< of square()
constexpr double pi = std::numbers::pi;
constexpr Accuracy better[] = {Accuracy::SeedBall, Accuracy::SecondOrder};

std::span<const reference::Geodesic> geodesics(Model model) {
  if (model == Model::ReedsShepp) return reference::geodesicsOfReedsShepp;
  if (model == Model::ReedsSheppForward) return reference::geodesicsOfReedsSheppForward;
  return reference::geodesicsOfElastica;
}

/// An exact travel time from the centre of the square to a pose seen from it.
struct Exact {
  double x, y, heading, time;
};

/// Poses at least 0.3 and at most `farthest` away.
std::vector<Exact> exactTimes(Model model, double farthest) {
  std::vector<Exact> times;
  const auto add = [&](int i, int j, int k, double time) {
    const Exact e{i * 0.02, j * 0.02, 2 * pi * k / 60, time};
    if (std::hypot(e.x, e.y) > 0.3 && std::hypot(e.x, e.y) <= farthest) times.push_back(e);
  };
  if (model != Model::Dubins) {
    for (const reference::Geodesic& g : geodesics(model)) add(g.end[0], g.end[1], g.end[2], g.time);
    return times;
  }
  Random random(5);
  for (int n = 0; n < 600; ++n) {
    const int i = int(101 * random()) - 50, j = int(101 * random()) - 50, k = int(60 * random());
    const reference::DubinsWord word = reference::shortestDubinsWord({i * 0.1, j * 0.1, 2 * pi * k / 60});
    bool stays = true;
    for (double s = 0; stays && s < word.total(); s += 0.1) {
      const reference::Pose at = reference::follow(word, s);
      stays = std::max(std::abs(at.x), std::abs(at.y)) * radius <= 1;
    }
    if (stays) add(i, j, k, radius * word.total());
  }
  return times;
}

/// The least of `count` errors, in per cent: median, and 90th percentile of the sizes.
struct Errors {
  double median = 0, ninetieth = 0;
};
Errors summary(std::vector<double> errors) {
  std::sort(errors.begin(), errors.end());
  Errors e{100 * errors[errors.size() / 2], 0};
  for (double& error : errors) error = std::abs(error);
  std::sort(errors.begin(), errors.end());
  e.ninetieth = 100 * errors[errors.size() * 9 / 10];
  return e;
}

/// Linear between states.
double interpolate(const StateGrid& g, std::span<const float> u, double x, double y, double heading) {
  const double p[3] = {x / g.hx, y / g.hy, heading / g.headingStep()};
  double sum = 0;
  for (int c = 0; c < 8; ++c) {
    double share = 1;
    std::int64_t at[3];
    for (int a = 0; a < 3; ++a) {
      const double low = std::floor(p[a] + 1e-9), f = std::max(0., p[a] - low);
      share *= (c >> a & 1) ? f : 1 - f;
      at[a] = std::int64_t(low) + (c >> a & 1);
    }
    if (share > 1e-8)
      sum += share * u[g.index(at[0], at[1], int((at[2] % g.headings + g.headings) % g.headings))];
  }
  return sum;
}

/// Errors at poses seen from a seed. Exact times far above the first-order ones belong to a path that is not
/// the fastest, or leave the square.
Errors errorsFrom(const Problem& problem, const Result& first, const Result& result,
                  const std::vector<Exact>& exact) {
  const State& seed = problem.seeds[0].state;
  std::vector<double> errors;
  for (const Exact& e : exact) {
    const double c = std::cos(seed.heading), s = std::sin(seed.heading);
    const double x = seed.x + c * e.x - s * e.y, y = seed.y + s * e.x + c * e.y, h = seed.heading + e.heading;
    const double before = interpolate(problem.grid, first.travelTime, x, y, h);
    if (e.time <= 1.03 * before)
      errors.push_back(interpolate(problem.grid, result.travelTime, x, y, h) / e.time - 1);
  }
  EXPECT_GE(errors.size(), 90u);
  return summary(errors);
}

class CurvatureAccuracy : public testing::TestWithParam<Model> {};

} // namespace

TEST_P(CurvatureAccuracy, MeetsTheExactTimesOfAnOrientedSeed) {
  struct Bounds {
    double first, ball, second, ninetieth; ///< per cent
  };
  const Bounds bounds = GetParam() == Model::ReedsShepp          ? Bounds{5.0, 2.7, 0.8, 1.6}
                        : GetParam() == Model::ReedsSheppForward ? Bounds{4.7, 2.5, 0.6, 1.2}
                        : GetParam() == Model::Elastica          ? Bounds{15, 12, 7.5, 14}
                                                                 : Bounds{5.3, 4.3, 1.0, 3};
  const Case c = square(GetParam(), 101, 60);
  const std::vector<Exact> exact = exactTimes(GetParam(), 2);
  const Result first = solveWith(c.problem, Accuracy::FirstOrder);

  const Errors plain = errorsFrom(c.problem, first, first, exact);
  const Errors ball = errorsFrom(c.problem, first, solveWith(c.problem, Accuracy::SeedBall), exact);
  const Errors second = errorsFrom(c.problem, first, solveWith(c.problem, Accuracy::SecondOrder), exact);

  EXPECT_GE(plain.median, bounds.first); // or the test sees nothing
  EXPECT_LE(ball.median, bounds.ball);
  EXPECT_LE(std::abs(second.median), bounds.second);
  EXPECT_LE(second.ninetieth, bounds.ninetieth);
  RecordProperty("Figures", std::to_string(plain.median) + " " + std::to_string(ball.median) + " " +
                                std::to_string(second.median) + " " + std::to_string(second.ninetieth));
}

TEST_P(CurvatureAccuracy, KeepsTheTruePlaceAndHeadingOfASeedBetweenStates) {
  Case c = square(GetParam(), 101, 60);
  const StateGrid& g = c.problem.grid;
  c.problem.seeds[0].state = {1 + 0.37 * g.hx, 1 - 0.44 * g.hy, 7.45 * g.headingStep(), false};
  const std::vector<Exact> exact = exactTimes(GetParam(), 0.9);
  const Result first = solveWith(c.problem, Accuracy::FirstOrder);

  const Errors plain = errorsFrom(c.problem, first, first, exact);
  const Result ballResult = solveWith(c.problem, Accuracy::SeedBall);
  const Errors ball = errorsFrom(c.problem, first, ballResult, exact);
  const Errors second = errorsFrom(c.problem, first, solveWith(c.problem, Accuracy::SecondOrder), exact);

  EXPECT_GT(first.seeds[0].moved, 0.5 * g.hx);
  EXPECT_LT(ballResult.seeds[0].moved, 1e-12);
  EXPECT_LE(ball.median, 0.8 * plain.median);
  EXPECT_LE(second.median, 0.5 * plain.median);
  RecordProperty("Figures", std::to_string(plain.median) + " " + std::to_string(ball.median) + " " +
                                std::to_string(second.median) + " " + std::to_string(second.ninetieth));
}

TEST_P(CurvatureAccuracy, ServesSeedsOfEveryHeading) {
  Case c = square(GetParam(), 101, 60);
  const StateGrid& g = c.problem.grid;
  c.problem.seeds[0].state.anyHeading = true;
  const auto errors = [&](Accuracy accuracy) {
    const Result result = solveWith(c.problem, accuracy);
    std::vector<double> all;
    for (int j = 0; j < 101; j += 3)
      for (int i = 0; i < 101; i += 3) {
        const double r = std::hypot(i * g.hx - 1, j * g.hy - 1);
        if (r < 0.3 || r > 1) continue;
        float least = result.travelTime[g.index(i, j, 0)];
        for (int k = 1; k < 60; ++k) least = std::min(least, result.travelTime[g.index(i, j, k)]);
        all.push_back(least / r - 1); // straight ahead is the fastest
      }
    return summary(all);
  };

  const Errors plain = errors(Accuracy::FirstOrder), ball = errors(Accuracy::SeedBall),
               second = errors(Accuracy::SecondOrder);

  EXPECT_LE(ball.median, 0.8 * plain.median);
  EXPECT_LE(std::abs(second.median), 0.5 * plain.median);
}

TEST_P(CurvatureAccuracy, IsEstimatedFromHalfTheResolution) {
  Case c = square(GetParam(), 61, 40);
  const StateGrid& g = c.problem.grid;
  c.problem.seeds[0].state.anyHeading = true;
  Options options;
  options.backend = Backend::Host;
  options.threads = 1;
  const PlanarResult plane = reduceToPlane(c.problem, solveCurvaturePaths(c.problem, options, {}), 1);

  const std::vector<float> estimate = estimateError(c.problem, Route::OneWay, plane, options, {});

  std::vector<double> ratios; // of the estimate to the true error: straight ahead is the fastest
  for (int j = 0; j < 61; ++j)
    for (int i = 0; i < 61; ++i) {
      const double r = std::hypot(i * g.hx - 1, j * g.hy - 1);
      if (r > 0.4 && r < 1)
        ratios.push_back(estimate[i + 61 * j] / std::abs(plane.travelTime[i + 61 * j] - r));
    }
  std::sort(ratios.begin(), ratios.end());
  RecordProperty("MedianRatio", std::to_string(ratios[ratios.size() / 2]));
  EXPECT_GE(ratios[ratios.size() / 2], 0.4);
  EXPECT_LE(ratios[ratios.size() / 2], 3);
}

TEST_P(CurvatureAccuracy, IsEstimatedForRoundTripsAndBehindThinWalls) {
  Case c = square(GetParam(), 31, 16);
  c.problem.seeds[0].state = {0.4, 1, 0, true};
  c.walls.assign(c.problem.grid.planePoints(), 0);
  for (int j = 0; j < 31; ++j) c.walls[15 + 31 * j] = 1; // an odd column: none of every second point
  c.problem.walls = c.walls;
  Options options;
  options.backend = Backend::Host;
  options.threads = 1;
  const RoundTrip trip = solveRoundTrip(c.problem, options, {});
  const PlanarResult there = reduceToPlane(c.problem, trip.out, 1), both = reduceToPlane(c.problem, trip, 1);

  const std::vector<float> way = estimateError(c.problem, Route::OneWay, there, options, {}),
                           roundTrip = estimateError(c.problem, Route::RoundTrip, both, options, {});

  std::vector<double> shares;
  for (int j = 0; j < 31; ++j)
    for (int i = 0; i < 31; ++i) {
      EXPECT_EQ(std::isfinite(way[i + 31 * j]), i < 14) << i << " " << j;
      if (i < 13) shares.push_back(roundTrip[i + 31 * j] / both.travelTime[i + 31 * j]);
    }
  std::sort(shares.begin(), shares.end());
  EXPECT_GT(shares[shares.size() / 2], 0.005);
  EXPECT_LT(shares[shares.size() / 2], 0.5);
}

TEST_P(CurvatureAccuracy, MirrorsTurnsAndScales) {
  for (const Accuracy accuracy : better) {
    Case c = square(GetParam(), 41, 24), turned = square(GetParam(), 41, 24),
         dear = square(GetParam(), 41, 24);
    const StateGrid& g = c.problem.grid;
    turned.problem.seeds[0].state.heading = pi / 2;
    dear.problem.cost.constant = 3;

    const Result u = solveWith(c.problem, accuracy), v = solveWith(turned.problem, accuracy),
                 w = solveWith(dear.problem, accuracy);

    double mirror = 0, turn = 0, scale = 0;
    for (int k = 0; k < 24; ++k)
      for (int j = 0; j < 41; ++j)
        for (int i = 0; i < 41; ++i) {
          const double here = u.travelTime[g.index(i, j, k)], most = std::max(here, 0.02);
          if (std::isinf(here)) continue;
          mirror = std::max(mirror, std::abs(u.travelTime[g.index(i, 40 - j, (24 - k) % 24)] - here) / most);
          turn = std::max(turn, std::abs(v.travelTime[g.index(40 - j, i, (k + 6) % 24)] - here) / most);
          scale = std::max(scale, std::abs(w.travelTime[g.index(i, j, k)] / 3 - here) / most);
        }

    EXPECT_LE(mirror, 5e-5);
    EXPECT_LE(turn, 5e-5);
    EXPECT_LE(scale, 5e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(, CurvatureAccuracy, testing::ValuesIn(allModels),
                         [](const auto& info) { return nameOf(info.param); });

TEST(CurvatureGeodesics, OfTheTableEndAtTheirStates) {
  for (const Model model : {Model::ReedsShepp, Model::ReedsSheppForward, Model::Elastica})
    for (const reference::Geodesic& g : geodesics(model)) {
      const reference::GeodesicPoint end = reference::follow(model, g, radius);
      EXPECT_NEAR(end.x, g.end[0] * 0.02, 2e-5);
      EXPECT_NEAR(end.y, g.end[1] * 0.02, 2e-5);
      EXPECT_NEAR(std::remainder(end.heading - g.end[2] * pi / 30, 2 * pi), 0, 3e-4);
      EXPECT_NEAR(end.time, g.time, 1e-5 * g.time);
    }
}
