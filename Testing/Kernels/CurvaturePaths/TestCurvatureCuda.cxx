// Claims that CUDA and the host reach the same fixed point, by the public interface. Skipped without a
// device.
#include "CurvatureAgreement.h"
#include "CurvatureCases.h"
#include "Error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

class CurvatureCuda : public testing::TestWithParam<std::tuple<Model, std::string>> {
protected:
  Case c;

  explicit CurvatureCuda(std::int64_t n = 41, int headings = 24)
      : c(makeCase(std::get<0>(GetParam()), std::get<1>(GetParam()), n, headings)) {}

  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
  Result solve(Backend backend) const {
    Options options;
    options.backend = backend;
    return solveCurvaturePaths(c.problem, options, {});
  }
  void expectAgree(const Values<float>& host, const Values<float>& cuda) const {
    curvature::expectAgree(c.problem, host, cuda);
  }
};

/// Smaller, since the second order takes longer, but several tiles along each axis.
class CurvatureCudaSecondOrder : public CurvatureCuda {
protected:
  CurvatureCudaSecondOrder() : CurvatureCuda(25, 16) {}
};

std::string nameOfCase(const testing::TestParamInfo<std::tuple<Model, std::string>>& info) {
  return nameOf(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
}

} // namespace

TEST_P(CurvatureCuda, AgreesWithTheHost) {
  const Result host = solve(Backend::Host), cuda = solve(Backend::Cuda);

  ASSERT_EQ(cuda.ranOn.backend, Backend::Cuda);
  expectAgree(host.travelTime, cuda.travelTime);
}

TEST_P(CurvatureCuda, GivesTheSameBitsEveryTime) {
  const Result first = solve(Backend::Cuda), second = solve(Backend::Cuda);

  EXPECT_EQ(first.travelTime, second.travelTime);
}

TEST_P(CurvatureCuda, GivesTheDerivativesOfTheHost) {
  const Values<float> u = solve(Backend::Host).travelTime;
  const StateGrid& g = c.problem.grid;
  const std::vector<WeightedTip> tips{
      {{0.8 * double(g.nx - 1) * g.hx, 0.7 * double(g.ny - 1) * g.hy, 0, true}, 1},
      {{0.2 * double(g.nx - 1) * g.hx, 0.9 * double(g.ny - 1) * g.hy, 2, false}, 2}};
  SensitivityOptions options;
  options.radiusAndShift = true;
  options.backend = Backend::Host;
  const Sensitivities host = differentiate(c.problem, u, tips, options, {});
  options.backend = Backend::Cuda;
  const Sensitivities cuda = differentiate(c.problem, u, tips, options, {});

  ASSERT_EQ(cuda.ranOn.backend, Backend::Cuda);
  EXPECT_EQ(host.startValue, cuda.startValue);
  EXPECT_NEAR(host.objective, cuda.objective, 1e-12 * (1 + std::abs(host.objective)));
  const auto expectSame = [](const Values<double>& a, const Values<double>& b) {
    double maximum = 0;
    for (const double value : a) maximum = std::max(maximum, std::abs(value));
    for (std::size_t p = 0; p < a.size(); ++p) ASSERT_NEAR(a[p], b[p], 1e-12 * maximum) << "state " << p;
  };
  expectSame(host.cost, cuda.cost);
  expectSame(host.turningRadius, cuda.turningRadius);
  expectSame(host.curvatureShift, cuda.curvatureShift);
}

INSTANTIATE_TEST_SUITE_P(Models, CurvatureCuda,
                         testing::Combine(testing::ValuesIn(allModels), testing::ValuesIn(caseNames())),
                         nameOfCase);

TEST_P(CurvatureCudaSecondOrder, AgreesWithTheHost) {
  c.problem.accuracy = Accuracy::SecondOrder;

  const Result host = solve(Backend::Host), cuda = solve(Backend::Cuda);

  ASSERT_EQ(cuda.ranOn.backend, Backend::Cuda);
  expectAgree(host.uncorrected, cuda.uncorrected);
  expectAgree(host.travelTime, cuda.travelTime);
}

INSTANTIATE_TEST_SUITE_P(Models, CurvatureCudaSecondOrder,
                         testing::Combine(testing::ValuesIn(allModels),
                                          testing::Values("WallsAndRoughCost", "SeveralSeeds",
                                                          "ConstantShift", "RadiusVaries", "Everything")),
                         nameOfCase);

TEST(CurvatureCudaRuns, StopAtTipsGivesTheTimesOfTheFullRun) {
  const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
  if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  const Case c = makeCase(Model::ReedsSheppForward, "RoughCost");
  Options options;
  options.backend = Backend::Cuda;
  const Result full = solveCurvaturePaths(c.problem, options, {});
  const Seed& seed = c.problem.seeds[0];
  options.stopAt = {{seed.state.x + 5 * c.problem.grid.hx, seed.state.y, 0, true}};
  const Result stopped = solveCurvaturePaths(c.problem, options, {});

  const Placement tip = place(c.problem, options.stopAt[0]);
  float latest = 0, earliest = std::numeric_limits<float>::infinity();
  for (int k = 0; k < c.problem.grid.headings; ++k)
    earliest = std::min(earliest, full.travelTime[c.problem.grid.index(tip.i, tip.j, k)]);
  for (std::size_t p = 0; p < full.travelTime.size(); ++p) {
    latest = std::max(latest, full.travelTime[p]);
    if (full.travelTime[p] <= earliest)
      ASSERT_NEAR(stopped.travelTime[p], full.travelTime[p], 1e-6 * full.travelTime[p]) << "state " << p;
  }
  ASSERT_LT(earliest, latest / 2);
  EXPECT_LT(stopped.updatesPerPoint, full.updatesPerPoint);
}

TEST(CurvatureCudaRuns, AnAbortedSolveLeavesNothingAndTheNextOneWorks) {
  const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
  if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  const Case c = makeCase(Model::Dubins, "Constant");
  Options options;
  options.backend = Backend::Cuda;
  int calls = 0;

  const Result aborted = solveCurvaturePaths(c.problem, options, {[&](double) { return ++calls < 3; }});
  const Result whole = solveCurvaturePaths(c.problem, options, {});

  EXPECT_TRUE(aborted.aborted);
  EXPECT_TRUE(aborted.travelTime.empty());
  EXPECT_FALSE(whole.aborted);
  EXPECT_EQ(std::int64_t(whole.travelTime.size()), c.problem.grid.points());
}
