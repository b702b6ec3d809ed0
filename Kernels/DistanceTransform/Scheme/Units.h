// Units.h - in which numbers a problem is solved.
#pragma once

#include "DistanceTransform/DistanceTransform.h"

#include <cstdint>
#include <vector>

namespace isochrone::distance {

/// An axis with more than one point.
struct MeasuredAxis {
  std::int64_t points;
  double weight; ///< squared distance of a step
  int reach;     ///< more steps than this are beyond the limit
};

/// Squared distances are computed in units of unit^2. Where all axes have the same spacing that is the unit,
/// and they are integers: of 32 bits if the largest that can be allows it, else as double, which holds them
/// exactly.
struct Measure {
  std::vector<MeasuredAxis> axes; ///< in the order of the grid; one of one point if the grid has just that
  bool integers32 = false;
  double unit = 1;  ///< world length of a distance of 1
  double limit = 0; ///< squared distances above it are beyond the maximum distance; +infinity: there is none
};

Measure measure(const Grid& grid, double maximumDistance);

} // namespace isochrone::distance
