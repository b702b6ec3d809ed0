// Claims that paths end on any mesh, even with degenerate cells, and for any times.
#include "MeshTravelTimeChecks.h"

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

/// Returns random cells over random vertices: overlapping, inverted, flat, with coincident points.
MeshCase anything(std::uint64_t seed) {
  MeshCase c;
  Dice dice{seed << 20};
  const std::size_t vertices = 5 + dice.below(60), cells = 3 + dice.below(150);
  for (std::size_t v = 0; v < vertices; ++v) {
    const bool twice = v > 0 && dice(0, 1) < 0.1, lattice = dice(0, 1) < 0.5;
    const std::size_t other = 3 * dice.below(v + 1);
    for (std::size_t a = 0; a < 3; ++a) {
      const double x = dice(0, 3);
      c.points.push_back(twice && other < 3 * v ? c.points[other + a] : lattice ? std::floor(x) : x);
    }
  }
  for (std::size_t t = 0; t < cells; ++t)
    for (int k = 0; k < 4; ++k)
      c.cells.push_back(k == 3 && t % 9 == 0 ? -1 : std::int64_t(dice.below(vertices)));
  c.problem.seeds = {{c.cells[0]}, {c.cells[9], -1, {}, 0.3}};
  return withTensors(std::move(c), 0.1, 10);
}

} // namespace

TEST(MeshTravelTimePathEnds, ReachASeedOnAnyMesh) {
  std::int64_t complete = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    MeshCase c = anything(seed);
    c.problem.ballRadius = seed % 3 == 0 ? 1 : 0;
    const Values<float> times = solve(c, onHost()).travelTime;
    const auto paths = extractPaths(c.problem, times, everyVertex(c), 1);
    for (std::size_t v = 0; v < paths.size(); ++v) {
      ASSERT_EQ(paths[v].status == PathStatus::Complete, std::isfinite(times[v]))
          << "mesh " << seed << ", vertex " << v;
      ASSERT_TRUE(std::isfinite(paths[v].energy)) << "mesh " << seed << ", vertex " << v;
      complete += paths[v].status == PathStatus::Complete;
    }
  }
  EXPECT_GT(complete, 5000);
}

/// Uses times that no solver gives: with local minima, plateaus, NaN.
TEST(MeshTravelTimePathEnds, EndForAnyTimes) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const MeshCase c = seed % 2 ? anything(seed) : withTensors(wheel(3 + int(seed % 40)), 0.05, 20);
    Dice dice{seed << 21};
    std::vector<float> times;
    for (std::int64_t v = 0; v < c.vertexCount(); ++v)
      times.push_back(dice(0, 1) < 0.05  ? std::numeric_limits<float>::quiet_NaN()
                      : dice(0, 1) < 0.3 ? std::floor(float(dice(0, 4)))
                                         : float(dice(0, 4)));
    for (const Path& path : extractPaths(c.problem, times, everyVertex(c), 1))
      ASSERT_LE(path.size(), std::size_t(5 * c.cellCount() + c.vertexCount())) << seed;
  }
}

/// In a cone of times around an edge, tensors deflect the ray in every cell, so that it circles.
TEST(MeshTravelTimePathEnds, EndWherePathsWouldCircleAnEdge) {
  const int n = 12;
  MeshCase c = wheel(n);
  c.points = {0, 0, -1, 0, 0, 1};
  for (int i = 0; i < n; ++i)
    for (const double x :
         {std::cos(2 * std::numbers::pi * i / n), std::sin(2 * std::numbers::pi * i / n), 0.})
      c.points.push_back(x);
  c.problem.speedType = SpeedType::Tensor;
  for (int i = 0; i < n; ++i) { // fast along directions 70 degrees off the radius
    const double angle = 2 * std::numbers::pi * (i + 0.5) / n + 70 * std::numbers::pi / 180;
    const double x = std::cos(angle), y = std::sin(angle);
    for (const double m : {1 + 99 * x * x, 1 + 99 * y * y, 1., 99 * x * y, 0., 0.}) c.tensor.push_back(m);
  }
  c.problem.seeds = {{0}};
  c.link();
  std::vector<float> times(std::size_t(c.vertexCount()), 1.f); // on the ring; less on the edge in its centre
  times[0] = 0.f, times[1] = 0.001f;
  const Path path = extractPaths(c.problem, times, std::vector<Tip>{{-1, 0, {0.8, 0.05, 0.3}}}, 1).front();
  EXPECT_EQ(path.status, PathStatus::Complete);
  EXPECT_GT(path.size(), 20u); // the ray does circle
  EXPECT_LT(path.size(), 60u); // four times
}
