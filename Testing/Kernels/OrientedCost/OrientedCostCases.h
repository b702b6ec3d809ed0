// OrientedCostCases.h - pictures with tubes, and measures of their costs.
#pragma once

#include "OrientedCost/OrientedCost.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <vector>

namespace isochrone::oriented {

/// A problem with the arrays that it views. Moving it keeps the views valid; copying it would not.
struct Picture {
  Problem problem;
  std::vector<float> intensity;
  std::vector<std::uint8_t> outside;

  Picture() = default;
  Picture(Picture&&) = default;
  Picture(const Picture&) = delete;
};

/// Returns nx * ny points around (0, 0) with value(x, y) in world units.
inline Picture picture(std::int64_t nx, std::int64_t ny, const std::function<double(double, double)>& value,
                       double hx = 1, double hy = 1) {
  Picture out;
  for (std::int64_t j = 0; j < ny; ++j)
    for (std::int64_t i = 0; i < nx; ++i)
      out.intensity.push_back(
          float(value((double(i) - double(nx - 1) / 2) * hx, (double(j) - double(ny - 1) / 2) * hy)));
  Problem& p = out.problem;
  p.nx = nx, p.ny = ny, p.hx = hx, p.hy = hy;
  p.intensity = out.intensity;
  p.widths = {1.5, 2.5, 4};
  p.length = 6;
  return out;
}

/// Returns a straight tube through (0, 0) with a Gaussian profile.
inline double bar(double x, double y, double angle, double deviation) {
  const double across = y * std::cos(angle) - x * std::sin(angle);
  return std::exp(-across * across / (2 * deviation * deviation));
}

inline double degrees(double d) { return d * std::numbers::pi / 180; }

/// Returns the angle between two undirected lines, radians.
inline double between(double a, double b) {
  const double turn = std::remainder(a - b, std::numbers::pi);
  return std::abs(turn);
}

/// Returns the costs of all headings at a point.
inline std::vector<double> costsAt(const Problem& p, const Result& result, std::int64_t i, std::int64_t j) {
  std::vector<double> costs;
  for (int k = 0; k < p.headings; ++k) costs.push_back(result.cost[i + p.nx * (j + p.ny * k)]);
  return costs;
}

inline std::vector<double> costsAtCentre(const Problem& p, const Result& result) {
  return costsAt(p, result, p.nx / 2, p.ny / 2);
}

/// Returns the strength, in the unit of intensity, that corresponds to a cost.
inline double strengthOf(const Problem& p, const Result& result, double cost) {
  const double below = (p.ceiling - cost) / (cost - p.floor);
  return p.halfStrength * result.typicalStrength * std::pow(std::max(below, 0.0), 1 / p.exponent);
}

} // namespace isochrone::oriented
