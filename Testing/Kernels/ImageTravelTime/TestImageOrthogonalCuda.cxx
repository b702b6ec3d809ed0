// Claims that CUDA and the host reach the same fixed point on rectilinear and spherical grids, by the public
// interface. Skipped without a device.
#include "ImageOrthogonalTileCases.h"
#include "ImageTravelTime/Seeds/Seeding.h"

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
    ASSERT_EQ(cuda.seed.size(), host.seed.size());
    std::size_t seedsApart = 0;
    for (std::size_t n = 0; n < host.seed.size(); ++n) seedsApart += cuda.seed[n] != host.seed[n];
    EXPECT_LE(seedsApart, host.seed.size() / 50); // where two arrive at once, rounding decides
    for (std::size_t s = 0; s < host.seeds.size(); ++s) EXPECT_EQ(cuda.seeds[s].point, host.seeds[s].point);
  }
}

TEST_P(ImageOrthogonalCuda, GivesTheSameBitsEveryTime) {
  for (const Options& options : {Options{}, additive()})
    EXPECT_EQ(onCuda(options).travelTime, onCuda(options).travelTime);
}

TEST(ImageOrthogonalCudaRuns, StopWhereTheTipsAreFinal) {
  const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
  if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  const OrthogonalCase c = orthogonalCase("SphericalMeridian");
  Options options;
  options.backend = Backend::Cuda;
  const Result full = solveImageTravelTime(c.problem, options, {});
  options.stopAt = {c.grid->steps({4, 80, 10}), {-100, 0, 0}}; // across the first meridian
  const Result stopped = solveImageTravelTime(c.problem, options, {});

  EXPECT_LT(stopped.updatesPerPoint, 0.9 * full.updatesPerPoint);
  const std::int64_t tip = place(c.problem, options.stopAt[0]).point;
  EXPECT_FLOAT_EQ(stopped.travelTime[std::size_t(tip)], full.travelTime[std::size_t(tip)]);
}

TEST(ImageOrthogonalCudaRuns, AnAbortedSolveLeavesNothing) {
  const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
  if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  const OrthogonalCase c = orthogonalCase("SphericalBall");
  Options options;
  options.backend = Backend::Cuda;
  int calls = 0;

  const Result aborted = solveImageTravelTime(c.problem, options, {[&](double) { return ++calls < 3; }});

  EXPECT_TRUE(aborted.aborted);
  EXPECT_TRUE(aborted.travelTime.empty());
}

INSTANTIATE_TEST_SUITE_P(Grids, ImageOrthogonalCuda, testing::ValuesIn(orthogonalCaseNames()),
                         [](const auto& info) { return info.param; });
