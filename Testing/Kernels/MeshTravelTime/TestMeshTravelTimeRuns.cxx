// Claims about runs: the same bits for any number of threads, instruction set and numbering; reports, aborts,
// memory.
#include "Execution/SimulatedWorkers.h"
#include "InstructionSets.h"
#include "ManyRuns.h"
#include "MeshTravelTime/Validation.h"
#include "MeshTravelTimeChecks.h"

#include <algorithm>
#include <array>
#include <thread>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

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

TEST_P(MeshTravelTimeSameBits, WithASetupOfOtherSeedsAtTheSameTime) {
  Problem other = c.problem;
  other.seeds.resize(1);
  other.ballRadius = 0;
  Options options = onHost(1);
  options.setup = prepare(other, options);
  ASSERT_TRUE(options.setup);
  std::array<Values<float>, 6> times;
  forEachRun(6, 3, {}, [&](std::int64_t i, const Monitor&) {
    times[std::size_t(i)] = solveMeshTravelTime(c.problem, options, {}).travelTime;
  });
  for (const Values<float>& some : times) expectEach(c, "a common set-up", some, expected, equal);
  std::vector<Tip> tips;
  for (std::int64_t v = 0; v < c.vertexCount(); v += 7) tips.push_back({v});
  const std::vector<Path> own = extractPaths(c.problem, times[0], tips, 1),
                          common = extractPaths(c.problem, times[0], tips, 1, {}, options.setup.get());
  ASSERT_EQ(own.size(), tips.size());
  ASSERT_EQ(common.size(), tips.size());
  for (std::size_t t = 0; t < own.size(); ++t) {
    EXPECT_EQ(own[t].x, common[t].x) << t;
    EXPECT_EQ(own[t].travelTime, common[t].travelTime) << t;
  }
}

TEST_P(MeshTravelTimeSameBits, UsableSeedsAreThoseOfASolve) {
  EXPECT_EQ(usableSeeds(c.problem), solve(c, onHost(1)).usable);
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

TEST(MeshTravelTimeRuns, ManyThreadsDoLittleMoreWorkThanOne) {
  const MeshCase c = withFibres(cubes(24, 24, 24, 1, 0.2), 10, 1);
  const double alone = solve(c, onHost(1)).updatesPerVertex;
  for (const int threads : {2, 4, 8}) { // simulated ones: the count does not depend on their timing
    const execution::SimulatedWorkers workers;
    EXPECT_LT(solve(c, onHost(threads)).updatesPerVertex, 1.03 * alone) << threads;
  }
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
