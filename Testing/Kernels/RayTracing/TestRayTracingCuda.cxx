// Claims that CUDA and the host give the same bits, by the public interface. Skipped without a device.
#include "RayTracingKernelCases.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>

using namespace isochrone;
using namespace isochrone::rays;

namespace {

Result solveOn(Backend backend, Case c, Method method = Method::OrderedTiles) {
  c.options.backend = backend, c.options.method = method;
  c.options.predecessors = c.options.sourceIds = true;
  return solveRayTracing(c.problem(), c.options, {});
}

void expectHost(const Case& c, Method method) {
  const Result cuda = solveOn(Backend::Cuda, c, method);
  ASSERT_EQ(cuda.ranOn.backend, Backend::Cuda);
  expectSame(cuda, solveOn(Backend::Host, c));
}

void expectHost(const Case& c) {
  expectHost(c, Method::OrderedTiles);
  expectHost(c, Method::PlainRelaxation);
}

template <class Param>
class OnCuda : public testing::TestWithParam<Param> {
protected:
  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }
};

class RayCuda : public OnCuda<std::string> {};
class RayCudaRuns : public OnCuda<std::string> {};

/// Medium, rule and image. One solve per case, since a solve takes minutes on the emulated device.
class RayCudaLarge : public OnCuda<std::tuple<std::string, std::string, std::string>> {};

struct Image {
  Grid grid;
  int radius;
  Method method;
};

/// Plain relaxation takes as many rounds as the image is wide, each over all points. It would take hours on
/// images of this size, so it has smaller ones.
const std::map<std::string, Image> images{{"Plane", {{901, 707, 1}, 6, Method::OrderedTiles}},
                                          {"Volume", {{90, 71, 65}, 3, Method::OrderedTiles}},
                                          {"PlainPlane", {{121, 97, 1}, 6, Method::PlainRelaxation}},
                                          {"PlainVolume", {{30, 25, 22}, 3, Method::PlainRelaxation}}};

const std::map<std::string, SlownessModel> media{
    {"Constant", constant}, {"Gradient", gradient}, {"Rough", rough}, {"Holes", holes}};
const std::map<std::string, WeightRule> rules{
    {"Fast", WeightRule::Fast}, {"Accurate", WeightRule::Accurate}, {"Cells", WeightRule::Cells}};

} // namespace

TEST_P(RayCuda, GivesTheBitsOfTheHost) { expectHost(makeCase(GetParam())); }

INSTANTIATE_TEST_SUITE_P(Images, RayCuda, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

TEST_P(RayCudaLarge, GivesTheBitsOfTheHost) {
  const auto& [medium, rule, name] = GetParam();
  const auto& [grid, radius, method] = images.at(name);

  expectHost(makeCase(name, grid, optionsOf(rules.at(rule), {radius, radius, radius}), media.at(medium),
                      {{{0, 0, 0}, 0}}),
             method);
}

INSTANTIATE_TEST_SUITE_P(Images, RayCudaLarge,
                         testing::Combine(testing::Values("Constant", "Gradient", "Rough", "Holes"),
                                          testing::Values("Fast", "Accurate", "Cells"),
                                          testing::Values("Plane", "Volume", "PlainPlane", "PlainVolume")),
                         [](const auto& info) {
                           return std::get<0>(info.param) + std::get<1>(info.param) + std::get<2>(info.param);
                         });

TEST_P(RayCudaRuns, GiveTheSameBitsEveryTime) {
  const Case c =
      makeCase("Plane", {901, 707, 1}, optionsOf(WeightRule::Fast, {6, 6, 6}), rough, {{{9, 9, 0}, 0}});
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
