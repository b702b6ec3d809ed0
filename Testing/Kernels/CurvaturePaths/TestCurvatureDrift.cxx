// Claims about vehicles in a drift: fields over ground against mechanics, the reference solver, symmetries,
// bad input.
#include "CurvatureDriftCases.h"
#include "CurvaturePathChecks.h"
#include "Error.h"
#include "Median.h"
#include "Reference/CurvatureReference.h"

#include <algorithm>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

constexpr double pi = std::numbers::pi;

/// Returns a quadratic drift, whose central differences are exact; at most 0.7 on [0, 2]^2.
std::array<double, 2> curvedDrift(double x, double y) {
  return {0.1 + 0.15 * x - 0.2 * y + 0.05 * x * y, -0.2 + 0.1 * y * y - 0.1 * x};
}

std::array<double, 2> linearDrift(double x, double y) {
  return {0.2 + 0.1 * x - 0.2 * y, -0.1 + 0.15 * x - 0.1 * y};
}

void expectRefused(const DriftingCase& d, const std::vector<std::string>& words) {
  try {
    groundFields(d.c.problem, d.vehicle, 1);
    ADD_FAILURE() << "accepted; expected an error about " << words.at(0);
  } catch (const Error& error) {
    for (const std::string& word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos)
          << "no \"" << word << "\" in: " << error.what();
  }
}

DriftingCase calm() { return {square(Model::Dubins, 11, 8), constantDrift(0.1, 0), 1, 0.2, 0.2}; }

} // namespace

TEST(CurvatureDrift, FieldsAreTheRatesOfTheMovingVehicle) {
  constexpr double speed = 1.4, left = 0.3, right = 0.5, dt = 1e-5;
  Case c = square(Model::Elastica, 41, 28);
  c.problem.grid.hy = 0.03;
  DriftingCase d(std::move(c), curvedDrift, speed, left, right);
  const Problem ground = d.ground();
  const StateGrid& g = ground.grid;
  Random random(2);
  for (int n = 0; n < 300; ++n) {
    const std::int64_t i = 1 + std::int64_t(random() * double(g.nx - 2)),
                       j = 1 + std::int64_t(random() * double(g.ny - 2));
    const int k = int(random() * g.headings);
    const double x = double(i) * g.hx, y = double(j) * g.hy, psi = k * g.headingStep();
    const Pose pose{x, y, vehicleHeading(ground, d.vehicle, x, y, psi)};
    const auto [track, groundSpeed] = pose.track(curvedDrift, speed);
    ASSERT_NEAR(std::remainder(track - psi, 2 * pi), 0, 1e-6);
    const double radius = d.fields.turningRadius[g.index(i, j, k)],
                 shift = d.fields.curvatureShift[g.index(i, j, k)];

    EXPECT_NEAR(d.fields.cost[g.index(i, j, k)] * groundSpeed, 1, 1e-6);
    for (const double side : {1., -1.}) { // maximum turn to the left, to the right
      const double curvature = side > 0 ? 1 / left : -1 / right;
      const Pose next = pose.after(dt, curvedDrift, speed, curvature),
                 last = pose.after(-dt, curvedDrift, speed, curvature);
      const double turned =
          std::remainder(next.track(curvedDrift, speed)[0] - last.track(curvedDrift, speed)[0], 2 * pi);
      const double rate = turned / (2 * dt) / groundSpeed;
      EXPECT_NEAR(shift + side / radius, rate, 1e-4 * (1 + std::abs(rate))) << i << ' ' << j << ' ' << k;
    }
  }
}

TEST(CurvatureDrift, TheShiftAddsToTheTurningRatesInTheMedium) {
  DriftingCase plain(square(Model::Dubins, 11, 8), linearDrift, 1, 0.25, 0.25),
      shifted(square(Model::Dubins, 11, 8), linearDrift, 1, 0.25, 0.25),
      sides(square(Model::Dubins, 11, 8), linearDrift, 1, 1 / 5.5, 1 / 2.5);
  shifted.c.problem.curvatureShift.constant = 1.5; // turning rates -4 to 4, all increased by 1.5

  plain.ground(), shifted.ground(), sides.ground();

  EXPECT_NE(plain.fields.curvatureShift, shifted.fields.curvatureShift);
  for (std::size_t p = 0; p < plain.fields.cost.size(); ++p) {
    EXPECT_NEAR(shifted.fields.curvatureShift[p], sides.fields.curvatureShift[p], 1e-5);
    EXPECT_NEAR(shifted.fields.turningRadius[p], sides.fields.turningRadius[p], 1e-6);
  }
}

TEST(CurvatureDrift, BordersAndValuesInWallsDoNotAffectALinearDrift) {
  DriftingCase open(square(Model::Dubins, 21, 8), linearDrift, 1, 0.25, 0.25),
      walled(square(Model::Dubins, 21, 8), linearDrift, 1, 0.25, 0.25);
  for (std::size_t p = 0; p < 21 * 21; ++p) { // every point has a free neighbour along each axis
    walled.c.walls.push_back(p % 21 % 4 == 2 && p / 21 % 3 == 2);
    if (walled.c.walls[p]) walled.driftX[p] = p % 2 ? std::nanf("") : 1e30f;
  }
  walled.c.problem.walls = walled.c.walls;

  open.ground(), walled.ground();

  int compared = 0;
  for (std::size_t p = 0; p < open.fields.cost.size(); ++p) {
    if (walled.c.walls[p % walled.c.walls.size()]) continue;
    compared += 1;
    EXPECT_EQ(walled.fields.cost[p], open.fields.cost[p]);
    EXPECT_NEAR(walled.fields.curvatureShift[p], open.fields.curvatureShift[p], 1e-4);
  }
  EXPECT_GT(compared, 2000);
  // Midway between the wall at (6, 5) and the free point (5, 5).
  EXPECT_EQ(trackDirection(walled.c.problem, walled.vehicle, 0.55, 0.5, 0.3),
            trackDirection(walled.c.problem, walled.vehicle, 0.5, 0.5, 0.3));
}

TEST(CurvatureDrift, ZeroDriftGivesTheBitsOfThePlainProblem) {
  for (const Model model : {Model::Dubins, Model::Elastica}) {
    DriftingCase still(square(model, 31, 24), constantDrift(0, 0), 1, 0.25, 0.25),
        fast(square(model, 31, 24), constantDrift(0, 0), 4, 0.25, 0.25);
    Case plain = square(model, 31, 24);
    plain.problem.turningRadius.constant = 0.25;

    const Values<float> u = solve(still.ground()), v = solve(fast.ground()), w = solve(plain.problem);

    EXPECT_EQ(u, w) << nameOf(model);
    for (std::size_t p = 0; p < w.size(); ++p) ASSERT_EQ(4 * v[p], w[p]) << nameOf(model);
  }
}

TEST(CurvatureDrift, TheSolutionAgreesWithTheReference) {
  Case plain = square(Model::Dubins, 31, 20);
  addWalls(plain);
  DriftingCase d(std::move(plain), boatDrift(0.6), 1, 0.3, 0.2);
  d.c.problem.walls = d.c.walls;
  const Problem ground = d.ground();

  const Values<float> u = solve(ground);
  const std::vector<double> expected = reference::march(ground);

  double worst = 0;
  for (std::size_t p = 0; p < u.size(); ++p) {
    ASSERT_EQ(std::isfinite(u[p]), std::isfinite(expected[p])) << p;
    if (std::isfinite(u[p])) worst = std::max(worst, std::abs(u[p] - expected[p]) / (0.05 + expected[p]));
  }
  EXPECT_LE(worst, 2e-4);
}

TEST(CurvatureDrift, DerivativesUseTheSameStencils) {
  DriftingCase d(square(Model::Dubins, 31, 24), boatDrift(0.6), 1, 0.2, 0.3);
  const Problem ground = d.ground();
  const Values<float> u = solve(ground);
  const State tip{1.6, 1.3, 1, false};

  const Sensitivities s = differentiate(ground, u, std::array{WeightedTip{tip}}, {Backend::Host}, {});

  const double value = valueOf(ground, u, place(ground, tip));
  double sum = 0;
  for (std::size_t p = 0; p < s.cost.size(); ++p) sum += s.cost[p] * d.fields.cost[p];
  EXPECT_NEAR(s.objective, value, 1e-5 * value);
  EXPECT_NEAR(sum, value, 1e-5 * value); // the travel time is homogeneous in the cost
}

TEST(CurvatureDrift, RotatesWithTheImageAndSwapsSidesInAMirror) {
  constexpr std::int64_t n = 31;
  constexpr int headings = 24;
  const auto at = [](double x, double y) {
    return std::array{0.3 * std::sin(3 * x) + 0.1 * y, 0.4 * std::cos(2 * x + y)};
  };
  const auto turned = [&](double x, double y) { // by 90 degrees to the left, about the centre
    const auto [a, b] = at(y, 2 - x);
    return std::array{-b, a};
  };
  const auto mirrored = [&](double x, double y) {
    const auto [a, b] = at(x, 2 - y);
    return std::array{a, -b};
  };
  for (const Model model : {Model::Dubins, Model::Elastica}) {
    const auto solveIn = [&](const Drift& drift, double left, double right, double heading) {
      DriftingCase d(square(model, n, headings), drift, 1, left, right);
      d.c.problem.seeds[0].state.heading = heading;
      return solve(d.ground());
    };
    const Values<float> u = solveIn(at, 0.2, 0.3, 0), t = solveIn(turned, 0.2, 0.3, pi / 2),
                        m = solveIn(mirrored, 0.3, 0.2, 0);

    const StateGrid g = square(model, n, headings).problem.grid;
    std::vector<double> turnErrors, mirrorErrors;
    for (int k = 0; k < headings; ++k)
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t i = 0; i < n; ++i) {
          const float plain = u[g.index(i, j, k)];
          if (!std::isfinite(plain)) continue;
          turnErrors.push_back(std::abs(t[g.index(n - 1 - j, i, (k + headings / 4) % headings)] / plain - 1));
          mirrorErrors.push_back(std::abs(m[g.index(i, n - 1 - j, (headings - k) % headings)] / plain - 1));
        }
    EXPECT_LE(*std::max_element(turnErrors.begin(), turnErrors.end()), 1e-4) << nameOf(model);
    EXPECT_LE(*std::max_element(mirrorErrors.begin(), mirrorErrors.end()), 1e-4) << nameOf(model);
  }
}

TEST(CurvatureDrift, HeadingAndTrackAreInverse) {
  DriftingCase d(square(Model::Dubins, 21, 8), boatDrift(0.99), 1, 0.25, 0.25);
  Random random(4);
  for (int n = 0; n < 500; ++n) {
    const double x = 2.4 * random() - 0.2, y = 2.4 * random() - 0.2, heading = 20 * random() - 10;

    const double track = trackDirection(d.c.problem, d.vehicle, x, y, heading);

    EXPECT_LT(std::abs(track - heading), pi / 2 + 1e-6); // modulo 2 pi
    EXPECT_NEAR(vehicleHeading(d.c.problem, d.vehicle, x, y, track), heading, 1e-9);
  }
}

TEST(CurvatureDrift, PathsTurnInTheMediumNoTighterThanTheVehicleCan) {
  constexpr double speed = 1, left = 0.2, right = 0.3;
  DriftingCase d(square(Model::Dubins, 121, 72), boatDrift(0.6), speed, left, right);
  d.c.problem.seeds = {{{0.4, 0.7, 0, true}, 0}};
  const Problem ground = d.ground();
  const Values<float> u = solve(ground);
  const std::vector<State> tips = randomTips(ground.grid, 24);
  const std::vector<Path> paths = extractPaths(ground, u, tips, 2);

  double all = 0, tight = 0;
  std::vector<double> ratios;
  for (std::size_t t = 0; t < tips.size(); ++t) {
    const Path& path = paths[t];
    ASSERT_GT(path.size(), 0u);
    expectLeadsToTheTip(path, ground);
    const VehiclePath seen = seenFromVehicle(ground, d.vehicle, path);
    ASSERT_EQ(seen.heading.size(), path.size());
    EXPECT_EQ(seen.mediumX[0], path.x[0]);
    EXPECT_EQ(seen.mediumY[0], path.y[0]);
    EXPECT_EQ(seen.time[0], 0);
    ratios.push_back(seen.time.back() / path.energy);
    constexpr std::size_t window = 4; // as for the curvature of the paths
    for (std::size_t n = 1; n < path.size(); ++n) {
      const double moved =
          std::hypot(seen.mediumX[n] - seen.mediumX[n - 1], seen.mediumY[n] - seen.mediumY[n - 1]);
      ASSERT_NEAR(moved, speed * (seen.time[n] - seen.time[n - 1]), 1e-9);
      if (n < window || n + window >= path.size()) continue;
      const double turned = seen.heading[n + window] - seen.heading[n - window];
      const double run = speed * (seen.time[n + window] - seen.time[n - window]);
      all += moved;
      if (turned / run > 1 / left / 0.9 || turned / run < -1 / right / 0.9) tight += moved;
    }
    EXPECT_NEAR(std::remainder(seen.heading.back() - vehicleHeading(ground, d.vehicle, path.x.back(),
                                                                    path.y.back(), path.heading.back()),
                               2 * pi),
                0, 1e-9);
  }
  EXPECT_LE(tight / all, 0.08);
  // The energy is the integral of 1 / |W| plus the cost of turns that are too tight on the grid.
  EXPECT_NEAR(median(ratios), 0.97, 0.03);
}

TEST(CurvatureDrift, RefusesADriftAsFastAsTheVehicleByPlace) {
  DriftingCase d = calm();
  d.driftX[3 + 11 * 4] = 0.6f, d.driftY[3 + 11 * 4] = -0.8f;
  d.vehicle.speed = 0.9;
  expectRefused(d, {"drift", "slower", "got 1", "point (3, 4)", "speed 0.9"});
  d.vehicle.speed = 1.1;
  EXPECT_NO_THROW(groundFields(d.c.problem, d.vehicle, 1));
  d.c.problem.pointName = [](std::int64_t, std::int64_t) { return "the harbour"; };
  d.vehicle.speed = 0.5;
  expectRefused(d, {"the harbour"});
}

TEST(CurvatureDrift, RefusesAnInvalidDrift) {
  DriftingCase d = calm();
  d.driftY[2] = std::nanf("");
  expectRefused(d, {"drift", "finite", "nan", "point (2, 0)", "wall"});
  d.vehicle.driftX = d.vehicle.driftX.first(100);
  expectRefused(d, {"100 values", "121 points"});
  d.vehicle.driftX = d.driftX, d.vehicle.driftY = {};
  expectRefused(d, {"0 values", "121 points"});
}

TEST(CurvatureDrift, RefusesAnInvalidVehicle) {
  DriftingCase d = calm();
  const Vehicle good = d.vehicle;
  for (const double bad : {0., -1., std::nan(""), std::numeric_limits<double>::infinity()}) {
    d.vehicle = good, d.vehicle.speed = bad;
    expectRefused(d, {"speed of the vehicle"});
    d.vehicle = good, d.vehicle.leftRadius = bad;
    expectRefused(d, {"left turning radius"});
    d.vehicle = good, d.vehicle.rightRadius = bad;
    expectRefused(d, {"right turning radius"});
  }
  d.vehicle = good;
  for (const Model model : {Model::ReedsShepp, Model::ReedsSheppForward}) {
    d.c.problem.model = model;
    expectRefused(d, {"Reeds-Shepp", "Dubins"});
  }
}
