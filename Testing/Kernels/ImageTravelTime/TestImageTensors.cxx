// Claims about travel times with tensors: the fixed point of the scheme on any image and for any number of
// threads; closed forms, symmetry, barriers.
#include "Error.h"
#include "ImageHostSolves.h"
#include "ImageTensorCases.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "Reference/TensorReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

using namespace isochrone;
using namespace isochrone::image;

namespace {

class ImageTensors : public testing::TestWithParam<std::string> {};

/// Returns the mean error relative to the maximum exact time, for a constant tensor and one seed, without
/// `margin` points at the border.
double meanError(const Problem& p, std::span<const float> u, std::int64_t margin = 0) {
  const Grid& g = p.grid;
  double sum = 0, largest = 0;
  std::int64_t count = 0;
  for (std::int64_t n = 0; n < g.points(); ++n) {
    const std::int64_t at[3] = {n % g.nx, n / g.nx % g.ny, n / (g.nx * g.ny)}, size[3] = {g.nx, g.ny, g.nz};
    bool inside = true;
    for (int a = 0; a < (g.nz > 1 ? 3 : 2); ++a) inside &= at[a] >= margin && at[a] + margin < size[a];
    const Position& seed = p.seeds[0].at;
    const double exact = metricDistance(p, {double(at[0]) * g.hx - seed[0], double(at[1]) * g.hy - seed[1],
                                            g.nz > 1 ? double(at[2]) * g.hz - seed[2] : 0});
    largest = std::max(largest, exact);
    if (inside) sum += std::abs(u[n] - exact), ++count;
  }
  return sum / double(count) / largest;
}

} // namespace

TEST_P(ImageTensors, EqualTheReference) {
  const Case c = makeTensorCase(GetParam());
  const Result result = solve(c.problem);
  const std::vector<double> expected = reference::tensorTimes(c.problem);
  expectTimes(result.travelTime, expected, 1e-6);
}

TEST_P(ImageTensors, LeaveNoResidual) {
  const Case c = makeTensorCase(GetParam());
  EXPECT_LE(residual(c.problem, solve(c.problem).travelTime, 2), 4 * 0x1p-23);
}

TEST_P(ImageTensors, GiveTheSameBitsForAnyNumberOfThreadsAndInstructionSet) {
  const Case c = makeTensorCase(GetParam());
  expectSameBits(c.problem);
}

TEST(ImageTensorUsers, OfOnePointMayBeMany) {
  // The fast direction points to the middle, which therefore is a neighbour of the points around it.
  Case c = tensorCase({61, 57, 1, 1, 1, 1}, [&](double i, double j, double) {
    const double length = std::hypot(i - 30, j - 28);
    return fastAlong(length > 0 ? Position{(i - 30) / length, (j - 28) / length, 0} : Position{1, 0, 0}, 20);
  });
  c.problem.seeds[0].at = {3, 2, 0};
  const Result result = solve(c.problem);
  const std::vector<double> expected = reference::tensorTimes(c.problem);
  for (std::int64_t n = 0; n < c.problem.grid.points(); ++n)
    ASSERT_NEAR(result.travelTime[n], expected[n], 2e-6 * expected[n]) << n;
}

TEST(ImageTensorMemory, IsBelow48BytesPerPointWhereTensorsVarySmoothly) {
  const Case c = tensorCase({80, 80, 80, 1, 1, 1}, [](double i, double j, double k) {
    return fastAlong(direction(0.3 + (i + j + k) / 40, 0.5 * std::sin(3 * (i + j + k) / 80)), 10);
  });
  Options options;
  options.threads = 1;
  EXPECT_LE(solve(c.problem, options).workBytes, std::size_t(48 * 80 * 80 * 80));
}

INSTANTIATE_TEST_SUITE_P(Images, ImageTensors, testing::ValuesIn(tensorCaseNames()),
                         [](const auto& info) { return info.param; });

TEST(ImageTensorScheme, IsTheScalarSchemeForIsotropicTensors) {
  for (const char* name : {"Plane", "PlaneUnequal", "Noise", "UnequalSpacing", "Maze", "TinyUnits", "Line"}) {
    const Case scalar = makeCase(name);
    Case c = scalar;
    const bool plane = c.problem.grid.nz == 1;
    const std::size_t components = plane ? 3 : 6;
    c.speed.assign(scalar.speed.size() * components, 0.f);
    for (std::size_t n = 0; n < scalar.speed.size(); ++n)
      for (int a = 0; a < (plane ? 2 : 3); ++a)
        c.speed[components * n + a] = float(double(scalar.speed[n]) * scalar.speed[n]);
    c.problem.speed = c.speed;
    c.problem.speedType = SpeedType::SquaredVelocityTensor;
    const Result tensors = solve(c.problem), expected = solve(scalar.problem);
    for (std::size_t n = 0; n < expected.travelTime.size(); ++n) {
      if (std::isinf(expected.travelTime[n]))
        ASSERT_TRUE(std::isinf(tensors.travelTime[n])) << name << ' ' << n;
      else
        ASSERT_NEAR(tensors.travelTime[n], expected.travelTime[n], 1e-6f * expected.travelTime[n])
            << name << ' ' << n;
    }
  }
}

TEST(ImageTensorScheme, AgreesForAMetricAndItsInverse) {
  Case c = makeTensorCase("Plane");
  const Result squaredVelocity = solve(c.problem);
  for (std::int64_t n = 0; n < c.problem.grid.points(); ++n) {
    float* t = &c.speed[3 * n];
    const double xx = t[0], yy = t[1], xy = t[2], det = xx * yy - xy * xy;
    t[0] = float(yy / det), t[1] = float(xx / det), t[2] = float(-xy / det);
  }
  c.problem.speedType = SpeedType::MetricTensor;
  const Result metric = solve(c.problem);
  for (std::int64_t n = 0; n < c.problem.grid.points(); ++n)
    ASSERT_NEAR(metric.travelTime[n], squaredVelocity.travelTime[n],
                2e-5f * squaredVelocity.travelTime[n]); // tensors rounded to float, 10:1
}

TEST(ImageTensorScheme, ConvergesToTheMetricDistance) {
  for (const double ratio : {2., 5., 10., 20.}) {
    double before = 0;
    for (const std::int64_t n : {33, 65, 129, 257}) {
      const double h = 1. / double(n - 1);
      const Case c = constantTensors({n, n, 1, h, h, 1}, 0.4, 0, ratio);
      const double error = meanError(c.problem, solve(c.problem).travelTime);
      if (before > 0) EXPECT_LT(error, 0.75 * before) << ratio << ":1, " << n; // h log h
      before = error;
    }
    EXPECT_LT(before, 0.012) << ratio;
  }
  double before = 0;
  for (const std::int64_t n : {13, 25, 49}) {
    const double h = 1. / double(n - 1);
    const Case c = constantTensors({n, n, n, h, h, h}, 0.4, 0.7, 5);
    const double error = meanError(c.problem, solve(c.problem).travelTime);
    if (before > 0) EXPECT_LT(error, 0.75 * before) << n;
    before = error;
  }
}

TEST(ImageTensorScheme, IsExactForConstantTensorsWithAdditiveFactoring) {
  for (const double ratio : {2., 10., 20.})
    for (const double off : {0., 0.3}) {
      Case plane = constantTensors({65, 65, 1, 1, 1, 1}, 0.4, 0, ratio);
      plane.problem.seeds[0].at = {32 + off, 32 - off, 0};
      EXPECT_LT(meanError(plane.problem, solve(plane.problem, additive()).travelTime, 24), 1e-5) << ratio;
      EXPECT_LT(meanError(plane.problem, solve(plane.problem, additive()).travelTime), 2e-3) << ratio;
    }
  Case space = constantTensors({33, 33, 33, 1, 1, 1}, 0.4, 0.7, 5);
  space.problem.seeds[0].at = {16.3, 16.1, 15.8};
  EXPECT_LT(meanError(space.problem, solve(space.problem, additive()).travelTime, 12), 1e-5);
}

TEST(ImageTensorScheme, FactoringRemovesMostOfTheError) {
  const auto field = [](std::int64_t n) {
    const double h = 1. / double(n - 1);
    return tensorCase({n, n, 1, h, h, 1}, [=](double i, double j, double) {
      return fastAlong(direction(0.3 + 0.8 * i * h + 0.5 * j * h, 0), 2);
    });
  };
  const Case coarse = field(65), fine = field(513);
  const Result plain = solve(coarse.problem), factored = solve(coarse.problem, additive()),
               truth = solve(fine.problem, additive());
  double before = 0, after = 0;
  for (std::int64_t j = 0; j < 65; ++j)
    for (std::int64_t i = 0; i < 65; ++i) {
      const double t = truth.travelTime[8 * i + 513 * 8 * j];
      before += std::abs(plain.travelTime[i + 65 * j] - t),
          after += std::abs(factored.travelTime[i + 65 * j] - t);
    }
  EXPECT_LT(after, before / 4);
  ASSERT_EQ(factored.ballRadius.size(), 1u);
  EXPECT_GT(factored.ballRadius[0], 0.1);
}

TEST(ImageTensorScheme, IsSymmetricForSymmetricProblems) {
  // Mirrored in the diagonal, with mirrored tensors.
  const std::int64_t n = 41;
  const Case c = tensorCase({n, n, 1, 1, 1, 1}, [&](double i, double j, double) {
    const double x = std::min(i, j), y = std::max(i, j), angle = 0.2 + 0.03 * (x + 2 * y);
    const bool mirrored = i > j;
    if (i == j) return std::array<double, 6>{0.5, 0.5, 0.5, 0.2, 0, 0};
    return fastAlong(mirrored ? Position{std::sin(angle), std::cos(angle), 0}
                              : Position{std::cos(angle), std::sin(angle), 0},
                     10);
  });
  const Result result = solve(c.problem);
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < j; ++i) {
      const float a = result.travelTime[i + n * j], b = result.travelTime[j + n * i];
      ASSERT_NEAR(a, b, 2e-6f * a) << i << ' ' << j;
    }
}

TEST(ImageTensorScheme, ScalesWithTheSpacingAndTheTensors) {
  Case c = makeTensorCase("Space");
  const Result one = solve(c.problem);
  Grid& g = c.problem.grid;
  g.hx = g.hy = g.hz = 1e-9;
  for (float& t : c.speed) t *= 0x1p-20f; // speeds 2^-10
  c.problem.seeds[0].at = {double(g.nx / 2) * g.hx, double(g.ny / 2) * g.hy, double(g.nz / 2) * g.hz};
  const Result scaled = solve(c.problem);
  for (std::size_t n = 0; n < one.travelTime.size(); ++n)
    ASSERT_NEAR(scaled.travelTime[n] / 1024e-9f, one.travelTime[n], 2e-6f * one.travelTime[n]);
}

TEST(ImageTensorBarriers, OfOnePixelOnADiagonalDoNotLeak) {
  for (const double angle : {-0.6, 0.2, 0.785, 1.4})
    for (const double ratio : {2., 10., 20.}) {
      Case c = constantTensors({40, 40, 1, 1, 1, 1}, angle, 0, ratio);
      c.problem.seeds[0].at = {30, 5, 0};
      c.barriers.assign(c.problem.grid.points(), 0);
      for (std::int64_t d = 0; d < 40; ++d) c.barriers[d + 40 * d] = 1;
      c.problem.barriers = c.barriers;
      const Result result = solve(c.problem, additive());
      for (std::int64_t j = 0; j < 40; ++j)
        for (std::int64_t i = 0; i < 40; ++i)
          ASSERT_EQ(std::isfinite(result.travelTime[i + 40 * j]), i > j) << i << ' ' << j;
    }
}

TEST(ImageTensorBarriers, ThatTouchAtEdgesDoNotLeakInSpace) {
  Case c = constantTensors({14, 14, 14, 1, 1, 1}, 2.3, 0.5, 10);
  c.problem.seeds[0].at = {2, 2, 2};
  c.barriers.assign(c.problem.grid.points(), 0);
  for (std::int64_t k = 0; k < 14; ++k) // x + y + z = 20: voxels that share only edges
    for (std::int64_t j = 0; j < 14; ++j)
      for (std::int64_t i = 0; i < 14; ++i) c.barriers[c.problem.grid.index(i, j, k)] = i + j + k == 20;
  c.problem.barriers = c.barriers;
  const Result result = solve(c.problem);
  for (std::int64_t n = 0; n < c.problem.grid.points(); ++n)
    ASSERT_EQ(std::isfinite(result.travelTime[n]), n % 14 + n / 14 % 14 + n / 196 < 20) << n;
}

TEST(ImageTensorBarriers, LeavePassagesOfOnePointOpen) {
  // The fast direction is oblique, so only the offsets along the axes fit.
  Case c = constantTensors({31, 31, 1, 1, 1, 1}, 0.45, 0, 20);
  c.barriers.assign(c.problem.grid.points(), 1);
  for (std::int64_t n = 0; n < 31; ++n) c.barriers[n + 31 * 15] = 0;  // along x
  for (std::int64_t n = 15; n < 31; ++n) c.barriers[30 + 31 * n] = 0; // then y
  c.problem.barriers = c.barriers;
  c.problem.seeds[0].at = {0, 15, 0};
  const Result result = solve(c.problem);
  const double x = metricDistance(c.problem, {1, 0, 0}), y = metricDistance(c.problem, {0, 1, 0});
  EXPECT_NEAR(result.travelTime[30 + 31 * 30], 30 * x + 15 * y, 1e-4 * (30 * x + 15 * y));
}

TEST(ImageTensorBarriers, AreTensorsOfZerosOrWithNaN) {
  Case c = constantTensors({9, 1, 1, 1, 1, 1}, 0, 0, 2);
  c.problem.seeds[0].at = {4, 0, 0};
  for (int n = 0; n < 3; ++n) c.speed[3 * 2 + n] = 0;
  c.speed[3 * 6 + 2] = std::numeric_limits<float>::quiet_NaN();
  const Result result = solve(c.problem);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(std::isfinite(result.travelTime[i]), i > 2 && i < 6) << i;
}

TEST(ImageTensorSeeds, BetweenPointsGiveCornersTheMetricDistance) {
  Case c = constantTensors({21, 21, 1, 1, 1, 1}, 0.9, 0, 6);
  c.problem.seeds[0].at = {10.3, 9.6, 0};
  const Result result = solve(c.problem);
  float minimum = 1e9f;
  for (const std::int64_t i : {10, 11})
    for (const std::int64_t j : {9, 10}) {
      const double exact = metricDistance(c.problem, {double(i) - 10.3, double(j) - 9.6, 0});
      EXPECT_LE(result.travelTime[i + 21 * j], float(exact) * (1 + 1e-6f));
      minimum = std::min(minimum, float(exact));
    }
  EXPECT_NEAR(*std::min_element(result.travelTime.begin(), result.travelTime.end()), minimum,
              1e-5f * minimum);
}
