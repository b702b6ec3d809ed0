// Claims about runs: the same bits for any number of threads, instruction set, numbering and division of the
// mesh; reports, aborts, memory.
#include "InstructionSets.h"
#include "MeshTravelTime/Validation.h"
#include "MeshTravelTimeChecks.h"
#include "MeshTravelTimeParts.h"

#include <algorithm>
#include <barrier>
#include <mutex>
#include <thread>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Runs on quick meshes that use every part of a solver.
class MeshTravelTimeSameBits : public testing::TestWithParam<std::string> {
protected:
  MeshCase make() const {
    MeshCase c = meshMakerOf(GetParam()).make();
    c.name = GetParam();
    return c;
  }
  const MeshCase c = make();
  const Values<float> expected = solve(c, onHost(1)).travelTime;
};

MeshCase make(const std::string& name) { return meshMakerOf(name).make(); }

/// Exchanges times between the parts of a mesh, each in its own thread: the minimum is used by all.
class Meeting {
public:
  /// @param bands  range of times beyond the earliest open one that a part solves between exchanges, in long
  /// edges
  Meeting(std::int64_t vertices, int parts, double bands)
      : minimum(std::size_t(vertices), infinity), width(bands), pending(std::size_t(parts)),
        longEdge(std::size_t(parts)), gate(parts) {}

  double exchange(int part, const std::vector<std::int64_t>& vertices, std::span<double> times, double open,
                  double band) {
    pending[std::size_t(part)] = open, longEdge[std::size_t(part)] = band;
    {
      const std::lock_guard lock(mutex);
      for (std::size_t i = 0; i < times.size(); ++i) {
        double& all = minimum[std::size_t(vertices[i])];
        all = std::min(all, times[i]);
      }
    }
    gate.arrive_and_wait();
    double next = open;
    for (std::size_t i = 0; i < times.size(); ++i)
      if (const double all = minimum[std::size_t(vertices[i])]; all < times[i])
        times[i] = all, next = std::min(next, all);
    const double longest = *std::max_element(longEdge.begin(), longEdge.end());
    gate.arrive_and_wait(); // all parts read before any writes
    pending[std::size_t(part)] = next;
    gate.arrive_and_wait();
    double first = infinity;
    for (const double p : pending)
      first = std::isnan(p) || std::isnan(first) ? p + first : std::min(first, p);
    gate.arrive_and_wait();
    if (part == 0) ++rounds;
    if (std::isnan(first) || first == infinity) return std::numeric_limits<double>::quiet_NaN();
    return first + width * longest;
  }

  int rounds = 0;

private:
  std::vector<double> minimum;
  double width;
  std::vector<double> pending, longEdge;
  std::mutex mutex;
  std::barrier<> gate;
};

/// Solves the parts, each in its own thread.
struct Divided {
  std::vector<float> times; ///< of the whole mesh
  std::vector<Result> results;
  int rounds = 0;
};

Divided solveDivided(const MeshCase& c, const std::vector<int>& owner, int parts, double bands,
                     const std::function<bool(int, double)>& progress = {}) {
  std::vector<Part> part;
  std::vector<int> holders(std::size_t(c.vertexCount()));
  for (int p = 0; p < parts; ++p) {
    part.push_back(partOf(c, owner, p));
    for (const std::int64_t v : part.back().whole) ++holders[std::size_t(v)];
  }
  Meeting meeting(c.vertexCount(), parts, bands);
  Divided d;
  d.results.resize(std::size_t(parts));
  std::vector<std::thread> threads;
  for (int p = 0; p < parts; ++p)
    threads.emplace_back([&, p] {
      Part& mine = part[std::size_t(p)];
      Sharing& sharing = mine.mesh.problem.sharing;
      std::vector<std::int64_t> whole;
      for (std::size_t v = 0; v < mine.whole.size(); ++v)
        if (holders[std::size_t(mine.whole[v])] > 1)
          sharing.vertices.push_back(std::int64_t(v)), whole.push_back(mine.whole[v]);
      sharing.exchange = [&](std::span<double> times, double open, double band) {
        return meeting.exchange(p, whole, times, open, band);
      };
      const Monitor monitor{[&](double share) { return !progress || progress(p, share); }};
      d.results[std::size_t(p)] = solveMeshTravelTime(mine.mesh.problem, onHost(1), monitor);
    });
  for (std::thread& t : threads) t.join();
  d.times.assign(std::size_t(c.vertexCount()), float(infinity));
  for (int p = 0; p < parts; ++p)
    for (std::size_t v = 0; v < d.results[std::size_t(p)].travelTime.size(); ++v) {
      const float time = d.results[std::size_t(p)].travelTime[v];
      float& all = d.times[std::size_t(part[std::size_t(p)].whole[v])];
      if (!progress && all < float(infinity))
        EXPECT_EQ(all, time) << c.name << ": parts disagree on a vertex";
      all = std::min(all, time);
    }
  d.rounds = meeting.rounds;
  return d;
}

} // namespace

TEST_P(MeshTravelTimeSameBits, ForAnyThreadsMethodAndInstructionSet) {
  for (const Method method : {Method::Automatic, Method::Band, Method::PlainFim}) {
    const std::string called = "method " + std::to_string(int(method)) + ", ";
    for (const int threads : {2, 3, 7})
      expectEach(c, called + std::to_string(threads) + " threads",
                 solve(c, onHost(threads, method)).travelTime, expected, equal);
    onEachInstructionSet([&](const char* isa) {
      expectEach(c, called + isa, solve(c, onHost(2, method)).travelTime, expected, equal);
    });
  }
}

TEST_P(MeshTravelTimeSameBits, InLittleMemory) {
  Options options = onHost(2);
  options.memory = Memory::Compact;
  onEachInstructionSet(
      [&](const char* isa) { expectEach(c, isa, solve(c, options).travelTime, expected, equal); });
}

TEST_P(MeshTravelTimeSameBits, ForAnyNumberingOfVerticesAndOrderWithinCells) {
  expectEach(c, "vertices of cells in another order", solve(permuted(make()), onHost(2)).travelTime, expected,
             equal);
  for (const std::uint64_t seed : {1, 2, 3}) {
    std::vector<std::int64_t> number;
    const MeshCase other = renumbered(make(), number, seed);
    const Values<float> times = solve(other, onHost(2)).travelTime;
    std::vector<float> back;
    for (const std::int64_t v : number) back.push_back(times[std::size_t(v)]);
    expectEach(c, "other numbers of vertices", back, expected, equal);
  }
}

TEST_P(MeshTravelTimeSameBits, ForAnyDivisionOfTheMesh) {
  for (const int parts : {1, 2, 3})
    for (const bool mixed : {false, true}) {
      std::vector<int> owner;
      for (std::int64_t t = 0; t < c.cellCount(); ++t)
        owner.push_back(mixed ? int(noise(std::uint64_t(t)) * parts) : int(t * parts / c.cellCount()));
      for (const double bands : {4., infinity})
        expectEach(c,
                   std::to_string(parts) + " parts, " + (mixed ? "mixed, " : "") + std::to_string(bands) +
                       " bands",
                   solveDivided(c, owner, parts, bands).times, expected, equal);
    }
}

INSTANTIATE_TEST_SUITE_P(Meshes, MeshTravelTimeSameBits,
                         testing::Values("Everything", "TenToOne", "Layers", "Maze", "ManySeeds", "Triangles",
                                         "Wheel200", "OneTetrahedron"),
                         [](const auto& info) { return info.param; });

TEST(MeshTravelTimeRuns, ALargeMeshHasTheSameBitsOnManyThreads) {
  for (const double along : {1., 3.}) {
    const MeshCase c = withFibres(cubes(20, 16, 22, 1, 0.2), along, 1);
    const Values<float> expected = solve(c, onHost(1)).travelTime;
    for (const Method method : {Method::Band, Method::PlainFim})
      for (const int threads : {2, 4}) // twice: the timing of the threads differs
        for (int run = 0; run < 2; ++run)
          expectEach(c, std::to_string(threads) + " threads", solve(c, onHost(threads, method)).travelTime,
                     expected, equal);
    EXPECT_LE(residual(c.problem, expected, 2), 3e-7);
  }
}

/// No part may block.
TEST(MeshTravelTimeParts, AbortTogether) {
  const MeshCase c = make("Tensors");
  std::vector<int> owner;
  for (std::int64_t t = 0; t < c.cellCount(); ++t) owner.push_back(int(t % 3));
  for (const int stopping : {0, 2}) {
    const Divided d = solveDivided(c, owner, 3, 1, [=](int part, double) { return part != stopping; });
    EXPECT_TRUE(d.results[std::size_t(stopping)].aborted);
    EXPECT_TRUE(d.results[std::size_t(stopping)].travelTime.empty());
  }
}

TEST(MeshTravelTimeParts, MayHaveNoSeedAndNoConnectionToOne) {
  const MeshCase c = withSeeds(beside(cubes(3, 3, 3, 1, 0.2), cubes(2, 2, 2, 1, 0.2), 9), {{5}});
  std::vector<int> owner(std::size_t(c.cellCount()), 0);
  std::fill(owner.begin() + 162, owner.end(), 1);
  expectEach(c, "two islands", solveDivided(c, owner, 2, 1).times, solve(c, onHost(1)).travelTime, equal);
}

TEST(MeshTravelTimeRuns, ProgressNeverFallsAndEndsAtOne) {
  for (const char* name : {"Everything", "Layers", "Triangles", "OneTetrahedron"})
    for (const Method method : {Method::Band, Method::PlainFim}) {
      const MeshCase c = make(name);
      double last = 0;
      int calls = 0;
      const auto caller = std::this_thread::get_id();
      const Result result = solveMeshTravelTime(c.problem, onHost(2, method), {[&](double share) {
                                                  EXPECT_EQ(std::this_thread::get_id(), caller) << name;
                                                  EXPECT_GE(share, last) << name;
                                                  EXPECT_LE(share, 1) << name;
                                                  last = share, ++calls;
                                                  return true;
                                                }});
      EXPECT_EQ(last, 1) << name;
      EXPECT_GE(calls, 1) << name;
      EXPECT_FALSE(result.aborted);
    }
}

TEST(MeshTravelTimeRuns, AnAbortAtAnyTimeLeavesNothing) {
  for (const Method method : {Method::Band, Method::PlainFim}) {
    const MeshCase c = withFibres(cubes(11, 11, 11, 1, 0.2), 6, 1);
    int calls = 0;
    solveMeshTravelTime(c.problem, onHost(2, method), {[&](double) { return ++calls > 0; }});
    for (int last = 0; last + 1 < calls; last += 1 + calls / 10) {
      int call = 0;
      const Result result =
          solveMeshTravelTime(c.problem, onHost(2, method), {[&](double) { return call++ < last; }});
      // The number of reports may differ between runs: an abort at the last one has no effect.
      if (call > last + 1 || result.aborted) {
        EXPECT_TRUE(result.aborted) << "stopped in call " << last << " of " << calls;
        EXPECT_TRUE(result.travelTime.empty()) << "stopped in call " << last << " of " << calls;
      }
    }
  }
}

TEST(MeshTravelTimeRuns, AbortsBeforeItStarts) {
  const MeshCase c = make("Isotropic");
  const Result result = solveMeshTravelTime(c.problem, onHost(), {[](double) { return false; }});
  EXPECT_TRUE(result.aborted);
  EXPECT_TRUE(result.travelTime.empty());
}

TEST(MeshTravelTimeRuns, ReportsBackendAndWork) {
  const MeshCase c = make("Isotropic");
  for (const Method method : {Method::Automatic, Method::Band, Method::PlainFim}) {
    const Result result = solve(c, onHost(2, method));
    EXPECT_EQ(result.ranOn.backend, Backend::Host);
    EXPECT_FALSE(result.ranOn.reason.empty());
    EXPECT_EQ(result.method, method == Method::Automatic ? Method::Band : method);
    EXPECT_GT(result.rounds, 5);
    EXPECT_GT(result.updatesPerVertex, 0.9);
    EXPECT_LT(result.updatesPerVertex, 20);
    EXPECT_LE(result.workBytes, hostBytes(c.problem, false)); // the predicted amount
    EXPECT_GT(3 * result.workBytes, hostBytes(c.problem, false));
  }
}

TEST(MeshTravelTimeRuns, CompactMemoryIsHalfAsLarge) {
  const MeshCase c = make("Isotropic");
  Options compact = onHost();
  compact.memory = Memory::Compact;
  const double cells = double(c.cellCount());
  EXPECT_LT(double(solve(c, onHost()).workBytes), 130 * cells);
  EXPECT_LT(double(solve(c, compact).workBytes), 75 * cells);
}

TEST(MeshTravelTimeRuns, TheResidualIsInTheLastDigit) {
  for (const char* name : {"TenToOne", "Layers", "Triangles", "Wheel200"}) {
    const MeshCase c = make(name);
    Values<float> times = solve(c, onHost()).travelTime;
    EXPECT_LE(residual(c.problem, times, 2), 3e-7) << name;
    times[times.size() / 2] *= 1.25f; // a wrong time is detected
    EXPECT_GT(residual(c.problem, times, 2), 1e-3) << name;
  }
}
