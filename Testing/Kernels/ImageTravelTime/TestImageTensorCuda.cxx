// Claims that CUDA and the host reach the same fixed point with tensors and tilted media, by the public
// interface. Skipped without a device.
#include "Error.h"
#include "ImageDriftCases.h"
#include "ImageThomsenCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace isochrone;
using namespace isochrone::image;

namespace {

Result solve(const Problem& problem, Backend backend, Options options = {}) {
  options.backend = backend;
  return solveImageTravelTime(problem, options, {});
}

/// Expects the values of the host up to a share of the time since the earliest arrival.
void expectEqual(const Result& cuda, const Result& host, double share) {
  ASSERT_EQ(cuda.ranOn.backend, Backend::Cuda);
  ASSERT_EQ(host.travelTime.size(), cuda.travelTime.size());
  const double earliest = *std::min_element(host.travelTime.begin(), host.travelTime.end());
  for (std::size_t n = 0; n < host.travelTime.size(); ++n) {
    const double a = host.travelTime[n], b = cuda.travelTime[n];
    ASSERT_EQ(std::isinf(a), std::isinf(b)) << n;
    if (std::isinf(a)) continue;
    ASSERT_LE(std::abs(a - b), share * std::max(std::abs(a), a - earliest)) << n;
  }
}

Options factored(SourceFactoring factoring) {
  Options options;
  options.factoring = factoring;
  return options;
}

class ImageTensorCuda : public testing::TestWithParam<std::string> {
protected:
  Case c = makeTensorCase(GetParam());

  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
};

} // namespace

TEST_P(ImageTensorCuda, AgreesWithTheHost) {
  expectEqual(solve(c.problem, Backend::Automatic), solve(c.problem, Backend::Host), 1e-6);
}

TEST_P(ImageTensorCuda, AgreesWithTheHostWhereFactored) {
  const Options options = factored(SourceFactoring::Additive);
  const Result cuda = solve(c.problem, Backend::Cuda, options),
               host = solve(c.problem, Backend::Host, options);
  expectEqual(cuda, host, 1e-6);
  EXPECT_EQ(cuda.ballRadius, host.ballRadius);
}

TEST_P(ImageTensorCuda, GivesTheSameBitsEveryTime) {
  for (const auto factoring : {SourceFactoring::Off, SourceFactoring::Additive}) {
    const Options options = factored(factoring);
    EXPECT_EQ(solve(c.problem, Backend::Cuda, options).travelTime,
              solve(c.problem, Backend::Cuda, options).travelTime);
  }
}

INSTANTIATE_TEST_SUITE_P(Images, ImageTensorCuda, testing::ValuesIn(tensorCaseNames()),
                         [](const auto& info) { return info.param; });

class ImageDriftCuda : public testing::TestWithParam<std::string> {
protected:
  DriftCase c = makeDriftCase(GetParam());

  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
};

TEST_P(ImageDriftCuda, AgreesWithTheHostAndGivesTheSameBitsEveryTime) {
  for (const auto factoring : {SourceFactoring::Off, SourceFactoring::Additive}) {
    const Options options = factored(factoring);
    const Result cuda = solve(c.problem, Backend::Cuda, options);
    expectEqual(cuda, solve(c.problem, Backend::Host, options), 1e-5);
    EXPECT_EQ(solve(c.problem, Backend::Cuda, options).travelTime, cuda.travelTime);
  }
}

INSTANTIATE_TEST_SUITE_P(Images, ImageDriftCuda, testing::ValuesIn(driftCaseNames()),
                         [](const auto& info) { return info.param; });

class ImageTiltedCuda : public testing::TestWithParam<std::string> {
protected:
  ThomsenCase c = makeThomsenCase(GetParam());

  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
};

TEST_P(ImageTiltedCuda, AgreesWithTheHostAndGivesTheSameBitsEveryTime) {
  for (const auto factoring : {SourceFactoring::Off, SourceFactoring::Additive}) {
    const Options options = factored(factoring);
    const Result cuda = solve(c.problem, Backend::Automatic, options),
                 host = solve(c.problem, Backend::Host, options);
    expectEqual(cuda, host, 1e-6);
    EXPECT_EQ(cuda.ballRadius, host.ballRadius);
    EXPECT_EQ(solve(c.problem, Backend::Cuda, options).travelTime, cuda.travelTime);
  }
}

INSTANTIATE_TEST_SUITE_P(Images, ImageTiltedCuda, testing::ValuesIn(thomsenCaseNames()),
                         [](const auto& info) { return info.param; });

TEST(ImageTensorCudaRuns, RefinementsStartFromTheSameTimes) {
  if (chooseBackend(Backend::Automatic, 0).backend != Backend::Cuda) GTEST_SKIP();
  const Case c = constantTensors({60, 50, 1, 1, 1, 1}, 0.4, 0, 3);
  Options second = factored(SourceFactoring::Additive);
  second.order = 2;
  for (const Options& options : {second, factored(SourceFactoring::Multiplicative)})
    expectEqual(solve(c.problem, Backend::Cuda, options), solve(c.problem, Backend::Host, options), 1e-4);
}

TEST(ImageTensorCudaRuns, StoppedRunsEqualTheFullRunUpToTheStoppingTime) {
  if (chooseBackend(Backend::Automatic, 0).backend != Backend::Cuda) GTEST_SKIP();
  const Case c = makeTensorCase("Plane");
  const Result full = solve(c.problem, Backend::Cuda);
  Options options;
  options.stoppingTime = 60;
  const Result stopped = solve(c.problem, Backend::Cuda, options);
  for (std::size_t n = 0; n < full.travelTime.size(); ++n) {
    const float expected = full.travelTime[n];
    if (expected < 59.999f) {
      ASSERT_FLOAT_EQ(stopped.travelTime[n], expected) << n;
    } else if (expected > 60.001f) {
      ASSERT_TRUE(std::isinf(stopped.travelTime[n])) << n;
    }
  }
}

TEST(ImageTensorCudaRuns, TipsAreFinal) {
  if (chooseBackend(Backend::Automatic, 0).backend != Backend::Cuda) GTEST_SKIP();
  const Case c = constantTensors({96, 80, 1, 1, 1, 1}, 0.4, 0, 4);
  const Result full = solve(c.problem, Backend::Cuda);
  Options options;
  options.stopAt = {{50, 42, 0}, {45, 38, 0}};
  const Result stopped = solve(c.problem, Backend::Cuda, options);
  EXPECT_LT(stopped.updatesPerPoint, 0.7 * full.updatesPerPoint);
  for (const std::int64_t tip : {c.problem.grid.index(50, 42, 0), c.problem.grid.index(45, 38, 0)})
    EXPECT_FLOAT_EQ(stopped.travelTime[tip], full.travelTime[tip]);
}

TEST(ImageTensorCudaRuns, AnAbortedSolveLeavesNothingAndTheNextOneWorks) {
  if (chooseBackend(Backend::Automatic, 0).backend != Backend::Cuda) GTEST_SKIP();
  const Case c = constantTensors({700, 20, 1, 1, 1, 1}, 1.2, 0, 5); // many rounds
  Options options;
  options.backend = Backend::Cuda;
  int calls = 0;
  const Result aborted = solveImageTravelTime(c.problem, options, {[&](double) { return ++calls < 3; }});
  const Result whole = solve(c.problem, Backend::Cuda);
  EXPECT_TRUE(aborted.aborted);
  EXPECT_TRUE(aborted.travelTime.empty());
  EXPECT_FALSE(whole.aborted);
  EXPECT_EQ(std::int64_t(whole.travelTime.size()), c.problem.grid.points());
}
