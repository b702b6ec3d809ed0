// Claims about the derivatives of travel times of second order.
#include "Error.h"
#include "ImageSensitivityCases.h"
#include "ImageTravelTimeCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace isochrone;
using namespace isochrone::image;

namespace {

Result solveSecond(const Problem& problem, SourceFactoring factoring) {
  return solve(problem, factoring, 0, 2);
}

Sensitivities deriveSecond(const Problem& problem, std::span<const float> travelTime,
                           std::span<const WeightedTip> tips, SourceFactoring factoring, int threads = 0) {
  return derive(problem, travelTime, tips, factoring, threads, 2);
}

} // namespace

class SecondOrderSensitivity : public testing::TestWithParam<std::string> {};

/// Against the rounded times of the tips, too.
TEST_P(SecondOrderSensitivity, IsHomogeneousOfDegreeOne) {
  const Case c = makeCase(GetParam());
  for (const SourceFactoring factoring : factorings) {
    const Result solved = solveSecond(c.problem, factoring);
    const std::vector<WeightedTip> tips = someTips(c.problem.grid, 30);
    const Sensitivities s = deriveSecond(c.problem, solved.travelTime, tips, factoring);
    double size = 0, rounded = 0, weights = 0;
    for (std::size_t t = 0; t < tips.size(); ++t) {
      if (s.tips[t].point < 0) continue;
      const double term = tips[t].weight * double(solved.travelTime[std::size_t(s.tips[t].point)]);
      size += std::abs(term), rounded += term, weights += tips[t].weight;
    }
    EXPECT_EQ(s.lostWeight, 0);
    EXPECT_NEAR(eulerSum(c.problem, s), s.objective, 1e-12 * size);
    EXPECT_NEAR(eulerSum(c.problem, s), rounded, 1e-6 * size);
    std::printf("%s %d euler-objective %.2e rounded %.2e\n", GetParam().c_str(), int(factoring), (eulerSum(c.problem, s)-s.objective)/size, (eulerSum(c.problem, s)-rounded)/size);
    EXPECT_NEAR(std::accumulate(s.startValue.begin(), s.startValue.end(), 0.), weights, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, SecondOrderSensitivity, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });
