// Claims that CUDA and the host find the same derivatives, by the public interface. Skipped without a device.
#include "ImageAdjointCases.h"

#include <gtest/gtest.h>

using namespace isochrone;
using namespace isochrone::image;

namespace {

class ImageAdjointCuda : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
};

} // namespace

TEST_P(ImageAdjointCuda, GivesTheDerivativesOfTheHost) {
  for (const SourceFactoring factoring : offAndAdditive)
    for (const int order : {1, 2}) {
      SCOPED_TRACE(order);
      const AdjointCase c(GetParam(), factoring, order);
      const Sensitivities cuda = derive(*c.problem, c.travelTime, c.tips, factoring, 0, order, Backend::Cuda);
      EXPECT_EQ(cuda.ranOn.backend, Backend::Cuda);
      expectEqual(derive(*c.problem, c.travelTime, c.tips, factoring, 0, order), cuda);
    }
}

TEST_P(ImageAdjointCuda, GivesTheSameBitsEveryTime) {
  const AdjointCase c(GetParam(), SourceFactoring::Additive);
  const auto run = [&] {
    return derive(*c.problem, c.travelTime, c.tips, SourceFactoring::Additive, 0, 1, Backend::Cuda);
  };
  const Sensitivities one = run(), other = run();
  EXPECT_EQ(one.speed, other.speed);
  EXPECT_EQ(one.objective, other.objective);
}

class TensorAdjointCuda : public ImageAdjointCuda {};

TEST_P(TensorAdjointCuda, GivesTheBitsOfTheHost) {
  const Case c = makeTensorAdjointCase(GetParam());
  for (const SourceFactoring factoring : offAndAdditive) {
    const Values<float> u = solve(c.problem, factoring).travelTime;
    const std::vector<WeightedTip> tips = someTips(c.problem.grid, 40);
    const Sensitivities host = derive(c.problem, u, tips, factoring),
                        cuda = derive(c.problem, u, tips, factoring, 0, 1, Backend::Cuda);
    EXPECT_EQ(cuda.ranOn.backend, Backend::Cuda);
    EXPECT_EQ(host.speed, cuda.speed);
    EXPECT_EQ(host.startValue, cuda.startValue);
    EXPECT_EQ(host.objective, cuda.objective);
    EXPECT_EQ(host.lostWeight, cuda.lostWeight);
  }
}

INSTANTIATE_TEST_SUITE_P(Images, TensorAdjointCuda, testing::ValuesIn(tensorAdjointCaseNames()),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(Images, ImageAdjointCuda, testing::ValuesIn(adjointCaseNames()),
                         [](const auto& info) { return info.param; });
