// Claims about tilted transversely isotropic media at a point: the slowness curve and the times along vectors
// against the Christoffel equation, the extremum over tangents, and the pieces of the scheme.
#include "Grid/ThomsenMedium.h"
#include "ImageTravelTime/Scheme/ThomsenStencil.h"
#include "Noise.h"
#include "Reference/Christoffel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace isochrone;
using namespace isochrone::image;

namespace {

struct Parameters {
  double epsilon, delta, shear;
};

/// Rocks of Thomsen's table 1, and media near the limits.
const std::vector<Parameters>& media() {
  static const std::vector<Parameters> list{
      {0, 0, 0},       {0, 0, 0.5},         {0.11, -0.035, 0.54}, {0.334, 0.730, 0.41}, {0.195, -0.22, 0.57},
      {0.2, 0.1, 0},   {0.24, 0.1, 0.5},    {0.1, 0.3, 0},        {0.3, 0.3, 0.3},      {-0.3, -0.2, 0},
      {-0.3, 0.29, 0}, {1.12, -0.235, 0.4}, {0, 1.4, 0},          {2, -0.49, 0},        {-0.2, -0.3, 0.6}};
  return list;
}

ThomsenMedium mediumOf(const Parameters& p, double speed, const grid::Vector3& axis) {
  const double size = std::sqrt(grid::dot(axis, axis));
  return {speed, curveOf(p.epsilon, p.delta, p.shear), {axis[0] / size, axis[1] / size, axis[2] / size}};
}

/// Returns the squared Hamiltonian from a tangent, in units of the speed.
double valueOf(const ThomsenTangent<double>& t, double across, double along) {
  return t.across * across + t.along * along;
}

grid::Vector3 randomVector(std::uint64_t n) {
  return {noise(3 * n) - 0.5, noise(3 * n + 1) - 0.5, noise(3 * n + 2) - 0.5};
}

} // namespace

TEST(ImageThomsen, TangentsGiveTheEigenvaluesOfTheChristoffelEquation) {
  for (const Parameters& p : media()) {
    const ThomsenCurve<double> curve = curveOf(p.epsilon, p.delta, p.shear);
    const reference::Elastic elastic(1, p.epsilon, p.delta, p.shear);
    for (int n = 0; n <= 90; ++n) {
      const double x = std::cos(n * std::numbers::pi / 180), z = std::sin(n * std::numbers::pi / 180);
      const double expected = elastic.eigenvalue(x, z);
      const double own = valueOf(curve.tangent(z * z), x * x, z * z);
      EXPECT_NEAR(own, expected, 1e-13 * expected) << p.epsilon << ' ' << p.delta << ' ' << n;
      for (int m = 0; m <= 100; ++m) { // all other tangents lie on one side
        const ThomsenTangent<double> t = curve.tangent(m / 100.);
        EXPECT_GT(t.across, 0);
        EXPECT_GT(t.along, 0);
        const double other = valueOf(t, x * x, z * z);
        if (p.epsilon >= p.delta) EXPECT_LE(other, expected * (1 + 1e-13));
        if (p.epsilon <= p.delta) EXPECT_GE(other, expected * (1 - 1e-13));
      }
    }
  }
}

TEST(ImageThomsen, TimesAlongVectorsAreTheMaximumOverTheSlownessSurface) {
  for (const Parameters& p : media())
    for (std::uint64_t n = 0; n < 40; ++n) {
      const ThomsenMedium medium = mediumOf(p, 2.5, randomVector(n));
      grid::Vector3 v = randomVector(n + 100);
      if (n == 0) v = medium.axis;
      if (n == 1) v = grid::cross(medium.axis, v);
      const double along = grid::dot(v, medium.axis);
      const double across = std::sqrt(std::max(0., grid::dot(v, v) - along * along));
      const ThomsenRay ray = rayAlong(medium, v);
      const reference::Elastic elastic(2.5, p.epsilon, p.delta, p.shear);
      const double expected = reference::groupTime(elastic, across, along);
      EXPECT_NEAR(ray.time, expected, 1e-9 * expected) << p.epsilon << ' ' << p.delta << ' ' << n;
      EXPECT_NEAR(grid::dot(ray.slowness, v), expected, 1e-9 * expected);
      const double p2 = grid::dot(ray.slowness, ray.slowness), pn = grid::dot(ray.slowness, medium.axis);
      EXPECT_NEAR(elastic.eigenvalue(std::sqrt(std::max(0., p2 - pn * pn)), pn), 1, 1e-13);
      for (int a = 0; a < 3; ++a) { // the slowness is the gradient of the time
        constexpr double step = 1e-6;
        grid::Vector3 before = v, after = v;
        before[a] -= step, after[a] += step;
        const double slope = (rayAlong(medium, after).time - rayAlong(medium, before).time) / (2 * step);
        EXPECT_NEAR(ray.slowness[a], slope, n < 2 ? 1e-4 : 1e-6);
      }
    }
  EXPECT_EQ(rayAlong({}, {0, 0, 0}).time, 0);
}

TEST(ImageThomsen, FaultsAreThoseOfTheSlownessCurve) {
  EXPECT_EQ(faultOf(0.2, 0.1, 0.5), ThomsenFault::None);
  EXPECT_EQ(faultOf(-0.5, 0, 0), ThomsenFault::Epsilon);
  EXPECT_EQ(faultOf(INFINITY, 0, 0), ThomsenFault::Epsilon);
  EXPECT_EQ(faultOf(0, -0.5, 0), ThomsenFault::Delta);
  EXPECT_EQ(faultOf(0, -0.4, 0.5), ThomsenFault::Delta);
  EXPECT_EQ(faultOf(0, 0, 1), ThomsenFault::Shear);
  EXPECT_EQ(faultOf(0, 0, -0.1), ThomsenFault::Shear);
  EXPECT_EQ(faultOf(-0.4, 0, 0.5), ThomsenFault::Shear);
  EXPECT_EQ(faultOf(0, 1.6, 0), ThomsenFault::Concave);
  // The angle of the normal grows along every curve without a fault, and not along one beyond the limit.
  const auto isConvex = [](const Parameters& p) {
    const ThomsenCurve<double> curve = curveOf(p.epsilon, p.delta, p.shear);
    double before = 0;
    for (int n = 1; n < 2000; ++n) {
      const double angle = n * std::numbers::pi / 4000, z = std::sin(angle);
      const ThomsenTangent<double> t = curve.tangent(z * z);
      const double normal = std::atan2(t.along * z, t.across * std::cos(angle));
      if (normal < before - 1e-12) return false;
      before = normal;
    }
    return true;
  };
  int tried = 0;
  for (std::uint64_t n = 0; n < 4000; ++n) {
    const double across = std::pow(10, 2 * noise(5 * n) - 1), ratio = n % 2 ? noise(5 * n + 1) : 0;
    const Parameters p{(across - 1) / 2, (4 * across * noise(5 * n + 2) - 1) / 2, ratio};
    if (faultOf(p.epsilon, p.delta, p.shear) != ThomsenFault::None) continue;
    ++tried;
    EXPECT_TRUE(isConvex(p)) << p.epsilon << ' ' << p.delta << ' ' << p.shear;
  }
  EXPECT_GT(tried, 2000); // of 4000
  EXPECT_FALSE(isConvex({0, 1.6, 0}));
}

TEST(ImageThomsen, PiecesDecomposeTheTensorOfEachTangent) {
  std::set<std::size_t> sizes;
  for (const Parameters& p : media())
    for (std::uint64_t n = 0; n < 24; ++n) {
      const bool plane = n % 2 == 0;
      Problem problem;
      problem.grid = plane ? Grid{9, 9, 1, 1, 0.7, 1} : Grid{9, 9, 9, 1, 0.7, 1.9};
      problem.speedType = SpeedType::TiltedTransverse;
      const float epsilon = float(p.epsilon), delta = float(p.delta), shear = float(p.shear);
      const grid::Vector3 v = n < 2 ? grid::Vector3{0, 1, 0} : randomVector(n);
      const float axis[3] = {float(v[0]), float(v[1]), float(v[2])};
      problem.thomsen = {{&epsilon, 1}, {&delta, 1}, {axis, plane ? 2u : 3u}, {&shear, 1}};
      const ThomsenScheme scheme = thomsenScheme(problem, 3);
      const bool extreme = p.epsilon == 2; // b / a from 0.004 to 50
      if (!extreme) sizes.insert(scheme.pieces.size());
      EXPECT_EQ(scheme.pieces.front().first, 0);
      EXPECT_EQ(scheme.pieces.back().last, 1);
      for (std::size_t k = 0; k < scheme.pieces.size(); ++k) {
        const ThomsenPiece& piece = scheme.pieces[k];
        if (k > 0) EXPECT_EQ(piece.first, scheme.pieces[k - 1].last);
        for (int m = 0; m <= 10; ++m) {
          const ThomsenTangent<double> t =
              scheme.medium.curve.tangent(piece.first + (piece.last - piece.first) * m / 10);
          const Position h = problem.grid.spacing();
          const grid::Symmetric3 d =
              grid::scaled(scheme.medium.squaredVelocity(t), {1 / h[0], 1 / h[1], 1 / h[2]});
          grid::Symmetric3 sum{};
          for (int r = 0; r < piece.count; ++r) {
            const double w = t.across * piece.across[r] + t.along * piece.along[r];
            EXPECT_GE(w, -1e-8);
            const grid::Offset& e = piece.offset[r];
            const int one[6] = {0, 1, 2, 0, 1, 0}, two[6] = {0, 1, 2, 1, 2, 2};
            for (int c = 0; c < 6; ++c) sum[c] += w * e[one[c]] * e[two[c]];
          }
          for (int c = 0; c < 6; ++c)
            if (!plane || c == 0 || c == 1 || c == 3) EXPECT_NEAR(sum[c], d[c], 1e-6 * grid::trace(d)) << c;
        }
      }
      if (p.epsilon == p.delta) EXPECT_EQ(scheme.pieces.size(), 1u);
    }
  EXPECT_GE(sizes.size(), 3u); // 1, 2, 3 pieces or more
  EXPECT_LE(*sizes.rbegin(), 9u);
}
