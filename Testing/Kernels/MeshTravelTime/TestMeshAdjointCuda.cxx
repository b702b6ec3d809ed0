// Claims that CUDA and the host find the same derivatives, bit by bit, by the public interface. Skipped
// without a device.
#include "MeshSensitivityCases.h"

#include <gtest/gtest.h>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

class MeshAdjointCuda : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
};

} // namespace

TEST_P(MeshAdjointCuda, GivesTheDerivativesOfTheHost) {
  const MeshCase c = meshMakerOf(GetParam()).make();
  const Values<float> times = solve(c, onHost()).travelTime;
  const std::vector<WeightedTip> tips = someTips(c);
  const SensitivityOptions onCuda{Backend::Cuda, 1};
  const Sensitivities host = differentiate(c.problem, times, tips, onOneThread),
                      cuda = differentiate(c.problem, times, tips, onCuda);
  EXPECT_EQ(cuda.ranOn.backend, Backend::Cuda);
  EXPECT_EQ(host.medium, cuda.medium);
  EXPECT_EQ(host.metric, cuda.metric);
  EXPECT_EQ(host.startTime, cuda.startTime);
  EXPECT_EQ(host.objective, cuda.objective);
  EXPECT_EQ(host.lostWeight, cuda.lostWeight);
  const std::vector<Tip> places{tips[0].at, tips[1].at};
  const Jacobian rows = differentiateEach(c.problem, times, places, onCuda);
  EXPECT_EQ(rows.ranOn.backend, Backend::Cuda);
  EXPECT_EQ(rows.matrix.weight, differentiateEach(c.problem, times, places, onOneThread).matrix.weight);
}

INSTANTIATE_TEST_SUITE_P(Meshes, MeshAdjointCuda, testing::ValuesIn(meshCaseNames()),
                         [](const auto& info) { return info.param; });
