// Claims that CUDA and the host reach the same fixed point on planes with periodic axes, by the public
// interface. Skipped without a device.
#include "CurvatureAgreement.h"
#include "CurvatureTori.h"

#include <gtest/gtest.h>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

class CurvaturePeriodicCuda : public testing::TestWithParam<Named> {
protected:
  const Case c = torus(GetParam().model, GetParam().name, GetParam().periodic, GetParam().accuracy);

  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
  Result solve(Backend backend) const {
    Options options;
    options.backend = backend;
    return solveCurvaturePaths(c.problem, options, {});
  }
};

} // namespace

TEST_P(CurvaturePeriodicCuda, AgreesWithTheHost) {
  const Result host = solve(Backend::Host), cuda = solve(Backend::Cuda);

  ASSERT_EQ(cuda.ranOn.backend, Backend::Cuda);
  expectAgree(c.problem, host.travelTime, cuda.travelTime);
  if (c.problem.accuracy == Accuracy::SecondOrder) expectAgree(c.problem, host.uncorrected, cuda.uncorrected);
}

INSTANTIATE_TEST_SUITE_P(Planes, CurvaturePeriodicCuda, testing::ValuesIn(tori()),
                         [](const auto& info) { return nameOf(info.param.model) + "_" + info.param.name; });
