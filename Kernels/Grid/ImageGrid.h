// ImageGrid.h - the points of an image.
#pragma once

#include <array>
#include <cstdint>

namespace isochrone {

/// Points of a 2D or 3D image, x fastest. Point (i, j, k) lies at (i*hx, j*hy, k*hz); a 2D image has nz = 1.
struct ImageGrid {
  std::int64_t nx = 1, ny = 1, nz = 1;
  double hx = 1, hy = 1, hz = 1; ///< world units

  std::int64_t points() const { return nx * ny * nz; }
  std::int64_t index(std::int64_t i, std::int64_t j, std::int64_t k) const { return i + nx * (j + ny * k); }
};

/// A position in world units, relative to point (0, 0, 0).
using Position = std::array<double, 3>;

} // namespace isochrone
