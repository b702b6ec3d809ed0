// Claims that CUDA and the host reach the same fixed point on images with periodic axes, by the public
// interface. Skipped without a device.
#include "ImageHostSolves.h"
#include "ImagePeriodicCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace isochrone;
using namespace isochrone::image;

namespace {

Result onCuda(const Problem& problem, Options options) {
  options.backend = Backend::Cuda;
  return solveImageTravelTime(problem, options, {});
}

class ImagePeriodicCuda : public testing::TestWithParam<NamedTorus> {
protected:
  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
};

} // namespace

TEST_P(ImagePeriodicCuda, AgreesWithTheHost) {
  const Torus c(GetParam().grid, GetParam().periodic);
  Options options = additive();
  options.seedIds = true;
  const Result cuda = onCuda(c.problem, options), host = solve(c.problem, options);
  ASSERT_EQ(cuda.ranOn.backend, Backend::Cuda);
  ASSERT_EQ(cuda.travelTime.size(), host.travelTime.size());
  EXPECT_EQ(cuda.ballRadius, host.ballRadius);
  float latest = 0;
  for (const float time : host.travelTime)
    if (std::isfinite(time)) latest = std::max(latest, time);
  std::int64_t seedsApart = 0;
  for (std::size_t n = 0; n < host.travelTime.size(); ++n) {
    ASSERT_EQ(std::isinf(cuda.travelTime[n]), std::isinf(host.travelTime[n])) << n;
    if (std::isfinite(host.travelTime[n])) ASSERT_NEAR(cuda.travelTime[n], host.travelTime[n], 1e-6 * latest);
    seedsApart += cuda.seed[n] != host.seed[n];
  }
  EXPECT_LE(seedsApart, c.problem.grid.points() / 100); // where two arrive at once, rounding decides
}

INSTANTIATE_TEST_SUITE_P(Images, ImagePeriodicCuda, testing::ValuesIn(tori()),
                         [](const auto& info) { return info.param.name; });
