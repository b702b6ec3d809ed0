// Host against CUDA: the same bits, by the public interface. Skipped where there is no device.
#include "RayTracingKernelCases.h"

#include <gtest/gtest.h>

#include <string>

using namespace isochrone;
using namespace isochrone::rays;

namespace {

Result solveOn(Backend backend, Case c, Method method = Method::OrderedTiles) {
  c.options.backend = backend, c.options.method = method;
  c.options.predecessors = c.options.sourceIds = true;
  return solveRayTracing(c.problem(), c.options, {});
}

void expectHost(const Case& c) {
  const Result host = solveOn(Backend::Host, c);
  for (const Method method : {Method::OrderedTiles, Method::PlainRelaxation}) {
    const Result cuda = solveOn(Backend::Cuda, c, method);
    ASSERT_EQ(cuda.ranOn.backend, Backend::Cuda);
    expectSame(cuda, host);
  }
}

class RayCuda : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
};

class RayCudaRuns : public RayCuda {};

} // namespace

TEST_P(RayCuda, GivesTheBitsOfTheHost) { expectHost(makeCase(GetParam())); }

INSTANTIATE_TEST_SUITE_P(Images, RayCuda, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

TEST_P(RayCudaRuns, LargeImagesGiveTheBitsOfTheHost) {
  for (const SlownessModel& model :
       {SlownessModel(constant), SlownessModel(gradient), SlownessModel(rough), SlownessModel(holes)})
    for (const WeightRule rule : {WeightRule::Fast, WeightRule::Accurate, WeightRule::Cells}) {
      expectHost(makeCase("Plane", {901, 707, 1}, asking(rule, {6, 6, 6}), model, {{{0, 0, 0}, 0}}));
      expectHost(makeCase("Volume", {90, 71, 65}, asking(rule, {3, 3, 3}), model, {{{0, 0, 0}, 0}}));
    }
}

TEST_P(RayCudaRuns, GiveTheSameBitsEveryTime) {
  const Case c =
      makeCase("Plane", {901, 707, 1}, asking(WeightRule::Fast, {6, 6, 6}), rough, {{{9, 9, 0}, 0}});
  const Result first = solveOn(Backend::Cuda, c);

  for (int i = 0; i < 3; ++i) expectSame(solveOn(Backend::Cuda, c), first);
}

TEST_P(RayCudaRuns, AnAbortedRunLeavesNothingAndTheNextOneWorks) {
  Case c = makeCase("RoughAccurate");
  c.options.backend = Backend::Cuda;
  int calls = 0;

  const Result aborted = solveRayTracing(c.problem(), c.options, {[&](double) { return ++calls < 2; }});

  EXPECT_TRUE(aborted.aborted);
  EXPECT_TRUE(aborted.fields.empty());
  expectHost(c);
}

INSTANTIATE_TEST_SUITE_P(All, RayCudaRuns, testing::Values("OneDevice"),
                         [](const auto& info) { return info.param; });
