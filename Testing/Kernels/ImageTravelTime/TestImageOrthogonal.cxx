// Claims about travel times on rectilinear grids: an independent solver, distances at constant speed, closed
// forms, symmetry, equal bits, bad input.
#include "Error.h"
#include "ImageOrthogonalCases.h"
#include "Reference/OrthogonalReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

using namespace isochrone;
using namespace isochrone::image;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> referenceOf(const OrthogonalCase& c, const Axes& axes) {
  reference::OrthogonalModel model;
  model.coordinates = axes;
  for (const float v : c.speed) model.slowness.push_back(v > 0 ? 1. / double(v) : infinity);
  const Position at = c.problem.seeds[0].at;
  model.starts = {{c.problem.grid.index(std::int64_t(at[0]), std::int64_t(at[1]), std::int64_t(at[2])), 0}};
  return reference::travelTimes(model);
}

} // namespace

TEST(ImageOrthogonal, AgreesWithAnIndependentSolverWhereStepsAreUneven) {
  for (const auto& axes :
       {unevenAxes(11, 13, 9, 20, 1), unevenAxes(17, 9, 10, 3, 2), unevenAxes(30, 41, 1, 20, 3),
        unevenAxes(60, 1, 1, 20, 4), unevenAxes(1, 1, 1, 1, 5)})
    for (std::uint64_t salt = 0; salt < 8; ++salt) {
      const OrthogonalCase c = roughCase(axes, 100 * salt);
      expectTimes(solve(c.problem).travelTime, referenceOf(c, axes), 2e-6);
    }
}

TEST(ImageOrthogonal, EqualsAnImageWhereStepsAreEqual) {
  const Axes axes{evenly(0, 20, 21), evenly(0, 25.5, 18), evenly(0, 6.6, 12)};
  const OrthogonalCase c = roughCase(axes, 7);
  Problem image = c.problem;
  image.orthogonal = nullptr;
  image.grid.hx = 1, image.grid.hy = 1.5, image.grid.hz = 0.6;
  image.seeds[0].at = c.grid->position(image.seeds[0].at);
  const Result expected = solve(image);
  expectTimes(solve(c.problem).travelTime,
              std::vector<double>(expected.travelTime.begin(), expected.travelTime.end()), 2e-6);
}

TEST(ImageOrthogonal, FactoredTimesAreDistancesAtConstantSpeed) {
  for (const double ratio : {1., 3., 10.}) {
    for (std::uint64_t salt = 0; salt < 6; ++salt) {
      const std::array<double, 3> share{noise(salt), noise(salt + 50), noise(salt + 90)};
      for (const bool onPoint : {true, false}) {
        OrthogonalCase space(unevenAxes(15, 17, 12, ratio, salt)), plane(unevenAxes(40, 30, 1, ratio, salt)),
            line(unevenAxes(50, 1, 1, ratio, salt));
        for (OrthogonalCase* c : {&space, &plane, &line}) {
          Position at;
          for (std::size_t a = 0; a < 3; ++a) {
            at[a] = share[a] * double(c->problem.grid.sizes()[a] - 1);
            if (onPoint) at[a] = std::round(at[a]);
          }
          c->problem.seeds = {{at, 0}};
          EXPECT_LT(errorOf(*c, additive()), 2e-6) << ratio << ' ' << salt << ' ' << onPoint;
        }
      }
    }
  }
}

TEST(ImageOrthogonal, ErrorsFallWithTheStepsWithoutFactoring) {
  double before = 0;
  for (const std::int64_t n : {11, 21, 41}) {
    OrthogonalCase c({evenly(0, 1, n), evenly(0, 1, n), evenly(0, 1, n)});
    std::array<std::vector<double>, 3> axes{evenly(0, 1, n), evenly(0, 1, n), evenly(0, 1, n)};
    for (auto& axis : axes) // finer towards 0, alike at all sizes
      for (double& x : axis) x = x * (0.4 + 0.6 * x);
    OrthogonalCase uneven(axes);
    uneven.addSeed({0, 0, 0});
    const double error = errorOf(uneven, {});
    if (before > 0) {
      EXPECT_GT(before / error, 1.4) << n; // h log(1 / h)
      EXPECT_LT(before / error, 2.2) << n;
    }
    before = error;
  }
}

TEST(ImageOrthogonal, MoreCoordinatesBringTimesNearerToDistances) {
  Axes coarse = unevenAxes(12, 14, 10, 4, 3), fine;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t n = 0; n < coarse[a].size(); ++n) {
      if (n > 0) fine[a].push_back((coarse[a][n - 1] + coarse[a][n]) / 2);
      fine[a].push_back(coarse[a][n]);
    }
  OrthogonalCase few(coarse), many(fine);
  few.problem.seeds = {{{4, 5, 6}, 0}}, many.problem.seeds = {{{8, 10, 12}, 0}};
  const Result a = solve(few.problem), b = solve(many.problem);
  const std::vector<double> exact = chords(few);
  for (std::size_t n = 0; n < few.size(); ++n) {
    const auto [i, j, k] = few.problem.grid.indices(std::int64_t(n));
    const double better = b.travelTime[std::size_t(many.problem.grid.index(2 * i, 2 * j, 2 * k))];
    EXPECT_LE(better, a.travelTime[n] * (1 + 1e-6)) << n;
    EXPECT_GE(better, exact[n] * (1 - 1e-6)) << n;
  }
}

// v = 1 + g z: the time between two points is acosh(1 + (g d)^2 / (2 v1 v2)) / g.
TEST(ImageOrthogonal, TimesInALinearSpeedAreThoseOfTheClosedForm) {
  constexpr double g = 0.3;
  struct Errors {
    double median, maximum;
  };
  const auto errorsOf = [&](const OrthogonalCase& c, const Result& result) {
    const std::vector<double> distance = chords(c);
    std::vector<double> errors;
    const double atSeed = 1 + g * c.grid->position(c.problem.seeds[0].at)[2];
    for (std::size_t n = 0; n < c.size(); ++n) {
      const double v = 1 + g * c.at(n)[2];
      const double exact = std::acosh(1 + g * g * distance[n] * distance[n] / (2 * atSeed * v)) / g;
      if (exact > 0) errors.push_back(std::abs(result.travelTime[n] / exact - 1));
    }
    std::ranges::sort(errors);
    return Errors{errors[errors.size() / 2], errors.back()};
  };
  const auto caseOf = [&](const std::vector<double>& depth) {
    const auto n = std::int64_t(depth.size());
    OrthogonalCase c({evenly(0, 3, n), evenly(0, 3, n), depth});
    c.addSeed({1.52, 1.41, 0.4});
    c.setSpeed([&](const Position& at) { return 1 + g * at[2]; });
    return c;
  };
  Errors before{};
  for (const std::int64_t n : {16, 31}) {
    std::vector<double> depth = evenly(0, 1, n); // finer at the top
    for (double& z : depth) z = 3 * z * (0.3 + 0.7 * z);
    const OrthogonalCase c = caseOf(depth), equal = caseOf(evenly(0, 3, n));
    const Errors plain = errorsOf(c, solve(c.problem)), factored = errorsOf(c, solve(c.problem, additive()));
    EXPECT_LT(factored.median, plain.median / 6) << n;
    EXPECT_LT(factored.maximum, plain.maximum / 10) << n;
    if (before.median > 0) {
      EXPECT_LT(factored.median, before.median / 1.8);
      EXPECT_LT(factored.maximum, before.maximum / 1.8);
    }
    before = factored;
    // As good as on an image.
    Problem image = equal.problem;
    image.orthogonal = nullptr;
    image.grid.hx = image.grid.hy = image.grid.hz = 3. / double(n - 1);
    image.seeds = {{{1.52, 1.41, 0.4}, 0}};
    const Errors onImage = errorsOf(equal, solve(image, additive())),
                 onGrid = errorsOf(equal, solve(equal.problem, additive()));
    EXPECT_LT(onGrid.median, onImage.median * 1.02);
    EXPECT_LT(onGrid.maximum, onImage.maximum * 1.02);
  }
}

TEST(ImageOrthogonal, MirroredAndTransposedGridsHaveTheSameTimes) {
  const Axes axes = unevenAxes(12, 15, 11, 6, 9);
  const OrthogonalCase c = roughCase(axes, 30);
  for (const Options& options : {Options{}, additive()}) {
    const Result expected = solve(c.problem, options);
    for (const std::array<int, 3>& order : {std::array{0, 1, 2}, std::array{2, 0, 1}, std::array{1, 0, 2}})
      for (int mirrored = 0; mirrored < 8; mirrored += 3) {
        Axes turned;
        for (std::size_t a = 0; a < 3; ++a) {
          turned[a] = axes[std::size_t(order[a])];
          if (!(mirrored >> a & 1)) continue;
          for (double& x : turned[a]) x = -x;
          std::ranges::reverse(turned[a]);
        }
        OrthogonalCase d(turned);
        const auto pointIn = [&](const GridIndex& p) {
          GridIndex q;
          for (std::size_t a = 0; a < 3; ++a) {
            q[a] = p[std::size_t(order[a])];
            if (mirrored >> a & 1) q[a] = d.problem.grid.sizes()[a] - 1 - q[a];
          }
          return q;
        };
        d.speed.resize(c.size());
        for (std::size_t n = 0; n < c.size(); ++n)
          d.speed[std::size_t(d.problem.grid.index(pointIn(c.problem.grid.indices(std::int64_t(n)))))] =
              c.speed[n];
        d.problem.speed = d.speed;
        const Position at = c.problem.seeds[0].at;
        const GridIndex seed = pointIn({std::int64_t(at[0]), std::int64_t(at[1]), std::int64_t(at[2])});
        d.problem.seeds = {{{double(seed[0]), double(seed[1]), double(seed[2])}, 0}};
        const Result result = solve(d.problem, options);
        for (std::size_t n = 0; n < c.size(); ++n) {
          const float u = result.travelTime[std::size_t(
              d.problem.grid.index(pointIn(c.problem.grid.indices(std::int64_t(n)))))];
          if (std::isinf(expected.travelTime[n]))
            ASSERT_TRUE(std::isinf(u));
          else
            ASSERT_NEAR(u, expected.travelTime[n], 4e-6 * expected.travelTime[n] + 1e-6) << n;
        }
      }
  }
}

TEST(ImageOrthogonal, SameResultForAnyThreadCountAndInstructionSet) {
  OrthogonalCase c = roughCase(unevenAxes(40, 33, 25, 8, 4), 60);
  c.problem.seeds.push_back({{30.3, 20.6, 11.2}, 0.1});
  expectSameBits(c.problem);
  OrthogonalCase plane = roughCase(unevenAxes(90, 77, 1, 8, 4), 61);
  plane.problem.seeds.push_back({{30.3, 20.6, 0}, 0.1});
  expectSameBits(plane.problem);
}

TEST(ImageOrthogonal, TheResidualIsRoundingWithoutFactoring) {
  const OrthogonalCase c = roughCase(unevenAxes(20, 23, 15, 8, 4), 60);
  EXPECT_LT(residual(c.problem, solve(c.problem).travelTime, 1), 2e-6);
}

TEST(ImageOrthogonal, GradientsHaveTheLengthOfTheSlowness) {
  const OrthogonalCase c = roughCase(unevenAxes(20, 23, 15, 8, 4), 60);
  const Result result = solve(c.problem);
  const Values<float> g = gradient(c.problem, result.travelTime, 1);
  for (std::size_t n = 0; n < c.size(); ++n) {
    if (std::isinf(result.travelTime[n]) || result.travelTime[n] == 0) continue;
    EXPECT_NEAR(std::hypot(g[3 * n], g[3 * n + 1], g[3 * n + 2]) * c.speed[n], 1, 2e-3) << n;
  }
}

TEST(ImageOrthogonal, PathsLeadAlongStraightLinesAtConstantSpeed) {
  OrthogonalCase c(unevenAxes(30, 33, 25, 4, 4));
  c.addSeed({1.234, 0.567, 6.789});
  const Result result = solve(c.problem, additive());
  std::vector<Position> tips;
  for (std::uint64_t n = 0; n < 40; ++n)
    tips.push_back({29 * noise(n), 32 * noise(n + 100), 24 * noise(n + 200)});
  const std::vector<Path> paths = extractPaths(c.problem, result.travelTime, tips, 1);
  for (std::size_t t = 0; t < tips.size(); ++t) {
    ASSERT_EQ(paths[t].status, PathStatus::Complete);
    const double straight = c.grid->distance(tips[t], c.problem.seeds[0].at);
    EXPECT_GE(paths[t].length, straight * (1 - 1e-9));
    EXPECT_LE(paths[t].length, straight * 1.005) << t;
    EXPECT_EQ((Position{paths[t].x.front(), paths[t].y.front(), paths[t].z.front()}), c.problem.seeds[0].at);
    EXPECT_EQ((Position{paths[t].x.back(), paths[t].y.back(), paths[t].z.back()}), tips[t]);
  }
}

TEST(ImageOrthogonal, PathsAvoidBarriers) {
  OrthogonalCase c(unevenAxes(31, 41, 1, 4, 4));
  c.setSpeed([](const Position&) { return 1; });
  for (std::int64_t j = 0; j < 36; ++j) c.speed[std::size_t(c.problem.grid.index(15, j, 0))] = 0;
  c.problem.seeds = {{{3, 4, 0}, 0}};
  const std::vector<Position> tips{{28, 3, 0}, {16, 0, 0}};
  const std::vector<Path> paths = extractPaths(c.problem, solve(c.problem, additive()).travelTime, tips, 1);
  for (const Path& path : paths) {
    ASSERT_EQ(path.status, PathStatus::Complete);
    for (std::size_t n = 0; n < path.size(); ++n)
      EXPECT_FALSE(std::abs(path.x[n] - 15) <= 0.5 && path.y[n] <= 35.5) << path.x[n] << ' ' << path.y[n];
  }
}

TEST(ImageOrthogonal, SeedIdsAreThoseOfTheNearestSeedAtConstantSpeed) {
  OrthogonalCase c(unevenAxes(30, 33, 25, 4, 4));
  c.problem.seeds = {{{4, 5, 6}, 0}, {{22.2, 20, 11}, 0.3}};
  Options options = additive();
  options.seedIds = true;
  const Result result = solve(c.problem, options);
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < c.size(); ++n) {
    std::array<double, 2> arrival;
    for (std::size_t s = 0; s < 2; ++s)
      arrival[s] = lengthOf(grid::difference(c.place(n), c.grid->embedded(c.problem.seeds[s].at))) +
                   c.problem.seeds[s].startValue;
    if (std::abs(arrival[0] - arrival[1]) < 0.15) continue; // a step
    wrong += result.seed[n] != (arrival[0] > arrival[1]);
  }
  EXPECT_EQ(wrong, 0u);
}

TEST(ImageOrthogonal, PositionsOfAnySizeHaveCoordinates) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const grid::OrthogonalGrid box({{{0, 1, 3}, {2, 5}, {7}}});
  EXPECT_EQ(box.coordinate(0, 2.5), 4);
  EXPECT_EQ(box.coordinate(0, -1), -1);
  EXPECT_EQ(box.coordinate(0, 1e300), 2e300);
  EXPECT_EQ(box.coordinate(1, -1e300), -3e300);
  EXPECT_EQ(box.coordinate(0, infinity), infinity);
  EXPECT_EQ(box.coordinate(0, -infinity), -infinity);
  EXPECT_TRUE(std::isnan(box.coordinate(0, none)));
  for (const double far : {none, infinity, -infinity, 1e300, -1e300}) EXPECT_EQ(box.coordinate(2, far), 7);
  const grid::OrthogonalGrid circle({{{1, 2}, {45, 90}, {0, 90, 180, 270}}}, grid::OrthogonalGrid::spherical);
  ASSERT_TRUE(circle.goesAround());
  for (const grid::OrthogonalGrid& g : {circle, circle.closed()}) {
    for (const double far : {none, infinity, -infinity}) EXPECT_TRUE(std::isnan(g.coordinate(2, far))) << far;
    for (const double far : {1e300, -1e300}) EXPECT_TRUE(std::isfinite(g.coordinate(2, far))) << far;
  }
  // Seeds there are not used, and a seed on the grid is.
  OrthogonalCase c(unevenAxes(9, 8, 7, 2, 1));
  for (const double far : {none, infinity, -infinity, 1e300, -1e300}) {
    c.problem.seeds = {{{2, 3, 4}, 0}, {{far, 3, 4}, 0}};
    const Result result = solve(c.problem);
    EXPECT_EQ(result.seeds[0].status, Placement::Status::Inside);
    EXPECT_EQ(result.seeds[1].status, Placement::Status::Outside) << far;
  }
}

TEST(ImageOrthogonal, RefusesBadCoordinates) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto grid = [](std::vector<double> x) {
    return messageOf([&] {
      OrthogonalGrid g({std::move(x), std::vector<double>{0, 1}, std::vector<double>{0}});
    });
  };
  EXPECT_NE(grid({0, 2, 1}).find("must increase from index to index, got 1 at index 2"), std::string::npos);
  EXPECT_NE(grid({0, 1, 1}).find("must increase"), std::string::npos);
  EXPECT_NE(grid({0, nan}).find("must be finite"), std::string::npos);
  EXPECT_NE(grid({0, infinity}).find("must be finite"), std::string::npos);
  EXPECT_NE(grid({}).find("has no values"), std::string::npos);
  EXPECT_EQ(grid({0, 1, 3}), "");
}

TEST(ImageOrthogonal, RefusesWhatOnlyImagesHave) {
  OrthogonalCase c(unevenAxes(5, 6, 4, 2, 1));
  c.problem.seeds = {{{1, 1, 1}, 0}};
  const auto message = [&](const std::function<void(Problem&, Options&)>& change) {
    Problem problem = c.problem;
    Options options;
    change(problem, options);
    return messageOf([&] { solve(problem, options); });
  };
  EXPECT_NE(message([](Problem&, Options& o) { o.order = 2; }).find("second order is not possible"),
            std::string::npos);
  EXPECT_NE(message([](Problem&, Options& o) {
              o.factoring = SourceFactoring::Multiplicative;
            }).find("multiplicative factoring is not possible"),
            std::string::npos);
  EXPECT_NE(message([](Problem& p, Options&) {
              p.periodic = {true, false, false};
            }).find("periodic axis"),
            std::string::npos);
  const std::vector<float> tensors(6 * c.size(), 1);
  EXPECT_NE(message([&](Problem& p, Options&) {
              p.speedType = SpeedType::MetricTensor, p.speed = tensors;
            }).find("a tensor is not possible"),
            std::string::npos);
  const std::vector<float> drift(3 * c.size(), 0.1f);
  EXPECT_NE(message([&](Problem& p, Options&) { p.drift = drift; }).find("a drift is not possible"),
            std::string::npos);
  EXPECT_NE(message([](Problem& p, Options&) { p.grid.nx = 4; }).find("5 x 6 x 4"), std::string::npos);
  EXPECT_NE(message([](Problem& p, Options&) { p.grid.hx = 2; }).find("spacings of 1"), std::string::npos);
}
