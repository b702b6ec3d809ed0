// Axes.h - the axes of an image by index, and extents along them.
#pragma once

#include "RayTracing/RayTracing.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace isochrone::rays {

using Index3 = std::array<std::int64_t, 3>;

inline Index3 pointsOf(const Grid& g) { return {g.nx, g.ny, g.nz}; }
inline std::array<double, 3> spacingOf(const Grid& g) { return {g.hx, g.hy, g.hz}; }
inline Index3 indexOf(const Grid& g, std::int64_t point) {
  return {point % g.nx, point / g.nx % g.ny, point / (g.nx * g.ny)};
}

/// Returns the axes with more than one point.
inline std::vector<int> longAxes(const Grid& g) {
  std::vector<int> axes;
  for (int a = 0; a < 3; ++a)
    if (pointsOf(g)[a] > 1) axes.push_back(a);
  return axes;
}

/// Returns the number of cells along each axis; an axis with one point has one layer of cells.
inline Index3 cellsOf(const Grid& g) {
  Index3 n = pointsOf(g);
  for (auto& c : n) c = c > 1 ? c - 1 : 1;
  return n;
}

/// Returns the number of slowness values: one per point, or one per cell.
inline std::int64_t elementsOf(const Grid& g, WeightRule rule) {
  const Index3 n = rule == WeightRule::Cells ? cellsOf(g) : pointsOf(g);
  return n[0] * n[1] * n[2];
}

} // namespace isochrone::rays
