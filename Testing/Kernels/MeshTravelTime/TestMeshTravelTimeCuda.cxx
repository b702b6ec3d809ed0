// Claims that CUDA and the host give the same bits, by the public interface. Skipped without a device.
#include "MeshTravelTimeChecks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

constexpr Method methods[] = {Method::Automatic, Method::Band, Method::PlainFim, Method::DecomposedManyBlocks,
                              Method::DecomposedOneBlock};

Options onCuda(Method method, int subdomains = 0) {
  Options o;
  o.backend = Backend::Cuda, o.method = method, o.subdomains = subdomains;
  return o;
}

void expectHost(const MeshCase& c) {
  const Result host = solve(c, onHost());
  for (const Method method : methods)
    for (const int subdomains : {0, 5}) {
      const Result cuda = solve(c, onCuda(method, subdomains));
      ASSERT_EQ(cuda.ranOn.backend, Backend::Cuda);
      expectEach(c, "method " + std::to_string(int(method)), cuda.travelTime, host.travelTime, equal);
    }
}

class MeshCuda : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
  static MeshCase make(const std::string& name) {
    MeshCase c = meshMakerOf(name).make();
    c.name = name;
    return c;
  }
};

class MeshCudaRuns : public MeshCuda {};

} // namespace

TEST_P(MeshCuda, GivesTheBitsOfTheHost) { expectHost(make(GetParam())); }

INSTANTIATE_TEST_SUITE_P(Meshes, MeshCuda, testing::ValuesIn(meshCaseNames()),
                         [](const auto& info) { return info.param; });

TEST_P(MeshCudaRuns, LargeMeshesGiveTheBitsOfTheHost) {
  for (const double along : {1., 3., 10.}) expectHost(withFibres(cubes(40, 41, 39, 1, 0.2), along, 1));
  expectHost(withSpeed(cubes(33, 40, 36, 1, 0.2), false,
                       [](auto t, auto&) { return 0.1 + noise(std::uint64_t(t)); }));
}

TEST_P(MeshCudaRuns, GiveTheSameBitsAndDoTheSameWorkEveryTime) {
  const MeshCase c = withFibres(cubes(40, 41, 39, 1, 0.2), 3, 1);
  for (const Method method : methods) {
    const Result first = solve(c, onCuda(method));
    for (int i = 0; i < 3; ++i) {
      const Result again = solve(c, onCuda(method));

      expectEach(c, "again", again.travelTime, first.travelTime, equal);
      EXPECT_EQ(again.updatesPerVertex, first.updatesPerVertex);
    }
  }
}

TEST_P(MeshCudaRuns, TakeTimesFromOtherProcesses) {
  MeshCase c = withFibres(cubes(7, 8, 6, 1 / 8., 0.2), 3, 1);
  for (std::int64_t v = 0; v < c.vertexCount(); v += 7) c.problem.sharing.vertices.push_back(v);
  const auto solveSharing = [&](const Options& options) {
    int rests = 0;
    c.problem.sharing.exchange = [&](std::span<float> times, double pending, double) {
      for (std::size_t i = 1; i < times.size(); i += 30) times[i] = std::min(times[i], 0.01f * float(i % 7));
      const double infinity = std::numeric_limits<double>::infinity();
      if (pending == infinity) ++rests;
      return rests == 2 ? std::numeric_limits<double>::quiet_NaN() : infinity;
    };
    return solve(c, options).travelTime;
  };
  const auto expected = solveSharing(onHost());

  for (const Method method : methods)
    expectEach(c, "method " + std::to_string(int(method)), solveSharing(onCuda(method)), expected, equal);
}

TEST_P(MeshCudaRuns, AnAbortedRunLeavesNothingAndTheNextOneWorks) {
  const MeshCase c = make("TenToOneRough");
  for (const Method method : methods) {
    int calls = 0;

    const Result aborted =
        solveMeshTravelTime(c.problem, onCuda(method), {[&](double) { return ++calls < 2; }});

    EXPECT_TRUE(aborted.aborted);
    EXPECT_TRUE(aborted.travelTime.empty());
  }
  expectHost(c);
}

INSTANTIATE_TEST_SUITE_P(All, MeshCudaRuns, testing::Values("OneDevice"),
                         [](const auto& info) { return info.param; });
