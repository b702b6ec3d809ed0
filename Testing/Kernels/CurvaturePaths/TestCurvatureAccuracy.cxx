// Claims about the error of the travel times, with Seed Ball and with Second Order.
#include "CurvatureCases.h"
#include "Reference/CurvatureGeodesics.h"
#include "Reference/DubinsLength.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

constexpr double radius = 0.2; ///< as in square()
constexpr double pi = std::numbers::pi;
constexpr Accuracy better[] = {Accuracy::SeedBall, Accuracy::SecondOrder};

std::span<const reference::Geodesic> geodesics(Model model) {
  if (model == Model::ReedsShepp) return reference::geodesicsOfReedsShepp;
  if (model == Model::ReedsSheppForward) return reference::geodesicsOfReedsSheppForward;
  return reference::geodesicsOfElastica;
}

/// The minimum travel time in the whole plane from a seed to a pose, relative to the seed.
struct Exact {
  double x, y, heading, time;
  bool stays; ///< whether the path is known to stay in the square; otherwise the time is only a lower bound
};

/// Returns whether a point, relative to a seed, lies in the square.
bool inSquare(const State& seed, double x, double y, double slack) {
  const double c = std::cos(seed.heading), s = std::sin(seed.heading);
  return std::max(std::abs(seed.x + c * x - s * y - 1), std::abs(seed.y + s * x + c * y - 1)) <= 1 + slack;
}

/// Returns random poses in the square, at least 0.3 and at most `farthest` away.
std::vector<Exact> exactTimes(Model model, const State& seed, double farthest) {
  std::vector<Exact> times;
  const auto counts = [&](double x, double y) {
    return std::hypot(x, y) > 0.3 && std::hypot(x, y) <= farthest && inSquare(seed, x, y, 0);
  };
  if (model != Model::Dubins) {
    for (const reference::Geodesic& g : geodesics(model)) {
      Exact e{g.end[0] * 0.02, g.end[1] * 0.02, pi * g.end[2] / 30, g.time, g.duration > 0};
      if (!counts(e.x, e.y)) continue;
      reference::follow(
          model, g, radius, [&](const auto& p) { e.stays = e.stays && inSquare(seed, p.x, p.y, 1e-4); }, 400);
      times.push_back(e);
    }
    return times;
  }
  Random random(5);
  for (int n = 0; n < 4000; ++n) {
    const int i = int(101 * random()) - 50, j = int(101 * random()) - 50, k = int(60 * random());
    if (!counts(i * 0.02, j * 0.02)) continue;
    const reference::DubinsWord word = reference::shortestDubinsWord({i * 0.1, j * 0.1, pi * k / 30});
    bool stays = true;
    for (double s = 0; stays && s < word.total(); s += 0.1) {
      const reference::Pose at = reference::follow(word, s);
      stays = inSquare(seed, radius * at.x, radius * at.y, 1e-4);
    }
    times.push_back({i * 0.02, j * 0.02, pi * k / 30, radius * word.total(), stays});
  }
  return times;
}

/// Percentiles of the errors, signed and absolute, in per cent. All except `tooShort` are over the poses with
/// a known travel time.
struct Errors {
  double second = 0, tenth = 0, median = 0, ninetieth = 0, ninetyEighth = 0, size = 0;
  double tooShort = 0; ///< share of all poses more than 5 % below the minimum travel time in the plane
  double unknown = 0;  ///< share of the poses without a known travel time in the square
};
Errors summary(std::vector<double> errors) {
  std::sort(errors.begin(), errors.end());
  const auto at = [&](double share) { return 100 * errors[std::size_t(share * double(errors.size() - 1))]; };
  Errors e{at(0.02), at(0.1), at(0.5), at(0.9), at(0.98)};
  for (double& error : errors) error = std::abs(error);
  std::sort(errors.begin(), errors.end());
  e.size = at(0.9);
  return e;
}

std::string figures(const Errors& e) {
  char text[160];
  std::snprintf(text, sizeof text, "%.1f %.1f %.1f %.1f %.1f |%.1f| %.2f of %.1f unknown", e.second, e.tenth,
                e.median, e.ninetieth, e.ninetyEighth, e.size, e.tooShort, e.unknown);
  return text;
}

/// Interpolates linearly between states.
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

/// Returns the errors at all poses, relative to the seed.
Errors errorsFrom(const Problem& problem, const Result& result, const std::vector<Exact>& exact) {
  const State& seed = problem.seeds[0].state;
  std::vector<double> errors;
  double tooShort = 0;
  for (const Exact& e : exact) {
    const double c = std::cos(seed.heading), s = std::sin(seed.heading);
    const double x = seed.x + c * e.x - s * e.y, y = seed.y + s * e.x + c * e.y, h = seed.heading + e.heading;
    const double error = interpolate(problem.grid, result.travelTime, x, y, h) / e.time - 1;
    tooShort += error < -0.05;
    if (e.stays) errors.push_back(error);
  }
  Errors all = summary(errors);
  all.tooShort = 100 * tooShort / double(exact.size());
  all.unknown = 100 * (1 - double(errors.size()) / double(exact.size()));
  return all;
}

/// Measured values in per cent.
struct Measured {
  double second, median, ninetyEighth, size, tooShort, unknown;
};
Measured measured(Model model, Accuracy accuracy) {
  static const std::map<Model, std::array<Measured, 3>> all{
      {Model::ReedsShepp,
       {{{2.6, 5.5, 10.6, 8.4, 0, 0.7}, {1.3, 2.5, 5.8, 4.4, 0, 0.7}, {-0.4, 0.6, 2.7, 1.4, 0, 0.7}}}},
      {Model::ReedsSheppForward,
       {{{3.3, 5.2, 9.8, 7.3, 0, 1.5}, {1.3, 2.3, 4.7, 3.6, 0, 1.5}, {0, 0.5, 1.6, 1.1, 0, 1.5}}}},
      {Model::Elastica,
       {{{9.6, 16.6, 28.2, 23.1, 0, 9}, {2.6, 9.6, 19.7, 15.2, 0.25, 9}, {0, 4.5, 13.6, 9.3, 0.25, 9}}}},
      {Model::Dubins,
       {{{-34, 5.8, 12.5, 10.5, 4.36, 10.1},
         {0.1, 4.2, 7.8, 6.0, 1.15, 10.1},
         {-1.7, 1.2, 5.1, 2.8, 1.28, 10.1}}}}};
  return all.at(model)[std::size_t(accuracy)];
}

class CurvatureAccuracy : public testing::TestWithParam<Model> {};

} // namespace

TEST_P(CurvatureAccuracy, MeetsTheExactTimesOfAnOrientedSeed) {
  const Case c = square(GetParam(), 101, 60);
  const std::vector<Exact> exact = exactTimes(GetParam(), c.problem.seeds[0].state, 2);
  ASSERT_GE(exact.size(), 400u);
  for (const Accuracy accuracy : {Accuracy::FirstOrder, Accuracy::SeedBall, Accuracy::SecondOrder}) {
    const Errors e = errorsFrom(c.problem, solveWith(c.problem, accuracy), exact);
    const Measured m = measured(GetParam(), accuracy);
    SCOPED_TRACE("accuracy " + std::to_string(int(accuracy)) + ": " + figures(e));
    RecordProperty("Figures" + std::to_string(int(accuracy)), figures(e));
    constexpr double margin = 0.1; // per cent: rounding of the measured values
    EXPECT_GE(e.second, m.second - margin);
    EXPECT_LE(std::abs(e.median - m.median), margin);
    EXPECT_LE(e.ninetyEighth, m.ninetyEighth + margin);
    EXPECT_LE(e.size, m.size + margin);
    EXPECT_LE(e.tooShort, m.tooShort + margin / 10);
    EXPECT_LE(e.unknown, m.unknown + margin);
  }
}

TEST_P(CurvatureAccuracy, KeepsPositionAndHeadingOfASeedBetweenStates) {
  Case c = square(GetParam(), 101, 60);
  const StateGrid& g = c.problem.grid;
  c.problem.seeds[0].state = {1 + 0.37 * g.hx, 1 - 0.44 * g.hy, 7.45 * g.headingStep(), false};
  const std::vector<Exact> exact = exactTimes(GetParam(), c.problem.seeds[0].state, 0.9);
  const Result first = solveWith(c.problem, Accuracy::FirstOrder),
               ballResult = solveWith(c.problem, Accuracy::SeedBall);

  const Errors plain = errorsFrom(c.problem, first, exact), ball = errorsFrom(c.problem, ballResult, exact),
               second = errorsFrom(c.problem, solveWith(c.problem, Accuracy::SecondOrder), exact);

  EXPECT_GT(first.seeds[0].moved, 0.5 * g.hx);
  EXPECT_LT(ballResult.seeds[0].moved, 1e-12);
  EXPECT_LE(ball.median, 0.8 * plain.median);
  EXPECT_LE(second.median, 0.5 * plain.median);
  RecordProperty("Figures", figures(plain) + "; " + figures(ball) + "; " + figures(second));
}

TEST_P(CurvatureAccuracy, HoldsForSeedsOfEveryHeading) {
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
        float minimum = result.travelTime[g.index(i, j, 0)];
        for (int k = 1; k < 60; ++k) minimum = std::min(minimum, result.travelTime[g.index(i, j, k)]);
        all.push_back(minimum / r - 1); // straight ahead is the fastest
      }
    return summary(all);
  };

  const Errors plain = errors(Accuracy::FirstOrder), ball = errors(Accuracy::SeedBall),
               second = errors(Accuracy::SecondOrder);

  EXPECT_LE(ball.median, 0.8 * plain.median);
  // For Dubins, the limits on differences make some other travel times slightly too short.
  EXPECT_LE(std::abs(second.median), (GetParam() == Model::Dubins ? 0.55 : 0.5) * plain.median);
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
          const double here = u.travelTime[g.index(i, j, k)], maximum = std::max(here, 0.02);
          if (std::isinf(here)) continue;
          mirror =
              std::max(mirror, std::abs(u.travelTime[g.index(i, 40 - j, (24 - k) % 24)] - here) / maximum);
          turn = std::max(turn, std::abs(v.travelTime[g.index(40 - j, i, (k + 6) % 24)] - here) / maximum);
          scale = std::max(scale, std::abs(w.travelTime[g.index(i, j, k)] / 3 - here) / maximum);
        }

    EXPECT_LE(mirror, 5e-5);
    EXPECT_LE(turn, 5e-5);
    EXPECT_LE(scale, 5e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(, CurvatureAccuracy, testing::ValuesIn(allModels),
                         [](const auto& info) { return nameOf(info.param); });

TEST(CurvatureGeodesics, EndAtTheStatesOfTheTable) {
  for (const Model model : {Model::ReedsShepp, Model::ReedsSheppForward, Model::Elastica})
    for (const reference::Geodesic& g : geodesics(model)) {
      if (g.duration == 0) continue;
      const reference::GeodesicPoint end = reference::follow(model, g, radius, [](const auto&) {});
      EXPECT_NEAR(end.x, g.end[0] * 0.02, 2e-5);
      EXPECT_NEAR(end.y, g.end[1] * 0.02, 2e-5);
      EXPECT_NEAR(std::remainder(end.heading - g.end[2] * pi / 30, 2 * pi), 0, 3e-4);
      EXPECT_NEAR(end.time, g.time, 1e-5 * g.time);
    }
}
