// ImageAdjointCases.h - solved images for the tests of the adjoint on a device, and the comparison with the
// host.
#pragma once

#include "ImageSensitivityCases.h"
#include "ImageTensorCases.h"
#include "ImageTravelTimeCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace isochrone::image {

/// Expects the same derivatives up to the rounding of sums.
/// @param share  of the largest derivative
inline void expectEqual(const Sensitivities& one, const Sensitivities& other, double share = 1e-13) {
  double largest = 0, worst = 0;
  ASSERT_EQ(one.speed.size(), other.speed.size());
  for (std::size_t n = 0; n < one.speed.size(); ++n) {
    largest = std::max(largest, std::abs(one.speed[n]));
    worst = std::max(worst, std::abs(one.speed[n] - other.speed[n]));
  }
  EXPECT_EQ(largest == 0, one.speed.size() == 1);
  EXPECT_LE(worst, share * largest);
  ASSERT_EQ(one.startValue.size(), other.startValue.size());
  for (std::size_t s = 0; s < one.startValue.size(); ++s)
    EXPECT_NEAR(one.startValue[s], other.startValue[s], 1e-11) << s;
  EXPECT_NEAR(one.objective, other.objective, 1e-11 * std::abs(one.objective) + 1e-9 * largest);
  EXPECT_NEAR(one.lostWeight, other.lostWeight, 1e-12);
}

/// Names of cases of ImageTravelTimeCases.h, and of random images ("Random7") with up to three seeds between
/// points, whose balls have points that depend on each other.
inline std::vector<std::string> adjointCaseNames() {
  std::vector<std::string> names = caseNames();
  for (int n = 0; n < 24; ++n) names.push_back("Random" + std::to_string(n));
  return names;
}

/// A problem, its times and tips.
struct AdjointCase {
  Case ofNames;
  Sample random{{2, 2, 1}, {}, 0, 0};
  const Problem* problem = &ofNames.problem;
  Values<float> travelTime;
  std::vector<WeightedTip> tips;

  AdjointCase(const std::string& name, SourceFactoring factoring, int order = 1) {
    if (name.starts_with("Random")) {
      random = randomSample(std::stoi(name.substr(6)));
      random.problem.speed = random.slowness;
      problem = &random.problem;
    } else {
      ofNames = makeCase(name);
      ofNames.problem.speed = ofNames.speed;
    }
    travelTime = solve(*problem, factoring, 0, order).travelTime;
    tips = someTips(problem->grid, 40);
  }
  AdjointCase(const AdjointCase&) = delete;
};

/// Names of cases of ImageTensorCases.h, of random ones, and of isotropic tensors, whose stencils have terms
/// of weight 0.
inline std::vector<std::string> tensorAdjointCaseNames() {
  std::vector<std::string> names = tensorCaseNames();
  for (int n = 0; n < 24; ++n) names.push_back("Random" + std::to_string(n));
  names.insert(names.end(), {"IsotropicPlane", "IsotropicSpace"});
  return names;
}

inline Case makeTensorAdjointCase(const std::string& name) {
  if (name.starts_with("Random")) return randomTensorCase(std::stoi(name.substr(6)), false);
  if (!name.starts_with("Isotropic")) return makeTensorCase(name);
  std::uint64_t n = 0;
  return tensorCase({11, 10, name == "IsotropicPlane" ? 1 : 7, 1, 1, 1}, [&](double, double, double) {
    const double square = 1 + noise(n++);
    return std::array<double, 6>{square, square, square, 0, 0, 0};
  });
}

} // namespace isochrone::image
