// Claims that CUDA and the host give the same bits on images with periodic axes, by the public interface.
// Skipped without a device.
#include "RayTracingTori.h"

#include <gtest/gtest.h>

namespace isochrone::rays {

namespace {

class RaysPeriodicCuda : public testing::TestWithParam<Named> {
protected:
  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
};

} // namespace

TEST_P(RaysPeriodicCuda, GivesTheBitsOfTheHost) {
  Options options = GetParam().options;
  options.predecessors = options.sourceIds = true;
  // A solve takes a second on the emulated device: one for each image, with separate sources or an interface.
  const bool withInterface = options.doublePrecision;
  options.separateSources = !withInterface;
  const Case c = torus(GetParam().grid, GetParam().periodic, options, withInterface);
  options.backend = Backend::Host;
  const Result expected = solve(c.problem, options);
  options.backend = Backend::Cuda;

  const Result result = solve(c.problem, options);

  EXPECT_EQ(result.ranOn.backend, Backend::Cuda);
  ASSERT_EQ(result.fields.size(), expected.fields.size());
  for (std::size_t f = 0; f < result.fields.size(); ++f) {
    EXPECT_EQ(result.fields[f].travelTime, expected.fields[f].travelTime);
    EXPECT_EQ(result.fields[f].preciseTravelTime, expected.fields[f].preciseTravelTime);
    EXPECT_EQ(result.fields[f].predecessor, expected.fields[f].predecessor);
    EXPECT_EQ(result.fields[f].source, expected.fields[f].source);
  }
}

INSTANTIATE_TEST_SUITE_P(Images, RaysPeriodicCuda, testing::ValuesIn(toriForKernels()),
                         [](const auto& info) { return info.param.name; });

} // namespace isochrone::rays
