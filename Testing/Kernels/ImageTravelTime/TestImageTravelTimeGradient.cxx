// Claims about the gradient and the residual of travel times.
#include "Error.h"
#include "ImageTravelTimePathChecks.h"
#include "Reference/ImageTravelTimeReference.h"

#include <algorithm>

using namespace isochrone;
using namespace isochrone::image;

namespace {

class ImageGradient : public testing::TestWithParam<std::string> {};

double slownessOf(const Problem& p, std::int64_t n) {
  const double v = p.speed.empty() ? p.constantSpeed : double(p.speed[n]);
  return p.speedType == SpeedType::Slowness ? v : 1 / v;
}

} // namespace

TEST_P(ImageGradient, HasTheLengthOfTheSlowness) {
  const Case c = makeCase(GetParam());
  const Grid& g = c.problem.grid;
  const Values<float> u = travelTimeOf(c.problem), grad = gradient(c.problem, u, 0);
  ASSERT_EQ(std::int64_t(grad.size()), 3 * g.points());
  std::int64_t arrivals = 0;
  for (std::int64_t n = 0; n < g.points(); ++n) {
    const double length = std::hypot(double(grad[3 * n]), double(grad[3 * n + 1]), double(grad[3 * n + 2]));
    if (std::isinf(u[n])) {
      ASSERT_EQ(length, 0) << n;
      continue;
    }
    const double slowness = slownessOf(c.problem, n);
    // Float travel times divided by the spacing; seeds keep their start value.
    const double rounding = 3e-7 * (std::abs(u[n]) + 50) / (slowness * smallestSpacing(g));
    ASSERT_LE(length, slowness * (1 + rounding)) << n;
    arrivals += length >= slowness * (1 - rounding);
  }
  const std::int64_t reached = std::count_if(u.begin(), u.end(), [](float v) { return std::isfinite(v); });
  const std::int64_t seeds =
      c.problem.seedRegions.empty() ? 8 * std::int64_t(c.problem.seeds.size()) : g.points() / 4;
  EXPECT_GE(arrivals, reached - seeds);
}

TEST_P(ImageGradient, OfASolutionLeavesNoResidual) {
  const Case c = makeCase(GetParam());
  const Values<float> u = travelTimeOf(c.problem);
  EXPECT_LE(residual(c.problem, u, 0), 4 * 0x1p-23);
}

TEST_P(ImageGradient, AndResidualAreTheSameForAnyNumberOfThreads) {
  const Case c = makeCase(GetParam());
  Values<float> u = travelTimeOf(c.problem);
  for (std::size_t n = 0; n < u.size(); n += 5) u[n] *= 1.01f;
  const Values<float> one = gradient(c.problem, u, 1);
  const double left = residual(c.problem, u, 1);
  for (const int threads : {2, 3}) {
    EXPECT_EQ(gradient(c.problem, u, threads), one);
    EXPECT_EQ(residual(c.problem, u, threads), left);
  }
}

INSTANTIATE_TEST_SUITE_P(Images, ImageGradient, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

TEST(ImageGradientValues, AreTheDifferencesToEarlierNeighbours) {
  Problem p;
  p.grid = {3, 2, 1, 2, 0.5, 1};
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> u{0, 3, inf, //
                             1, 5, 4};
  const std::vector<float> expected{0, 0, 0, 1.5, 0, 0, 0, 0, 0, //
                                    0, 2, 0, 2,   4, 0, 0, 0, 0};
  const Values<float> found = gradient(p, u, 1);
  EXPECT_EQ(std::vector<float>(found.begin(), found.end()), expected);
}

TEST(ImageGradientValues, PointAwayFromTheSeed) {
  Problem p;
  p.grid = {61, 51, 41, 1, 0.8, 1.3};
  p.constantSpeed = 0.25;
  p.seeds = {{{20, 24, 13}, 0}};
  const Values<float> found = gradient(p, travelTimeOf(p), 0);
  double worst = 1, sum = 0;
  std::int64_t count = 0;
  for (std::int64_t n = 0; n < p.grid.points(); ++n) {
    const double x = double(n % 61) - 20, y = 0.8 * double(n / 61 % 51) - 24,
                 z = 1.3 * double(n / (61 * 51)) - 13;
    const double d = std::hypot(x, y, z);
    if (d < 5) continue;
    const double cosine = (x * found[3 * n] + y * found[3 * n + 1] + z * found[3 * n + 2]) / (4 * d);
    worst = std::min(worst, cosine), sum += cosine, ++count;
  }
  EXPECT_GT(worst, 0.95);
  EXPECT_GT(sum / double(count), 0.995);
}

TEST(ImageResidual, IsTheRelativeDecreaseByAnUpdate) {
  Case c = makeCase("Noise");
  Values<float> u = travelTimeOf(c.problem);
  const std::int64_t last = c.problem.grid.points() - 1; // no other point depends on it
  u[last] *= 1.25f;
  EXPECT_NEAR(residual(c.problem, u, 0), 0.2, 1e-6);
  for (std::size_t n = 0; n < u.size(); n += 7) u[n] *= 1.5f;
  EXPECT_NEAR(residual(c.problem, u, 0, false), reference::largestDecrease(c.problem, u), 1e-12);
  EXPECT_NEAR(residual(c.problem, u, 0), reference::largestDeparture(c.problem, u), 1e-12);
}

TEST(ImageResidual, EqualsTheReferenceOnUnequalSpacing) {
  for (const char* name : {"UnequalSpacing", "PlaneUnequal", "Slowness", "NoSpeedHoles"}) {
    const Case c = makeCase(name);
    Values<float> u = travelTimeOf(c.problem);
    for (std::size_t n = 0; n < u.size(); ++n) u[n] *= float(1 + 0.3 * noise(n));
    const double expected = reference::largestDeparture(c.problem, u);
    EXPECT_GT(expected, 0.1);
    EXPECT_NEAR(residual(c.problem, u, 0), expected, 1e-12) << name;
  }
}

TEST(ImageResidual, DetectsAPointThatStartsWithoutASeed) {
  for (const char* name : {"Constant", "Noise", "PlaneUnequal", "SeveralSeeds", "OffGrid", "Regions"}) {
    const Case c = makeCase(name);
    const Grid& g = c.problem.grid;
    for (const bool plain : {true, false}) {
      Values<float> u = travelTimeOf(c.problem);
      ASSERT_LE(residual(c.problem, u, 0, plain), 4 * 0x1p-23) << name;
      float& early = u[g.index(g.nx / 4, g.ny / 4, g.nz / 4)]; // earlier than all points around it
      early -= float(0.5 * (g.hx + g.hy));
      EXPECT_GT(residual(c.problem, u, 0, plain), 1e-3) << name;
    }
  }
}

TEST(ImageResidual, DetectsAWrongStartValue) {
  Case c = makeCase("Constant");
  c.problem.seeds = {{{36, 28, 20}, 0}}; // the last point along each axis
  Values<float> u = travelTimeOf(c.problem);
  ASSERT_LE(residual(c.problem, u, 0), 4 * 0x1p-23);
  const std::int64_t seed = c.problem.grid.points() - 1, diagonal = c.problem.grid.index(35, 27, 20);
  for (const float wrong : {1.414f, 1.f}) { // the scheme gives 1.707
    Values<float> v = u;
    v[diagonal] = wrong;
    EXPECT_GT(residual(c.problem, v, 0), 0.1) << wrong;
  }
  for (const float wrong : {-0.5f, 0.5f}) {
    Values<float> v = u;
    v[seed] = wrong;
    EXPECT_GT(residual(c.problem, v, 0), 0.1) << wrong;
  }
}

TEST(ImageResidual, DetectsAValueTooSmallForItsNeighbours) {
  const Case c = makeCase("Constant");
  Values<float> u = travelTimeOf(c.problem);
  u.back() *= 0.99f; // no other point depends on it, and its neighbours are even earlier
  EXPECT_NEAR(residual(c.problem, u, 0), 0.01, 1e-5);
  EXPECT_LE(residual(c.problem, u, 0, false), 4 * 0x1p-23);
}

TEST(ImageResidual, DetectsNaNAndValuesInBarriers) {
  const Case c = makeCase("Maze");
  for (const float wrong :
       {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    Values<float> u = travelTimeOf(c.problem);
    u[3] = wrong;
    EXPECT_TRUE(std::isinf(residual(c.problem, u, 2))) << wrong;
  }
  Values<float> u = travelTimeOf(c.problem);
  u[4 + 37 * 10] = 5; // a wall
  EXPECT_TRUE(std::isinf(residual(c.problem, u, 2)));
}

TEST(ImageResidual, OfEverySchemeDetectsUnsupportedValues) {
  const Case c = makeCase("Constant");
  const Grid& g = c.problem.grid;
  for (const auto factoring :
       {SourceFactoring::Off, SourceFactoring::Additive, SourceFactoring::Multiplicative})
    for (const int order : {1, 2}) {
      Options options;
      options.backend = Backend::Host;
      options.factoring = factoring, options.order = order;
      Values<float> u = solveImageTravelTime(c.problem, options, {}).travelTime;
      EXPECT_LE(residual(c.problem, u, 0, false), 4 * 0x1p-23);
      u[g.index(g.nx / 4, g.ny / 4, g.nz / 4)] -= 2;
      EXPECT_GT(residual(c.problem, u, 0, false), 0.01);
    }
}

TEST(ImageResidual, IsRelativeToTheTimeSinceTheEarliestStart) {
  Case c = makeCase("Noise");
  c.problem.seeds[0].startValue = -30; // makes the times of many points nearly 0
  EXPECT_LE(residual(c.problem, travelTimeOf(c.problem), 0), 4 * 0x1p-23);
}

TEST(ImageResidual, IgnoresPointsThatAStoppedRunDidNotReach) {
  const Case c = makeCase("Noise");
  Options options;
  options.backend = Backend::Host;
  options.stoppingTime = 20;
  const Values<float> u = solveImageTravelTime(c.problem, options, {}).travelTime;
  ASSERT_TRUE(std::any_of(u.begin(), u.end(), [](float v) { return std::isinf(v); }));
  EXPECT_LE(residual(c.problem, u, 0), 4 * 0x1p-23);
}

TEST(ImageResidual, AndGradientRefuseATravelTimeOfAnotherImage) {
  const Case c = makeCase("Plane");
  const std::vector<float> u(7, 0.f);
  EXPECT_THROW(residual(c.problem, u, 1), Error);
  EXPECT_THROW(gradient(c.problem, u, 1), Error);
}
