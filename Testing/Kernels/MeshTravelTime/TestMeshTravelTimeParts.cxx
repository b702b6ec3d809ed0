// Claims about a mesh in parts: the shared vertices, what processes send each other, and the same bits as the
// whole mesh for any division.
#include "MeshTravelTimeChecks.h"
#include "MeshTravelTimeParts.h"
#include "ProcessesInMemory.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

MeshCase make(const std::string& name) {
  MeshCase c = meshMakerOf(name).make();
  c.problem.unfolds = false; // parts do not have the triangles behind their borders
  c.name = name;
  return c;
}

/// Returns the process of each cell: at random, so that processes meet at every vertex.
std::vector<int> scattered(const MeshCase& c, int processes) {
  std::vector<int> owner;
  for (std::int64_t t = 0; t < c.cellCount(); ++t)
    owner.push_back(std::min(int(noise(std::uint64_t(t)) * processes), processes - 1));
  return owner;
}

/// The same in equal stretches of the cells.
std::vector<int> inStretches(const MeshCase& c, int processes) {
  std::vector<int> owner;
  for (std::int64_t t = 0; t < c.cellCount(); ++t) owner.push_back(int(t * processes / c.cellCount()));
  return owner;
}

/// The same in n x n x n blocks of a cube with this edge.
std::vector<int> inBlocks(const MeshCase& c, int n, double edge) {
  std::vector<int> owner;
  for (std::int64_t t = 0; t < c.cellCount(); ++t) {
    const Position at = c.middle(t);
    int block = 0;
    for (const double x : at) block = n * block + std::clamp(int(x / edge * n), 0, n - 1);
    owner.push_back(block);
  }
  return owner;
}

/// A mesh in parts.
struct Divided {
  Divided(const MeshCase& c, const std::vector<int>& owner, int processes) : shared(std::size_t(processes)) {
    for (int p = 0; p < processes; ++p) parts.push_back(partOf(c, owner, p));
  }

  const Problem& problem(int p) const { return parts[std::size_t(p)].mesh.problem; }
  /// Returns the number in the whole mesh of the vertices of a list.
  std::vector<std::int64_t> whole(int p, const std::vector<std::int64_t>& vertices) const {
    std::vector<std::int64_t> all;
    for (const std::int64_t v : vertices) all.push_back(parts[std::size_t(p)].whole[std::size_t(v)]);
    return all;
  }
  /// Finds the shared vertices; the numbers in the whole mesh are the global ids.
  void find(const Processes& process, bool byId = true) {
    const Part& part = parts[std::size_t(process.index)];
    const auto idOf = [&](std::int64_t v) { return part.whole[std::size_t(v)]; };
    shared[std::size_t(process.index)] = findShared(process, byId ? candidatesOf(part.mesh.problem, idOf)
                                                                  : candidatesOf(part.mesh.problem, {}));
  }

  std::vector<Part> parts;
  std::vector<SharedVertices> shared; ///< by process
};

/// A solve of a mesh in parts.
struct Solved {
  std::vector<Result> results; ///< by process
  std::vector<float> times;    ///< of the whole mesh
  std::vector<std::int32_t> seeds;
  int rounds = 0;
  double bytes = 0; ///< that a process sends in a round, per shared vertex of its own: the maximum
};

Solved solveDivided(const MeshCase& c, const std::vector<int>& owner, int count,
                    const std::function<bool(int, double)>& progress = {}) {
  ProcessesInMemory processes(count);
  Divided divided(c, owner, count);
  Solved s;
  s.results.resize(std::size_t(count));
  std::vector<double> bytes(std::size_t(count), 0);
  processes.run([&](const Processes& process) {
    const int p = process.index;
    divided.find(process);
    const SharedVertices& shared = divided.shared[std::size_t(p)];
    Exchange exchange(process, shared);
    Problem problem = divided.problem(p);
    problem.sharing = exchange.sharing();
    problem.sharing.exchange = [&, inner = problem.sharing.exchange](std::span<float> times, double pending,
                                                                     double band) {
      const std::int64_t before = processes.bytesSent(p);
      const double limit = inner(times, pending, band);
      const auto sent = double(processes.bytesSent(p) - before);
      if (!times.empty())
        bytes[std::size_t(p)] = std::max(bytes[std::size_t(p)], sent / double(times.size()));
      if (p == 0) ++s.rounds;
      return limit;
    };
    Options options = onHost(1);
    options.seedIds = true;
    const Monitor monitor{[&](double share) { return !progress || progress(p, share); }};
    Result& result = s.results[std::size_t(p)];
    result = solveMeshTravelTime(problem, options, monitor);
    EXPECT_EQ(exchange.finish(!result.aborted), !progress);
  });
  s.bytes = *std::ranges::max_element(bytes);
  if (progress) return s;

  s.times.assign(std::size_t(c.vertexCount()), infinity);
  s.seeds.assign(s.times.size(), -1);
  for (int p = 0; p < count; ++p) {
    const Result& result = s.results[std::size_t(p)];
    for (std::size_t v = 0; v < result.travelTime.size(); ++v) {
      const auto all = std::size_t(divided.parts[std::size_t(p)].whole[v]);
      if (s.times[all] < infinity) EXPECT_EQ(s.times[all], result.travelTime[v]) << "processes disagree";
      s.times[all] = std::min(s.times[all], result.travelTime[v]);
      s.seeds[all] = std::max(s.seeds[all], result.seed[v]);
    }
  }
  return s;
}

/// Processes of which each has the same vertices, and one vertex of its own.
struct Everywhere {
  explicit Everywhere(int count, int v = 1) : processes(count), shared(std::size_t(count)), vertices(v) {}

  /// Calls f(process, exchange) in every process.
  void run(const std::function<void(const Processes&, Exchange&)>& f) {
    processes.run([&](const Processes& process) {
      std::vector<KeyedVertex> candidates;
      for (int v = 0; v < vertices; ++v) candidates.push_back({{std::uint64_t(v), 0, 0}, v});
      candidates.push_back({{std::uint64_t(vertices), 0, std::uint64_t(process.index)}, vertices});
      SharedVertices& mine = shared[std::size_t(process.index)];
      mine = findShared(process, candidates);
      Exchange exchange(process, mine);
      f(process, exchange);
    });
  }
  /// Returns the bytes that a process sends when it exchanges times.
  std::int64_t bytesFor(const Processes& process, Exchange& exchange, std::vector<float> times) const {
    const std::int64_t before = processes.bytesSent(process.index);
    exchange.sharing().exchange(times, 0, 1);
    return processes.bytesSent(process.index) - before;
  }

  ProcessesInMemory processes;
  std::vector<SharedVertices> shared;
  int vertices;
};

} // namespace

TEST(MeshSharedVertices, AreThoseOfSeveralParts) {
  for (const int count : {1, 2, 3, 5, 7, 8, 13, 64})
    for (const bool mixed : {false, true}) {
      const MeshCase c = make("Isotropic");
      const std::vector<int> owner = mixed ? scattered(c, count) : inStretches(c, count);
      Divided d(c, owner, count);
      std::map<std::int64_t, std::vector<int>> holders; // by vertex of the whole mesh
      for (int p = 0; p < count; ++p)
        for (const std::int64_t v : d.parts[std::size_t(p)].whole) holders[v].push_back(p);

      ProcessesInMemory(count).run([&](const Processes& process) { d.find(process); });

      std::map<std::int64_t, std::int64_t> names; // of vertices of the whole mesh
      std::map<std::int64_t, int> owners;
      std::size_t entries = 0, expectedEntries = 0;
      for (int p = 0; p < count; ++p) {
        const SharedVertices& s = d.shared[std::size_t(p)];
        std::vector<std::int64_t> expected;
        const auto& whole = d.parts[std::size_t(p)].whole;
        for (std::size_t v = 0; v < whole.size(); ++v)
          if (holders[whole[v]].size() > 1) expected.push_back(std::int64_t(v));
        EXPECT_EQ(s.vertices, expected) << count << " processes";
        for (std::size_t i = 0; i < s.vertices.size(); ++i) {
          const std::int64_t v = whole[std::size_t(s.vertices[i])];
          EXPECT_EQ(names.emplace(v, s.name[i]).first->second, s.name[i]);
          owners[v] += s.owned[i];
        }
        for (const auto& n : s.neighbours) entries += n.owned.size() + n.foreign.size();
      }
      std::set<std::int64_t> distinct;
      for (const auto& [v, name] : names) {
        distinct.insert(name);
        EXPECT_EQ(owners[v], 1) << "vertex " << v;
        expectedEntries += 2 * (holders[v].size() - 1);
      }
      EXPECT_EQ(distinct.size(), names.size());
      EXPECT_EQ(entries, expectedEntries) << "one entry for each side of an owner and another process";
    }
}

TEST(MeshSharedVertices, AreInTheSameOrderOnBothSides) {
  const MeshCase c = make("Isotropic");
  for (const bool byId : {false, true}) {
    Divided d(c, scattered(c, 9), 9);
    ProcessesInMemory(9).run([&](const Processes& process) { d.find(process, byId); });
    const auto namesOf = [&](int p, const std::vector<std::int32_t>& points) {
      const SharedVertices& s = d.shared[std::size_t(p)];
      std::vector<std::int64_t> names(std::size_t(s.pointCount)), listed;
      for (std::size_t i = 0; i < s.point.size(); ++i) names[std::size_t(s.point[i])] = s.name[i];
      for (const std::int32_t point : points) listed.push_back(names[std::size_t(point)]);
      return listed;
    };
    for (int p = 0; p < 9; ++p)
      for (const auto& n : d.shared[std::size_t(p)].neighbours) {
        const auto& others = d.shared[std::size_t(n.process)].neighbours;
        const auto back = std::ranges::find(others, p, &SharedVertices::Neighbour::process);
        ASSERT_NE(back, others.end());
        EXPECT_EQ(namesOf(p, n.owned), namesOf(n.process, back->foreign));
      }
  }
}

TEST(MeshSharedVertices, HaveTheSameKey) {
  // The first process has the key twice; zero has two signs.
  const double nothing[2][6]{{0., 1, 2, -0., 1, 2}, {0, 1, 2, 5, 5, 5}};
  const std::vector<std::int64_t> cells[2]{{0, 1, 1, -1}, {0, 1, 1, -1}};
  SharedVertices shared[2];
  ProcessesInMemory(2).run([&](const Processes& process) {
    Problem part;
    part.points.precise = nothing[process.index], part.points.components = 3;
    part.cells = cells[process.index];
    shared[process.index] = findShared(process, candidatesOf(part, {}));
  });
  EXPECT_EQ(shared[0].vertices, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(shared[0].point, (std::vector<std::int32_t>{0, 0}));
  EXPECT_EQ(shared[0].pointCount, 1);
  EXPECT_EQ(shared[1].vertices, (std::vector<std::int64_t>{0}));
  EXPECT_EQ(shared[0].name[0], shared[1].name[0]);
  EXPECT_NE(shared[0].owned[0], shared[1].owned[0]);
}

/// All processes have the earliest time of a vertex after one exchange, whichever process found it and
/// whichever owns the vertex.
TEST(MeshExchange, GivesTheEarliestTimeToAllAtOnce) {
  for (int earliest = 0; earliest < 5; ++earliest)
    Everywhere(5).run([&](const Processes& process, Exchange& exchange) {
      const Sharing sharing = exchange.sharing();
      ASSERT_EQ(sharing.vertices, (std::vector<std::int64_t>{0}));
      float time[1] = {process.index == earliest ? -2.5f : process.index == 4 ? infinity : 1.f};
      const double limit = sharing.exchange(time, 7, 0.25 * (1 + process.index));
      EXPECT_EQ(time[0], -2.5f);
      EXPECT_EQ(limit, -2.5 + 16 * 1.25) << "16 of the longest bands after the time that is under way";
      EXPECT_EQ(sharing.exchange(time, process.index == 2 ? 7 : infinity, 1), 7 + 16) << "one has work left";
      EXPECT_TRUE(std::isnan(sharing.exchange(time, infinity, 1))) << "all is done";
      EXPECT_TRUE(exchange.finish(true));
    });
}

TEST(MeshExchange, GivesTheGreatestSeedToAll) {
  Everywhere(5).run([](const Processes& process, Exchange& exchange) {
    const Sharing sharing = exchange.sharing();
    std::int32_t seed[1] = {process.index == 3 ? std::numeric_limits<std::int32_t>::max()
                                               : process.index - 1};
    EXPECT_TRUE(sharing.exchangeSeeds(seed));
    EXPECT_EQ(seed[0], std::numeric_limits<std::int32_t>::max());
    EXPECT_FALSE(sharing.exchangeSeeds(seed)) << "none has risen";
    EXPECT_TRUE(exchange.finish(true));
  });
}

/// A value is 8 bytes with the index of its vertex. Two messages to a neighbour have 8 bytes each for their
/// size.
TEST(MeshExchange, SendsAValueOnce) {
  Everywhere all(2);
  all.run([&](const Processes& process, Exchange& exchange) {
    const auto bytes = [&](float ofFirst, float ofSecond) {
      return all.bytesFor(process, exchange, {process.index == 0 ? ofFirst : ofSecond});
    };
    constexpr std::int64_t nothing = 16;
    const bool first = process.index == 0;
    EXPECT_EQ(bytes(3, infinity), first ? nothing + 8 : nothing);
    EXPECT_EQ(bytes(3, 3), nothing) << "sent or received before";
    EXPECT_EQ(bytes(3, 2), first ? nothing : nothing + 8);
    EXPECT_EQ(bytes(1, 1), all.shared[std::size_t(process.index)].owned[0] ? nothing : nothing + 8)
        << "the owner knows from the other that it has the same";
    EXPECT_EQ(bytes(1, 1), nothing);
    exchange.finish(true);
  });
}

TEST(MeshExchange, SendsABitPerVertexWhereManyDecrease) {
  Everywhere all(2, 1000);
  all.run([&](const Processes& process, Exchange& exchange) {
    const auto& neighbour = all.shared[std::size_t(process.index)].neighbours[0];
    const std::size_t owned = neighbour.owned.size(), foreign = neighbour.foreign.size();
    EXPECT_EQ(owned + foreign, 1000u);
    EXPECT_GT(owned, 400u) << "each process owns about half";
    std::vector<float> times(1000, process.index == 0 ? 1.f : infinity);
    const bool first = process.index == 0;
    const std::size_t words = (owned + 31) / 32 + (foreign + 31) / 32 + 1000;
    EXPECT_EQ(all.bytesFor(process, exchange, times), std::int64_t(first ? 16 + 4 * words : 16));
    if (first) times[17] = 0.5f;
    EXPECT_EQ(all.bytesFor(process, exchange, times), first ? 16 + 8 : 16);
    exchange.finish(true);
  });
}

/// Whatever the others do next, a process that fails ends their exchange.
TEST(MeshExchange, EndsForAllWhereOneFails) {
  for (int failing = 0; failing < 3; ++failing)
    for (int steps = 0; steps < 4; ++steps)
      Everywhere(3).run([&](const Processes& process, Exchange& exchange) {
        const Sharing sharing = exchange.sharing();
        float time[1] = {float(process.index)};
        std::int32_t seed[1] = {process.index};
        const std::function<bool()> all[]{[&] { return !std::isnan(sharing.exchange(time, 3, 1)); },
                                          [&] { return !std::isnan(sharing.exchange(time, 3, 1)); },
                                          [&] { return sharing.exchangeSeeds(seed); }};
        for (int step = 0; step < 3; ++step) {
          if (process.index == failing && step >= steps) break;
          EXPECT_EQ(all[step](), step < steps);
        }
        EXPECT_FALSE(exchange.finish(process.index != failing));
      });
}

class MeshTravelTimeParts : public testing::TestWithParam<std::string> {};

TEST_P(MeshTravelTimeParts, HaveTheBitsOfTheWhole) {
  const MeshCase c = make(GetParam());
  Options options = onHost(1);
  options.seedIds = true;
  const Result expected = solve(c, options);
  for (const int count : {1, 2, 7})
    for (const bool mixed : {false, true}) {
      const Solved s = solveDivided(c, mixed ? scattered(c, count) : inStretches(c, count), count);
      const std::string what = std::to_string(count) + (mixed ? " parts, scattered" : " parts");
      expectEach(c, what, s.times, expected.travelTime, equal);
      expectEach(c, what + ", seeds", s.seeds, expected.seed, equal);
    }
}

INSTANTIATE_TEST_SUITE_P(Meshes, MeshTravelTimeParts,
                         testing::Values("Everything", "TenToOne", "Layers", "Maze", "ManySeeds", "Triangles",
                                         "Wheel200", "OneTetrahedron", "SamePointTwice"),
                         [](const auto& info) { return info.param; });

/// Counted, not timed: the bound of DESIGN.md holds for any number of parts.
TEST(MeshTravelTimeSixtyFourParts, HaveTheBitsOfTheWholeAndSendLittle) {
  const MeshCase c = withSeeds(withFibres(cubes(20, 20, 20, 0.05, 0.2), 3, 1), {{0}, {4630, -1, {}, 0.1}});
  Options options = onHost(1);
  options.seedIds = true;
  const Result expected = solve(c, options);
  for (const bool mixed : {false, true}) {
    const Solved s = solveDivided(c, mixed ? scattered(c, 64) : inBlocks(c, 4, 1), 64);
    expectEach(c, "64 parts", s.times, expected.travelTime, equal);
    expectEach(c, "64 parts, seeds", s.seeds, expected.seed, equal);
    EXPECT_LE(s.bytes, 16) << "sent by a process in a round, per shared vertex of its own";
    EXPECT_GT(s.rounds, 3);
  }
}

/// No part may block.
TEST(MeshTravelTimeAborts, EndAllParts) {
  const MeshCase c = make("Tensors");
  for (const int count : {3, 64})
    for (const int stopping : {0, count - 1}) {
      const Solved s = solveDivided(c, scattered(c, count), count,
                                    [=](int process, double) { return process != stopping; });
      EXPECT_TRUE(s.results[std::size_t(stopping)].aborted);
      EXPECT_TRUE(s.results[std::size_t(stopping)].travelTime.empty());
    }
}

TEST(MeshTravelTimeIslands, MayHaveNoSeedAndNoConnectionToOne) {
  const MeshCase c = withSeeds(beside(cubes(3, 3, 3, 1, 0.2), cubes(2, 2, 2, 1, 0.2), 9), {{5}});
  std::vector<int> owner(std::size_t(c.cellCount()), 0);
  std::fill(owner.begin() + 162, owner.end(), 1);
  expectEach(c, "two islands", solveDivided(c, owner, 2).times, solve(c, onHost(1)).travelTime, equal);
}
