// Claims about the updates and the masses of vertices by the kernels of a device on host teams: they are
// those of the host, and only vertices that use each other, with those that they lead to, are left.
#include "Execution/HostDevice.h"
#include "MeshSensitivityCases.h"
#include "MeshTravelTime/Sensitivity/AdjointSolver.h"
#include "MeshTravelTime/Sensitivity/MassFlow.h"

#include <gtest/gtest.h>

#include <utility>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

class MeshAdjoint : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    ASSERT_TRUE(solved.prepare({}));
    weights.assign(std::size_t(c.vertexCount()), 0);
    for (const WeightedTip& tip : someTips(c)) {
      const SolvedMesh::TipPlace place = solved.placeOf(tip.at);
      for (std::size_t i = 0; i < place.count; ++i) {
        weights[std::size_t(place.vertex[i])] += tip.weight * place.weight[i];
        tips.push_back(place.vertex[i]);
      }
    }
  }

  AdjointTask passOnTeams(int threads) {
    AdjointTask task(weights, tips);
    execution::HostDevice device(threads);
    adjointOnDevice(device, solved, task, {});
    return task;
  }

  void expectUpdates(std::span<const VertexDependence> expected) const {
    ASSERT_EQ(expected.size(), solved.dependences().size());
    int updates = 0;
    for (std::size_t v = 0; v < expected.size(); ++v) {
      const VertexDependence &a = expected[v], &b = solved.dependences()[v];
      ASSERT_EQ(a.count, b.count) << v;
      ASSERT_EQ(a.value, b.value) << v;
      ASSERT_EQ(a.tetrahedron, b.tetrahedron) << v;
      for (int i = 0; i < a.count; ++i) {
        ASSERT_EQ(a.vertex[i], b.vertex[i]) << v;
        ASSERT_EQ(a.weight[i], b.weight[i]) << v;
      }
      updates += a.count > 0;
    }
    EXPECT_EQ(updates == 0, c.vertexCount() < 2);
  }

  /// Returns whether vertices use each other or themselves.
  bool hasSets(const MassFlow& flow) const {
    for (std::int64_t r = 0; r < std::ssize(flow.ranked()); ++r) {
      const MassFlow::Group group = flow.groupAt(r);
      bool has = group.end - group.begin > 1;
      const std::int32_t v = flow.ranked()[std::size_t(r)];
      flow.forUsed(v, [&](std::int32_t used, double) { has = has || used == v; });
      if (has) return true;
    }
    return false;
  }

  MeshCase c = meshMakerOf(GetParam()).make();
  Values<float> times = solve(c, onHost()).travelTime;
  execution::RoundPool pool{1};
  SolvedMesh solved{c.problem, times, pool};
  Values<double> weights;
  std::vector<std::int32_t> tips;
};

} // namespace

TEST_P(MeshAdjoint, PassesTheMassesOfTheHost) {
  SolvedMesh host(c.problem, times, pool);
  ASSERT_TRUE(host.prepare({}) && host.evaluate({}));
  AdjointTask task = passOnTeams(2);
  expectUpdates(host.dependences());
  MassFlow whole(host.dependences(), pool), rest(solved.dependences(), pool);
  Values<double> expected = weights;
  double lost = 0, lostOfRest = 0, all = 0;
  for (const double w : weights) all += std::abs(w);
  ASSERT_TRUE(whole.prepare(tips, {}) && whole.pass(expected, lost, {}));

  EXPECT_EQ(hasSets(whole), !task.waiting.empty());
  if (!task.waiting.empty()) {
    ASSERT_TRUE(rest.prepare(task.waiting, {}) && rest.pass(task.mass, lostOfRest, {}));
    EXPECT_EQ(rest.ranked().size(), task.waiting.size());
  }
  for (std::size_t v = 0; v < expected.size(); ++v) ASSERT_NEAR(task.mass[v], expected[v], 1e-14 * all) << v;
  EXPECT_NEAR(lost, lostOfRest, 1e-14 * all);
}

TEST_P(MeshAdjoint, HasTheSameBitsForAnyNumberOfThreads) {
  const AdjointTask one = passOnTeams(1), three = passOnTeams(3);
  EXPECT_EQ(one.mass, three.mass);
  EXPECT_EQ(one.waiting, three.waiting);
}

INSTANTIATE_TEST_SUITE_P(Meshes, MeshAdjoint, testing::ValuesIn(meshCaseNames()),
                         [](const auto& info) { return info.param; });
