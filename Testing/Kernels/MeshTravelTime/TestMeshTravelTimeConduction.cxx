// Claims about the direction and speed of waves in cells.
#include "MeshTravelTimeChecks.h"

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

const std::array<double, 6> tensor{4, 1, 2.5, 1.2, 0.3, -0.8};

MeshCase withTensor(MeshCase c) {
  c.problem.speedType = SpeedType::Tensor;
  for (std::int64_t t = 0; t < c.cellCount(); ++t)
    c.tensor.insert(c.tensor.end(), tensor.begin(), tensor.end());
  c.link();
  return c;
}

std::vector<float> linear(const MeshCase& c, const std::array<double, 3>& g) {
  std::vector<float> times;
  for (std::int64_t v = 0; v < c.vertexCount(); ++v) {
    const auto x = c.at(v);
    times.push_back(float(5 + g[0] * x[0] + g[1] * x[1] + g[2] * x[2]));
  }
  return times;
}

} // namespace

TEST(MeshTravelTimeConduction, IsAlongTheTensorTimesTheGradient) {
  const MeshCase c = permuted(withTensor(cubes(4, 4, 4, 1, 0.25))); // half of the cells are inverted
  const std::array<double, 3> g{0.3, -0.5, 0.2};
  std::array<double, 3> ray{tensor[0] * g[0] + tensor[3] * g[1] + tensor[5] * g[2],
                            tensor[3] * g[0] + tensor[1] * g[1] + tensor[4] * g[2],
                            tensor[5] * g[0] + tensor[4] * g[1] + tensor[2] * g[2]};
  const double length = std::hypot(ray[0], ray[1], ray[2]);
  const ConductionField field = conduction(c.problem, linear(c, g), 2);
  for (std::int64_t t = 0; t < c.cellCount(); ++t) {
    for (std::size_t a = 0; a < 3; ++a)
      ASSERT_NEAR(field.direction[std::size_t(3 * t) + a], ray[a] / length, 2e-5);
    ASSERT_NEAR(field.speed[std::size_t(t)] * std::hypot(g[0], g[1], g[2]), 1, 2e-5);
  }
}

TEST(MeshTravelTimeConduction, LiesInThePlaneOfTriangles) {
  const MeshCase c = squares(12, 12, 0.1, 0.2, 0.2);
  const std::array<double, 3> g{0.3, -0.5, 0.9};
  const ConductionField field = conduction(c.problem, linear(c, g), 1);
  for (std::int64_t t = 0; t < c.cellCount(); ++t) {
    const auto o = c.at(c.cells[std::size_t(4 * t)]), x = c.at(c.cells[std::size_t(4 * t + 1)]),
               y = c.at(c.cells[std::size_t(4 * t + 2)]);
    const std::array<double, 3> a{x[0] - o[0], x[1] - o[1], x[2] - o[2]},
        b{y[0] - o[0], y[1] - o[1], y[2] - o[2]};
    const std::array<double, 3> n{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                  a[0] * b[1] - a[1] * b[0]};
    const double nn = n[0] * n[0] + n[1] * n[1] + n[2] * n[2],
                 gn = (g[0] * n[0] + g[1] * n[1] + g[2] * n[2]) / nn;
    const std::array<double, 3> plane{g[0] - gn * n[0], g[1] - gn * n[1], g[2] - gn * n[2]};
    const double length = std::hypot(plane[0], plane[1], plane[2]);
    for (std::size_t i = 0; i < 3; ++i)
      ASSERT_NEAR(field.direction[std::size_t(3 * t) + i], plane[i] / length, 2e-4);
    ASSERT_NEAR(field.speed[std::size_t(t)] * length, 1, 2e-4);
  }
}

TEST(MeshTravelTimeConduction, IsZeroInBarriersAndUnreachedCells) {
  for (const char* name : {"Everything", "Holes", "Flat", "TwoParts", "CollapsedCells"}) {
    const MeshCase c = meshMakerOf(name).make();
    const Values<float> times = solve(c, onHost()).travelTime;
    const ConductionField field = conduction(c.problem, times, 2);
    std::int64_t with = 0;
    for (std::int64_t t = 0; t < c.cellCount(); ++t) {
      const float* d = field.direction.data() + 3 * t;
      const double length = std::hypot(double(d[0]), double(d[1]), double(d[2]));
      bool reached = reference::metricOf(c.problem, t).has_value();
      for (std::size_t k = 0; k < 4; ++k)
        if (const std::int64_t v = c.cells[std::size_t(4 * t) + k]; v >= 0)
          reached = reached && !std::isinf(times[std::size_t(v)]);
      if (length == 0) {
        ASSERT_TRUE(std::isnan(field.speed[std::size_t(t)])) << name;
        continue;
      }
      ++with;
      ASSERT_TRUE(reached) << name;
      ASSERT_NEAR(length, 1, 1e-6) << name;
      ASSERT_GT(field.speed[std::size_t(t)], 0) << name;
    }
    EXPECT_GT(with, c.cellCount() / 3) << name;
  }
}
