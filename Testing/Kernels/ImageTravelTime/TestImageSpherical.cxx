// Claims about travel times on spherical grids: chords and great circles, an independent solver, the closed
// form of an Earth with v = a - b r^2, the ray integrals of a layered Earth, poles, centre and first
// meridian, bad input.
#include "Error.h"
#include "ImageOrthogonalCases.h"
#include "Reference/OrthogonalReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>

using namespace isochrone;
using namespace isochrone::image;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), degree = std::numbers::pi / 180;

OrthogonalCase ball(std::int64_t nr, std::int64_t ntheta, std::vector<double> longitudes, double inner = 0) {
  return OrthogonalCase({evenly(inner, 6, nr), evenly(0, 180, ntheta), std::move(longitudes)},
                        OrthogonalGrid::spherical);
}

/// Returns the medians and maxima of relative differences from expected times, beyond `nearest`.
std::pair<double, double> differences(std::span<const float> times, std::span<const double> expected,
                                      double nearest) {
  std::vector<double> errors;
  for (std::size_t n = 0; n < expected.size(); ++n)
    if (expected[n] > nearest) errors.push_back(std::abs(times[n] / expected[n] - 1));
  std::ranges::sort(errors);
  return {errors[errors.size() / 2], errors.back()};
}

} // namespace

TEST(ImageSpherical, FactoredTimesThroughAConstantEarthAreChords) {
  for (const auto& longitudes : {evenly(0, 360, 37), evenly(0, 350, 36), evenly(-180, 180, 31)})
    for (std::uint64_t salt = 0; salt < 6; ++salt) {
      OrthogonalCase c = ball(14, 25, longitudes);
      c.addSeed({6 * std::cbrt(noise(salt)), 180 * noise(salt + 30), 720 * noise(salt + 60) - 360});
      EXPECT_LT(errorOf(c, additive()), 2e-6) << salt;
    }
}

TEST(ImageSpherical, ChordsFromThePolesTheCentreAndTheFirstMeridian) {
  for (const auto& longitudes : {evenly(0, 360, 37), evenly(0, 350, 36)})
    for (const Position& at :
         {Position{6, 0, 0}, Position{3, 180, 77}, Position{0, 0, 0}, Position{0, 120, 40},
          Position{4.3, 90, 0}, Position{4.3, 90, 360}, Position{5, 60, 355}, Position{6, 3, 100},
          Position{0.2, 33, 44}, Position{6, 178, 359.9}}) {
      OrthogonalCase c = ball(14, 25, longitudes);
      c.addSeed(at);
      EXPECT_LT(errorOf(c, additive()), 2e-6) << at[0] << ' ' << at[1] << ' ' << at[2];
    }
}

TEST(ImageSpherical, ErrorsFallWithTheStepsWithoutFactoring) {
  double before = 0;
  for (const int fine : {1, 2, 4}) {
    OrthogonalCase c = ball(7 * fine + 1, 12 * fine + 1, evenly(0, 360, 24 * fine + 1));
    c.addSeed({6, 90, 45});
    const double error = errorOf(c, {});
    if (before > 0) EXPECT_GT(before / error, 1.35) << fine; // h log(1 / h)
    before = error;
  }
}

// A grid with one radius is a sphere's surface. T is the chord, so factored times have errors of first order.
TEST(ImageSpherical, TimesOnASphereAreGreatCircles) {
  double before = 0;
  for (const int fine : {1, 2, 4}) {
    double worst = 0;
    for (const Position& at :
         {Position{6, 60, 350}, Position{6, 0, 0}, Position{6, 90, 0}, Position{6, 160, 123.4}}) {
      OrthogonalCase c({evenly(0, 180, 30 * fine + 1), evenly(0, 360, 60 * fine + 1), {6}},
                       {grid::AxisRole::Colatitude, grid::AxisRole::Longitude, grid::AxisRole::Radius});
      c.addSeed({at[1], at[2], at[0]});
      const Result result = solve(c.problem, additive());
      const std::vector<double> chord = chords(c);
      for (std::size_t n = 0; n < c.size(); ++n) {
        const double arc = 12 * std::asin(std::min(1., chord[n] / 12));
        worst = std::max(worst, std::abs(result.travelTime[n] - arc) / (6 * std::numbers::pi));
      }
    }
    EXPECT_LT(worst, 0.03 / fine);
    if (before > 0) EXPECT_GT(before / worst, 1.6) << fine;
    before = worst;
  }
}

TEST(ImageSpherical, AgreesWithAnIndependentSolver) {
  struct Shape {
    Axes axes;
    bool around, copy;
  };
  for (const auto& [axes, around, copy] :
       {Shape{{unevenly(3, 6, 9, 4, 1), unevenly(40, 120, 11, 4, 2), unevenly(10, 130, 12, 4, 3)},
              false,
              false},
        Shape{{unevenly(0, 6, 8, 4, 1), unevenly(0, 180, 13, 3, 2), evenly(0, 340, 18)}, true, false},
        Shape{{unevenly(0, 6, 8, 4, 1), unevenly(0, 180, 13, 3, 2), evenly(0, 360, 19)}, true, true},
        Shape{{unevenly(2, 6, 8, 4, 1), unevenly(0, 90, 13, 3, 2), evenly(-180, 165, 24)}, true, false},
        Shape{{unevenly(0, 6, 9, 4, 1), unevenly(0, 180, 11, 4, 2), unevenly(10, 130, 12, 4, 3)},
              false,
              false}})
    for (std::uint64_t salt = 0; salt < 5; ++salt) {
      OrthogonalCase c(axes, OrthogonalGrid::spherical);
      std::size_t q = 0;
      // One speed for the points of a place, and no barriers there: the reference has one point for each.
      c.setSpeed([&](const Position& at) {
        ++q;
        if (at[0] == 0 || at[1] == 0 || at[1] == 180) return 1. + at[0] / 6;
        const auto key = std::uint64_t(at[0] * 1e6) * 31 + std::uint64_t(at[1] * 1e4) * 7 +
                         std::uint64_t(std::fmod(at[2] + 720 + 1e-9, 360) * 1e3);
        return noise(salt + key) < 0.1 ? 0 : std::pow(4, noise(salt + key + 77));
      });
      const auto seed = std::size_t(noise(salt) * double(c.size()));
      const auto [i, j, k] = c.problem.grid.indices(std::int64_t(seed));
      for (const GridIndex& same : c.grid->samePlace({i, j, k}))
        c.speed[std::size_t(c.problem.grid.index(same))] = 1;
      c.problem.seeds = {{{double(i), double(j), double(k)}, 0}};
      reference::OrthogonalModel model;
      model.coordinates = axes, model.spherical = true, model.goesAround = around;
      if (copy) model.coordinates[2].pop_back();
      const std::int64_t nk = std::int64_t(model.coordinates[2].size());
      for (std::size_t n = 0; n < std::size_t(c.problem.grid.nx * c.problem.grid.ny * nk); ++n)
        model.slowness.push_back(c.speed[n] > 0 ? 1 / double(c.speed[n]) : infinity);
      model.starts = {{c.problem.grid.index(i, j, k % nk), 0}};
      std::vector<double> expected = reference::travelTimes(model);
      for (std::int64_t n = 0; copy && n < c.problem.grid.nx * c.problem.grid.ny; ++n)
        expected.push_back(expected[std::size_t(n)]);
      expectTimes(solve(c.problem).travelTime, expected, 3e-6);
    }
}

TEST(ImageSpherical, ATurnByAStepTurnsTheTimes) {
  OrthogonalCase c = ball(10, 19, evenly(0, 350, 36));
  c.setSpeed([](const Position& at) {
    return 1 + 0.5 * std::cos(at[2] * degree) * std::sin(at[1] * degree) + at[0] / 10;
  });
  c.addSeed({4.3, 66, 17});
  for (const Options& options : {Options{}, additive()}) {
    const Result expected = solve(c.problem, options);
    for (const std::int64_t steps : {1, 20, 35}) {
      OrthogonalCase d = ball(10, 19, evenly(0, 350, 36));
      const auto moved = [&](std::size_t n) {
        const auto [i, j, k] = c.problem.grid.indices(std::int64_t(n));
        return std::size_t(c.problem.grid.index(i, j, (k + steps) % 36));
      };
      d.speed.resize(c.size());
      for (std::size_t n = 0; n < c.size(); ++n) d.speed[moved(n)] = c.speed[n];
      d.problem.speed = d.speed;
      d.addSeed({4.3, 66, 17 + 10 * double(steps)});
      const Result result = solve(d.problem, options);
      for (std::size_t n = 0; n < c.size(); ++n)
        ASSERT_NEAR(result.travelTime[moved(n)], expected.travelTime[n], 1e-5) << n << ' ' << steps;
    }
  }
}

TEST(ImageSpherical, ThePointsOfOnePlaceHaveOneTime) {
  OrthogonalCase c = ball(10, 19, evenly(0, 360, 37));
  c.addSeed({4.3, 66, 17});
  const Result result = solve(c.problem, additive());
  for (const std::vector<GridIndex>& place : c.grid->places())
    for (const GridIndex& p : place)
      EXPECT_EQ(result.travelTime[std::size_t(c.problem.grid.index(p))],
                result.travelTime[std::size_t(c.problem.grid.index(place[0]))]);
}

// v = a - b r^2 makes rays circles: the metric is hyperbolic, with the distance of Poincare's ball.
TEST(ImageSpherical, TimesInAnEarthWithCircularRaysAreThoseOfTheClosedForm) {
  constexpr double surface = 6371, atCentre = 11.3, atSurface = 5.8;
  constexpr double b = (atCentre - atSurface) / (surface * surface);
  const double edge = std::sqrt(atCentre / b);
  double before = 0;
  for (const int fine : {1, 2}) {
    OrthogonalCase c(
        {evenly(0, surface, 16 * fine + 1), evenly(0, 180, 18 * fine + 1), evenly(0, 360, 36 * fine + 1)},
        OrthogonalGrid::spherical);
    c.setSpeed([&](const Position& at) { return atCentre - b * at[0] * at[0]; });
    c.addSeed({6100, 52, 355});
    const std::vector<double> chord = chords(c);
    const auto gap = [&](double r) { return edge * edge - r * r; };
    std::vector<double> expected;
    for (std::size_t n = 0; n < c.size(); ++n)
      expected.push_back(
          std::acosh(1 + 2 * edge * edge * chord[n] * chord[n] / (gap(6100) * gap(c.at(n)[0]))) /
          (2 * edge * b));
    const auto [median, maximum] = differences(solve(c.problem, additive()).travelTime, expected, 60);
    const auto [plain, plainMaximum] = differences(solve(c.problem).travelTime, expected, 60);
    EXPECT_LT(median, 0.05 / fine);
    EXPECT_LT(maximum, 0.07);
    EXPECT_LT(median, plain / 1.5);
    EXPECT_LT(maximum, plainMaximum / 3);
    if (before > 0) EXPECT_GT(before / median, 1.6);
    before = median;
  }
}

namespace {

/// A layer with a speed that changes linearly with the radius.
struct Layer {
  double bottom, top, atBottom, atTop;
  double speed(double r) const { return atBottom + (atTop - atBottom) * (r - bottom) / (top - bottom); }
};

/// Speeds of P waves like those of PREM (Dziewonski, Anderson 1981), in few layers.
const std::vector<Layer>& layers() {
  static const std::vector<Layer> all{{0, 1221.5, 11.26, 11.03},
                                      {1221.5, 3480, 10.36, 8.06},
                                      {3480, 5701, 13.72, 10.75},
                                      {5701, 6371, 10.2, 7.6}};
  return all;
}

double speedAt(double r) {
  for (const Layer& layer : layers())
    if (r <= layer.top) return layer.speed(r);
  return layers().back().atTop;
}

/// The angle and the time of a ray of a horizontal slowness p between the surface and its turning point.
struct Ray {
  double angle = 0, time = 0; ///< degrees, there and back
  std::size_t layer = 0;      ///< in which it turns
};

/// Returns the ray by quadrature; nothing if it turns at the top of a layer, where it would be reflected.
std::optional<Ray> rayOf(double p) {
  Ray ray;
  for (std::size_t l = layers().size(); l-- > 0;) {
    const Layer& layer = layers()[l];
    const auto eta = [&](double r) { return r / layer.speed(r); };
    if (eta(layer.top) <= p) return {};
    double turning = layer.bottom;
    if (p > 0 && eta(layer.bottom) < p) { // r / v increases with r in these layers
      double low = layer.bottom, high = layer.top;
      for (int n = 0; n < 100; ++n) (eta((low + high) / 2) < p ? low : high) = (low + high) / 2;
      turning = high;
    }
    constexpr int pieces = 4000;
    for (int n = 0; n < pieces; ++n) { // r = turning + s^2: no singularity
      const double length = std::sqrt(layer.top - turning), s = length * (n + 0.5) / pieces,
                   r = turning + s * s;
      const double root = std::sqrt(std::max(eta(r) * eta(r) - p * p, 1e-300)),
                   step = 2 * s * length / pieces / r;
      ray.angle += 2 * p / root * step / degree, ray.time += 2 * eta(r) * eta(r) / root * step;
    }
    ray.layer = l;
    if (turning > layer.bottom) return ray;
  }
  return ray; // through the centre
}

/// Returns the first arrival at the surface from a source there, from a table of rays.
double firstArrival(const std::vector<std::optional<Ray>>& table, double angle) {
  double first = infinity;
  for (std::size_t n = 1; n < table.size(); ++n) {
    if (!table[n] || !table[n - 1] || table[n]->layer != table[n - 1]->layer) continue;
    const double a = table[n - 1]->angle, b = table[n]->angle;
    if ((angle - a) * (angle - b) > 0) continue;
    first =
        std::min(first, table[n - 1]->time + (angle - a) / (b - a) * (table[n]->time - table[n - 1]->time));
  }
  return first;
}

} // namespace

// Beyond the ray that grazes the core, the first arrival is diffracted along it.
TEST(ImageSpherical, FirstArrivalsOfALayeredEarthAreThoseOfItsRays) {
  std::vector<std::optional<Ray>> table;
  constexpr int rays = 3000;
  const double most = 6371 / speedAt(6371), alongCore = 3480 / layers()[2].atBottom;
  for (int n = 0; n <= rays; ++n) table.push_back(rayOf(most * (1 - 1e-6) * n / rays));
  const Ray grazing = rayOf(alongCore * (1 + 1e-9)).value();
  OrthogonalCase c({evenly(0, 180, 541), evenly(0, 6371, 401), {0}},
                   {grid::AxisRole::Colatitude, grid::AxisRole::Radius, grid::AxisRole::Longitude});
  c.setSpeed([](const Position& at) { return speedAt(at[1]); });
  c.addSeed({0, 6371, 0});
  const Result result = solve(c.problem, additive());
  const auto timeAt = [&](std::int64_t theta, std::int64_t r) {
    return double(result.travelTime[std::size_t(c.problem.grid.index(theta, r, 0))]);
  };
  for (int angle = 2; angle <= 180; ++angle) {
    const double diffracted =
        angle > grazing.angle ? grazing.time + alongCore * degree * (angle - grazing.angle) : infinity;
    const double expected = std::min(firstArrival(table, angle), diffracted);
    EXPECT_NEAR(timeAt(3 * angle, 400) / expected, 1, 4e-3) << angle;
  }
  // Down through the centre into the far side of the inner core.
  double down = 0, at = 6371;
  for (std::int64_t r = 400; r >= 0; --r) {
    for (int n = 0; n < 16 && r < 400; ++n) down += 6371. / 400 / 16 / speedAt(at -= 6371. / 400 / 16);
    if (r < 395) EXPECT_NEAR(timeAt(0, r) / down, 1, 5e-3) << r;
    if (r <= 60) EXPECT_NEAR(timeAt(540, r) / (timeAt(0, 0) + 6371. / 400 * double(r) / 11.2), 1, 4e-3) << r;
  }
}

TEST(ImageSpherical, PathsThroughAConstantEarthAreChords) {
  for (const auto& longitudes : {evenly(0, 360, 73), evenly(0, 355, 72)}) {
    OrthogonalCase c({evenly(0, 6, 31), evenly(0, 180, 37), longitudes}, OrthogonalGrid::spherical);
    c.addSeed({5.5, 80, 355});
    const std::vector<Position> tips{c.grid->steps({6, 80, 5}),    c.grid->steps({6, 30, 175}),
                                     c.grid->steps({5, 110, 150}), c.grid->steps({6, 0, 0}),
                                     c.grid->steps({3, 180, 90}),  c.grid->steps({6, 100, 175}),
                                     c.grid->steps({6, 20, 340})};
    const Result result = solve(c.problem, additive());
    const std::vector<Path> paths = extractPaths(c.problem, result.travelTime, tips, 1);
    for (std::size_t t = 0; t < tips.size(); ++t) {
      const double chord = c.grid->distance(tips[t], c.problem.seeds[0].at);
      ASSERT_EQ(paths[t].status, PathStatus::Complete) << t;
      EXPECT_GE(paths[t].length, chord * (1 - 1e-9)) << t;
      EXPECT_LE(paths[t].length, chord * 1.006) << t;
      EXPECT_NEAR(paths[t].energy, paths[t].length, 1e-6) << t;
    }
  }
}

TEST(ImageSpherical, PathsCrossTheFirstMeridianWithContinuousLongitudes) {
  OrthogonalCase c({evenly(3, 6, 16), evenly(60, 120, 25), evenly(0, 355, 72)}, OrthogonalGrid::spherical);
  c.addSeed({5.5, 80, 340});
  const std::vector<Position> tips{c.grid->steps({5.5, 90, 20})};
  const Path path = extractPaths(c.problem, solve(c.problem, additive()).travelTime, tips, 1)[0];
  ASSERT_EQ(path.status, PathStatus::Complete);
  for (std::size_t n = 1; n < path.size(); ++n) EXPECT_LT(std::abs(path.z[n] - path.z[n - 1]), 1);
  EXPECT_EQ(path.z.back(), 4);
  EXPECT_NEAR(path.z.front(), -4, 1e-9);
}

TEST(ImageSpherical, SameResultForAnyThreadCountAndInstructionSet) {
  OrthogonalCase c = ball(18, 37, evenly(0, 355, 72));
  c.setSpeed(
      [](const Position& at) { return noise(std::uint64_t(at[0] * 1e5) + std::uint64_t(at[1] * 77)) + 0.7; });
  c.addSeed({4.3, 66, 17});
  c.addSeed({5.3, 0, 17}, 0.2);
  expectSameBits(c.problem);
}

TEST(ImageSpherical, TheResidualIsRoundingWithoutFactoring) {
  OrthogonalCase c = ball(9, 19, evenly(0, 350, 36));
  c.addSeed({4.3, 66, 17});
  EXPECT_LT(residual(c.problem, solve(c.problem).travelTime, 1), 2e-6);
}

TEST(ImageSpherical, RegionsStartTheWholePlace) {
  OrthogonalCase c = ball(9, 19, evenly(0, 350, 36));
  std::vector<std::int32_t> regions(c.size(), -1);
  regions[std::size_t(c.problem.grid.index(8, 0, 11))] = 0; // one point of the pole
  c.problem.seeds = {{{}, 0, true}};
  c.problem.seedRegions = regions;
  const Result result = solve(c.problem);
  EXPECT_EQ(result.travelTime[std::size_t(c.problem.grid.index(8, 0, 20))], 0);
  const float here = result.travelTime[std::size_t(c.problem.grid.index(8, 1, 11))],
              there = result.travelTime[std::size_t(c.problem.grid.index(8, 1, 29))];
  EXPECT_NEAR(here, there, 1e-6);
}

TEST(ImageSpherical, BarriersAroundThePoleOpenAtOneMeridian) {
  OrthogonalCase c = ball(3, 19, evenly(0, 350, 36), 5);
  c.setSpeed([](const Position& at) { return at[1] > 15 && at[1] < 25 && std::abs(at[2] - 90) > 1 ? 0 : 1; });
  c.addSeed({6, 60, 270});
  const Result result = solve(c.problem);
  for (std::size_t n = 0; n < c.size(); ++n)
    EXPECT_EQ(std::isinf(result.travelTime[n]), c.speed[n] == 0) << n;
  // Around to the opening, then over the pole.
  EXPECT_GT(result.travelTime[std::size_t(c.problem.grid.index(2, 1, 27))],
            result.travelTime[std::size_t(c.problem.grid.index(2, 1, 9))]);
}

TEST(ImageSpherical, RefusesBadAngles) {
  const auto message = [](double r, std::vector<double> theta, std::vector<double> phi) {
    return messageOf([&] {
      OrthogonalGrid g({std::vector<double>{r, 2}, std::move(theta), std::move(phi)},
                       OrthogonalGrid::spherical);
    });
  };
  EXPECT_EQ(message(0, {0, 90, 180}, {0, 180, 360}), "");
  EXPECT_NE(message(-1, {0, 90}, {0, 10}).find("the radius on axis 0 must not be negative, got -1"),
            std::string::npos);
  EXPECT_NE(
      message(1, {-10, 90}, {0, 10}).find("the colatitude on axis 1 must be from 0 to 180 degrees, got -10"),
      std::string::npos);
  EXPECT_NE(message(1, {0, 190}, {0, 10}).find("got 190"), std::string::npos);
  EXPECT_NE(message(1, {0, 90}, {0, 370}).find("must not cover more than 360 degrees, got 0 to 370"),
            std::string::npos);
  EXPECT_NE(message(1, {90, 0}, {0, 10}).find("must increase"), std::string::npos);
}

TEST(ImageSpherical, APartOfTheCircleIsNoCircle) {
  const auto goesAround = [](const std::vector<double>& phi) {
    return OrthogonalGrid({std::vector<double>{1, 2}, std::vector<double>{80, 90}, phi},
                          OrthogonalGrid::spherical)
        .goesAround();
  };
  EXPECT_TRUE(goesAround(evenly(0, 350, 36)));
  EXPECT_TRUE(goesAround(evenly(0, 360, 37)));
  EXPECT_TRUE(goesAround(evenly(-180, 170, 36)));
  EXPECT_FALSE(goesAround(evenly(0, 340, 35)));
  EXPECT_FALSE(goesAround(evenly(0, 90, 10)));
  EXPECT_FALSE(goesAround({5}));
}
