// ImageGrid.h - the points of an image.
#pragma once

#include <array>
#include <cstdint>

namespace isochrone {

/// A position in world units, relative to point (0, 0, 0).
using Position = std::array<double, 3>;

/// The indices of a point on the three axes.
using GridIndex = std::array<std::int64_t, 3>;

/// Points of a 2D or 3D image, x fastest. Point (i, j, k) lies at (i*hx, j*hy, k*hz); a 2D image has nz = 1.
struct ImageGrid {
  std::int64_t nx = 1, ny = 1, nz = 1;
  double hx = 1, hy = 1, hz = 1; ///< world units

  std::int64_t points() const { return nx * ny * nz; }
  std::int64_t index(std::int64_t i, std::int64_t j, std::int64_t k) const { return i + nx * (j + ny * k); }
  std::int64_t index(const GridIndex& at) const { return index(at[0], at[1], at[2]); }
  GridIndex indices(std::int64_t point) const {
    const std::int64_t row = point / nx;
    return {point % nx, row % ny, row / ny};
  }
  GridIndex sizes() const { return {nx, ny, nz}; }
  GridIndex strides() const { return {1, nx, nx * ny}; } ///< from a point to the next on each axis
  Position spacing() const { return {hx, hy, hz}; }
};

} // namespace isochrone
