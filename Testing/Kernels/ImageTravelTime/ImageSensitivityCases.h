// ImageSensitivityCases.h - solves, tips and derivatives for the tests of image sensitivities.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"
#include "Noise.h"

#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace isochrone::image {

inline constexpr SourceFactoring factorings[] = {SourceFactoring::Off, SourceFactoring::Additive,
                                                 SourceFactoring::Multiplicative},
                                 offAndAdditive[] = {SourceFactoring::Off, SourceFactoring::Additive};

struct Scheme {
  SourceFactoring factoring;
  int order;
};
inline constexpr Scheme schemes[] = {{SourceFactoring::Off, 1},
                                     {SourceFactoring::Additive, 1},
                                     {SourceFactoring::Off, 2},
                                     {SourceFactoring::Additive, 2},
                                     {SourceFactoring::Multiplicative, 1},
                                     {SourceFactoring::Multiplicative, 2}};

/// Returns the share by which rounded times may depart from exact solutions. A few multiplicative times
/// depend on the order of work (DESIGN.md).
inline double roundingOf(SourceFactoring factoring) {
  return factoring == SourceFactoring::Multiplicative ? 1e-5 : 1e-6;
}

inline Result solve(const Problem& problem, SourceFactoring factoring, double stoppingTime = 0,
                    int order = 1) {
  Options options;
  options.backend = Backend::Host;
  options.factoring = factoring;
  options.stoppingTime = stoppingTime;
  options.order = order;
  return solveImageTravelTime(problem, options, {});
}

inline Sensitivities derive(const Problem& problem, std::span<const float> travelTime,
                            std::span<const WeightedTip> tips, SourceFactoring factoring, int threads = 0,
                            int order = 1, Backend backend = Backend::Host) {
  SensitivityOptions options;
  options.backend = backend;
  options.factoring = factoring;
  options.order = order;
  options.threads = threads;
  return differentiate(problem, travelTime, tips, options);
}

inline Sensitivities derive(const Problem& problem, std::span<const WeightedTip> tips,
                            SourceFactoring factoring, int order = 1) {
  return derive(problem, solve(problem, factoring, 0, order).travelTime, tips, factoring, 0, order);
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

inline double sumOf(const Values<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.);
}

/// Sums over the tips that contribute: of the absolute terms weight * time, of the terms, and of the weights.
struct TipSums {
  double size = 0, rounded = 0, weights = 0;
};
inline TipSums sumOverTips(std::span<const WeightedTip> tips, const Sensitivities& s,
                           std::span<const float> travelTime) {
  TipSums sums;
  for (std::size_t t = 0; t < tips.size(); ++t) {
    if (s.tips[t].point < 0) continue;
    const double term = tips[t].weight * double(travelTime[std::size_t(s.tips[t].point)]);
    sums.size += std::abs(term), sums.rounded += term, sums.weights += tips[t].weight;
  }
  return sums;
}

/// Returns sum of speed * dJ/dspeed with the sign of a slowness, and of startValue * dJ/dstartValue.
inline double eulerSum(const Problem& p, const Sensitivities& s) {
  double sum = 0;
  for (std::size_t n = 0; n < s.speed.size(); ++n) {
    const double value = p.speed.empty() ? p.constantSpeed : double(p.speed[n]);
    if (s.speed[n] != 0) sum += (p.speedType == SpeedType::Slowness ? 1 : -1) * value * s.speed[n];
  }
  for (std::size_t i = 0; i < p.seeds.size(); ++i) sum += p.seeds[i].startValue * s.startValue[i];
  return sum;
}

/// A random image with slownesses, and its memory.
struct Sample {
  Problem problem;
  std::vector<float> slowness;
  std::vector<double> exact; ///< the same

  /// @param variation  slownesses are 1 to 1 + variation
  Sample(const Grid& grid, const Position& seed, double variation, int number) {
    problem.grid = grid;
    problem.speedType = SpeedType::Slowness;
    for (std::int64_t n = 0; n < grid.points(); ++n)
      slowness.push_back(float(1 + variation * noise(std::uint64_t(7919 * number + n))));
    exact.assign(slowness.begin(), slowness.end());
    problem.speed = slowness;
    problem.seeds = {{seed, 0.5}};
  }
};

/// Returns a random problem for directional derivatives.
inline Sample randomSample(int number) {
  const auto draw = [&](int k) { return noise(std::uint64_t(number) * 100003 + std::uint64_t(k)); };
  Grid grid{10 + int(8 * draw(1)), 9 + int(8 * draw(2)), 1, 1, 0.5 + draw(4), 1};
  if (number % 2)
    grid = {6 + int(3 * draw(1)), 5 + int(3 * draw(2)), 4 + int(4 * draw(3)), 1,
            0.6 + draw(4),        0.6 + draw(5)};
  Sample sample(grid, {}, draw(6) * 1.2, number);
  sample.problem.seeds.clear();
  for (int i = 0; i < 1 + number % 3; ++i) {
    Seed seed;
    for (int a = 0; a < 3; ++a) {
      double q = draw(20 + 3 * i + a) * double(grid.sizes()[a] - 1);
      if (draw(40 + 3 * i + a) < 0.4) q = std::round(q);
      seed.at[a] = q * grid.spacing()[a];
    }
    seed.startValue = 2 * draw(80 + i) - 1;
    sample.problem.seeds.push_back(seed);
  }
  return sample;
}

/// The same with a smooth medium: a wave of up to 1 : 4.
inline Sample smoothSample(int number) {
  const auto draw = [&](int k) { return noise(std::uint64_t(number) * 100003 + 500 + std::uint64_t(k)); };
  Sample sample = randomSample(number);
  const double wave[] = {0.1 + 0.5 * draw(1), 0.1 + 0.5 * draw(2), 0.1 + 0.5 * draw(3)};
  for (std::size_t n = 0; n < sample.slowness.size(); ++n) {
    const GridIndex at = sample.problem.grid.indices(std::int64_t(n));
    const double phase = wave[1] * double(at[1]) + wave[2] * double(at[2]);
    sample.slowness[n] = float(1 + 0.6 * draw(4) * std::sin(wave[0] * double(at[0]) + 1) * std::cos(phase));
  }
  sample.exact.assign(sample.slowness.begin(), sample.slowness.end());
  return sample;
}

} // namespace isochrone::image
