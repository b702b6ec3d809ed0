// Tensors along world axes: symmetry, the axes of a grid, and the plane of an image.
#include "ImageTravelTime/ImageTravelTime.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace isochrone;
using image::Matrix3;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// Positive definite, without a zero.
constexpr Matrix3 tensor{{{4, 1, -0.5}, {1, 3, 0.7}, {-0.5, 0.7, 2}}};

double determinant(const Matrix3& m) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/// <a, M b>
double form(const Matrix3& m, const std::array<double, 3>& a, const std::array<double, 3>& b) {
  double sum = 0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) sum += a[r] * m[r][c] * b[c];
  return sum;
}

} // namespace

TEST(ImageWorldTensors, AreSymmetricUpToRounding) {
  Matrix3 m = tensor;
  EXPECT_TRUE(image::isSymmetric(m));
  m[0][1] += 3e-5; // of a largest component of 4
  EXPECT_TRUE(image::isSymmetric(m));
  m[0][1] += 3e-5;
  EXPECT_FALSE(image::isSymmetric(m));
  m[2][0] = notANumber;
  m[0][1] = m[1][0];
  EXPECT_TRUE(image::isSymmetric(m));
}

TEST(ImageWorldTensors, AlongTheAxesOfAGridGiveTheSameTimes) {
  const double c = std::cos(0.4), s = std::sin(0.4);
  const Matrix3 axes{{{c, s, 0}, {0, 0, -1}, {-s, c, 0}}};

  const Matrix3 m = image::alongAxes(tensor, axes);

  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) EXPECT_NEAR(m[a][b], form(tensor, axes[a], axes[b]), 1e-14);
  EXPECT_NEAR(determinant(m), determinant(tensor), 1e-13);
}

/// The block of the metric, which is the inverse of the tensor, by Cramer's rule.
TEST(ImageWorldTensors, InAPlaneAreTheInverseOfABlockOfTheMetric) {
  const auto& [x, y, z] = tensor;
  const double det = determinant(tensor);
  const double xx = (y[1] * z[2] - y[2] * z[1]) / det, yy = (x[0] * z[2] - x[2] * z[0]) / det,
               xy = (x[2] * z[1] - x[1] * z[2]) / det;
  const double block = xx * yy - xy * xy;

  const Matrix3 m = image::inPlane(tensor);

  EXPECT_NEAR(m[0][0], yy / block, 1e-14);
  EXPECT_NEAR(m[1][1], xx / block, 1e-14);
  EXPECT_NEAR(m[0][1], -xy / block, 1e-14);
  EXPECT_NEAR(m[1][0], -xy / block, 1e-14);
}

TEST(ImageWorldTensors, InAPlaneBarriersStayAndOthersWithoutSpeedAcrossAreRefused) {
  EXPECT_EQ(image::inPlane({}), Matrix3{});
  Matrix3 m = tensor;
  m[2][2] = notANumber;
  EXPECT_TRUE(std::isnan(image::inPlane(m)[0][0]));
  for (const double across : {0., -1.}) {
    m[2][2] = across;
    EXPECT_LT(image::inPlane(m)[0][0], 0);
  }
}
