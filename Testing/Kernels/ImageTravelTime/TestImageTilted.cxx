// Claims about travel times in tilted transversely isotropic media: the fixed point of the scheme on any
// image and for any number of threads, group velocities, the elliptic and isotropic limits.
#include "ImageHostSolves.h"
#include "ImageThomsenCases.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "Median.h"
#include "Reference/Christoffel.h"
#include "Reference/TensorReference.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace isochrone;
using namespace isochrone::image;

namespace {

class ImageTilted : public testing::TestWithParam<std::string> {};

/// Returns the maximum difference, as a share of the time since the earliest arrival.
double differenceOf(const std::vector<double>& expected, const Values<float>& u) {
  const double earliest = *std::min_element(expected.begin(), expected.end());
  double worst = 0;
  for (std::size_t n = 0; n < expected.size(); ++n) {
    if (std::isinf(expected[n]) != std::isinf(u[n])) return INFINITY;
    if (!std::isinf(expected[n]) && expected[n] > earliest)
      worst = std::max(worst, std::abs(u[n] - expected[n]) / (expected[n] - earliest));
  }
  return worst;
}

} // namespace

TEST_P(ImageTilted, IsTheLimitOfSampledTensors) {
  const ThomsenCase c = makeThomsenCase(GetParam());
  const Values<float> u = solve(c.problem).travelTime;
  const double coarse = differenceOf(reference::tensorTimes(c.problem, 12), u),
               fine = differenceOf(reference::tensorTimes(c.problem, c.name == "PlaneLimit" ? 400 : 100), u);
  EXPECT_LT(fine, c.name == "PlaneLimit" ? 2e-3 : 3e-4);
  EXPECT_LT(fine, std::max(1e-6, coarse / 2.5));
}

TEST_P(ImageTilted, LeavesNoResidual) {
  const ThomsenCase c = makeThomsenCase(GetParam());
  EXPECT_LE(residual(c.problem, solve(c.problem).travelTime, 2), 32 * 0x1p-23);
}

TEST_P(ImageTilted, GivesTheSameBitsForAnyNumberOfThreadsAndInstructionSet) {
  const ThomsenCase c = makeThomsenCase(GetParam());
  expectSameBits(c.problem);
}

INSTANTIATE_TEST_SUITE_P(Images, ImageTilted, testing::ValuesIn(thomsenCaseNames()),
                         [](const auto& info) { return info.param; });

namespace {

/// Relative errors against the group velocity of a homogeneous medium, at all points but the seed.
std::vector<double> errorsOf(const ThomsenCase& c, const Rock& rock, std::span<const float> u) {
  const Grid& g = c.problem.grid;
  const Position &seed = c.problem.seeds[0].at, h = g.spacing();
  const reference::Elastic elastic(rock.speed, rock.epsilon, rock.delta, rock.shear);
  const double length = std::hypot(rock.axis[0], rock.axis[1], rock.axis[2]);
  std::vector<double> errors;
  for (std::int64_t n = 0; n < g.points(); ++n) {
    const GridIndex at = g.indices(n);
    double along = 0, square = 0;
    for (int a = 0; a < (g.nz > 1 ? 3 : 2); ++a) {
      const double v = double(at[a]) * h[a] - seed[a];
      along += v * rock.axis[a] / length, square += v * v;
    }
    if (square == 0) continue;
    const double exact =
        reference::groupTime(elastic, std::sqrt(std::max(0., square - along * along)), along);
    errors.push_back(std::abs(u[std::size_t(n)] - exact) / exact);
  }
  return errors;
}

} // namespace

TEST(ImageTiltedTimes, AreThoseOfTheGroupVelocityWithAdditiveFactoring) {
  for (Rock rock : rocks())
    for (const double angle : {0., 0.5, 1.1}) {
      rock.axis = {std::sin(angle), std::cos(angle), 0};
      const ThomsenCase plane = homogeneous({65, 65, 1, 1, 1, 1}, rock);
      const std::vector<double> flat = errorsOf(plane, rock, solve(plane.problem, additive()).travelTime);
      EXPECT_LT(median(flat), 1e-4) << rock.epsilon << ' ' << rock.delta << ' ' << angle;
      EXPECT_LT(*std::ranges::max_element(flat), 0.003);
      rock.axis = direction(0.7, std::numbers::pi / 2 - angle);
      const ThomsenCase space = homogeneous({25, 25, 25, 1, 1, 1}, rock);
      const std::vector<double> deep = errorsOf(space, rock, solve(space.problem, additive()).travelTime);
      EXPECT_LT(median(deep), 1e-4) << rock.epsilon << ' ' << rock.delta << ' ' << angle;
      EXPECT_LT(*std::ranges::max_element(deep), 0.005);
    }
}

TEST(ImageTiltedTimes, ConvergeInAHomogeneousMediumWithoutFactoring) {
  for (Rock rock : rocks()) {
    rock.axis = {0.6, 0.8, 0};
    double before = 0;
    for (const std::int64_t n : {33, 65, 129}) {
      const double h = 1. / double(n - 1);
      const ThomsenCase c = homogeneous({n, n, 1, h, h, 1}, rock);
      const double error = median(errorsOf(c, rock, solve(c.problem).travelTime));
      if (before > 0) EXPECT_LT(error, 0.66 * before) << n; // h log h
      before = error;
    }
  }
}

TEST(ImageTiltedTimes, ConvergeToTheFirstOrderWithFactoringInAGradient) {
  // Vp = 1 + y / 2: the reference is the finest grid at the common points.
  const auto timesAt = [](std::int64_t n) {
    const double h = 1. / double(n - 1);
    const ThomsenCase c = thomsenCase({n, n, 1, h, h, 1}, [&](double, double j, double) -> Rock {
      return {1 + 0.5 * j * h, 0.24, 0.1, 0.5, {0.6, 0.8, 0}};
    });
    const Values<float> u = solve(c.problem, additive()).travelTime;
    std::vector<double> at;
    for (std::int64_t j = 0; j < 17; ++j)
      for (std::int64_t i = 0; i < 17; ++i)
        at.push_back(u[std::size_t(c.problem.grid.index(i * (n - 1) / 16, j * (n - 1) / 16, 0))]);
    return at;
  };
  const std::vector<double> exact = timesAt(513);
  double before = 0;
  for (const std::int64_t n : {17, 33, 65, 129}) {
    const std::vector<double> u = timesAt(n);
    double error = 0;
    for (std::size_t m = 0; m < u.size(); ++m) error += std::abs(u[m] - exact[m]) / double(u.size());
    if (before > 0) EXPECT_LT(error, 0.62 * before) << n;
    before = error;
  }
}

TEST(ImageTiltedTimes, AreThoseOfHamiltonsRaysInAMediumThatVaries) {
  // Rays of the Christoffel equation by Runge-Kutta: dx/dt = dH/dp and dp/dt = -dH/dx with H half of its
  // larger eigenvalue, whose parameter t is the travel time.
  using State = std::array<double, 4>; // x, y and the slowness
  const auto rockAt = [](double x, double y) -> Rock {
    const double tilt = 0.4 + 0.8 * x;
    return {1 + 0.5 * y, 0.24 + 0.1 * x, 0.1 - 0.1 * y, 0.5, {std::sin(tilt), std::cos(tilt), 0}};
  };
  const auto hamiltonian = [&](const State& s) {
    const Rock r = rockAt(s[0], s[1]);
    const reference::Elastic elastic(r.speed, r.epsilon, r.delta, r.shear);
    const double along = s[2] * r.axis[0] + s[3] * r.axis[1], across = s[2] * r.axis[1] - s[3] * r.axis[0];
    return elastic.eigenvalue(across, along) / 2;
  };
  const auto rate = [&](const State& s) {
    State derivative;
    for (int a = 0; a < 4; ++a) {
      constexpr double step = 1e-6;
      State before = s, after = s;
      before[std::size_t(a)] -= step, after[std::size_t(a)] += step;
      const double slope = (hamiltonian(after) - hamiltonian(before)) / (2 * step);
      derivative[std::size_t((a + 2) % 4)] = a < 2 ? -slope : slope;
    }
    return derivative;
  };
  constexpr std::int64_t n = 161;
  const double h = 1. / double(n - 1);
  ThomsenCase c =
      thomsenCase({n, n, 1, h, h, 1}, [&](double i, double j, double) { return rockAt(i * h, j * h); });
  c.problem.seeds[0].at = {0.5, 0.4, 0};
  const Values<float> u = solve(c.problem, additive()).travelTime;
  std::vector<double> errors;
  for (int ray = 0; ray < 48; ++ray) {
    const double angle = 2 * std::numbers::pi * ray / 48;
    State s{0.5, 0.4, std::cos(angle), std::sin(angle)};
    const double length = std::sqrt(2 * hamiltonian(s));
    s[2] /= length, s[3] /= length;
    constexpr double step = 0.002;
    for (int k = 1;; ++k) {
      const auto moved = [&](const State& d, double by) {
        State to = s;
        for (std::size_t a = 0; a < 4; ++a) to[a] += by * d[a];
        return to;
      };
      const State k1 = rate(s), k2 = rate(moved(k1, step / 2)), k3 = rate(moved(k2, step / 2)),
                  k4 = rate(moved(k3, step));
      for (std::size_t a = 0; a < 4; ++a) s[a] += step / 6 * (k1[a] + 2 * k2[a] + 2 * k3[a] + k4[a]);
      const double i = s[0] / h, j = s[1] / h, time = k * step;
      if (!(i > 1 && i < n - 2 && j > 1 && j < n - 2)) break;
      if (k % 10 != 0) continue;
      const auto at = [&](double x, double y) { return double(u[std::size_t(x) + n * std::size_t(y)]); };
      const double x = std::floor(i), y = std::floor(j), fx = i - x, fy = j - y;
      const double value = (1 - fy) * ((1 - fx) * at(x, y) + fx * at(x + 1, y)) +
                           fy * ((1 - fx) * at(x, y + 1) + fx * at(x + 1, y + 1));
      errors.push_back((value - time) / time);
    }
  }
  ASSERT_GT(errors.size(), 500u);
  const auto [least, largest] = std::ranges::minmax_element(errors);
  EXPECT_LT(std::abs(median(errors)), 0.001);
  EXPECT_GT(*least, -0.004);
  EXPECT_LT(*largest, 0.02);
}

TEST(ImageTiltedTimes, EqualThoseOfATensorWhereEpsilonIsDelta) {
  for (const bool plane : {true, false}) {
    const Grid g = plane ? Grid{41, 37, 1, 1, 0.7, 1} : Grid{15, 14, 13, 1, 0.7, 1.4};
    const auto rockAt = [&](double i, double j, double k) -> Rock {
      const double e = 0.3 - 0.012 * j;
      return {1 + 0.02 * i, e, e, 0.4, direction(0.1 * i, plane ? 0 : 0.1 * k)};
    };
    const ThomsenCase tilted = thomsenCase(g, rockAt);
    const Case tensors = tensorCase(g, [&](double i, double j, double k) -> std::array<double, 6> {
      const Rock r = rockAt(i, j, k);
      const double s = float(r.speed), across = s * s * (1 + 2 * float(r.epsilon)), more = s * s - across;
      const Position& n = r.axis;
      return {across + more * n[0] * n[0], across + more * n[1] * n[1], across + more * n[2] * n[2],
              more * n[0] * n[1],          more * n[1] * n[2],          more * n[0] * n[2]};
    });
    for (const Options& options : {Options{}, additive()}) {
      const Values<float> u = solve(tilted.problem, options).travelTime,
                          t = solve(tensors.problem, options).travelTime;
      for (std::size_t n = 0; n < u.size(); ++n) EXPECT_NEAR(u[n], t[n], 1e-5 * t[n]) << n;
    }
  }
}

TEST(ImageTiltedTimes, EqualThoseOfAScalarSpeedWithoutAnisotropy) {
  for (const bool plane : {true, false}) {
    const Grid g = plane ? Grid{41, 37, 1, 1, 0.7, 1} : Grid{15, 14, 13, 1, 0.7, 1.4};
    const auto speedAt = [](double i, double j, double k) {
      return 1 + noise(std::uint64_t(i + 50 * j + 5000 * k));
    };
    const ThomsenCase tilted = thomsenCase(g, [&](double i, double j, double k) -> Rock {
      return {speedAt(i, j, k), 0, 0, 0.5, direction(0.1 * i, plane ? 0 : 0.1 * k)};
    });
    Problem scalar = tilted.problem;
    scalar.speedType = SpeedType::Speed, scalar.thomsen = {};
    const Values<float> u = solve(tilted.problem).travelTime, t = solve(scalar).travelTime;
    for (std::size_t n = 0; n < u.size(); ++n) EXPECT_NEAR(u[n], t[n], 1e-5 * t[n]) << n;
  }
}

TEST(ImageTiltedTimes, TurnWithTheImageAndItsAxes) {
  // Transposed, and mirrored along x, with the axes; the sign of an axis has no meaning.
  const Grid g{31, 23, 1, 1, 0.8, 1};
  const auto rockAt = [](double i, double j) -> Rock {
    return {1 + 0.02 * i, 0.24, 0.3 - 0.01 * j, 0, {std::sin(0.1 * i), std::cos(0.1 * i), 0}};
  };
  const ThomsenCase c = thomsenCase(g, [&](double i, double j, double) { return rockAt(i, j); });
  const ThomsenCase turned = thomsenCase({23, 31, 1, 0.8, 1, 1}, [&](double i, double j, double) {
    Rock r = rockAt(j, i);
    r.axis = {-r.axis[1], -r.axis[0], 0};
    return r;
  });
  ThomsenCase mirrored = thomsenCase(g, [&](double i, double j, double) {
    Rock r = rockAt(30 - i, j);
    r.axis[0] = -r.axis[0];
    return r;
  });
  for (const Options& options : {Options{}, additive()}) {
    const Values<float> u = solve(c.problem, options).travelTime,
                        t = solve(turned.problem, options).travelTime,
                        m = solve(mirrored.problem, options).travelTime;
    for (std::int64_t j = 0; j < 23; ++j)
      for (std::int64_t i = 0; i < 31; ++i) {
        const double expected = u[std::size_t(i + 31 * j)];
        EXPECT_NEAR(t[std::size_t(j + 23 * i)], expected, 2e-5 * (1 + expected)) << i << ' ' << j;
        EXPECT_NEAR(m[std::size_t(30 - i + 31 * j)], expected, 2e-5 * (1 + expected)) << i << ' ' << j;
      }
  }
}

TEST(ImageTiltedTimes, TakeOneValueForAllPoints) {
  const Rock rock{2, 0.24, 0.1, 0.5, {0.6, 0.8, 0}};
  const ThomsenCase c = homogeneous({31, 23, 1, 1, 1, 1}, rock);
  Problem p = c.problem;
  p.speed = {}, p.constantSpeed = 2;
  const auto first = [](const std::vector<float>& v, std::size_t n) {
    return std::span<const float>(v.data(), n);
  };
  p.thomsen = {first(c.epsilon, 1), first(c.delta, 1), first(c.axis, 2), first(c.shear, 1)};
  EXPECT_EQ(solve(p).travelTime, solve(c.problem).travelTime);
  p.thomsen.axis = {}; // the second axis in the plane
  const Rock upright{2, 0.24, 0.1, 0.5, {0, -2, 0}};
  EXPECT_EQ(solve(p).travelTime, solve(homogeneous({31, 23, 1, 1, 1, 1}, upright).problem).travelTime);
}

TEST(ImageTiltedTimes, StopWhenTheTimesOfTheTipsAreFinal) {
  const ThomsenCase c = makeThomsenCase("Plane");
  for (Options options : {Options{}, additive()}) {
    const Values<float> all = solve(c.problem, options).travelTime;
    options.stopAt = {{14, 9, 0}};
    const Values<float> some = solve(c.problem, options).travelTime;
    std::size_t unreached = 0;
    for (std::size_t n = 0; n < all.size(); ++n) {
      if (std::isinf(some[n])) ++unreached;
      if (!std::isinf(some[n])) EXPECT_EQ(some[n], all[n]) << n;
    }
    EXPECT_GT(unreached, all.size() / 4);
    EXPECT_FALSE(std::isinf(some[std::size_t(c.problem.grid.index(14, 9, 0))]));
  }
}

TEST(ImageTiltedTimes, DependLittleOnTheSpeedOfShearWaves) {
  const ThomsenCase c = homogeneous({41, 41, 1, 1, 1, 1}, {2, 0.24, 0.1, 0, {0, 1, 0}}),
                    shear = homogeneous({41, 41, 1, 1, 1, 1}, {2, 0.24, 0.1, 0.5, {0, 1, 0}});
  const Values<float> u = solve(c.problem).travelTime, t = solve(shear.problem).travelTime;
  double largest = 0;
  for (std::size_t n = 0; n < u.size(); ++n)
    if (u[n] > 0) largest = std::max(largest, double(std::abs(u[n] / t[n] - 1)));
  EXPECT_LT(largest, 0.01);
  EXPECT_GT(largest, 1e-4);
}

TEST(ImageTiltedTimes, PassPointsWithoutANumber) {
  const ThomsenCase c = makeThomsenCase("PlaneHoles");
  const Values<float> u = solve(c.problem).travelTime;
  int holes = 0;
  for (std::size_t n = 0; n < u.size(); ++n) {
    if (!std::isnan(c.delta[n])) continue;
    EXPECT_TRUE(std::isinf(u[n]));
    ++holes;
  }
  EXPECT_GT(holes, 20);
  Problem constant = c.problem; // no path crosses them without a speed array either
  constant.speed = {};
  EXPECT_LE(residual(constant, solve(constant).travelTime, 1), 32 * 0x1p-23);
}
