// Claims that both host methods for lines, windows and lower envelopes, give the same bytes.
#include "DistanceTransform/Host/HostSolver.h"
#include "DistanceTransformChecks.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace isochrone;
using namespace isochrone::distance;

namespace {

/// @param windowSteps  as in solveOnHost
Result solveWith(const Case& c, const Options& options, int threads, int windowSteps) {
  Result result;
  solveOnHost(c.problem, options, threads, {}, result, windowSteps);
  return result;
}

template <class T>
void expectSameBytes(const Values<T>& a, const Values<T>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0) << what;
}

/// Compares windows alone (up to their reach), envelopes alone, and the solver's choice.
void expectSameForAnyMethod(const Case& c) {
  for (const Region region : allRegions)
    for (const double maximumDistance : {0., 7.5}) {
      Options options = optionsFor("float squared", region);
      options.maximumDistance = maximumDistance;
      const Result envelopes = solveWith(c, options, 1, 0);
      for (const int steps : {1, payingSteps, 1 << 20})
        for (const int threads : {1, 3}) {
          const Result result = solveWith(c, options, threads, steps);
          const std::string what = c.name + ", " + nameOf(region) + ", " + std::to_string(steps) + " steps";
          expectSameBytes(envelopes.distance, result.distance, what);
          expectSameBytes(envelopes.squaredDistance, result.squaredDistance, what);
        }
    }
}

} // namespace

class DistanceMethods : public testing::TestWithParam<std::string> {};

TEST_P(DistanceMethods, GiveTheSameBytes) { expectSameForAnyMethod(makeCase(GetParam())); }

INSTANTIATE_TEST_SUITE_P(Images, DistanceMethods, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

TEST(DistanceMethodsRuns, GiveTheSameBytesOnImagesOfManyBands) {
  for (const double share : {0.3, 0.01, 0.0003})
    expectSameForAnyMethod(makeCase("bands", {150, 700, 1}, randomSites(share)));
  expectSameForAnyMethod(makeCase("volume", {70, 140, 30}, randomSites(0.001)));
}
