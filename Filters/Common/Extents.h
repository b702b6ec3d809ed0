// Extents.h - index boxes like VTK's extents: first and last index along each axis, both included.
#pragma once

#include <vtkType.h>

#include <algorithm>
#include <array>
#include <span>

namespace isochrone::filters {

using Extent = std::array<int, 6>;

inline bool empty(const Extent& e) { return e[0] > e[1] || e[2] > e[3] || e[4] > e[5]; }

inline vtkIdType sizeOf(const Extent& e) {
  return empty(e) ? 0 : vtkIdType(e[1] - e[0] + 1) * (e[3] - e[2] + 1) * (e[5] - e[4] + 1);
}

/// Returns the extent of the cells of an image: one less along each axis with more than one point.
inline Extent cellExtent(const Extent& points) {
  Extent cells = points;
  for (int a = 0; a < 3; ++a) {
    if (cells[2 * a + 1] > cells[2 * a]) --cells[2 * a + 1];
  }
  return cells;
}

/// Returns whether the cells of a part of an image are cells of the image. Those of a plane of points in a
/// volume are not.
inline bool hasCellsOf(const Extent& whole, const Extent& part) {
  for (int a = 0; a < 3; ++a)
    if (part[2 * a] == part[2 * a + 1] && whole[2 * a] < whole[2 * a + 1]) return false;
  return true;
}

inline bool contains(const Extent& outer, const Extent& inner) {
  for (int a = 0; a < 3; ++a)
    if (inner[2 * a] < outer[2 * a] || inner[2 * a + 1] > outer[2 * a + 1]) return false;
  return true;
}

/// Returns the samples in both extents; may be empty.
inline Extent intersection(const Extent& a, const Extent& b) {
  Extent both;
  for (int i = 0; i < 6; i += 2) {
    both[i] = std::max(a[i], b[i]);
    both[i + 1] = std::min(a[i + 1], b[i + 1]);
  }
  return both;
}

/// Returns the smallest extent that contains all that are not empty.
inline Extent boundingExtent(std::span<const Extent> extents) {
  Extent bounds{0, -1, 0, -1, 0, -1};
  for (const Extent& e : extents) {
    if (empty(e)) continue;
    if (empty(bounds)) bounds = e;
    for (int a = 0; a < 3; ++a) {
      bounds[2 * a] = std::min(bounds[2 * a], e[2 * a]);
      bounds[2 * a + 1] = std::max(bounds[2 * a + 1], e[2 * a + 1]);
    }
  }
  return bounds;
}

/// Returns the index of the sample at `at`, x fastest.
inline vtkIdType numberOf(const std::array<int, 3>& at, const Extent& e) {
  return at[0] - e[0] +
         vtkIdType(e[1] - e[0] + 1) * (at[1] - e[2] + vtkIdType(e[3] - e[2] + 1) * (at[2] - e[4]));
}

/// Inverse of numberOf.
inline std::array<int, 3> indexOf(vtkIdType number, const Extent& e) {
  const vtkIdType nx = e[1] - e[0] + 1, ny = e[3] - e[2] + 1;
  return {e[0] + int(number % nx), e[2] + int(number / nx % ny), e[4] + int(number / (nx * ny))};
}

} // namespace isochrone::filters
