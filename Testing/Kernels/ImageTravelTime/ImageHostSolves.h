// ImageHostSolves.h - solves of an image on the host, and claims about them for any medium.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"
#include "InstructionSets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace isochrone::image {

inline Result solve(const Problem& problem, Options options = {}) {
  options.backend = Backend::Host;
  return solveImageTravelTime(problem, options, {});
}

inline Options additive() {
  Options options;
  options.factoring = SourceFactoring::Additive;
  return options;
}

/// Expects times up to a part of the larger of the time and of the time since the earliest arrival.
inline void expectTimes(std::span<const float> times, std::span<const double> expected, double part) {
  ASSERT_EQ(times.size(), expected.size());
  const double earliest = *std::min_element(expected.begin(), expected.end());
  for (std::size_t n = 0; n < expected.size(); ++n) {
    ASSERT_EQ(std::isinf(expected[n]), std::isinf(times[n])) << n;
    if (std::isinf(expected[n])) continue;
    const double size = std::max(std::abs(expected[n]), expected[n] - earliest);
    ASSERT_NEAR(times[n], expected[n], part * size) << n;
  }
}

/// Expects the same times and seeds for any number of threads, and the same times with each instruction set,
/// with and without factoring.
inline void expectSameBits(const Problem& problem) {
  for (Options options : {Options{}, additive()}) {
    options.seedIds = true;
    options.threads = 1;
    const Result one = solve(problem, options);
    for (const int threads : {2, 3, 5}) {
      options.threads = threads;
      const Result result = solve(problem, options);
      EXPECT_EQ(result.travelTime, one.travelTime) << threads << " threads";
      EXPECT_EQ(result.seed, one.seed) << threads << " threads";
    }
    onEachInstructionSet(
        [&](const char* isa) { EXPECT_EQ(solve(problem, options).travelTime, one.travelTime) << isa; });
  }
}

} // namespace isochrone::image
