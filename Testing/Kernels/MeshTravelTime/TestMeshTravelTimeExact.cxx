// Claims about exact distances: they are the lengths of the shortest paths of an enumeration, whatever the
// shape of the surface, and do not depend on the numbering.
#include "MeshTravelTimeSurfaces.h"
#include "Reference/GeodesicReference.h"

#include <numeric>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

/// Compares the distances between all vertices with the enumeration.
void expectEnumeration(MeshCase c, const std::string& name) {
  const auto expected = reference::geodesicDistances(c.problem);
  c.name = name;
  for (std::int64_t v = 0; v < c.vertexCount(); ++v) {
    if (c.problem.cellCount() == 0 || std::ranges::find(c.cells, v) == c.cells.end()) continue;
    bool open = false;
    for (std::int64_t t = 0; t < c.cellCount(); ++t)
      for (int k = 0; k < 3; ++k)
        open =
            open || (c.cells[std::size_t(4 * t + k)] == v && (c.hidden.empty() || !c.hidden[std::size_t(t)]));
    if (!open) continue;
    expectEach(c, "from " + std::to_string(v), distancesFrom(c, v), expected[std::size_t(v)], agree);
  }
}

MeshCase withHoles(MeshCase c, std::uint64_t number) {
  Dice dice{number << 24};
  c.hidden.assign(std::size_t(c.cellCount()), 0);
  for (std::uint8_t& h : c.hidden) h = dice(0, 1) < 0.15;
  c.link();
  return c;
}

/// Joins copies of a surface at the vertices of some of its edges, so that these have several triangles.
MeshCase sheets(int count, int n, double spread) {
  MeshCase c;
  std::vector<std::int64_t> first;
  for (int s = 0; s < count; ++s) {
    const MeshCase one = roughSquare(n, 0.4, 7 + std::uint64_t(s));
    const auto isShared = [&](std::int64_t v) { return v % (n + 1) == 0; }; // the first column
    std::vector<std::int64_t> number;
    for (std::int64_t v = 0; v < one.vertexCount(); ++v) {
      const double angle = spread * s;
      const Point x = one.at(v), turned{x[0] * std::cos(angle), x[1], x[0] * std::sin(angle) + x[2]};
      number.push_back(s > 0 && isShared(v) ? first[std::size_t(v)] : addPoint(c, turned));
    }
    if (s == 0) first = number;
    for (std::size_t i = 0; i < one.cells.size(); i += 4)
      addTriangle(c, number[std::size_t(one.cells[i])], number[std::size_t(one.cells[i + 1])],
                  number[std::size_t(one.cells[i + 2])]);
  }
  return exact(std::move(c));
}

} // namespace

TEST(MeshExact, RoughSquaresAgreeWithTheEnumeration) {
  for (const double height : {0., 0.05, 0.5, 2.})
    for (std::uint64_t number = 0; number < 3; ++number)
      expectEnumeration(roughSquare(9, height, number), "height " + std::to_string(height));
}

TEST(MeshExact, ClosedSurfacesAgreeWithTheEnumeration) {
  expectEnumeration(icosphere(1), "icosphere");
  expectEnumeration(latitudeSphere(9, 12), "latitudes");
  expectEnumeration(cubeSurface(4), "cube");
  for (std::uint64_t number = 0; number < 3; ++number)
    expectEnumeration(roughTorus(8, 12, number), "torus " + std::to_string(number));
}

TEST(MeshExact, SurfacesWithHolesAgreeWithTheEnumeration) {
  for (std::uint64_t number = 0; number < 4; ++number)
    expectEnumeration(withHoles(roughSquare(9, 0.3, number), number), "holes " + std::to_string(number));
}

TEST(MeshExact, EdgesOfManyTrianglesAgreeWithTheEnumeration) {
  for (const int count : {2, 3, 5}) expectEnumeration(sheets(count, 5, 1), std::to_string(count) + " sheets");
}

TEST(MeshExact, CopiesOfTrianglesChangeNothing) {
  MeshCase c = roughSquare(8, 0.5, 1);
  const std::vector<float> expected = distancesFrom(c, 40);
  const std::size_t size = c.cells.size();
  for (int copy = 0; copy < 3; ++copy)
    for (std::size_t i = 0; i < size; i += 4) addTriangle(c, c.cells[i + 1], c.cells[i], c.cells[i + 2]);
  c.link();
  expectEach(c, "copies", distancesFrom(c, 40), expected, equal);
}

TEST(MeshExact, DistancesAreSymmetric) {
  MeshCase c = roughTorus(12, 20, 4);
  std::vector<std::vector<float>> all;
  for (std::int64_t v = 0; v < c.vertexCount(); v += 7) all.push_back(distancesFrom(c, v));
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_TRUE(agree(all[i][7 * j], all[j][7 * i])) << 7 * i << " to " << 7 * j;
}

TEST(MeshExact, NumberingOfVerticesAndCellsChangesTheLastDigitsAtMost) {
  MeshCase c = roughSquare(30, 0.5, 9);
  const std::vector<float> expected = distancesFrom(c, 333);
  std::vector<std::int64_t> number;
  MeshCase other = renumbered(permuted(std::move(c)), number);
  other.problem.accuracy = Accuracy::Exact;
  const std::vector<float> got = distancesFrom(other, number[333]);
  for (std::size_t v = 0; v < expected.size(); ++v)
    EXPECT_TRUE(agree(got[std::size_t(number[v])], expected[v])) << v;
}

TEST(MeshExact, PowersOfTwoScaleEveryBit) {
  for (const double factor : {std::ldexp(1, -90), std::ldexp(1, 90)}) {
    MeshCase c = roughSquare(20, 0.5, 3);
    const std::vector<float> expected = distancesFrom(c, 77);
    for (double& x : c.points) x *= factor;
    c.problem.constantSpeed = 4;
    c.link();
    const std::vector<float> got = distancesFrom(c, 77);
    for (std::size_t v = 0; v < expected.size(); ++v) EXPECT_EQ(got[v], float(expected[v] * (factor / 4)));
  }
}

TEST(MeshExact, AnyNumberOfThreadsGivesTheSameBits) {
  const MeshCase c = exact(roughSquare(40, 0.5, 2), {{100}, {900}});
  const Result one = solve(c, onHost(1)), many = solve(c, onHost(4));
  expectEach(c, "threads", many.travelTime, one.travelTime, equal);
}

TEST(MeshExact, SeveralSeedsGiveTheMinimumOfEach) {
  MeshCase c = exact(roughSquare(20, 0.5, 2));
  const std::vector<Seed> seeds{{10, -1, {}, 0}, {400, -1, {}, -2.5}, {210, -1, {}, 7}};
  std::vector<float> expected(std::size_t(c.vertexCount()), std::numeric_limits<float>::infinity());
  std::vector<std::int32_t> nearest(expected.size(), -1);
  for (std::size_t s = 0; s < seeds.size(); ++s) {
    const std::vector<float> alone = distancesFrom(c, seeds[s].vertex);
    for (std::size_t v = 0; v < alone.size(); ++v)
      if (const auto time = float(alone[v] + seeds[s].startTime); time < expected[v])
        expected[v] = time, nearest[v] = std::int32_t(s);
  }
  c.problem.seeds = seeds;
  Options options = onHost();
  options.seedIds = true;
  const Result result = solve(c, options);
  expectEach(c, "seeds", result.travelTime, expected, within(2e-6));
  std::size_t others = 0;
  for (std::size_t v = 0; v < nearest.size(); ++v) others += result.seed[v] != nearest[v];
  EXPECT_EQ(others, 0u);
  EXPECT_GT(std::ranges::count(nearest, 1), 10);
}

TEST(MeshExact, TheOrderOfSeedsDoesNotMatter) {
  MeshCase c = exact(roughSquare(12, 0.3, 6));
  std::vector<Seed> seeds{{5, -1, {}, 40}, {-1, 100, c.middle(100), -30}, {-1, 200, c.middle(200), 0}};
  c.problem.seeds = seeds;
  const Values<float> expected = solve(c, onHost()).travelTime;
  do {
    c.problem.seeds = seeds;
    expectEach(c, "order", solve(c, onHost()).travelTime, expected, equal);
  } while (std::ranges::next_permutation(seeds, {}, &Seed::startTime).found);
}

TEST(MeshExact, ASeedInATriangleIsASeedAtAVertexThere) {
  for (const std::int64_t cell : {17, 64, 101}) {
    for (const bool onEdge : {false, true}) {
      MeshCase c = roughSquare(8, 0.6, 5);
      const std::int64_t u = c.cells[std::size_t(4 * cell)], v = c.cells[std::size_t(4 * cell + 1)],
                         w = c.cells[std::size_t(4 * cell + 2)];
      Point at{};
      const std::array<double, 3> weights = onEdge ? std::array{0.25, 0.75, 0.} : std::array{0.2, 0.3, 0.5};
      for (std::size_t a = 0; a < 3; ++a)
        at[a] = weights[0] * c.at(u)[a] + weights[1] * c.at(v)[a] + weights[2] * c.at(w)[a];
      c.problem.seeds = {{-1, cell, at}};
      const Result result = solve(c, onHost());
      // Divide the triangles that hold the seed.
      const std::int64_t seed = addPoint(c, at);
      const std::vector<std::int64_t> old = std::exchange(c.cells, {});
      for (std::size_t t = 0; t < old.size(); t += 4) {
        const std::array<std::int64_t, 3> corner{old[t], old[t + 1], old[t + 2]};
        const bool holds = onEdge ? std::ranges::count(corner, u) && std::ranges::count(corner, v)
                                  : t == std::size_t(4 * cell);
        if (!holds) addTriangle(c, corner[0], corner[1], corner[2]);
        for (int k = 0; holds && k < 3; ++k)
          if (const std::int64_t a = corner[k], b = corner[(k + 1) % 3];
              !onEdge || std::minmax(a, b) != std::minmax(u, v))
            addTriangle(c, a, b, seed);
      }
      c.link();
      std::vector<float> expected = distancesFrom(c, seed);
      expected.pop_back();
      expectEach(c, "cell " + std::to_string(cell), result.travelTime, expected, agree);
    }
  }
}

TEST(MeshExact, DisconnectedPartsAreNotReached) {
  MeshCase c = exact(beside(roughSquare(5, 0.3, 1), roughSquare(5, 0.3, 2), 20));
  const std::vector<float> got = distancesFrom(c, 3);
  for (std::size_t v = 0; v < 36; ++v) EXPECT_LT(got[v], 20) << v;
  for (std::size_t v = 36; v < 72; ++v) EXPECT_EQ(got[v], std::numeric_limits<float>::infinity()) << v;
}

TEST(MeshExact, DistancesAlongEdgesAreNeverShorter) {
  MeshCase c = roughSquare(60, 0.7, 8);
  const std::vector<float> got = distancesFrom(c, 1800);
  for (std::int64_t t = 0; t < c.cellCount(); ++t)
    for (int k = 0; k < 3; ++k) {
      const std::int64_t v = c.cells[std::size_t(4 * t + k)], w = c.cells[std::size_t(4 * t + (k + 1) % 3)];
      const double apart = std::abs(got[std::size_t(v)] - got[std::size_t(w)]);
      ASSERT_LE(apart, distanceBetween(c.at(v), c.at(w)) + 1e-5) << v << ' ' << w;
    }
}
