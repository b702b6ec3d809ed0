// Claims that CUDA and the host reach the same fixed point on images with periodic axes, by the public
// interface. Skipped without a device.
#include "ImageHostSolves.h"
#include "ImagePeriodicCases.h"
#include "ImagePeriodicMedia.h"

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

/// Expects the times of the host up to a share of the latest one, the same bits each time, and its seeds.
void expectHost(const Problem& problem, Options options, double share) {
  options.seedIds = true;
  const Result cuda = onCuda(problem, options), host = solve(problem, options);
  ASSERT_EQ(cuda.ranOn.backend, Backend::Cuda);
  ASSERT_EQ(cuda.travelTime.size(), host.travelTime.size());
  EXPECT_EQ(cuda.ballRadius, host.ballRadius);
  EXPECT_EQ(onCuda(problem, options).travelTime, cuda.travelTime);
  float latest = 0;
  for (const float time : host.travelTime)
    if (std::isfinite(time)) latest = std::max(latest, time);
  std::int64_t seedsApart = 0;
  for (std::size_t n = 0; n < host.travelTime.size(); ++n) {
    ASSERT_EQ(std::isinf(cuda.travelTime[n]), std::isinf(host.travelTime[n])) << n;
    if (std::isfinite(host.travelTime[n]))
      ASSERT_NEAR(cuda.travelTime[n], host.travelTime[n], share * latest) << n;
    seedsApart += cuda.seed[n] != host.seed[n];
  }
  EXPECT_LE(seedsApart, problem.grid.points() / 50); // where two arrive at once, rounding decides
}

template <class Param>
class OnDevice : public testing::TestWithParam<Param> {
protected:
  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
};

class ImagePeriodicCuda : public OnDevice<NamedTorus> {};
class ImagePeriodicTensorCuda : public OnDevice<NamedMedium> {};

} // namespace

TEST_P(ImagePeriodicCuda, AgreesWithTheHost) {
  const Torus c(GetParam().grid, GetParam().periodic);
  for (const Options& options : {Options{}, additive()}) expectHost(c.problem, options, 1e-6);
}

TEST_P(ImagePeriodicTensorCuda, AgreesWithTheHost) {
  Medium medium;
  makeTorus(medium, GetParam());
  Options options;
  options.factoring = GetParam().factoring;
  expectHost(medium.problem, options, 2e-6);
}

INSTANTIATE_TEST_SUITE_P(Images, ImagePeriodicCuda, testing::ValuesIn(tori()),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Media, ImagePeriodicTensorCuda, testing::ValuesIn(periodicMedia()),
                         [](const auto& info) { return info.param.name; });
