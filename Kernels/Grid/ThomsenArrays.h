// ThomsenArrays.h - the arrays of a tilted transversely isotropic medium (TTI), and the medium of a point.
#pragma once

#include "Grid/ImageGrid.h"
#include "Grid/ThomsenMedium.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace isochrone {

/// A tilted transversely isotropic medium: Thomsen, Weak elastic anisotropy, Geophysics 51 (1986). Each span
/// has values for each point, or for all: then one value. NaN is a barrier. Requirements, with f = (Vs /
/// Vp)^2: epsilon > -1/2; f below 1, 1 + 2 epsilon and 1 + 2 delta; 1 + 2 delta - f at most 4 (1 + 2 epsilon
/// - f), beyond which slowness curves are not convex.
struct Thomsen {
  std::span<const float> epsilon, delta; ///< empty: 0
  /// Symmetry axis, of any length, along the axes of the grid: x y z, only x y if nz = 1. Empty: the last
  /// axis, in the plane its second axis.
  std::span<const float> axis;
  std::span<const float> shear; ///< Vs / Vp; empty: 0, which changes the times of P waves little

  /// Returns the medium of a point. Of its axis only the part in the plane counts if one axis of the grid has
  /// one point. Times along a line are those of an isotropic medium.
  /// @param grid   of the points, whose cells the medium may describe instead
  /// @param speed  Vp along the axis
  ThomsenMedium at(const ImageGrid& grid, std::int64_t point, double speed) const;

  /// Returns whether a parameter of a point is not a number.
  bool isBarrier(const ImageGrid& grid, std::int64_t point) const;
  /// Returns whether the parameters of a point meet the requirements, and its axis has a length.
  bool isValid(const ImageGrid& grid, std::int64_t point) const;
  /// Returns whether two points have the same parameters.
  bool areSame(const ImageGrid& grid, std::int64_t first, std::int64_t second) const;

  struct Memory {
    std::vector<float> epsilon, delta, axis, shear;
  };
  /// Returns the medium of other points or cells, in which the given ones occur; arrays with one value for
  /// all stay.
  /// @param points  number of the given ones
  /// @param extend  extend(values, components): the values of the others
  /// @param memory  of the new arrays
  Thomsen extended(const ImageGrid& grid, std::int64_t points,
                   const std::function<std::vector<float>(std::span<const float>, int)>& extend,
                   Memory& memory) const;

  /// @param points  number of points or cells
  /// @throws Error on spans of other lengths
  void requireLengths(const ImageGrid& grid, std::int64_t points) const;
  /// Throws an Error about points that are not valid.
  /// @param count  of such points
  /// @param first  the first one
  /// @param name   its name
  [[noreturn]] void reject(std::int64_t count, std::int64_t first, const std::string& name) const;

private:
  std::array<double, 3> parameters(std::int64_t point) const;
  grid::Vector3 axisOf(const ImageGrid& grid, std::int64_t point) const;
};

} // namespace isochrone
