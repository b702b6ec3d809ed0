#include "OrientedCost/OrientedCost.h"

#include "Backend.h"
#include "Error.h"
#include "OrientedCost/TubeStrength.h"
#include "OrientedCost/Validation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace isochrone::oriented {

namespace {

/// The intensities scaled to -1 ... 1, so that neither their unit nor an added constant matters.
struct Scaled {
  std::vector<float> intensity;
  std::vector<std::uint8_t> outside; ///< empty: all points are inside
  double halfRange = 0;              ///< 0: the image is constant
};

Scaled scaled(const Problem& p) {
  Scaled out;
  double minimum = std::numeric_limits<double>::infinity(), maximum = -minimum;
  std::int64_t inside = 0;
  out.outside.resize(p.points());
  for (std::int64_t i = 0; i < p.points(); ++i) {
    out.outside[i] = (!p.outside.empty() && p.outside[i]) || !std::isfinite(p.intensity[i]);
    if (out.outside[i]) continue;
    ++inside;
    minimum = std::min(minimum, double(p.intensity[i])), maximum = std::max(maximum, double(p.intensity[i]));
  }
  if (inside == 0)
    fail("no point of the image lies inside the mask and has a finite intensity: choose another mask or "
         "intensity array");
  const double middle = minimum / 2 + maximum / 2;
  out.halfRange = maximum / 2 - minimum / 2;
  out.intensity.resize(p.points());
  for (std::int64_t i = 0; i < p.points(); ++i)
    if (!out.outside[i] && out.halfRange > 0)
      out.intensity[i] = float((double(p.intensity[i]) - middle) / out.halfRange);
  if (inside == p.points()) out.outside.clear();
  return out;
}

/// Returns the problem with lengths in a unit near the spacing, so that their squares fit into single
/// precision. The unit is a power of two, which changes no digit.
Problem inUnitOfGrid(Problem p) {
  const int exponent = -std::ilogb(std::max(p.hx, p.hy));
  for (double* length : {&p.hx, &p.hy, &p.length}) *length = std::ldexp(*length, exponent);
  for (double& width : p.widths) width = std::ldexp(width, exponent);
  return p;
}

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

/// Fills all members of the result except `aborted`.
/// @param halfRange  half range of the intensities, the unit of the strengths
/// @param result     on entry its cost holds the strengths of the first `responses(problem)` headings
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

} // namespace

Result makeOrientedCost(const Problem& problem, int threadsWanted, const Monitor& monitor) {
  // 1. Check the problem.
  validate(problem);
  const Problem p = inUnitOfGrid(problem);
  const Scaled image = scaled(p);
  Result result;
  result.cost.resize(p.points() * p.headings);
  result.minCost.resize(p.points());
  result.heading.resize(p.points());

  // 2. Compute the tube strengths, then the costs.
  Work work(chooseThreads(threadsWanted), monitor);
  tubeStrength(p, image.intensity, image.outside, result.cost.data(), work, 0.9);
  costOfStrength(p, image.halfRange, result, work, 0.1);
  if (work.stopped()) {
    result = {};
    result.aborted = true;
  } else {
    monitor.report(1);
  }
  return result;
}

} // namespace isochrone::oriented
