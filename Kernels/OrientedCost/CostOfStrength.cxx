#include "OrientedCost/CostOfStrength.h"

#include "OrientedCost/TubeStrength.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace isochrone::oriented {

namespace {

constexpr std::int64_t bandRows = 16;

/// Minimum typical strength, as a share of the half range of the intensities. An image without tubes, such as
/// a ramp, has responses of 1e-6 by rounding.
constexpr double minTypicalStrength = 1e-3;

/// Writes the strength of the strongest response per point to `minCost` and its heading to `heading`.
void strongest(const Problem& p, Result& result, Work& work, double share) {
  work.rows(p.ny, bandRows, share, [&](std::int64_t begin, std::int64_t end, int) {
    const std::int64_t first = begin * p.nx, last = end * p.nx;
    for (std::int64_t i = first; i < last; ++i) result.minCost[i] = result.cost[i], result.heading[i] = 0;
    for (int k = 1; k < responses(p); ++k) {
      const float* strength = result.cost.data() + k * p.points();
      for (std::int64_t i = first; i < last; ++i) {
        if (!(strength[i] > result.minCost[i])) continue;
        result.minCost[i] = strength[i];
        result.heading[i] = float(2 * std::numbers::pi * k / p.headings);
      }
    }
  });
}

/// Returns the typical strength. The fixed order of the sum makes it independent of the number of threads.
double typical(std::span<const float> strengths) {
  double sum = 0, squares = 0;
  for (float s : strengths) sum += s, squares += double(s) * s;
  return std::max(sum > 0 ? squares / sum : 0, minTypicalStrength);
}

} // namespace

void costOfStrength(const Problem& p, double halfRange, Result& result, Work& work, double share) {
  strongest(p, result, work, 0.3 * share);
  if (work.stopped()) return;
  const double typicalStrength = typical(result.minCost);
  result.typicalStrength = typicalStrength * halfRange;
  constexpr double maxScale = 1e30; // keeps the scale finite: infinity times a strength of 0 is NaN
  const float scale = float(std::min(1 / (p.halfStrength * typicalStrength), maxScale)),
              exponent = float(p.exponent);
  const float floor = float(p.floor), above = float(p.ceiling - p.floor);
  const auto cost = [=](float strength) {
    return floor + above / (1 + std::pow(strength * scale, exponent));
  };
  work.rows(p.ny * responses(p), bandRows, 0.7 * share, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin * p.nx; i < end * p.nx; ++i) {
      result.cost[i] = cost(result.cost[i]);
      if (responses(p) < p.headings) result.cost[i + responses(p) * p.points()] = result.cost[i];
    }
  });
  for (float& strength : result.minCost) strength = cost(strength);
}

} // namespace isochrone::oriented
