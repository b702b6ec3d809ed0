// ImageSensitivityCases.h - solves, tips and derivatives for the tests of image sensitivities.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"
#include "Noise.h"

#include <span>
#include <vector>

namespace isochrone::image {

inline constexpr SourceFactoring factorings[] = {SourceFactoring::Off, SourceFactoring::Additive};

inline Result solve(const Problem& problem, SourceFactoring factoring, double stoppingTime = 0) {
  Options options;
  options.backend = Backend::Host;
  options.factoring = factoring;
  options.stoppingTime = stoppingTime;
  return solveImageTravelTime(problem, options, {});
}

inline Sensitivities derive(const Problem& problem, std::span<const float> travelTime,
                            std::span<const WeightedTip> tips, SourceFactoring factoring, int threads = 0) {
  SensitivityOptions options;
  options.factoring = factoring;
  options.threads = threads;
  return differentiate(problem, travelTime, tips, options);
}

inline Sensitivities derive(const Problem& problem, std::span<const WeightedTip> tips,
                            SourceFactoring factoring) {
  return derive(problem, solve(problem, factoring).travelTime, tips, factoring);
}

inline WeightedTip tipAt(const Grid& grid, std::int64_t point, double weight = 1) {
  WeightedTip tip;
  const GridIndex at = grid.indices(point);
  for (int a = 0; a < 3; ++a) tip.at[a] = double(at[a]) * grid.spacing()[a];
  tip.weight = weight;
  return tip;
}

/// Returns tips at random points, with weights of both signs.
inline std::vector<WeightedTip> someTips(const Grid& grid, int count) {
  std::vector<WeightedTip> tips;
  for (int t = 0; t < count; ++t)
    tips.push_back(
        tipAt(grid, std::int64_t(noise(1000 + t) * double(grid.points())), noise(5000 + t) * 2 - 0.5));
  return tips;
}

} // namespace isochrone::image
