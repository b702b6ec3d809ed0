// Claims about travel times in a medium that drifts: the fixed point of the scheme on any image and for any
// number of threads; closed forms, exchange of seed and tip, a drift of zero, bad input.
#include "Error.h"
#include "ImageDriftCases.h"
#include "ImageHostSolves.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "Median.h"
#include "Reference/TensorReference.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace isochrone;
using namespace isochrone::image;

namespace {

class ImageDrift : public testing::TestWithParam<std::string> {};

/// Returns the time along a vector at speed 1 in a constant drift: the t with |v - t V| = t.
double zermelo(const Position& v, const Position& drift) {
  double along = 0, square = 0, speed = 1;
  for (int a = 0; a < 3; ++a) along += v[a] * drift[a], square += v[a] * v[a], speed -= drift[a] * drift[a];
  return (std::sqrt(along * along + square * speed) - along) / speed;
}

} // namespace

TEST_P(ImageDrift, EqualsTheReference) {
  DriftCase c = makeDriftCase(GetParam());
  for (const bool towards : {false, true}) {
    c.problem.towardsSeeds = towards;
    const Result result = solve(c.problem);
    const std::vector<double> expected = reference::tensorTimes(c.problem);
    expectTimes(result.travelTime, expected, 1e-5);
  }
}

TEST_P(ImageDrift, LeavesNoResidual) {
  const DriftCase c = makeDriftCase(GetParam());
  EXPECT_LE(residual(c.problem, solve(c.problem).travelTime, 2), 32 * 0x1p-23);
}

TEST_P(ImageDrift, GivesTheSameBitsForAnyNumberOfThreadsAndInstructionSet) {
  const DriftCase c = makeDriftCase(GetParam());
  expectSameBits(c.problem);
}

INSTANTIATE_TEST_SUITE_P(Images, ImageDrift, testing::ValuesIn(driftCaseNames()),
                         [](const auto& info) { return info.param; });

namespace {

/// Relative errors against Zermelo's closed form, at points `margin` or more inside the border.
struct Errors {
  double median, largest;
};

Errors errorsOf(const DriftCase& c, std::span<const float> u, const Position& drift, std::int64_t margin) {
  const Grid& g = c.problem.grid;
  const GridIndex size = g.sizes();
  const Position &seed = c.problem.seeds[0].at, h = g.spacing();
  std::vector<double> errors;
  for (std::int64_t n = 0; n < g.points(); ++n) {
    const GridIndex at = g.indices(n);
    Position v{};
    bool inside = true, isSeed = true;
    for (int a = 0; a < (g.nz > 1 ? 3 : 2); ++a) {
      v[a] = double(at[a]) * h[a] - seed[a], isSeed &= v[a] == 0;
      inside &= at[a] >= margin && at[a] + margin < size[a];
    }
    if (!inside || isSeed) continue;
    const double exact = zermelo(v, drift);
    errors.push_back(std::abs(u[std::size_t(n)] - exact) / exact);
  }
  return {median(errors), *std::ranges::max_element(errors)};
}

} // namespace

TEST(ImageDriftTimes, AreExactInAConstantDriftWithAdditiveFactoringButForTheBorder) {
  for (const double size : {0.1, 0.5, 0.8, 0.95})
    for (const double off : {0., 0.3}) {
      const Position v{size * std::cos(0.7), size * std::sin(0.7), 0};
      DriftCase plane = constantDrift({65, 65, 1, 1, 1, 1}, v);
      plane.problem.seeds[0].at = {32 + off, 32 - off, 0};
      const Values<float> u = solve(plane.problem, additive()).travelTime;
      EXPECT_LT(errorsOf(plane, u, v, 24).largest, 2e-5) << size;
      const Errors all = errorsOf(plane, u, v, 0); // all points except the seed
      EXPECT_LT(all.median, 0.003) << size;
      // A line along the border takes steps on the axes, as tensors do.
      EXPECT_LT(all.largest, size > 0.9 ? 0.25 : 0.08) << size;
      const Position w{0.6 * v[0], 0.6 * v[1], 0.5 * size};
      DriftCase space = constantDrift({33, 33, 33, 1, 1, 1}, w);
      space.problem.seeds[0].at = {16 + off, 16 - off, 16 + off / 2};
      const Values<float> t = solve(space.problem, additive()).travelTime;
      EXPECT_LT(errorsOf(space, t, w, 12).largest, 2e-5) << size;
      EXPECT_LT(errorsOf(space, t, w, 0).median, 0.003) << size;
    }
}

TEST(ImageDriftTimes, ConvergeInAConstantDriftWithoutFactoring) {
  const Position v{0.4, -0.5, 0};
  double before = 0;
  for (const std::int64_t n : {33, 65, 129, 257}) {
    const double h = 1. / double(n - 1);
    const DriftCase c = constantDrift({n, n, 1, h, h, 1}, v);
    const double error = errorsOf(c, solve(c.problem).travelTime, v, 0).median;
    if (before > 0) EXPECT_LT(error, 0.65 * before) << n; // h log h
    before = error;
  }
}

TEST(ImageDriftTimes, EqualTheTimesOfZermelosNavigationInAShearFlow) {
  // Zermelo (1931): in the flow (a y, 0) the heading of a fastest path turns by -a cos^2(heading) per time.
  constexpr double shear = 1.2;
  constexpr std::int64_t n = 201;
  DriftCase c;
  c.problem.grid = {n, n, 1, 0.01, 0.01, 1};
  setDrift(c, [](double, double j, double) -> Position { return {shear * (0.01 * j - 1) * 0.7, 0, 0}; });
  c.problem.seeds = {{{1, 1, 0}, 0}};
  const Values<float> u = solve(c.problem, additive()).travelTime;
  std::vector<double> errors;
  for (int ray = 0; ray < 72; ++ray) {
    std::array<double, 3> s{1, 1, 2 * std::numbers::pi * ray / 72}; // x, y, heading
    const auto rate = [](const std::array<double, 3>& q) -> std::array<double, 3> {
      const double cosine = std::cos(q[2]);
      return {cosine + 0.7 * shear * (q[1] - 1), std::sin(q[2]), -0.7 * shear * cosine * cosine};
    };
    constexpr double step = 0.002; // Runge-Kutta
    for (int k = 1;; ++k) {
      const auto moved = [&](const std::array<double, 3>& d, double by) -> std::array<double, 3> {
        return {s[0] + by * d[0], s[1] + by * d[1], s[2] + by * d[2]};
      };
      const auto k1 = rate(s), k2 = rate(moved(k1, step / 2)), k3 = rate(moved(k2, step / 2)),
                 k4 = rate(moved(k3, step));
      for (int a = 0; a < 3; ++a) s[a] += step / 6 * (k1[a] + 2 * k2[a] + 2 * k3[a] + k4[a]);
      const double i = s[0] / 0.01, j = s[1] / 0.01, time = k * step;
      if (!(i > 1 && i < n - 2 && j > 1 && j < n - 2)) break;
      if (k % 50 != 0) continue;
      const auto at = [&](double x, double y) { return double(u[std::size_t(x) + n * std::size_t(y)]); };
      const double x = std::floor(i), y = std::floor(j), fx = i - x, fy = j - y;
      const double value = (1 - fy) * ((1 - fx) * at(x, y) + fx * at(x + 1, y)) +
                           fy * ((1 - fx) * at(x, y + 1) + fx * at(x + 1, y + 1));
      errors.push_back((value - time) / time);
    }
  }
  ASSERT_GT(errors.size(), 500u);
  const auto [least, largest] = std::ranges::minmax_element(errors);
  EXPECT_LT(std::abs(median(errors)), 0.002);
  EXPECT_GT(*least, -0.02);
  EXPECT_LT(*largest, 0.02);
}

TEST(ImageDriftTimes, AreTheBitsOfTheUndriftedSolverForADriftOfZero) {
  for (const char* name : {"Plane", "Noise", "Slowness", "OffGrid"}) {
    const Case c = makeCase(name);
    std::vector<float> zero(std::size_t(c.problem.grid.points() * (c.problem.grid.nz == 1 ? 2 : 3)), 0.f);
    zero[5] = -0.f;
    for (Options options : {Options{}, additive()}) {
      options.seedIds = true;
      const Result expected = solve(c.problem, options);
      Problem drifting = c.problem;
      drifting.drift = zero;
      const Result result = solve(drifting, options);
      EXPECT_EQ(result.travelTime, expected.travelTime) << name;
      EXPECT_EQ(result.seed, expected.seed) << name;
      options.order = 2;
      EXPECT_EQ(solve(drifting, options).travelTime, solve(c.problem, options).travelTime) << name;
      const std::vector<Position> tips{{3, 3, 0}};
      EXPECT_EQ(extractPaths(drifting, result.travelTime, tips, 1)[0].x,
                extractPaths(c.problem, result.travelTime, tips, 1)[0].x);
      EXPECT_EQ(gradient(drifting, result.travelTime, 1), gradient(c.problem, result.travelTime, 1));
    }
  }
  for (const char* name : {"Plane", "Space", "Metric"}) {
    const Case c = makeTensorCase(name);
    std::vector<float> zero(std::size_t(c.problem.grid.points() * (c.problem.grid.nz == 1 ? 2 : 3)), 0.f);
    Problem drifting = c.problem;
    drifting.drift = zero;
    EXPECT_EQ(solve(drifting).travelTime, solve(c.problem).travelTime) << name;
  }
}

TEST(ImageDriftTimes, TowardsSeedsAreThoseInTheReversedDrift) {
  for (const char* name : {"Plane", "SpaceTensors", "PlaneLand"}) {
    DriftCase c = makeDriftCase(name);
    c.problem.towardsSeeds = true;
    const Values<float> towards = solve(c.problem, additive()).travelTime;
    c.problem.towardsSeeds = false;
    for (float& v : c.drift) v = -v;
    EXPECT_EQ(towards, solve(c.problem, additive()).travelTime) << name;
  }
}

TEST(ImageDriftTimes, AreTheSameThereAndBackAgainstTheReversedDrift) {
  // From a to b in a drift, and from b to a in the reversed drift, for 40 pairs of points in a vortex.
  DriftCase c;
  c.problem.grid = {121, 121, 1, 1, 1, 1};
  setDrift(c, [](double i, double j, double) -> Position {
    const double x = (i - 60) / 40, y = (j - 60) / 40, size = 0.8 * std::exp(-(x * x + y * y) / 2);
    return {-size * y, size * x, 0};
  });
  std::vector<double> apart, asymmetry;
  for (int pair = 0; pair < 40; ++pair) {
    std::array<std::int64_t, 4> at; // i and j of both ends
    for (int k = 0; k < 4; ++k) at[k] = 10 + std::int64_t(100 * noise(4 * pair + k));
    if (std::hypot(at[0] - at[2], at[1] - at[3]) < 20) continue;
    const auto time = [&](bool towards, int from, int to) {
      c.problem.towardsSeeds = towards;
      c.problem.seeds = {{{double(at[from]), double(at[from + 1]), 0}, 0}};
      return double(solve(c.problem, additive()).travelTime[at[to] + 121 * at[to + 1]]);
    };
    const double there = time(false, 0, 2), reversed = time(true, 2, 0), back = time(false, 2, 0);
    apart.push_back(std::abs(there - reversed) / there);
    asymmetry.push_back(std::abs(there - back) / there);
  }
  EXPECT_LT(median(apart), 0.003);
  EXPECT_LT(*std::ranges::max_element(apart), 0.02);
  EXPECT_GT(median(asymmetry), 0.1); // the drift matters
}

TEST(ImageDriftTimes, AreMirroredWithTheImage) {
  const DriftCase c = makeDriftCase("SpaceTensors");
  DriftCase m = c;
  const Grid& g = c.problem.grid;
  for (std::int64_t n = 0; n < g.points(); ++n) {
    const auto [i, j, k] = g.indices(n);
    const auto to = std::size_t(g.index(g.nx - 1 - i, j, k));
    for (int t = 0; t < 6; ++t)
      m.speed[6 * to + t] = (t == 3 || t == 5 ? -1.f : 1.f) * c.speed[6 * std::size_t(n) + t];
    for (int a = 0; a < 3; ++a) m.drift[3 * to + a] = (a == 0 ? -1.f : 1.f) * c.drift[3 * std::size_t(n) + a];
  }
  m.problem.seeds[0].at[0] = double(g.nx - 1) - c.problem.seeds[0].at[0];
  m.bind();
  const Values<float> u = solve(c.problem).travelTime, v = solve(m.problem).travelTime;
  for (std::int64_t n = 0; n < g.points(); ++n) {
    const auto [i, j, k] = g.indices(n);
    ASSERT_NEAR(v[std::size_t(g.index(g.nx - 1 - i, j, k))], u[std::size_t(n)], 1e-5 * u[std::size_t(n)]);
  }
}

TEST(ImageDriftTimes, ScaleWithTheUnits) {
  DriftCase c = makeDriftCase("PlaneUnequal");
  const Values<float> one = solve(c.problem).travelTime;
  Grid& g = c.problem.grid;
  for (double* h : {&g.hx, &g.hy, &g.hz}) *h *= 0x1p-30;
  for (float& v : c.speed) v *= 0x1p10f;
  for (float& v : c.drift) v *= 0x1p10f;
  for (double& x : c.problem.seeds[0].at) x *= 0x1p-30;
  const Values<float> scaled = solve(c.problem).travelTime;
  for (std::size_t n = 0; n < one.size(); ++n) ASSERT_EQ(scaled[n] * 0x1p40f, one[n]) << n;
}

TEST(ImageDriftTimes, NeverComeBeforeTheFirstSeed) {
  for (const char* name : {"NearTheSpeed", "PlaneNoise", "SpaceNoise", "SpaceTensorNoise"})
    for (const Options& options : {Options{}, additive()}) {
      const DriftCase c = makeDriftCase(name);
      const Result result = solve(c.problem, options);
      EXPECT_EQ(*std::ranges::min_element(result.travelTime), 0) << name;
      EXPECT_LT(result.updatesPerPoint, 60) << name;
    }
}

TEST(ImageDriftSeeds, OfPointsAreThoseWhoseVehicleArrivesFirst) {
  const Position v{0.5, 0.3, 0};
  DriftCase c = constantDrift({101, 101, 1, 1, 1, 1}, v);
  c.problem.seeds = {{{20, 30, 0}, 0}, {{70, 60, 0}, 5}, {{40, 80, 0}, -3}};
  Options options = additive();
  options.seedIds = true;
  const Result result = solve(c.problem, options);
  int clear = 0, close = 0;
  for (std::int64_t n = 0; n < c.problem.grid.points(); ++n) {
    std::vector<std::pair<double, int>> times;
    for (int s = 0; s < 3; ++s) {
      const Seed& seed = c.problem.seeds[std::size_t(s)];
      const Position offset{double(n % 101) - seed.at[0], double(n / 101) - seed.at[1], 0};
      times.push_back({seed.startValue + zermelo(offset, v), s});
    }
    std::ranges::sort(times);
    if (times[1].first - times[0].first < 1) { // nearly at once
      ++close;
      continue;
    }
    ++clear;
    ASSERT_EQ(result.seed[std::size_t(n)], times[0].second) << n % 101 << ' ' << n / 101;
  }
  EXPECT_GT(clear, 9500) << close << " points are too close to a border to tell";
}

TEST(ImageDriftOptions, DoNotStopASolve) {
  const DriftCase c = makeDriftCase("PlaneNoise");
  Options options;
  options.stoppingTime = 12;
  options.stopAt = {{1, 1, 0}};
  EXPECT_EQ(solve(c.problem, options).travelTime, solve(c.problem).travelTime);
}

TEST(ImageDriftBarriers, AreDriftsThatAreNotNumbers) {
  DriftCase c = constantDrift({9, 5, 1, 1, 1, 1}, {0.2, 0, 0});
  for (std::int64_t j = 0; j < 5; ++j) c.drift[std::size_t(2 * (6 + 9 * j) + 1)] = NAN;
  const Result result = solve(c.problem);
  for (std::int64_t n = 0; n < 45; ++n) EXPECT_EQ(std::isfinite(result.travelTime[n]), n % 9 < 6) << n;
}

TEST(ImageDriftInput, IsRefusedWithValuePlaceAndRemedy) {
  const auto messageOf = [](const Problem& problem, const Options& options = {}) -> std::string {
    try {
      solve(problem, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  DriftCase c = constantDrift({9, 5, 1, 1, 1, 1}, {0.2, 0, 0});
  Options second;
  second.order = 2;
  EXPECT_NE(messageOf(c.problem, second).find("the second order is not possible in a drift"),
            std::string::npos);
  Options multiplicative;
  multiplicative.factoring = SourceFactoring::Multiplicative;
  EXPECT_NE(messageOf(c.problem, multiplicative).find("choose order 1, and Additive or Off"),
            std::string::npos);
  c.drift[2 * 13] = 0.8f, c.drift[2 * 13 + 1] = 0.6f; // as fast as the vehicle, but for rounding
  c.drift[2 * 20] = 2;
  const std::string fast = messageOf(c.problem);
  EXPECT_NE(fast.find("point (4, 1, 0), the first of 2 such points"), std::string::npos) << fast;
  EXPECT_NE(fast.find("raise the speed"), std::string::npos) << fast;
  c.drift[2 * 13] = 0.2f, c.drift[2 * 20] = std::numeric_limits<float>::infinity();
  EXPECT_NE(messageOf(c.problem).find("point (2, 2, 0) it is inf"), std::string::npos)
      << messageOf(c.problem);
  c.drift[2 * 20] = 0.9991f, c.drift[2 * 20 + 1] = 0;
  EXPECT_NE(messageOf(c.problem).find("below 0.999 of the speed: at point (2, 2, 0) it is 0.9991"),
            std::string::npos)
      << messageOf(c.problem);
  c.drift[2 * 20] = 0.9989f;
  EXPECT_EQ(messageOf(c.problem), "accepted");
  c.problem.drift = std::span(c.drift).first(7);
  EXPECT_NE(messageOf(c.problem).find("2 values for each of 45 points, 90 in all, got 7"), std::string::npos)
      << messageOf(c.problem);
}
