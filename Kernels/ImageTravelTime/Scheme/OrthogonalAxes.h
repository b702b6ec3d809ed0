// OrthogonalAxes.h - the axes of a rectilinear or spherical grid, in the solver's units.
#pragma once

#include "Execution/Scalar.h"
#include "Grid/OrthogonalGrid.h"
#include "ImageTravelTime/Scheme/OrthogonalTerms.h"

#include <array>
#include <cstdint>
#include <vector>

namespace isochrone::image {

class OrthogonalAxes {
public:
  /// @param unit  of length
  OrthogonalAxes(const grid::OrthogonalGrid& grid, double unit);

  /// The terms of an axis, for each of its indices.
  struct Axis {
    std::vector<double> coordinate; ///< length or radians
    std::vector<AxisSteps<execution::Scalar>> steps;
    std::vector<AxisShape<execution::Scalar>> shape;
  };
  const Axis& operator[](int axis) const { return axes[std::size_t(axis)]; }
  bool isCurved() const { return curved; }
  bool isAngle(int axis) const { return curved && roles[std::size_t(axis)] != ofRadius; }
  /// Returns the role of each axis, and the axis of each role, of a spherical grid.
  const std::array<int, 3>& roleOf() const { return roles; }
  const std::array<int, 3>& axisOf() const { return axisOfRole; }

private:
  bool curved;
  std::array<int, 3> roles{ofRadius, ofColatitude, ofLongitude}, axisOfRole{0, 1, 2};
  std::array<Axis, 3> axes;
};

/// Returns 1 - cos(a), without a difference.
double versineOf(double a);

} // namespace isochrone::image
