// Claims about shortest paths on surfaces: their lengths are the distances, and they are straight.
#include "MeshTravelTimeSurfaces.h"

#include <algorithm>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

double lengthOfPath(const Path& path) {
  double length = 0;
  for (std::size_t i = 1; i < path.size(); ++i)
    length += std::hypot(path.x[i] - path.x[i - 1], path.y[i] - path.y[i - 1], path.z[i] - path.z[i - 1]);
  return length;
}

Point pointOf(const Path& path, std::size_t i) { return {path.x[i], path.y[i], path.z[i]}; }

/// Returns whether two points lie in one triangle.
bool shareTriangle(const MeshCase& c, const Point& a, const Point& b) {
  const std::vector<Point> both{a, b};
  const std::vector<Location> at = locate(c.problem, both, 1e-9, 1);
  const auto cellsOf = [&](const Location& l) {
    std::vector<std::int64_t> cells = l.cells;
    for (std::int64_t t = 0; t < c.cellCount(); ++t)
      for (const std::int64_t v : l.vertices)
        for (int k = 0; k < 3; ++k)
          if (l.distance == 0 && c.cells[std::size_t(4 * t + k)] == v) cells.push_back(t);
    return cells;
  };
  const std::vector<std::int64_t> first = cellsOf(at[0]), second = cellsOf(at[1]);
  return std::ranges::any_of(first, [&](std::int64_t t) { return std::ranges::count(second, t) > 0; });
}

std::vector<Path> pathsOf(const MeshCase& c, const std::vector<float>& times, const std::vector<Tip>& tips) {
  return extractPaths(c.problem, times, tips, 1);
}

void expectPaths(MeshCase c, std::vector<Seed> seeds, const std::string& name) {
  c.problem.seeds = std::move(seeds);
  const Result result = solve(c, onHost());
  const std::vector<float> times(result.travelTime.begin(), result.travelTime.end());
  const std::vector<Path> paths = pathsOf(c, times, everyVertex(c));
  for (std::size_t v = 0; v < paths.size(); ++v) {
    const Path& path = paths[v];
    if (!std::isfinite(times[v])) {
      EXPECT_NE(path.status, PathStatus::Complete) << name << ' ' << v;
      continue;
    }
    ASSERT_EQ(path.status, PathStatus::Complete) << name << ' ' << v;
    const Seed& seed = c.problem.seeds[std::size_t(path.seed)];
    EXPECT_TRUE(agree(seed.startTime + path.energy, times[v]) ||
                std::abs(seed.startTime + path.energy - times[v]) < 1e-6)
        << name << ' ' << v << ": " << path.energy << " " << times[v];
    EXPECT_NEAR(lengthOfPath(path), path.length, 1e-12 * path.length);
    EXPECT_TRUE(agree(path.travelTime.back(), seed.startTime + path.energy));
    EXPECT_EQ(pointOf(path, path.size() - 1), c.at(std::int64_t(v)));
    EXPECT_LT(distanceBetween(pointOf(path, 0), seed.vertex >= 0 ? c.at(seed.vertex) : seed.at), 1e-9);
    for (std::size_t i = 1; i < path.size(); ++i) EXPECT_GE(path.travelTime[i], path.travelTime[i - 1]);
    if (v % 7 == 0)
      for (std::size_t i = 1; i < path.size(); ++i)
        EXPECT_TRUE(shareTriangle(c, pointOf(path, i - 1), pointOf(path, i))) << name << ' ' << v << ' ' << i;
  }
}

} // namespace

TEST(MeshExactPaths, LengthsAreTheDistances) {
  expectPaths(roughSquare(15, 0.7, 1), {{0}}, "rough");
  expectPaths(roughSquare(15, 0.1, 2), {{100}}, "smooth");
  expectPaths(roughTorus(10, 14, 3), {{5}}, "torus");
  expectPaths(latitudeSphere(12, 20), {{50}}, "latitudes");
  expectPaths(cubeSurface(6), {{3}}, "cube");
}

TEST(MeshExactPaths, LengthsAreTheDistancesFromSeveralSeedsAnywhere) {
  const MeshCase square = roughSquare(12, 0.5, 4);
  expectPaths(roughSquare(12, 0.5, 4),
              {{-1, 100, square.middle(100), 0.5}, {-1, 250, square.middle(250), -0.25}, {17, -1, {}, 1}},
              "seeds");
}

TEST(MeshExactPaths, HolesAreBypassed) {
  MeshCase c = roughSquare(14, 0.3, 6);
  Dice dice{55};
  c.hidden.assign(std::size_t(c.cellCount()), 0);
  for (std::uint8_t& h : c.hidden) h = dice(0, 1) < 0.2;
  c.hidden[0] = c.hidden[1] = 0;
  c.link();
  expectPaths(std::move(c), {{0}}, "holes");
}

TEST(MeshExactPaths, AreStraightOnAPlane) {
  Dice dice{3};
  MeshCase c = grid(20, 20, false, [&](int j, int i) {
    return Point{i + dice(-0.3, 0.3), j + dice(-0.3, 0.3), 0};
  });
  const std::vector<float> times = distancesFrom(c, 220);
  const std::vector<Tip> tips{{-1, 43, c.middle(43)}, {-1, 700, c.middle(700)}, {300}};
  for (const Path& path : pathsOf(c, times, tips)) {
    ASSERT_EQ(path.status, PathStatus::Complete);
    ASSERT_GT(path.size(), 4u);
    const Point a = pointOf(path, 0), b = pointOf(path, path.size() - 1);
    EXPECT_NEAR(path.length, distanceBetween(a, b), 1e-12);
    for (std::size_t i = 0; i < path.size(); ++i) {
      const double offLine = (path.x[i] - a[0]) * (b[1] - a[1]) - (path.y[i] - a[1]) * (b[0] - a[0]);
      EXPECT_NEAR(offLine / distanceBetween(a, b), 0, 1e-11);
    }
  }
}

TEST(MeshExactPaths, TipsInTrianglesAndOnEdgesHaveTheirOwnDistance) {
  // The distance of a tip is the distance of a seed there to the vertex of the seed.
  MeshCase c = roughTorus(10, 16, 8);
  const std::vector<float> times = distancesFrom(c, 33);
  for (std::int64_t cell = 0; cell < c.cellCount(); cell += 11) {
    const Point u = c.at(c.cells[std::size_t(4 * cell)]), v = c.at(c.cells[std::size_t(4 * cell + 1)]),
                middle = c.middle(cell), onEdge{(u[0] + v[0]) / 2, (u[1] + v[1]) / 2, (u[2] + v[2]) / 2};
    for (const Point& at : {middle, onEdge}) {
      const std::vector<Tip> tips{{-1, cell, at}};
      c.problem.seeds = {{33}};
      const Path path = pathsOf(c, times, tips)[0];
      ASSERT_EQ(path.status, PathStatus::Complete);
      c.problem.seeds = {{-1, cell, at}};
      EXPECT_TRUE(agree(solve(c, onHost()).travelTime[33], path.energy)) << cell;
    }
  }
}

TEST(MeshExactPaths, SeedAndTipInOneTriangleAreJoinedByALine) {
  const MeshCase c = exact(roughSquare(6, 0.5, 1), {{-1, 30, roughSquare(6, 0.5, 1).middle(30)}});
  const Point corner = c.at(c.cells[4 * 30]), middle = c.middle(30);
  const Point at{(corner[0] + middle[0]) / 2, (corner[1] + middle[1]) / 2, (corner[2] + middle[2]) / 2};
  const Result result = solve(c, onHost());
  const std::vector<Tip> tips{{-1, 30, at}};
  const Path path = extractPaths(c.problem, result.travelTime, tips, 1)[0];
  ASSERT_EQ(path.size(), 2u);
  EXPECT_NEAR(path.length, distanceBetween(middle, at), 1e-12);
}

TEST(MeshExactPaths, BendAtVerticesOnly) {
  // A slit in a plane: the path bends at its end.
  MeshCase c = grid(10, 10, false, [](int j, int i) { return Point{double(i), double(j), 0}; });
  c.hidden.assign(std::size_t(c.cellCount()), 0);
  for (std::int64_t t = 0; t < c.cellCount(); ++t)
    if (const Point m = c.middle(t); m[0] > 4 && m[0] < 5 && m[1] < 7) c.hidden[std::size_t(t)] = 1;
  c.link();
  const std::vector<float> times = distancesFrom(c, 0);
  const std::vector<Tip> tips{{10}};
  const Path path = pathsOf(c, times, tips)[0];
  EXPECT_NEAR(path.length, std::hypot(4, 7) + 1 + std::hypot(5, 7), 1e-12);
  bool passes = false;
  for (std::size_t i = 0; i < path.size(); ++i) passes = passes || pointOf(path, i) == Point{4, 7, 0};
  EXPECT_TRUE(passes);
}

TEST(MeshExactPaths, ATipAtASeedHasLengthZero) {
  MeshCase c = roughSquare(6, 0.5, 1);
  const std::vector<float> times = distancesFrom(c, 20);
  const std::vector<Tip> tips{{20}};
  const Path path = pathsOf(c, times, tips)[0];
  EXPECT_EQ(path.status, PathStatus::Complete);
  EXPECT_EQ(path.length, 0);
}
