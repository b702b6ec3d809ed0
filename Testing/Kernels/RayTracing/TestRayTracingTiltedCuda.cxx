// Claims that CUDA and the host give the same bits in tilted media, by the public interface. Skipped without
// a device.
#include "RayTracing/Scheme/WholeImage.h"
#include "RayTracingTiltedCases.h"

#include <gtest/gtest.h>

#include <string>

using namespace isochrone;
using namespace isochrone::rays;

namespace {

class TiltedCuda : public testing::TestWithParam<NamedTilted> {
protected:
  void SetUp() override {
    const BackendChoice choice = chooseBackend(Backend::Automatic, 0);
    if (choice.backend != Backend::Cuda) GTEST_SKIP() << choice.reason;
  }

  const TiltedCase c = roughCase(GetParam());
  Options options = GetParam().options;

  void expectHost(const Problem& problem) {
    options.predecessors = options.sourceIds = true;
    const Result host = solve(problem, options);
    Options onDevice = options;
    onDevice.backend = Backend::Cuda;
    for (const Method method : {Method::OrderedTiles, Method::PlainRelaxation}) {
      if (method == Method::PlainRelaxation && isPeriodic(problem)) continue;
      onDevice.method = method;
      const Result cuda = solve(problem, onDevice);
      ASSERT_EQ(cuda.ranOn.backend, Backend::Cuda);
      expectSame(c, GetParam().name, cuda, host);
    }
  }
};

class ConvertedCuda : public TiltedCuda {};

} // namespace

TEST_P(TiltedCuda, GivesTheBitsOfTheHost) { expectHost(c.problem); }

INSTANTIATE_TEST_SUITE_P(Images, TiltedCuda, testing::ValuesIn(tiltedForKernels()),
                         [](const auto& info) { return info.param.name; });

/// The second leg of a converted wave: it starts along an interface, with the times of the first one.
TEST_P(ConvertedCuda, AWaveFromAnInterfaceHasTheBitsOfTheHost) {
  Problem problem = c.problem;
  std::vector<float> times(std::size_t(problem.grid.points()), float(blanked));
  for (std::int64_t x = 0; x < problem.grid.nx; ++x)
    times[std::size_t(problem.grid.index({x, 11, 0}))] = float(2 + 0.3 * noise(std::uint64_t(x)));
  problem.sources.clear();
  problem.startTimes = times;
  expectHost(problem);
}

INSTANTIATE_TEST_SUITE_P(Images, ConvertedCuda, testing::Values(tiltedForKernels()[0]),
                         [](const auto& info) { return info.param.name; });
