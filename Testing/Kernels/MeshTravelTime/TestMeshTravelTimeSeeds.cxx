// Claims about seeds: the seed of each vertex, and exact times within a radius around seeds.
#include "MeshTravelTimeChecks.h"

#include "MeshTravelTime/Seeds/Starts.h"

#include <algorithm>
#include <set>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

Options withSeedIds(int threads = 1) {
  Options o = onHost(threads);
  o.seedIds = true;
  return o;
}

std::int64_t vertexAt(std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t k) {
  return i + (n + 1) * (j + (n + 1) * k);
}

/// Returns the vertices that share an open cell with each vertex.
std::vector<std::set<std::int64_t>> neighbours(const MeshCase& c) {
  std::vector<std::set<std::int64_t>> around(std::size_t(c.vertexCount()));
  for (std::int64_t t = 0; t < c.cellCount(); ++t) {
    if (!reference::metricOf(c.problem, t)) continue;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        const std::int64_t v = c.cells[std::size_t(4 * t) + i], w = c.cells[std::size_t(4 * t) + j];
        if (v >= 0 && w >= 0 && v != w) around[std::size_t(v)].insert(w);
      }
  }
  return around;
}

/// Returns the time from a seed to a vertex next to it, or at it.
double timeFromSeed(const MeshCase& c, const Seed& s, std::int64_t vertex) {
  if (s.vertex >= 0) return s.vertex == vertex ? s.startTime : HUGE_VAL;
  for (std::size_t k = 0; k < 4; ++k)
    if (c.cells[std::size_t(4 * s.cell) + k] == vertex) {
      const auto x = c.at(vertex);
      return s.startTime + reference::timeAlong(*reference::metricOf(c.problem, s.cell),
                                                {x[0] - s.at[0], x[1] - s.at[1], x[2] - s.at[2]});
    }
  return HUGE_VAL;
}

} // namespace

/// Runs on every mesh of the cases.
class MeshTravelTimeAllSeeds : public testing::TestWithParam<std::string> {
protected:
  MeshCase c = meshMakerOf(GetParam()).make();
};

TEST_P(MeshTravelTimeAllSeeds, AreThoseOfAnEarlierNeighbourOrOfTheVertex) {
  const Result r = solve(c, withSeedIds(2));
  const auto around = neighbours(c);
  ASSERT_EQ(std::int64_t(r.seed.size()), c.vertexCount());
  int wrong = 0;
  for (std::int64_t v = 0; v < c.vertexCount(); ++v) {
    const double time = r.travelTime[std::size_t(v)];
    const std::int32_t seed = r.seed[std::size_t(v)];
    bool right = std::isinf(time) && seed == -1;
    if (seed >= 0) {
      const double start = timeFromSeed(c, c.problem.seeds[std::size_t(seed)], v);
      right = std::abs(start - time) <= 3e-7 * std::max(std::abs(time), std::abs(c.problem.timeOrigin));
      for (const std::int64_t w : around[std::size_t(v)])
        right = right || (r.seed[std::size_t(w)] == seed && r.travelTime[std::size_t(w)] <= time);
    }
    wrong += !right;
  }
  EXPECT_EQ(wrong, 0);
}

TEST_P(MeshTravelTimeAllSeeds, ExactRadiiOnlyLowerTimes) {
  const Values<float> without = solve(c, onHost()).travelTime;
  c.problem.ballRadius = 0.025 * std::cbrt(double(c.vertexCount()));
  const Values<float> with = solve(c, onHost()).travelTime;
  for (std::size_t v = 0; v < with.size(); ++v) {
    ASSERT_LE(with[v], without[v]);
    ASSERT_EQ(std::isinf(with[v]), std::isinf(without[v]));
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, MeshTravelTimeAllSeeds, testing::ValuesIn(meshCaseNames()),
                         [](const auto& info) { return info.param; });

/// Holds except for some vertices near the border, where both waves contribute to the times.
TEST(MeshTravelTimeSeeds, AreTheFirstToArrive) {
  for (const double along : {1., 3.}) {
    MeshCase c = withFibres(cubes(14, 14, 14, 1, 0.2), along, 1);
    const std::vector<Seed> seeds{{vertexAt(14, 2, 3, 4)}, {vertexAt(14, 12, 9, 8), -1, {}, 1.5}};
    c.problem.seeds = seeds;
    const Result both = solve(c, withSeedIds());
    c.problem.seeds = {seeds[0]};
    const Values<float> first = solve(c, onHost()).travelTime;
    c.problem.seeds = {seeds[1]};
    const Values<float> second = solve(c, onHost()).travelTime;
    std::int64_t wrong = 0, sure = 0;
    for (std::size_t v = 0; v < first.size(); ++v) {
      const int arrives = first[v] < second[v] ? 0 : 1;
      wrong += both.seed[v] != arrives;
      if (std::abs(first[v] - second[v]) < 3) continue;
      ++sure;
      EXPECT_EQ(both.seed[v], arrives) << first[v] << " and " << second[v];
    }
    EXPECT_LT(wrong, c.vertexCount() / 20);
    EXPECT_GT(sure, c.vertexCount() / 3);
  }
}

TEST(MeshTravelTimeSeeds, HaveTheHighestNumberAmongSimultaneous) {
  MeshCase c = cubes(6, 6, 6, 1, 0.2);
  c.problem.seeds = {{7}, {7}, {7, -1, {}, 0.5}, {100, -1, {}, 50}};
  const Result r = solve(c, withSeedIds());
  for (std::size_t v = 0; v < r.seed.size(); ++v) ASSERT_EQ(r.seed[v], 1);
  // On a symmetric mesh, two waves meet at the same time in the middle.
  c = cubes(6, 6, 6, 1, 0);
  c.problem.seeds = {{vertexAt(6, 3, 3, 0)}, {vertexAt(6, 3, 3, 6)}};
  EXPECT_EQ(solve(c, withSeedIds()).seed[std::size_t(vertexAt(6, 3, 3, 3))], 1);
  std::swap(c.problem.seeds[0], c.problem.seeds[1]);
  EXPECT_EQ(solve(c, withSeedIds()).seed[std::size_t(vertexAt(6, 3, 3, 3))], 1);
}

TEST(MeshTravelTimeSeeds, AreTheSameForAnyThreadsAndNumbering) {
  for (const char* name : {"Everything", "ManySeeds", "SeedsInCells", "CollapsedCells"}) {
    const MeshCase c = meshMakerOf(name).make();
    const Values<std::int32_t> expected = solve(c, withSeedIds()).seed;
    EXPECT_TRUE(expected == solve(c, withSeedIds(3)).seed) << name;
    std::vector<std::int64_t> number;
    const Result other = solve(renumbered(meshMakerOf(name).make(), number), withSeedIds(2));
    int wrong = 0;
    for (std::size_t v = 0; v < number.size(); ++v)
      wrong += other.seed[std::size_t(number[v])] != expected[v];
    EXPECT_EQ(wrong, 0) << name;
  }
}

TEST(MeshTravelTimeSeeds, DoNotChangeTheTimes) { // the same times as without seed numbers
  const MeshCase c = meshMakerOf("Everything").make();
  EXPECT_TRUE(solve(c, withSeedIds()).travelTime == solve(c, onHost()).travelTime);
  EXPECT_TRUE(solve(c, onHost()).seed.empty());
}

namespace {

/// Sets one oblique tensor in all cells.
MeshCase oblique(MeshCase c, double along) {
  for (std::int64_t t = 0; t < c.cellCount(); ++t)
    for (const double x : {1., 2., 0.5}) c.fibre.push_back(x);
  c.problem.speedType = SpeedType::Fibres, c.problem.velocities = {along, 1, 1};
  c.link();
  return c;
}

double distance(const Position& a, const Position& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

double exactTime(const MeshCase& c, const Position& from, std::int64_t v) {
  const auto x = c.at(v);
  return reference::timeAlong(*reference::metricOf(c.problem, 0),
                              {x[0] - from[0], x[1] - from[1], x[2] - from[2]});
}

} // namespace

TEST(MeshTravelTimeBalls, ContainExactTimes) {
  for (const double along : {1., 4.})
    for (const bool inCell : {false, true}) {
      MeshCase c = oblique(cubes(10, 10, 10, 1, 0.2), along);
      const Position middle = inCell ? c.middle(3333) : c.at(vertexAt(10, 5, 5, 5));
      c.problem.seeds = {inCell ? Seed{-1, 3333, middle, 2.5} : Seed{vertexAt(10, 5, 5, 5), -1, {}, 2.5}};
      c.problem.ballRadius = 3.3;
      const Result r = solve(c, onHost());
      std::int64_t within = 0;
      for (std::int64_t v = 0; v < c.vertexCount(); ++v) {
        const double exact = 2.5 + exactTime(c, middle, v);
        const bool inside = distance(c.at(v), middle) <= 3.3;
        within += inside;
        EXPECT_NEAR(r.travelTime[std::size_t(v)], exact, inside ? 3e-7 * exact : 1);
        EXPECT_GT(r.travelTime[std::size_t(v)], exact * (1 - 3e-7));
      }
      EXPECT_EQ(r.ballVertices, within);
      EXPECT_GT(within, 100);
    }
}

/// Shows the gain that DESIGN.md states.
TEST(MeshTravelTimeBalls, ReduceTheErrorOfTimes) {
  double last = HUGE_VAL;
  for (const double radius : {0., 2., 4., 8.}) {
    MeshCase c = oblique(cubes(20, 20, 20, 1, 0.2), 3);
    c.problem.seeds = {{vertexAt(20, 10, 10, 10)}};
    c.problem.ballRadius = radius;
    const Values<float> times = solve(c, onHost(2)).travelTime;
    double sum = 0;
    for (std::int64_t v = 0; v < c.vertexCount(); ++v)
      sum += times[std::size_t(v)] - exactTime(c, c.at(c.problem.seeds[0].vertex), v);
    EXPECT_LT(sum, last) << radius;
    last = radius > 0 ? 0.7 * sum : 0.9 * sum;
  }
}

TEST(MeshTravelTimeBalls, EndWhereTheTensorChanges) {
  MeshCase c = withSpeed(cubes(8, 8, 8, 1, 0), false, [](auto, auto& x) { return x[2] < 4 ? 1. : 5.; });
  const std::int64_t seed = vertexAt(8, 4, 4, 2);
  c.problem.seeds = {{seed}};
  const VertexCells cells = makeVertexCells(c.problem);
  std::set<std::int64_t> expected, got;
  for (std::int64_t v = 0; v < c.vertexCount(); ++v)
    if (c.at(v)[2] <= 4 && distance(c.at(v), c.at(seed)) <= 3.5) expected.insert(v);
  for (const auto& [v, time] : ballAround(c.problem, cells, c.problem.seeds[0], 3.5)) {
    got.insert(v);
    EXPECT_NEAR(time, distance(c.at(v), c.at(seed)), 1e-12);
  }
  EXPECT_EQ(got, expected);
  // From the interface itself, each side has its own speed.
  c.problem.seeds = {{vertexAt(8, 4, 4, 4)}};
  for (const auto& [v, time] : ballAround(c.problem, cells, c.problem.seeds[0], 3.5))
    EXPECT_NEAR(time, distance(c.at(v), c.at(vertexAt(8, 4, 4, 4))) / (c.at(v)[2] < 4 ? 1 : 5), 1e-12);
}

TEST(MeshTravelTimeBalls, PassFacesAndEdgesButNotBarriers) {
  MeshCase c = cubes(8, 8, 8, 1, 0); // lines to lattice points run along edges and faces
  for (std::int64_t t = 0; t < c.cellCount(); ++t) {
    const auto x = c.middle(t);
    c.hidden.push_back(x[0] > 4 && x[0] < 5 && x[1] < 5); // a plate
  }
  c.problem.seeds = {{vertexAt(8, 2, 2, 2)}};
  c.link();
  const VertexCells cells = makeVertexCells(c.problem);
  std::set<std::int64_t> expected, got;
  for (std::int64_t v = 0; v < c.vertexCount(); ++v) {
    const auto x = c.at(v);
    const bool seen = x[0] <= 4 || 2 + (x[1] - 2) * 2 / (x[0] - 2) >= 5; // y at x = 4
    if (distance(x, {2, 2, 2}) <= 5 && seen) expected.insert(v);
  }
  for (const auto& start : ballAround(c.problem, cells, c.problem.seeds[0], 5)) got.insert(start.first);
  EXPECT_EQ(got, expected);
  EXPECT_GT(got.size(), 100u);
}
