// Claims about the accuracy of travel times on meshes. For a constant tensor the exact time is the distance
// in its metric.
#include "MeshTravelTimeChecks.h"

#include <algorithm>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

using Point = std::array<double, 3>;

/// M of each cell: xx yy zz xy yz xz.
const std::array<double, 6> anisotropic{4, 1, 2.5, 1.2, 0.3, -0.8};

MeshCase withOneTensor(MeshCase c, const std::array<double, 6>& m) {
  c.problem.speedType = SpeedType::Tensor;
  for (std::int64_t t = 0; t < c.cellCount(); ++t) c.tensor.insert(c.tensor.end(), m.begin(), m.end());
  c.link();
  return c;
}

double trueTime(const MeshCase& c, const Point& from, std::int64_t vertex) {
  const Point to = c.at(vertex);
  return reference::timeAlong(*reference::metricOf(c.problem, 0),
                              {to[0] - from[0], to[1] - from[1], to[2] - from[2]});
}

bool onBorder(const Point& x, double edge) {
  return std::ranges::any_of(x, [&](double at) { return at == 0 || std::abs(at - edge) < 1e-12; });
}

struct Errors {
  double mean = 0, minimum = 0; ///< relative to the latest time
};

Errors errorsFromMiddle(std::int64_t n, const std::array<double, 6>& m) {
  const double h = 1 / double(n);
  MeshCase c = withOneTensor(cubes(n, n, n, h, 0.2), m);
  const std::int64_t middle = n / 2 * (1 + (n + 1) * (1 + (n + 1)));
  c.problem.seeds = {{middle}};
  const Values<float> times = solve(c, onHost(2)).travelTime;
  Errors e{0, 1};
  double last = 0;
  for (std::int64_t v = 0; v < c.vertexCount(); ++v) {
    const double exact = trueTime(c, c.at(middle), v);
    last = std::max(last, exact);
    e.mean += times[v] - exact, e.minimum = std::min(e.minimum, times[v] - exact);
  }
  e.mean /= double(c.vertexCount()) * last, e.minimum /= last;
  return e;
}

} // namespace

/// Holds at every inner vertex for waves started on the border, for any angles.
TEST(MeshTravelTimeAccuracy, PlaneWavesAreExact) {
  for (const Point& direction : {Point{1, 0, 0}, Point{0.3, -0.8, 0.5}, Point{-1, -1, -1}, Point{0, 0.1, 1}})
    for (const double jitter : {0., 0.2, 0.35}) {
      const double edge = 0.9;
      MeshCase c = withOneTensor(cubes(9, 9, 9, 0.1, jitter), anisotropic);
      const reference::Matrix3 m = *reference::squaredSpeed(c.problem, 0);
      double speed = 0; // <g, M g> must be 1
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) speed += direction[i] * m[i][j] * direction[j];
      std::vector<double> exact;
      std::vector<Seed> seeds;
      for (std::int64_t v = 0; v < c.vertexCount(); ++v) {
        const Point x = c.at(v);
        exact.push_back((direction[0] * x[0] + direction[1] * x[1] + direction[2] * x[2]) / std::sqrt(speed));
        if (onBorder(x, edge)) seeds.push_back({v, -1, {}, exact.back()});
      }
      c = withSeeds(std::move(c), std::move(seeds));
      c.name = "jitter " + std::to_string(jitter);
      expectEach(c, "plane wave", solve(c, onHost()).travelTime, exact, within(5e-7));
    }
}

TEST(MeshTravelTimeAccuracy, RaysWithinOneCellAreExact) {
  MeshCase c = withOneTensor(cubes(1, 1, 1, 0.7, 0), anisotropic);
  for (std::int64_t t = 0; t < c.cellCount(); ++t) {
    for (const Point& at : {c.middle(t), c.at(c.cells[std::size_t(4 * t)]), Point{0.1, 0.2, 0.3}}) {
      MeshCase one = withOneTensor(cubes(1, 1, 1, 0.7, 0), anisotropic);
      one.tensor.resize(6);
      one.cells = {c.cells.begin() + 4 * t, c.cells.begin() + 4 * t + 4};
      one.problem.seeds = {{-1, 0, at, 0.5}};
      one.link();
      const Values<float> times = solve(one, onHost()).travelTime;
      for (std::int64_t v = 0; v < 8; ++v) {
        const bool has = std::ranges::find(one.cells, v) != one.cells.end();
        if (has)
          EXPECT_NEAR(times[v], 0.5 + trueTime(one, at, v), 2e-7) << "cell " << t << ", vertex " << v;
        else
          EXPECT_TRUE(std::isinf(times[v])) << "cell " << t << ", vertex " << v;
      }
    }
  }
  // From a vertex of a larger mesh: the other ends of its edges. A ray to any other vertex crosses faces.
  MeshCase all = withOneTensor(cubes(5, 5, 5, 0.1, 0.2), anisotropic);
  all.problem.seeds = {{86}};
  const Values<float> times = solve(all, onHost()).travelTime;
  int neighbours = 0; // cells
  for (std::int64_t t = 0; t < all.cellCount(); ++t) {
    const auto corners = std::span(all.cells).subspan(std::size_t(4 * t), 4);
    if (std::ranges::find(corners, 86) == corners.end()) continue;
    for (const std::int64_t v : corners) EXPECT_NEAR(times[v], trueTime(all, all.at(86), v), 1e-7) << v;
    ++neighbours;
  }
  EXPECT_EQ(neighbours, 24);
}

/// From a point seed as h log h: the error falls by factors of 1.5 and 1.6 from 8 to 16 and 32 edges. No time
/// is below the exact one.
TEST(MeshTravelTimeAccuracy, ConvergesAsFirstOrderSchemesDo) {
  for (const auto& tensor : {std::array<double, 6>{1, 1, 1, 0, 0, 0}, anisotropic}) {
    Errors coarse = errorsFromMiddle(8, tensor);
    for (const std::int64_t n : {16, 32}) {
      const Errors fine = errorsFromMiddle(n, tensor);
      EXPECT_NEAR(coarse.mean / fine.mean, n == 16 ? 1.5 : 1.6, 0.1) << n;
      EXPECT_GT(fine.minimum, -2e-7) << "below the true distance, " << n;
      coarse = fine;
    }
    EXPECT_LT(coarse.mean, 0.03);
  }
}
