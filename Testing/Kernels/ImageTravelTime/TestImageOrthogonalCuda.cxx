// Claims that CUDA and the host reach the same fixed point on rectilinear and spherical grids, by the public
// interface. Skipped without a device.
#include "ImageOrthogonalTileCases.h"

#include <gtest/gtest.h>

using namespace isochrone;
using namespace isochrone::image;

namespace {

class ImageOrthogonalCuda : public testing::TestWithParam<std::string> {
protected:
  OrthogonalCase c = orthogonalCase(GetParam());

  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
  Result onCuda(Options options) const {
    options.backend = Backend::Cuda;
    return solveImageTravelTime(c.problem, options, {});
  }
};

} // namespace

TEST_P(ImageOrthogonalCuda, AgreesWithTheHost) {
  for (Options options : {Options{}, additive()}) {
    options.seedIds = true;
    const Result host = solve(c.problem, options), cuda = onCuda(options);
    ASSERT_EQ(cuda.ranOn.backend, Backend::Cuda);
    expectSameTimes(cuda, host);
    EXPECT_EQ(cuda.seed.size(), host.seed.size());
    for (std::size_t s = 0; s < host.seeds.size(); ++s) EXPECT_EQ(cuda.seeds[s].point, host.seeds[s].point);
  }
}

TEST_P(ImageOrthogonalCuda, GivesTheSameBitsEveryTime) {
  for (const Options& options : {Options{}, additive()})
    EXPECT_EQ(onCuda(options).travelTime, onCuda(options).travelTime);
}

INSTANTIATE_TEST_SUITE_P(Grids, ImageOrthogonalCuda, testing::ValuesIn(orthogonalCaseNames()),
                         [](const auto& info) { return info.param; });
