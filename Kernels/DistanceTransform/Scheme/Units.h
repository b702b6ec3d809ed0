// Units.h - the units and number types in which a problem is solved.
#pragma once

#include "DistanceTransform/DistanceTransform.h"

#include <cstdint>
#include <vector>

namespace isochrone::distance {

/// An axis with more than one point.
struct MeasuredAxis {
  std::int64_t points;
  double weight; ///< squared length of a step
  int reach;     ///< more steps than this exceed the maximum distance
};

/// Squared distances are computed in units of unit^2. If all axes have the same spacing, this is the unit,
/// and they are integers: of 32 bits if the largest possible one fits, else stored in double, which holds
/// them exactly.
struct Measure {
  std::vector<MeasuredAxis> axes; ///< in the order of the grid; a single axis of one point if the grid has
                                  ///< one point
  bool integers32 = false;
  double unit = 1;  ///< world length of a distance of 1
  double limit = 0; ///< squared distances above it exceed the maximum distance; +infinity: no limit
};

Measure measure(const Grid& grid, double maximumDistance);

} // namespace isochrone::distance
