#include "DistanceTransform/Validation.h"

#include "Error.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <tuple>

namespace isochrone::distance {

namespace {

std::string text(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%g", value);
  return buffer;
}

} // namespace

void validate(const Problem& problem, const Options& options) {
  const Grid& g = problem.grid;
  // Squared distances must be exact as double: so far along several axes, and along one.
  const bool isLine = (g.nx > 1) + (g.ny > 1) + (g.nz > 1) < 2;
  const std::int64_t mostOnAxis = isLine ? std::numeric_limits<std::int32_t>::max() / 2 : 1 << 24;
  for (const auto& [n, h, axis] : {std::tuple{g.nx, g.hx, 'x'}, {g.ny, g.hy, 'y'}, {g.nz, g.hz, 'z'}}) {
    if (n < 1)
      throw Error(std::string("the image must have points, got ") + std::to_string(n) + " along " + axis);
    if (n > mostOnAxis)
      throw Error("an axis may have " + std::to_string(mostOnAxis) + " points, got " + std::to_string(n) +
                  " along " + axis + ": take a coarser image");
    if (!(h > 0) || std::isinf(h))
      throw Error("the spacing must be positive and finite, got " + text(h) + " along " + axis);
  }
  if (std::int64_t(problem.sites.size()) != g.points())
    throw Error("sites must have a value for each of " + std::to_string(g.points()) + " points, got " +
                std::to_string(problem.sites.size()));
  if (!(options.maximumDistance >= 0))
    throw Error("the maximum distance must not be negative (0: no limit), got " +
                text(options.maximumDistance));
}

} // namespace isochrone::distance
