// Claims about mesh travel times by kernels, run by host teams with the same kernels as on CUDA.
#include "Execution/HostDevice.h"
#include "MeshTravelTime/Host/HostSolver.h"
#include "MeshTravelTime/Tiles/Methods.h"
#include "MeshTravelTime/Validation.h"
#include "MeshTravelTimeCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace isochrone;
using namespace isochrone::mesh;
using execution::HostDevice;

namespace {

constexpr Method methods[] = {Method::Band, Method::PlainFim, Method::DecomposedManyBlocks,
                              Method::DecomposedOneBlock};

/// A case prepared as in the solvers.
struct Prepared {
  MeshCase c;
  execution::RoundPool caller{1};
  VertexStars stars = makeVertexStars(c.problem, caller);
  Result result;
  std::vector<Start> starts = startsOf(c.problem, stars, result);

  explicit Prepared(const std::string& name, bool unfolds = true) : c(make(name, unfolds)) {}

private:
  static MeshCase make(const std::string& name, bool unfolds) {
    MeshCase made = meshMakerOf(name).make();
    made.problem.unfolds = unfolds;
    return made;
  }
};

struct Solved {
  Values<float> times; ///< in world units, since parts of a mesh may use different units
  Result result;

  void toWorld(const Prepared& p) {
    for (float& time : times) time *= time < unreached ? float(p.stars.unit) : 1;
  }
};

/// Solves with four subdomains unless another number is given.
Solved byKernels(const Prepared& p, Method method, const KernelSettings& settings = {}, int subdomains = 4,
                 int threads = 1, const Monitor& monitor = {}) {
  HostDevice device{threads};
  Options options;
  options.method = method, options.subdomains = subdomains, options.threads = threads;
  Solved s;
  s.times =
      solveByKernels(device, p.stars, p.starts, p.c.problem.sharing, options, settings, monitor, s.result);
  s.toWorld(p);
  return s;
}

Solved onHost(const Prepared& p) {
  Solved s;
  execution::RoundPool caller(1);
  s.times = solveOnHost(p.stars, PackedStars(p.stars, false, caller), p.starts, p.c.problem.sharing, true,
                        caller, {}, s.result);
  s.toWorld(p);
  return s;
}

void expectSame(const Solved& a, const Solved& b, Method method) {
  ASSERT_EQ(a.times.size(), b.times.size());
  for (std::size_t v = 0; v < a.times.size(); ++v)
    ASSERT_EQ(a.times[v], b.times[v]) << "vertex " << v << " of the stars, method " << int(method);
}

class MeshTiles : public testing::TestWithParam<std::string> {
protected:
  const Prepared p{GetParam()};
};

/// Runs on fewer cases, for claims that do not depend on the shape of a mesh.
class MeshTilesInAnyOrder : public MeshTiles {};

} // namespace

TEST_P(MeshTiles, GiveTheBitsOfTheHost) {
  const Solved host = onHost(p);
  for (const Method method : methods) expectSame(byKernels(p, method), host, method);
}

INSTANTIATE_TEST_SUITE_P(Meshes, MeshTiles, testing::ValuesIn(meshCaseNames()),
                         [](const auto& info) { return info.param; });

TEST_P(MeshTilesInAnyOrder, GiveTheSameBits) {
  const Solved host = onHost(p);
  for (const Method method : methods) {
    expectSame(byKernels(p, method, {4, 1}, 1), host, method);
    expectSame(byKernels(p, method, {50, 1000}, 17, 3), host, method);
    expectSame(byKernels(p, method, {50, 3}, 1 << 30), host, method);
  }
}

TEST_P(MeshTilesInAnyOrder, DoTheSameWork) {
  for (const Method method : methods) {
    const Solved once = byKernels(p, method), again = byKernels(p, method, {}, 4, 3);
    EXPECT_EQ(again.result.rounds, once.result.rounds);
    EXPECT_EQ(again.result.updatesPerVertex, once.result.updatesPerVertex);
    EXPECT_GT(once.result.updatesPerVertex, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, MeshTilesInAnyOrder,
                         testing::Values("Everything", "ThreeToOne", "Layers", "Maze", "Triangles",
                                         "Wheel1000", "OneTetrahedron"),
                         [](const auto& info) { return info.param; });

/// Two processes own half of the cells each; the other cells are hidden, and all vertices are shared. One
/// process uses another solver.
TEST(MeshTilesRuns, PartsOfAMeshAgreeOnTheTimesOfTheWhole) {
  for (const std::string name : {"Everything", "ThreeToOne", "Triangles"}) {
    const Solved whole = onHost(Prepared(name, false));
    for (const Method method : methods) {
      Prepared parts[2]{Prepared(name, false), Prepared(name, false)};
      std::vector<float> minimum(std::size_t(parts[0].c.vertexCount()),
                                 std::numeric_limits<float>::infinity());
      bool moving = false;
      std::barrier gate(2);
      Solved solved[2];
      std::vector<std::thread> threads;
      for (int part = 0; part < 2; ++part)
        threads.emplace_back([&, part] {
          Prepared& mine = parts[part];
          mine.c.hidden.resize(std::size_t(mine.c.cellCount()));
          for (std::size_t t = 0; t < mine.c.hidden.size(); ++t)
            if (t / 200 % 2 != std::size_t(part)) mine.c.hidden[t] = 1;
          mine.c.link();
          Sharing& sharing = mine.c.problem.sharing;
          for (std::int64_t v = 0; v < mine.c.vertexCount(); ++v) sharing.vertices.push_back(v);
          sharing.exchange = [&](std::span<float> times, double, double) {
            for (int turn = 0; turn < 2; ++turn) {
              if (turn == part)
                for (std::size_t v = 0; v < times.size(); ++v) minimum[v] = std::min(minimum[v], times[v]);
              gate.arrive_and_wait();
            }
            const bool fell = !std::ranges::equal(minimum, times);
            std::ranges::copy(minimum, times.begin());
            gate.arrive_and_wait();
            if (part == 0) moving = fell;
            gate.arrive_and_wait();
            if (part == 1) moving = moving || fell;
            gate.arrive_and_wait();
            return moving ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
          };
          mine.stars = makeVertexStars(mine.c.problem, mine.caller);
          mine.starts = startsOf(mine.c.problem, mine.stars, mine.result);
          solved[part] = part == 0 ? byKernels(mine, method) : onHost(mine);
        });
      for (std::thread& thread : threads) thread.join();

      for (const Solved& s : solved) expectSame(s, whole, method);
      EXPECT_GT(solved[0].result.updatesPerVertex, 0.5);
    }
  }
}

TEST(MeshTilesRuns, NeedThePredictedMemory) {
  for (const std::string name : {"Layers", "Triangles"})
    for (const Method method : methods) {
      const Prepared p(name);
      const std::size_t used = byKernels(p, method).result.workBytes, announced = kernelBytes(p.c.problem);

      EXPECT_LE(used, announced);
      EXPECT_GE(used + (std::size_t(17) << 20), announced);
    }
}

TEST(MeshTilesRuns, AnAbortedRunLeavesNothing) {
  const Prepared p("TenToOneRough");
  for (const Method method : methods)
    for (const int maximum : {1, 3}) {
      int calls = 0;
      double last = 0;
      const Monitor monitor{[&](double share) {
        EXPECT_GE(share, last);
        EXPECT_LE(share, 1);
        last = share;
        return ++calls < maximum;
      }};

      const Solved stopped = byKernels(p, method, {}, 4, 1, monitor);

      EXPECT_TRUE(stopped.result.aborted);
      EXPECT_EQ(calls, maximum);
      EXPECT_TRUE(stopped.times.empty());
    }
}

TEST(MeshTilesRuns, DecompositionsOfThePublicInterfaceRunOnTheHost) {
  const MeshCase c = meshMakerOf("Everything").make();
  Options options;
  options.backend = Backend::Host;
  const Result expected = solveMeshTravelTime(c.problem, options, {});
  for (const Method method : {Method::DecomposedManyBlocks, Method::DecomposedOneBlock})
    for (const int subdomains : {0, 5}) {
      options.method = method, options.subdomains = subdomains;

      const Result result = solveMeshTravelTime(c.problem, options, {});

      EXPECT_EQ(result.method, method);
      EXPECT_TRUE(std::ranges::equal(result.travelTime, expected.travelTime));
    }
}

/// Plain FIM takes a round per vertex along the path; a block continues within its subdomain.
TEST(MeshTilesRuns, OneBlockTakesFewRounds) {
  const Prepared p("ThreeToOne");

  EXPECT_LT(2 * byKernels(p, Method::DecomposedOneBlock, {8, 1000}, 2).result.rounds,
            byKernels(p, Method::PlainFim).result.rounds);
}

TEST(MeshDomains, OwnEachVertexOnceAndListSharedVertices) {
  for (const std::string name : {"Everything", "Triangles", "OneTetrahedron", "VerticesWithoutCells"})
    for (const int wanted : {1, 2, 3, 7, 1000000}) {
      const Prepared p(name);
      const Domains domains = makeDomains(p.stars, wanted, 2);
      std::set<std::int32_t> expected;
      for (const Tetrahedron& t : p.stars.tetrahedra)
        for (const std::int32_t v : t.vertex)
          for (const std::int32_t w : t.vertex)
            if (v < p.stars.vertexCount && w < p.stars.vertexCount && v / domains.size != w / domains.size)
              expected.insert(v);

      EXPECT_EQ((p.stars.vertexCount - 1) / domains.size + 1, domains.count);
      EXPECT_LE(domains.count, wanted);
      EXPECT_TRUE(std::ranges::equal(domains.interface, expected)); // ascending, without duplicates
      ASSERT_EQ(domains.first.size(), std::size_t(domains.count) + 1);
      EXPECT_EQ(domains.first.back(), std::int32_t(expected.size()));
      for (int d = 0; d < domains.count; ++d)
        for (std::int32_t i = domains.first[d]; i < domains.first[d + 1]; ++i)
          EXPECT_EQ(domains.interface[i] / domains.size, d);
    }
}
