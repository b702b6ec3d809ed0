// Claims that CUDA and the host reach the same fixed point, by the public interface. Skipped without a
// device.
#include "Error.h"
#include "ImageTravelTimeCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace isochrone;
using namespace isochrone::image;

namespace {

class ImageCuda : public testing::TestWithParam<std::string> {
protected:
  Case c = makeCase(GetParam());

  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
  Result solve(Backend backend) const {
    Options options;
    options.backend = backend;
    return solveImageTravelTime(c.problem, options, {});
  }
  void expectEqual(const Result& cuda, const Result& host) const {
    ASSERT_EQ(cuda.ranOn.backend, Backend::Cuda);
    ASSERT_EQ(host.travelTime.size(), cuda.travelTime.size());
    const double earliest = *std::min_element(host.travelTime.begin(), host.travelTime.end());
    for (std::size_t n = 0; n < host.travelTime.size(); ++n) {
      const double a = host.travelTime[n], b = cuda.travelTime[n];
      ASSERT_EQ(std::isinf(a), std::isinf(b)) << n;
      if (std::isinf(a)) continue;
      ASSERT_LE(std::abs(a - b), 5e-7 * std::max(std::abs(a), a - earliest)) << n;
    }
  }
};

} // namespace

TEST_P(ImageCuda, AgreesWithTheHost) { expectEqual(solve(Backend::Cuda), solve(Backend::Host)); }

TEST_P(ImageCuda, GivesTheSameBitsEveryTime) {
  EXPECT_EQ(solve(Backend::Cuda).travelTime, solve(Backend::Cuda).travelTime);
}

INSTANTIATE_TEST_SUITE_P(Images, ImageCuda, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

TEST(ImageCudaRuns, AnAbortedSolveLeavesNothingAndTheNextOneWorks) {
  const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
  if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  const Case c = makeLine(2000); // many rounds
  Options options;
  options.backend = Backend::Cuda;
  int calls = 0;

  const Result aborted = solveImageTravelTime(c.problem, options, {[&](double) { return ++calls < 3; }});
  const Result whole = solveImageTravelTime(c.problem, options, {});

  EXPECT_TRUE(aborted.aborted);
  EXPECT_TRUE(aborted.travelTime.empty());
  EXPECT_FALSE(whole.aborted);
  EXPECT_EQ(std::int64_t(whole.travelTime.size()), c.problem.grid.points());
}

TEST(ImageCudaRuns, StoppedRunsEqualTheFullRunUpToTheStoppingTime) {
  const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
  if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  const Case c = makeCase("Noise");
  Options options;
  options.backend = Backend::Cuda;
  const Result full = solveImageTravelTime(c.problem, options, {});
  options.stoppingTime = 25;
  const Result stopped = solveImageTravelTime(c.problem, options, {});

  for (std::size_t n = 0; n < full.travelTime.size(); ++n) {
    const float expected = full.travelTime[n];
    if (expected < 24.999f) {
      ASSERT_NEAR(stopped.travelTime[n], expected, 1e-5) << n;
    } else if (expected > 25.001f) {
      ASSERT_TRUE(std::isinf(stopped.travelTime[n])) << n;
    }
  }
}

TEST(ImageCudaRuns, FactoredTimesAgreeWithTheHost) {
  const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
  if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  const Cube cube = gradientCube(48);
  Problem plane = cube.problem;
  plane.grid = {48, 48 * 48, 1, 1, 1, 1};
  plane.seeds = {{{24, 24, 0}, 0}};
  for (const Problem& problem : {cube.problem, plane})
    for (const auto factoring : {SourceFactoring::Additive, SourceFactoring::Multiplicative}) {
      Options options;
      options.factoring = factoring, options.backend = Backend::Host;
      const Result host = solveImageTravelTime(problem, options, {});
      options.backend = Backend::Cuda;
      const Result cuda = solveImageTravelTime(problem, options, {});

      ASSERT_EQ(cuda.ranOn.backend, Backend::Cuda);
      EXPECT_EQ(cuda.ballRadius, host.ballRadius);
      for (std::size_t n = 0; n < host.travelTime.size(); ++n)
        ASSERT_NEAR(cuda.travelTime[n], host.travelTime[n], 2e-6 * host.travelTime[n]) << n;
    }
}
